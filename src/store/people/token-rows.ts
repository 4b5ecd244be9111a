import { sql, type Sql } from '../../sql/sql.ts'
import { relation } from '../ground/relation.ts'
import type { Caller } from '../model/access.ts'

export interface Token {
  readonly id: number
  readonly userId: number
  readonly title: string
  readonly scope: 'read' | 'write'
  /** Ids of the tables it is limited to; null: all. */
  readonly tables: readonly number[] | null
  readonly created: string
  /** In the instance's zone; the empty date-time for never, as for a token not used yet. */
  readonly expires: string
  readonly lastUsed: string
  /** Of a browser: sent as a cookie. */
  readonly isSession: boolean
}

export const tokens = relation<Token>(
  'tokens',
  {
    id: ['id', 'integer'],
    userId: ['user_id', 'integer'],
    title: ['title', 'text'],
    scope: ['scope', 'text'],
    tables: ['tables', 'json'],
    created: ['created', 'datetime'],
    expires: ['expires', 'datetime'],
    lastUsed: ['last_used', 'datetime'],
    isSession: ['session', 'boolean'],
  },
  visibleTokens,
  undefined,
  { logging: { silent: ['lastUsed'] } },
)

/** Users see their own, administrators all; a token limited to some tables sees itself alone. */
export function visibleTokens(_: unknown, caller: Caller): Sql | undefined {
  return caller.administrator ? undefined : ownTokens(caller)
}

/** Those that the caller holds; a token limited to some tables holds itself alone. */
export const ownTokens = ({ userId, tokenId, tables: limitedTo }: Caller): Sql =>
  limitedTo ? sql`id = ${tokenId}` : sql`user_id = ${userId}`
