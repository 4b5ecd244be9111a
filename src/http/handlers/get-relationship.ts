import { showsRelated } from '../answers/described.ts'
import { related, withLinks } from '../answers/jsonapi.ts'
import { relatedList, type Asking, type Place } from '../resources/related-list.ts'
import { identifier, linksOf } from '../resources/relationship.ts'
import { pages } from '../routing/paging.ts'
import { route, type Reply } from '../routing/route.ts'

const query = { ...pages }

async function answer(request: Asking, place: Place): Promise<Reply> {
  const { relationship, records, reply } = await relatedList(request, place, (target) => [undefined, target])
  const data = records.map(({ id }) => identifier(relationship.tableId, id))
  const links = { related: request.origin + linksOf(relationship, { tableId: place.table, id: place.record }).related }
  return relationship.isToMany ? withLinks(reply(data), links) : related(request, data[0] ?? null, { links })
}

export const getReferences = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}/relationships/r{field}',
  says: 'Shows which records a reference field of a record refers to, by type and id.',
  token: 'tables',
  answers: showsRelated('identifier'),
  query,
  run: (request) => answer(request, request.params),
})

export const getReferrers = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}/relationships/data{other}_r{field}',
  says: 'Lists which records of a table refer to a record by a reference field, by type and id.',
  token: 'tables',
  answers: showsRelated('identifier'),
  query,
  run: (request) => answer(request, request.params),
})
