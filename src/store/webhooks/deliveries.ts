import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import { localTime, nowText } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { allRows, committed, findRow, insertUnlogged, relation, updateUnlogged } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { auditOften } from '../people/audit.ts'
import { tellHooks } from './told-hooks.ts'
import { mayWrite, mustSee, readAgain } from './webhooks.ts'

/**
 * waiting: for its first attempt or the next one. parked: not tried any more, until it is replayed. withheld: not sent, since the user of
 * the webhook may not read the change any more, or it was erased, or by its `fault`. expired: stands for changes that were erased by age before they were sent.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'parked' | 'withheld' | 'expired'

/** A change that a webhook is sent. */
export interface Delivery {
  readonly id: number
  readonly webhookId: number
  /** 0: of a test, or where changes have expired. */
  readonly changeId: number
  readonly tableId: number
  readonly recordId: number
  readonly state: DeliveryState
  /** Of the last answer; 0 where there was none. */
  readonly status: number
  /** Why the last attempt had no answer, or why there is none; '' where it had one. */
  readonly fault: string
  readonly madeAt: string
  readonly attemptedAt: string
  /** Of the next attempt. */
  readonly nextAt: string
  readonly attempts: readonly Attempt[] | null
}

/** As it is shown. */
export interface Attempt {
  readonly made_at: string
  /** null: there was no answer. */
  readonly status: number | null
  /** null: there was one. */
  readonly fault: string | null
}

export const NEVER = '0000-00-00 00:00:00'

export const deliveries = relation<Delivery>(
  'webhook_deliveries',
  {
    id: ['id', 'integer'],
    webhookId: ['webhook_id', 'integer'],
    changeId: ['change_id', 'integer'],
    tableId: ['table_id', 'integer'],
    recordId: ['record_id', 'integer'],
    state: ['state', 'text'],
    status: ['status', 'integer'],
    fault: ['fault', 'text'],
    madeAt: ['made_at', 'datetime'],
    attemptedAt: ['attempted_at', 'datetime'],
    nextAt: ['next_at', 'datetime'],
    attempts: ['attempts', 'json'],
  },
  visibleDeliveries,
  undefined,
  { logging: false },
)

/** Those of webhooks that the caller sees. Rows of a deleted webhook stay until they are swept, and nobody sees them. */
function visibleDeliveries(_: unknown, caller: Caller): Sql {
  const own = caller.administrator ? sql`` : sql` WHERE user_id = ${caller.userId}`
  return sql`webhook_id IN (SELECT id FROM webhooks${own})`
}

type Used = Uses<'db' | 'catalogue' | 'environment' | 'settings'>

/** Sends it again, with the id that it had. @throws `quota.reached` while the queue of the webhook is full, `webhook.nothing_to_send` */
export async function replay(store: Used, caller: Caller, id: number): Promise<void> {
  mayWrite(caller)
  await store.db.write(async (tx) => {
    const found = await findRow((query) => tx.all(query), deliveries, id, visibleDeliveries(store, caller))
    if (!found) throw fail('resource.not_found', { type: 'webhook_delivery', id })
    if (found.state === 'expired') throw fail('webhook.nothing_to_send')
    if (found.state !== 'waiting') await queueMustHaveRoom(store, tx, found.webhookId)
    const { now, text } = moment(store)
    await updateUnlogged(tx, deliveries, id, { state: 'waiting', nextAt: text }, { next_ms: now, tries: 0 })
    await readAgain(tx, found.webhookId)
    await auditOften(store, tx, caller, 'webhook_replayed', `webhook ${found.webhookId}`, `delivery ${id}`)
  })
  tellHooks(store.db)
}

/** Has a document sent that is no change, to see whether it arrives. Returns the id of the delivery. */
export async function sendTest(store: Used, caller: Caller, webhookId: number): Promise<number> {
  mayWrite(caller)
  const id = await store.db.write(async (tx) => {
    await mustSee(store, caller, webhookId, (query) => tx.all(query))
    await queueMustHaveRoom(store, tx, webhookId)
    const made = await insertDelivery(tx, store, { webhookId, changeId: 0, tableId: 0, recordId: 0 })
    await readAgain(tx, webhookId)
    await auditOften(store, tx, caller, 'webhook_tested', `webhook ${webhookId}`)
    return made
  })
  tellHooks(store.db)
  return id
}

const queueMustHaveRoom = (store: Uses<'db'>, tx: Transaction, webhookId: number): Promise<void> =>
  mustHaveRoom(store, tx, limits.webhookQueue, {
    table: 'webhook_deliveries',
    which: sql`webhook_id = ${webhookId} AND state = ${constant('waiting')}`,
  })

type Subject = Pick<Delivery, 'webhookId' | 'changeId' | 'tableId' | 'recordId'>

