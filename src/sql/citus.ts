import type { Dialect, IndexStatements, Placement } from './dialect.ts'
import { idsLike, postgresIndexes } from './postgres-indexes.ts'
import { postgres } from './postgres.ts'
import { name, sql, type Sql } from './sql.ts'

/** PostgreSQL whose tables lie on several servers: what Citus cannot do there, or does better otherwise. */
export const citus: Dialect = {
  ...postgres,
  // Its planner has its own ideas about functions that are not constant.
  patience: {},
  keysApart: true,
  // Finds only: each server would keep apart what it holds itself.
  uniqueIndex: (index, table, column, condition, long) =>
    long
      ? [sql`CREATE INDEX ${name(index)} ON ${name(table)} USING hash (${name(column)}) WHERE ${condition}`]
      : [sql`CREATE INDEX ${name(index)} ON ${name(table)} (${name(column)}) WHERE ${condition}`],
  // They come back in the order of the servers.
  newIds: (table, count) => sql`SELECT nextval(pg_get_serial_sequence(${`"${table}"`}, 'id')) FROM generate_series(1, ${count}::integer)`,
  placement,
  // Each server plans its own part.
  byId: '',
  // One connection to each server, so that what follows sees what was written. Each server is told how long to wait for
  // locks, by a statement of its own: Citus passes on all that comes with it.
  beforeWrites: `; SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.propagate_set_commands = 'local'`,
  // Citus has views beside our tables.
  columns: sql`SELECT c.table_name, c.column_name, c.data_type, c.column_default FROM information_schema.columns AS c
    JOIN information_schema.tables AS t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position`,
  indexes: citusIndexes(false),
}

export const citusWithTrigrams: Dialect = { ...citus, indexes: citusIndexes(true) }

/** Statements that put a new table where it belongs. */
function placement(table: string, where: Placement): readonly Sql[] {
  if (where === 'coordinator') return []
  if (where === 'coordinator, known to all') return [sql`SELECT citus_add_local_table_to_metadata(${`"${table}"`})`]
  if (where !== 'everywhere') return [sql`SELECT create_distributed_table(${`"${table}"`}, ${where.by})`]
  return [
    sql`SELECT create_reference_table(${`"${table}"`}) WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = ${`"${table}"`}::regclass)`,
  ]
}

/** As on one server, each of them over the records it holds. */
function citusIndexes(hasTrigrams: boolean): IndexStatements {
  const onOneServer = postgresIndexes(hasTrigrams)
  return {
    ...onOneServer,
    // No OFFSET: all ids that are found would be gathered in one place, and sent to every server.
    texts: { ...onOneServer.texts, holding: idsLike },
    // Of every part: its name is that of the whole, and the number of the part.
    bytes(index) {
      const part = `SELECT coalesce(pg_relation_size(to_regclass('"${index}_' || substring('%s' from '[0-9]+$') || '"')), 0)`
      return sql`SELECT coalesce(sum(result::bigint), 0) FROM run_command_on_shards(${`"${index.split('_')[0]}"`}, ${part})`
    },
  }
}
