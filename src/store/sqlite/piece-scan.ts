import { finder } from '../../filter/piece-search.ts'
import { Packing, type PackedSet } from '../../sets/packed-set.ts'
import { constant, name, sql, type Sql } from '../../sql/sql.ts'
import { bytesOf, LONG } from '../../sql/sqlite-indexes.ts'
import { all, rendered, type Prepare, type Rendered } from './connection.ts'

/* One pass through the texts of all records of a table, for several pieces: texts are compared in JavaScript, which is as exact (filter/predicate.ts). */

/** A read of the ids of the records in whose text a piece is, as a pass through all records of the table. */
export interface Scan {
  /** Records from an id on, which is the last parameter: the id, and the text, or NULL where it is long. */
  readonly records: Rendered
  /** The text of the record with the id that is the last parameter. */
  readonly text: Rendered
  readonly piece: string
}

/** Records that are read at once: their texts are shorter than LONG each, and long ones are read one by one. */
const AT_ONCE = 1_000

/** `text`: what is compared of a record of the table, folded as the piece is. */
export function scanOf({ table, text, piece }: { readonly table: string; readonly text: Sql; readonly piece: string }): Scan {
  const long = sql`${bytesOf(text)} >= ${LONG}`
  const records = sql`SELECT id, CASE WHEN ${long} THEN NULL ELSE ${text} END FROM ${name(table)}
    WHERE (id & 1023 <> 0 OR in_time(0)) AND id > ${0} ORDER BY id LIMIT ${constant(AT_ONCE)}`
  const one = sql`SELECT ${text} FROM ${name(table)} WHERE in_time(${bytesOf(text)}) AND id = ${0}`
  return { records: rendered(records), text: rendered(one), piece }
}

/** For each piece the records whose text has it, of one snapshot. The statements are those of a scan. */
export function setsWith(prepare: Prepare, [records, text]: readonly Rendered[], pieces: readonly string[]): PackedSet[] {
  const searched = pieces.map((piece) => ({ find: finder(piece), found: new Packing() }))
  for (let last = 0; ;) {
    const rows = all(prepare, withId(records!, last))
    for (const [key, short] of rows) {
      const id = Number(key)
      const content = String(short ?? all(prepare, withId(text!, id))[0]![0])
      for (const { find, found } of searched) if (find(content)) found.add(id)
    }
    if (rows.length < AT_ONCE) return searched.map(({ found }) => found.packed())
    last = Number(rows.at(-1)![0])
  }
}

const withId = ({ text, params }: Rendered, id: number): Rendered => ({ text, params: [...params.slice(0, -1), BigInt(id)] })
