import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, change, createTable, type Step } from '../migration-step.ts'

/**
 * The log of changes of records (store/changes/). `id`: the position in the order of commits. `touched`: of a change of values the
 * attributes, each between bars (|f1||f2|). `content`: JSON, see store/changes/content.ts. On a database of several processes the log is in
 * pieces, so that old ones can be dropped whole; new rows go into the piece that is the default of the column.
 */
export const changeLog = ({ identity, integer, text, shared, setLastId }: Dialect): Step[] => {
  const columns = sql`table_id ${integer} NOT NULL, record_id ${integer} NOT NULL, action ${integer} NOT NULL, user_id ${integer} NOT NULL,
    token_id ${integer} NOT NULL, via ${integer} NOT NULL, batch_id ${integer} NOT NULL, made_at ${text} NOT NULL, touched ${text} NOT NULL,
    content ${text} NOT NULL`
  // What a field was before it got another type: its column then is not in the table any more. settings: JSON.
  const former = createTable(
    'former_columns',
    sql`CREATE TABLE former_columns (id ${identity}, table_id ${integer} NOT NULL, field_id ${integer} NOT NULL, column_name ${text} NOT NULL,
      type ${text} NOT NULL, settings ${text} NOT NULL)`,
  )
  const index = alter(sql`CREATE INDEX changes_by_record ON changes (table_id, record_id)`)
  // The bytes that changes name: they stay as long as one of them is kept.
  const files = [
    createTable(
      'change_files',
      sql`CREATE TABLE change_files (id ${identity}, hash ${text} NOT NULL, change_id ${integer} NOT NULL, table_id ${integer} NOT NULL,
        field_id ${integer} NOT NULL)`,
    ),
    alter(sql`CREATE INDEX change_files_hash ON change_files (hash)`),
    alter(sql`CREATE INDEX change_files_change ON change_files (change_id)`),
  ]
  // Not an `identity`: that would read and write the sequence for each row. The ledger notes the last position once for each commit.
  if (!shared)
    return [
      createTable('changes', sql`CREATE TABLE changes (id ${integer} PRIMARY KEY, ${columns})`),
      index,
      former,
      ...files,
      ...setLastId('changes', 0).map(change),
    ]
  return [
    createTable(
      'changes',
      sql`CREATE TABLE changes (id ${integer} NOT NULL, ${columns}, piece ${integer} NOT NULL DEFAULT 1, PRIMARY KEY (id, piece)) PARTITION BY LIST (piece)`,
    ),
    index,
    former,
    ...files,
    createTable('changes_1', sql`CREATE TABLE changes_1 PARTITION OF changes FOR VALUES IN (1)`),
    // base: added to the id of a transaction, so that positions go on where the database was moved to another server. place: where it is.
    createTable('change_log', sql`CREATE TABLE change_log (base ${integer} NOT NULL, place ${text} NOT NULL DEFAULT '')`),
    change(sql`INSERT INTO change_log (base) VALUES (0)`),
  ]
}
