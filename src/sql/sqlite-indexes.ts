import type { Answer, Apart, IndexStatements, TextIndex } from './dialect.ts'
import { gramsWithin, searchFor } from './grams.ts'
import { anyOf, constant, join, name, sql, type Sql } from './sql.ts'
import { bothOf, changed, columnsOf, contentOf, lostOf, quoted, sizeOf, tokensOf, withWords } from './sqlite-words.ts'

const events = ['insert', 'delete', 'update'] as const
const trigger = (index: string, event: (typeof events)[number]): Sql => name(`${index}_${event}`)
const grams = (index: string): Sql => name(`${index}_grams`)
const counts = (index: string): Sql => name(`${index}_counts`)

/** Bytes of a text from which on the clock is checked before the text is searched. */
export const LONG = constant(4_096)

/** SQLite takes it from the header of the row, without reading the text. */
export const bytesOf = (text: Sql): Sql => sql`octet_length(${text})`

/** True while there is time to search a text. When the time is over, the statement fails. */
export const inTimeFor = (text: Sql): Sql => sql`(${bytesOf(text)} < ${LONG} OR in_time(${bytesOf(text)}))`

/** The sample in which grams are counted: so many records, and so many bytes of their texts, but FEWEST records in any case. */
const SAMPLE = 1_000
const SAMPLE_BYTES = 1_048_576
const FEWEST = 16
/** Transactions in which the sample is read. */
const SAMPLE_PARTS = 16
/** The counts of the most frequent grams are kept, of so many: all are written in one step. */
const COUNTED = 100_000
/** No gram is so short. Its "count" is the last id of the table when grams were counted. */
const COUNTED_TO = '.'
/** The share of records from which on a scan is used: finding a record by the index costs about three times as much. */
const TOO_MANY = 0.3

/**
 * Plain indexes end with the id in SQLite. A text index is an FTS5 table of grams (grams.ts) over the column, without a copy of the
 * text and without positions, so what several grams find is compared with the record. It contains the records up to the id
 * `covered`. Later records are scanned until the index is updated. So are changed records: triggers store their ids with the text that
 * the index has of them, of an index of words with those of the columns that changed. Thus a write costs little, and an update of many
 * records in the order of their ids costs much less than one at a time.
 */
export const sqliteIndexes: IndexStatements = {
  make: (index, table, expression, descending) => [
    sql`CREATE INDEX ${name(index)} ON ${name(table)} (${expression}${descending ? sql` DESC` : sql``})`,
    sql`PRAGMA analysis_limit = 1000`,
    sql`ANALYZE ${name(index)}`,
  ],
  longest: Infinity,
  drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
  bytes: (index) => sql`SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = 1 AND
    name IN (${index}, ${`${index}_data`}, ${`${index}_idx`}, ${`${index}_config`}, ${`${index}_counts`}, ${`${index}_changed`})`,
  unindexed: (value) => sql`+${value}`,
  texts: {
    areAvailable: true,
    form: () => 'grams, changes by column, merges apart',
    make: (one) => [
      sql`CREATE VIEW ${grams(one.index)} AS SELECT id, ${tokensOf(one, contentOf(one))} AS grams FROM ${name(one.table)}`,
      sql`CREATE VIRTUAL TABLE ${name(one.index)} USING fts5(grams, content=${constant(`${one.index}_grams`)}, content_rowid='id',
        tokenize=${constant(tokenizer)}, columnsize=0, detail=none)`,
      // No automatic merges: they would make an insert take seconds.
      set(one.index, 'automerge', 0),
      set(one.index, 'crisismerge', MOST_PARTS),
      set(one.index, 'usermerge', 2),
      sql`CREATE TABLE ${counts(one.index)} (gram TEXT PRIMARY KEY, records INTEGER NOT NULL) WITHOUT ROWID`,
      sql`CREATE TABLE ${changed(one.index)} (id INTEGER PRIMARY KEY, was TEXT)`,
      ...triggers(one),
    ],
    drop: (index) => [
      ...events.map((event) => sql`DROP TRIGGER IF EXISTS ${trigger(index, event)}`),
      sql`DROP TABLE IF EXISTS ${name(index)}`,
      sql`DROP TABLE IF EXISTS ${counts(index)}`,
      sql`DROP TABLE IF EXISTS ${changed(index)}`,
      sql`DROP VIEW IF EXISTS ${grams(index)}`,
    ],
    known: (asked) => asked.map(({ text, piece }) => countsOf(text, piece)),
    holding,
    holdingApart,
    perhapsHolding,
    haveWords: true,
    withWords,
    upkeep: {
      changed: (text, most) =>
        sql`SELECT one.id AS id, coalesce(octet_length(one.was), 0) + coalesce(${sizeOf(text, sql`record.`)}, 0) AS bytes
          FROM ${changed(text.index)} AS one LEFT JOIN ${name(text.table)} AS record ON record.id = one.id ORDER BY one.id LIMIT ${most}`,
      later: (text, most) =>
        sql`SELECT id, ${sizeOf(text)} AS bytes FROM ${name(text.table)} WHERE id > ${text.covered} ORDER BY id LIMIT ${most}`,
      parts: (index) => sql`SELECT count(DISTINCT segid) FROM ${name(`${index}_idx`)}`,
      merge: (index, pages) => set(index, 'merge', pages),
      renew,
      cover: (text, to) =>
        sql`INSERT INTO ${name(text.index)} (rowid, grams) SELECT id, ${tokensOf(text, contentOf(text))}
          FROM ${name(text.table)} WHERE id > ${text.covered} AND id <= ${to}`,
      lastLearned: ({ index, table }) =>
        sql`SELECT coalesce(max(id), 0), (SELECT records FROM ${counts(index)} WHERE gram = ${COUNTED_TO}) FROM ${name(table)}`,
      sample,
      learn,
      look: (index) => sql`SELECT 1 FROM ${name(index)} WHERE rowid = 0`,
      sound: ({ index }) => sql`INSERT INTO ${name(index)} (${name(index)}, rank) VALUES ('integrity-check', 1)`,
    },
  },
}

