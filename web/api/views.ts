import { queryOptions } from '@tanstack/react-query'
import { query, send, type Document, type Resource } from './client.ts'
import { WITH_CURSOR } from './log-positions.ts'
import { queries } from './queries.ts'

/* Saved views of tables. */

/** What is said of a column. Where `*` is among them, fields that are not named are shown too, in the order of the table. */
export interface ColumnPart {
  readonly attribute: string
  readonly width?: number
  readonly wrap?: boolean
  /** Beside `*`: of the last one that is frozen; false, of `*` itself: none is. */
  readonly frozen?: boolean
  /** What is computed below it. */
  readonly figure?: string
  /** Beside `*`: it is not shown. */
  readonly hidden?: boolean
  /** Beside `*`: the field behind which it was put; '' for the first place. */
  readonly after?: string
}

export interface ViewValues {
  readonly view_name?: string
  readonly kind?: string
  readonly filter?: string
  readonly sort?: string
  readonly columns?: readonly ColumnPart[]
  readonly group_by?: string
  /** Of a chart. */
  readonly figure?: string
  /** Of a calendar. */
  readonly span?: string
  /** 0: shared with all who may read the table. */
  readonly user_id?: number
}

export const viewsOf = (table: number) =>
  queryOptions({
    queryKey: ['view', table],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>('GET', `view?${query({ filter: `eq(table_id,${table})`, 'page[size]': 200 })}`, undefined, signal),
  })

const renewed = (table: number) => queries.invalidateQueries({ queryKey: ['view', table] })

export async function makeView(table: number, values: ViewValues): Promise<Resource> {
  const made = await send<Resource>('POST', 'view', { data: { type: 'view', attributes: { table_id: table, ...values } } })
  await renewed(table)
  return made.data
}

export async function changeView(table: number, id: string, values: ViewValues): Promise<void> {
  await send('PATCH', `view/${id}`, { data: { type: 'view', id, attributes: values } })
  await renewed(table)
}

/** What it returns makes the same view again. */
export async function removeView(table: number, view: Resource): Promise<() => Promise<unknown>> {
  await send('DELETE', `view/${view.id}`)
  await renewed(table)
  const { view_name, kind, filter, sort, columns, group_by, figure, span, user_id } = view.attributes
  return () => makeView(table, { view_name, kind, filter, sort, columns, group_by, figure, span, user_id })
}

/** A group of an aggregate. */
export interface Group {
  readonly value: string | null
  readonly label: string | null
  readonly count?: number
  readonly sum?: Readonly<Record<string, string | null>>
  readonly avg?: Readonly<Record<string, string | null>>
}

/** Counts and figures of the groups of a table. `group`: an attribute, or a date with its period. */
export const groupsOf = (table: number, group: string, figure: string, filter: string | undefined) =>
  queryOptions({
    queryKey: ['records', table, { group, figure, filter }],
    queryFn: ({ signal }) => readGroups(table, group, figure, filter, signal),
  })

/** Counts of the groups of a list whose records stand below them: they are read again with these, and not whenever others change one. */
export const headsOf = (table: number, group: string, filter: string | undefined) =>
  queryOptions({
    queryKey: ['records', table, { heads: group, filter }],
    queryFn: ({ signal }) => readGroups(table, group, 'count', filter, signal),
  })

async function readGroups(table: number, group: string, figure: string, filter: string | undefined, signal: AbortSignal) {
  const functions = figure === 'count' ? 'count' : `count,${figure}`
  const answer: Document<unknown> = await send(
    'GET',
    `data${table}/aggregate?${query({ groupBy: group, function: functions, filter, ...WITH_CURSOR })}`,
    undefined,
    signal,
  )
  return (answer.meta as unknown as { groups: readonly Group[] }).groups
}
