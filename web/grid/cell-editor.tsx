import { useState } from 'react'
import { keep, kept, typedAt } from '../api/kept.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'

/** The editor of a cell, at its place. What is typed in it is kept until it is committed: it goes on where it has been drawn anew. */
export function CellEditor({
  field,
  record,
  value,
  initial,
  titleOf,
  onCommit,
  onCancel,
}: {
  readonly field: Field
  readonly record: string
  /** What the cell showed when the editor was opened, whatever others write meanwhile. */
  readonly value: unknown
  readonly initial: string | undefined
  readonly titleOf: TitleOf
  onCommit(value: unknown, move?: 'down' | 'up' | 'next' | 'previous'): void
  onCancel(): void
}) {
  const { Editor } = typeOf(field)
  const place = typedAt(field, record)
  const [begun] = useState(() => kept<string>('typed', place) ?? initial)
  const onTyped = (text: string | undefined) => keep('typed', place, text)
  if (!Editor) return null
  return (
    <Editor
      {...{ field, titleOf, value, onTyped }}
      initial={begun}
      label={field.title}
      isInGrid
      onCommit={(next, move) => {
        onTyped(undefined)
        onCommit(next, move)
      }}
      onCancel={() => {
        onTyped(undefined)
        onCancel()
      }}
    />
  )
}
