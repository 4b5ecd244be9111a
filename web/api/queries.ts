import { QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, query, send, type Document, type Resource } from './client.ts'
import { WITH_CURSOR } from './log-positions.ts'
import { WITH_ACCESS } from './record-rights.ts'

/* What the pages ask for, and how long an answer is taken for new. */

/** The most resources of a page by cursors. */
const ALL = 1000
/** Milliseconds for which the structure of tables is taken for new; it is asked for again when the window gets the focus. */
const STRUCTURE = 30_000

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STRUCTURE,
      // What is wrong with the request stays wrong; the service may be starting, or the network away.
      retry: (count, error) => count < 3 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      // Asks also where the browser says that there is no network: the service may be on this machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => send<Resource>('GET', 'me', undefined, signal),
  // Without a connection the pages say so at once, and ask again by themselves (app/away.tsx).
  retry: (count, error) => count < 3 && error instanceof ApiError && error.status >= 500,
})

const all = (type: string, more: Record<string, string> = {}) =>
  queryOptions({
    queryKey: [type, more],
    queryFn: ({ signal }) => send<readonly Resource[]>('GET', `${type}?${query({ 'page[size]': ALL, ...more })}`, undefined, signal),
  })

export const categories = all('category')
export const tables = all('table')
export const allFields = all('field')
/** In the order that administrators have given them. */
export const fieldsOf = (table: number) => all('field', { filter: `eq(table_id,${table})`, sort: 'sequence_number' })

/** What records have beside their fields. */
const SYSTEM = ['add_time', 'user_id', 'update_time'] as const

/** Which of it the person may see in a table: a rule may hide it. It is asked for by a filter that selects nothing. */
export const systemNames = (table: number) =>
  queryOptions({
    queryKey: ['system', table],
    queryFn: async ({ signal }) => {
      const mayName = async (names: readonly string[]): Promise<boolean> => {
        const filter = `and(eq(id,0),${names.map((name) => `is_empty(${name})`).join()})`
        try {
          await send('GET', `data${table}?${query({ 'page[limit]': 1, filter })}`, undefined, signal)
          return true
        } catch (error) {
          if (error instanceof ApiError && error.status === 400) return false
          throw error
        }
      }
      if (await mayName(SYSTEM)) return SYSTEM
      const each = await Promise.all(SYSTEM.map((name) => mayName([name])))
      return SYSTEM.filter((_, i) => each[i])
    },
  })

/** Of a table that the person sees, where the list of tables has come. */
export const tableName = (id: string): string | undefined =>
  queries.getQueryData(tables.queryKey)?.data.find((one) => one.id === id)?.attributes['table_name']

/** Answers to requests that name fields: where one is gone, as the service says, the fields are read anew, so that the next request is right. */
export async function namingFields<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    const isOfField = error instanceof ApiError && ['attribute.unknown', 'parameter.invalid'].includes(error.code)
    if (isOfField) void queries.invalidateQueries({ queryKey: ['field'] })
    throw error
  }
}

/** Of the users and groups whom the person may see. */
export const users = all('user')
export const groups = all('group')

/** Records that are offered. */
export const MOST_FOUND = 20

/**
 * The first records of a table with these words; without words the newest. `withAccess`: more of them, which say whether the person may change
 * them, since some will not be offered.
 */
export const foundRecords = (table: number, words: string, withAccess = false) =>
  queryOptions({
    queryKey: ['found', table, words, withAccess],
    queryFn: ({ signal }) => {
      const filter = words.trim() === '' ? undefined : `search('${words.trim().slice(0, LONGEST_SEARCH).replaceAll("'", "''")}')`
      return send<readonly Resource[]>(
        'GET',
        `data${table}?${query({ ...(withAccess ? { 'page[limit]': 50, ...WITH_ACCESS } : { 'page[limit]': MOST_FOUND }), sort: filter ? undefined : '-id', filter })}`,
        undefined,
        signal,
      )
    },
  })

/** Characters of words that are looked for. */
const LONGEST_SEARCH = 200

/** Some records of a table; one that is not there for the person is left out. */
export const recordsWith = (table: number, ids: readonly string[], withAccess = false) =>
  queryOptions({
    queryKey: ['found', table, { ids, withAccess }],
    queryFn: ({ signal }) => {
      const asked = { 'page[limit]': 50, filter: `in(id,${ids.join()})`, ...(withAccess && WITH_ACCESS) }
      return send<readonly Resource[]>('GET', `data${table}?${query(asked)}`, undefined, signal)
    },
  })

/** How many records of a table the caller sees. */
export const countOf = (table: number) =>
  queryOptions({
    queryKey: ['count', table],
    queryFn: ({ signal }) =>
      inTurn(() => send<readonly Resource[]>('GET', `data${table}?${query({ 'page[limit]': 1 })}`, undefined, signal)),
  })

export interface ListOf {
  readonly table: number
  readonly offset: number
  readonly limit: number
  /** An attribute; with `-` before it the last comes first. */
  readonly sort?: string | undefined
  /** In the language of filters. */
  readonly filter?: string | undefined
  /** Relationships whose records come along. */
  readonly include?: string | undefined
}

export const records = ({ table, offset, limit, sort, filter, include }: ListOf) =>
  queryOptions({
    queryKey: ['records', table, { offset, limit, sort, filter, include }],
    queryFn: ({ signal }): Promise<Document<readonly Resource[]>> =>
      namingFields(
        send(
          'GET',
          `data${table}?${query({ 'page[offset]': offset, 'page[limit]': limit, sort, filter, include, ...WITH_ACCESS, ...WITH_CURSOR })}`,
          undefined,
          signal,
        ),
      ),
  })

/** The ids of records of a table, a page of them. */
export const idsOfList = ({ table, offset, limit, sort, filter }: Omit<ListOf, 'include'>) =>
  queryOptions({
    queryKey: ['ids', table, { offset, limit, sort, filter }],
    queryFn: ({ signal }) =>
      namingFields(
        send<readonly Resource[]>(
          'GET',
          `data${table}?${query({ 'page[offset]': offset, 'page[limit]': limit, sort, filter, [`fields[data${table}]`]: 'id' })}`,
          undefined,
          signal,
        ),
      ),
  })

/** One record. */
export const record = (table: number, id: string, include: string | undefined) =>
  queryOptions({
    queryKey: ['record', table, id, include],
    queryFn: ({ signal }) =>
      namingFields(
        send<Resource>(
          'GET',
          `data${table}/${encodeURIComponent(id)}?${query({ include, ...WITH_ACCESS, ...WITH_CURSOR })}`,
          undefined,
          signal,
        ),
      ),
  })

/** At most four at a time: counts of many tables must not hold up what the person waits for. */
const inTurn = turns(4)

function turns(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
