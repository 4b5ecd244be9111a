import { Collection } from '@datx/core'
import { config, jsonapi, jsonapiCollection, modelToJsonApi } from '@datx/jsonapi'
import { PureModel } from '@datx/core'

/** Calls of datx. */
export default ({ base, token, type, f1, f2 }) => {
  config.baseUrl = `${base}/`
  config.defaultFetchOptions = { headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.api+json' } }
  class Person extends jsonapi(PureModel) {
    static type = type
    static endpoint = type
  }
  class People extends jsonapiCollection(Collection) {
    static types = [Person]
  }
  const fresh = () => new People()
  const ids = ({ data }) => data.map((one) => String(modelToJsonApi(one).id))
  return {
    async create(attributes) {
      const one = fresh().add(attributes, Person)
      return String(modelToJsonApi(await one.save()).id)
    },
    filtered: async (value) => ids(await fresh().getMany(Person, { queryParams: { filter: { [f1]: value } } })),
    page: async (number, size) =>
      ids(await fresh().getMany(Person, { queryParams: { custom: [`page[number]=${number}`, `page[size]=${size}`] } })),
    read: async (id) => (await fresh().getOne(Person, id)).data[f1],
    async change(id, attributes) {
      const { data } = await fresh().getOne(Person, id)
      Object.assign(data, attributes)
      await data.save()
    },
    async remove(id) {
      const { data } = await fresh().getOne(Person, id)
      await data.destroy()
    },
  }
}
