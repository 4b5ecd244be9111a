import type { Resource } from '../api/client.ts'
import type { Field } from '../fields/field.ts'

/** What each way to show the records of a table is given. */
export interface ViewProps {
  readonly table: Resource
  readonly fields: readonly Field[]
  /** What every record has beside them, as far as the person may see it. */
  readonly system: readonly Field[]
  /** The field that names the records. */
  readonly title: Field | undefined
  readonly search: {
    readonly filter?: string | undefined
    /** Words that are searched for: they are in the filter too. */
    readonly q?: string | undefined
    readonly sort?: string | undefined
    readonly group?: string | undefined
    readonly figure?: string | undefined
    /** Which fields cards show (card-fields.ts). */
    readonly columns?: string | undefined
    readonly span?: 'week' | undefined
    readonly day?: string | undefined
  }
  /** Changes the address. Undefined takes a part away. */
  put(
    change: Readonly<Partial<Record<'group' | 'figure' | 'span' | 'day' | 'columns', string | undefined>>> & {
      readonly page?: number | undefined
    },
    isReplace?: boolean,
  ): void
}
