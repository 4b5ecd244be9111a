import { grant, type Caller } from '../../store/model/access.ts'
import { bulkDelete } from '../../store/records/bulk.ts'
import { acting, answersOfBulk, bulk, filterOf } from '../resources/bulk.ts'
import { dryRun, filter } from '../routing/readers.ts'
import { route, type Asked } from '../routing/route.ts'

const mayDelete = ({ params, catalogue }: Pick<Asked<'{table}'>, 'params' | 'catalogue'>, caller: Caller) =>
  grant(['delete', 'read', 'bulk'], params.table, caller, catalogue)

export const deleteRecords = route({
  method: 'DELETE',
  path: '/api/dev/data{table}',
  says: 'Moves the records that match a filter to the trash.',
  token: 'tables',
  allow: (asked) => mayDelete(asked, asked.caller),
  takes: null,
  answers: answersOfBulk,
  fails: ['parameter.missing', 'quota.reached'],
  query: { filter, dryRun },
  legacyFilter: true,

  async run(request) {
    const granted = mayDelete(request, acting(request.caller))
    return bulk(request, granted, filterOf(request), async () => bulkDelete(request.store, granted))
  },
})
