import { errorCatalogue, type ErrorCode } from '../../errors.ts'
import type { Schema } from '../../fields/field-type.ts'
import { component, MEDIA_TYPE, plainText } from '../answers/described.ts'
import { requestHeaders, type Answer, type Content, type Route } from '../routing/route.ts'
import { answersOf, errorsOfRoute } from './errors-of-route.ts'

/* One route as an operation of OpenAPI 3.1. In its texts `data{table}` stands for the table of the path. */

/** Parts that several operations share, by name. */
export class Shared {
  private readonly byText = new Map<string, string>()
  readonly rows: Record<string, unknown> = {}
  private readonly section: string
  constructor(section: string) {
    this.section = section
  }

  /** A reference to a part; `name` is what it is called, with a number where another part has this name. */
  refer(name: string, part: unknown): Schema {
    const text = JSON.stringify(part)
    let known = this.byText.get(text)
    if (known === undefined) {
      known = name
      for (let i = 2; Object.hasOwn(this.rows, known); i++) known = `${name}_${i}`
      this.byText.set(text, known)
      this.rows[known] = part
    }
    return { $ref: `#/components/${this.section}/${known}` }
  }
}

export interface SharedParts {
  readonly parameters: Shared
  readonly responses: Shared
}

/** The path without the kinds of its parameters. */
export const plainPath = (path: string): string => path.replaceAll(/\{(\w+):(text|rest)\}/g, '{$1}')

/** `ofTable`: whether the path has the id of a table instead of `{table}`. */
export function operationOf(route: Route, tag: string, shared: SharedParts, ofTable: boolean): Record<string, unknown> {
  const { method, path, says, token, takes } = route
  return {
    operationId: operationId(method, ofTable ? path : path.replace('data{table}', 'data/{table}')),
    summary: says.split(/[.:;](?: |$)/)[0],
    description: plainText(says),
    tags: [tag],
    security: token === 'none' ? [] : [{ token: [] }, { bearer: [] }, { session: [] }],
    parameters: parametersOf(route, shared.parameters, ofTable),
    ...(takes && { requestBody: { required: true, content: contentOf(takes) } }),
    responses: { ...answered(route), ...refused(route, shared.responses) },
  }
}

/** `GET /api/dev/data7/{record}/history` is `getData7ByRecordHistory`. */
function operationId(method: string, path: string): string {
  const words = plainPath(path)
    .replace('/api/dev', '')
    .split(/[/_.]/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/(?<!^data)\{(\w+)\}/g, (_, name: string) => `By${capital(name)}`))
  return method.toLowerCase() + (words.map(capital).join('') || 'EntryPoint')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function parametersOf(route: Route, shared: Shared, ofTable: boolean): Schema[] {
  const { path, query, sparseFields, legacyFilter, headers = [] } = route
  const places = [...path.matchAll(/\{(\w+)(?::(text|rest))?\}/g)].filter(([, name]) => !(ofTable && name === 'table'))
  const inPath = places.map(([, name, kind]) =>
    shared.refer(`path_${name}`, {
      name,
      in: 'path',
      required: true,
      schema: kind === undefined ? { type: 'integer', minimum: 1 } : { type: 'string', minLength: 1 },
    }),
  )
  const inQuery = Object.entries(query).map(([name, { says, schema }]) => {
    const older = name === 'filter' && legacyFilter ? ' Instead of it, the older form `filter[f4]=>100` is accepted too.' : ''
    const part = { name, in: 'query', description: plainText(says) + older, schema }
    return shared.refer(`query_${name.replaceAll(/\W+/g, '_').replace(/_$/, '')}`, part)
  })
  const types = sparseFields
    ? [...new Set(answersOf(route).flatMap((answer) => answer.types ?? []))].filter((type) => type !== 'record')
    : []
  const inFields = types.map((type) => ({
    name: `fields[${type}]`,
    in: 'query',
    description: `The attributes to show, separated by commas. Default: all${type.startsWith('data') ? ' but update_time' : ''}.`,
    schema: { type: 'string' },
  }))
  const inHeaders = headers.map((name) =>
    shared.refer(`header_${name}`, { name, in: 'header', description: requestHeaders[name], schema: { type: 'string' } }),
  )
  return [...inPath, ...inQuery, ...inFields, ...inHeaders]
}

const contentOf = ({ media = MEDIA_TYPE, schema }: Content): Record<string, unknown> => ({ [media]: schema ? { schema } : {} })

const statusSays: Readonly<Record<Answer['status'], string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  206: 'A part of the bytes',
  304: 'Not changed since',
}

/** The answers where it succeeds; those of the same status are alternatives. */
function answered(route: Route): Record<string, unknown> {
  const responses: Record<string, unknown> = {}
  for (const [status, same] of Map.groupBy(answersOf(route), (answer) => answer.status)) {
    const contents = same.flatMap(({ content }) => content ?? [])
    const byMedia = Map.groupBy(contents, ({ media = MEDIA_TYPE }) => media)
    const content = Object.fromEntries(
      [...byMedia].map(([media, all]) => {
        const schemas = all.flatMap(({ schema }) => schema ?? [])
        return [media, schemas.length === 0 ? {} : { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } }]
      }),
    )
    responses[status] = {
      description: plainText(same.map(({ says }) => says ?? statusSays[status]).join('; ')),
      ...(contents.length > 0 && { content }),
    }
  }
  return responses
}

function refused(route: Route, shared: Shared): Record<string, unknown> {
  return Object.fromEntries(
    [...errorsOfRoute(route)].map(([status, codes]) => [status, shared.refer(`error${status}`, errorResponse(codes))]),
  )
}

const errorResponse = (codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}`).join('; '),
  content: { [MEDIA_TYPE]: { schema: component('errors') } },
})
