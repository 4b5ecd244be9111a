import type { Attribute } from '../../fields/field-type.ts'
import { packedColumn } from '../../sets/number-column.ts'
import { TextColumn } from '../../sets/text-column.ts'
import { postgres } from '../../sql/postgres.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Table } from '../model/catalogue.ts'
import { isOfText } from './column-keys.ts'
import { ID, ID_BYTES, idOf, idsIn, PAIR, PAIR_BYTES, valuesIn } from './packed-rows.ts'
import type { PackedValues } from './record-column.ts'
import { textsOf, valuesOf } from './set-queries.ts'
import type { Fresh } from './set-source.ts'

/* How what all records have in an attribute is read of PostgreSQL: texts some records at a time, since one text of all of them might be too long. */

/** Reads the bytes of each row, as they are told by an expression; undefined: they are of no use any more. */
type Read = (query: Sql, told: Sql, isOfAll: boolean) => Promise<Fresh<Buffer> | undefined>

/** `count`: of the records of the table, about; `most`: bytes of texts. No answer: they have more, or the column cannot be made. */
export async function readColumn(
  table: Table,
  attribute: Attribute,
  count: number,
  most: number,
  read: Read,
): Promise<Fresh<PackedValues | undefined> | undefined> {
  if (isOfText(attribute)) return readTexts(count, most, (after) => read(textsOf(table, attribute, postgres, after, TOGETHER), TEXT, false))
  const found = await read(valuesOf(table, attribute, postgres), PAIR, true)
  return found && { ...found, answer: packedColumn(idsIn(found.answer, PAIR_BYTES), valuesIn(found.answer)) }
}

/** Records whose texts are read at once. */
const TOGETHER = 50_000

/** Id, bytes and UTF-8 of a text that is named `value`. */
const TEXT = sql`${ID} || int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8')`
const HEAD = ID_BYTES + 4

/** `read`: entries as `TEXT` has them, of up to TOGETHER records behind an id, by their ids. */
async function readTexts(
  count: number,
  most: number,
  read: (after: number) => Promise<Fresh<Buffer> | undefined>,
): Promise<Fresh<TextColumn | undefined> | undefined> {
  const column = new TextColumn(count)
  let seen = Infinity
  for (let after = -1; ;) {
    const part = await read(after)
    if (!part) return undefined
    // What changed since the first part was read is followed: then each text is as it is now.
    seen = Math.min(seen, part.seen)
    const { records, last } = put(column, part.answer)
    if (column.bytes > most) return { answer: undefined, seen }
    if (records < TOGETHER) return { answer: column, seen }
    after = last
  }
}

function put(column: TextColumn, bytes: Buffer): { readonly records: number; readonly last: number } {
  let [records, last] = [0, -1]
  for (let at = 0; at < bytes.length; records++) {
    const end = at + HEAD + bytes.readInt32BE(at + ID_BYTES)
    const id = idOf(bytes, at)
    column.put(id, bytes.subarray(at + HEAD, end))
    last = Math.max(last, id)
    at = end
  }
  return { records, last }
}
