import { fold } from '../../fields/fold.ts'
import { firstOf, storable } from '../../fields/value.ts'
import { limits } from '../../limits.ts'
import { parameters, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import { onlyAdministrators } from '../catalogue/administrator.ts'
import { localTime, nowText } from '../ground/clock.ts'
import type { Row, Transaction } from '../ground/db.ts'
import { insertUnlogged, relation, updateUnlogged } from '../ground/relation.ts'
import { networkOf } from '../ground/network.ts'
import { lockOwner } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'

/*
 * The audit log is bounded. Of actions that users can repeat, a limited number is written each hour; the others are counted in one row of
 * that hour, `<action>_more`. Entries are erased after `auditDays`.
 */

/** One sign-in or administrative act. */
export interface AuditEntry {
  readonly id: number
  /** In the instance's zone. */
  readonly time: string
  /** The user who did it; 0: the operator at the command line, or somebody who has not signed in. */
  readonly userId: number
  readonly address: string
  /** `user_created`, `sign_in_failed`: what happened, as a name that never changes. */
  readonly action: string
  /** What it happened to: `user 7`. */
  readonly subject: string
  readonly detail: string
}

export const auditEntries = relation<AuditEntry>(
  'audit',
  {
    id: ['id', 'integer'],
    time: ['time', 'datetime'],
    userId: ['user_id', 'integer'],
    address: ['address', 'text'],
    action: ['action', 'text'],
    subject: ['subject', 'text'],
    detail: ['detail', 'longtext'],
  },
  onlyAdministrators,
  undefined,
  { logging: false },
)

type By = Pick<Caller, 'userId' | 'address'>

/** The most characters of an address; a proxy may pass on any text. */
const LONGEST_ADDRESS = 100
/** The most characters of a subject, which may contain a login. */
const LONGEST_SUBJECT = 255

/** Writes an entry in the transaction of the action, so that neither exists without the other. */
export async function audit(
  store: Uses<'environment' | 'settings'>,
  tx: Transaction,
  by: By,
  action: string,
  subject: string,
  detail = '',
): Promise<void> {
  const { userId, address } = by
  await insertUnlogged(tx, auditEntries, {
    time: nowText(store),
    userId,
    address: storable(address.slice(0, LONGEST_ADDRESS)),
    action,
    subject,
    detail: storable(firstOf(detail, limits.noted.most)),
  })
}

/** The same for actions that users can repeat on their own accounts and tokens. */
export async function auditOften(
  store: Uses<'db' | 'environment' | 'settings'>,
  tx: Transaction,
  by: By,
  action: string,
  subject: string,
  detail = '',
): Promise<void> {
  await lockOwner(store, tx, by.userId)
  const [row] = await tx.all(sql`SELECT count(*) FROM audit WHERE ${ofThisHour(store, action, by.userId)}`)
  if (Number(row![0]) < limits.auditedActs.most) return audit(store, tx, by, action, subject, detail)
  await countMore(store, tx, by, action, `user ${by.userId}`)
}

/** A failed sign-in; `login` as it was typed. */
export async function auditFailedSignIn(
  store: Uses<'db' | 'environment' | 'settings'>,
  tx: Transaction,
  address: string,
  login: string,
): Promise<void> {
  const action = 'sign_in_failed'
  const by = { userId: 0, address }
  const typed = storable(login.slice(0, LONGEST_SUBJECT))
  const network = networkOf(address)
  await lockOwner(store, tx, 0)
  const { auditedFailures, auditedFailuresOfAll } = limits
  const rows = await tx.all(
    sql`SELECT address, detailk FROM audit WHERE ${ofThisHour(store, action, 0)} LIMIT ${auditedFailuresOfAll.most}`,
  )
  const isMuch = (which: (row: Row) => boolean) => rows.filter(which).length >= auditedFailures.most
  if (isMuch(([, key]) => key === fold(typed))) return countMore(store, tx, by, action, `login ${typed}`)
  if (isMuch(([from]) => networkOf(String(from)) === network)) return countMore(store, tx, by, action, `address ${network}`)
  if (rows.length >= auditedFailuresOfAll.most) return countMore(store, tx, by, action, 'all')
  await audit(store, tx, by, action, 'user', typed)
}

/** Counts one more action in the row for the rest of the hour, whose detail is the number. `of`: the action. */
async function countMore(store: Uses<'environment' | 'settings'>, tx: Transaction, by: By, action: string, of: string): Promise<void> {
  const more = `${action}_more`
  const subject = firstOf(of, LONGEST_SUBJECT).replaceAll(/[\r\n]/g, ' ')
  const [row] = await tx.all(
    sql`SELECT id, detail FROM audit WHERE ${ofThisHour(store, more, by.userId)} AND subject = ${subject} ORDER BY id LIMIT 1`,
  )
  if (row) await updateUnlogged(tx, auditEntries, Number(row[0]), { detail: String(Number(row[1]) + 1) })
  else await audit(store, tx, by, more, subject, '1')
}

function ofThisHour(store: Uses<'environment' | 'settings'>, action: string, userId: number): Sql {
  const hour = nowText(store).slice(0, 'YYYY-MM-DD HH'.length)
  return sql`action = ${action} AND user_id = ${userId} AND time >= ${`${hour}:00:00`} AND time <= ${`${hour}:59:59`}`
}

/** Actions of somebody who has signed in: after the first of these, a start prints no new password (first-administrator.ts). */
export const CLAIMS = ['signed_in', 'token_issued', 'password_set', 'user_changed', 'first_password_shown'] as const
const anyClaim = (): Sql => sql`action IN (${parameters(CLAIMS)})`

/** Whether somebody has ever signed in, got a token or chosen a password, or was told the first one. */
export const isClaimed = async (store: Uses<'db'>): Promise<boolean> => (await lastClaim(store)) !== undefined

/** Id of an entry. */
async function lastClaim(store: Uses<'db'>): Promise<number | undefined> {
  const [rows] = await store.db.read(sql`SELECT id FROM audit WHERE ${anyClaim()} ORDER BY id DESC LIMIT 1`)
  return rows![0] && Number(rows![0][0])
}

/** The most entries that are erased in one transaction. */
const PIECE = 1_000

/** Erases entries older than `auditDays`, except the last one that `isClaimed` needs. Returns how many. */
export async function sweepAudit(store: Uses<'db' | 'environment' | 'settings'>): Promise<number> {
  const before = localTime(store.environment.now() - store.settings.auditDays * 86_400_000, store.settings.timeZone)
  const kept = (await lastClaim(store)) ?? 0
  for (let swept = 0; ;) {
    const [rows] = await store.db.read(
      sql`SELECT max(id) FROM (SELECT id, time FROM audit WHERE id <> ${kept} ORDER BY id LIMIT ${PIECE}) AS oldest WHERE time < ${before}`,
    )
    const last = Number(rows![0]![0] ?? 0)
    if (last === 0) return swept
    swept += await store.db.write((tx) => tx.run(sql`DELETE FROM audit WHERE id <= ${last} AND id <> ${kept} AND time < ${before}`))
  }
}
