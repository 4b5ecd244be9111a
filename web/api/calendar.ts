import { queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'
import { WITH_CURSOR } from './log-positions.ts'
import { WITH_ACCESS } from './record-rights.ts'

/** Records whose date lies in a range of days, both included; the first 1,000. */
export const recordsBetween = (table: number, attribute: string, from: string, to: string, filter?: string, sort?: string) =>
  queryOptions({
    queryKey: ['records', table, { attribute, from, to, filter, sort }],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>(
        'GET',
        `data${table}?${query({ filter: filterBetween(attribute, from, to, filter), sort, 'page[size]': 1000, ...WITH_ACCESS, ...WITH_CURSOR })}`,
        undefined,
        signal,
      ),
  })

/** What selects them. */
export function filterBetween(attribute: string, from: string, to: string, filter: string | undefined): string {
  const next = new Date(Date.parse(`${to}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  const days = `gte(${attribute},'${from}'),lt(${attribute},'${next}')`
  return `and(${filter ? `${days},${filter}` : days})`
}

/** The record whose date is the nearest before a day, or on it or after it. */
export const nearestTo = (table: number, attribute: string, side: 'before' | 'after', day: string, filter?: string) =>
  queryOptions({
    queryKey: ['records', table, { attribute, side, day, filter }],
    queryFn: ({ signal }) => {
      // A date that nobody has filled in comes before all others.
      const own = side === 'before' ? `not(is_empty(${attribute})),lt(${attribute},'${day}')` : `gte(${attribute},'${day}')`
      const asked = { filter: `and(${filter ? `${own},${filter}` : own})`, sort: side === 'before' ? `-${attribute}` : attribute }
      return send<readonly Resource[]>('GET', `data${table}?${query({ ...asked, 'page[size]': 1 })}`, undefined, signal)
    },
  })
