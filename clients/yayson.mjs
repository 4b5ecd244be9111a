import yayson from 'yayson'
import { requests } from './plain.mjs'

/** Documents of yayson. */
export default ({ type, f1, f2, ...to }) => {
  const send = requests(to)
  const { Presenter, Store } = yayson()
  class Person extends Presenter {
    static type = type
  }
  const read = (document) => new Store().sync(document)
  const ids = (document) => read(document).map(({ id }) => id)
  return {
    create: async (attributes) => read(await send('POST', type, Person.render(attributes))).id,
    filtered: async (value) => ids(await send('GET', `${type}?filter[${f1}]=${value}`)),
    page: async (number, size) => ids(await send('GET', `${type}?page[number]=${number}&page[size]=${size}`)),
    read: async (id) => read(await send('GET', `${type}/${id}`))[f1],
    change: (id, attributes) => send('PATCH', `${type}/${id}`, Person.render({ id, ...attributes })),
    remove: (id) => send('DELETE', `${type}/${id}`),
  }
}
