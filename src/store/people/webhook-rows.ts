import { sql, type Sql } from '../../sql/sql.ts'
import { relation } from '../ground/relation.ts'
import type { Caller } from '../model/access.ts'

/* Webhooks as rows (webhooks/webhooks.ts): here, since a change of options rewords their filters too. */

/** A program that is sent the changes that its user may read. */
export interface Webhook {
  readonly id: number
  readonly url: string
  /** 0: all tables. */
  readonly tableId: number
  /** Of changes; none: all. */
  readonly actions: readonly string[]
  /** Changes of records that meet it before or after the change; '': all. */
  readonly filter: string
  readonly active: boolean
  /** Who made it, and whose rights it has. */
  readonly userId: number
  readonly madeAt: string
  /** Why it sends nothing, as the code of an error or a word of `hookFaults`; '' where it does. */
  readonly fault: string
}

export const webhooks = relation<Webhook>(
  'webhooks',
  {
    id: ['id', 'integer'],
    url: ['url', 'longtext'],
    tableId: ['table_id', 'integer'],
    actions: ['actions', 'words'],
    filter: ['filter', 'longtext'],
    active: ['active', 'boolean'],
    userId: ['user_id', 'integer'],
    madeAt: ['made_at', 'datetime'],
    fault: ['fault', 'text'],
  },
  visibleWebhooks,
  undefined,
  { logging: { silent: ['fault'], secret: ['secret'], partly: { url: placeOf } } },
)

/** Users see their own, administrators all. */
export function visibleWebhooks(_: unknown, caller: Caller): Sql | undefined {
  return caller.administrator ? undefined : sql`user_id = ${caller.userId}`
}

/** An address without its path and query, which may hold a secret of the receiver. */
export function placeOf(url: string): string {
  return new URL(url).origin
}
