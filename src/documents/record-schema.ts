import { Failure } from '../errors.ts'
import type { Attribute, FieldSettings, FieldType, Schema } from '../fields/field-type.ts'
import { nullable } from '../fields/forms/json-schema.ts'
import { limits } from '../limits.ts'
import { hasEveryRight } from '../store/model/built-in-groups.ts'
import { rightsOn, type View } from '../store/model/access.ts'
import type { Field } from '../store/model/catalogue.ts'

/* The records of a table as one caller sees them, as JSON Schemas (2020-12). Hidden fields are not in them. */

/** Schemas of attributes: as answers show them, and as requests to create and to change a record may send them. */
export interface RecordSchemas {
  readonly shown: Schema
  readonly create: Schema
  readonly update: Schema
}

export function recordSchemas(view: View): RecordSchemas {
  const shown: Record<string, Schema> = {}
  const sent: Record<string, Schema> = {}
  const required: string[] = []
  const labels = { left: limits.documentLabels.most }
  for (const [name, attribute] of view.allAttributes) {
    if (name === 'id') continue
    const field = view.table.fields.find((one) => one.name === name)
    const settings = withFewLabels(attribute.settings, labels)
    const schema = attribute.type.schema(settings)
    const about = { ...titled(name, field), ...described(view, attribute, field) }
    const example = exampleOf(attribute.type, settings, schema.shown)
    const examples = example === undefined ? {} : { examples: [example] }
    const isOpen = mayBeSent(view, attribute)
    shown[name] = { ...schema.shown, ...joined(about, schema.shown), ...examples, ...(!isOpen && { readOnly: true }) }
    if (!isOpen) continue
    const { defaultValue } = settings
    sent[name] = {
      ...nullable(schema.sent),
      ...joined(about, schema.sent),
      ...(attribute.type.files !== true && examples),
      ...(defaultValue !== '' && fits(attribute.type, defaultValue, settings) && { default: defaultValue }),
    }
    if (settings.required && defaultValue === '') required.push(name)
  }
  return {
    shown: { type: 'object', properties: shown },
    create: { type: 'object', properties: sent, ...(required.length > 0 && { required }), additionalProperties: false },
    update: { type: 'object', properties: sent },
  }
}

/** A record as a resource object. `attributes`: the schema of its attributes, or a reference to it. */
export const recordObject = (view: View, attributes: Schema): Schema => ({
  title: view.table.title,
  ...(view.table.fullName !== '' && { description: view.table.fullName }),
  type: 'object',
  properties: {
    type: { const: `data${view.table.id}` },
    id: { type: 'string', pattern: '^[1-9]\\d*$' },
    attributes,
    relationships: { type: 'object', additionalProperties: { type: 'object' } },
    links: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['type', 'id', 'links'],
})

/** The JSON Schema of the records of a table. */
export function tableDocument(view: View): Schema {
  const { shown, create, update } = recordSchemas(view)
  const rights = view.rights
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/api/dev/schema/data${view.table.id}`,
    ...recordObject(view, { $ref: '#/$defs/attributes' }),
    $defs: {
      attributes: { title: 'Attributes of a record', ...shown },
      ...(rights.has('create') && { create: { title: 'Attributes of a new record', ...create } }),
      ...(rights.has('update') && { update: { title: 'Attributes that a change may send', ...update } }),
    },
  }
}

/** Whether the caller may set the attribute (mustBeOpen in store/records/record-values.ts). */
function mayBeSent({ caller, rights, readOnly }: View, { name, type, onlyNamed }: Attribute): boolean {
  if (name === 'add_time' || onlyNamed || type.assigned === true || readOnly.has(name)) return false
  if (name === 'user_id') return hasEveryRight(caller)
  return name !== 'status' || rights.has('archive')
}

const system: Readonly<Record<string, readonly [title: string, says: string]>> = {
  user_id: ['Created by', 'Id of the user who created the record.'],
  add_time: ['Created at', 'YYYY-MM-DD HH:MM:SS, in the time zone of the installation.'],
  status: ['Status', '0: active, 1: archived.'],
  update_time: ['Changed at', 'When the record was last written, as add_time. Only in answers to requests that name it in fields[…].'],
}

const titled = (name: string, field: Field | undefined): Schema => ({ title: field?.title ?? system[name]?.[0] ?? name })

function described({ caller, catalogue }: View, { name, type, settings }: Attribute, field: Field | undefined): { description?: string } {
  const { referenceTableId: target = 0, unique, hint } = settings
  const other = rightsOn(target, caller, catalogue).size > 0 && catalogue.tables.get(target)
  const said = [
    hint,
    field ? type.says : system[name]?.[1],
    other && `It refers to data${other.id}: ${other.title}.`,
    unique && 'No two records have the same value.',
  ]
  const description = said.filter((one) => one).join(' ')
  return description === '' ? {} : { description }
}

/** Both descriptions, that of the field and that of its values. */
const joined = (about: { readonly description?: string }, schema: Schema): Schema => {
  const both = [about.description, schema['description']].filter((one) => one !== undefined).join(' ')
  return { ...about, ...(both !== '' && { description: both }) }
}

/** The settings without their options where a document cannot list so many labels. */
function withFewLabels(settings: FieldSettings, labels: { left: number }): FieldSettings {
  const { options, ...others } = settings
  if (!options) return settings
  const units = options.reduce((sum, { label }) => sum + label.length, 0)
  if (units > labels.left) return others
  labels.left -= units
  return settings
}

/** Whether the text is a value as it stands: a default may be `today`. */
const fits = (type: FieldType, text: string, settings: FieldSettings): boolean => shownAs(type, text, settings) !== undefined

/** How answers show the text; undefined: it does not fit. */
function shownAs(type: FieldType, text: string, settings: FieldSettings): string | undefined {
  try {
    return type.format(type.parse(text, settings, { timeZone: 'UTC' }), settings)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** A value as answers show it; undefined where none is known to fit. */
function exampleOf(type: FieldType, settings: FieldSettings, { enum: values }: Schema): string | undefined {
  if (Array.isArray(values)) return (values as readonly string[]).find((one) => one !== '')
  if (type.settings.includes('options')) return settings.options?.find(({ removed }) => !removed)?.label
  for (const [sent] of type.examples) {
    if (/^[0.: -]*$/.test(sent) || sent.length > 100) continue
    const shown = shownAs(type, sent, settings)
    if (shown !== undefined) return shown
  }
  return undefined
}
