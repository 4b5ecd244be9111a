import type { Engine } from '../sql/dialect.ts'

/*
 * The contract of a field type. A type is one file: how its text is read and shown, its column, what filters can do
 * with it, and its own evidence. Field types are many, kinds are five; nothing is written per type and function.
 */

/**
 * What a filter can do with a value.
 * text: compared by its folded key. number: a 64-bit integer column (a decimal is held in units of 10^-scale); its wire text is
 * decimal digits, perhaps with a sign and a point, which conversions between types rely on.
 * time: fixed-width text that sorts as time. set: several members in one text. choice: the id of one option, compared
 * as its label is; functions are answered on the labels and become a list of ids.
 */
export type Kind = 'text' | 'number' | 'time' | 'set' | 'choice'

/** Cell editors the grid knows. Most new field types reuse one. */
export type Widget = 'line' | 'paragraph' | 'number' | 'switch' | 'datetime' | 'choice' | 'choices' | 'reference' | 'files'

/** What the value column holds. bigint for numbers beyond 2^53; numbers may also arrive as their decimal text. */
export type Stored = string | number | bigint

/** One option of a list field. The id stands in the records; the label is what people see and may change. */
export interface Option {
  readonly id: number
  readonly label: string
  /** Removed options keep showing in the records that have them, and are refused in new values. */
  readonly removed: boolean
}

/** What a setting holds. `bound`: decimal text (numbers) or wire text (dates). */
interface Held {
  readonly number: number
  readonly bound: string
  readonly id: number
  readonly words: readonly string[]
  readonly options: readonly Option[]
}

interface SettingRow {
  /** As people know it: in documents and in sentences. */
  readonly name: string
  /** In the system table `fields`; options have a table of their own. */
  readonly column?: string
  readonly holds: keyof Held
  /** A field of a type that knows it must have it. */
  readonly needed?: true
}

/**
 * Settings that only some types know; the rest are common to all. Columns, documents and forms derive from this table;
 * settings.ts has a check for each.
 */
export const typeSettings = {
  /** Characters (code points). */
  maxLength: { name: 'max_length', column: 'max_length', holds: 'number' },
  /** Digits after the point; default 2. */
  scale: { name: 'scale', column: 'scale', holds: 'number' },
  /** Included, as `max` is. */
  min: { name: 'min', column: 'min_value', holds: 'bound' },
  max: { name: 'max', column: 'max_value', holds: 'bound' },
  options: { name: 'options', holds: 'options', needed: true },
  referenceTableId: { name: 'reference_table_id', column: 'reference_table_id', holds: 'id', needed: true },
  /** Lower case, without the dot. */
  fileExtensions: { name: 'file_extensions', column: 'file_extensions', holds: 'words' },
  maxFiles: { name: 'max_files', column: 'max_files', holds: 'number' },
  maxKilobytes: { name: 'max_kilobytes', column: 'max_kilobytes', holds: 'number' },
} as const satisfies Readonly<Record<string, SettingRow>>

type Rows = typeof typeSettings
export type TypeSetting = keyof Rows

/** Those with a column in the system table `fields`. */
export type ColumnSetting = { [K in TypeSetting]: Rows[K] extends { readonly column: string } ? K : never }[TypeSetting]

/** What the setting K holds where it is set. */
export type SettingValue<K extends TypeSetting> = Held[Rows[K]['holds']]

export const typeSettingRows = Object.entries(typeSettings) as readonly (readonly [TypeSetting, SettingRow])[]

/** The settings of one field (DECISIONS T15). Undefined: not set; the type's default holds. */
export interface FieldSettings extends Readonly<{ [K in keyof Rows]?: SettingValue<K> }> {
  readonly required: boolean
  readonly unique: boolean
  /** Wire text used for a field not sent on create; '' for none. */
  readonly defaultValue: string
  readonly hint: string
}

/** What reading a value may depend on besides the field. */
export interface ValueContext {
  /** IANA name of the instance's zone, for date-times sent with an offset. */
  readonly timeZone: string
}

/** What the ids in a value name, where they name something. */
export type Target = 'record' | 'user' | 'group'

