import { fold } from '../../fields/fold.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import { service } from '../catalogue/administrator.ts'
import { localTime, nowText } from '../ground/clock.ts'
import { endOfLog, GONE } from '../changes/follow-changes.ts'
import type { Transaction } from '../ground/db.ts'
import { committed, readRow, selectList } from '../ground/relation.ts'
import { changing } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { insertDelivery, NEVER, type Attempt, type Delivery, type DeliveryState } from './deliveries.ts'
import { hookCaller, hookFaults } from './webhooks.ts'
import { webhooks, type Webhook } from '../people/webhook-rows.ts'

/*
 * What the process that delivers reads and writes. The cursor of a webhook moves in the transaction that adds its deliveries, and a delivery
 * waits until what came of it is written: so a process that is killed leaves nothing out, and may leave something to be sent again.
 */

type Used = Uses<'db' | 'environment' | 'settings'>

/** An active webhook with what it takes to deliver. */
export interface Hook extends Webhook {
  readonly caller: Caller
  /** The present one first. */
  readonly secrets: readonly string[]
  /** Up to this position in the log, what it is sent is in the queue. */
  readonly cursor: number
  /** Goes up when others have changed its waiting deliveries. */
  readonly revision: number
}

/** Those that send: active, of users who are not archived. */
export async function activeHooks(store: Used): Promise<Hook[]> {
  const rows = await committed(store)(sql`SELECT ${selectList(webhooks)}, group_id, secret, former_secret, former_until_ms, cursor, revision
    FROM (SELECT webhooks.*, group_id FROM webhooks JOIN users ON users.id = user_id WHERE active = 1 AND archived = 0) AS hooks ORDER BY id`)
  const shown = Object.keys(webhooks.columns).length
  return rows.map((row) => {
    const hook = readRow(webhooks, row)
    const [groupId, secret, former, formerUntil, cursor, revision] = row.slice(shown)
    const isFormerKept = former !== '' && Number(formerUntil) > store.environment.now()
    return {
      ...hook,
      caller: hookCaller(hook.userId, Number(groupId)),
      secrets: [String(secret), ...(isFormerKept ? [String(former)] : [])],
      cursor: Number(cursor),
      revision: Number(revision),
    }
  })
}

/** Stops webhooks that a backup brought here: a restored copy sends nothing until someone activates them. Returns how many. */
export async function stopRestored(store: Uses<'db' | 'instance'>): Promise<number> {
  const others = sql`active = 1 AND instance <> ${store.instance}`
  const [rows] = await store.db.read(sql`SELECT count(*) FROM webhooks WHERE ${others}`)
  if (Number(rows![0]![0]) === 0) return 0
  return store.db.write((tx) => stop(tx, others, hookFaults.restored))
}

/** They send nothing from then on. Returns how many. */
const stop = (tx: Transaction, which: Sql, fault: string): Promise<number> =>
  changing(tx, service(), webhooks, which, () =>
    tx.run(sql`UPDATE webhooks SET active = 0, fault = ${fault}, faultk = ${fold(fault)} WHERE ${which}`),
  )

/** A delivery that waits. */
export interface Waiting {
  readonly id: number
  readonly changeId: number
  readonly tableId: number
  readonly recordId: number
  /** Unix milliseconds of the next attempt. */
  readonly next: number
  /** Attempts so far. */
  readonly tries: number
}

/** Those of a webhook in the order of their changes. */
export async function waitingOf(store: Uses<'db'>, webhookId: number): Promise<Waiting[]> {
  const rows = await committed(store)(sql`SELECT id, change_id, table_id, record_id, next_ms, tries FROM webhook_deliveries
    WHERE webhook_id = ${webhookId} AND state = ${constant('waiting')} ORDER BY change_id, id`)
  return rows.map((row) => {
    const [id, changeId, tableId, recordId, next, tries] = row.map(Number) as [number, number, number, number, number, number]
    return { id, changeId, tableId, recordId, next, tries }
  })
}

const columns = ['webhook_id', 'change_id', 'table_id', 'record_id', 'state', 'statek', 'status', 'fault', 'faultk'] as const
const timed = ['made_at', 'attempted_at', 'next_at', 'next_ms', 'tries', 'attempts'] as const

/** A change for the queue. `fault`: why it is not sent. */
export type Subject = Pick<Delivery, 'changeId' | 'tableId' | 'recordId'> & { readonly fault?: string | undefined }

/**
 * Moves the cursor of a webhook and adds deliveries of the changes that it passes. Undefined: another process has moved it, or it is not
 * active any more; nothing was done.
 */
