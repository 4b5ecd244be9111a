import { JsonApiClient } from '@drupal-api-client/json-api-client'

/** Calls of the client for Drupal. Types have no bundle here, so its addresses have an empty segment: `data1//5`. */
export default ({ base, token, type, f1, f2 }) => {
  const { origin, pathname } = new URL(base)
  const authentication = { type: 'Custom', credentials: { value: `Bearer ${token}` } }
  const client = new JsonApiClient(origin, { apiPrefix: pathname.slice(1), authentication, logger: { log() {} } })
  const checked = async (answer) => {
    const { response, json } = await answer
    if (!response.ok) throw new Error(JSON.stringify(json.errors))
    return json
  }
  const raw = { rawResponse: true }
  const ids = ({ data }) => data.map(({ id }) => id)
  const document = (attributes, id) => ({ data: { type, ...(id && { id }), attributes } })
  return {
    create: async (attributes) => (await checked(client.createResource(type, document(attributes), raw))).data.id,
    filtered: async (value) => ids(await checked(client.getCollection(type, { ...raw, queryString: `filter[${f1}]=${value}` }))),
    page: async (number, size) =>
      ids(await checked(client.getCollection(type, { ...raw, queryString: `page[number]=${number}&page[size]=${size}` }))),
    read: async (id) => (await checked(client.getResource(type, id, raw))).data.attributes[f1],
    change: (id, attributes) => checked(client.updateResource(type, id, document(attributes, id), raw)),
    remove: (id) => checked(client.deleteResource(type, id, raw)),
  }
}
