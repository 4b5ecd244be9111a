import { filterFunctions } from '../../src/filter/functions.ts'
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
const system = ['id', 'user_id', 'add_time', 'status']
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
    if (['add_time', seen['datetime']].includes(name)) return `'2024-0${1 + random.int(9)}-01'`
    if ([seen['list'], seen['multilist']].includes(name)) return random.pick(["'new'", "'old'", "'a'", "''"])
  }
  return `'${random.pick(values)}'`
}

function filter(random: Random, names: Names, depth = 0): string {
  if (depth === 0 && random.percent(15)) return `use_filter(${1 + random.int(8)})`
  if (depth < 3 && random.percent(25)) {
    const [one, other] = [filter(random, names, depth + 1), filter(random, names, depth + 1)]
    return random.pick([`and(${one},${other})`, `or(${one},${other})`, `not(${one})`])
  }
  const name = random.pick(Object.keys(filterFunctions))
  const { takes } = filterFunctions[name]!
  const count = { 'no value': 0, 'one value': 1, 'one or more values': 1 + random.int(3), 'a lower and an upper value': 2 }[takes]
  const of = attribute(random, names)
  return `${name}(${[of, ...Array.from({ length: count }, () => operand(random, of, names))].join(',')})`
}

function listQuery(random: Random, names: Names, type: string, filterOf = filter): string {
  const pieces: [string, string][] = []
  if (random.percent(55)) pieces.push(['filter', filterOf(random, names)])
  if (random.percent(12)) pieces.push([`filter[${attribute(random, names)}]`, random.pick(['', '<', '>', '>=', '=']) + random.pick(values)])
  if (random.percent(40))
    pieces.push(['sort', Array.from({ length: 1 + random.int(2) }, () => random.pick(['', '-']) + attribute(random, names)).join(',')])
  if (random.percent(25))
    pieces.push([`fields[${type}]`, Array.from({ length: 1 + random.int(3) }, () => attribute(random, names)).join(',')])
  if (random.percent(50)) pieces.push(['page[offset]', String(random.int(random.percent(80) ? 12 : 70))])
  if (random.percent(50)) pieces.push(['page[limit]', String(1 + random.int(12))])
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

const remove = (random: Random): Asked => ({ kind: 'delete', method: 'DELETE', path: `/api/dev/${record(random)}` })

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

const resourceTypes = ['table', 'field', 'category', 'group', 'access', 'user', 'token', 'invitation', 'index', 'audit', '']
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

/** What only administrators may do, asked by others. */
const forbidden = (random: Random): Asked => {
  const type = random.pick(['table', 'field', 'category', 'group', 'access', 'user', 'token', 'index'])
  const of = 1 + random.int(20)
  return random.percent(50)
    ? { kind: 'forbidden', method: 'DELETE', path: `/api/dev/${type === 'token' ? 'table' : type}/${of}` }
    : { kind: 'forbidden', method: 'PATCH', path: `/api/dev/${type}/${of}`, body: document(type, { name: 'New' }, of) }
}

const signIn = (random: Random): Asked => ({
  kind: 'sign-in',
  method: 'POST',
  path: '/api/dev/token',
  body: document('token', { login: random.pick(['ghost', 'ghost', 'otto', 'none', 'anna']), password: random.pick([PASSWORD, 'wrong']) }),
})

const often = <T>(times: number, one: T): T[] => Array.from({ length: times }, () => one)
const kinds: readonly ((random: Random, names: Names, positions: number) => Asked)[] = [
  ...often(40, list), ...often(10, search), ...often(16, get), ...often(12, create), ...often(12, change), ...often(5, remove), ...often(16, trash),
  ...often(8, file), ...often(10, savedFilter), ...often(14, resource), ...often(4, forbidden), signIn,
  ...often(40, logQuestion),
] // prettier-ignore
