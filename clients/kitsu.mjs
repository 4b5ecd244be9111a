import Kitsu from 'kitsu'

/** Calls of kitsu. */
export default ({ base, token, type, f1, f2 }) => {
  const api = new Kitsu({
    baseURL: base,
    headers: { Authorization: `Bearer ${token}` },
    pluralize: false,
    camelCaseTypes: false,
    resourceCase: 'none',
  })
  const ids = ({ data }) => data.map(({ id }) => id)
  return {
    create: async (attributes) => (await api.create(type, attributes)).data.id,
    filtered: async (value) => ids(await api.get(type, { params: { filter: { [f1]: value } } })),
    page: async (number, size) => ids(await api.get(type, { params: { page: { number, size } } })),
    read: async (id) => (await api.get(`${type}/${id}`)).data[f1],
    change: (id, attributes) => api.update(type, { id, ...attributes }),
    remove: (id) => api.delete(type, id),
  }
}
