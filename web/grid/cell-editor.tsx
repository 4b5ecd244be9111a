import { useState } from 'react'
import { keepTyped, typedAt, typedIn } from '../api/typed.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import { useLeaving } from '../ui/leaving.ts'

/** The editor of a cell, at its place. What is typed in it is kept until it is committed: it goes on where it has been drawn anew. */
export function CellEditor({
  field,
  record,
  value,
  held,
  initial,
  titleOf,
  onCommit,
  onCancel,
}: {
  readonly field: Field
  readonly record: string
  /** What the cell showed when the editor was opened, whatever others write meanwhile. */
  readonly value: unknown
  /** What the record held then. */
  readonly held: unknown
  readonly initial: string | undefined
  readonly titleOf: TitleOf
  onCommit(value: unknown, move?: 'down' | 'up' | 'next' | 'previous'): void
  onCancel(): void
}) {
  const { Editor } = typeOf(field)
  const place = typedAt(field, record)
  const [begun] = useState(() => typedIn(place)?.text ?? initial)
  const [isTyped, setIsTyped] = useState(false)
  useLeaving(isTyped)
  const onTyped = (text: string | undefined) => {
    setIsTyped(text !== undefined)
    keepTyped(place, text === undefined ? undefined : { text, shown: value, held })
  }
  if (!Editor) return null
  return (
    <Editor
      {...{ field, titleOf, value, onTyped }}
      initial={begun}
      label={field.title}
      isInGrid
      onCommit={(next, move) => {
        onCommit(next, move)
        // Last: at any moment one of the two is kept, also where the page ends here.
        onTyped(undefined)
      }}
      onCancel={() => {
        onTyped(undefined)
        onCancel()
      }}
    />
  )
}
