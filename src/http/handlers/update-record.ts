import { grant, type Granted } from '../../store/access.ts'
import { updateRecord as update } from '../../store/records.ts'
import { versionCondition } from '../etag.ts'
import { readDocument } from '../readers.ts'
import { bringsFiles, oneRecord, readSent, typeOf, wantedFields } from '../resources/record.ts'
import { route, type Asked } from '../route.ts'

function mayUpdate({ params, caller, catalogue }: Pick<Asked<'{table}'>, 'params' | 'caller' | 'catalogue'>): Granted<'update'> {
  const granted = grant('update', params.table, caller, catalogue)
  // The answer shows the record.
  grant('read', params.table, caller, catalogue)
  return granted
}

export const updateRecord = route({
  method: 'PATCH',
  path: '/api/dev/data{table}/{record}',
  says: 'Changes the attributes sent and leaves the others as they are.',
  token: 'tables',
  allow: mayUpdate,
  query: {},
  sparseFields: true,
  bringsFiles,

  async run(request) {
    const { store, params } = request
    const granted = mayUpdate(request)
    const fields = wantedFields(request, granted)
    const sent = readSent(granted, readDocument(request, { type: typeOf(granted), id: params.record, creating: false }))
    const record = await update(store, granted, params.record, sent, { ifMatch: versionCondition(request) })
    return oneRecord(request, granted, record, fields)
  },
})
