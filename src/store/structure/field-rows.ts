import { sql, type Sql } from '../../sql/sql.ts'
import { settingColumns } from '../catalogue/setting-columns.ts'
import { hiddenFields, inList, nothing, visibleTables } from '../catalogue/visible.ts'
import type { FieldType, Option } from '../../fields/field-type.ts'
import { relation, type Query } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import type { Field } from '../model/catalogue.ts'
import type { FieldInfo } from './field-settings.ts'

export const fieldRows = relation<FieldInfo>(
  'fields',
  {
    id: ['id', 'integer'],
    tableId: ['table_id', 'integer'],
    intName: ['int_name', 'text'],
    title: ['title', 'text'],
    typeName: ['type', 'text'],
    sequence: ['sequence', 'integer'],
    required: ['required', 'boolean'],
    unique: ['is_unique', 'boolean'],
    defaultValue: ['default_value', 'longtext'],
    hint: ['hint', 'longtext'],
    section: ['section', 'text'],
    ...settingColumns,
  },
  visibleFields,
  sql`(SELECT fields.*, 'f' || id AS int_name, 'f' || id AS int_namek FROM fields WHERE deleted = '') AS live`,
  { logging: { besides: async (query, id) => ({ options: (await optionsOf(query, id)).filter(({ removed }) => !removed) }) } },
)

/** Fields of the tables on which the caller has a right, without those hidden from them. */
export function visibleFields(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql {
  const tables = visibleTables(store, caller, 'table_id')
  const hidden = tables === nothing ? [] : hiddenFields(store, caller)
  return hidden.length === 0 ? tables : sql`${tables} AND NOT ${inList(store.db.dialect, 'id', hidden)}`
}

/** In their order, those removed too. */
export async function optionsOf(query: Query, fieldId: number): Promise<Option[]> {
  const rows = await query(sql`SELECT id, label, removed FROM options WHERE field_id = ${fieldId} ORDER BY sequence, id`)
  return rows.map(([id, label, removed]) => ({ id: Number(id), label: String(label), removed: removed === 1 }))
}

/** A field as the catalogue has it, without its settings. */
export const physical = (id: number, tableId: number, title: string, column: string, type: FieldType): Omit<Field, 'settings'> => ({
  id,
  tableId,
  name: `f${id}`,
  title,
  sequence: 0,
  section: '',
  column,
  type,
  ...(type.key && { keyColumn: `${column}k` }),
})
