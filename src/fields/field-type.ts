import type { Engine } from '../sql/dialect.ts'

/*
 * The contract of a field type. A type is one file: how its text is parsed and formatted, its column, what filters can do with it, and
 * its examples. There are many types but five kinds; filter functions are written for kinds.
 */

/**
 * What a filter can do with a value.
 * text: compared by its folded key.
 * number: a 64-bit integer column (a decimal in units of 10^-scale). Its wire text is decimal digits, optionally with a sign and a point;
 * conversions between types rely on that.
 * time: fixed-width text that sorts by time.
 * set: several members in one text.
 * choice: the id of one option, compared by its label. A filter function is applied to the labels and becomes a list of ids.
 */
export type Kind = 'text' | 'number' | 'time' | 'set' | 'choice'

/** Cell editors the grid knows. Most new field types reuse one. */
export type Widget = 'line' | 'paragraph' | 'number' | 'switch' | 'datetime' | 'choice' | 'choices' | 'reference' | 'files'

/** A value in its column. bigint for numbers above 2^53; a number may also come as decimal text. */
export type Stored = string | number | bigint

/** An option of a list field. Records store the id. People see the label, which may change. */
export interface Option {
  readonly id: number
  readonly label: string
  /** A removed option still shows in records that have it. New values cannot use it. */
  readonly removed: boolean
}

/** The kinds of values of settings. `bound`: decimal text for numbers, wire text for dates. */
interface Held {
  readonly number: number
  readonly bound: string
  readonly id: number
  readonly words: readonly string[]
  readonly options: readonly Option[]
}

interface SettingRow {
  /** The name in documents and messages. */
  readonly name: string
  /** The column of the system table `fields`. Options have a table of their own. */
  readonly column?: string
  readonly holds: keyof Held
  /** Every field of a type with this setting must have it. */
  readonly needed?: true
  /** What it means, for documents. */
  readonly says: string
}

/**
 * Settings of some field types; all other settings are common to all types. Columns, documents and forms are made from this table.
 * settings.ts has a check for each.
 */
