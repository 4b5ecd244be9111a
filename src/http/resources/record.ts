import { fail, type Failure } from '../../errors.ts'
import type { View } from '../../store/model/access.ts'
import type { Catalogue } from '../../store/model/catalogue.ts'
import type { KeptAnswer } from '../../store/people/idempotency.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import { type FileObject, type Sent, type SentAttributes, notBase64, SpooledContent } from '../../store/model/sent.ts'
import { plainNumber } from '../bodies/json.ts'
import { pick } from '../routing/readers.ts'
import { recordTag } from '../answers/etag.ts'
import { one, resource, type ResourceObject } from '../answers/jsonapi.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { relationshipNamed } from './relationship.ts'

/* Records of user-defined tables on the wire (interface 4.1, 5.1): type data<table_id>, strings only. */

export const typeOf = ({ table }: Pick<View, 'table'>): string => `data${table.id}`

/** Whether a record of the table named in the path can have files. */
export const bringsFiles = ({ tables }: Catalogue, { table }: Readonly<Record<string, unknown>>): boolean =>
  tables.get(Number(table))?.fields.some(({ type }) => type.files) === true

export const toResource = (granted: View, { id, attributes }: ShownRecord, fields?: ReadonlySet<string>): ResourceObject =>
  resource(typeOf(granted), id, pick(attributes, fields))

/** The document of one record, with its entity tag. */
export function oneRecord(
  request: Incoming,
  granted: View,
  record: ShownRecord,
  fields: ReadonlySet<string> | undefined,
  status: 200 | 201 = 200,
): Reply {
  return one(toResource(granted, record, fields), { status, headers: { ETag: recordTag(granted, record.version, request) } })
}

/** A kept document of one record, without the attributes that do not exist for the caller any more. */
export function recordAgain(request: Incoming, granted: View, { status, headers, body }: KeptAnswer): Reply {
  const document = JSON.parse(body) as { readonly data: ResourceObject }
  const { type, id, attributes = {}, relationships = {}, ...rest } = document.data
  const seen = Object.entries(attributes).filter(([name]) => granted.attributes.has(name))
  const related = Object.entries(relationships).filter(([name]) => relationshipNamed(granted, name))
  if (seen.length === Object.keys(attributes).length && related.length === Object.keys(relationships).length)
    return { status, headers, body: Buffer.from(body) }
  const version = Number(/^"(\d+)-/.exec(headers['ETag'] ?? '')?.[1])
  const data = {
    type,
    id,
    attributes: Object.fromEntries(seen),
    ...(related.length > 0 && { relationships: Object.fromEntries(related) }),
    ...rest,
  }
  return { status, headers: { ...headers, ETag: recordTag(granted, version, request) }, body: { ...document, data } }
}

/**
 * The values that a document sets, for the store. JSON scalars become the text that a response would show (interface 5.16); a
 * value of a wrong JSON type becomes a failure, which the write reports together with all others.
 */
export function sentFromDocument(granted: View, attributes: ReadonlyMap<string, unknown>): SentAttributes {
  const sent = new Map<string, Sent | Failure>()
  for (const [name, value] of attributes) {
    const files = granted.attributes.get(name)?.type.files === true
    sent.set(
      name,
      Array.isArray(value) ? (files ? readFiles(name, value) : readMembers(name, value)) : (scalar(value) ?? unfit(name, [], oneValue)),
    )
  }
  return sent
}

const oneValue = 'A value is a string, a number, true, false or null.'

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return plainNumber(String(value))
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value === null ? '' : undefined
}

function readMembers(name: string, values: readonly unknown[]): readonly string[] | Failure {
  const members: string[] = []
  for (const [i, value] of values.entries()) {
    const text = value === null ? undefined : scalar(value)
    if (text === undefined) return unfit(name, [i], 'The members of an array are strings, numbers, true or false.')
    members.push(text)
  }
  return members
}

/** Members that a file object may have; the last three are there because responses show them. */
const fileMembers = new Set(['file_name', 'content', 'binary', 'size', 'mime_type', 'id'])

function readFiles(name: string, values: readonly unknown[]): readonly FileObject[] | Failure {
  const files: FileObject[] = []
  for (const [i, value] of values.entries()) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return unfit(name, [i], 'Files are sent as objects with file_name and content.')
    const { file_name: fileName, content, binary = false } = value as Readonly<Record<string, unknown>>
    if (typeof fileName !== 'string') return unfit(name, [i, 'file_name'], 'A file must have a file_name, a string.')
    if (typeof content !== 'string' && content !== notBase64 && !(content instanceof SpooledContent))
      return unfit(name, [i, 'content'], 'A file must have its content, a string.')
    if (typeof binary !== 'boolean') return unfit(name, [i, 'binary'], 'binary is true or false.')
    const other = Object.keys(value).find((member) => !fileMembers.has(member))
    if (other !== undefined) return unfit(name, [i, other], `A file has no member '${other.slice(0, 100)}'.`)
    files.push({ fileName, content, binary })
  }
  return files
}

const unfit = (attribute: string, path: readonly (string | number)[], why: string): Failure =>
  fail('field.invalid_value', { why }, { attribute, path })
