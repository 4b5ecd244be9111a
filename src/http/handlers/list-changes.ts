import { fail } from '../../errors.ts'
import { followChanges } from '../../store/changes/follow-changes.ts'
import { followed } from '../answers/jsonapi.ts'
import { change } from '../resources/change.ts'
import { answerPage, filterOf } from '../resources/resource-page.ts'
import { chosenOf, toResource } from '../resources/resource.ts'
import { cursor, filter, pageLimit, pageOffset, sort } from '../routing/readers.ts'
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
    const after = query['page[after]']
    const condition = await filterOf(request, change)
    if (after === undefined) return answerPage(request, change, condition)
    if (query.sort !== '' || query['page[offset]'] !== 0)
      throw fail(
        'parameter.invalid',
        { why: 'With page[after], changes come in their order: without sort and page[offset].' },
        { source: { parameter: 'page[after]' } },
      )
    const chosen = chosenOf(request, change)
    const found = await followChanges(store, caller, { after, limit: query['page[limit]'], filter: condition })
    return followed(
      request,
      found.changes.map((one) => toResource(change, request, one, chosen)),
      found,
    )
  },
})
