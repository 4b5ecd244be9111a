import { useQuery } from '@tanstack/react-query'
import { ApiError, query, send } from '../api/client.ts'
import { WITH_CURSOR } from '../api/log-positions.ts'
import type { Field } from '../fields/field.ts'
import type { Message } from '../i18n/messages.ts'
import type { Column } from './columns.ts'

/* Figures below the columns: of all records that the filter selects, by the service. */

const isNumber = ({ type }: Field) => type === 'integer' || type === 'decimal'
const isOrdered = (field: Field) => isNumber(field) || field.type === 'date' || field.type === 'datetime' || field.type === 'autonumber'
/** A number that nobody has filled in is 0, and a box no. */
const mayBeEmpty = (field: Field) => !isNumber(field) && field.type !== 'autonumber' && field.type !== 'boolean'
/** Those by whose values records are grouped. */
const isOneOf = ({ type }: Field) => type === 'list' || type === 'reference' || type === 'user' || type === 'group'

export const FIGURES: readonly { readonly name: string; readonly message: Message; fits(field: Field): boolean }[] = [
  { name: 'sum', message: 'figureSum', fits: isNumber },
  { name: 'avg', message: 'figureAvg', fits: isNumber },
  { name: 'min', message: 'figureMin', fits: isOrdered },
  { name: 'max', message: 'figureMax', fits: isOrdered },
  { name: 'filled', message: 'figureFilled', fits: mayBeEmpty },
  { name: 'empty', message: 'figureEmpty', fits: mayBeEmpty },
  { name: 'distinct', message: 'figureDistinct', fits: isOneOf },
]

/** Of a column; undefined: it has none, or one that its field cannot have any more. */
export const figureOf = ({ field, figure }: Column) => FIGURES.find(({ name, fits }) => name === figure && fits(field))

/** The most functions of one request. */
const MOST = 16
/** The most columns that are counted, by a request each. */
const MOST_COUNTED = 20

interface Answer {
  readonly all: Readonly<Record<string, Readonly<Record<string, string | null>> | number>>
  readonly groups: readonly { readonly value: string | null }[]
}

const isCounted = (name: string): boolean => name === 'filled' || name === 'empty' || name === 'distinct'

/**
 * What the service computes; by `function:attribute`. Null: it does not compute that, as where there are too many different values; undefined: it
 * has not come. `round`: another number after each change of the list.
 */
export function useFigures(
  table: number,
  filter: string | undefined,
  columns: readonly Column[],
  round: number,
): Readonly<Record<string, string | null | undefined>> {
  const wanted = columns.flatMap((column) => (figureOf(column) ? [{ name: column.figure!, attribute: column.field.name }] : []))
  const asked = wanted.flatMap(({ name, attribute }) => (isCounted(name) ? [] : [`${name}:${attribute}`]))
  const counted = wanted.filter(({ name }) => isCounted(name))
  const read = async (asks: Asked, signal: AbortSignal) =>
    (await send('GET', `data${table}/aggregate?${query({ ...asks, ...WITH_CURSOR })}`, undefined, signal)).meta as unknown as Answer
  const { data } = useQuery({
    queryKey: ['aggregate', table, { filter, asked, round }],
    queryFn: async ({ signal }) => (await read({ function: asked.slice(0, MOST).join(','), filter }, signal)).all,
    enabled: asked.length > 0,
    placeholderData: (before) => before,
  })
  const counts = useQuery({
    queryKey: ['aggregate', table, { filter, counted, round }],
    queryFn: ({ signal }) => countsOf(counted.slice(0, MOST_COUNTED), filter, (asks) => read(asks, signal)),
    enabled: counted.length > 0,
    placeholderData: (before) => before,
  }).data
  return Object.fromEntries([
    ...asked.map((one, i) => {
      const [name = '', attribute = ''] = one.split(':')
      const of = data?.[name]
      return [one, i < MOST ? data && ((typeof of === 'object' && of[attribute]) || '') : null]
    }),
    ...counted.map(({ name, attribute }, i) => [`${name}:${attribute}`, i < MOST_COUNTED ? counts?.[`${name}:${attribute}`] : null]),
  ])
}

interface Asked {
  readonly function: string
  readonly filter: string | undefined
  readonly groupBy?: string
}

/** One after the other: each goes through the whole list, and what the person does meanwhile comes first. */
async function countsOf(
  counted: readonly { readonly name: string; readonly attribute: string }[],
  filter: string | undefined,
  read: (asks: Asked) => Promise<Answer>,
): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {}
  for (const { name, attribute } of counted) {
    const isEmpty = `is_empty(${attribute})`
    const own = name === 'empty' ? isEmpty : `not(${isEmpty})`
    const asks = { function: 'count', filter: filter === undefined ? own : `and(${filter},${own})` }
    try {
      const count = name === 'distinct' ? (await read({ ...asks, groupBy: attribute })).groups.length : (await read(asks)).all['count']
      found[`${name}:${attribute}`] = String(count)
    } catch (error) {
      // Where there are more groups than the service counts, there is no figure.
      if (!(error instanceof ApiError && error.status === 400)) throw error
      found[`${name}:${attribute}`] = null
    }
  }
  return found
}

/** Columns of numbers whose figures one request asks for: three of each. */
const COLUMNS = 5

/** Of all values of some columns of numbers together; undefined until the service has told it, and where there are too many or no columns. */
export function useAllFigures(
  table: number,
  filter: string | undefined,
  fields: readonly Field[],
  round: number,
): { readonly sum: number; readonly count: number; readonly min: number; readonly max: number } | undefined {
  const names = fields.map(({ name }) => name)
  const asked = names.flatMap((name) => [`sum:${name}`, `min:${name}`, `max:${name}`])
  const { data } = useQuery({
    queryKey: ['aggregate', table, { filter, all: names, round }],
    queryFn: async ({ signal }) => {
      const answer = await send(
        'GET',
        `data${table}/aggregate?${query({ function: `count,${asked.join(',')}`, filter, ...WITH_CURSOR })}`,
        undefined,
        signal,
      )
      return (answer.meta as unknown as { all: { count: number } & Record<'sum' | 'min' | 'max', Record<string, string | null>> }).all
    },
    enabled: names.length > 0 && names.length <= COLUMNS,
  })
  if (!data || data.count === 0) return undefined
  const of = (name: 'sum' | 'min' | 'max') => names.map((one) => Number(data[name][one] ?? 0))
  return {
    sum: of('sum').reduce((a, b) => a + b, 0),
    // A number that nobody has filled in is 0: each record has one.
    count: data.count * names.length,
    min: Math.min(...of('min')),
    max: Math.max(...of('max')),
  }
}
