import { errorCatalogue, type ErrorCode } from '../../errors.ts'
import type { Answer, Route } from '../routing/route.ts'

/* Which errors a route answers: those that follow from its declaration, and those that it names besides (`fails`). */

const isRow = (code: string): code is ErrorCode => code in errorCatalogue

/** All codes of these areas (`filter` in `filter.syntax`). */
const area = (...names: readonly string[]): ErrorCode[] =>
  Object.keys(errorCatalogue).filter((code): code is ErrorCode => isRow(code) && names.includes(code.split('.')[0]!))

const always: readonly ErrorCode[] = [
  'request.malformed',
  'request.not_acceptable',
  'request.headers_too_large',
  'server.internal',
  'server.unavailable',
  'server.too_many_connections',
  'parameter.unknown',
  'parameter.repeated',
  'parameter.malformed',
]
const withToken: readonly ErrorCode[] = ['auth.token_missing', 'auth.token_invalid', 'access.denied', 'server.busy', 'server.query_timeout']
const withBody: readonly ErrorCode[] = [
  ...area('body', 'document'),
  'request.wrong_media_type',
  'request.wrong_encoding',
  'request.timed_out',
  'server.bodies_in_flight',
  'server.disk_full',
  'server.files_unavailable',
  'server.structure_changing',
]
const withAttributes: readonly ErrorCode[] = [
  'attribute.unknown',
  'attribute.read_only',
  'field.invalid_value',
  'field.required',
  'relationship.unknown',
]

/** The codes by their status, both in ascending order. */
export function errorsOfRoute(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const { method, path, query, token, takes, fails = [], headers = [] } = route
  const writes = method !== 'GET'
  const codes = new Set<ErrorCode>([
    ...always,
    ...(token === 'none' ? [] : withToken),
    ...(Object.keys(query).length > 0 || headers.length > 0 || writes ? (['parameter.invalid', 'header.invalid'] as const) : []),
    ...('filter' in query || JSON.stringify(takes ?? {}).includes('"filter"') ? area('filter') : []),
    ...('sort' in query ? area('sort') : []),
    ...('include' in query ? area('include') : []),
    ...(route.sparseFields ? (['attribute.unknown', 'answer.too_large'] as const) : []),
    ...(takes ? withBody : []),
    ...(takes && JSON.stringify(takes).includes('"attributes"') ? withAttributes : []),
    ...(path.includes('data{table}') || path.includes('/{table}/') ? (['table.not_found'] as const) : []),
    ...(path.includes('/file/') ? (['server.files_unavailable'] as const) : []),
    ...(path.includes('{record}') ? (['record.not_found', 'request.no_such_path'] as const) : []),
    ...(path.includes('data{table}') && writes ? (['field.not_unique', 'record.too_large'] as const) : []),
    ...(/\{id\}/.test(path) ? notFound(path) : []),
    ...(writes && token !== 'none' ? (['quota.reached', 'auth.cross_site'] as const) : []),
    ...(writes && token !== 'none' && !route.whileViewing ? (['session.viewing'] as const) : []),
    ...fails,
  ])
  const byStatus = Map.groupBy([...codes].sort(), (code) => errorCatalogue[code].status)
  return new Map([...byStatus].sort(([one], [other]) => one - other))
}

/** What is answered where the resource of the path does not exist (mustExist in resources/resource.ts). */
const notFound = (path: string): readonly ErrorCode[] =>
  path.startsWith('/api/dev/table/')
    ? ['table.not_found', 'request.no_such_path']
    : path.startsWith('/api/dev/trash/')
      ? ['trash.not_found', 'request.no_such_path']
      : ['resource.not_found', 'request.no_such_path']

/** The answers of a route where it succeeds. */
export const answersOf = ({ answers }: Pick<Route, 'answers'>): readonly Answer[] => ('status' in answers ? [answers] : answers)
