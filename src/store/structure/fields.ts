import { fail } from '../../errors.ts'
import type { FieldType, Option } from '../../fields/field-type.ts'
import { fieldType, fieldTypes } from '../../fields/index.ts'
import { limits } from '../../limits.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Actor, Caller } from '../model/access.ts'
import { rulesMustFit } from './access-rules.ts'
import { operator, type Administrator } from '../catalogue/administrator.ts'
import { attributesWithTrashed } from '../catalogue/load-catalogue.ts'
import { audit } from '../people/audit.ts'
import type { Field, Table } from '../model/catalogue.ts'
import { nowText } from '../ground/clock.ts'
import { erasedWithField } from '../schema/system-tables.ts'
import { changeColumns, type ConvertOptions } from './change-columns.ts'
import { addColumns, createUnique, dropColumns, forgetColumn, dropUnique, numberRecords } from './columns.ts'
import { keyOfConversion } from './convert-by-key.ts'
import { needsConversion } from './convert-field.ts'
import type { Transaction } from '../ground/db.ts'
import { defaultMustName } from '../records/defaults.ts'
import { deleteOptions, writeOptions, type RequestedOption } from './field-options.ts'
import { nameMustBeFree } from './field-names.ts'
import { fieldRows, physical, visibleFields } from './field-rows.ts'
import { checkInfo, fieldDefaults, mustBeBrief, resetFor, settingsOf, type FieldInfo } from './field-settings.ts'
import { noteErasedField } from '../ground/erased-fields.ts'
import { allRows, committed, findRow } from '../ground/relation.ts'
import { changing, eraseRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { rewordFilters, rewordingFor } from './renamed-options.ts'
import { nextColumn } from './left-columns.ts'
import { newOptions } from './new-options.ts'
import { eraseSecond } from './second-columns.ts'
import type { Uses } from '../ground/store.ts'
import { bumpTable, tables } from './tables.ts'
import { tellOfColumn } from './tell-ledgers.ts'
import { putInTrash, trashedColumn, type Trashed } from './trash-entries.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>

/** The fields of one table that exist for the caller, in the order people see them. */
export async function fieldsOf(store: Uses<'db' | 'catalogue'>, caller: Caller, tableId: number): Promise<FieldInfo[]> {
  const rows = await allRows(committed(store), fieldRows, sql`table_id = ${tableId} AND ${visibleFields(store, caller)}`)
  return rows.sort((one, other) => one.sequence - other.sequence || one.id - other.id)
}

/** The options of a field, those removed left out; none for types that have none. */
export const optionsShown = (store: Uses<'catalogue'>, { id, tableId }: Pick<FieldInfo, 'id' | 'tableId'>): readonly Option[] =>
  findField(store, id, tableId)?.settings.options?.filter((option) => !option.removed) ?? []

export const findField = (store: Uses<'catalogue'>, id: number, tableId: number): Field | undefined =>
  store
    .catalogue()
    .tables.get(tableId)
    ?.fields.find((field) => field.id === id)

/** Existing records get the empty value, not the default; an autonumber field numbers them in the order of their ids. */
export const createField = (
  store: Used,
  by: Administrator,
  { options: requested, ...values }: Partial<FieldInfo> & { options?: readonly RequestedOption[] },
): Promise<number> =>
  store.restructure(async (tx) => {
    const table = store.catalogue().tables.get(values.tableId ?? 0)
    if (!table) throw fail('field.invalid_value', { why: `There is no table ${values.tableId ?? 0}.` }, { attribute: 'tableId' })
    const type = knownType(values.typeName ?? '')
    await tableMustHaveRoom(tx, table)
    await mustHaveRoom(store, tx, limits.fields, { table: 'fields' })
    const info = {
      ...fieldDefaults,
      sequence: Math.min(Math.max(0, ...table.fields.map((field) => field.sequence)) + 1, Number.MAX_SAFE_INTEGER),
      ...values,
    }
    mustBeBrief(info)
    await nameMustBeFree(tx, table.id, info.title)
    const id = await withTable(tx, by, table.id, () => addField(store, tx, by, table, { type, info, requested }))
    await audit(store, tx, by, 'field_created', `field ${id}`, `table ${table.id}: ${info.title}`)
    return id
  })

async function addField(
  store: Used,
  tx: Transaction,
  by: Administrator,
  table: Table,
  {
    type,
    info,
    requested,
  }: { type: FieldType; info: Omit<FieldInfo, 'id' | 'intName' | 'tableId'>; requested: readonly RequestedOption[] | undefined },
): Promise<number> {
  const id = await insertRow(tx, by, fieldRows, info)
  const options = requested ? await writeOptions(tx, by, id, requested) : []
  const settings = settingsOf(info, options, store.catalogue())
  checkInfo(type, settings, store.catalogue(), store.context)
  await defaultMustName(store, tx, store.catalogue(), type, settings)
  const column = `f${id}`
  await addColumns(tx, store.db.dialect, table.id, column, type)
  const field = { ...physical(id, table.id, info.title, column, type), settings }
  const last = type.assigned ? await numberRecords(store, tx, field, 0, by) : 0
  await updateRow(tx, by, fieldRows, id, {}, { column_name: column, number_next: last })
  if (info.unique) await createUnique(tx, store.db.dialect, table.id, field)
  if (type.titles && table.titleFieldId === 0) await updateRow(tx, by, tables, table.id, { titleFieldId: id })
  await bumpTable(tx, table.id)
  return id
}

/**
 * `addedOptions`: labels that come behind the options that the field has by then, unless they are among them. `sortsOptions`: the options that
 * it has by then are put in the order of their labels. `referenceBy`: the unique field by whose values a field that becomes a reference refers.
 */
export type FieldChanges = Partial<FieldInfo> & {
  options?: readonly RequestedOption[]
  addedOptions?: readonly string[]
  sortsOptions?: boolean
  referenceBy?: number | null
}

/**
 * Changes settings of a field, or its type, which converts its values. A text becomes a list in these steps: `newOptions` makes its values the
 * options (`valuesAsOptions`); `convertField` fills a new column, `convertValue` by value, mostly by way of the text that the value
 * shows (`convertThroughText`). With `referenceBy`, `convertByKey` finds the records that the values name.
 * @throws `field.would_lose_data`, `field.has_duplicates`, `field.in_use`, Failures for settings that do not fit
 */
export const updateField = (
  store: Used,
  by: Administrator,
  id: number,
  { options: requested, addedOptions: added = [], sortsOptions: sorts = false, referenceBy, ...changes }: FieldChanges,
  { lossy = false, takeOver, foresee }: ConvertOptions = {},
): Promise<void> =>
  store.restructure(async (tx) => {
    const now = await findRow((query) => tx.all(query), fieldRows, id)
    const before = now && findField(store, id, now.tableId)
    if (!before) throw fail('resource.not_found', { type: 'field', id })
    const type = knownType(changes.typeName ?? now.typeName)
    const asked = type === before.type ? { ...now, ...changes } : { ...now, ...resetFor(type), ...changes }
    mustBeBrief(asked, now)
    if (asked.title !== now.title) await nameMustBeFree(tx, now.tableId, asked.title, id)
    const options = await newOptions(store, tx, by, before, type, { requested, added, sorts })
    const info = { ...asked, defaultValue: changes.defaultValue ?? renamedDefault(asked.defaultValue, before, options) }
    const settings = settingsOf(info, options, store.catalogue())
    checkInfo(type, settings, store.catalogue(), store.context, before.settings.referenceTableId)
    if (changes.defaultValue !== undefined || changes.referenceTableId !== undefined)
      await defaultMustName(store, tx, store.catalogue(), type, settings)
    const same = { ...before, title: info.title, sequence: info.sequence, type, settings }
    const converts = needsConversion(before, same)
    const key = keyOfConversion(store.catalogue(), before, same, { referenceBy, converts })
    const column = converts ? await nextColumn(tx, store.db.dialect, before) : before.column
    const after: Field = { ...physical(id, before.tableId, info.title, column, type), sequence: info.sequence, settings }
    const table = store.catalogue().tables.get(before.tableId)!
    const reword = await rewordingFor(before, after)
    await rulesMustFit(store.catalogue(), table.id, new Map([...table.attributes, [after.name, after]]), store.context, reword)
    foresee?.(before, after, key)
    // Settings that do not change are not checked again.
    const values = Object.fromEntries(Object.entries(info).filter(([property, value]) => value !== now[property as keyof FieldInfo]))
    await withTable(tx, by, table.id, async () => {
      await changeColumns(store, tx, before, after, { converts, lossy, by, key, ...(takeOver && { takeOver }) })
      if (!type.settings.includes('options')) await deleteOptions(tx, by, id)
      await updateRow(tx, by, fieldRows, id, values, { column_name: column })
    })
    if (reword) await rewordFilters(store, tx, by, after, reword)
    await bumpTable(tx, table.id)
    await audit(
      store,
      tx,
      by,
      'field_changed',
      `field ${id}`,
      `table ${table.id}: ${[...Object.keys(changes), ...(requested || added.length > 0 || sorts ? ['options'] : [])].join(', ')}`,
    )
  })

/** Moves a field to the trash with its values. @throws `field.in_use` while a group's filter names it. */
export const deleteField = (store: Used, by: Administrator, id: number): Promise<void> =>
  store.restructure(async (tx) => {
    const now = await findRow((query) => tx.all(query), fieldRows, id)
    const field = now && findField(store, id, now.tableId)
    if (!field) throw fail('resource.not_found', { type: 'field', id })
    const table = store.catalogue().tables.get(field.tableId)!
    await rulesMustFit(store.catalogue(), table.id, new Map([...table.attributes].filter(([key]) => key !== field.name)), store.context)
    const next = table.fields.find((one) => one.id !== id && one.type.titles)
    await withTable(tx, by, table.id, async () => {
      await changing(tx, by, fieldRows, sql`id = ${id}`, () => tx.run(sql`UPDATE fields SET deleted = ${nowText(store)} WHERE id = ${id}`))
      await tx.run(sql`UPDATE tables SET title_field_id = ${next?.id ?? 0} WHERE id = ${table.id} AND title_field_id = ${id}`)
    })
    await dropUnique(tx, store.db.dialect, table.id, field.column)
    await bumpTable(tx, table.id)
    await putInTrash(store, tx, by, { kind: 'field', tableId: table.id, itemId: id, title: field.title })
    await audit(store, tx, by, 'field_deleted', `field ${id}`, `table ${table.id}: ${field.title}`)
  })

/** Restores a field. Records made meanwhile have the empty value in it. @throws `field.has_duplicates`, `trash.not_found` while its table is in the trash. */
export const restoreField = (
  store: Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>,
  entry: Trashed,
  by: Caller = operator,
): Promise<void> =>
  store.restructure(async (tx) => {
    const { itemId: id, tableId } = entry
    if (!store.catalogue().tables.has(tableId)) throw fail('table.not_found', { table: tableId })
    const trashed = await trashedColumn(tx, entry)
    await nameMustBeFree(tx, tableId, trashed.title, id)
    const one = sql`id = ${id}`
    await withTable(tx, by, tableId, () =>
      changing(tx, by, fieldRows, one, () => tx.run(sql`UPDATE fields SET deleted = '' WHERE ${one}`), { act: 'restore' }),
    )
    const info = (await findRow((query) => tx.all(query), fieldRows, id))!
    const field = { ...physical(id, tableId, info.title, trashed.column, trashed.type), settings: settingsOf(info, [], store.catalogue()) }
    if (trashed.type.assigned) {
      const last = await numberRecords(store, tx, field, trashed.lastNumber, by)
      await updateRow(tx, by, fieldRows, id, {}, { number_next: last })
    }
    if (info.unique) await createUnique(tx, store.db.dialect, tableId, field)
    await bumpTable(tx, tableId)
    await tx.run(sql`DELETE FROM trash WHERE id = ${entry.id}`)
    await audit(store, tx, by, 'field_restored', `field ${id}`)
  })

/** Erases a field with its values and files. */
export const eraseField = (
  store: Uses<'db' | 'environment' | 'settings' | 'restructure'>,
  entry: Trashed,
  by: Caller = operator,
): Promise<void> =>
  store.restructure(async (tx) => {
    const { itemId: id, tableId } = entry
    const { column, type } = await trashedColumn(tx, entry)
    const from = tx.images ? (await attributesWithTrashed(tx, tableId)).get(`f${id}`) : undefined
    await forgetColumn(tx, store.db.dialect, tableId, { column, type }, async (rows) => {
      const gone = rows.map((row) => ({ id: row.id, before: row.stored, after: type.empty }))
      if (from) await tellOfColumn(tx, store.db.dialect, { tableId, act: 'erase', by, from, to: undefined }, gone)
    })
    await dropColumns(tx, store.db.dialect, tableId, column, type)
    await eraseSecond(tx, store.db.dialect, tableId, id)
    for (const table of erasedWithField(store.db.dialect)) await tx.run(sql`DELETE FROM ${name(table)} WHERE field_id = ${id}`)
    await eraseRows(tx, by, fieldRows, sql`id = ${id}`)
    await noteErasedField(tx, tableId, id)
    await tx.run(sql`DELETE FROM trash WHERE id = ${entry.id}`)
    await bumpTable(tx, tableId)
    await audit(store, tx, by, 'field_erased', `field ${id}`, `table ${tableId}`)
  })

/** Runs a change of a field of this table, which may give the table another title field. */
const withTable = <R>(tx: Transaction, by: Actor, tableId: number, work: () => Promise<R>): Promise<R> =>
  changing(tx, by, tables, sql`id = ${tableId}`, work)

/** A default that is the label of an option becomes the new label of that option. */
function renamedDefault(label: string, before: Field, options: readonly Option[]): string {
  const named = before.settings.options?.find((option) => option.label === label)
  return options.find((option) => option.id === named?.id && !option.removed)?.label ?? (named ? '' : label)
}

async function tableMustHaveRoom(tx: Transaction, table: Table): Promise<void> {
  const [row] = await tx.all(sql`SELECT count(*) FROM fields WHERE table_id = ${table.id}`)
  const { most } = limits.fieldsPerTable
  if (Number(row![0]) >= most) throw fail('table.too_many_fields', { most })
}

function knownType(typeName: string): FieldType {
  const type = fieldType(typeName)
  if (!type)
    throw fail(
      'field.invalid_value',
      { why: `There is no field type '${typeName}'. Known: ${fieldTypes.map((one) => one.name).join(', ')}.` },
      { attribute: 'typeName' },
    )
  return type
}
