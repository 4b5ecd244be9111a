import type { ComponentType, ReactNode } from 'react'
import type { Field, TitleOf } from './field.ts'

/** What reading a value needs to know of the person. */
export interface ReadContext {
  /** The language in which numbers and dates are written, such as ru-RU. */
  readonly locale: string
  /** YYYY-MM-DD HH:MM:SS where the person is. */
  readonly now: string
}

/** A value as the service takes it (`''` is empty), or what is wrong, in words. */
export type Read = { readonly value: unknown } | { readonly error: string }

export interface EditorProps {
  readonly field: Field
  /** As the service gives it. */
  readonly value: unknown
  /** What has been typed already: it replaces the value. */
  readonly initial?: string | undefined
  /** The accessible name. */
  readonly label: string
  readonly error?: string | undefined
  /** Enter, Tab and arrows move in a grid; in a card, Tab does what it does everywhere. */
  readonly isInGrid: boolean
  readonly titleOf: TitleOf
  /** What is typed and not committed yet; undefined: nothing else than the value. */
  onTyped?(text: string | undefined): void
  onCommit(value: unknown, move?: 'down' | 'up' | 'next' | 'previous'): void
  onCancel(): void
}

/** How a type of field is shown, read and edited. A new type is a file of types/ and a row of types.ts. */
export interface FieldType {
  readonly icon: string
  /** It stands at the end of its column, in tabular figures. */
  readonly isNumber?: true
  /** Its text may be long: it has a row of its own in a card. */
  readonly isWide?: true
  /** What it shows may be followed: it cannot stand in what is a link itself. */
  readonly hasLinks?: true
  /** `text`: the value as the service gives it, never empty. `said`: what `brief` made of it, where there is little room. */
  show(text: string, field: Field, titleOf: TitleOf, said?: string): ReactNode
  /** What is said of a value in a list or on a card, where what most such values begin with would fill the room. */
  brief?(text: string): string
  /** What is copied into a spreadsheet, and what stands in an editor of text. */
  toText(text: string, field: Field, titleOf: TitleOf, context: ReadContext): string
  /** What a person typed or pasted. */
  read(text: string, field: Field, context: ReadContext): Read
  /** What is likely to be wrong with a text that is being typed, in words. It is told and stops nobody: the service decides. */
  doubt?(text: string): string | undefined
  /** Undefined: only the service sets such values. */
  readonly Editor?: ComponentType<EditorProps>
}
