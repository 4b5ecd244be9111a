import { grant, showing } from '../../store/model/access.ts'
import { getRecord as get } from '../../store/records/read-records.ts'
import { showsOne, unchanged } from '../answers/described.ts'
import { isKnown, recordTag } from '../answers/etag.ts'
import { complete } from '../answers/long-answer.ts'
import { one } from '../answers/jsonapi.ts'
import { changeCursor, withCursor } from '../resources/change-cursor.ts'
import { showAll, wantedOf } from '../resources/compound.ts'
import { typeOf } from '../resources/record.ts'
import { recordAccess, withAccess } from '../resources/record-access.ts'
import { includeRecords } from '../routing/readers.ts'
import { route, type Incoming, type Reply } from '../routing/route.ts'

const query = { include: includeRecords, recordAccess, changeCursor }
type Asking = Incoming<'/api/dev/data{table}/{record}', typeof query>

export const getRecord = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}',
  says: 'Shows a record of a table; include=… adds records related to it.',
  token: 'tables',
  answers: [showsOne('data{table}', { included: ['record'] }), unchanged],
  headers: ['If-None-Match'],
  query,
  sparseFields: true,

  run: (request) => withCursor(request, () => show(request)),
})

async function show(request: Asking): Promise<Reply> {
  const { store, caller, catalogue, params } = request
  const seen = grant('read', params.table, caller, catalogue)
  const wanted = wantedOf(request, seen)
  const granted = showing(seen, wanted.fields.get(typeOf(seen)))
  const record = await get(store, granted, params.record)
  const shown = await showAll(request, granted, [record], wanted)
  const { included } = shown
  const data = await withAccess(request, granted, shown.data)
  const tag = recordTag(granted, record.version, request, [...shown.others, ...data.flatMap(({ meta }) => meta ?? [])])
  if (isKnown(request.header('If-None-Match'), tag)) return { status: 304, headers: { ETag: tag } }
  const reply = one(data[0]!, { headers: { ETag: tag }, ...(included && { included }) })
  return complete(request, granted, [record], wanted.fields.get(typeOf(granted)), reply)
}
