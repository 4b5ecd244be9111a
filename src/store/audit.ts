import { firstOf, storable } from '../fields/value.ts'
import { limits } from '../limits.ts'
import type { Caller } from './access.ts'
import { nowText } from './clock.ts'
import type { Transaction } from './db.ts'
import { onlyAdministrators } from './administrator.ts'
import { insertRow, relation } from './listing.ts'
import type { Store } from './store.ts'

/** One sign-in or administrative act; kept for ever, never changed. */
export interface AuditEntry {
  readonly id: number
  /** In the instance's zone. */
  readonly time: string
  /** Who did it; 0: the operator at the command line, or nobody known. */
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
)

/** Written in the transaction of what it tells of, so that neither is there without the other. */
export async function note(
  store: Store,
  tx: Transaction,
  { userId, address }: Pick<Caller, 'userId' | 'address'>,
  action: string,
  subject: string,
  detail = '',
): Promise<void> {
  await insertRow(tx, auditEntries, {
    time: nowText(store),
    userId,
    address,
    action,
    subject,
    detail: storable(firstOf(detail, limits.noted.most)),
  })
}
