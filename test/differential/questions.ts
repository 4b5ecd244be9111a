import { createHash } from 'node:crypto'
import { BEGINNING } from '../../src/filter/position.ts'
import { filterFunctions } from '../../src/filter/functions.ts'
import { ATOMIC_TYPE } from '../../src/http/answers/jsonapi.ts'
import type { Random } from '../support/random.ts'
import { logQuestion } from './log-questions.ts'
import { GUESS, PASSWORD, userId, type Names } from './worlds.ts'

/* What is asked of both worlds: requests that are mostly sound, and name what is hidden as often as what is not. */

export interface Question {
  readonly kind: string
  readonly caller: string
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

export type Asked = Pick<Question, 'kind' | 'method' | 'path'> & Partial<Pick<Question, 'headers' | 'body'>>

export const callers = ['anna', 'anna', 'lena', 'lena', 'lena', 'lena', 'mona', 'mona', 'nora', 'reader', 'narrow', 'narrowReader', 'narrowed', 'reading',
  'stranger'] // prettier-ignore

/** `positions`: how many there are in the log to ask for. */
export function question(random: Random, names: Names, positions: number): Question {
  const kind = random.pick(kinds)
  const asked = kind(random, names, positions)
  const caller = random.pick(callers)
  // Managers see everybody, whom only one world has too.
  const seesPeople = caller === 'mona' && asked.path.startsWith('/api/dev/user')
  const head = asked.method === 'GET' && random.percent(8) && { kind: `${asked.kind}, HEAD`, method: 'HEAD' }
  return { caller: seesPeople ? 'lena' : caller, headers: [], body: undefined, ...asked, ...head }
}

const id = (random: Random): number => 1 + random.int(random.percent(90) ? 55 : 500)
const table = (random: Random): number => (random.percent(85) ? 1 : random.percent(60) ? 2 : 3 + random.int(4))
const system = ['id', 'user_id', 'add_time', 'status', 'update_time']
const attribute = (random: Random, { seen, hidden }: Names): string =>
  random.pick([
    random.pick(Object.values(seen)),
    random.pick(Object.values(seen)),
    random.pick(Object.values(hidden)),
    random.pick(system),
    'f999',
  ])
const values = ['0', '1', '2', '45', 'text 3', 'text 1', `${GUESS} 1`, `${GUESS} code 6`, GUESS, 'seen4@example.org', 'hidden3@example.org', 'new', 'Жук',
  '2024-03-01', '2024-05-01 09:30:15', '', 'a', 't', '1.5', '7', '8', `${GUESS} option`] // prettier-ignore
/** Mostly a value that fits the attribute. */
function operand(random: Random, name: string, { seen }: Names): string {
  if (random.percent(70)) {
    if (['id', 'user_id', 'status', seen['decimal'], seen['reference']].includes(name))
      return String(random.int(random.percent(70) ? 9 : 50))
    if (['add_time', 'update_time', seen['datetime']].includes(name)) return `'2024-0${1 + random.int(9)}-01'`
    if ([seen['list'], seen['multilist']].includes(name)) return random.pick(["'new'", "'old'", "'a'", "''"])
  }
  return `'${random.pick(values)}'`
}

const words = (random: Random): string => `${random.pick(values)}${random.percent(30) ? ` ${random.pick(values)}` : ''}`

function filter(random: Random, names: Names, depth = 0): string {
  if (depth === 0 && random.percent(15)) return `use_filter(${1 + random.int(8)})`
  if (depth < 3 && random.percent(25)) {
    const [one, other] = [filter(random, names, depth + 1), filter(random, names, depth + 1)]
    return random.pick([`and(${one},${other})`, `or(${one},${other})`, `not(${one})`])
  }
  if (random.percent(8)) return `search('${words(random)}')`
  const name = random.pick(Object.keys(filterFunctions))
  const { takes } = filterFunctions[name]!
  const count = { 'no value': 0, 'one value': 1, 'one or more values': 1 + random.int(3), 'a lower and an upper value': 2 }[takes]
  const of = random.percent(15) ? across(random, names) : attribute(random, names)
  return `${name}(${[of, ...Array.from({ length: count }, () => operand(random, of, names))].join(',')})`
}

/** The cursor of a record in the order of the ids, which anybody can make. */
const cursor = (of: number): string => Buffer.from(JSON.stringify(['', of])).toString('base64url')
/** A cursor at the text of a record, whichever the caller may read: the beginning and the digest are made up. */
function cursorAtText({ seen }: Names, random: Random): string {
  const name = seen['text']!
  const order = createHash('sha256').update(JSON.stringify([[name, name, false]])).digest('base64url').slice(0, 6) // prettier-ignore
  const beginning = random.pick(['', 'm'.repeat(BEGINNING), 'z'.repeat(BEGINNING)])
  return Buffer.from(JSON.stringify([order, { beginning, digest: '0'.repeat(32) }, 1 + random.int(60)])).toString('base64url')
}
/** An attribute of a referenced record. */
const across = (random: Random, { seen, hidden }: Names): string =>
  `${random.pick([seen['reference'], hidden['target'], 'f999'])}.${random.pick([seen['target'], seen['target'], hidden['target'], 'user_id', 'id', 'f999'])}`

function listQuery(random: Random, names: Names, type: string, filterOf = filter): string {
  const pieces: [string, string][] = []
  if (random.percent(55)) pieces.push(['filter', filterOf(random, names)])
  if (random.percent(12)) pieces.push([`filter[${attribute(random, names)}]`, random.pick(['', '<', '>', '>=', '=']) + random.pick(values)])
  if (random.percent(40))
    pieces.push(['sort', Array.from({ length: 1 + random.int(2) }, () => random.pick(['', '-']) + attribute(random, names)).join(',')])
  if (random.percent(25))
    pieces.push([`fields[${type}]`, Array.from({ length: 1 + random.int(3) }, () => attribute(random, names)).join(',')])
  if (random.percent(6)) {
    const page = [random.pick(['page[after]', 'page[before]']), cursorAtText(names, random)] as [string, string]
    return `?${[['sort', names.seen['text']!], page].map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`
  }
  const style = random.int(10)
  if (style === 0) pieces.push(['page[size]', String(1 + random.int(12))])
  if (style === 1) pieces.push(['page[number]', String(1 + random.int(5))], ['page[size]', String(1 + random.int(12))])
  if (style === 2) pieces.push([random.pick(['page[after]', 'page[before]']), cursor(1 + random.int(60))])
  if (style > 2 && random.percent(50)) pieces.push(['page[offset]', String(random.int(random.percent(80) ? 12 : 70))])
  if (style > 2 && random.percent(50)) pieces.push(['page[limit]', String(1 + random.int(12))])
  return pieces.length === 0 ? '' : `?${pieces.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`
}

const document = (type: string, attributes: object, of?: number): string =>
  JSON.stringify({ data: { type, ...(of !== undefined && { id: String(of) }), attributes } })

function attributes(random: Random, names: Names): Record<string, unknown> {
  const { seen, hidden } = names
  const sent: Record<string, unknown> = {}
  if (random.percent(80)) sent[seen['text']!] = random.pick(values)
  if (random.percent(30)) sent[seen['decimal']!] = random.pick(['1', '2.5', 'x'])
  // Guessing a unique value that a hidden record holds is the exception that docs state.
  if (random.percent(30))
    sent[seen['email']!] = random.percent(4) ? `hidden${3 * (1 + random.int(15))}@example.org` : `new${random.int(100_000)}@example.org`
  if (random.percent(20)) sent[seen['list']!] = random.pick(['new', 'none', ''])
  if (random.percent(30)) sent[seen['reference']!] = String(random.int(16))
  if (random.percent(10)) sent[seen['file']!] = [{ file_name: 'a.txt', content: 'new' }]
  if (random.percent(12)) sent[random.pick(Object.values(hidden))] = random.pick(values)
  if (random.percent(8)) sent['user_id'] = String(random.pick([userId('anna'), userId('otto'), userId('lena')]))
  if (random.percent(8)) sent['status'] = random.pick(['0', '1', '2'])
  return sent
}

const record = (random: Random): string => {
  const of = table(random)
  return `data${of}/${of === 2 ? 1 + random.int(14) : id(random)}`
}

const list = (random: Random, names: Names): Asked => {
  const type = `data${table(random)}`
  return { kind: 'list', method: 'GET', path: `/api/dev/${type}${listQuery(random, names, type)}` }
}

const search = (random: Random, names: Names): Asked => ({
  kind: 'search',
  method: 'POST',
  path: `/api/dev/data${table(random)}/search${random.percent(40) ? `?sort=${attribute(random, names)}` : ''}`,
  body: JSON.stringify({ meta: { filter: filter(random, names) } }),
})

/** Without creates: their ids differ. */
const operations = (random: Random, names: Names): Asked => {
  const one = () => {
    const [, type, of] = /^(data\d+)\/(.*)$/.exec(record(random))!
    const ref = { type, id: of }
    return random.pick([
      { op: 'remove', ref },
      { op: 'update', data: { ...ref, attributes: attributes(random, names) } },
      { op: 'update', ref: { ...ref, relationship: `r${attribute(random, names).slice(1)}` }, data: null },
      {
        op: 'add',
        href: `/api/dev/${type}/${of}/relationships/r${attribute(random, names).slice(1)}`,
        data: [{ type, id: String(id(random)) }],
      },
    ])
  }
  const all = Array.from({ length: 1 + random.int(3) }, one)
  return {
    kind: 'operations',
    method: 'POST',
    path: '/api/dev/operations',
    headers: [['Content-Type', ATOMIC_TYPE]],
    body: JSON.stringify({ 'atomic:operations': all }),
  }
}

const changeMany = (random: Random, names: Names): Asked => {
  const type = `data${table(random)}`
  const one = () => ({ type, id: String(id(random)), attributes: attributes(random, names) })
  return {
    kind: 'changeMany',
    method: 'PATCH',
    path: `/api/dev/${type}`,
    body: JSON.stringify({ data: Array.from({ length: 1 + random.int(3) }, one) }),
  }
}

const bulk = (random: Random, names: Names): Asked => {
  const type = `data${table(random)}`
  const path = `/api/dev/${type}?filter=${encodeURIComponent(`and(eq(id,${id(random)}),${filter(random, names)})`)}${random.percent(60) ? '&dryRun=true' : ''}`
  if (random.percent(30)) return { kind: 'bulk', method: 'DELETE', path }
  return { kind: 'bulk', method: 'PATCH', path, body: document(type, attributes(random, names)) }
}

const aggregate = (random: Random, names: Names): Asked => {
  const of = () => `${random.pick(['sum', 'avg', 'min', 'max'])}:${attribute(random, names)}`
  const pieces: [string, string][] = []
  if (random.percent(70)) pieces.push(['function', random.pick(['count', of(), `count,${of()}`])])
  if (random.percent(60))
    pieces.push(['groupBy', attribute(random, names) + random.pick(['', '', `:${random.pick(['year', 'month', 'week', 'day'])}`])])
  if (random.percent(50)) pieces.push(['filter', filter(random, names)])
  const query = pieces.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return { kind: 'aggregate', method: 'GET', path: `/api/dev/data${table(random)}/aggregate?${query}` }
}

const exported = (random: Random, names: Names): Asked => {
  const pieces: [string, string][] = [['fileFormat', random.pick(['csv', 'jsonl'])]]
  if (random.percent(60)) pieces.push(['filter', filter(random, names)])
  if (random.percent(30)) pieces.push(['sort', random.pick(['', '-']) + attribute(random, names)])
  if (random.percent(40)) pieces.push(['fields[data1]', attribute(random, names)])
  const query = pieces.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return { kind: 'export', method: 'GET', path: `/api/dev/data${table(random)}/export?${query}` }
}

const searchTables = (random: Random): Asked => ({
  kind: 'search in tables',
  method: 'GET',
  path: `/api/dev/search?text=${encodeURIComponent(words(random))}${random.percent(30) ? `&page[limit]=${1 + random.int(3)}` : ''}`,
})

const get = (random: Random, names: Names): Asked => ({
  kind: 'get',
  method: 'GET',
  path: `/api/dev/${record(random)}${random.percent(20) ? `?fields[data1]=${attribute(random, names)}` : ''}`,
  ...(random.percent(20) && { headers: [['If-None-Match', random.pick(['*', 'TAG'])]] }),
})

const create = (random: Random, names: Names): Asked => {
  const n = random.percent(85) ? 1 : table(random)
  if (random.percent(10))
    return {
      kind: 'create again',
      method: 'POST',
      path: '/api/dev/data1',
      body: names.kept.body,
      headers: [['Idempotency-Key', names.kept.key]],
    }
  const keyed = random.percent(25) ? [['Idempotency-Key', `k${random.int(20)}`] as const] : []
  const sent = keyed.length > 0 ? { [names.seen['text']!]: `keyed ${random.int(2)}` } : n === 1 ? attributes(random, names) : {}
  return { kind: 'create', method: 'POST', path: `/api/dev/data${n}`, headers: keyed, body: document(`data${n}`, sent) }
}

const change = (random: Random, names: Names): Asked => {
  const n = random.percent(85) ? 1 : 2
  const of = id(random)
  const sent = n === 1 ? attributes(random, names) : { [names.seen['target']!]: random.pick(values) }
  const headers = random.percent(20) ? [['If-Match', random.pick(['*', 'TAG', '"9-x-y"'])] as const] : []
  return { kind: 'change', method: 'PATCH', path: `/api/dev/data${n}/${of}`, headers, body: document(`data${n}`, sent, of) }
}

/** Relationships of tables 1 and 2, by name and by address. */
const relate = (random: Random, { seen, hidden }: Names): Asked => {
  const kind = 'relationship'
  const along = (name: string | undefined) => `r${(name ?? 'f999').slice(1)}`
  const forward = along(random.pick([seen['reference'], seen['reference'], seen['reference'], hidden['secret'], undefined]))
  const backward = `data1_${forward}`
  const include = random.pick([`data1?include=${forward}`, `data2?include=${backward}`, `data1?include=${forward}.${backward}`,
    `data2?include=${backward}.${forward}`, `data1/${id(random)}?include=${forward}`, `data2/${1 + random.int(14)}?include=${backward}`]) // prettier-ignore
  if (random.percent(45)) return { kind, method: 'GET', path: `/api/dev/${include}&page[limit]=10`.replace(/(\/\d+\?.*)&page.*/, '$1') }
  const [of, name] = random.percent(50) ? [`data1/${id(random)}`, forward] : [`data2/${1 + random.int(14)}`, backward]
  const address = `/api/dev/${of}/${random.percent(50) ? 'relationships/' : ''}${name}`
  if (random.percent(60)) return { kind, method: 'GET', path: address }
  const [type, number] = of.split('/') as [string, string]
  const data = random.pick([null, { type: 'data2', id: String(1 + random.int(16)) }, { type: 'data1', id: '1' }, []])
  if (random.percent(50)) {
    const [method, sent] = random.pick([['PATCH', data], ['POST', [data].flat()], ['DELETE', [data].flat()]] as const) // prettier-ignore
    return { kind, method, path: `/api/dev/${of}/relationships/${name}`, body: JSON.stringify({ data: sent }) }
  }
  const sent = { data: { type, id: number, relationships: { [name]: { data } } } }
  return { kind, method: 'PATCH', path: `/api/dev/${of}${random.percent(30) ? `?include=${name}` : ''}`, body: JSON.stringify(sent) }
}

const remove = (random: Random): Asked => ({ kind: 'delete', method: 'DELETE', path: `/api/dev/${record(random)}` })

const jobs = (random: Random): Asked => {
  const path = `/api/dev/job/${1 + random.int(5)}`
  const ends = ['', '/preview', '/errors'] as const
  return { kind: 'job', method: 'GET', path: `${path}${random.pick(ends)}` }
}

const trash = (random: Random, { deletedByOthers }: Names): Asked => {
  const entry = `/api/dev/trash/${random.percent(10) ? deletedByOthers : 1 + random.int(random.percent(50) ? 4 : 60)}`
  if (random.percent(50)) return { kind: 'restore', method: 'POST', path: `${entry}/restore` }
  if (random.percent(10)) return { kind: 'erase', method: 'DELETE', path: entry }
  if (random.percent(20)) return { kind: 'trash', method: 'GET', path: entry }
  const wanted = random.pick([
    '',
    `?filter=contains(title,'${random.pick(['text', GUESS, '1'])}')`,
    '?sort=-title&page[limit]=5',
    `?filter=eq(table_id,${table(random)})`,
  ])
  return { kind: 'trash', method: 'GET', path: `/api/dev/trash${wanted}` }
}

const file = (random: Random, { seen, hidden }: Names): Asked => {
  const field = random.pick([seen['file'], seen['file'], hidden['file'], seen['text'], 'f999'])!
  const path = `/api/dev/file/${table(random)}/${random.percent(50) ? field : field.slice(1)}/${id(random)}`
  if (random.percent(25)) {
    const headers = random.percent(30) ? [[random.pick(['If-Match', 'If-None-Match']), random.pick(['*', 'TAG', '"x"'])] as const] : []
    return {
      kind: 'upload',
      method: 'PUT',
      path: `${path}/${random.pick(['a.txt', 'paper.txt', 'b.txt'])}`,
      headers,
      body: random.pick(values),
    }
  }
  if (random.percent(10)) return { kind: 'link', method: 'POST', path: `${path}/${random.pick(['a.txt', 'paper.txt'])}/link?lifetime=0` }
  return { kind: 'file', method: 'GET', path: random.percent(70) ? `${path}/${random.pick(['a.txt', 'paper.txt', 'b.txt'])}` : path }
}

const savedFilter = (random: Random, names: Names): Asked => {
  const of = 1 + random.int(8)
  const sent = { filter_name: 'Mine', expression: filter(random, names), table_id: table(random) }
  switch (random.int(5)) {
    case 0:
      return { kind: 'saved filter', method: 'POST', path: '/api/dev/filter', body: document('filter', sent) }
    case 1:
      return {
        kind: 'saved filter',
        method: 'PATCH',
        path: `/api/dev/filter/${of}`,
        body: document('filter', { expression: sent.expression }, of),
      }
    case 2:
      return { kind: 'saved filter', method: 'DELETE', path: `/api/dev/filter/${of}` }
    case 3:
      return { kind: 'saved filter', method: 'GET', path: `/api/dev/filter/${of}` }
    default:
      return {
        kind: 'saved filter',
        method: 'GET',
        path: `/api/dev/filter${random.pick(['', '?sort=filter_name', `?filter=contains(expression,'f')`])}`,
      }
  }
}

const savedView = (random: Random, names: Names): Asked => {
  const kind = 'saved view'
  const path = `/api/dev/view/${1 + random.int(8)}`
  const sent = {
    filter: random.percent(50) ? filter(random, names) : '',
    sort: random.percent(50) ? `-${attribute(random, names)}` : '',
    columns: [{ attribute: attribute(random, names) }, { attribute: attribute(random, names), width: 90 }],
    group_by: random.percent(30) ? attribute(random, names) : '',
    ...(random.percent(30) && { figure: `sum:${attribute(random, names)}` }),
  }
  const made = { view_name: 'Mine', table_id: table(random), kind: random.pick(['grid', 'board', 'none']), ...sent }
  return random.pick([
    { kind, method: 'POST', path: '/api/dev/view', body: document('view', made) },
    { kind, method: 'PATCH', path, body: document('view', sent, Number(path.split('/').at(-1))) },
    { kind, method: 'DELETE', path },
    { kind, method: 'GET', path },
    { kind, method: 'GET', path: `/api/dev/view${random.pick(['', '?sort=-view_name', `?filter=contains(view_name,'${GUESS}')`, '?fields[view]=columns,sort'])}` },
  ]) // prettier-ignore
}

const resourceTypes = ['job', 'table', 'field', 'category', 'group', 'access', 'user', 'token', 'invitation', 'index', 'audit', 'me', '']
const sorts = ['id', '-id', 'login', 'fio', 'table_name', 'field_name', 'title_field_id', 'nothing']

const resource = (random: Random): Asked => {
  const type = random.pick(resourceTypes)
  if (type !== '' && random.percent(40)) {
    const included = type === 'table' && random.percent(60) ? `?include=fields${random.percent(20) ? '&fields[field]=field_name' : ''}` : ''
    return { kind: 'resource', method: 'GET', path: `/api/dev/${type}/${1 + random.int(included ? 5 : 20)}${included}` }
  }
  const filters = ['', `?filter=eq(id,${1 + random.int(20)})`, `?sort=${random.pick(sorts)}`, '?page[limit]=3&page[offset]=3', `?filter=contains(field_name,'${GUESS}')`,
    `?filter=eq(login,'${random.pick(['otto', 'ghost', 'anna', 'none'])}')`, `?filter=gt(title_field_id,${random.int(16)})`, '?include=fields'] // prettier-ignore
  return { kind: 'resource', method: 'GET', path: `/api/dev${type && `/${type}`}${random.pick(filters)}` }
}

const structure = (random: Random): Asked => ({
  kind: 'document of the structure',
  method: 'GET',
  path: `/api/dev/${random.pick([`schema/data${table(random)}`, `openapi.json?tables=${table(random)},${table(random)}`, 'openapi.json'])}`,
})

/** What only administrators may do, asked by others. */
const forbidden = (random: Random): Asked => {
  const type = random.pick(['table', 'field', 'category', 'group', 'access', 'user', 'token', 'index'])
  const of = 1 + random.int(20)
  if (random.percent(15))
    return {
      kind: 'forbidden',
      method: 'POST',
      path: `/api/dev/table/${of}/copy?withRecords=true`,
      body: document('table', { table_name: 'New' }),
    }
  // A token is no session.
  if (random.percent(10))
    return {
      kind: 'forbidden',
      method: random.pick(['POST', 'DELETE']),
      path: '/api/dev/session/view',
      body: document('session', random.pick([{ user_id: of }, { group_id: of }])),
    }
  return random.percent(50)
    ? {
        kind: 'forbidden',
        method: 'DELETE',
        path: `/api/dev/${type === 'token' ? 'table' : type}/${of}${['table', 'field', 'group'].includes(type) && random.percent(40) ? '?dryRun=true' : ''}`,
      }
    : { kind: 'forbidden', method: 'PATCH', path: `/api/dev/${type}/${of}`, body: document(type, { name: 'New' }, of) }
}

const signIn = (random: Random): Asked => ({
  kind: 'sign-in',
  method: 'POST',
  path: '/api/dev/token',
  body: document('token', { login: random.pick(['ghost', 'ghost', 'otto', 'none', 'anna']), password: random.pick([PASSWORD, 'wrong']) }),
})

const browserSignIn = (random: Random): Asked => ({
  kind: 'sign-in of a browser',
  method: 'POST',
  path: '/api/dev/session',
  headers: random.percent(80) ? [['X-Requested-With', 'kartoteka'], ['Sec-Fetch-Site', 'same-origin']] : [],
  body: document('session', { login: random.pick(['ghost', 'otto', 'none', 'anna']), password: random.pick([PASSWORD, 'wrong']) }),
}) // prettier-ignore

const often = <T>(times: number, one: T): T[] => Array.from({ length: times }, () => one)
const kinds: readonly ((random: Random, names: Names, positions: number) => Asked)[] = [
  ...often(40, list), ...often(10, search), ...often(8, searchTables), ...often(10, aggregate), ...often(4, exported), ...often(8, operations), ...often(6, changeMany), ...often(6, bulk), ...often(16, get), ...often(12, create), ...often(12, change), ...often(14, relate), ...often(5, remove), ...often(16, trash), ...often(4, jobs),
  ...often(8, file), ...often(10, savedFilter), ...often(8, savedView), ...often(14, resource), ...often(4, forbidden), signIn, browserSignIn, structure,
  ...often(40, logQuestion),
] // prettier-ignore
