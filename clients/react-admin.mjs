import './browser.mjs'
import client from 'ra-jsonapi-client'

/** Calls of the data provider for react-admin. */
export default ({ base, token, type, f1, f2 }) => {
  const provide = client.default(base, { headers: { Authorization: `Bearer ${token}` } })
  const list = async (filter, page, perPage) => {
    const { data, total } = await provide('GET_LIST', type, { filter, pagination: { page, perPage }, sort: { field: 'id', order: 'ASC' } })
    if (!(total >= data.length)) throw new Error('There is no total.')
    return data.map(({ id }) => id)
  }
  return {
    create: async (data) => (await provide('CREATE', type, { data })).data.id,
    filtered: (value) => list({ [f1]: value }, 1, 25),
    page: (number, size) => list({}, number, size),
    async read(id) {
      const [{ data }, many] = [await provide('GET_ONE', type, { id }), await provide('GET_MANY', type, { ids: [id] })]
      if (many.data[0].id !== id) throw new Error('GET_MANY brings another record.')
      return data[f1]
    },
    change: (id, data) => provide('UPDATE', type, { id, data }),
    remove: (id) => provide('DELETE', type, { id }),
  }
}
