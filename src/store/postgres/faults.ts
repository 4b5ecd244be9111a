import { fail, type Failure } from '../../errors.ts'
import { Stale } from '../model/stale.ts'

/* What PostgreSQL and the way to it can answer with, and what it means to us. Codes: PostgreSQL, Appendix A. */

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** The connection is gone, or never was, or its server ended it, as where this process stood still for long: what was asked may be asked again on another. */
export const isLost = (error: unknown): boolean =>
  /^(08...|57P0[1235]|25P03|25006|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES)$/.test(
    codeOf(error),
  ) ||
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/.test(messageOf(error)) ||
  isLostBehind(error)

/** Citus has lost a worker before the coordinator committed, or its own server, and says it without a code. */
const isLostBehind = (error: unknown): boolean =>
  codeOf(error) === 'XX000' &&
  /^(failure on connection marked as essential|failed to prepare transaction|postmaster was shut down)/.test(messageOf(error))

/** No connection is left, at PgBouncer either, or no memory or disk. */
export const isOutOfResources = (error: unknown): boolean =>
  codeOf(error).startsWith('53') || messageOf(error).startsWith('no more connections allowed')

/** No server could be reached; nothing was asked of it. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The database is out of reach.', { cause })
  }
}

/** An index is being made: who waited for it with the lock of the catalogue would have everybody wait along. */
export class StructureBusy extends Error {}

/** Somebody reads a table whose structure is to change: whoever asks for the table after that would wait along. */
export class TableBusy extends Error {}

/** A lock was not given in time. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03'

/** Writes that share a transaction have more changes than a ledger takes: each is run again by itself. */
export class TooManyTogether extends Error {
  readonly code = '40001'
}

/** The log has a change of the same record at a later position: a new transaction gets a position behind it (changes/change-log.ts). */
export function isOvertaken(error: unknown): boolean {
  const { table = '', column } = (error ?? {}) as { table?: string; column?: string }
  return codeOf(error) === '23502' && column === 'id' && /^changes(?:_\d+)?$/.test(table)
}

/**
 * Somebody else was in the way: the same work, done again, may well succeed. 25P02: it met the end of a transaction that had
 * failed before it, as where a COMMIT is cancelled because the time of the statement before it is over.
 */
export const isInTheWay = (error: unknown): boolean => /^(40001|40P01|55P03|23505|25P02)$/.test(codeOf(error)) || isOvertaken(error)

/** The role may not do it, or the server does not have what it needs. */
export const isNotGiven = (error: unknown): boolean => /^(42501|0A000|58P01)$/.test(codeOf(error))

/** A statement that was prepared no longer fits, or is not known to this connection of a pooler. */
export const isUnprepared = (error: unknown): boolean => /^(0A000|26000|42P05)$/.test(codeOf(error))

/** What to tell for an error that nothing was left to be tried about. `timeout`: milliseconds the statement was given. */
export function explained(error: unknown, timeout?: number): unknown {
  const code = codeOf(error)
  if (code === '57014' && timeout !== undefined) return fail('server.query_timeout', { seconds: timeout / 1000 })
  // A column or table that is gone means that the caller's catalogue is.
  if (code === '42703' || code === '42P01') return new Stale(error)
  if (isLost(error) || error instanceof Unreachable) return Object.assign(unavailable('The database is away.'), { cause: error })
  if (error instanceof StructureBusy) return unavailable('An index is being made, and the structure cannot change until it is.')
  if (error instanceof TableBusy || code === '55P03' || code === '57014')
    return unavailable('The database is busy, and the time for this was over.')
  if (/^(40001|40P01|23505|25P02)$/.test(code) || isOvertaken(error)) return unavailable('Others keep writing the same.')
  // Columns that were dropped count.
  if (code === '54011') return fail('table.no_columns_left')
  if (code === '53100') return fail('server.disk_full')
  if (isOutOfResources(error)) return unavailable('The database has no room for this just now: connections or memory.')
  return error
}

export const unavailable = (why: string): Failure => fail('server.unavailable', { why })
