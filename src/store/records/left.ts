import type { Attribute } from '../../fields/field-type.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import { limits } from '../../limits.ts'

/*
 * Long values are not read with their records, so that any page takes little memory. The record has `left` in their place. They are read
 * one after the other while the answer is written (left-values.ts).
 */

/** The most bytes that a value of these attributes may have to be read with its record, where `records` records are read at once. */
export function inlineBytes(attributes: ReadonlyMap<string, Attribute>, records = limits.page.most): number {
  let texts = 0
  for (const { type, onlyNamed } of attributes.values()) if (typeof type.empty === 'string' && !onlyNamed) texts++
  return Math.floor(limits.pageInMemory.most / records / Math.max(1, texts))
}

/** Whether a value may have more bytes than `most`. `maxLength` does not rule that out: it may have been set after the value. */
export function canBeLeft({ type, name: key }: Attribute, most: number): boolean {
  if (typeof type.empty !== 'string' || type.kind === 'time' || key === 'add_time') return false
  return (type.longest ?? Infinity) * BYTES > most
}

/** Whether values of all of these together may have more bytes. */
export const canBeLonger = (attributes: readonly Attribute[], most: number): boolean =>
  attributes.reduce((sum, { type }) => sum + (type.longest ?? Infinity) * BYTES, 0) > most

/** The most bytes of a character in UTF-8. */
const BYTES = 4

/** SQL for a text, or NULL where it has more bytes than `most`. `bytes`: SQL for its length. */
export const unlessLong = (text: Sql, most: number, dialect: Dialect, bytes: Sql = dialect.bytesOf(text)): Sql =>
  sql`CASE WHEN ${bytes} <= ${most} THEN ${text} END`

/** SQL for the bytes of a value as it is shown. A list holds ids of options; its key column holds the labels, which are shown. */
export const shownBytes = ({ column, keyColumn, type }: Attribute, dialect: Dialect): Sql =>
  dialect.bytesOf(name(type.kind === 'set' && keyColumn ? keyColumn : column))