export const typeSettings = {
  /** Characters (code points). */
  maxLength: {
    name: 'max_length',
    column: 'max_length',
    holds: 'number',
    says: 'Largest number of characters, for texts; null: the limit of the type.',
  },
  /** Digits after the point; default 2. */
  scale: { name: 'scale', column: 'scale', holds: 'number', says: 'Digits after the point, 0 to 9, for `decimal`; null: 2.' },
  /** The least value allowed; `max`: the largest one. */
  min: { name: 'min', column: 'min_value', holds: 'bound', says: 'The smallest value, for numbers and dates; empty: no limit.' },
  max: { name: 'max', column: 'max_value', holds: 'bound', says: 'The largest value, for numbers and dates; empty: no limit.' },
  options: {
    name: 'options',
    holds: 'options',
    needed: true,
    says: 'The choices of `list` and `multilist`. On create: labels. On change: an object with `id` keeps or renames an option, a label adds one, and an option that is left out is removed.',
  },
  referenceTableId: {
    name: 'reference_table_id',
    column: 'reference_table_id',
    holds: 'id',
    needed: true,
    says: 'The table to which `reference` and `references` refer.',
  },
  /** Lower case, without the dot. */
  fileExtensions: {
    name: 'file_extensions',
    column: 'file_extensions',
    holds: 'words',
    says: 'Allowed extensions of file names, such as `pdf`; empty: all.',
  },
  maxFiles: { name: 'max_files', column: 'max_files', holds: 'number', says: 'Largest number of files in a record; null: no limit.' },
  maxKilobytes: {
    name: 'max_kilobytes',
    column: 'max_kilobytes',
    holds: 'number',
    says: 'Largest size of a file in kilobytes; null: no limit.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>

type Rows = typeof typeSettings
export type TypeSetting = keyof Rows

/** Settings with a column in the system table `fields`. */
export type ColumnSetting = { [K in TypeSetting]: Rows[K] extends { readonly column: string } ? K : never }[TypeSetting]

/** The value of the setting K if it is set. */
export type SettingValue<K extends TypeSetting> = Held[Rows[K]['holds']]

export const typeSettingRows = Object.entries(typeSettings) as readonly (readonly [TypeSetting, SettingRow])[]

/** The settings of one field (DECISIONS T15). Undefined: not set; the default of the type applies. */
export interface FieldSettings extends Readonly<{ [K in keyof Rows]?: SettingValue<K> }> {
  readonly required: boolean
  readonly unique: boolean
  /** Wire text of a new record's value if none is sent, or one of the `defaultWords` of its type; '' for no default. */
  readonly defaultValue: string
  readonly hint: string
  /** For types with `byCountry`: the country of the installation (KARTOTEKA_PHONE_COUNTRY). It is no setting of the field. */
  readonly phoneCountry?: string
}

/** What parsing a value may depend on besides the field. */
export interface ValueContext {
  /** IANA name of the zone of the instance, to which date-times with an offset are converted. */
  readonly timeZone: string
}

/** A JSON Schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>

/** A value of a field in documents: as answers show it, and as requests may send it. Requests may send null too, which empties the field. */
export interface ValueSchema {
  readonly shown: Schema
  readonly sent: Schema
}

/** Who creates a record (0: the operator at the command line), and on which day in the zone of the instance. */
export interface Moment {
  readonly userId: number
  readonly today: string
}

/** What the ids in a value refer to. */
export type Target = 'record' | 'user' | 'group'

/** A column of a CSV file is guessed as this type if `value` matches every value and `header`, if present, matches the header. */
export interface Guess {
  readonly value: RegExp
  readonly header?: RegExp
  /** Types with lower numbers are tried first. They accept fewer values. */
  readonly order: number
}

/** Everything that the server, the grid, the documents and the tests know about a field type. */
export interface FieldType {
  /** Stored in the catalogue and shown as `field_type`. Never renamed. */
  readonly name: string
  readonly kind: Kind
  readonly widget: Widget
  /** A sentence for the manual. */
  readonly says: string
  readonly column: Readonly<Record<Engine, string>>
  readonly settings: readonly TypeSetting[]
  /**
   * The value in the column of a field that is not filled in; columns are NOT NULL. It must be '', 0 or another value that the checksum of
   * a record leaves out (store/records/checksums.ts).
   */
  readonly empty: Stored
  /** Whether `empty` always means not filled in. False for integer, decimal and boolean, where 0 is also a value. */
  readonly hasEmpty: boolean
  /** What the value is in JSON, for OpenAPI, JSON Schema and TypeScript. */
  schema(settings: FieldSettings): ValueSchema
  /** From wire text to the column. Throws `field.invalid_value` with a sentence. The text is well-formed Unicode. */
  parse(text: string, settings: FieldSettings, context: ValueContext): Stored
  /** From the column to wire text. Responses contain strings only. */
  format(stored: Stored, settings: FieldSettings): string
  /** The text of the second column `<column>k`. Present if values are compared by a folded form. */
  key?(stored: Stored, settings: FieldSettings): string
  /** Parses the literal of a filter function on whole values. Absent: `parse` is used. */
  literal?(text: string, settings: FieldSettings, context: ValueContext): Stored
  /**
   * For sets: the text that has() searches for in the value column, a member with its separators. Throws as `parse` does. For a set with
   * `key` it only checks the member: has() then searches the key for the folded text of the filter between CR LF.
   */
  member?(text: string, settings: FieldSettings): string
  /** Folds the value of starts_with, ends_with and contains in the way in which `key` folds. Absent: fold(). */
  part?(text: string): string
  /** Where keys are not the values as `part` folds them: other beginnings that the key of a value with this beginning may have. */
  beginnings?(text: string, settings: FieldSettings): readonly string[]
  /** True for phone: keys depend on `phoneCountry`. */
  readonly byCountry?: true
  /** The ids in a value and what they refer to, to check that it exists. */
  readonly target?: Target
  ids?(stored: Stored): readonly number[]
  /** Whether SQL reads the value as text, so that 18 digits stay exact. */
  readonly exact?: true
  /** True for file and image. Requests send arrays of file objects; store/files keeps the bytes. */
  readonly files?: true
  /** True for boolean: the value is 1 or 0. */
  readonly truth?: true
  /** True for longtext: values may have line breaks. */
  readonly multiline?: true
  /** True for text. The title field of a table, if none is chosen, is its first field of such a type. */
  readonly titles?: true
  /** Digits after the point. Absent: 0. */
  scale?(settings: FieldSettings): number
  /** When a column of a CSV file is guessed as this type. Absent: never. */
  readonly guess?: Guess
  /** The settings with which a field can hold these texts. Absent: the defaults. */
  settingsFor?(texts: readonly string[]): Pick<FieldSettings, 'scale'>
  /** Words that a default may be instead of a value, and the wire text for which each stands when a record is created. */
  readonly defaultWords?: Readonly<Record<string, (moment: Moment) => string>>
  /** True for autonumber: the service assigns the value. */
  readonly assigned?: true
  /** Whether a field of this type may be `unique`. */
  readonly canBeUnique?: true
  /** The most UTF-16 code units of a text for `parse`. Longer texts are refused before. */
  readonly maxUnits: number
  /** The most characters (code points) of a value. The setting `maxLength` can only lower it. */
  readonly longest?: number
  /** The extensions allowed for files of this type, in lower case without the dot. Absent: any. */
  readonly extensions?: readonly string[]
  /** [sent, returned] with `exampleSettings`, for the conformance test and the manual; `rejects`: texts that `parse` refuses. */
  readonly examples: readonly (readonly [sent: string, returned: string])[]
  readonly rejects: readonly string[]
  readonly exampleSettings?: Partial<FieldSettings>
}

/** What a filter, a sort or a write can name: a field of a table or a system column. */
export interface Attribute {
  /** The name in requests and responses: f12, add_time, group_id. */
  readonly name: string
  readonly column: string
  /** The column of the folded key; present if type.key is. */
  readonly keyColumn?: string
  readonly type: FieldType
  readonly settings: FieldSettings
  /** True for update_time. Answers show it where it is named; search(), rules and the log of changes do without it. */
  readonly onlyNamed?: true
}

/** The settings of an attribute without settings. */
export const plain: FieldSettings = { required: false, unique: false, defaultValue: '', hint: '' }
