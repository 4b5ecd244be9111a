import type { Dialect, IndexStatements, Placement } from './dialect.ts'
import { idsLike, makeTrigramIndex } from './citus-trigrams.ts'
import { postgresIndexes } from './postgres-indexes.ts'
import { postgres } from './postgres.ts'
import { name, sql, type Sql } from './sql.ts'

/** PostgreSQL with its tables on several servers: what Citus cannot do, or does better in another way. */
export const citus: Dialect = {
  ...postgres,
  // Citus plans conditions with functions that are not constant in another way.
  patience: {},
  keysApart: true,
  locksOneByOne: true,
  // Not UNIQUE, it only finds keys: a server can compare only the rows that it has.
  uniqueIndex: (index, table, column, condition, long) =>
    long
      ? [sql`CREATE INDEX ${name(index)} ON ${name(table)} USING hash (${name(column)}) WHERE ${condition}`]
      : [sql`CREATE INDEX ${name(index)} ON ${name(table)} (${name(column)}) WHERE ${condition}`],
  // Taken before the rows are written, which come back in the order of the servers.
  newIds: (table, count) => sql`SELECT nextval(pg_get_serial_sequence(${`"${table}"`}, 'id')) FROM generate_series(1, ${count}::integer)`,
  // Citus runs a query that depends on no other record first, and sends its ids to every server.
  isAmong: (id, from) => sql`${id} IN (SELECT id ${from})`,
  placement,
  // Each server plans its part of a query itself.
  byId: '',
  // sequential: one connection to each server, so that later statements see what was written. local: Citus passes SET LOCAL on to each
  // server (the time to wait for locks). It passes on the whole text, BEGIN and all: so these end their text, and such a SET LOCAL is
  // sent alone.
  // Citus plans no function in the place of a table.
  oldestRunning: sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  beforeWrites: `; SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.propagate_set_commands = 'local'`,
  // Citus adds views to the schema. They are left out.
  columns: sql`SELECT c.table_name, c.column_name, c.data_type, c.column_default FROM information_schema.columns AS c
    JOIN information_schema.tables AS t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position`,
  indexes: citusIndexes(false),
}

/** Where the servers have the extension pg_trgm. */
export const citusWithTrigrams: Dialect = { ...citus, indexes: citusIndexes(true) }

/** Statements that place a new table. */
function placement(table: string, where: Placement): readonly Sql[] {
  if (where === 'coordinator') return []
  if (where === 'coordinator, known to all') return [sql`SELECT citus_add_local_table_to_metadata(${`"${table}"`})`]
  if (where !== 'everywhere') return [sql`SELECT create_distributed_table(${`"${table}"`}, ${where.by})`]
  return [
    sql`SELECT create_reference_table(${`"${table}"`}) WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = ${`"${table}"`}::regclass)`,
  ]
}

/** As on one server. Each server has an index over the records that it holds. */
function citusIndexes(hasTrigrams: boolean): IndexStatements {
  const { amongAll: _, misfits: __, ...texts } = postgresIndexes.texts
  return {
    ...postgresIndexes,
    // Indexes of grams and of words need a function of ours on every server. Texts are found by pg_trgm instead, or by looking through the records.
    // Without OFFSET 0: with it, Citus collects all ids that are found in one place and sends them to every server.
    texts: {
      ...texts,
      areAvailable: hasTrigrams,
      form: () => '',
      make: makeTrigramIndex,
      drop: postgresIndexes.drop,
      holding: idsLike,
      haveWords: false,
    },
    // The sum over all shards. The index of a shard is named like the whole index, with the number of the shard at its end.
    bytes(index) {
      const part = `SELECT coalesce(pg_relation_size(to_regclass('"${index}_' || substring('%s' from '[0-9]+$') || '"')), 0)`
      return sql`SELECT coalesce(sum(result::bigint), 0) FROM run_command_on_shards(${`"${index.split('_')[0]}"`}, ${part})`
    },
  }
}
