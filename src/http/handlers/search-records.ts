import { parseSort } from '../../filter/sort.ts'
import { grant, showing } from '../../store/model/access.ts'
import { object, showsPage, takesMeta } from '../answers/described.ts'
import { wantedOf } from '../resources/compound.ts'
import { typeOf } from '../resources/record.ts'
import { recordAccess } from '../resources/record-access.ts'
import { recordList } from '../resources/record-list.ts'
import { pages } from '../routing/paging.ts'
import { includeRecords, postedFilter, sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const searchRecords = route({
  method: 'POST',
  path: '/api/dev/data{table}/search',
  says: 'Lists records as GET does; the filter is in the body, {"meta":{"filter":"…"}}. Links in the answer take the same body.',
  token: 'tables',
  whileViewing: true,
  allow: ({ params, caller, catalogue }) => grant('read', params.table, caller, catalogue),
  takes: takesMeta(object({ filter: { type: 'string' } }, [])),
  answers: showsPage('data{table}', ['record']),
  query: { sort, include: includeRecords, recordAccess, ...pages },
  sparseFields: true,

  async run(request) {
    const { caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const shown = wantedOf(request, granted)
    const keys = parseSort(query.sort, granted.allAttributes)
    return postedFilter(request, (filter) =>
      recordList(request, showing(granted, shown.fields.get(typeOf(granted))), shown, { filter, sort: keys }),
    )
  },
})