/** A delivery that waits for its first attempt, or stands for what has expired. */
export function insertDelivery(
  tx: Transaction,
  store: Uses<'environment' | 'settings'>,
  subject: Subject,
  state: 'waiting' | 'expired' = 'waiting',
): Promise<number> {
  const { now, text } = moment(store)
  const values = { ...subject, state, status: 0, fault: '', madeAt: text, attemptedAt: NEVER, nextAt: state === 'waiting' ? text : NEVER }
  return insertUnlogged(tx, deliveries, { ...values, attempts: [] }, { next_ms: state === 'waiting' ? now : 0, tries: 0 })
}

const moment = (store: Uses<'environment' | 'settings'>) => ({ now: store.environment.now(), text: nowText(store) })

/** How many deliveries of a webhook are in each state. */
export async function deliveriesByState(store: Uses<'db'>, webhookId: number): Promise<Readonly<Record<string, number>>> {
  const rows = await committed(store)(
    sql`SELECT state, count(*) FROM webhook_deliveries WHERE webhook_id = ${webhookId} GROUP BY state ORDER BY state`,
  )
  return Object.fromEntries(rows.map(([state, count]) => [String(state), Number(count)]))
}

/** The last ones of a webhook, or of those the ones in a state, by id, in pages of `size`. A page is read when it is asked for. */
export async function* lastDeliveries(
  store: Uses<'db'>,
  webhookId: number,
  most: number,
  state: string | undefined,
  size: number,
): AsyncGenerator<Delivery[]> {
  const query = committed(store)
  const wanted = sql`webhook_id = ${webhookId}${state === undefined ? sql`` : sql` AND state = ${state}`}`
  const last = sql`SELECT id FROM webhook_deliveries WHERE ${wanted} ORDER BY id DESC LIMIT ${most}`
  const ids = (await query(sql`SELECT id FROM (${last}) AS last ORDER BY id`)).map(([id]) => Number(id))
  for (let at = 0; at < ids.length; at += size) yield allRows(query, deliveries, store.db.dialect.oneOf(sql`id`, ids.slice(at, at + size)))
}

/** Deliveries that are erased in one transaction, at most. */
const STEP = 1_000

/**
 * Erases deliveries of webhooks that are deleted, and those that wait no more: the ones older than `deliveryDays`, and what is beyond
 * `limits.webhookDeliveries`. Returns how many.
 */
export async function sweepDeliveries(store: Uses<'db' | 'environment' | 'settings'>): Promise<number> {
  const { environment, settings } = store
  const before = localTime(environment.now() - settings.deliveryDays * 86_400_000, settings.timeZone)
  let swept = await sweepDeleted(store)
  for (;;) {
    const [rows] = await store.db.read(sql`SELECT id, made_at FROM webhook_deliveries WHERE ${settled} ORDER BY id LIMIT ${STEP}`)
    const last = rows!.findLast(([, madeAt]) => String(madeAt) < before)
    if (!last) break
    swept += await store.db.write((tx) => tx.run(sql`DELETE FROM webhook_deliveries WHERE ${settled} AND id <= ${Number(last[0])}`))
  }
  return swept + (await sweepBeyond(store))
}

const settled = sql`state <> ${constant('waiting')}`

/** Of the webhooks with the most the oldest go, so that one with much to do leaves the others theirs; parked ones last. */
async function sweepBeyond({ db }: Uses<'db'>): Promise<number> {
  const [rows] = await db.read(sql`SELECT webhook_id, count(*) FROM webhook_deliveries WHERE ${settled} GROUP BY webhook_id`)
  const counts = rows!.map((row) => row.map(Number) as [webhook: number, count: number])
  const share = shareOf(
    counts.map(([, count]) => count),
    limits.webhookDeliveries.most,
  )
  let swept = 0
  for (const [webhook, count] of counts) {
    let beyond = count - share
    for (const states of [sql`state NOT IN (${constant('waiting')}, ${constant('parked')})`, sql`state = ${constant('parked')}`])
      for (let erased = STEP; erased === STEP && beyond > 0; beyond -= erased, swept += erased) {
        const some = sql`SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhook} AND ${states} ORDER BY id LIMIT ${Math.min(STEP, beyond)}`
        erased = await db.write((tx) => tx.run(sql`DELETE FROM webhook_deliveries WHERE id IN (${some})`))
      }
  }
  return swept
}

/** How many each may keep, so that all together are no more than `most`. */
function shareOf(counts: readonly number[], most: number): number {
  let left = most
  for (const [i, count] of counts.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (counts.length - i))
    if (count > share) return share
    left -= count
  }
  return Infinity
}

/** A webhook may have as many as are kept of all: they are erased in steps. */
async function sweepDeleted(store: Uses<'db'>): Promise<number> {
  const [webhooks] = await store.db.read(
    sql`SELECT DISTINCT webhook_id FROM webhook_deliveries WHERE webhook_id NOT IN (SELECT id FROM webhooks)`,
  )
  let swept = 0
  for (const [id] of webhooks!) {
    const some = sql`SELECT id FROM webhook_deliveries WHERE webhook_id = ${Number(id)} ORDER BY id LIMIT ${STEP}`
    for (let erased = STEP; erased === STEP; swept += erased)
      erased = await store.db.write((tx) => tx.run(sql`DELETE FROM webhook_deliveries WHERE id IN (${some})`))
  }
  return swept
}
