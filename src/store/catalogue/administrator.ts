import { fail } from '../../errors.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import { nothing } from './visible.ts'

declare const proof: unique symbol
/** A caller who may change structure, people and rights: functions that do ask for one, and only `administrator` makes it. */
export type Administrator = Caller & { readonly [proof]: true }

/** @throws `access.denied`, also for an administrator's token that may only read or is limited to some tables. */
export function administrator(caller: Caller, what: string): Administrator {
  if (!caller.administrator) throw fail('access.denied', { what })
  return writer(caller, what) as Administrator
}

/** @throws `access.denied` where the token may only read. */
export function writer(caller: Caller, what: string): Caller {
  if (caller.scope !== 'write') throw fail('access.denied', { what: `${what} with a token that may only read` })
  return caller
}

/** Visibility of what is the administrators' business alone. */
export const onlyAdministrators = (_: unknown, caller: Caller): Sql | undefined => (caller.administrator ? undefined : nothing)

/** The operator at the command line: nobody's token, every right. */
export const operator = {
  userId: 0,
  groupId: 1,
  administrator: true,
  tokenId: 0,
  scope: 'write',
  tables: undefined,
  address: '',
  door: 'command',
} as Caller as Administrator
