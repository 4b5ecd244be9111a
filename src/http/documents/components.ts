import type { Schema } from '../../fields/field-type.ts'
import { errorCatalogue } from '../../errors.ts'
import { recordObject, recordSchemas } from '../../documents/record-schema.ts'
import type { View } from '../../store/model/access.ts'
import { component, object } from '../answers/described.ts'
import { fileAttributes } from '../resources/file.ts'
import { attributesSent, attributesShown, type Resource } from '../resources/resource.ts'

/* The schemas that operations refer to, by name. */

/** The parts of a resource that its schema is made of. */
export type Described = Pick<Resource<never>, 'type' | 'members' | 'plural'>

const text: Schema = { type: 'string' }
const anything: Schema = { type: 'object' }

function resourceObject(type: Schema, attributes: Schema): Schema {
  const members = { type, id: text, attributes, relationships: anything, links: anything, meta: anything }
  return object(members, ['type', 'id', 'links'])
}

const source = object({ pointer: text, parameter: text, header: text }, [])
const error = object({ id: text, status: text, code: text, title: text, detail: text, source, meta: anything }, [
  'id',
  'status',
  'code',
  'title',
  'detail',
])

/** Parts that are the same in every installation. A new one is a row here. */
const common: Readonly<Record<string, Schema>> = {
  jsonapi: object({ version: { const: '1.1' }, ext: { type: 'array', items: text }, profile: { type: 'array', items: text } }, ['version']),
  error: {
    ...error,
    description: `Codes: ${Object.keys(errorCatalogue).join(', ')}.`,
  },
  errors: object({ errors: { type: 'array', items: component('error'), minItems: 1 }, jsonapi: component('jsonapi') }),
  identifier: object({ type: text, id: text, meta: anything }, ['type', 'id']),
  record: {
    ...resourceObject({ type: 'string', pattern: '^data[0-9]+$' }, { type: 'object', additionalProperties: text }),
    description: 'A record of any table: its type is `data` and the id of the table.',
  },
  recordCreate: { type: 'object', description: 'Values by attribute (`f12`).' },
  recordUpdate: { type: 'object', description: 'Values by attribute (`f12`).' },
  file: resourceObject({ const: 'file' }, object(fileAttributes, [])),
}

/** The schema of a name that is not of one table; undefined: there is none. */
export function componentOf(name: string, resources: readonly Described[]): Schema | undefined {
  const own = resources.find(({ type }) => type === name)
  if (own) return { ...resourceObject({ const: name }, attributesShown(own.members)), description: `One of ${own.plural}.` }
  for (const what of ['Create', 'Update'] as const) {
    const written = resources.find(({ type }) => `${type}${what}` === name)
    if (written) return attributesSent(written.members, what)
  }
  return Object.hasOwn(common, name) ? common[name] : undefined
}

/** The schemas of one table, by name. */
export function componentsOfTable(view: View): Readonly<Record<string, Schema>> {
  const name = `data${view.table.id}`
  const { shown, create, update } = recordSchemas(view)
  return {
    [name]: recordObject(view, component(`${name}Attributes`)),
    [`${name}Attributes`]: shown,
    ...(view.rights.has('create') && { [`${name}Create`]: create }),
    ...(view.rights.has('update') && { [`${name}Update`]: update }),
  }
}
