export type IsMember = (id: number) => boolean

/** Ids of records: a set, or what can tell its members without being made as a whole. */
export interface Members {
  readonly size: number
  has(id: number): boolean
  /** What tests about so many ids, while the members stay as they are. */
  tester(tests: number): IsMember
  /** The members in ascending order, from the one at `offset` (0 is the first). */
  page(offset: number, limit: number): number[]
}
