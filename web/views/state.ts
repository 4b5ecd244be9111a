import type { Resource } from '../api/client.ts'
import type { ColumnPart, ViewValues } from '../api/views.ts'
import { partsOf, textOf } from '../grid/column-parts.ts'

/* How a table is shown, as the address says it, and as a saved view keeps it. */

export interface ViewState {
  readonly kind?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** As grid/column-parts.ts writes them. */
  readonly columns?: string | undefined
  readonly group?: string | undefined
  readonly figure?: string | undefined
  readonly span?: 'week' | undefined
}

const filled = (text: unknown): string | undefined => (typeof text === 'string' && text !== '' ? text : undefined)

/** What the address says when the view is opened. `kind` is always there: it tells that the rest is there too. */
export function stateOf({ attributes }: Pick<Resource, 'attributes'>): ViewState {
  return {
    kind: filled(attributes['kind']) ?? 'grid',
    filter: filled(attributes['filter']),
    sort: filled(attributes['sort']),
    columns: filled(textOf((attributes['columns'] ?? []) as readonly ColumnPart[])),
    group: filled(attributes['group_by']),
    // A chart counts where nothing is said; a board adds up what it finds.
    figure: attributes['figure'] === 'count' && attributes['kind'] !== 'board' ? undefined : filled(attributes['figure']),
    span: attributes['span'] === 'week' ? 'week' : undefined,
  }
}

/** What a view keeps of the address. */
export const valuesOf = ({ kind, filter, sort, columns, group, figure, span }: ViewState): ViewValues => ({
  kind: kind ?? 'grid',
  filter: filter ?? '',
  sort: sort ?? '',
  columns: partsOf(columns),
  group_by: group ?? '',
  figure: figure ?? '',
  span: span ?? '',
})

/** Whether the address says something else than the view. */
export function isChanged(view: Pick<Resource, 'attributes'>, state: ViewState): boolean {
  const bare = (one: ViewState) => JSON.stringify(valuesOf(one))
  return bare(stateOf(view)) !== bare(state)
}
