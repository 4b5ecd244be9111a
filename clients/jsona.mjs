import { Jsona } from 'jsona'
import { requests } from './plain.mjs'

/** Documents of Jsona. */
export default ({ type, f1, f2, ...to }) => {
  const send = requests(to)
  const jsona = new Jsona()
  const document = (stuff) => jsona.serialize({ stuff: { type, ...stuff } })
  const ids = (body) => jsona.deserialize(body).map(({ id }) => id)
  return {
    create: async (attributes) => jsona.deserialize(await send('POST', type, document(attributes))).id,
    filtered: async (value) => ids(await send('GET', `${type}?filter[${f1}]=${value}`)),
    page: async (number, size) => ids(await send('GET', `${type}?page[number]=${number}&page[size]=${size}`)),
    read: async (id) => jsona.deserialize(await send('GET', `${type}/${id}`))[f1],
    change: (id, attributes) => send('PATCH', `${type}/${id}`, document({ id, ...attributes })),
    remove: (id) => send('DELETE', `${type}/${id}`),
  }
}
