import type { Schema } from '../../fields/field-type.ts'
import { limits } from '../../limits.ts'
import { grant, type Caller } from '../../store/model/access.ts'
import { bulkUpdate } from '../../store/records/bulk.ts'
import { writeTogether } from '../../store/records/write-records.ts'
import { component, object } from '../answers/described.ts'
import { many } from '../answers/jsonapi.ts'
import { acting, answersOfBulk, batchOf, bulk, filterOf, isBulk } from '../resources/bulk.ts'
import { sentFromDocument, typeOf } from '../resources/record.ts'
import { mayDoAll, prepareAll } from '../resources/record-writes.ts'
import { failsOfRelationships } from '../resources/sent-relationships.ts'
import { readChanges } from '../routing/operations.ts'
import { dryRun, filter, readDocument } from '../routing/readers.ts'
import { route, type Asked, type Incoming } from '../routing/route.ts'

type Of = Pick<Asked<'{table}'>, 'params' | 'catalogue'>

const mayUpdate = ({ params, catalogue }: Of, caller: Caller) => grant(['update', 'read'], params.table, caller, catalogue)
const mayUpdateAll = ({ params, catalogue }: Of, caller: Caller) => grant(['update', 'read', 'bulk'], params.table, caller, catalogue)

const several = (items: Schema): Schema => ({ type: 'array', minItems: 1, maxItems: limits.operations.most, items })
const change = object({ type: { const: 'data{table}' }, id: { type: ['string', 'integer'] }, attributes: component('data{table}Update') }, [
  'type',
  'id',
])
const same = object({ type: { const: 'data{table}' }, attributes: component('data{table}Update') })

export const updateRecords = route({
  method: 'PATCH',
  path: '/api/dev/data{table}',
  says: 'Changes several records, all of them or none; with a filter, all records that match it in the same way.',
  token: 'tables',
  allow: (asked) => (isBulk(asked) ? mayUpdateAll : mayUpdate)(asked, asked.caller),
  takes: { schema: object({ data: { anyOf: [several(change), same] } }) },
  answers: answersOfBulk,
  fails: ['record.not_found', 'record.too_large', 'parameter.missing', 'job.too_large', 'quota.reached', ...failsOfRelationships],
  query: { filter, dryRun },
  legacyFilter: true,

  async run(request) {
    const { store, params, caller } = request
    mayUpdate(request, caller)
    if (isBulk(request) || !hasMany(request)) {
      const granted = mayUpdateAll(request, acting(caller))
      const expression = filterOf(request)
      const sent = sentFromDocument(granted, readDocument(request, { type: typeOf(granted), creating: true }))
      return bulk(request, granted, expression, (total) => bulkUpdate(store, granted, sent, total), sent)
    }
    const by = { ...request, caller: acting(caller) }
    const writes = await prepareAll(by, mayDoAll(by, readChanges(request, params.table)))
    const results = await writeTogether(store, writes)
    // A record that was changed twice is shown once, as it is afterwards (JSON:API 7.3).
    return many([...new Map(results.map(({ data }) => [data!.id, data!])).values()], batchOf(by.caller))
  },
})

const hasMany = ({ body }: Pick<Incoming, 'body'>): boolean =>
  typeof body !== 'object' || body === null || !Object.hasOwn(body, 'data') || Array.isArray((body as { readonly data: unknown }).data)
