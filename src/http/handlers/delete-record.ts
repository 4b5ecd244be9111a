import { grant } from '../../store/model/access.ts'
import { deleteRecord as moveToTrash } from '../../store/records/write-records.ts'
import { showsMeta } from '../answers/described.ts'
import { versionCondition } from '../answers/etag.ts'
import { done } from '../answers/jsonapi.ts'
import { typeOf } from '../resources/record.ts'
import { route } from '../routing/route.ts'

export const deleteRecord = route({
  method: 'DELETE',
  path: '/api/dev/data{table}/{record}',
  says: 'Moves a record to the trash.',
  token: 'tables',
  allow: ({ params, caller, catalogue }) => grant('delete', params.table, caller, catalogue),
  takes: null,
  answers: showsMeta({ type: { const: 'data{table}' }, id: { type: 'string' } }),
  headers: ['If-Match'],
  fails: ['record.stale'],
  query: {},

  async run(request) {
    const { store, caller, catalogue, params } = request
    const granted = grant('delete', params.table, caller, catalogue)
    await moveToTrash(store, granted, params.record, { ifMatch: versionCondition(request) })
    return done({ type: typeOf(granted), id: String(params.record) })
  },
})
