import { showsPage } from '../answers/described.ts'
import { batch, batchOfRecords } from '../resources/batch.ts'
import { answerPage, filterOf } from '../resources/resource-page.ts'
import { pages } from '../routing/paging.ts'
import { filter, flag, sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const singleChanges = flag(
  '`true`: also what changed one record alone. Ask for such lists by `page[size]`, without the total: every change that is kept may be in them. Default: `false`.',
)

export const listBatches = route({
  method: 'GET',
  path: '/api/dev/batch',
  says: `Lists ${batch.plural}: those that the caller may see and that match a filter, a page at a time.`,
  token: batch.token,
  answers: showsPage(batch.type),
  query: { filter, sort, singleChanges, ...pages },
  legacyFilter: true,
  sparseFields: true,

  run: async (request) => answerPage(request, request.query.singleChanges ? batchOfRecords : batch, await filterOf(request, batch)),
})
