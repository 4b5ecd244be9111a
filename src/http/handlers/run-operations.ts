import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { byReader, rightsOn } from '../../store/model/access.ts'
import type { Transaction } from '../../store/ground/db.ts'
import { writeTogether } from '../../store/records/write-records.ts'
import { answers, component, object } from '../answers/described.ts'
import { ATOMIC_TYPE, atomicResults, type AtomicResult } from '../answers/jsonapi.ts'
import { firstAnswer } from '../answers/first-answer.ts'
import { acting, batchOf } from '../resources/bulk.ts'
import { mayDoAll, prepareAll, resultsAgain } from '../resources/record-writes.ts'
import { failsOfRelationships } from '../resources/sent-relationships.ts'
import { ATOMIC, readOperations } from '../routing/operations.ts'
import { route, type Asked } from '../routing/route.ts'

/** @throws `access.denied` where the caller may change no record of any table */
function mayWrite({ caller, catalogue }: Pick<Asked, 'caller' | 'catalogue'>): void {
  for (const id of catalogue.tables.keys()) {
    const held = rightsOn(id, caller, catalogue)
    if (held.has('create') || held.has('update') || held.has('delete')) return
  }
  throw fail('access.denied', { what: caller.scope === 'write' ? 'change records' : byReader('change records') })
}

const anything = { type: 'object' }
const text = { type: 'string' }
const operation = object(
  {
    op: { enum: ['add', 'update', 'remove'] },
    ref: object({ type: text, id: text, lid: text, relationship: text }, ['type']),
    href: text,
    data: {},
  },
  ['op'],
)
const result = object({ data: anything, meta: anything }, [])

interface KeptResults {
  readonly 'atomic:results': readonly AtomicResult[]
  /** Absent in answers that an earlier version kept. */
  readonly meta?: { readonly batch_id: number | null }
}

export const runOperations = route({
  method: 'POST',
  path: '/api/dev/operations',
  says: 'Creates, changes and deletes records of any tables, all of them or none (JSON:API Atomic Operations).',
  token: 'tables',
  allow: mayWrite,
  takes: {
    media: ATOMIC_TYPE,
    schema: object({ 'atomic:operations': { type: 'array', minItems: 1, maxItems: limits.operations.most, items: operation } }),
  },
  answers: answers({
    media: ATOMIC_TYPE,
    schema: object({
      'atomic:results': { type: 'array', items: result },
      meta: object({ batch_id: { type: ['integer', 'null'] } }),
      jsonapi: component('jsonapi'),
    }),
  }),
  headers: ['Idempotency-Key'],
  fails: [
    'idempotency.running',
    'idempotency.other_body',
    'idempotency.too_many',
    'record.not_found',
    'record.too_large',
    'document.wrong_id',
    'attribute.unknown',
    'attribute.read_only',
    'field.required',
    'field.invalid_value',
    'field.not_unique',
    ...failsOfRelationships,
  ],
  query: {},
  extension: ATOMIC,

  async run(request) {
    mayWrite(request)
    const by = { ...request, caller: acting(request.caller) }
    const allowed = mayDoAll(by, readOperations(request))
    return firstAnswer(
      request,
      async (keep) => {
        let results: readonly AtomicResult[]
        // The batch is known right before the commit: until then, the answer has room for the longest one.
        const first = (tx: Transaction, all: readonly AtomicResult[]) => keep(tx, atomicResults((results = all), Number.MAX_SAFE_INTEGER))
        const lastly = (tx: Transaction) => keep.instead(tx, atomicResults(results, batchOf(by.caller) ?? null))
        await writeTogether(request.store, await prepareAll(by, allowed), first, { lastly })
      },
      ({ status, headers, body }) => {
        const { 'atomic:results': results, meta } = JSON.parse(body) as KeptResults
        return { ...atomicResults(resultsAgain(allowed, results), meta?.batch_id ?? null), status, headers }
      },
    )
  },
})
