import { Failure, fail } from '../../errors.ts'
import { parse } from '../../filter/parse.ts'
import { limits } from '../../limits.ts'
import { constant, sql } from '../../sql/sql.ts'
import { readAddress, rulesOf } from '../../webhooks/address.ts'
import { makeSecret } from '../../webhooks/sign.ts'
import { writer } from '../catalogue/administrator.ts'
import { actions } from '../changes/codes.ts'
import { endOfLog } from '../changes/follow-changes.ts'
import { nowText } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { findRow } from '../ground/relation.ts'
import { changing, deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'
import { grant, type Caller } from '../model/access.ts'
import { auditOften } from '../people/audit.ts'
import { ADMINISTRATORS } from '../model/built-in-groups.ts'
import { placeOf, visibleWebhooks, webhooks, type Webhook } from '../people/webhook-rows.ts'
import { conditionOf } from '../records/read-records.ts'
import { tellHooks } from './told-hooks.ts'

/** Why a webhook was stopped: its receiver answered 410 Gone; the installation is a restored copy. */
export const hookFaults = { gone: 'gone', restored: 'restored' } as const

type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'instance'>

/** Milliseconds for which the former secret signs too, so that the receiver can change to the new one. */
const FORMER_SECRET = 86_400_000

interface Secret {
  readonly id: number
  /** Shown to the user once. */
  readonly secret: string
}

/** A webhook of the caller: it is sent the changes that are committed from now on. `by`: who makes it for them. */
export async function createWebhook(store: Used, caller: Caller, values: Partial<Webhook>, by = caller): Promise<Secret> {
  writer(caller, 'create webhooks')
  const wanted = { tableId: 0, actions: [], filter: '', active: true, url: '', ...values }
  await mustFit(store, caller, wanted)
  const secret = makeSecret(store.environment.randomBytes)
  const id = await store.db.write(async (tx) => {
    await mustHaveRoom(store, tx, limits.webhooks, { table: 'webhooks' })
    await mustHaveRoom(store, tx, limits.webhooksPerUser, {
      table: 'webhooks',
      which: sql`user_id = ${caller.userId}`,
      owner: caller.userId,
    })
    const made = await insertRow(
      tx,
      by,
      webhooks,
      { ...wanted, userId: caller.userId, madeAt: nowText(store), fault: '' },
      {
        secret,
        former_secret: '',
        former_until_ms: 0,
        instance: store.instance,
        cursor: await endOfLog(store, (query) => tx.all(query)),
        revision: 0,
      },
    )
    await auditOften(store, tx, by, 'webhook_created', `webhook ${made}`, placeOf(wanted.url))
    return made
  })
  tellHooks(store.db)
  return { id, secret }
}

/** Others than its maker and administrators do not see a webhook. @throws `access.denied` where the token may only read */
export function mayWrite(caller: Caller): void {
  writer(caller, 'change webhooks')
}

/**
 * `active`: what was changed while a webhook was not active is sent when it is active again, as far as the log has it. One that is not active
 * may have an address or a table that are not allowed any more, so that it can be switched off.
 */
export async function updateWebhook(store: Used, caller: Caller, id: number, changes: Partial<Webhook>): Promise<void> {
  mayWrite(caller)
  const now = await mustSee(store, caller, id, async (query) => (await store.db.read(query))[0]!)
  const wanted = { ...now, ...changes }
  await mustFit(store, await makerOf(store, caller, now.userId), wanted, wanted.active ? wanted : changes)
  await store.db.write(async (tx) => {
    await mustSee(store, caller, id, (query) => tx.all(query))
    await updateRow(tx, caller, webhooks, id, { ...changes, fault: '' }, changes.active ? { instance: store.instance } : {})
    await readAgain(tx, id)
    await auditOften(store, tx, caller, 'webhook_changed', `webhook ${id}`, Object.keys(changes).join(', '))
  })
  tellHooks(store.db)
}

/** With its deliveries that wait. The others are not seen any more, and swept within an hour: they may be many. */
export async function deleteWebhook(store: Used, caller: Caller, id: number): Promise<void> {
  mayWrite(caller)
  await store.db.write(async (tx) => {
    const { url } = await mustSee(store, caller, id, (query) => tx.all(query))
    await tx.run(sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${id} AND state = ${constant('waiting')}`)
    await deleteRows(tx, caller, webhooks, sql`id = ${id}`)
    await auditOften(store, tx, caller, 'webhook_deleted', `webhook ${id}`, placeOf(url))
  })
  tellHooks(store.db)
}

/** A new secret, which is returned once. The former one signs too for a day. */
export async function renewSecret(store: Used, caller: Caller, id: number): Promise<Secret> {
  mayWrite(caller)
  const secret = makeSecret(store.environment.randomBytes)
  await store.db.write(async (tx) => {
    await mustSee(store, caller, id, (query) => tx.all(query))
    const until = store.environment.now() + FORMER_SECRET
    const one = sql`id = ${id}`
    const renew = () => tx.run(sql`UPDATE webhooks SET former_secret = secret, former_until_ms = ${until}, secret = ${secret} WHERE ${one}`)
    await changing(tx, caller, webhooks, one, renew, { isSecret: true })
    await auditOften(store, tx, caller, 'webhook_secret_made', `webhook ${id}`)
  })
  tellHooks(store.db)
  return { id, secret }
}

/** Has the process that delivers read the waiting deliveries of a webhook again: for whoever else changes them, in that transaction. */
export const readAgain = (tx: Transaction, id: number): Promise<number> =>
  tx.run(sql`UPDATE webhooks SET revision = revision + 1 WHERE id = ${id}`)

/** @throws `resource.not_found` where there is none for the caller */
export async function mustSee(store: Uses<'db' | 'catalogue'>, caller: Caller, id: number, query: Transaction['all']): Promise<Webhook> {
  const found = await findRow(query, webhooks, id, visibleWebhooks(store, caller))
  if (!found) throw fail('resource.not_found', { type: 'webhook', id })
  return found
}

/** With the rights that the webhook has, whoever changes it. */
async function makerOf(store: Uses<'db'>, caller: Caller, userId: number): Promise<Caller> {
  if (userId === caller.userId) return caller
  const [rows] = await store.db.read(sql`SELECT group_id FROM users WHERE id = ${userId}`)
  return hookCaller(userId, Number(rows![0]?.[0] ?? 0))
}

/** The user of a webhook, with the rights of their group: they read, by no token. */
export const hookCaller = (userId: number, groupId: number): Caller => ({
  userId,
  groupId,
  administrator: groupId === ADMINISTRATORS,
  tokenId: 0,
  scope: 'read',
  tables: undefined,
  address: '',
  door: 'service',
})

type Wanted = Pick<Webhook, 'url' | 'tableId' | 'actions' | 'filter'>

/** `checked` has the attributes that are looked at. @throws `field.required`, `field.invalid_value`, `access.denied` */
async function mustFit(store: Used, maker: Caller, wanted: Wanted, checked: Partial<Wanted> = wanted): Promise<void> {
  if (checked.url !== undefined) mustBeAddress(store, checked.url)
  if (checked.actions !== undefined) mustBeActions(checked.actions)
  if (checked.tableId !== undefined || checked.filter !== undefined) await mustBeOfTable(store, maker, wanted)
}

function mustBeAddress({ settings }: Used, url: string): void {
  if (url === '') throw fail('field.required', { name: 'url' }, { attribute: 'url' })
  const read = readAddress(url, rulesOf(settings))
  if ('why' in read) throw fail('field.invalid_value', { why: read.why }, { attribute: 'url' })
}

function mustBeActions(some: Webhook['actions']): void {
  const known = Object.keys(actions)
  if (new Set(some).size < some.length || some.some((one) => !known.includes(one)))
    throw fail('field.invalid_value', { why: `Actions are some of ${known.join(', ')}, each once; none: all.` }, { attribute: 'actions' })
}

async function mustBeOfTable(store: Used, maker: Caller, { tableId, filter }: Wanted): Promise<void> {
  if (tableId === 0 && filter !== '')
    throw fail('field.invalid_value', { why: 'A filter is for one table: send table_id too.' }, { attribute: 'filter' })
  if (tableId === 0) return
  try {
    const granted = grant('read', tableId, maker, store.catalogue())
    if (filter !== '') await conditionOf(store, granted, parse(filter), true)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'table.not_found')
      throw fail('field.invalid_value', { why: `There is no table ${tableId}.` }, { attribute: 'tableId' })
    if (error.code === 'access.denied') throw error
    throw fail('field.invalid_value', { why: error.message }, { attribute: 'filter', meta: { ...error.where.meta, code: error.code } })
  }
}
