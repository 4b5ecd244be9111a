import JsonApi from 'devour-client'

/** Calls of devour. */
export default ({ base, token, type, f1, f2 }) => {
  const api = new JsonApi({ apiUrl: base, pluralize: false })
  api.headers.Authorization = `Bearer ${token}`
  api.define(type, { [f1]: '', [f2]: '' })
  const ids = ({ data }) => data.map(({ id }) => id)
  return {
    create: async (attributes) => (await api.create(type, attributes)).data.id,
    filtered: async (value) => ids(await api.findAll(type, { filter: { [f1]: value } })),
    page: async (number, size) => ids(await api.findAll(type, { page: { number, size } })),
    read: async (id) => (await api.find(type, id)).data[f1],
    change: (id, attributes) => api.update(type, { id, ...attributes }),
    remove: (id) => api.destroy(type, id),
  }
}