/** Segments at which FTS5 merges them without being told; an index never has as many. SQLite allows 2,000. */
const MOST_PARTS = 1_999

/** Changes a setting of the FTS5 table, which stores it, or runs a command such as `merge`. */
const set = (index: string, what: string, value: number): Sql =>
  sql`INSERT INTO ${name(index)} (${name(index)}, rank) VALUES (${constant(what)}, ${constant(value)})`

/** The tokenizer takes every character as part of a token, except NUL, which separates grams. Texts are folded, so it changes no case. */
const signs = Array.from({ length: 0x7f }, (_, i) => String.fromCharCode(i + 1)).filter((sign) => !/[a-z0-9]/i.test(sign))
const tokenizer = `ascii tokenchars ${quoted(signs.join(''), "'")}`

/** For each gram of a piece, how many records of the sample have it. The row of the gram '' has the number of records in the sample. */
const countsOf = ({ index }: TextIndex, piece: string): Sql =>
  sql`SELECT gram, records FROM ${counts(index)} WHERE gram IN (SELECT value FROM json_each(${JSON.stringify(['', ...gramsWithin(piece)])}))`

function holding(one: TextIndex, piece: string, known: Answer): Sql | undefined {
  const { ids, renewed, later } = held(one, piece, known) ?? {}
  return ids && sql`${ids} UNION ALL ${renewed!} UNION ALL ${later!}`
}

function holdingApart(one: TextIndex, piece: string, known: Answer): Apart | undefined {
  const { ids } = held(one, piece, known) ?? {}
  return ids && { ids, untested: othersThan(one) }
}

function perhapsHolding(one: TextIndex, piece: string, known: Answer): Apart | undefined {
  const found = foundBy(one, piece, known)
  return found && { ids: sql`SELECT rowid AS id FROM ${name(one.index)} WHERE ${found.condition}`, untested: othersThan(one) }
}

/** Ids of the records that the index has not as they are now. */
const othersThan = ({ index, table, covered }: TextIndex): Sql =>
  sql`SELECT id FROM ${changed(index)} UNION ALL SELECT id FROM ${name(table)} WHERE id > ${covered} AND (id & 255 <> 0 OR in_time(0))`

