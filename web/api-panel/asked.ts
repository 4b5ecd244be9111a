import type { Field } from '../fields/field.ts'

/** What a page shows. */
export interface Asked {
  readonly table: string
  readonly fields: readonly Field[]
  /** Of the fields, those that the list shows, by their names; all without it. */
  readonly shown?: readonly string[] | undefined
  /** One record; otherwise the list. */
  readonly record?: string
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** Whether the person may add a record to the list, or change the record. */
  readonly mayWrite: boolean
  /** Of the record, as the service gives them. */
  readonly values?: Readonly<Record<string, unknown>>
}
