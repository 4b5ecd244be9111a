import type { Dialect, Placement } from '../../sql/dialect.ts'

/*
 * The tables of an installation besides those of records: what other parts have to know of all of them. Migrations make them and
 * say which columns they have; a test compares both.
 */

export interface SystemTable {
  /** Absent: on every engine. `shared`, `keysApart`: where the dialect says so; `formerly`: a later migration dropped it. */
  readonly on?: 'shared' | 'keysApart' | 'formerly'
  /** Absent: everywhere. */
  readonly placement?: Placement
  /** Belongs to the store, not to the installation, or follows from the records: migrate-store does not copy it. */
  readonly ownOfStore?: true
  /** The same of some columns. */
  readonly ownColumns?: readonly string[]
  /**
   * Columns that tell to what its rows belong, with which they are erased: to a user-defined table, a field, a saved filter or view.
   * `dropped`: to a table, but its rows stand for indexes or unique values, and go with them (`dropIndexesOfTable`, `dropKeys`).
   */
  readonly of?: readonly Owner[] | 'dropped'
  /** Its rows of a user-defined table, or a field, are erased after that, in steps: there may be any number (changes/sweep-erased.ts). */
  readonly erasedInSteps?: true
  /** Its rows are those of this table. */
  readonly pieceOf?: string
  /** Its rows count records. */
  readonly counts?: true
}
type Owner = 'table_id' | 'field_id' | 'filter_id' | 'view_id'

/** Counts of records: on a distributed engine all writes go through the coordinator, which alone counts. */
const counts = { placement: 'coordinator', ownOfStore: true, of: ['table_id'], counts: true } as const

const tables = {
  migrations: { ownOfStore: true },
  meta: {},
  categories: {},
  tables: {},
  fields: { of: ['table_id'] },
  options: { of: ['field_id'] },
  saved_filters: { of: ['table_id'] },
  saved_filter_fields: { of: ['filter_id'] },
  groups: {},
  access: { of: ['table_id'] },
  users: {},
  tokens: {},
  invitations: {},
  user_settings: {},
  saved_views: { of: ['table_id'] },
  saved_view_fields: { of: ['view_id'] },
  login_failures: {},
  known_networks: {},
  idempotency: {},
  audit: {},
  trash: { of: ['table_id'] },
  files: { of: ['table_id', 'field_id'] },
  indexes: { of: 'dropped' },
  changes: { placement: 'coordinator', of: ['table_id'], erasedInSteps: true, ownColumns: ['piece'] },
  change_files: { placement: 'coordinator', of: ['table_id', 'field_id'], erasedInSteps: true },
  batches: { placement: 'coordinator' },
  batch_parts: { placement: 'coordinator' },
  conversions: { of: ['table_id', 'field_id'] },
  former_columns: { of: ['table_id', 'field_id'] },
  changes_1: { on: 'shared', ownOfStore: true, placement: 'coordinator', pieceOf: 'changes' },
  change_log: { on: 'shared', ownOfStore: true, placement: 'coordinator' },
  webhooks: { placement: 'coordinator', of: ['table_id'] },
  webhook_deliveries: { placement: 'coordinator', of: ['table_id'] },
  webhook_lease: { on: 'shared', ownOfStore: true, placement: 'coordinator' },
  jobs: { placement: 'coordinator', of: ['table_id'] },
  job_pieces: { placement: 'coordinator' },
  block_counts: counts,
  region_counts: { ...counts, on: 'shared' },
  block_changes: { ...counts, on: 'shared' },
  record_changes: { on: 'shared', ownOfStore: true, placement: 'coordinator', of: ['table_id'] },
  count_changes: { ...counts, on: 'formerly' },
  catalogue_version: { on: 'shared', ownOfStore: true },
  // The row in it is that of every write: so the coordinator commits first, and what it has committed is committed everywhere.
  writers: { on: 'shared', ownOfStore: true, placement: 'coordinator, known to all' },
  unique_keys: { on: 'keysApart', ownOfStore: true, placement: { by: 'key' }, of: 'dropped' },
} as const satisfies Readonly<Record<string, SystemTable>>

export const systemTables: ReadonlyMap<string, SystemTable> = new Map(Object.entries(tables))

/** Whether a database of this engine has it once all migrations have run. */
export const isMade = ({ on }: SystemTable, dialect: Dialect): boolean =>
  on === undefined || (on === 'shared' && dialect.shared) || (on === 'keysApart' && dialect.keysApart)

/** Names that migrations give to tables on this engine, also for a time. */
export const namesMade = (dialect: Dialect): string[] =>
  [...systemTables].flatMap(([name, table]) => (isMade(table, dialect) || (table.on === 'formerly' && dialect.shared) ? [name] : []))

/** The tables that are there whose rows a column says to whom they belong. */
const owned = (dialect: Dialect, owner: Owner, ...besides: Owner[]): string[] =>
  [...systemTables].flatMap(([name, table]) => {
    const { of } = table
    const isOwned = of !== undefined && of !== 'dropped' && of.includes(owner) && !besides.some((one) => of.includes(one))
    return isOwned && isMade(table, dialect) ? [name] : []
  })

/** What is erased with a user-defined table: by its id, by the ids of its fields, by those of its saved filters and views. */
export const erasedWithTable = (dialect: Dialect) => ({
  byTable: owned(dialect, 'table_id').filter((name) => !systemTables.get(name)!.erasedInSteps),
  byField: owned(dialect, 'field_id', 'table_id'),
  byFilter: owned(dialect, 'filter_id', 'table_id'),
  byView: owned(dialect, 'view_id', 'table_id'),
})

/** Where records are counted, by blocks of ids. */
export const countTables = (dialect: Dialect): readonly string[] =>
  [...systemTables].flatMap(([name, table]) => (table.counts && isMade(table, dialect) ? [name] : []))

export const erasedWithField = (dialect: Dialect): readonly string[] =>
  owned(dialect, 'field_id').filter((name) => !systemTables.get(name)!.erasedInSteps)

/** Where a table lies on a distributed engine: records by their ids, pieces of the log where it is. */
export const placementOf = (table: string): Placement =>
  /^(?:data|trash)\d+$/.test(table)
    ? { by: 'id' }
    : (systemTables.get(table.replace(/^changes_\d+$/, 'changes'))?.placement ?? 'everywhere')
