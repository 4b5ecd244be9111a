import type { Resource } from '../api/client.ts'

/** A field of a table, as the pages use it. */
export interface Field {
  readonly id: number
  /** The attribute of the records, such as f12. */
  readonly name: string
  readonly title: string
  readonly type: string
  /** The table to which it belongs. */
  readonly table: number
  readonly options: readonly { readonly id: number; readonly label: string }[]
  /** The table to which it refers. */
  readonly target: number | null
  readonly isRequired: boolean
  /** No two records have the same value: it is a name more than a quantity. */
  readonly isUnique: boolean
  /** It is an attribute that every record has (system.ts). */
  readonly isSystem?: boolean
  readonly hint: string
  /** The heading under which a record shows it; '' for none. */
  readonly section: string
  /** Digits after the point. */
  readonly scale: number
  readonly maxLength: number | null
  /** Extensions of files; none: all. */
  readonly extensions: readonly string[]
  readonly maxFiles: number | null
  /** Whether the person may set it, in records that they may write. */
  readonly maySet: boolean
}

export const fieldOf = ({ id, attributes, meta }: Resource): Field => ({
  id: Number(id),
  name: attributes['int_name'],
  title: attributes['field_name'],
  type: attributes['field_type'],
  table: attributes['table_id'],
  options: attributes['options'] ?? [],
  target: attributes['reference_table_id'],
  isRequired: attributes['required'] === true,
  isUnique: attributes['unique'] === true,
  hint: attributes['hint'] ?? '',
  section: (attributes['section'] ?? '').trim(),
  scale: attributes['scale'] ?? 2,
  maxLength: attributes['max_length'] ?? null,
  extensions: attributes['file_extensions'] ?? [],
  maxFiles: attributes['max_files'] ?? null,
  maySet: meta?.access?.['update'] ?? true,
})

/** The title of a record of a table, or the name of a user or group, where it is known. */
export type TitleOf = (of: number | 'user' | 'group', id: string) => string | undefined

/** Whether a value of the one field means the same in the other: an id is one of a table, and an option one of a field. */
export const isOfOneKind = (one: Field, other: Field): boolean =>
  one.type === other.type && one.target === other.target && (one.name === other.name || other.options.length === 0)

/** Whether two names look alike: letters' case and spaces around them tell nobody apart. */
export const isSameTitle = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()
