import type { Resource } from '../api/client.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'

/** The editor of a cell, at its place. */
export function CellEditor({
  field,
  record,
  initial,
  titleOf,
  onCommit,
  onCancel,
}: {
  readonly field: Field
  readonly table: number
  readonly record: Resource
  readonly initial: string | undefined
  readonly titleOf: TitleOf
  onCommit(value: unknown, move?: 'down' | 'up' | 'next' | 'previous'): void
  onCancel(): void
}) {
  const { Editor } = typeOf(field)
  if (!Editor) return null
  return <Editor {...{ field, titleOf, initial, onCommit, onCancel }} value={record.attributes[field.name]} label={field.title} isInGrid />
}
