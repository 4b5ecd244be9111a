/** Requests for libraries that read and write documents and send nothing themselves. */
export const requests = ({ base, token }) => {
  const media = 'application/vnd.api+json'
  return async (method, path, document) => {
    const headers = { Authorization: `Bearer ${token}`, Accept: media, ...(document && { 'Content-Type': media }) }
    const answer = await fetch(`${base}/${path}`, { method, headers, ...(document && { body: JSON.stringify(document) }) })
    const body = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(body.errors))
    return body
  }
}
