import { grant, showing, type Granted } from '../../store/model/access.ts'
import { updateRecord as update } from '../../store/records/write-records.ts'
import { showsWritten, takesOne } from '../answers/described.ts'
import { versionCondition } from '../answers/etag.ts'
import { completeChanged } from '../answers/long-answer.ts'
import { acting, batchOf } from '../resources/bulk.ts'
import { changeWritten, headed } from '../resources/change-cursor.ts'
import { changedRecord } from '../resources/changed-record.ts'
import { wantedOf } from '../resources/compound.ts'
import { bringsFiles, sentFromDocument, typeOf } from '../resources/record.ts'
import { aboutRelationships, failsOfRelationships, withRelationships } from '../resources/sent-relationships.ts'
import { readDocument, readRelationships, includeRecords } from '../routing/readers.ts'
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
  says: 'Changes the attributes and relationships sent and leaves the others as they are.',
  token: 'tables',
  allow: mayUpdate,
  takes: takesOne('data{table}', 'Update'),
  answers: showsWritten(200),
  headers: ['If-Match'],
  fails: ['record.stale', 'record.too_large', ...failsOfRelationships],
  query: { include: includeRecords, changeCursor: changeWritten },
  sparseFields: true,
  bringsFiles,

  async run(asked) {
    const { store, params } = asked
    const request = asked.query.changeCursor ? { ...asked, caller: acting(asked.caller) } : asked
    const { granted, shown } = mayUpdate(request)
    const wanted = wantedOf(request, shown)
    const fields = wanted.fields.get(typeOf(shown))
    const attributes = readDocument(request, { type: typeOf(granted), id: params.record, creating: false, relates: true })
    const sent = sentFromDocument(granted, attributes)
    const document = await withRelationships(request, granted, sent, readRelationships(request), params.record)
    const record = await aboutRelationships(document, () =>
      update(store, showing(granted, fields), params.record, document.sent, { ifMatch: versionCondition(request) }),
    )
    const reply = await completeChanged(request, { granted: showing(shown, fields), record }, fields, (view, one) =>
      changedRecord(request, view, one, wanted),
    )
    return headed(reply, batchOf(request.caller))
  },
})
