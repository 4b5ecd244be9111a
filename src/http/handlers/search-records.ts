import { parseSort } from '../../filter/sort.ts'
import { grant } from '../../store/model/access.ts'
import { list } from '../answers/jsonapi.ts'
import { complete } from '../answers/long-answer.ts'
import { pageLimit, pageOffset, postedFilter, sort } from '../routing/readers.ts'
import { toResource, wantedFields } from '../resources/record.ts'
import { route } from '../routing/route.ts'

export const searchRecords = route({
  method: 'POST',
  path: '/api/dev/data{table}/search',
  says: 'Lists records as GET does; the filter is in the body, {"meta":{"filter":"…"}}. Links in the answer take the same body.',
  token: 'tables',
  allow: ({ params, caller, catalogue }) => grant('read', params.table, caller, catalogue),
  query: { sort, 'page[offset]': pageOffset, 'page[limit]': pageLimit },
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const fields = wantedFields(request, granted)
    const at = { offset: query['page[offset]'], limit: query['page[limit]'] }
    const keys = parseSort(query.sort, granted.attributes)
    const { records, total } = await postedFilter(request, (filter) => store.pages.page(granted, { filter, sort: keys, ...at }))
    const resources = records.map((record) => toResource(granted, record, fields))
    return complete(request, granted, records, fields, list(request, resources, at, total))
  },
})
