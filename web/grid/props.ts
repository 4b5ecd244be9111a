import type { ClipboardEvent } from 'react'
import type { Resource } from '../api/client.ts'
import type { RecordPages } from '../api/pages.ts'
import type { Field } from '../fields/field.ts'
import type { Column } from './columns.ts'
import type { Lines } from './lines.ts'
import type { KeptPlace } from './places.ts'
import type { Range, Selection } from './selection.ts'
import type { CellStates } from './states.ts'

export interface Editing {
  /** What is edited, also where the list has another record at this place by now. */
  readonly record: Resource
  /** What it is of, also where columns have come or gone since. */
  readonly field: Field
  /** The place at which it stands, which goes with the record. */
  readonly row: number
  /** What has been typed already. */
  readonly initial: string | undefined
  /** What the record held when the editor was opened, and what the cell showed. */
  readonly before: unknown
  readonly shown: unknown
}

export interface GridProps {
  readonly table: number
  readonly name: string
  readonly columns: readonly Column[]
  readonly pages: RecordPages
  /** Its records by their places, and the heads of groups. */
  readonly lines: Lines
  /** By what it is grouped, as the address says it. */
  readonly group: string | undefined
  /** The field of the groups. */
  readonly groupOf: Field | undefined
  readonly states: CellStates
  readonly sort: string | undefined
  readonly filter: string | undefined
  /** Words of the quick search, which are marked. */
  readonly sought: string | undefined
  /** Whether the person may change records. */
  readonly maySet: boolean
  /** Whether they may change several at once. */
  readonly maySeveral: boolean
  readonly selection: Selection
  readonly editing: Editing | undefined
  /** Another number after each change of the list. */
  readonly round: number
  /** Where the person was in this list. */
  readonly kept: KeptPlace
  readonly doing: Doing
  onSelect(selection: Selection): void
  onEdit(editing: Editing | undefined): void
  onSort(sort: string | undefined): void
  onGroup(group: string | undefined): void
  /** Folds a group away, or opens it. */
  onFold(value: string): void
  onColumns(columns: readonly Column[]): void
  onFilterBy?: ((field: Field, value: unknown) => void) | undefined
  /** Is given what brings a row into the middle, each time it is drawn. */
  onReady?: ((goTo: (row: number) => void) => void) | undefined
}

/** What the grid has done by the list to which it belongs. */
export interface Doing {
  /** Opens the editor of a cell. `initial`: what has been typed. */
  edit(row: number, col: number, initial?: string): void
  commit(editing: Editing, value: unknown, move: 'down' | 'up' | 'next' | 'previous' | undefined): void
  /** What becomes of a cell that is not saved: once more with what was typed, or back to what the service holds. */
  answer(record: string, field: Field, keep: boolean): void
  open(row: number): void
  empty(): void
  /** The first row or column of the range goes into the others. */
  fill(direction: 'down' | 'right'): void
  /** The series that the first two rows or columns of the range begin goes on through it. */
  fillOn(): void
  /** A series from a range goes on to another one that holds it. */
  fillTo(from: Range, to: Range): void
  copy(event: ClipboardEvent): void
  cut(event: ClipboardEvent): void
  paste(event: ClipboardEvent): void
}