export function enqueue(
  store: Used,
  { id, cursor }: Pick<Hook, 'id' | 'cursor'>,
  to: number,
  changes: readonly Subject[],
): Promise<Waiting[] | undefined> {
  const [now, text] = [store.environment.now(), nowText(store)]
  return store.db.write(async (tx) => {
    if ((await tx.run(sql`UPDATE webhooks SET cursor = ${to} WHERE id = ${id} AND cursor = ${cursor} AND active = 1`)) === 0)
      return undefined
    if (changes.length === 0) return []
    const rows = changes.map(({ changeId, tableId, recordId, fault = '' }) => {
      const state: DeliveryState = fault === '' ? 'waiting' : 'withheld'
      const [nextAt, next] = fault === '' ? [text, now] : [NEVER, 0]
      return [id, changeId, tableId, recordId, state, fold(state), 0, fault, fold(fault), text, NEVER, nextAt, next, 0, '[]']
    })
    const ids = await tx.insert('webhook_deliveries', [...columns, ...timed], rows)
    return changes.flatMap(({ changeId, tableId, recordId, fault }, i) =>
      fault === undefined ? { id: ids[i]!, changeId, tableId, recordId, next: now, tries: 0 } : [],
    )
  })
}

/** Says in a delivery that changes are gone that were not sent, and goes on after them. Undefined as `enqueue`. */
export const noteExpired = (store: Used, { id, cursor, tableId }: Pick<Hook, 'id' | 'cursor' | 'tableId'>): Promise<number | undefined> =>
  store.db.write(async (tx) => {
    const [gone] = await tx.all(sql`SELECT value FROM meta WHERE name = ${GONE}`)
    // Where a copy was restored, also positions that were reached after the copy have expired: it goes on with what the copy has.
    const erased = Number(gone?.[0] ?? 0)
    const to = erased > cursor ? erased : await endOfLog(store, (query) => tx.all(query))
    if ((await tx.run(sql`UPDATE webhooks SET cursor = ${to} WHERE id = ${id} AND cursor = ${cursor} AND active = 1`)) === 0)
      return undefined
    await insertDelivery(tx, store, { webhookId: id, changeId: 0, tableId, recordId: 0 }, 'expired')
    return to
  })

/** The position of the newest change: what comes later is greater than every position that was followed until now. */
export async function newestChange(store: Uses<'db'>): Promise<number> {
  const [rows] = await store.db.read(sql`SELECT coalesce(max(id), 0) FROM changes`)
  return Number(rows![0]![0])
}

/** What came of a delivery that was waiting. */
export interface Result {
  readonly state: DeliveryState
  readonly status: number
  readonly fault: string
  /** Unix milliseconds of the next attempt, where it waits. */
  readonly next: number
  readonly tries: number
}

/**
 * Adds an attempt to a delivery, if that still waits: an attempt of a process that delivers no more may end after the same was delivered
 * by another one. `stops`: the webhook is not active from then on.
 */
export const noteAttempt = (
  store: Used,
  webhookId: number,
  id: number,
  { state, status, fault, next, tries }: Result,
  stops: boolean,
): Promise<void> =>
  store.db.write(
    async (tx) => {
      const at = nowText(store)
      const thisOne = sql`id = ${id} AND state = ${constant('waiting')}`
      const [row] = await tx.all(sql`SELECT attempts FROM webhook_deliveries WHERE ${thisOne}`)
      if (!row) return
      const made: Attempt = { made_at: at, status: status === 0 ? null : status, fault: fault === '' ? null : fault }
      const attempts = JSON.stringify([...(JSON.parse(String(row[0])) as Attempt[]), made].slice(-MOST_SHOWN))
      const nextAt = state === 'waiting' ? localTime(next, store.settings.timeZone) : NEVER
      const noted =
        await tx.run(sql`UPDATE webhook_deliveries SET state = ${state}, statek = ${fold(state)}, status = ${status}, fault = ${fault},
        faultk = ${fold(fault)}, attempted_at = ${at}, next_at = ${nextAt}, next_ms = ${next}, tries = ${tries}, attempts = ${attempts} WHERE ${thisOne}`)
      if (stops && noted > 0) await stop(tx, sql`id = ${webhookId}`, hookFaults.gone)
    },
    { apart: `webhook_deliveries ${id}` },
  )

/** Attempts that a delivery shows: of one that was replayed several times, the last ones. */
const MOST_SHOWN = 100

/** Ends a delivery without an attempt: there is nothing that its user may read, or it has this fault. */
export const noteWithheld = (store: Used, id: number, fault: string): Promise<number> =>
  store.db.write((tx) =>
    tx.run(
      sql`UPDATE webhook_deliveries SET state = ${'withheld'}, statek = ${fold('withheld')}, fault = ${fault}, faultk = ${fold(fault)},
        next_at = ${NEVER}, next_ms = 0 WHERE id = ${id} AND state = ${constant('waiting')}`,
    ),
  )

/** Why a webhook sends nothing at present; '': it does. */
export const noteHookFault = (store: Used, id: number, fault: string): Promise<number> =>
  store.db.write((tx) => tx.run(sql`UPDATE webhooks SET fault = ${fault}, faultk = ${fold(fault)} WHERE id = ${id} AND active = 1`))
