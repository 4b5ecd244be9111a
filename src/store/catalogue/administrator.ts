import { fail } from '../../errors.ts'
import type { Sql } from '../../sql/sql.ts'
import { byReader, type Caller } from '../model/access.ts'
import { nothing } from './visible.ts'

declare const proof: unique symbol
/** A caller who may change structure, people and rights. Functions that change them take one, and only `administrator` makes one. */
export type Administrator = Caller & { readonly [proof]: true }

/** @throws `access.denied`, also for an administrator's token that may only read or is limited to some tables. */
export function administrator(caller: Caller, what: string): Administrator {
  if (!caller.administrator) throw fail('access.denied', { what })
  return writer(caller, what) as Administrator
}

/** @throws `access.denied` where the token may only read. */
export function writer(caller: Caller, what: string): Caller {
  if (caller.scope !== 'write') throw fail('access.denied', { what: byReader(what) })
  return caller
}

/** The visibility of rows that only administrators see. */
export const onlyAdministrators = (_: unknown, caller: Caller): Sql | undefined => (caller.administrator ? undefined : nothing)

/** The operator at the command line: without a token, with every right. */
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

/** The service by itself, with every right, each time as another object: what it does then belongs together. */
export const service = (): Administrator => ({ ...operator, door: 'service' })
