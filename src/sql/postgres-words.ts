import type { TaggedWord, TextIndex, WordsAsked } from './dialect.ts'
import { asConstants, constant, join, name, raw, sql, type Sql } from './sql.ts'
import { isReversed, LONGEST_WORD, separatorClass, tokenOf } from './words.ts'

/*
 * An index of words in PostgreSQL: a GIN index over a tsvector of all words of a record, each with the tag of its column. PostgreSQL would
 * divide texts in its own way (to_tsvector); so a function divides them as words.ts does. It is part of the schema.
 */

/** Another function, with another name, where it would give other words. */
const wordsOf = raw('kartoteka_words_17')

/** Bytes of the texts of a record from which on its only word is MANY, since a tsvector holds less than 1 MiB: such records are scanned. */
const MOST_BYTES = 200_000
/** No tag is so short. */
const MANY = '~'

const SEPARATORS = `[${separatorClass}]+`
/** The first LONGEST_WORD characters of a word that has more. */
const LONG_WORDS = `([^${separatorClass}]{${LONGEST_WORD}})[^${separatorClass}]+`

/**
 * In plpgsql, whose plan is kept for a connection. A separator becomes chr(1), which is one itself, with the tag of the next word. The cost
 * keeps the planner from calling the function for every record instead of using the index.
 */
const makeFunction = sql`CREATE OR REPLACE FUNCTION ${wordsOf}(VARIADIC given text[]) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 AS $$
  DECLARE words text := ''; one text; tag text; bytes integer := 0; i integer := 1;
  BEGIN
    WHILE i < array_length(given, 1) LOOP
      tag := given[i] || ' ';
      one := given[i + 1];
      bytes := bytes + octet_length(one);
      IF bytes > ${constant(MOST_BYTES)} THEN RETURN ${constant(MANY)}::tsvector; END IF;
      IF octet_length(one) > ${constant(LONGEST_WORD)} THEN one := regexp_replace(one COLLATE "C", ${constant(LONG_WORDS)}, '\\1', 'g'); END IF;
      words := words || tag || regexp_replace(one COLLATE "C", ${constant(SEPARATORS)}, chr(1) || tag, 'g') || chr(1);
      i := i + 2;
    END LOOP;
    RETURN array_to_tsvector(array_remove(string_to_array(words, chr(1)), ''));
  END $$`

/** The words of a record. The index is used only for this very expression. */
function wordsIn({ words = [] }: TextIndex): Sql {
  const pairs = words.map((one) => {
    const text = asConstants(one.text(name(one.column)))
    return sql`${constant(one.tag)}, ${isReversed(one.tag) ? sql`reverse(${text})` : text}`
  })
  return sql`${wordsOf}(VARIADIC ARRAY[${join(pairs, ', ')}]::text[])`
}

export const makeWords = (one: TextIndex): readonly Sql[] => [
  makeFunction,
  sql`CREATE INDEX CONCURRENTLY ${name(one.index)} ON ${name(one.table)} USING gin (${wordsIn(one)})`,
  sql`ANALYZE ${name(one.table)}`,
]

/**
 * A record without too many words never has the word MANY. OFFSET 0 keeps the planner from scanning in the order of ids. What is asked for stands in a
 * SELECT of its own: so the planner does not know it, and expects half a percent of the records. If it knew that all records have a word, it would not use
 * the index, but call the function for each record.
 */
export function withWords(one: TextIndex, { every, instead }: WordsAsked, exact: Sql): Sql {
  const groups = every.some((words) => words.length === 0) ? [] : [every.map(anyOfWords).join(' & ')]
  const asked = [...groups, ...(instead.length > 0 ? [anyOfWords(instead)] : [])].map((group) => `(${group})`).join(' | ')
  const records = sql`SELECT id FROM ${name(one.table)} WHERE ${wordsIn(one)} @@`
  if (asked === '') return sql`SELECT id FROM ${name(one.table)} WHERE 1 = 0`
  return sql`SELECT id FROM (${records} ${unknown(sql`${asked}`)} UNION ALL ${records} ${unknown(constant(MANY))} AND ${exact}) AS found OFFSET 0`
}

const unknown = (query: Sql): Sql => sql`(SELECT ${query}::tsquery)`

const anyOfWords = (words: readonly TaggedWord[]): string =>
  `(${words.map(({ tag, word, isWhole }) => `'${tokenOf(tag, word)}'${isWhole ? '' : ':*'}`).join(' | ')})`
