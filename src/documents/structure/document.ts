import { typeSettingRows, type Schema, type TypeSetting } from '../../fields/field-type.ts'
import { limits } from '../../limits.ts'
import { rightNames, rights, type Right } from '../../store/model/rights.ts'
import { columnFigures, viewKinds } from '../../store/people/saved-views.ts'

/*
 * The structure of an installation as one JSON document, which another installation can take over. Everything is known by its name; ids, which
 * differ between installations, do not occur. In the texts of filters, sorts and the like, {Name} stands for a field.
 */

export const FORMAT = 'kartoteka-structure'
export const VERSION = 1

/** `was`: the name before; what has that name is renamed, unless something has the new name already. */
export interface Named {
  readonly name: string
  readonly was?: string
}

export interface GroupPart extends Named {
  /** A group that every installation has, whatever its name there. */
  readonly built_in?: BuiltIn
}
export const builtIns = ['administrators', 'managers', 'clients'] as const
export type BuiltIn = (typeof builtIns)[number]

export interface OptionPart {
  readonly name: string
  readonly was?: string
}

/** A field; besides, the settings of its type, by the names of `settingName`. */
export interface FieldPart extends Named, Readonly<Record<string, unknown>> {
  readonly type: string
  readonly required?: boolean
  readonly unique?: boolean
  readonly default?: string
  readonly hint?: string
  readonly section?: string
  readonly options?: readonly (string | OptionPart)[]
}

export interface FilterPart extends Named {
  readonly expression: string
}

export interface ViewPart extends Named {
  readonly kind: string
  readonly filter?: string
  readonly sort?: string
  readonly columns?: readonly {
    readonly attribute: string
    readonly width?: number
    readonly wrap?: boolean
    readonly frozen?: boolean
    readonly figure?: string
    readonly hidden?: boolean
    readonly after?: string
  }[]
  readonly group_by?: string
  readonly figure?: string
  readonly span?: string
}

type RightsOfFields = Readonly<Record<string, string>>

export interface AccessPart {
  readonly group: string
  readonly rights: readonly string[]
  readonly read_filter?: string
  readonly write_filter?: string
  readonly fields?: RightsOfFields | { readonly allow: RightsOfFields }
  readonly assignable?: boolean
}

export interface TablePart extends Named {
  readonly full_name?: string
  readonly category?: string
  readonly title_field?: string
  readonly unique_field_names?: boolean
  readonly fields?: readonly FieldPart[]
  readonly filters?: readonly FilterPart[]
  readonly views?: readonly ViewPart[]
  readonly access?: readonly AccessPart[]
}

/** A list that is left out is not compared: what the installation has of it stays as it is. */
export interface StructureDocument {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  readonly categories?: readonly Named[]
  readonly groups?: readonly GroupPart[]
  readonly tables?: readonly TablePart[]
}

/** The member of a field that holds this setting of its type. */
export const settingName = (setting: TypeSetting): string =>
  setting === 'referenceTableId' ? 'reference_table' : typeSettingRows.find(([one]) => one === setting)![1].name

/** The word for a right. */
export const wordOf = (right: Right): string => rights[right].column.slice('may_'.length)

const name: Schema = { type: 'string', maxLength: limits.text.most }
const key: Schema = { type: 'string' }
const text: Schema = { type: 'string' }
const truth: Schema = { type: 'boolean' }

const object = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const listOf = (items: Schema): Schema => ({ type: 'array', items })

const named = { name, was: text }
const valueOf = { number: { type: 'integer', minimum: 0 }, bound: text, id: key, words: listOf(text), options: undefined } as const

const settings = Object.fromEntries(
  typeSettingRows.flatMap(([setting, { holds }]) => (valueOf[holds] ? [[settingName(setting), valueOf[holds] as Schema]] : [])),
)
const option: Schema = { oneOf: [name, object(named, 'name')] }
const field = object(
  { ...named, type: text, required: truth, unique: truth, default: text, hint: text, section: name, ...settings, options: listOf(option) },
  'name',
  'type',
)
const column = object(
  {
    attribute: text,
    width: { type: 'integer', minimum: 1, maximum: limits.columnWidth.most },
    wrap: { type: 'boolean' },
    frozen: { type: 'boolean' },
    figure: { enum: columnFigures },
    hidden: { type: 'boolean' },
    after: text,
  },
  'attribute',
)
const view = object(
  {
    ...named,
    kind: { enum: viewKinds },
    filter: text,
    sort: text,
    columns: { ...listOf(column), maxItems: limits.viewColumns.most },
    group_by: text,
    figure: text,
    span: text,
  },
  'name',
  'kind',
)
const rightOf = (...words: string[]): Schema => ({ type: 'object', additionalProperties: { enum: words } })
const access = object(
  {
    group: key,
    rights: listOf({ enum: rightNames.map(wordOf) }),
    read_filter: text,
    write_filter: text,
    fields: { oneOf: [object({ allow: rightOf('writable', 'read_only') }, 'allow'), rightOf('hidden', 'read_only')] },
    assignable: truth,
  },
  'group',
  'rights',
)
const table = object(
  {
    ...named,
    full_name: { type: 'string', maxLength: limits.text.most },
    category: key,
    title_field: key,
    unique_field_names: truth,
    fields: listOf(field),
    filters: listOf(object({ ...named, expression: text }, 'name', 'expression')),
    views: listOf(view),
    access: listOf(access),
  },
  'name',
)

/** Of the whole document, as docs/structure.schema.json has it. */
export const structureSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Structure of an installation of Kartoteka',
  ...object(
    {
      $schema: text,
      format: { const: FORMAT },
      version: { const: VERSION },
      categories: listOf(object(named, 'name')),
      groups: listOf(object({ ...named, built_in: { enum: builtIns } }, 'name')),
      tables: listOf(table),
    },
    'format',
    'version',
  ),
}