/** What is asked of the index, and whether what it finds has to be compared with the records; undefined: a scan costs less. */
function foundBy({ index }: TextIndex, piece: string, known: Answer): { readonly condition: Sql; readonly isExact: boolean } | undefined {
  if (piece.includes('\0')) return undefined
  const search = searchFor(piece, shareIn(known))
  if (search.share > TOO_MANY) return undefined
  const asked = search.grams.map((gram) => quoted(gram, '"')).join(' AND ')
  return {
    condition: sql`(${name(index)}.rowid & 255 <> 0 OR in_time(0)) AND ${name(index)} MATCH ${search.by === 'beginning' ? `${asked} *` : asked}`,
    isExact: search.by !== 'several',
  }
}

/** Queries for the ids that hold a piece: of the records that the index has as they are, of those that changed since, of those that came later. */
function held(one: TextIndex, piece: string, known: Answer) {
  const found = foundBy(one, piece, known)
  if (!found) return undefined
  const { index, table, column, covered } = one
  const text = sql`${name(table)}.${name(column)}`
  const has = sql`${inTimeFor(text)} AND instr(${text}, ${piece}) > 0`
  const renewed = sql`SELECT ${name(table)}.id FROM ${changed(index)} AS one CROSS JOIN ${name(table)} ON ${name(table)}.id = one.id
    WHERE (one.id & 255 <> 0 OR in_time(0)) AND ${has}`
  const later = sql`SELECT id FROM ${name(table)} WHERE id > ${covered} AND (id & 255 <> 0 OR in_time(0)) AND ${has}`
  const compared = sql`CROSS JOIN ${name(table)} ON ${name(table)}.id = ${name(index)}.rowid AND ${has}`
  const ids = sql`SELECT ${name(index)}.rowid AS id FROM ${name(index)} ${found.isExact ? sql`` : compared} WHERE ${found.condition}
    AND ${name(index)}.rowid NOT IN (SELECT id FROM ${changed(index)})`
  return { ids, renewed, later }
}

/** The share of records that have a gram, 0 to 1, from the counts. A gram without a count was in one record of the sample at most. */
function shareIn(known: Answer): (gram: string) => number {
  const records = new Map(known.map(([gram, count]) => [String(gram), Number(count)]))
  const all = records.get('') ?? 1
  return (gram) => (records.get(gram) ?? 0.5) / all
}

/**
 * Counts the grams of a sample: of records at equal distances along the ids, in a pseudo-random order, as many as have SAMPLE_BYTES. Each
 * list of statements is one transaction, which writes temporary tables only.
 */
function sample({ table, column }: TextIndex): Sql[][] {
  const [text, all] = [name(column), name(table)]
  const places = sql`WITH RECURSIVE place (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM place WHERE n < ${SAMPLE - 1})
    SELECT DISTINCT (SELECT min(id) FROM ${all} WHERE id > n * (SELECT max(id) FROM ${all}) / ${SAMPLE}) FROM place`
  const part = (n: number) =>
    sql`INSERT INTO temp.sampled (rowid, grams) SELECT record.id, grams(record.${text})
      FROM temp.sample AS one CROSS JOIN ${all} AS record ON record.id = one.id WHERE one.n % ${SAMPLE_PARTS} = ${n}`
  return [
    [
      ...noSample,
      sql`DROP TABLE IF EXISTS temp.learned`,
      sql`CREATE TEMP TABLE sample (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)`,
      sql`INSERT INTO temp.sample (id, n) SELECT id, n
        FROM (SELECT id, row_number() OVER shuffled AS n, sum(octet_length(${text})) OVER shuffled AS bytes FROM ${all} WHERE id IN (${places})
          WINDOW shuffled AS (ORDER BY id * 2654435761 & 4294967295 ROWS UNBOUNDED PRECEDING))
        WHERE bytes <= ${SAMPLE_BYTES} OR n <= ${FEWEST}`,
      sql`CREATE VIRTUAL TABLE temp.sampled USING fts5(grams, content='', tokenize=${constant(tokenizer)}, columnsize=0, detail=none)`,
      sql`CREATE VIRTUAL TABLE temp.sampled_grams USING fts5vocab('temp', 'sampled', 'row')`,
    ],
    ...Array.from({ length: SAMPLE_PARTS }, (_, n) => [part(n)]),
    [
      madeLearned,
      sql`INSERT INTO temp.learned (gram, records) SELECT term, doc FROM temp.sampled_grams WHERE doc > 1 ORDER BY doc DESC LIMIT ${COUNTED}`,
      sql`INSERT INTO temp.learned (gram, records) SELECT '', count(*) FROM temp.sample`,
      sql`INSERT INTO temp.learned (gram, records) SELECT ${COUNTED_TO}, coalesce(max(id), 0) FROM ${all}`,
      ...noSample,
    ],
  ]
}

