import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureOpenapiTools } from '../../scripts/setup.mjs'

/* Holds requests and answers against an OpenAPI document. */

/** Where the packages of openapi/ are. */
export const tools = ensureOpenapiTools()
const require = createRequire(join(tools, 'package.json'))

interface Validate {
  (value: unknown): boolean
  readonly errors?: unknown
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents of every shape
export type Json = any

/** A validator of JSON Schema 2020-12. */
export function jsonSchemas(): { addSchema(schema: Json, name: string): void; compile(schema: Json): Validate } {
  const { default: Ajv2020 } = require('ajv/dist/2020') as { default: new (options: object) => ReturnType<typeof jsonSchemas> }
  return new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
}

/** What a validator of OpenAPI documents finds; empty: the document is valid. */
export async function faultsOf(document: Json): Promise<string> {
  const { Validator } = await import(pathToFileURL(require.resolve('@seriousme/openapi-schema-validator')).href)
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  return valid ? '' : JSON.stringify(errors)
}

export interface Exchange {
  readonly method: string
  /** With the query, as it was typed. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly status: number
  readonly answered: { readonly type: string; readonly text: string }
}

export class DocumentCheck {
  private readonly ajv = jsonSchemas()
  private readonly compiled = new Map<string, Validate>()
  private readonly document: Json
  private readonly paths: readonly (readonly [path: string, pattern: RegExp])[]

  constructor(document: Json) {
    this.document = document
    this.ajv.addSchema({ $id: 'doc', ...document }, 'doc')
    this.paths = Object.keys(document.paths)
      .sort((one, other) => one.split('{').length - other.split('{').length)
      .map((path) => [path, new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const)
  }

  /** In which points the exchange is not as the document says. */
  faults({ method, address, headers, body, status, answered }: Exchange): string[] {
    const url = new URL(address, 'http://x')
    const name = (method === 'HEAD' ? 'GET' : method).toLowerCase()
    const path = this.paths.find(([one, pattern]) => pattern.test(url.pathname) && this.document.paths[one][name])?.[0]
    // What is nowhere is answered 404 or 405.
    if (path === undefined) return [404, 405].includes(status) ? [] : [`no operation ${name} for ${url.pathname}`]
    const place = ['paths', path, name]
    const operation = this.at(place)
    const response = this.resolved([...place, 'responses', String(status)])
    if (!response) return [`the answer ${status} is not there`]
    const { value, at } = response
    const media = (value.content ?? {})[answered.type] ? answered.type : answered.type.split(';')[0]!
    if (status >= 400) {
      const codes = (JSON.parse(answered.text).errors as { code: string }[]).map(({ code }) => code)
      return [
        ...codes.filter((code) => !value.description.includes(`\`${code}\``)).map((code) => `${status} without ${code}`),
        ...this.misfits([...at, 'content', media, 'schema'], JSON.parse(answered.text)),
      ]
    }
    // A file: bytes of any type.
    const isBytes = operation.requestBody?.content['*/*'] !== undefined
    const sentAs = headers['Content-Type'] ?? 'application/vnd.api+json'
    return [
      ...this.odd(operation, place, url, headers),
      ...(body === undefined || isBytes ? [] : this.ofContent(operation.requestBody, [...place, 'requestBody'], sentAs, body)),
      ...(answered.text === '' ? [] : this.ofContent(value, at, media, () => JSON.parse(answered.text))),
    ]
  }

  /** Of a body with some content: `body` may be made only where it is JSON. */
  private ofContent(described: Json, at: readonly string[], media: string, body: unknown): string[] {
    const content = described?.content ?? {}
    const said = content[media] ? media : '*/*'
    if (!content[said]) return [`a body of type ${media}`]
    if (!content[said].schema) return []
    return this.misfits([...at, 'content', said, 'schema'], typeof body === 'function' ? body() : body)
  }

  /** Parameters and headers that the operation does not have, and values that do not fit. */
  private odd(operation: Json, place: readonly string[], url: URL, headers: Exchange['headers']): string[] {
    const known = new Map<string, readonly string[]>()
    for (const i of operation.parameters.keys()) {
      const { value, at } = this.resolved([...place, 'parameters', String(i)])!
      known.set(`${value.in} ${value.name}`.toLowerCase(), at)
    }
    const faults: string[] = []
    for (const [name, text] of url.searchParams) {
      const at = known.get(`query ${name}`.toLowerCase())
      if (!at) {
        if (!name.startsWith('filter[') && !name.startsWith('fields[')) faults.push(`the parameter ${name}`)
        continue
      }
      const { type } = this.at([...at, 'schema'])
      faults.push(...this.misfits([...at, 'schema'], type === 'integer' ? Number(text) : text))
    }
    for (const name of Object.keys(headers))
      if (
        !/^(x-auth-token|authorization|cookie|x-requested-with|sec-fetch-site|content-type|accept|origin)$/i.test(name) &&
        !known.has(`header ${name}`.toLowerCase())
      )
        faults.push(`the header ${name}`)
    return faults
  }

  private misfits(place: readonly string[], value: unknown): string[] {
    const pointer = place.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    let validate = this.compiled.get(pointer)
    if (!validate) {
      if (this.at(place) === undefined) return [`no schema at ${place.join(' ')}`]
      this.compiled.set(pointer, (validate = this.ajv.compile({ $ref: `doc#/${pointer}` })))
    }
    return validate(value) ? [] : [`${place.slice(1).join(' ')}: ${JSON.stringify(validate.errors)}`]
  }

  private at(place: readonly string[]): Json {
    return place.reduce((value: Json, name) => value?.[name], this.document)
  }

  /** A part, behind its reference if it is one. */
  private resolved(place: readonly string[]): { value: Json; at: readonly string[] } | undefined {
    const value = this.at(place)
    if (value === undefined) return undefined
    if (value.$ref === undefined) return { value, at: place }
    const at = value.$ref.slice(2).split('/')
    return { value: this.at(at), at }
  }
}
