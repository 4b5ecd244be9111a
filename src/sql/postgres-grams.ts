import type { TextIndex } from './dialect.ts'
import { contains } from './postgres-contains.ts'
import { constant, join, name, raw, sql, type Sql } from './sql.ts'

/*
 * An index of grams in PostgreSQL: a GIN index over a tsvector of the LONG characters from each character of a text on, or fewer at its end. So a
 * piece of up to LONG characters is the beginning of a gram, and the index finds exactly the texts that contain it. Of a longer piece some grams are
 * looked for, and the texts that are found are compared with it. The extension pg_trgm leaves out all but letters and digits: of `anna b`, it looks
 * for the words that end with "anna" and those that begin with "b", and compares most of the texts.
 *
 * The index is over a table of its own, of ids and texts, which triggers keep as the records are: PostgreSQL looks at each row that an index finds,
 * and the rows of records are long and far apart. And a change of other fields does not touch the index.
 */

const LONG = 5
/** Changes when the function finds other grams, and so does the name of the function; an index that was made before is made again. */
export const GRAMS = 'grams of five, in rows of their own'
const gramsOf = raw('kartoteka_grams_5')

/** Bytes of a text above which its only gram is MANY, since a tsvector holds less than 1 MiB: such texts are compared one by one. */
const MOST_BYTES = 200_000
/** No gram begins so: chr(1) divides what the passes find, and a text that contains it. */
const MANY = '\u0001many'

/** Each pass finds the grams that begin LONG characters apart. Regular expressions take a quarter of the time of `substr` for each gram. */
const passes = Array.from({ length: LONG }, (_, skipped) => {
  const rest = skipped === 0 ? sql`given` : sql`substr(given, ${constant(skipped + 1)})`
  return sql`regexp_replace(${rest} COLLATE "C", ${constant(`(.{${LONG}})`)}, '\\1' || chr(1), 'g')`
})

/**
 * The cost keeps the planner from calling the function for every record instead of using the index. RESTRICTED: else the planner has workers
 * started for a search that takes less time than their start.
 */
const makeFunction = sql`CREATE OR REPLACE FUNCTION ${gramsOf}(given text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED COST 1000 AS $$
  BEGIN
    IF octet_length(given) > ${constant(MOST_BYTES)} THEN RETURN array_to_tsvector(ARRAY[chr(1) || 'many']); END IF;
    RETURN array_to_tsvector(array_remove(string_to_array(${join(passes, ' || chr(1) || ')}, chr(1)), ''));
  END $$`

const rowsOf = (index: string): Sql => name(`${index}_rows`)
const follow = (index: string): Sql => name(`${index}_follow`)
/** The index is used only for this very expression. */
const gramsHeld = sql`${gramsOf}(held)`

/** Records that are copied at once, while writes wait; and where the copying had to wait for writes itself. */
const BATCH = 1_000
const LARGE_BATCH = 20_000

/**
 * The statements make, one after the other, a table of ids and texts, triggers that keep it as the records are, its rows, and the index. The id of a record
 * never changes. Nothing is known of the grams (STATISTICS 0): to find out takes seconds, and no plan depends on it.
 */
