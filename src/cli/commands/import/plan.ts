import type { Field } from '../../../store/model/catalogue.ts'
import type { Line } from './read-csv.ts'

/** What one column of the file becomes. */
export interface Column {
  readonly header: string
  readonly index: number
  /** Wire name of the attribute. */
  readonly attribute: string
  /** The unique field of another table (or the same) by whose value the column names records. */
  readonly reference?: Field
  /** The type that the first lines suggested. */
  readonly guess?: string
  /** The list the field is, with options as they come, or is to be. */
  readonly listType?: string
}

export interface Plan {
  readonly tableId: number
  readonly columns: readonly Column[]
  /** Number of values a line has. */
  readonly width: number
  /** Text that stands for no value. */
  readonly nothing: string
}

/** Whether each value stands in the column it belongs to. */
export const isWhole = ({ fault, values }: Line, width: number): boolean => fault === undefined && values.length === width

/** What a line says in a column. */
export const valueOf = ({ nothing }: Plan, { values }: Line, { index }: Column): string => {
  const value = values[index] ?? ''
  return value === nothing ? '' : value
}
