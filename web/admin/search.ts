import { areasOfActs, type AreaOfActs } from './acts.ts'

/** What the address of the designer says: which field is open, or that a new one is made. */
export interface DesignerSearch {
  readonly field?: number | 'new' | undefined
}

export const readDesigner = ({ field }: Record<string, unknown>): DesignerSearch => ({
  field: field === 'new' ? field : Number.isSafeInteger(field) && Number(field) > 0 ? Number(field) : undefined,
})

/** What the address of the webhooks says: which one is open, and which deliveries are shown. */
export interface WebhooksSearch {
  readonly webhook?: number | 'new' | undefined
  readonly show?: 'failed' | undefined
}

export const readWebhooks = ({ webhook, show }: Record<string, unknown>): WebhooksSearch => ({
  webhook: webhook === 'new' ? webhook : Number.isSafeInteger(webhook) && Number(webhook) > 0 ? Number(webhook) : undefined,
  show: show === 'failed' ? show : undefined,
})

/** What the address of the audit log says: its filter, and a cursor. */
export interface AuditSearch {
  readonly who?: number | undefined
  readonly act?: AreaOfActs | undefined
  /** Days. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

export const readAudit = ({ who, act, from, to, after, before }: Record<string, unknown>): AuditSearch => ({
  who: Number.isSafeInteger(who) && Number(who) >= 0 ? Number(who) : undefined,
  act: typeof act === 'string' && Object.hasOwn(areasOfActs, act) ? (act as AreaOfActs) : undefined,
  from: readDay(from),
  to: readDay(to),
  after: typeof after === 'string' ? after : undefined,
  before: typeof before === 'string' ? before : undefined,
})

const readDay = (text: unknown): string | undefined => (typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined)

/** What the address of the tokens says: whether those of all are shown. */
export interface TokensSearch {
  readonly of?: 'all' | undefined
}

export const readTokens = ({ of }: Record<string, unknown>): TokensSearch => ({ of: of === 'all' ? of : undefined })
