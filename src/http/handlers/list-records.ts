import { parseSort } from '../../filter/sort.ts'
import { grant } from '../../store/model/access.ts'
import { list } from '../answers/jsonapi.ts'
import { complete } from '../answers/long-answer.ts'
import { filter, pageLimit, pageOffset, sort, wanted } from '../routing/readers.ts'
import { toResource, wantedFields } from '../resources/record.ts'
import { route } from '../routing/route.ts'

export const listRecords = route({
  method: 'GET',
  path: '/api/dev/data{table}',
  says: 'Lists the records of a table that match a filter, a page at a time.',
  token: 'tables',
  query: { filter, sort, 'page[offset]': pageOffset, 'page[limit]': pageLimit },
  legacyFilter: true,
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const fields = wantedFields(request, granted)
    const at = { offset: query['page[offset]'], limit: query['page[limit]'] }
    const { records, total } = await store.pages.page(granted, {
      filter: wanted(request),
      sort: parseSort(query.sort, granted.attributes),
      ...at,
    })
    const resources = records.map((record) => toResource(granted, record, fields))
    return complete(request, granted, records, fields, list(request, resources, at, total))
  },
})
