import type { Field } from '../fields/field.ts'

/** What a page shows. */
export interface Asked {
  readonly table: string
  readonly fields: readonly Field[]
  /** One record; otherwise the list. */
  readonly record?: string
  readonly filter?: string | undefined
  readonly sort?: string | undefined
}
