import { constant, sql, type Sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { ways } from '../changes/codes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'

/*
 * What was done and undone again counts as nothing. A batch, what undid it, what undid that and so on are a family: each of them gives an
 * attribute of a record the value from before the family, or the one from after its first batch, in turn. So whether they left anything
 * of an attribute is told by the first and the last of them that touched it.
 */

type Reading = Pick<Transaction, 'all'>

/** How a batch is related to the first one of its family. */
export interface Member {
  /** The id of the first batch. */
  readonly family: number
  /** Whether it takes back what the first one did; otherwise it is that, or does it again. */
  readonly takesBack: boolean
}

export type Members = ReadonlyMap<number, Member>

/** Batches of undos that are looked for at once, the newest ones: those before, and their families, count as changes. */
const MOST = 200
/** So many batches, each of which undid the next: more count as changes. */
const DEEPEST = 200

/** A query for the batches of undos that changed records of a table in a span of the log, but for some. */
export const undosSince = (
  { oneOf }: Dialect,
  inTime: Sql,
  tableId: number,
  records: readonly number[],
  span: Sql,
  but: readonly number[],
): Sql =>
  sql`SELECT DISTINCT batch_id FROM changes WHERE ${inTime}table_id = ${tableId} AND ${oneOf(sql`record_id`, records)} AND ${span}
    AND via = ${constant(ways.undo)} AND NOT (${oneOf(sql`batch_id`, but)}) ORDER BY batch_id DESC LIMIT ${constant(MOST)}`

/** The families of batches that undid others. */
export async function familiesOf({ db: { dialect } }: Uses<'db'>, tx: Reading, undos: readonly number[]): Promise<Members> {
  const undoes = new Map<number, number>()
  for (let asked: readonly number[] = undos, level = 0; asked.length > 0 && level < DEEPEST; level++) {
    const rows = await tx.all(sql`SELECT id, undoes FROM batches WHERE undoes > 0 AND ${dialect.oneOf(sql`id`, asked)}`)
    for (const [id, undone] of rows) undoes.set(Number(id), Number(undone))
    asked = [...new Set(rows.map(([, undone]) => Number(undone)))].filter((id) => !undoes.has(id))
  }
  const members = new Map<number, Member>()
  for (const id of undoes.keys()) {
    let [family, depth] = [id, 0]
    for (let next = undoes.get(id); next !== undefined; next = undoes.get(next)) [family, depth] = [next, depth + 1]
    members.set(id, { family, takesBack: depth % 2 === 1 }).set(family, { family, takesBack: false })
  }
  return members
}

/** Changes of one record, of one batch where that has a family. */
interface Some {
  readonly member: Member | undefined
  readonly touched: ReadonlySet<string>
  readonly first: number
  readonly last: number
}

/** Whether changes of a record after a position left something of an attribute; `undefined`: of its coming and going. */
export function isLeft(log: readonly Some[], attribute: string | undefined, after: number): boolean {
  const later = log.filter(({ touched, last }) => last > after && (attribute === undefined ? touched.size === 0 : touched.has(attribute)))
  // What began before the position was not there as a whole.
  if (later.some(({ member, first }) => !member || first <= after)) return true
  return [...Map.groupBy(later, ({ member }) => member!.family).values()].some((some) => {
    const first = some.reduce((one, other) => (other.first < one.first ? other : one))
    const last = some.reduce((one, other) => (other.last > one.last ? other : one))
    return first.member!.takesBack === last.member!.takesBack
  })
}