const noSample = ['sampled_grams', 'sampled', 'sample'].map((one) => sql`DROP TABLE IF EXISTS temp.${name(one)}`)
const madeLearned = sql`CREATE TEMP TABLE IF NOT EXISTS learned (gram TEXT PRIMARY KEY, records INTEGER NOT NULL) WITHOUT ROWID`

/** Copies the counts of the sample into the index. If they were lost with their thread, nothing is written, and `lastLearned` shows it. */
function learn({ index }: TextIndex): Sql[] {
  return [
    madeLearned,
    sql`DELETE FROM ${counts(index)} WHERE EXISTS (SELECT 1 FROM temp.learned)`,
    sql`INSERT INTO ${counts(index)} (gram, records) SELECT gram, records FROM temp.learned`,
    sql`DROP TABLE temp.learned`,
  ]
}

/** Updates the changed records. Only grams that a text has lost or gained are written. */
function renew(text: TextIndex, to: number): Sql[] {
  const { index, table } = text
  const content = contentOf(text, sql`record.`)
  const [one, all] = [sql`${changed(index)} AS one`, sql`${name(table)} AS record`]
  const upTo = sql`one.id <= ${to} ORDER BY one.id`
  return [
    sql`INSERT INTO ${name(index)} (${name(index)}, rowid, grams) SELECT 'delete', one.id, ${tokensOf(text, sql`one.was`, sql`CASE WHEN record.id IS NULL THEN '' ELSE ${content} END`)}
      FROM ${one} LEFT JOIN ${all} ON record.id = one.id WHERE one.was IS NOT NULL AND ${upTo}`,
    sql`INSERT INTO ${name(index)} (rowid, grams) SELECT one.id, ${tokensOf(text, content, sql`coalesce(one.was, '')`)}
      FROM ${one} CROSS JOIN ${all} ON record.id = one.id WHERE ${upTo}`,
    sql`DELETE FROM ${changed(index)} WHERE id <= ${to}`,
  ]
}

/**
 * Triggers that store what the index has of a covered record, and the record has no more: of words the texts of the columns that changed, of
 * grams its text. NULL: the index does not have the record, which was inserted below `covered`.
 */
function triggers(text: TextIndex): Sql[] {
  const { index, table, covered } = text
  const columns = columnsOf(text)
  const isOther = anyOf(columns.map((column) => sql`OLD.${name(column)} <> NEW.${name(column)}`))
  const again = text.words ? sql`UPDATE SET was = ${bothOf(sql`was`, sql`excluded.was`)} WHERE was IS NOT NULL` : sql`NOTHING`
  const note = (id: Sql, was: Sql, onConflict: Sql) =>
    sql`BEGIN INSERT INTO ${changed(index)} (id, was) VALUES (${id}, ${was}) ON CONFLICT (id) DO ${onConflict}; END`
  return [
    sql`CREATE TRIGGER ${trigger(index, 'insert')} AFTER INSERT ON ${name(table)} WHEN NEW.id <= ${covered} ${note(sql`NEW.id`, sql`NULL`, sql`NOTHING`)}`,
    sql`CREATE TRIGGER ${trigger(index, 'delete')} AFTER DELETE ON ${name(table)} WHEN OLD.id <= ${covered} ${note(sql`OLD.id`, contentOf(text, sql`OLD.`), again)}`,
    sql`CREATE TRIGGER ${trigger(index, 'update')} AFTER UPDATE OF ${join(columns.map(name), ', ')} ON ${name(table)}
      WHEN ${isOther} AND OLD.id <= ${covered} ${note(sql`OLD.id`, lostOf(text), again)}`,
  ]
}
