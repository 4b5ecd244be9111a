import { grant } from '../../store/access.ts'
import { updateRecord as update } from '../../store/records.ts'
import { versionCondition } from '../etag.ts'
import { readDocument } from '../readers.ts'
import { oneRecord, readSent, typeOf, wantedFields } from '../resources/record.ts'
import { route } from '../route.ts'

export const updateRecord = route({
  method: 'PATCH',
  path: '/api/dev/data{table}/{record}',
  says: 'Changes the attributes sent and leaves the others as they are.',
  query: {},
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params } = request
    const granted = grant('update', params.table, caller, catalogue)
    // The answer shows the record.
    grant('read', params.table, caller, catalogue)
    const fields = wantedFields(request, granted)
    const sent = readSent(granted, readDocument(request, { type: typeOf(granted), id: params.record, creating: false }))
    const record = await update(store, granted, params.record, sent, { ifMatch: versionCondition(request) })
    return oneRecord(request, granted, record, fields)
  },
})
