import { typeSettingRows, type ColumnSetting, type FieldSettings, type SettingValue } from '../../fields/field-type.ts'
import type { Row } from '../ground/db.ts'
import { decode, type ColumnType } from '../ground/relation.ts'

/* Settings that only some types know, as columns of the system table `fields`: they derive from `typeSettings`. */

/** As administrators see them: null, '' or [] where a setting is not set. */
type Shown<V> = V extends number ? V | null : V
export type SettingValues = { readonly [K in ColumnSetting]: Shown<SettingValue<K>> }

const held = {
  number: { type: 'optional', unset: null },
  id: { type: 'link', unset: null },
  bound: { type: 'text', unset: '' },
  words: { type: 'words', unset: [] },
} as const satisfies Readonly<Record<string, { readonly type: ColumnType; readonly unset: unknown }>>

const rows = typeSettingRows.flatMap(([setting, { column, holds }]) =>
  column === undefined || holds === 'options' ? [] : [{ setting: setting as ColumnSetting, column, ...held[holds] }],
)

const bySetting = <T>(of: (row: (typeof rows)[number]) => T) =>
  Object.fromEntries(rows.map((row) => [row.setting, of(row)])) as Readonly<Record<ColumnSetting, T>>

/** In the order in which `readSettings` takes them. */
export const settingColumns = bySetting(({ column, type }) => [column, type] as const)

export const unset = bySetting((row): unknown => row.unset) as SettingValues

/** Of values as administrators see them, those that are set. */
export const setOnly = (values: SettingValues): Partial<FieldSettings> => pickSet(({ setting }) => values[setting])

/** Of the columns of a row, the settings that are set. */
export const readSettings = (row: Row): Partial<FieldSettings> => pickSet(({ type }, i) => decode(type, row[i]!))

function pickSet(of: (row: (typeof rows)[number], place: number) => unknown): Partial<FieldSettings> {
  const set: Partial<Record<ColumnSetting, unknown>> = {}
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    const value = of(row, i)
    if (value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)) set[row.setting] = value
  }
  return set as Partial<FieldSettings>
}
