import { SpraypaintBase, attr } from 'spraypaint/lib/index.js'

/** Calls of spraypaint, which maps resources to classes. */
export default ({ base, token, type, f1, f2 }) => {
  const { origin, pathname } = new URL(base)
  const Base = SpraypaintBase.extend({
    static: { baseUrl: origin, apiNamespace: pathname, jwtStorage: false, generateAuthHeader: (jwt) => `Bearer ${jwt}` },
  })
  Base.setJWT(token)
  const Person = Base.extend({ static: { jsonapiType: type, endpoint: `/${type}` }, attrs: { [f1]: attr(), [f2]: attr() } })
  const ids = (found) => found.data.map(({ id }) => id)
  return {
    async create(attributes) {
      const one = new Person(attributes)
      if (!(await one.save())) throw new Error(JSON.stringify(one.errors))
      return one.id
    },
    filtered: async (value) => ids(await Person.where({ [f1]: value }).all()),
    page: async (number, size) => ids(await Person.page(number).per(size).all()),
    read: async (id) => (await Person.find(id)).data[f1],
    async change(id, attributes) {
      const one = (await Person.find(id)).data
      one.assignAttributes(attributes)
      await one.save()
    },
    remove: async (id) => (await Person.find(id)).data.destroy(),
  }
}
