import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { grant } from '../../store/model/access.ts'
import { changesOf, seeRecord } from '../../store/changes/list-changes.ts'
import { showsPage } from '../answers/described.ts'
import { change } from '../resources/change.ts'
import { answerPage } from '../resources/resource-page.ts'
import { pages } from '../routing/paging.ts'
import { sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const listHistory = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}/history',
  says: 'Lists the changes of a record, a page at a time.',
  token: 'tables',
  answers: showsPage('change'),
  query: { sort, ...pages },
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params } = request
    const granted = grant('read', params.table, caller, catalogue)
    await seeRecord(store, granted, params.record)
    const ofRecord = check(parse(`and(eq(table_id,${params.table}),eq(record_id,${params.record}))`), {
      attributes: change.attributes,
      context: store.context,
    })
    return answerPage(request, { ...change, relation: changesOf(params.table, params.record) }, ofRecord)
  },
})
