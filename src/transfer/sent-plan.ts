import type { Uses } from '../store/ground/store.ts'
import type { Column, Plan } from './plan.ts'

/** A plan as JSON: columns have the id of their field of reference instead of the field. */
export interface SentPlan extends Omit<Plan, 'columns'> {
  readonly columns: readonly (Omit<Column, 'reference'> & { readonly reference?: { readonly tableId: number; readonly id: number } })[]
}

export const sendable = (plan: Plan): SentPlan => ({
  ...plan,
  columns: plan.columns.map(({ reference, ...column }) => ({
    ...column,
    ...(reference && { reference: { tableId: reference.tableId, id: reference.id } }),
  })),
})

/** A field of reference that is not there any more is left out. */
export const planFor = (store: Uses<'catalogue'>, { columns, ...rest }: SentPlan): Plan => ({
  ...rest,
  columns: columns.map(({ reference, ...column }) => {
    const field =
      reference &&
      store
        .catalogue()
        .tables.get(reference.tableId)
        ?.fields.find(({ id }) => id === reference.id)
    return { ...column, ...(field && { reference: field }) }
  }),
})
