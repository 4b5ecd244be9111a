import { JsonApi } from '@muellerbbm-vas/grivet'
import { requests } from './plain.mjs'

/** Grivet reads documents and follows their links; what writes is plain. */
export default ({ base, type, token, f1, f2 }) => {
  const send = requests({ base, token })
  const get = async (url) =>
    (await fetch(url, { headers: { Authorization: `Bearer ${token}`, Accept: 'application/vnd.api+json' } })).json()
  const context = { getDocument: get }
  const document = (path) => JsonApi.Document.fromURL(new URL(`${base}/${path}`), context)
  const ids = async (path) => (await document(path)).resources.map(({ rawData }) => rawData.id)
  const body = (attributes, id) => ({ data: { type, ...(id && { id }), attributes } })
  return {
    create: async (attributes) => (await send('POST', type, body(attributes))).data.id,
    filtered: (value) => ids(`${type}?filter[${f1}]=${value}`),
    page: (number, size) => ids(`${type}?page[number]=${number}&page[size]=${size}`),
    read: async (id) => (await document(`${type}/${id}`)).resource.attributes[f1],
    change: (id, attributes) => send('PATCH', `${type}/${id}`, body(attributes, id)),
    remove: (id) => send('DELETE', `${type}/${id}`),
  }
}
