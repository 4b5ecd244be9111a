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
  return objectOf(words, row)
}

/** What a change takes from that: the texts of a trigger's OLD that NEW does not have, one at least. Put together as text, which costs least. */
export function lostOf({ column, words }: TextIndex): Sql {
  if (!words) return sql`OLD.${name(column)}`
  const lost = (one: WordColumn) => sql`CASE WHEN OLD.${name(one.column)} <> NEW.${name(one.column)}
    THEN ${constant(`,${JSON.stringify(one.tag)}:`)} || json_quote(${textOf(one, sql`OLD.`)}) ELSE '' END`
  // In groups: SQLite nests 1,000 operators at most.
  const groups = inGroups(words).map((some) => sql`(${join(some.map(lost), ' || ')})`)
  return sql`'{' || substr(${join(groups, ' || ')}, 2) || '}'`
}

/** What two changes of a record took together: of a column that both changed, the index has what the first one took. */
export const bothOf = (first: Sql, next: Sql): Sql => sql`json_patch(${next}, ${first})`

const textOf = (one: WordColumn, row: Sql): Sql => asConstants(one.text(sql`${row}${name(one.column)}`))

/** A JSON object of a text for each tag. */
function objectOf(words: readonly WordColumn[], row: Sql): Sql {
  const members = (one: WordColumn) => sql`${constant(one.tag)}, ${textOf(one, row)}`
  const parts = inGroups(words).map((some) => sql`json_object(${join(some.map(members), ', ')})`)
  return parts.reduce((before, next) => sql`json_patch(${before}, ${next})`)
}

const inGroups = (words: readonly WordColumn[]): (readonly WordColumn[])[] =>
  Array.from({ length: Math.ceil(words.length / AT_ONCE) }, (_, i) => words.slice(i * AT_ONCE, (i + 1) * AT_ONCE))

/** Its tokens, without those of another content: of words, those of the columns that this one has. */
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
