import { grant, type Granted } from '../../store/model/access.ts'
import { updateRecord as update } from '../../store/records/write-records.ts'
import { versionCondition } from '../answers/etag.ts'
import { completeChanged } from '../answers/long-answer.ts'
import { readDocument } from '../routing/readers.ts'
import { bringsFiles, oneRecord, sentFromDocument, typeOf, wantedFields } from '../resources/record.ts'
import { route, type Asked } from '../routing/route.ts'

type Grants = { readonly granted: Granted<'update'>; readonly shown: Granted<'read'> }

function mayUpdate({ params, caller, catalogue }: Pick<Asked<'{table}'>, 'params' | 'caller' | 'catalogue'>): Grants {
  const granted = grant('update', params.table, caller, catalogue)
  // The answer shows the record.
  return { granted, shown: grant('read', params.table, caller, catalogue) }
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
    const { granted, shown } = mayUpdate(request)
    const fields = wantedFields(request, granted)
    const sent = sentFromDocument(granted, readDocument(request, { type: typeOf(granted), id: params.record, creating: false }))
    const record = await update(store, granted, params.record, sent, { ifMatch: versionCondition(request) })
    return completeChanged(request, { granted: shown, record }, fields, (view, one) => oneRecord(request, view, one, fields))
  },
})
