import { fail } from '../../errors.ts'
import type { Expression } from '../../filter/ast.ts'
import { print } from '../../filter/ast.ts'
import { bulkJob, type BulkInput } from '../../jobs/bulk-job.ts'
import { keptOf } from '../../jobs/sent-values.ts'
import { limits } from '../../limits.ts'
import { sharedBatch } from '../../store/changes/batches.ts'
import type { Caller, Granted } from '../../store/model/access.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { SentAttributes } from '../../store/model/sent.ts'
import { conditionOf } from '../../store/records/read-records.ts'
import { inBulk, mustSuitParts, type BulkAct } from '../../store/records/bulk.ts'
import { answers, component, object } from '../answers/described.ts'
import { done, found } from '../answers/jsonapi.ts'
import { complete } from '../answers/long-answer.ts'
import { wanted } from '../routing/readers.ts'
import type { Asked, Incoming, Reply } from '../routing/route.ts'
import { becomeJob, becomesJob } from './job-answers.ts'
import { toResource } from './record.ts'

/* Changes and deletes by a filter. */

const count = { type: 'integer', minimum: 0 }
const text = { type: 'string' }
const refusal = object({ id: text, code: text, detail: text })

/** What was done, or, in a dry run, the first records it would be done to. */
const answersAtOnce = answers(
  {
    schema: object(
      {
        data: { type: 'array', items: component('data{table}') },
        meta: object(
          {
            batch_id: { type: ['integer', 'null'] },
            done: { type: 'boolean' },
            records: count,
            refused: count,
            left_out: count,
            listed: { type: 'array', items: refusal },
          },
          [],
        ),
        jsonapi: component('jsonapi'),
      },
      ['jsonapi'],
    ),
  },
  { types: ['data{table}'] },
)

/** At once, or as a job where there are more records than one request writes. */
export const answersOfBulk = [answersAtOnce, becomesJob]

/** Whether a request is about a filter, which it may lack. */
export const isBulk = ({ parameters }: Pick<Asked, 'parameters'>): boolean =>
  [...parameters.keys()].some((name) => name === 'filter' || name === 'dryRun' || name.startsWith('filter['))

/** The same caller with a batch of its own: for all transactions of the act, and for an answer that tells which batch it was. */
export const acting = (caller: Caller): Caller => ({ ...caller, batch: sharedBatch() })

/** The batch of what an acting caller has written; undefined: nothing was. */
export const batchOf = ({ batch }: Caller): number | undefined => batch?.id[0] || undefined

type Bulk = Incoming & { readonly query: { readonly filter: string | undefined; readonly dryRun: boolean } }

/** The filter of a change or delete. @throws `parameter.missing`, `filter.…` */
export function filterOf(request: Bulk): Expression {
  const filter = wanted(request)
  if (!filter) throw fail('parameter.missing', { name: 'filter' }, { source: { parameter: 'filter' } })
  return filter
}

/** Records that an answer to a dry run shows. */
const SHOWN = 20

/** `actOf`: what is done to each record; `total`: of how many. `sent`: the values that a change sets. */
export async function bulk(
  request: Bulk,
  granted: Granted<'read' | 'bulk'>,
  filter: Expression,
  actOf: (total: number) => Promise<BulkAct>,
  sent?: SentAttributes,
): Promise<Reply> {
  const { store, query } = request
  const { records, total } = await store.pages.page(granted, { filter, sort: [], offset: 0, limit: SHOWN })
  const act = await actOf(total)
  if (query.dryRun) {
    const resources = records.map((record) => toResource(granted, record))
    return complete(request, granted, records, undefined, found(resources, { records: total }))
  }
  const condition = await conditionOf(store, granted, filter)
  const written = total > limits.bulkRecords.most ? undefined : await inBulk(store, granted, condition, act)
  if (!written) {
    mustSuitParts(condition, granted)
    return becomeJob(request, jobFor(granted, filter, sent))
  }
  const { batch, listed, ...counts } = written
  return done({
    batch_id: batch ?? null,
    done: counts.done,
    records: counts.records,
    refused: counts.refused,
    left_out: counts.leftOut,
    listed: listed.map(({ id, failure: { code, message } }) => ({ id: String(id), code, detail: message })),
  })
}

/** @throws `job.too_large` for contents of files that are not in memory */
function jobFor({ table }: Granted<'bulk'>, filter: Expression, sent: SentAttributes | undefined): NewJob {
  const values = keptOf(sent ?? new Map())
  if (!values) throw fail('job.too_large', { most: limits.jobInput.most })
  const input: BulkInput = { tableId: table.id, action: sent ? 'update' : 'delete', filter: print(filter), values }
  return { kind: bulkJob.name, tableId: table.id, input }
}
