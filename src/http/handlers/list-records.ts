import { parseSort } from '../../filter/sort.ts'
import { grant, showing } from '../../store/model/access.ts'
import { showsPage, unchanged } from '../answers/described.ts'
import { taggedList } from '../answers/etag.ts'
import { changeCursor, withCursor } from '../resources/change-cursor.ts'
import { wantedOf } from '../resources/compound.ts'
import { typeOf } from '../resources/record.ts'
import { recordAccess } from '../resources/record-access.ts'
import { recordList } from '../resources/record-list.ts'
import { pages } from '../routing/paging.ts'
import { filter, includeRecords, sort, wanted } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const listRecords = route({
  method: 'GET',
  path: '/api/dev/data{table}',
  says: 'Lists the records of a table that match a filter, a page at a time; include=… adds records related to them.',
  token: 'tables',
  answers: [showsPage('data{table}', ['record']), unchanged],
  headers: ['If-None-Match'],
  query: { filter, sort, include: includeRecords, recordAccess, changeCursor, ...pages },
  legacyFilter: true,
  sparseFields: true,

  async run(request) {
    const { caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const shown = wantedOf(request, granted)
    const selection = { filter: wanted(request), sort: parseSort(query.sort, granted.allAttributes) }
    const fields = shown.fields.get(typeOf(granted))
    return withCursor(request, async () => taggedList(request, await recordList(request, showing(granted, fields), shown, selection)))
  },
})
