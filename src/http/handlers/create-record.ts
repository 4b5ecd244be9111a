import { grant } from '../../store/model/access.ts'
import { createRecord as create } from '../../store/records/write-records.ts'
import { firstAnswer } from '../answers/first-answer.ts'
import { readDocument } from '../routing/readers.ts'
import { bringsFiles, oneRecord, recordAgain, sentFromDocument, typeOf, wantedFields } from '../resources/record.ts'
import { route } from '../routing/route.ts'

export const createRecord = route({
  method: 'POST',
  path: '/api/dev/data{table}',
  says: 'Creates a record. With an Idempotency-Key, a repeated request creates no second one.',
  token: 'tables',
  allow: ({ params, caller, catalogue }) => grant('create', params.table, caller, catalogue),
  query: {},
  sparseFields: true,
  bringsFiles,

  async run(request) {
    const { store, caller, catalogue, params } = request
    const granted = grant('create', params.table, caller, catalogue)
    const fields = wantedFields(request, granted)
    const sent = sentFromDocument(granted, readDocument(request, { type: typeOf(granted), creating: true }))
    return firstAnswer(
      request,
      (keep) =>
        create(store, granted, sent, { alsoWrite: async (tx, record) => keep(tx, oneRecord(request, granted, record, fields, 201)) }),
      (kept) => recordAgain(request, granted, kept),
    )
  },
})
