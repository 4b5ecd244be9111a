import { fail } from '../../errors.ts'
import type { Transaction } from '../../store/ground/db.ts'
import { grant, showing, type View } from '../../store/model/access.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import { upsertRecord, type Upserting } from '../../store/records/upsert-record.ts'
import { createRecord as create } from '../../store/records/write-records.ts'
import { showsWritten, takesOne } from '../answers/described.ts'
import { firstAnswer } from '../answers/first-answer.ts'
import { completeChanged } from '../answers/long-answer.ts'
import { recordTag } from '../answers/etag.ts'
import { one } from '../answers/jsonapi.ts'
import { changedRecord, createdRecord } from '../resources/changed-record.ts'
import { resourceOf, wantedOf, type Wanted } from '../resources/compound.ts'
import { bringsFiles, recordAgain, sentFromDocument, typeOf } from '../resources/record.ts'
import { aboutRelationships, failsOfRelationships, withRelationships } from '../resources/sent-relationships.ts'
import { mayUpsert, upsertField } from '../resources/upsert.ts'
import { readDocument, readRelationships, includeRecords, text } from '../routing/readers.ts'
import { route, type Asked, type Incoming, type Reply } from '../routing/route.ts'

type Of = Pick<Asked<'{table}'>, 'params' | 'caller' | 'catalogue'>

const mayCreate = ({ params, caller, catalogue }: Of) => grant('create', params.table, caller, catalogue)

const upserting = ({ params, caller, catalogue }: Of) => mayUpsert(params.table, caller, catalogue)

const answerOf = (request: Incoming<'{table}'>, granted: View, record: ShownRecord, fields: Wanted['fields']): Reply =>
  one(resourceOf(granted, record, fields), { status: 201, headers: { ETag: recordTag(granted, record.version, request) } })

export const createRecord = route({
  method: 'POST',
  path: '/api/dev/data{table}',
  says: 'Creates a record; with upsertBy, changes the record that has the value of a unique field already. With an Idempotency-Key, a repeated request creates no second one.',
  token: 'tables',
  allow: (asked) => (asked.parameters.has('upsertBy') ? upserting(asked) : mayCreate(asked)),
  takes: takesOne('data{table}', 'Create'),
  answers: [showsWritten(201), showsWritten(200)],
  headers: ['Idempotency-Key'],
  fails: ['idempotency.running', 'idempotency.other_body', 'idempotency.too_many', 'record.too_large', ...failsOfRelationships],
  query: {
    include: includeRecords,
    upsertBy: text('A unique field: the record that has the value sent of it is changed, if there is one.'),
  },
  sparseFields: true,
  bringsFiles,

  async run(request) {
    const { store, params, query } = request
    if (query.upsertBy !== undefined) return upsert(request, query.upsertBy)
    const allowed = mayCreate(request)
    const { fields } = wantedOf(request, allowed)
    const granted = showing(allowed, fields.get(typeOf(allowed)))
    const sent = sentFromDocument(granted, readDocument(request, { type: typeOf(granted), creating: true, relates: true }))
    const relationships = readRelationships(request)
    const reply = await firstAnswer(
      request,
      async (keep) => {
        const document = await withRelationships(request, granted, sent, relationships)
        const alsoWrite = (tx: Transaction, record: ShownRecord) => keep(tx, answerOf(request, granted, record, fields))
        return aboutRelationships(document, () => create(store, granted, document.sent, { alsoWrite }))
      },
      (kept) => recordAgain(request, granted, kept),
    )
    return createdRecord(request, params.table, reply)
  },
})

type Upsert = Incoming<'{table}'> & { readonly query: { readonly include: string | undefined } }

async function upsert(request: Upsert, upsertBy: string): Promise<Reply> {
  const allowed = upserting(request)
  const granted = (allowed.create ?? allowed.update)!
  if (request.header('Idempotency-Key') !== undefined)
    throw fail(
      'header.invalid',
      { why: 'With upsertBy a repeated request creates no second record, so it takes no Idempotency-Key.' },
      { source: { header: 'Idempotency-Key' } },
    )
  const field = upsertField(allowed, upsertBy)
  const wanted = wantedOf(request, granted)
  const fields = wanted.fields.get(typeOf(granted))
  const rights: Upserting = {
    create: allowed.create && showing(allowed.create, fields),
    update: allowed.update && showing(allowed.update, fields),
  }
  const sent = sentFromDocument(granted, readDocument(request, { type: typeOf(granted), creating: true, relates: true }))
  const document = await withRelationships(request, granted, sent, readRelationships(request))
  const { record, created } = await aboutRelationships(document, () => upsertRecord(request.store, rights, field, document.sent))
  if (created) return createdRecord(request, request.params.table, answerOf(request, granted, record, wanted.fields))
  return completeChanged(request, { granted: rights.update!, record }, fields, (view, now) => changedRecord(request, view, now, wanted))
}
