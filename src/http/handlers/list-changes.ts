import { fail } from '../../errors.ts'
import { followChanges } from '../../store/changes/follow-changes.ts'
import { showsFollowed } from '../answers/described.ts'
import { followed } from '../answers/jsonapi.ts'
import { change } from '../resources/change.ts'
import { answerPage, filterOf } from '../resources/resource-page.ts'
import { chosenOf, toResource } from '../resources/resource.ts'
import { numberedPages, pageAt } from '../routing/paging.ts'
import { cursor, filter, sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const pageAfter = cursor('A cursor: the resources that came after it. Empty: from the oldest; `now`: none, but the cursor of this moment.')

export const listChanges = route({
  method: 'GET',
  path: '/api/dev/change',
  says: 'Lists the changes of records, structure, rights and users: a page at a time or, with page[after], those that came after a cursor.',
  token: 'tables',
  answers: showsFollowed('change'),
  fails: ['change.expired'],
  query: { filter, sort, ...numberedPages, 'page[after]': pageAfter },
  legacyFilter: true,
  sparseFields: true,

  async run(request) {
    const { store, caller, query } = request
    const after = query['page[after]']
    const condition = await filterOf(request, change)
    if (after === undefined) return answerPage(request, change, condition)
    pageAt(request)
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
