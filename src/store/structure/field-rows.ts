import { sql, type Sql } from '../../sql/sql.ts'
import { settingColumns } from '../catalogue/setting-columns.ts'
import { hiddenFields, inList, nothing, visibleTables } from '../catalogue/visible.ts'
import { relation } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
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
    ...settingColumns,
  },
  visibleFields,
  sql`(SELECT fields.*, 'f' || id AS int_name, 'f' || id AS int_namek FROM fields WHERE deleted = '') AS live`,
)

/** Fields of the tables on which the caller has a right, without those hidden from them. */
export function visibleFields(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql {
  const tables = visibleTables(store, caller, 'table_id')
  const hidden = tables === nothing ? [] : hiddenFields(store, caller)
  return hidden.length === 0 ? tables : sql`${tables} AND NOT ${inList(store.db.dialect, 'id', hidden)}`
}
