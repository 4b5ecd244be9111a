import coloquent from 'coloquent'

/** Calls of coloquent, whose models have pages by numbers. */
export default ({ base, token, type, f1 }) => {
  class Person extends coloquent.Model {
    getJsonApiType() {
      return type
    }
    getJsonApiBaseUrl() {
      return base
    }
    static pageSize = 2
  }
  // Its first instance makes the client.
  new Person()
  const { common } = Person.getHttpClient().getImplementingClient().defaults.headers
  Object.assign(common, { Authorization: `Bearer ${token}` })
  const ids = (response) => response.getData().map((one) => one.getApiId())
  const withAll = (one, attributes) => {
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value)
    return one
  }
  return {
    create: async (attributes) => (await withAll(new Person(), attributes).save()).getModelId(),
    filtered: async (value) => ids(await Person.where(f1, value).get()),
    page: async (number) => ids(await Person.get(number)),
    read: async (id) => (await Person.find(id)).getData().getAttribute(f1),
    change: async (id, attributes) => withAll((await Person.find(id)).getData(), attributes).save(),
    remove: async (id) => (await Person.find(id)).getData().delete(),
  }
}
