import type { Attribute } from '../../fields/field-type.ts'
import { setLast } from '../../memory/lru.ts'
import { memo } from '../../memory/memo.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Asker } from '../model/asker.ts'
import type { Table } from '../model/catalogue.ts'
import { actions } from './codes.ts'

/*
 * For changes of records, the first later change of the record that names a column. A record may have hundreds of thousands of later changes,
 * and who reads the log page by page asks for them again with each page: so for such records it is remembered what was found.
 */

/** A change, up to which later ones are looked for: the next one of the record that is asked for, or `END`. */
export interface Asked {
  readonly id: number
  readonly recordId: number
  readonly upTo: number
}

export const END = Number.MAX_SAFE_INTEGER

/** For a column: the first later change that names it, and the last later conversion of its field. */
export interface Later {
  readonly naming: number | undefined
  readonly converting: number | undefined
}

/** What was found for the later changes of a record after `from`, up to `to`: by the place of the attribute. */
interface Found {
  readonly from: number
  readonly to: number
  readonly columns: readonly Later[]
}

/** Later changes of a record from which on it is remembered. */
const MANY = 200
/** Changes that are looked at first where a column was named before. */
const WINDOW = 200
/** Records that are remembered for the same columns, and sets of columns. */
const RECORDS = 200
const SETS = 20

const remembered = memo((_: Table) => new Map<string, Map<string, Found>>())

export interface LaterChanges {
  /** To be read in the snapshot in which the records are read. */
  readonly query: Sql
  /** From its answer, by the id of the change and the place of the attribute. */
  read(rows: readonly Row[]): Promise<ReadonlyMap<number, readonly Later[]>>
}

export function laterChanges(
  store: Uses<'db'>,
  by: Asker,
  table: Table,
  asked: readonly Asked[],
  attributes: readonly Attribute[],
): LaterChanges {
  const known = knownOf(table, attributes)
  const keyOf = ({ recordId }: Asked) => `${by.userId} ${recordId}`
  const before = new Map<Asked, Found>()
  for (const one of asked) {
    const found = one.upTo === END ? known.get(keyOf(one)) : undefined
    if (found && found.from <= one.id) before.set(one, found)
  }
  const spans = (some: readonly Asked[], since: (one: Asked) => number) => {
    const given = some.map((one) => [one.id, one.recordId, since(one), one.upTo])
    return spansOf(store.db.dialect, table, attributes, given)
  }
  return {
    query: spans(asked, (one) => before.get(one)?.to ?? one.id),
    async read(rows) {
      const { now, stale } = foundIn(answersIn(rows), asked, before)
      for (const [one, columns] of await nextOf(store, by, table, stale, attributes, (some) => spans(some, ({ id }) => id))) {
        const passed = stale.get(one)!
        const found = now.get(one)!
        const renewed = found.columns.map((column, i) => (passed.includes(i) ? { ...column, naming: columns[i]!.naming } : column))
        now.set(one, { ...found, columns: renewed })
      }
      for (const [one, found] of now)
        if (one.upTo === END && (before.has(one) || found.count >= MANY)) setLast(known, keyOf(one), found, RECORDS)
      return new Map([...now].map(([one, { columns }]) => [one.id, columns.map((column) => after(one.id, column))]))
    },
  }
}

/** What is known of the later changes of each, and of which columns (by the places of their attributes) the next change is not. */
function foundIn(answers: ReadonlyMap<number, Answer>, asked: readonly Asked[], before: ReadonlyMap<Asked, Found>) {
  const now = new Map<Asked, Found & { readonly count: number }>()
  const stale = new Map<Asked, readonly number[]>()
  for (const one of asked) {
    const [answer, known] = [answers.get(one.id), before.get(one)]
    const to = answer?.last ?? known?.to
    if (to === undefined) continue
    const columns = known ? known.columns.map((column, i) => joined(column, answer?.columns[i])) : answer!.columns
    now.set(one, { from: one.id, to, columns, count: answer?.count ?? 0 })
    const passed = columns.flatMap(({ naming = END }, i) => (naming <= one.id ? i : []))
    if (passed.length > 0) stale.set(one, passed)
  }
  return { now, stale }
}

function knownOf(table: Table, attributes: readonly Attribute[]): Map<string, Found> {
  const sets = remembered(table)
  const key = attributes.map(({ column }) => column).join()
  const known = sets.get(key) ?? new Map<string, Found>()
  setLast(sets, key, known, SETS)
  return known
}