export function makeGrams({ index, table, column }: TextIndex): readonly Sql[] {
  const [rows, records, text] = [rowsOf(index), name(table), name(column)]
  const follows = sql`EXECUTE FUNCTION ${follow(index)}()`
  const trigger = (event: string) => name(`${index}_${event}`)
  return [
    makeFunction,
    sql`CREATE TABLE ${rows} (id bigint PRIMARY KEY, held text NOT NULL)`,
    sql`CREATE FUNCTION ${follow(index)}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO ${rows} (id, held) SELECT id, ${text} FROM made ON CONFLICT (id) DO UPDATE SET held = excluded.held;
        ELSIF TG_OP = 'UPDATE' THEN
          UPDATE ${rows} SET held = NEW.${text} WHERE id = NEW.id;
        ELSE
          DELETE FROM ${rows} AS one USING gone WHERE one.id = gone.id;
        END IF;
        RETURN NULL;
      END $$`,
    // CREATE TRIGGER takes the same lock, but would wait for it as long as it takes.
    sql`DO $$
      DECLARE patience integer := 100;
      BEGIN
        ${lock(records)}
        CREATE TRIGGER ${trigger('insert')} AFTER INSERT ON ${records} REFERENCING NEW TABLE AS made FOR EACH STATEMENT ${follows};
        CREATE TRIGGER ${trigger('update')} AFTER UPDATE OF ${text} ON ${records} FOR EACH ROW WHEN (OLD.${text} <> NEW.${text}) ${follows};
        CREATE TRIGGER ${trigger('delete')} AFTER DELETE ON ${records} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT ${follows};
      END $$`,
    copyRows({ index, table, column }),
    sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${rows} USING gin (${gramsHeld})`,
    sql`ALTER INDEX ${name(index)} ALTER COLUMN 1 SET STATISTICS 0`,
    sql`ANALYZE ${rows}`,
  ]
}

/**
 * Copies the texts in batches. Each is right by itself: no record changes meanwhile, and triggers follow from then on. PostgreSQL goes on with it where the
 * process that asked for it is killed, perhaps into the table of another process that makes the index anew; it ends where that has no triggers yet.
 */
const copyRows = ({ index, table, column }: Pick<TextIndex, 'index' | 'table' | 'column'>): Sql => sql`DO $$
      DECLARE
        patience integer := 100;
        batch integer := ${constant(BATCH)};
        began timestamptz;
        last bigint := 0;
      BEGIN
        WHILE last IS NOT NULL LOOP
          began := clock_timestamp();
          ${lock(name(table))}
          batch := CASE WHEN clock_timestamp() - began > interval '50 ms' THEN least(2 * batch, ${constant(LARGE_BATCH)}) ELSE ${constant(BATCH)} END;
          IF (SELECT count(*) FROM pg_trigger WHERE tgfoid = to_regproc(${constant(`"${index}_follow"`)})) < 3 THEN
            RAISE EXCEPTION 'The index is made anew.';
          END IF;
          WITH some_records AS MATERIALIZED (SELECT id, ${name(column)} AS held FROM ${name(table)} WHERE id > last ORDER BY id LIMIT batch),
            copied AS (INSERT INTO ${rowsOf(index)} (id, held) SELECT id, held FROM some_records ON CONFLICT DO NOTHING)
            SELECT max(id) INTO last FROM some_records;
          COMMIT;
          PERFORM pg_sleep(0.01);
        END LOOP;
      END $$`

/**
 * Keeps a table from writes until the end of the transaction. It waits for those that run for \`patience\` milliseconds, in which new ones wait too; then it
 * lets all of them go on, and tries again with more patience, for ever, as CREATE INDEX CONCURRENTLY does. Before that it waits for the upkeep of the
 * table by PostgreSQL itself, which gives way (\`endUpkeep\`), and for which no write waits.
 */
const lock = (records: Sql): Sql => sql`LOCK TABLE ${records} IN SHARE UPDATE EXCLUSIVE MODE;
        LOOP
          BEGIN
            PERFORM set_config('lock_timeout', patience::text, true);
            LOCK TABLE ${records} IN SHARE ROW EXCLUSIVE MODE;
            EXIT;
          EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(patience / 1000.0);
            patience := least(2 * patience, 1000);
          END;
        END LOOP;`

/** Whether or not it is there. */
export const dropGrams = (index: string): readonly Sql[] => [
  sql`DROP FUNCTION IF EXISTS ${follow(index)}() CASCADE`,
  sql`DROP TABLE IF EXISTS ${rowsOf(index)}`,
]

/** A query for the number of records whose text the index does not have as it is. */
export const misfitsOf = ({ index, table, column }: TextIndex): Sql =>
  sql`SELECT count(*) FROM ${name(table)} AS record FULL JOIN ${rowsOf(index)} AS one ON one.id = record.id
    WHERE one.held IS DISTINCT FROM record.${name(column)}`

/** A query for the bytes of an index with its table; NULL where it is another one. */
export const bytesOfGrams = (index: string): Sql => sql`pg_total_relation_size(to_regclass(${`"${index}_rows"`}))`

/** The most grams of one query. */
const MOST = 4

/**
 * A query for the ids of the records whose text contains a piece of three or more characters; undefined if the index cannot find it. What is asked for
 * stands in a SELECT of its own: so the planner does not know it, expects half a percent of the records, and uses the index.
 */
export function idsWithGrams({ index }: Pick<TextIndex, 'index'>, piece: string): Sql | undefined {
  if (piece.includes('\u0001')) return undefined
  const characters = [...piece]
  const records = (asked: string) => sql`SELECT id FROM ${rowsOf(index)} WHERE ${gramsHeld} @@ (SELECT ${asked}::tsquery)`
  const compared = contains(sql`held`, sql`${piece}`)
  // Not in one query: to look at the length of each text takes as long as to find it.
  if (characters.length <= LONG) return sql`${records(`${quoted(piece)}:*`)} UNION ALL ${records(quoted(MANY))} AND ${compared}`
  return sql`${records(`${gramsWithin(characters).map(quoted).join(' & ')} | ${quoted(MANY)}`)} AND ${compared}`
}

/** Some of the grams of a longer piece, all if there are few. They overlap, so that few texts without the piece have all of them. */
function gramsWithin(characters: readonly string[]): readonly string[] {
  const last = characters.length - LONG
  const places =
    last < MOST
      ? Array.from({ length: last + 1 }, (_, i) => i)
      : Array.from({ length: MOST }, (_, i) => Math.round((i * last) / (MOST - 1)))
  return places.map((at) => characters.slice(at, at + LONG).join(''))
}

const quoted = (gram: string): string => `'${gram.replace(/['\\]/g, '$&$&')}'`
