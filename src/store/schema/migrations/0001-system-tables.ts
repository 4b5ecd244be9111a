import type { Dialect } from '../../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../../sql/sql.ts'
import { alter, change, createTable, type Step } from '../migration-step.ts'

/** The catalogue, the people, and what the service remembers of itself. Times are text in the instance's zone. */
export const systemTables = (dialect: Dialect): Step[] => {
  const id = sql`id ${dialect.identity}`
  const integer = (column: string) => sql`${name(column)} ${dialect.integer} NOT NULL DEFAULT 0`
  const text = (column: string) => sql`${name(column)} ${dialect.text} NOT NULL DEFAULT ''`
  /** A text people filter by, with its folded key. */
  const folded = (column: string) => sql`${text(column)}, ${text(`${column}k`)}`
  const key = (column: string) => sql`${name(column)} ${dialect.text} NOT NULL PRIMARY KEY`
  const table = (called: string, ...columns: Sql[]) => createTable(called, sql`CREATE TABLE ${name(called)} (${join(columns, ', ')})`)

  return [
    table('meta', key('name'), text('value')),
    table('categories', id, folded('title'), integer('sequence')),
    // deleted: '' or the time it went to the trash; version: goes up with each change of structure
    table(
      'tables',
      id,
      folded('title'),
      folded('full_title'),
      integer('category_id'),
      integer('sequence'),
      integer('title_field_id'),
      integer('version'),
      integer('record_count'),
      text('deleted'),
    ),
    // column_name: a field whose type changed gets a new column; number_next: next value of an autonumber.
    // Settings not set are '' (text) or -1 (numbers).
    table(
      'fields',
      id,
      integer('table_id'),
      folded('title'),
      folded('type'),
      integer('sequence'),
      text('column_name'),
      integer('required'),
      integer('is_unique'),
      folded('default_value'),
      folded('hint'),
      sql`max_length ${dialect.integer} NOT NULL DEFAULT -1`,
      sql`scale ${dialect.integer} NOT NULL DEFAULT -1`,
      folded('min_value'),
      folded('max_value'),
      integer('reference_table_id'),
      folded('file_extensions'),
      sql`max_files ${dialect.integer} NOT NULL DEFAULT -1`,
      sql`max_kilobytes ${dialect.integer} NOT NULL DEFAULT -1`,
      integer('number_next'),
      text('deleted'),
    ),
    alter(sql`CREATE INDEX fields_by_table ON fields (table_id)`),
    table('options', id, integer('field_id'), text('label'), integer('sequence'), integer('removed')),
    alter(sql`CREATE INDEX options_by_field ON options (field_id)`),
    table('saved_filters', id, integer('table_id'), folded('title'), folded('expression'), integer('user_id')),
    table('groups', id, folded('title')),
    change(
      sql`INSERT INTO groups (id, title, titlek) VALUES (1, 'Administrators', 'administrators'), (2, 'Managers', 'managers'), (3, 'Clients', 'clients')`,
    ),
    // fields: JSON object {"<field id>": "hidden" | "read_only"}
    table(
      'access',
      id,
      integer('group_id'),
      integer('table_id'),
      ...[
        'create',
        'read',
        'update',
        'delete',
        'archive',
        'bulk',
        'print',
        'sms',
        'send',
        'free_sms_template',
        'free_mail_template',
        'standard_template',
      ].map((right) => integer(`may_${right}`)),
      folded('read_filter'),
      folded('write_filter'),
      text('fields'),
    ),
    alter(sql`CREATE UNIQUE INDEX access_by_group ON access (group_id, table_id)`),
    table(
      'users',
      id,
      folded('full_name'),
      folded('email'),
      folded('login'),
      text('password_hash'),
      integer('group_id'),
      integer('archived'),
    ),
    alter(sql`CREATE UNIQUE INDEX users_by_login ON users (logink)`),
    // tables: JSON array of table ids, '' for all; expires is expires_ms (Unix milliseconds, 0 for never) as people read it;
    // by_password: made by signing in, so it ends when the password changes
    table(
      'tokens',
      id,
      integer('user_id'),
      folded('title'),
      text('hash'),
      folded('scope'),
      text('tables'),
      text('created'),
      text('expires'),
      text('last_used'),
      integer('expires_ms'),
      integer('by_password'),
    ),
    alter(sql`CREATE UNIQUE INDEX tokens_by_hash ON tokens (hash)`),
    alter(sql`CREATE INDEX tokens_by_user ON tokens (user_id)`),
    table('invitations', id, integer('user_id'), text('hash'), text('created'), text('expires'), integer('expires_ms')),
    alter(sql`CREATE UNIQUE INDEX invitations_by_hash ON invitations (hash)`),
    // failures of one account or address; until: Unix milliseconds before which nothing is tried; last: of the last one
    table('login_failures', key('subject'), integer('failures'), integer('until'), integer('last')),
    table('idempotency', key('hash'), text('body_hash'), integer('status'), text('headers'), text('body'), integer('created')),
    table('audit', id, text('time'), integer('user_id'), folded('address'), folded('action'), folded('subject'), folded('detail')),
    // one row per thing in the trash; kind: record, field or table
    table('trash', id, folded('kind'), integer('table_id'), integer('item_id'), folded('title'), text('deleted'), integer('user_id')),
    alter(sql`CREATE INDEX trash_by_item ON trash (table_id, item_id)`),
    table(
      'files',
      id,
      integer('table_id'),
      integer('field_id'),
      integer('record_id'),
      integer('position'),
      text('name'),
      text('hash'),
      integer('size'),
      text('mime_type'),
    ),
    alter(sql`CREATE INDEX files_by_record ON files (table_id, record_id, field_id)`),
    alter(sql`CREATE INDEX files_by_hash ON files (hash)`),
  ]
}
