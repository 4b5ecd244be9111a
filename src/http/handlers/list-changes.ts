import { check } from '../../filter/check.ts'
import { parseSort } from '../../filter/sort.ts'
import { followChanges } from '../../store/changes/follow-changes.ts'
import { listRows } from '../../store/ground/relation.ts'
import { fail } from '../../errors.ts'
import { followed, list } from '../answers/jsonapi.ts'
import { change } from '../resources/change.ts'
import { chosenOf, toResource } from '../resources/resource.ts'
import { cursor, filter, pageLimit, pageOffset, sort, wanted } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const listChanges = route({
  method: 'GET',
  path: '/api/dev/change',
  says: 'Lists the changes of records, structure, rights and users: a page at a time or, with page[after], those that came after a cursor.',
  token: 'tables',
  query: { filter, sort, 'page[offset]': pageOffset, 'page[limit]': pageLimit, 'page[after]': cursor },
  legacyFilter: true,
  sparseFields: true,

  async run(request) {
    const { store, caller, query } = request
    const { attributes, relation } = change
    const chosen = chosenOf(request, change)
    const expression = wanted(request)
    const condition = expression && check(expression, { attributes, context: store.context })
    const [limit, after] = [query['page[limit]'], query['page[after]']]
    if (after === undefined) {
      const page = { offset: query['page[offset]'], limit }
      const { rows, total } = await listRows(store, relation, caller, {
        filter: condition,
        sort: parseSort(query.sort, attributes),
        ...page,
      })
      return list(
        request,
        rows.map((row) => toResource(change, request, row, chosen)),
        page,
        total,
      )
    }
    if (query.sort !== '' || query['page[offset]'] !== 0)
      throw fail(
        'parameter.invalid',
        { why: 'With page[after], changes come in their order: without sort and page[offset].' },
        { source: { parameter: 'page[after]' } },
      )
    const found = await followChanges(store, caller, { after, limit, filter: condition })
    return followed(
      request,
      found.changes.map((one) => toResource(change, request, one, chosen)),
      found,
    )
  },
})
