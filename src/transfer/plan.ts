import type { Written } from '../fields/readers.ts'
import type { Field } from '../store/model/catalogue.ts'
import type { Line } from './read-csv.ts'

/** How one column of the file is imported. */
export interface Column {
  readonly header: string
  readonly index: number
  /** Wire name of the attribute; '': of a field that is not made yet, where an import is only tried. */
  readonly attribute: string
  /** The unique field, of any table, by whose values the column refers to records. */
  readonly reference?: Field
  /** It may name several of them. */
  readonly several?: true
  /** The type that was guessed from the first lines. */
  readonly guess?: string
  /** How its values are written, where that is not as requests send them. */
  readonly written?: Written
  /** The type of list that the field is or becomes; its options are added as lines have them. */
  readonly listType?: string
}

/** A column that becomes a field which is not made yet, where an import is only tried. */
export interface Trial {
  readonly header: string
  readonly index: number
  readonly type: string
  readonly scale?: number
  readonly guess?: string
  readonly written?: Written
}

export interface Plan {
  /** 0: the table is not made yet, where an import is only tried. */
  readonly tableId: number
  readonly columns: readonly Column[]
  /** Number of values a line has. */
  readonly width: number
  /** The text that means no value. */
  readonly nothing: string
  /** The column with the ids that the records get. */
  readonly ids?: Pick<Column, 'header' | 'index'>
  /** The attribute of a unique field: a line whose value in it is that of a record changes the record. */
  readonly updateBy?: string
  readonly trials?: readonly Trial[]
}

/** Whether the line has as many values as the header. */
export const isWhole = ({ fault, values }: Line, width: number): boolean => fault === undefined && values.length === width

/** The value of a line in a column. */
export const valueOf = ({ nothing }: Plan, { values }: Line, { index }: Pick<Column, 'index'>): string => {
  const value = values[index] ?? ''
  return value === nothing ? '' : value
}
