import type { Attribute, FieldType } from '../../fields/field-type.ts'
import type { FieldRights } from './field-rights.ts'
import type { Right } from './rights.ts'

/*
 * Structure and rights in memory, read from the system tables. A catalogue is replaced, never changed (store.restructure). A request uses
 * the one that was current when it began.
 */

export interface Field extends Attribute {
  readonly id: number
  readonly tableId: number
  /** The name that people see: `field_name`. */
  readonly title: string
  readonly sequence: number
  /** The heading under which a record shows it; '' for none. */
  readonly section: string
  readonly type: FieldType
}

export interface Table {
  readonly id: number
  /** `table_name`; `fullName` may be empty. */
  readonly title: string
  readonly fullName: string
  readonly categoryId: number
  readonly sequence: number
  /** The field whose value people see for a reference to a record; 0: none. */
  readonly titleFieldId: number
  /** Increases with every change of the table. A table with the same version is the same object in every catalogue. */
  readonly version: number
  /** Live fields by sequence, then id. */
  readonly fields: readonly Field[]
  /** id, user_id, add_time, status and every live field, by wire name. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** These, and those that answers show only where they are named: update_time. */
  readonly allAttributes: ReadonlyMap<string, Attribute>
  /** Physical columns except id and version, including those of fields in the trash. */
  readonly columns: readonly string[]
  /** Of fields that jobs convert. */
  readonly conversions: readonly Conversion[]
}

/**
 * A field whose values a job converts: it has two columns. `fill`: the new one is not that of the field yet. `leave`: the old one is not that of
 * the field any more, and still has the value of each record whose conversion is not in the log of changes yet.
 */
export interface Conversion {
  readonly id: number
  readonly tableId: number
  readonly fieldId: number
  readonly jobId: number
  /** Who asked for it. */
  readonly userId: number
  readonly tokenId: number
  readonly phase: 'fill' | 'leave'
  /** `leave`: the largest id that a record had when the new column became that of the field. */
  readonly lastId: number
  readonly from: Attribute
  readonly to: Attribute
}

/** What one group may do with one table (DECISIONS A23). */
export interface Access {
  readonly id: number
  readonly groupId: number
  readonly tableId: number
  /** Increases with every change of the rule. A rule with the same version is the same object in every catalogue. */
  readonly version: number
  readonly rights: ReadonlySet<Right>
  /** Filter expressions; '' for none. */
  readonly readFilter: string
  readonly writeFilter: string
  readonly fields: FieldRights
  /** The group sees the users that it may name in its records (DECISIONS A47). */
  readonly assignable: boolean
}

export interface Catalogue {
  /** Increases with every change of structure or rights. */
  readonly version: number
  readonly tables: ReadonlyMap<number, Table>
  /** By group id, then table id. */
  readonly access: ReadonlyMap<number, ReadonlyMap<number, Access>>
  readonly groups: ReadonlySet<number>
  /** By whose rules telephone numbers are compared; '': by their digits. */
  readonly phoneCountry: string
}

/** Physical names. Records in the trash live in a twin table of the same columns, so lists never meet them. */
export const recordsOf = (tableId: number): string => `data${tableId}`
export const trashOf = (tableId: number): string => `trash${tableId}`
