/** What the address of the last changes says: whose, and a cursor. */
export interface ChangesSearch {
  /** Undefined: one's own; 0: those of the command line and the service. */
  readonly who?: number | 'all' | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** A member that is left out would keep what the address says. */
export const readChanges = ({ who, after, before }: Record<string, unknown>): ChangesSearch => ({
  who: who === 'all' || (Number.isSafeInteger(who) && Number(who) >= 0) ? (who as number | 'all') : undefined,
  after: typeof after === 'string' ? after : undefined,
  before: typeof before === 'string' ? before : undefined,
})