const joined = (found: Later, since: Later | undefined): Later => ({
  naming: found.naming ?? since?.naming,
  converting: since?.converting ?? found.converting,
})

/** Of what was found from an earlier change on, what is after this one. */
const after = (id: number, { naming, converting }: Later): Later => ({
  naming: naming !== undefined && naming > id ? naming : undefined,
  converting: converting !== undefined && converting > id ? converting : undefined,
})

/**
 * For records of which some columns (by the places of their attributes) were named up to these changes: by which change next. That is near,
 * mostly; else all later changes are looked at.
 */
async function nextOf(
  { db }: Uses<'db'>,
  by: Asker,
  table: Table,
  asked: ReadonlyMap<Asked, readonly number[]>,
  attributes: readonly Attribute[],
  all: (some: readonly Asked[]) => Sql,
): Promise<ReadonlyMap<Asked, readonly Later[]>> {
  if (asked.size === 0) return new Map()
  const near = await db.readLittle(by, ...[...asked.keys()].map((one) => windowOf(db.dialect, table, one, attributes)))
  const next = new Map<Asked, readonly Later[]>()
  const far: Asked[] = []
  for (const [i, [one, places]] of [...asked].entries()) {
    const answer = answersIn(near[i]!).get(one.id)
    const columns = answer?.columns ?? attributes.map(() => ({ naming: undefined, converting: undefined }))
    next.set(one, columns)
    if (answer?.count === WINDOW && places.some((place) => columns[place]!.naming === undefined)) far.push(one)
  }
  if (far.length === 0) return next
  const [rows] = await db.readLittle(by, all(far))
  const answers = answersIn(rows!)
  for (const one of far) next.set(one, answers.get(one.id)?.columns ?? next.get(one)!)
  return next
}

interface Answer {
  /** Later changes that were looked at, and the last of them. */
  readonly count: number
  readonly last: number
  readonly columns: readonly Later[]
}

function answersIn(rows: readonly Row[]): ReadonlyMap<number, Answer> {
  const number = (value: Row[number] | undefined) => (value === null || value === undefined ? undefined : Number(value))
  return new Map(
    rows.map(([change, count, last, ...found]) => {
      const columns = Array.from({ length: found.length / 2 }, (_, i) => ({
        naming: number(found[2 * i]),
        converting: number(found[2 * i + 1]),
      }))
      return [Number(change), { count: Number(count), last: Number(last), columns }]
    }),
  )
}

/** A row for each change with later ones: its id, how many they are, the last of them, and for each column the two members of `Later`. */
function spansOf(dialect: Dialect, { id }: Table, attributes: readonly Attribute[], asked: readonly (readonly number[])[]): Sql {
  const given = dialect.given(['change_id', 'record', 'since', 'up_to'], asked)
  return sql`SELECT asked.change_id, ${found(dialect, attributes)} FROM ${given} AS asked CROSS JOIN changes AS log
    WHERE log.table_id = ${id} AND log.record_id = asked.record AND log.id > asked.since AND log.id <= asked.up_to GROUP BY asked.change_id`
}

/** The same of one change, of the next later ones only. */
function windowOf(dialect: Dialect, { id }: Table, asked: Asked, attributes: readonly Attribute[]): Sql {
  return sql`SELECT change_id, ${found(dialect, attributes)} FROM (SELECT ${asked.id} AS change_id, id, action, touched, content FROM changes
    WHERE table_id = ${id} AND record_id = ${asked.recordId} AND id > ${asked.id} ORDER BY id LIMIT ${WINDOW}) AS log GROUP BY change_id`
}

const found = (dialect: Dialect, attributes: readonly Attribute[]): Sql =>
  join(
    [
      sql`count(*)`,
      sql`max(log.id)`,
      ...attributes.flatMap(({ name: key, column }) => {
        const touches = sql`log.touched LIKE ${constant(`%|${key}|%`)}`
        const names = sql`CASE WHEN log.touched = '' THEN ${dialect.memberOf(sql`log.content`, column)} IS NOT NULL ELSE ${touches} END`
        return [
          sql`min(CASE WHEN ${names} THEN log.id END)`,
          sql`max(CASE WHEN log.action = ${constant(actions.convert)} AND ${touches} THEN log.id END)`,
        ]
      }),
    ],
    ', ',
  )
