import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { parseSort } from '../../filter/sort.ts'
import { listRows } from '../../store/ground/relation.ts'
import { grant } from '../../store/model/access.ts'
import { seeRecord } from '../../store/changes/list-changes.ts'
import { list } from '../answers/jsonapi.ts'
import { change } from '../resources/change.ts'
import { chosenOf, toResource } from '../resources/resource.ts'
import { pageLimit, pageOffset, sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const listHistory = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}/history',
  says: 'Lists the changes of a record, a page at a time.',
  token: 'tables',
  query: { sort, 'page[offset]': pageOffset, 'page[limit]': pageLimit },
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    await seeRecord(store, granted, params.record)
    const { attributes, relation } = change
    const page = { offset: query['page[offset]'], limit: query['page[limit]'] }
    const ofRecord = check(parse(`and(eq(table_id,${params.table}),eq(record_id,${params.record}))`), {
      attributes,
      context: store.context,
    })
    const { rows, total } = await listRows(store, relation, caller, { filter: ofRecord, sort: parseSort(query.sort, attributes), ...page })
    const chosen = chosenOf(request, change)
    return list(
      request,
      rows.map((row) => toResource(change, request, row, chosen)),
      page,
      total,
    )
  },
})
