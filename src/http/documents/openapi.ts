import { Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { rightsOn, view, type Caller } from '../../store/model/access.ts'
import type { Catalogue, Table } from '../../store/model/catalogue.ts'
import type { Store } from '../../store/ground/store.ts'
import { COOKIE } from '../connections/session-cookie.ts'
import { reaches } from '../routing/reach.ts'
import type { Route } from '../routing/route.ts'
import { componentOf, componentsOfTable, type Described } from './components.ts'
import { operationOf, plainPath, Shared, type SharedParts } from './operation.ts'

/*
 * The OpenAPI 3.1 document of this installation as one caller sees it, made from the tables of routes and resources and from the
 * catalogue: routes that the caller may not use, tables and fields that do not exist for them are not in it.
 */

export interface Source {
  readonly routes: readonly Route[]
  readonly resources: readonly Described[]
  readonly store: Store
  readonly catalogue: Catalogue
  readonly caller: Caller
}

const OF_TABLE = 'data{table}'

/** Ids of the tables that the document shows; the others that the caller may see are only counted. */
interface Chosen {
  readonly tables: readonly Table[]
  readonly left: number
}

/** The text of the document. `only`: the tables to show; undefined: the first ones. */
export async function openapi(source: Source, only: ReadonlySet<number> | undefined): Promise<string> {
  const { routes, resources, catalogue, caller } = source
  const { tables, left } = choose(catalogue, caller, only)
  const shared = { parameters: new Shared('parameters'), responses: new Shared('responses') }
  const paths = new Map<string, Record<string, string>>()
  const schemas = new Map<string, string>()
  const size = { left: limits.documentBytes.most }
  const operations = writer(shared)
  const add = (route: Route, id?: number): void => {
    const given = (text: string) => (id === undefined ? generic(text) : text.replaceAll('{table}', String(id)))
    const path = id === undefined ? plainPath(route.path) : given(plainPath(route.path))
    const text = given(operations(route, id !== undefined))
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: text })
    size.left -= text.length
  }
  const reachable = routes.filter(({ token }) => reaches(caller, token))
  for (const route of reachable) if (!route.path.includes(OF_TABLE) && (await mayUse(source, route, 0))) add(route)
  const ofTables = reachable.filter(({ path }) => path.includes(OF_TABLE))
  let skipped = left
  for (const table of tables) {
    await new Promise<void>((next) => setImmediate(next))
    if (size.left < 0) {
      skipped++
      continue
    }
    for (const [name, schema] of Object.entries(componentsOfTable(view(table, caller, catalogue)))) {
      const text = JSON.stringify(schema)
      schemas.set(name, text)
      size.left -= text.length
    }
    for (const route of ofTables) if (await mayUse(source, route, table.id)) add(route, table.id)
  }
  if (skipped > 0) for (const route of ofTables) add(route)
  const about = { left: aboutLeft(skipped), tags: tables.map(({ id, title }) => ({ name: `data${id}`, 'x-displayName': title })) }
  return written(paths, schemas, shared, resources, about)
}

function choose(catalogue: Catalogue, caller: Caller, only: ReadonlySet<number> | undefined): Chosen {
  const all = [...catalogue.tables.values()].filter(({ id }) => rightsOn(id, caller, catalogue).size > 0)
  const wanted = only ? all.filter(({ id }) => only.has(id)) : all
  const tables = wanted.slice(0, limits.documentTables.most)
  return { tables, left: all.length - tables.length }
}

/**
 * Whether the caller may use a route, as far as that does not depend on which resource it is about: writes ask `allow`, with an id
 * that no resource has.
 */
async function mayUse({ store, catalogue, caller }: Source, route: Route, table: number): Promise<boolean> {
  if (table !== 0 && route.method === 'GET') return rightsOn(table, caller, catalogue).has('read')
  if (!route.allow) return true
  const params = Object.fromEntries(
    [...route.path.matchAll(/\{(\w+)(:\w+)?\}/g)].map(([, name, kind]) => [name, kind === undefined ? 0 : '']),
  )
  try {
    await route.allow({
      store,
      catalogue,
      caller,
      parameters: new Map(),
      header: () => undefined,
      params: { ...params, ...(table !== 0 && { table }) },
    })
    return true
  } catch (error) {
    if (error instanceof Failure) return error.code !== 'access.denied' && !(table !== 0 && error.code === 'table.not_found')
    throw error
  }
}

/** Writes operations as text. Those of routes of tables are the same for each table, so they are made once. */
function writer(shared: SharedParts): (route: Route, ofTable: boolean) => string {
  const made = new Map<Route, string>()
  return (route, ofTable) => {
    const known = ofTable ? made.get(route) : undefined
    const text = known ?? JSON.stringify(operationOf(route, ofTable ? OF_TABLE : tagOf(route.path), shared, ofTable))
    if (ofTable) made.set(route, text)
    return text
  }
}

/** The type in a path: `user` of /api/dev/user/{id}. */
const tagOf = (path: string): string => (path.includes(OF_TABLE) ? 'records of any table' : (path.split('/')[3] ?? 'entry point'))

/** A route of the records of any table. */
const generic = (text: string): string =>
  text
    .replaceAll(`{"const":"${OF_TABLE}"}`, '{"type":"string","pattern":"^data[0-9]+$"}')
    .replaceAll(`schemas/${OF_TABLE}`, 'schemas/record')

const aboutLeft = (left: number): string =>
  left === 0
    ? ''
    : ` ${left} ${left === 1 ? 'table is' : 'tables are'} left out, as tables=… asks or because of the limits of a document; their records are at the paths of any table.`

const ABOUT =
  'Records of the tables of this installation, in JSON:API style. Bodies and answers are of the type application/vnd.api+json. Values of records are strings in answers.'

/** The document, with the schemas that its operations refer to. */
function written(
  paths: ReadonlyMap<string, Readonly<Record<string, string>>>,
  schemas: ReadonlyMap<string, string>,
  { parameters, responses }: SharedParts,
  resources: readonly Described[],
  { left, tags }: { readonly left: string; readonly tags: readonly object[] },
): string {
  const joined = (entries: Iterable<readonly [string, string]>) =>
    `{${[...entries].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
  const pathsText = joined([...paths].map(([path, operations]) => [path, joined(Object.entries(operations))] as const))
  const parts = JSON.stringify(responses.rows)
  const all = withReferred(schemas, pathsText + parts, resources)
  const securitySchemes = {
    token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
    bearer: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'Of pages of this service, which send X-Requested-With too.' },
  }
  const head = JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Kartoteka', version: 'dev', description: ABOUT + left },
    servers: [{ url: '/' }],
    tags,
  }).slice(0, -1)
  const components = `"parameters":${JSON.stringify(parameters.rows)},"responses":${parts},"securitySchemes":${JSON.stringify(securitySchemes)}`
  return `${head},"paths":${pathsText},"components":{"schemas":${joined(all)},${components}}}`
}

/** The schemas of the tables, and all others that the texts and these refer to. */
function withReferred(schemas: ReadonlyMap<string, string>, text: string, resources: readonly Described[]): Map<string, string> {
  const all = new Map(schemas)
  const visit = (from: string): void => {
    for (const name of new Set(Array.from(from.matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, one]) => one!))) {
      if (all.has(name)) continue
      const schema = componentOf(name, resources)
      if (!schema) throw new Error(`No schema is named ${name}: add it to documents/components.ts.`)
      all.set(name, JSON.stringify(schema))
      visit(all.get(name)!)
    }
  }
  visit(text)
  for (const schema of schemas.values()) visit(schema)
  return all
}
