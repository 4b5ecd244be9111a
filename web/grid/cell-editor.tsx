import type { Field, TitleOf } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'

/** The editor of a cell, at its place. */
export function CellEditor({
  field,
  value,
  initial,
  titleOf,
  onCommit,
  onCancel,
}: {
  readonly field: Field
  /** What the cell showed when the editor was opened, whatever others write meanwhile. */
  readonly value: unknown
  readonly initial: string | undefined
  readonly titleOf: TitleOf
  onCommit(value: unknown, move?: 'down' | 'up' | 'next' | 'previous'): void
  onCancel(): void
}) {
  const { Editor } = typeOf(field)
  if (!Editor) return null
  return <Editor {...{ field, titleOf, value, initial, onCommit, onCancel }} label={field.title} isInGrid />
}
