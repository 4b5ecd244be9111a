import { showing, type Granted } from '../../store/model/access.ts'
import { showsRelated, unchanged } from '../answers/described.ts'
import { taggedList } from '../answers/etag.ts'
import { related } from '../answers/jsonapi.ts'
import { complete } from '../answers/long-answer.ts'
import { showAll, wantedOf, type Wanted } from '../resources/compound.ts'
import { typeOf } from '../resources/record.ts'
import { relatedList, type Asking, type Place } from '../resources/related-list.ts'
import { pages } from '../routing/paging.ts'
import { includeRecords } from '../routing/readers.ts'
import { route, type Reply } from '../routing/route.ts'

const query = { include: includeRecords, ...pages }

type Including = Asking & { readonly query: { readonly include: string | undefined } }

async function answer(request: Including, place: Place): Promise<Reply> {
  const { relationship, granted, records, wanted, reply } = await relatedList(request, place, (target) =>
    asked(wantedOf(request, target), target),
  )
  const { data, included } = await showAll(request, granted, records, wanted)
  const shown = relationship.isToMany ? reply(data, included) : related(request, data[0] ?? null, { included })
  return taggedList(request, await complete(request, granted, records, wanted.fields.get(typeOf(granted)), shown))
}

const asked = (wanted: Wanted, target: Granted<'read'>) => [wanted, showing(target, wanted.fields.get(typeOf(target)))] as const

export const getReferred = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}/r{field}',
  says: 'Shows the record that a reference field of a record refers to, or lists those of a field with several.',
  token: 'tables',
  answers: [showsRelated('record', ['record']), unchanged],
  headers: ['If-None-Match'],
  query,
  sparseFields: true,
  run: (request) => answer(request, request.params),
})

export const getReferring = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}/data{other}_r{field}',
  says: 'Lists the records of a table that refer to a record by a reference field.',
  token: 'tables',
  answers: [showsRelated('record', ['record']), unchanged],
  headers: ['If-None-Match'],
  query,
  sparseFields: true,
  run: (request) => answer(request, request.params),
})
