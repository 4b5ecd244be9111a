import { Failure, Failures, fail } from '../../errors.ts'
import { fieldTypes } from '../../fields/index.ts'
import { limits } from '../../limits.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import { operator, type Administrator } from '../catalogue/administrator.ts'
import { audit } from '../people/audit.ts'
import { nowText } from '../ground/clock.ts'
import { erasedWithTable } from '../schema/system-tables.ts'
import { createTwins, dropTwins } from './columns.ts'
import type { Transaction } from '../ground/db.ts'
import { dropIndexesOfTable } from '../indexes/index-drop.ts'
import { findRow, relation } from '../ground/relation.ts'
import { changing, eraseRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'
import { namesMustDiffer } from './field-names.ts'
import { fieldRows } from './field-rows.ts'
import { putInTrash, type Trashed } from './trash-entries.ts'
import { dropKeys } from '../records/unique-keys.ts'
import { hiddenFields, inList, visibleTables } from '../catalogue/visible.ts'

/** A user-defined table as administrators describe it. */
export interface TableInfo {
  readonly id: number
  readonly title: string
  /** May be empty. */
  readonly fullName: string
  /** 0: in no category. */
  readonly categoryId: number
  readonly sequence: number
  /** 0: none. */
  readonly titleFieldId: number
  /** Whether no two fields of it have the same name. */
  readonly uniqueFieldNames: boolean
}

/** What is written of the fields of a table together, and never shown. */
export interface OfFields {
  /** The ids of all fields of the table, in the order in which people are to see them. */
  readonly fieldOrder: readonly number[]
  /** The sections of some of them, by id. */
  readonly fieldSections: Readonly<Record<string, string>>
}

/** Names of the types whose fields may be the title without being chosen. */
const titling = join(
  fieldTypes.filter((type) => type.titles).map((type) => constant(type.name)),
  ', ',
)

/** As a relation. Where no title field is chosen, or the chosen one is gone, it is the first text field (load-catalogue.ts). */
const live = sql`(SELECT id, title, titlek, full_title, full_titlek, category_id, sequence, unique_field_names, coalesce(
    (SELECT f.id FROM fields f WHERE f.id = tables.title_field_id AND f.table_id = tables.id AND f.deleted = ''),
    (SELECT f.id FROM fields f WHERE f.table_id = tables.id AND f.deleted = '' AND f.type IN (${titling}) ORDER BY f.sequence, f.id LIMIT 1),
    0) AS title_field_id FROM tables WHERE deleted = '') AS live`

export const tables = relation<TableInfo>(
  'tables',
  {
    id: ['id', 'integer'],
    title: ['title', 'text'],
    fullName: ['full_title', 'text'],
    categoryId: ['category_id', 'integer'],
    sequence: ['sequence', 'integer'],
    titleFieldId: ['title_field_id', 'integer'],
    uniqueFieldNames: ['unique_field_names', 'boolean'],
  },
  (store, caller) => visibleTables(store, caller, 'id'),
  live,
  { shownTo: withoutHidden },
)

/** Shows 0 as the title field where it is hidden from the caller. */
function withoutHidden(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined {
  const hidden = hiddenFields(store, caller)
  if (hidden.length === 0) return undefined
  return sql`(SELECT id, title, titlek, full_title, full_titlek, category_id, sequence, unique_field_names,
    CASE WHEN ${inList(store.db.dialect, 'title_field_id', hidden)} THEN 0 ELSE title_field_id END AS title_field_id FROM ${live}) AS shown`
}

/** Without a `sequence` it comes last in its category. */
export const createTable = (
  store: Uses<'db' | 'environment' | 'settings' | 'restructure'>,
  by: Administrator,
  { fieldOrder = [], ...values }: Partial<TableInfo & Omit<OfFields, 'fieldSections'>>,
): Promise<number> =>
  store.restructure(async (tx) => {
    if (fieldOrder.length > 0) throw notItsFields()
    await mustFit(tx, { title: '', ...values }, 0)
    await mustHaveRoom(store, tx, limits.tables, { table: 'tables' })
    const { categoryId = 0 } = values
    const [last] = await tx.all(sql`SELECT coalesce(max(sequence), 0) FROM tables WHERE category_id = ${categoryId} AND deleted = ''`)
    const id = await insertRow(
      tx,
      by,
      tables,
      { sequence: Math.min(Number(last![0]) + 1, Number.MAX_SAFE_INTEGER), ...values },
      { version: 1 },
    )
    await createTwins(tx, store.db.dialect, id)
    await audit(store, tx, by, 'table_created', `table ${id}`, values.title)
    return id
  })

export const updateTable = (
  store: Uses<'environment' | 'settings' | 'restructure'>,
  by: Administrator,
  id: number,
  { fieldOrder, fieldSections, ...changes }: Partial<TableInfo & OfFields>,
): Promise<void> =>
  store.restructure(async (tx) => {
    if (!(await findRow((query) => tx.all(query), tables, id))) throw fail('table.not_found', { table: id })
    await mustFit(tx, changes, id)
    if (changes.uniqueFieldNames === true) await namesMustDiffer(tx, id)
    await updateRow(tx, by, tables, id, changes)
    if (fieldOrder) await orderFields(tx, by, id, fieldOrder)
    if (fieldSections) await putInSections(tx, by, id, fieldSections)
    await bumpTable(tx, id)
    const what = [...Object.keys(changes), ...(fieldOrder ? ['fieldOrder'] : []), ...(fieldSections ? ['fieldSections'] : [])]
    await audit(store, tx, by, 'table_changed', `table ${id}`, what.join(', '))
  })

/** Numbers the fields of a table from 1. @throws `field.invalid_value` unless each of them is named once */
async function orderFields(tx: Transaction, by: Administrator, tableId: number, order: readonly number[]): Promise<void> {
  const rows = await tx.all(sql`SELECT id, sequence FROM fields WHERE table_id = ${tableId} AND deleted = ''`)
  const now = new Map(rows.map(([id, sequence]) => [Number(id), Number(sequence)]))
  if (order.length !== now.size || new Set(order).size !== now.size || order.some((id) => !now.has(id))) throw notItsFields()
  for (const [i, id] of order.entries()) if (now.get(id) !== i + 1) await updateRow(tx, by, fieldRows, id, { sequence: i + 1 })
}

const notItsFields = (): Failure =>
  fail('field.invalid_value', { why: 'An order of fields names each field of the table once.' }, { attribute: 'fieldOrder' })

/** @throws `field.invalid_value` for a field of another table, and for a section that is no name */
async function putInSections(
  tx: Transaction,
  by: Administrator,
  tableId: number,
  sections: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = await tx.all(sql`SELECT id, section FROM fields WHERE table_id = ${tableId} AND deleted = ''`)
  const now = new Map(rows.map(([id, section]) => [Number(id), String(section)]))
  for (const [key, section] of Object.entries(sections)) {
    const id = Number(key)
    const place = { attribute: 'fieldSections', path: [key] }
    if (!now.has(id)) throw fail('field.invalid_value', { why: `The table has no field ${id}.` }, place)
    if (now.get(id) === section) continue
    try {
      await updateRow(tx, by, fieldRows, id, { section })
    } catch (error) {
      const [first] = error instanceof Failures ? error.failures : [error]
      throw first instanceof Failure ? first.at(place) : error
    }
  }
}

/** Moves a table to the trash with its records, fields, filters and rights. References to its records still show their ids. */
export const deleteTable = (store: Uses<'environment' | 'settings' | 'restructure'>, by: Administrator, id: number): Promise<void> =>
  store.restructure(async (tx) => {
    const now = await findRow((query) => tx.all(query), tables, id)
    if (!now) throw fail('table.not_found', { table: id })
    const one = sql`id = ${id}`
    await changing(tx, by, tables, one, () =>
      tx.run(sql`UPDATE tables SET deleted = ${nowText(store)}, version = version + 1 WHERE ${one}`),
    )
    await putInTrash(store, tx, by, { kind: 'table', tableId: id, itemId: id, title: now.title })
    await audit(store, tx, by, 'table_deleted', `table ${id}`, now.title)
  })

export const restoreTable = (
  store: Uses<'environment' | 'settings' | 'restructure'>,
  entry: Trashed,
  by: Caller = operator,
): Promise<void> =>
  store.restructure(async (tx) => {
    const one = sql`id = ${entry.itemId} AND deleted <> ''`
    const restored = await changing(
      tx,
      by,
      tables,
      one,
      () => tx.run(sql`UPDATE tables SET deleted = '', version = version + 1 WHERE ${one}`),
      { act: 'restore' },
    )
    if (restored === 0) throw fail('trash.not_found', { entry: entry.id })
    await tx.run(sql`DELETE FROM trash WHERE id = ${entry.id}`)
    await audit(store, tx, by, 'table_restored', `table ${entry.itemId}`)
  })

/** Erases a table: records, files, fields, filters, rights, and everything of it in the trash. Its changes go afterwards (sweep-erased.ts). */
export const eraseTable = (
  store: Uses<'db' | 'environment' | 'settings' | 'restructure'>,
  entry: Trashed,
  by: Caller = operator,
): Promise<void> =>
  store.restructure(async (tx) => {
    const { itemId: id } = entry
    const erased = await eraseRows(tx, by, tables, sql`id = ${id} AND deleted <> ''`)
    if (erased === 0) throw fail('trash.not_found', { entry: entry.id })
    await dropIndexesOfTable(tx, store.db.dialect, id)
    await dropKeys(tx, store.db.dialect, id)
    const { byTable, byField, byFilter, byView } = erasedWithTable(store.db.dialect)
    const ofFields = sql`field_id IN (SELECT id FROM fields WHERE table_id = ${id})`
    const ofFilters = sql`filter_id IN (SELECT id FROM saved_filters WHERE table_id = ${id})`
    const ofViews = sql`view_id IN (SELECT id FROM saved_views WHERE table_id = ${id})`
    for (const table of byView) await tx.run(sql`DELETE FROM ${name(table)} WHERE ${ofViews}`)
    for (const table of byFilter) await tx.run(sql`DELETE FROM ${name(table)} WHERE ${ofFilters}`)
    for (const table of byField) await tx.run(sql`DELETE FROM ${name(table)} WHERE ${ofFields}`)
    for (const table of byTable) await tx.run(sql`DELETE FROM ${name(table)} WHERE table_id = ${id}`)
    await dropTwins(tx, id)
    await audit(store, tx, by, 'table_erased', `table ${id}`)
  })

/** Raises the version of a table, as every change of its structure does. */
export const bumpTable = (tx: Transaction, id: number): Promise<number> =>
  tx.run(sql`UPDATE tables SET version = version + 1 WHERE id = ${id}`)

async function mustFit(tx: Transaction, { title, categoryId, titleFieldId }: Partial<TableInfo>, id: number): Promise<void> {
  const failures: Failure[] = []
  if (title === '') failures.push(fail('field.required', { name: 'title' }, { attribute: 'title' }))
  if (categoryId !== undefined && categoryId !== 0) {
    const [category] = await tx.all(sql`SELECT id FROM categories WHERE id = ${categoryId}`)
    if (!category) failures.push(fail('field.invalid_value', { why: `There is no category ${categoryId}.` }, { attribute: 'categoryId' }))
  }
  if (titleFieldId !== undefined && titleFieldId !== 0) {
    const [field] = await tx.all(sql`SELECT id FROM fields WHERE id = ${titleFieldId} AND table_id = ${id} AND deleted = ''`)
    if (!field)
      failures.push(fail('field.invalid_value', { why: `The table has no field ${titleFieldId}.` }, { attribute: 'titleFieldId' }))
  }
  if (failures.length > 0) throw new Failures(failures)
}

/** Number of records by table. */
export async function recordCounts(store: Uses<'db' | 'positions' | 'catalogue'>): Promise<ReadonlyMap<number, number>> {
  const ids = [...store.catalogue().tables.keys()]
  const totals = await store.db.read(...ids.map((id) => store.positions.total(id)))
  return new Map(ids.map((id, i) => [id, Number(totals[i]![0]?.[0] ?? 0)]))
}

export async function recordCount({ db, positions }: Uses<'db' | 'positions'>, tableId: number): Promise<number> {
  const [rows] = await db.read(positions.total(tableId))
  return Number(rows![0]?.[0] ?? 0)
}
