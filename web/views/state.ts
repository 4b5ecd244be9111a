import type { Resource } from '../api/client.ts'
import type { ViewValues } from '../api/views.ts'

/* How a table is shown, as the address says it, and as a saved view keeps it. */

export interface ViewState {
  readonly kind?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** As grid/columns.ts writes them. */
  readonly columns?: string | undefined
  readonly group?: string | undefined
  readonly figure?: string | undefined
  readonly span?: 'week' | undefined
}

const filled = (text: unknown): string | undefined => (typeof text === 'string' && text !== '' ? text : undefined)

/** What the address says when the view is opened. `kind` is always there: it tells that the rest is there too. */
export function stateOf({ attributes }: Pick<Resource, 'attributes'>): ViewState {
  const columns = (attributes['columns'] ?? []) as readonly {
    attribute: string
    width?: number
    wrap?: boolean
    frozen?: boolean
    figure?: string
  }[]
  return {
    kind: filled(attributes['kind']) ?? 'grid',
    filter: filled(attributes['filter']),
    sort: filled(attributes['sort']),
    columns: filled(
      columns
        .map(({ attribute, width, wrap, frozen, figure }, i) => {
          const isLast = frozen && !columns[i + 1]?.frozen
          return `${attribute}${width ? `.${width}` : ''}${wrap ? '~' : ''}${figure ? `:${figure}` : ''}${isLast ? '!' : ''}`
        })
        .join(','),
    ),
    group: filled(attributes['group_by']),
    figure: attributes['figure'] === 'count' ? undefined : filled(attributes['figure']),
    span: attributes['span'] === 'week' ? 'week' : undefined,
  }
}

/** What a view keeps of the address. */
export const valuesOf = ({ kind, filter, sort, columns, group, figure, span }: ViewState): ViewValues => ({
  kind: kind ?? 'grid',
  filter: filter ?? '',
  sort: sort ?? '',
  columns: (columns ?? '').split(',').flatMap((part, i, parts) => {
    const [, attribute, width, wrap, figure] = /^(f\d+)(?:\.(\d+))?(~?)(?::([a-z]+))?!?$/.exec(part) ?? []
    const isFrozen = i <= parts.findIndex((one) => one.endsWith('!'))
    return attribute
      ? [
          {
            attribute,
            ...(width && { width: Number(width) }),
            ...(wrap && { wrap: true }),
            ...(isFrozen && { frozen: true }),
            ...(figure && { figure }),
          },
        ]
      : []
  }),
  group_by: group ?? '',
  figure: figure ?? '',
  span: span ?? '',
})

/** Whether the address says something else than the view. */
export function isChanged(view: Pick<Resource, 'attributes'>, state: ViewState): boolean {
  const bare = (one: ViewState) => JSON.stringify(valuesOf(one))
  return bare(stateOf(view)) !== bare(state)
}
