import type { Random } from '../support/random.ts'
import { POSITION } from './positions.ts'
import type { Asked } from './questions.ts'
import { GUESS, RECORDS, userId, type Names } from './worlds.ts'

/* What is asked of the log of changes. Positions are named by POSITION and a number (positions.ts). */

/** Draws a position. `count`: how many there are to ask for. */
type Draw = () => string

const attributes = [
  'id',
  'table_id',
  'record_id',
  'action',
  'user_id',
  'token_id',
  'via',
  'batch_id',
  'made_at',
  'changes',
  'content',
  'touched',
]

function condition(random: Random, { hidden }: Names, at: Draw): string {
  const record = () => String(1 + random.int(random.percent(90) ? 50 : 500))
  const table = () => String(random.pick([1, 1, 1, 2, 2, 3, 5, 6, 0, 9]))
  const values: Readonly<Record<string, () => string>> = {
    id: at,
    table_id: table,
    record_id: record,
    action: () => `'${random.pick(['create', 'update', 'delete', 'restore', 'erase', 'convert', GUESS])}'`,
    user_id: () => String(random.pick([0, 1, userId('otto'), userId('lena'), userId('anna')])),
    token_id: () => String(random.int(20)),
    via: () => `'${random.pick(['api', 'import', 'cli', 'conversion', 'undo'])}'`,
    batch_id: at,
    made_at: () => `'2024-0${1 + random.int(9)}-01'`,
  }
  const name = random.percent(4) ? random.pick([...attributes, hidden['secret']!, 'changesk']) : random.pick(Object.keys(values))
  const value = values[name] ?? (() => `'${GUESS}'`)
  return random.pick([
    () => `eq(${name},${value()})`,
    () => `ne(${name},${value()})`,
    () => `gt(${name},${value()})`,
    () => `lte(${name},${value()})`,
    () => `in(${name},${value()},${value()})`,
    () => `not(eq(${name},${value()}))`,
    () => `and(eq(table_id,${table()}),eq(record_id,${record()}))`,
    // The digits of a position are those of its world, so of positions none is asked for by its digits.
    () => (value === at ? `gte(${name},${at()})` : `contains(${name},'${random.pick(['1', 'u', GUESS])}')`),
  ])()
}

function query(pairs: readonly (readonly [string, string])[]): string {
  const shown = pairs.map((pair) => pair.map(encodeURIComponent).join('='))
  return shown.length === 0 ? '' : `?${shown.join('&')}`
}

const sparse = (random: Random): [string, string][] =>
  random.percent(15) ? [['fields[change]', random.pick(['changes', 'action,record_id', 'content', 'user_id', ''])]] : []

const limit = (random: Random): [string, string][] => (random.percent(50) ? [['page[limit]', String(1 + random.int(50))]] : [])

const page = (random: Random): [string, string][] => [
  ...(random.percent(40) ? [['page[offset]', String(random.int(random.percent(70) ? 40 : 400))] as [string, string]] : []),
  ...limit(random),
]

const sort = (random: Random): [string, string][] =>
  random.percent(40) ? [['sort', random.pick(['', '-']) + random.pick(random.percent(90) ? attributes.slice(0, 9) : attributes)]] : []

const list = (random: Random, names: Names, at: Draw): Asked => {
  const filter: [string, string][] = random.percent(60) ? [['filter', condition(random, names, at)]] : []
  return {
    kind: 'changes',
    method: 'GET',
    path: `/api/dev/change${query([...filter, ...sort(random), ...page(random), ...sparse(random)])}`,
  }
}

/** Pages with a cursor. */
export const followed = (random: Random, names: Names, at: Draw): Asked => {
  const after: [string, string] = ['page[after]', random.percent(10) ? random.pick(['', 'now']) : at()]
  const filter: [string, string][] = random.percent(30) ? [['filter', condition(random, names, at)]] : []
  return { kind: 'changes after', method: 'GET', path: `/api/dev/change${query([after, ...filter, ...limit(random), ...sparse(random)])}` }
}

const one = (random: Random, _: Names, at: Draw): Asked => ({
  kind: 'one change',
  method: 'GET',
  path: `/api/dev/change/${at()}${query(sparse(random))}`,
})

const history = (random: Random): Asked => {
  const table = random.pick([1, 1, 1, 1, 2, 2, 3, 5, 6, 9])
  const record = 1 + random.int(random.percent(90) ? (table === 1 ? 52 : 14) : 500)
  return {
    kind: 'history',
    method: 'GET',
    path: `/api/dev/data${table}/${record}/history${query([...sort(random), ...page(random), ...sparse(random)])}`,
  }
}

const fileOfChange = (random: Random, { seen, hidden }: Names, at: Draw): Asked => {
  const field = random.pick([seen['file'], seen['file'], seen['file'], hidden['file'], hidden['file'], 'f999'])!
  const name = random.pick(['a.txt', 'a.txt', 'paper.txt', '1.txt'])
  // Mostly of the first records: they were made after those of table 2, and each has a file.
  const position = random.percent(70) ? `${POSITION}${13 + random.int(RECORDS)}` : at()
  return {
    kind: 'file of a change',
    method: 'GET',
    path: `/api/dev/change/${position}/file/${field}/${random.pick(['from', 'to', 'to'])}/${name}`,
  }
}

const dry = (random: Random): [string, string][] => (random.percent(50) ? [['dryRun', 'true']] : [])

const version = (random: Random, { seen, hidden }: Names, at: Draw): Asked => {
  const table = random.pick([1, 1, 1, 1, 2, 3, 5])
  const names = [...Object.values(seen), 'user_id', 'status', random.pick(Object.values(hidden))]
  const attributes = random.percent(50) && { attributes: [random.pick(names), random.pick(names)] }
  return {
    kind: 'version',
    method: 'POST',
    path: `/api/dev/data${table}/${1 + random.int(table === 1 ? 52 : 14)}/restore${query(dry(random))}`,
    body: JSON.stringify({ meta: { change: at(), ...attributes } }),
  }
}

const batch = (random: Random, _: Names, at: Draw): Asked => {
  if (random.percent(30)) return { kind: 'undo', method: 'POST', path: `/api/dev/batch/${at()}/undo${query(dry(random))}` }
  if (random.percent(50)) return { kind: 'batch', method: 'GET', path: `/api/dev/batch/${at()}` }
  const filters = [
    `eq(id,${at()})`,
    `gt(id,${at()})`,
    `eq(user_id,${userId('lena')})`,
    'eq(user_id,1)',
    'gt(undone_by,0)',
    "eq(via,'undo')",
  ]
  const filter: [string, string][] = random.percent(60) ? [['filter', random.pick(filters)]] : []
  const order: [string, string][] = random.percent(40) ? [['sort', random.pick(['-id', 'undone_by', '-made_at', 'records', 'tables'])]] : []
  return { kind: 'batch', method: 'GET', path: `/api/dev/batch${query([...filter, ...order, ...page(random)])}` }
}

const kinds = [
  list,
  list,
  list,
  list,
  followed,
  followed,
  followed,
  one,
  one,
  history,
  history,
  fileOfChange,
  fileOfChange,
  version,
  version,
  batch,
  batch,
] as const

/** `count`: how many positions there are to ask for. */
export function logQuestion(random: Random, names: Names, count: number): Asked {
  return random.pick(kinds)(random, names, positionOf(random, count))
}

/** The newest ones are of most interest: what was written just now. */
export const positionOf =
  (random: Random, count: number): Draw =>
  () =>
    `${POSITION}${random.percent(40) ? Math.max(0, count - random.int(8)) : random.int(count + 3)}`
