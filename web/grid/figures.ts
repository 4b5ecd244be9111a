import { useQuery } from '@tanstack/react-query'
import { query, send } from '../api/client.ts'
import type { Field } from '../fields/field.ts'
import type { Message } from '../i18n/messages.ts'

/* Figures below the columns: of all records that the filter selects, by the service. */

/** What is shown below columns, by their attributes. */
export type Figures = Readonly<Record<string, string | undefined>>

const isNumber = ({ type }: Field) => type === 'integer' || type === 'decimal'
const isOrdered = (field: Field) => isNumber(field) || field.type === 'date' || field.type === 'datetime' || field.type === 'autonumber'

export const FIGURES: readonly { readonly name: string; readonly message: Message; fits(field: Field): boolean }[] = [
  { name: 'sum', message: 'figureSum', fits: isNumber },
  { name: 'avg', message: 'figureAvg', fits: isNumber },
  { name: 'min', message: 'figureMin', fits: isOrdered },
  { name: 'max', message: 'figureMax', fits: isOrdered },
]

export const figureMessage = (name: string): Message | undefined => FIGURES.find((one) => one.name === name)?.message

/** What the service computes; by `function:attribute`. `round`: another number after each change of the list. */
export function useFigures(table: number, filter: string | undefined, figures: Figures, round: number): Readonly<Record<string, string>> {
  const asked = Object.entries(figures).flatMap(([attribute, name]) => (name ? [`${name}:${attribute}`] : []))
  const { data } = useQuery({
    queryKey: ['aggregate', table, { filter, asked, round }],
    queryFn: async ({ signal }) => {
      const answer = await send(
        'GET',
        `data${table}/aggregate?${query({ function: asked.slice(0, 16).join(','), filter })}`,
        undefined,
        signal,
      )
      return (answer.meta as unknown as { all: Record<string, Record<string, string | null> | number> }).all
    },
    enabled: asked.length > 0,
    placeholderData: (before) => before,
  })
  return Object.fromEntries(
    asked.map((one) => {
      const [name = '', attribute = ''] = one.split(':')
      const of = data?.[name]
      return [one, (typeof of === 'object' && of[attribute]) || '']
    }),
  )
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
        `data${table}/aggregate?${query({ function: `count,${asked.join(',')}`, filter })}`,
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
