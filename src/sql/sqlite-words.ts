import type { TaggedWord, TextIndex, WordColumn, WordsAsked } from './dialect.ts'
import { asConstants, constant, join, name, sql, type Sql } from './sql.ts'
import { tokenOf } from './words.ts'

/*
 * What a text index of SQLite is made of: the text of one column, divided into grams; or that of many columns, divided into words, each with
 * the tag of its column.
 */

/** The records that have changed since the index was last updated, with the content that the index has of them. */
export const changed = (index: string): Sql => name(`${index}_changed`)

export function quoted(text: string, mark: "'" | '"'): string {
  return mark + text.replaceAll(mark, mark + mark) + mark
}

/** The columns whose changes concern the index. */
export const columnsOf = ({ column, words }: TextIndex): readonly string[] => [...new Set(words?.map((one) => one.column) ?? [column])]

/** Columns in one call: SQLite takes 127 arguments. */
const AT_ONCE = 60

/** What an index contains of a record, before it is divided. `row`: the table of the columns with a point, or nothing. */
export function contentOf({ column, words }: TextIndex, row = sql``): Sql {
  if (!words) return sql`${row}${name(column)}`
  const parts: Sql[] = []
  for (let from = 0; from < words.length; from += AT_ONCE) parts.push(arrayOf(words.slice(from, from + AT_ONCE), row))
  return sql`json_array(${join(parts, ', ')})`
}

function arrayOf(words: readonly WordColumn[], row: Sql): Sql {
  const pairs = words.map((one) => sql`${constant(one.tag)}, ${asConstants(one.text(sql`${row}${name(one.column)}`))}`)
  return sql`json_array(${join(pairs, ', ')})`
}

/** Its tokens, without those of another content. */
export function tokensOf({ words }: TextIndex, content: Sql, without?: Sql): Sql {
  const given = without ? sql`${content}, ${without}` : content
  return words ? sql`words(${given})` : sql`grams(${given})`
}

/** Its bytes, which SQLite takes from the header of the row. */
export const sizeOf = (one: TextIndex, row = sql``): Sql =>
  sql`(${join(
    columnsOf(one).map((column) => sql`octet_length(${row}${name(column)})`),
    ' + ',
  )})`

/** The records of the index with these words, and those that changed or came since, by the exact condition. */
export function withWords({ index, table, covered }: TextIndex, { every, instead }: WordsAsked, exact: Sql): Sql {
  const inTime = (id: Sql) => sql`(${id} & 255 <> 0 OR in_time(0))`
  const renewed = sql`SELECT ${name(table)}.id FROM ${changed(index)} AS one CROSS JOIN ${name(table)} ON ${name(table)}.id = one.id
    WHERE ${inTime(sql`one.id`)} AND ${exact}`
  const later = sql`SELECT id FROM ${name(table)} WHERE id > ${covered} AND ${inTime(sql`id`)} AND ${exact}`
  const groups = every.some((one) => one.length === 0) ? [] : [every.map(anyOfWords).join(' AND ')]
  const asked = [...groups, ...(instead.length > 0 ? [anyOfWords(instead)] : [])].map((one) => `(${one})`).join(' OR ')
  if (asked === '') return sql`SELECT id FROM ${name(table)} WHERE 1 = 0`
  return sql`SELECT ${name(index)}.rowid AS id FROM ${name(index)} WHERE ${inTime(sql`${name(index)}.rowid`)} AND ${name(index)} MATCH ${asked}
    AND ${name(index)}.rowid NOT IN (SELECT id FROM ${changed(index)}) UNION ALL ${renewed} UNION ALL ${later}`
}

const anyOfWords = (words: readonly TaggedWord[]): string =>
  `(${words.map(({ tag, word, isWhole }) => `${quoted(tokenOf(tag, word), '"')}${isWhole ? '' : ' *'}`).join(' OR ')})`
