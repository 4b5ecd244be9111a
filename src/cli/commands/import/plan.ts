import type { Field } from '../../../store/model/catalogue.ts'
import type { Line } from './read-csv.ts'

/** How one column of the file is imported. */
export interface Column {
  readonly header: string
  readonly index: number
  /** Wire name of the attribute. */
  readonly attribute: string
  /** The unique field, of any table, by whose values the column refers to records. */
  readonly reference?: Field
  /** The type that was guessed from the first lines. */
  readonly guess?: string
  /** The type of list that the field is or becomes; its options are added as lines have them. */
  readonly listType?: string
}

export interface Plan {
  readonly tableId: number
  readonly columns: readonly Column[]
  /** Number of values a line has. */
  readonly width: number
  /** The text that means no value. */
  readonly nothing: string
}

/** Whether the line has as many values as the header. */
export const isWhole = ({ fault, values }: Line, width: number): boolean => fault === undefined && values.length === width

/** The value of a line in a column. */
export const valueOf = ({ nothing }: Plan, { values }: Line, { index }: Column): string => {
  const value = values[index] ?? ''
  return value === nothing ? '' : value
}
