import type { Schema } from '../../fields/field-type.ts'
import type { Answer, Content } from '../routing/route.ts'
import { MEDIA_TYPE } from './jsonapi.ts'

/*
 * The documents that routes answer and take, as schemas for OpenAPI: one function for each envelope of jsonapi.ts. A type is the name of
 * a resource, or `data{table}` for the records of the table in the path.
 */

/** A component of the OpenAPI document: a type of resources, its attributes as sent (`userCreate`, `userUpdate`), or a common part. */
export const component = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer', minimum: 0 }
const jsonapi = component('jsonapi')
const links = { type: 'object', additionalProperties: text } as const
const many = (items: Schema): Schema => ({ type: 'array', items })

/** A successful answer of any other form. */
export const answers = (content: Content | undefined, { status = 200, ...more }: Partial<Answer> = {}): Answer => ({
  status,
  ...(content && { content }),
  ...more,
})

interface OneShown {
  readonly status?: 200 | 201
  /** Attributes that only this answer shows. */
  readonly once?: Readonly<Record<string, Schema>>
  /** The types of the resources that may be in `included`. */
  readonly included?: readonly string[]
  /** Members of `meta`, which is there if one of them is. */
  readonly meta?: Readonly<Record<string, Schema>>
}

/** One resource. */
export function showsOne(type: string, { status = 200, once, included, meta }: OneShown = {}): Answer {
  const shown = component(type)
  const data = once ? { allOf: [shown, object({ attributes: object(once) })] } : shown
  const more = { ...(included && { included: many({ anyOf: included.map(component) }) }), ...(meta && { meta: object(meta, []) }) }
  const members = { data, ...more, links, jsonapi }
  return answers({ schema: object(members, ['data', 'jsonapi']) }, { status, types: [type, ...(included ?? [])] })
}

const orNull: Schema = { type: ['string', 'null'] }
/** `meta` of a page in each style (docs/pages.md). */
const byOffset = object({ offset: whole, limit: text, total: whole })
const byNumber = object({ number: whole, size: whole, pages: whole, total: whole })
const byCursor = object({ page: object({ rangeTruncated: { const: true } }, []) })

/** A page of a list. `included`: the types of the resources that may be in it besides. */
export function showsPage(type: string, included?: readonly string[]): Answer {
  const members = {
    data: many(component(type)),
    links: object({ self: text, describedby: text, first: text, prev: orNull, next: orNull, last: text }, ['self', 'last']),
    meta: { anyOf: [byOffset, byNumber, byCursor] },
    jsonapi,
  }
  const more = included && { included: many({ anyOf: included.map(component) }) }
  return answers({ schema: object({ ...members, ...more }, Object.keys(members)) }, { types: [type, ...(included ?? [])] })
}

/** Where a relationship leads: one resource or identifier, or null, or a page of them. */
export function showsRelated(type: string, included?: readonly string[]): Answer {
  const members = { data: { anyOf: [component(type), many(component(type)), { type: 'null' }] }, links, meta: {}, jsonapi }
  const more = included && { included: many({ anyOf: included.map(component) }) }
  return answers({ schema: object({ ...members, ...more }, ['data', 'links', 'jsonapi']) }, { types: [type, ...(included ?? [])] })
}

/** Done; the answer has no body. */
export const nothing: Answer = answers(undefined, { status: 204 })

/** What came after a cursor, or a page of the list. */
export const showsFollowed = (type: string): Answer =>
  answers(
    {
      schema: object({
        data: many(component(type)),
        links: object({ self: text, first: text, prev: text, next: text, last: text }, ['self']),
        meta: { anyOf: [byOffset, byNumber, object({ cursor: text, more: { type: 'boolean' } })] },
        jsonapi,
      }),
    },
    { types: [type] },
  )

/** A list without pages. */
export const showsWhole = (type: string): Answer =>
  answers(
    { schema: object({ data: many(component(type)), links: object({ self: text }), meta: object({ total: whole }), jsonapi }) },
    { types: [type] },
  )

/** A document without data. `meta`: its members; those of `optional` may be missing. */
export const showsMeta = (meta: Readonly<Record<string, Schema>> = {}, optional: readonly string[] = []): Answer =>
  answers({
    schema: object({
      meta: object(
        meta,
        Object.keys(meta).filter((name) => !optional.includes(name)),
      ),
      jsonapi,
    }),
  })

/** Not changed since the ETag of If-None-Match. */
export const unchanged: Answer = answers(undefined, { status: 304 })

/** The answer to a write of a record, with what `include` brings. */
export const showsWritten = (status: 200 | 201): Answer =>
  showsOne('data{table}', { status, included: ['record'], meta: { notIncluded: object({ code: text, detail: text }) } })

/** The document that creates or changes a resource, with the attributes that the component `<type>Create` or `<type>Update` has. */
export const takesOne = (type: string, what: 'Create' | 'Update', id: Schema = text): Content =>
  takesAttributes(type, component(`${type}${what}`), what === 'Update' ? id : undefined)

/** The same with attributes of its own. */
export const takesAttributes = (type: string, attributes: Schema, id?: Schema): Content => ({
  schema: object({
    data: object({ type: { const: type }, ...(id && { id: { anyOf: [id, { type: 'integer' }] } }), attributes }, [
      'type',
      ...(id ? ['id'] : []),
    ]),
  }),
})

/** A document whose `meta` says what to do. */
export const takesMeta = (meta: Schema): Content => ({ schema: object({ meta }) })

/** Bytes of any type. */
export const bytes: Content = { media: '*/*' }

/** The bytes of a file, or a range of them. */
export const showsBytes: readonly Answer[] = [answers(bytes), answers(bytes, { status: 206, says: 'The bytes of the range.' }), unchanged]

/** Without links, which lead to pages of docs/. */
export const plainText = (says: string): string => says.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')

export { MEDIA_TYPE }
