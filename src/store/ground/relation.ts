import { Failure, Failures } from '../../errors.ts'
import { plain, type Attribute, type FieldType, type Stored } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import { parseValue } from '../../fields/value.ts'
import { join, name, sql, type Param, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import type { ResourceState } from './changes.ts'
import type { Row, Transaction } from './db.ts'
import type { Uses } from './store.ts'

/*
 * System tables as relations. From a list of columns follows how they are read, written, filtered, sorted and paged, with the same code as
 * records.
 */

interface ColumnForm {
  readonly type: FieldType
  /** From the content of the column to the value of the property. */
  read(held: Param): unknown
}

const { text, longtext, integer, boolean, datetime } = builtIn
const forms = {
  text: { type: text, read: String },
  longtext: { type: longtext, read: String },
  integer: { type: integer, read: Number },
  boolean: { type: boolean, read: (held) => Number(held) === 1 },
  datetime: { type: datetime, read: String },
  /** A number or null; null is -1 in the column. */
  optional: { type: { ...integer, name: 'optional', empty: -1, hasEmpty: true }, read: (held) => (Number(held) < 0 ? null : Number(held)) },
  /** An id or null; null is 0 in the column. */
  link: { type: { ...integer, name: 'link', hasEmpty: true }, read: (held) => (Number(held) === 0 ? null : Number(held)) },
  /** A list, with commas in the column. */
  words: { type: { ...text, name: 'words' }, read: (held) => (held === '' ? [] : String(held).split(',')) },
} as const satisfies Readonly<Record<string, ColumnForm>>
/** `json`: cannot be filtered by. */
export type ColumnType = keyof typeof forms | 'json'

/** By property, its column and the form of its values. */
type Columns<T> = { readonly [K in keyof T]-?: readonly [column: string, type: ColumnType] }

export interface Identified {
  readonly id: number
}

/** How changes of the rows are logged, as changes of a resource (resource-rows.ts). All columns are, but for these. */
export interface Logging<T extends Identified> {
  /** The type of the resource: the name of the table in the singular, unless it is given. */
  readonly type: string
  /** What the service notes by itself, such as the last use of a token: not logged. */
  readonly silent: readonly (keyof T)[]
  /** Columns beside those of the relation, such as the hash of a password: logged is that they were set, without a value. */
  readonly secret: readonly string[]
  /** By column, the part of a text that is logged, where the rest may be a secret. */
  readonly partly: ResourceState['partly']
  /** Attributes of a row that are in other tables. */
  readonly besides?: (query: Query, id: number) => Promise<Readonly<Record<string, unknown>>>
}

/** A system table as a list of rows of type T. */
export interface Relation<T extends Identified> {
  readonly table: string
  /** What is read: the table, or a subquery that adds computed columns. */
  readonly from: Sql
  readonly columns: Columns<T>
  /** The attributes for filters and sorting, by property. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Which rows exist for the caller; undefined: all. `id`: only whether the row with this id does. */
  visible(store: Uses<'db' | 'catalogue'>, caller: Caller, id?: number): Sql | undefined | Promise<Sql | undefined>
  /**
   * Replaces `from` where the caller may not see some values: it has the values that they are shown, so that filters and sorting reveal
   * no more than the answer does. Undefined: the caller may see all.
   */
  shownTo?(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined
  /** What the caller sees of rows that were read, where that does not follow from their columns. */
  complete?(store: Uses<'db' | 'catalogue'>, caller: Caller, rows: readonly T[]): Promise<T[]>
  /** Undefined: its rows are no resources of their own, but a log of them, or what is left of them. */
  readonly logging: Logging<T> | undefined
}

/** Its rows are written by resource-rows.ts alone. */
export type Logged<T extends Identified> = Relation<T> & { readonly logging: Logging<T> }
export type Unlogged<T extends Identified> = Relation<T> & { readonly logging: undefined }
type More<T extends Identified> = Pick<Relation<T>, 'shownTo' | 'complete'>

export type Query = (query: Sql) => Promise<Row[]>

/** Changes of its rows are logged, unless `logging` is false. */
export function relation<T extends Identified>(
  table: string,
  columns: Columns<T>,
  visible: Relation<T>['visible'],
  from?: Sql,
  more?: More<T> & { readonly logging?: Partial<Logging<T>> },
): Logged<T>
export function relation<T extends Identified>(
  table: string,
  columns: Columns<T>,
  visible: Relation<T>['visible'],
  from: Sql | undefined,
  more: More<T> & { readonly logging: false },
): Unlogged<T>
export function relation<T extends Identified>(
  table: string,
  columns: Columns<T>,
  visible: Relation<T>['visible'],
  from: Sql = name(table),
  { logging = {}, ...more }: More<T> & { readonly logging?: Partial<Logging<T>> | false } = {},
): Relation<T> {
  const attributes = Object.entries<Columns<T>[keyof T]>(columns).flatMap(([property, [column, type]]): Attribute[] => {
    if (type === 'json') return []
    const form: ColumnForm = forms[type]
    return [{ name: property, column, type: form.type, settings: plain, ...(form.type.key && { keyColumn: `${column}k` }) }]
  })
  const named = new Map(attributes.map((attribute) => [attribute.name, attribute]))
  const logs = logging && { type: singular(table), silent: [], secret: [], partly: {}, ...logging }
  return { table, from, columns, visible, attributes: named, ...more, logging: logs || undefined }
}

/** categories: category; users: user; access: access. */
const singular = (table: string): string => table.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

/** Every row that meets the condition, by id. */
export async function allRows<T extends Identified>(
  query: Query,
  relation: Pick<Relation<T>, 'from' | 'columns'>,
  condition: Sql = sql`1 = 1`,
): Promise<T[]> {
  const rows = await query(sql`SELECT ${selectList(relation)} FROM ${relation.from} WHERE ${condition} ORDER BY id`)
  return rows.map((row) => readRow(relation, row))
}

export async function findRow<T extends Identified>(
  query: Query,
  relation: Pick<Relation<T>, 'from' | 'columns'>,
  id: number,
  visible?: Sql,
): Promise<T | undefined> {
  const [row] = await allRows(query, relation, visible ? sql`id = ${id} AND (${visible})` : sql`id = ${id}`)
  return row
}

/** The row, if there is one and it exists for the caller. */
export const seeRow = async <T extends Identified>(
  store: Uses<'db' | 'catalogue'>,
  relation: Relation<T>,
  caller: Caller,
  id: number,
): Promise<T | undefined> => {
  const row = await findRow(
    async (query) => (await store.db.readLittle(caller, query))[0]!,
    { ...relation, from: relation.shownTo?.(store, caller) ?? relation.from },
    id,
    await relation.visible(store, caller, id),
  )
  return row && relation.complete ? (await relation.complete(store, caller, [row]))[0] : row
}

/** A reader outside of any transaction: it sees what is committed. */
export const committed =
  (store: Uses<'db'>): Query =>
  async (query) =>
    (await store.db.read(query))[0]!

/**
 * Writes a row, the folded keys with it, and gives its id. `extra`: columns that the relation does not show. Rows that are resources are
 * written by resource-rows.ts.
 */
export async function insertUnlogged<T extends Identified>(
  tx: Transaction,
  relation: Unlogged<T>,
  values: Partial<Omit<T, 'id'>>,
  extra: Readonly<Record<string, Param>> = {},
): Promise<number> {
  const columns = [...encode(relation, values), ...Object.entries(extra)]
  const [row] = await tx.runReturning(sql`INSERT INTO ${name(relation.table)} (${join(
    columns.map(([column]) => name(column)),
    ', ',
  )})
    VALUES (${join(
      columns.map(([, value]) => sql`${value}`),
      ', ',
    )}) RETURNING id`)
  return Number(row![0])
}

export async function updateUnlogged<T extends Identified>(
  tx: Transaction,
  relation: Unlogged<T>,
  id: number,
  values: Partial<Omit<T, 'id'>>,
  extra: Readonly<Record<string, Param>> = {},
): Promise<void> {
  const columns = [...encode(relation, values), ...Object.entries(extra)]
  if (columns.length === 0) return
  await tx.run(
    sql`UPDATE ${name(relation.table)} SET ${join(
      columns.map(([column, value]) => sql`${name(column)} = ${value}`),
      ', ',
    )} WHERE id = ${id}`,
  )
}

export const selectList = <T extends Identified>({ columns }: Pick<Relation<T>, 'columns'>): Sql =>
  join(
    Object.values<Columns<T>[keyof T]>(columns).map(([column]) => name(column)),
    ', ',
  )

export function readRow<T extends Identified>({ columns }: Pick<Relation<T>, 'columns'>, row: Row): T {
  const entries = Object.entries<Columns<T>[keyof T]>(columns).map(([property, [, type]], i) => [property, decode(type, row[i]!)])
  return Object.fromEntries(entries) as T
}

/** From the content of a column to the value of its property. */
export const decode = (type: ColumnType, held: Param): unknown =>
  type === 'json' ? (held === '' ? null : (JSON.parse(String(held)) as unknown)) : forms[type].read(held)

/** The columns of some values with their folded keys. @throws Failures for texts that are too long or cannot be stored. */
function encode<T extends Identified>({ columns }: Relation<T>, values: Partial<Omit<T, 'id'>>): (readonly [string, Param])[] {
  const failures: Failure[] = []
  const encoded = Object.entries(values).flatMap(([property, value]): (readonly [string, Param])[] => {
    const [column, type] = columns[property as keyof T]
    if (value === undefined) return []
    if (type === 'json') return [[column, value === null ? '' : JSON.stringify(value)]]
    const stored = storedForm(type, value)
    try {
      if (typeof stored === 'string') parseValue(forms[type].type, stored, plain, { timeZone: 'UTC' })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error.at({ attribute: property }))
      return []
    }
    const key = forms[type].type.key?.(stored, plain)
    return key === undefined
      ? [[column, stored]]
      : [
          [column, stored],
          [`${column}k`, key],
        ]
  })
  if (failures.length > 0) throw new Failures(failures)
  return encoded
}

function storedForm(type: Exclude<ColumnType, 'json'>, value: unknown): Stored {
  if (value === null) return forms[type].type.empty
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'boolean' ? Number(value) : (value as Stored)
}