/** Every value looks like `value`, and the header like `header` where there is one. */
export interface Guess {
  readonly value: RegExp
  readonly header?: RegExp
  /** Lower is tried first: types that take less. */
  readonly order: number
}

/** All the server, the grid, the documents and the tests know about a field type. */
export interface FieldType {
  /** Stored in the catalogue and shown as `field_type`. Never renamed. */
  readonly name: string
  readonly kind: Kind
  readonly widget: Widget
  /** One plain sentence for the manual. */
  readonly says: string
  readonly column: Readonly<Record<Engine, string>>
  readonly settings: readonly TypeSetting[]
  /**
   * What the column holds in a field nobody has filled in. Columns are NOT NULL, so there is always one. For fields of tables: '', 0 or one
   * of the other values that count nothing in the checksum of a record (store/records/checksums.ts).
   */
  readonly empty: Stored
  /** Whether the empty value can be told from a value: false where 0 is a value (integer, decimal, boolean). */
  readonly hasEmpty: boolean
  /** Wire text to column. Throws `field.invalid_value` with a sentence. Unicode well-formedness is checked before. */
  parse(text: string, settings: FieldSettings, context: ValueContext): Stored
  /** Column to wire text: responses carry strings only. */
  format(stored: Stored, settings: FieldSettings): string
  /** Text of the second column `<column>k`, by which values are compared; for types that compare by a folded form. */
  key?(stored: Stored, settings: FieldSettings): string
  /** The literal of a whole-value filter function, where it is read otherwise than a written value is. */
  literal?(text: string, settings: FieldSettings, context: ValueContext): Stored
  /**
   * What has() looks for, for sets. Throws as parse. Without `key` the text that finds one member in the value column, its
   * separators with it; a set with a key is searched for the folded member as it was named, between CR LF.
   */
  member?(text: string, settings: FieldSettings): string
  /** Folds the operand of starts_with, ends_with and contains as `key` folds the value; default: fold(). */
  part?(text: string): string
  /** Which ids stand in the value, and what they name; for the check that they exist. */
  readonly target?: Target
  ids?(stored: Stored): readonly number[]
  /** True for integer and decimal: read as text from the database, so that 18 digits stay exact. */
  readonly exact?: true
  /** True for file and image: written as arrays of file objects, bytes kept by store/files. */
  readonly files?: true
  /** True for boolean: the value is 1 or 0, however it was spelled. */
  readonly truth?: true
  /** True for longtext: values may have line breaks. */
  readonly multiline?: true
  /** True for text: a table without a title field chosen takes its first field of such a type. */
  readonly titles?: true
  /** Digits after the point of a number; whole numbers have none. */
  scale?(settings: FieldSettings): number
  /** How a column of a CSV file is taken for this type, where it may be. */
  readonly guess?: Guess
  /** Settings that a field needs to hold these texts, where the default does not do. */
  settingsFor?(texts: readonly string[]): Pick<FieldSettings, 'scale'>
  /** True for autonumber: the service gives the value. */
  readonly assigned?: true
  /** Whether a field of this type may be `unique`. */
  readonly canBeUnique?: true
  /** Code units of the text that `parse` is given, at most: what is longer is refused unread. */
  readonly maxUnits: number
  /** The most characters (code points) a value holds; `maxLength` can only lower it. */
  readonly longest?: number
  /** Extensions that files of this type are limited to, lower case, without the dot. */
  readonly extensions?: readonly string[]
  /** [sent, returned] under `exampleSettings`. Read by the conformance suite and the manual. */
  readonly examples: readonly (readonly [sent: string, returned: string])[]
  readonly rejects: readonly string[]
  readonly exampleSettings?: Partial<FieldSettings>
}

/** Something a filter, a sort or a write can name: a field of a table or a system column. */
export interface Attribute {
  /** As the wire has it: f12, add_time, group_id. */
  readonly name: string
  readonly column: string
  /** The folded column; there when type.key is. */
  readonly keyColumn?: string
  readonly type: FieldType
  readonly settings: FieldSettings
}

/** Settings of an attribute that has none of its own. */
export const plain: FieldSettings = { required: false, unique: false, defaultValue: '', hint: '' }
