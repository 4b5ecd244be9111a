/** Requests for both servers: the same records, the same filters, in the same order. */
import type { Pair } from './bench.ts'
import type { Shot } from './load.ts'
import { lists, type Fields } from './lists.ts'
import { COLUMNS, customer, random, type Column, type Random } from './seed.ts'

/** One request, in the form each server takes. */
export interface Twin {
  readonly ours: Shot
  readonly floor: Shot
}

const PATH = '/api/dev/data1'

/** So many different requests, always the same for the same seed. */
export function twins(count: number, seed: number, make: (next: Random) => Twin): Twin[] {
  const next = random(seed)
  return Array.from({ length: count }, () => make(next))
}

export const anyId = (next: Random, rows: number): number => 1 + Math.floor(next() * rows)

export function oneRecord(id: number): Twin {
  const shot = { kind: 'one record', path: `${PATH}/${id}` }
  return { ours: shot, floor: shot }
}

/** A page of 20 of a list, with the total. `values`: what the filter asks for. */
export function page({ ours }: Pick<Pair, 'ours'>, kind: string, values: readonly string[], offset = 0): Twin {
  return {
    ours: { kind, path: pathOf(ours.fields, kind, values, offset) },
    floor: {
      kind,
      path: `${PATH}?${new URLSearchParams([['list', kind], ['offset', String(offset)], ...values.map((value): [string, string] => ['value', value])])}`,
    },
  }
}

/** The address of a page as our server takes it. */
export function pathOf(fields: Fields, kind: string, values: readonly string[], offset: number): string {
  const { filter, sort, aggregate } = lists[kind]!
  const filters = filter ? [['filter', filter(fields, values)]] : []
  if (aggregate) return addressOf(`${PATH}/aggregate`, [...filters, ...Object.entries(aggregate(fields))])
  return addressOf(PATH, [
    ...filters,
    ...(sort ? [['sort', sort(fields)]] : []),
    ...(offset > 0 ? [['page[offset]', String(offset)]] : []),
    ['page[limit]', '20'],
  ])
}

const addressOf = (path: string, parameters: readonly (readonly string[])[]): string =>
  `${path}?${parameters.map(([name, value]) => `${encodeURIComponent(name!)}=${encodeURIComponent(value!)}`).join('&')}`

/** Pages of a list, each with new values for its filter. */
export const pages = (pair: Pair, kind: string, count: number, seed: number, offset: (next: Random) => number = () => 0): Twin[] =>
  twins(count, seed, (next) => page(pair, kind, lists[kind]!.values(next, pair.rows), offset(next)))

/** Moves a record to the trash. */
export const removal = (id: number): Shot => ({ kind: 'delete', method: 'DELETE', path: `${PATH}/${id}` })

/** Creates customer `i`. */
export function create({ ours }: Pick<Pair, 'ours'>, i: number): Twin {
  const attributes = customer(i)
  const shot = (sent: Readonly<Record<string, string>>) => ({
    kind: 'create',
    method: 'POST' as const,
    path: PATH,
    body: JSON.stringify({ data: { type: 'data1', attributes: sent } }),
  })
  return { ours: shot(named(ours.fields, attributes)), floor: shot(attributes) }
}

/** Gives a record the phone, status and balance of customer `like`. */
export function change({ ours }: Pick<Pair, 'ours'>, id: number, like: number): Twin {
  const { phone, status, balance } = customer(like)
  return { ours: changeOf(ours.fields, id, { phone, status, balance }), floor: changing(id, { phone, status, balance }) }
}

/** A change of one record of ours. */
export const changeOf = (fields: Fields, id: number, values: Partial<Record<Column, string>>): Shot => changing(id, named(fields, values))

const changing = (id: number, sent: Readonly<Record<string, string>>): Shot => ({
  kind: 'change',
  method: 'PATCH' as const,
  path: `${PATH}/${id}`,
  body: JSON.stringify({ data: { type: 'data1', id: String(id), attributes: sent } }),
})

const named = (fields: Fields, values: Partial<Record<Column, string>>): Record<string, string> =>
  Object.fromEntries(COLUMNS.filter((column) => values[column] !== undefined).map((column) => [fields[column], values[column]!]))
