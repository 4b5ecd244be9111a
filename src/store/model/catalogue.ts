import type { Attribute, FieldType } from '../../fields/field-type.ts'
import type { Right } from './rights.ts'

/*
 * Structure and rights in memory, read from the system tables. A catalogue is never changed, only replaced (store.restructure). A
 * request works with the one that was there when it began.
 */

export interface Field extends Attribute {
  readonly id: number
  readonly tableId: number
  /** What people see: `field_name`. */
  readonly title: string
  readonly sequence: number
  readonly type: FieldType
}

export interface Table {
  readonly id: number
  /** `table_name`; `fullName` may be empty. */
  readonly title: string
  readonly fullName: string
  readonly categoryId: number
  readonly sequence: number
  /** The field whose value stands for a record where people see a reference; 0: none. */
  readonly titleFieldId: number
  /** Goes up with every change of anything here; with the same version a table is the same object in every catalogue. */
  readonly version: number
  /** Live fields by sequence, then id. */
  readonly fields: readonly Field[]
  /** id, user_id, add_time, status and every live field, by wire name. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Physical columns besides id and version, those of fields in the trash among them. */
  readonly columns: readonly string[]
}

/** What one group may do with one table (DECISIONS A23). */
export interface Access {
  readonly id: number
  readonly groupId: number
  readonly tableId: number
  /** Goes up with every change of it; with the same version a rule is the same object in every catalogue. */
  readonly version: number
  readonly rights: ReadonlySet<Right>
  /** Filter expressions; '' for none. */
  readonly readFilter: string
  readonly writeFilter: string
  /** Field ids. What is hidden does not exist for the group. */
  readonly hidden: ReadonlySet<number>
  readonly readOnly: ReadonlySet<number>
}

export interface Catalogue {
  /** Goes up with every change of structure or rights. */
  readonly version: number
  readonly tables: ReadonlyMap<number, Table>
  /** By group id, then table id. */
  readonly access: ReadonlyMap<number, ReadonlyMap<number, Access>>
  readonly groups: ReadonlySet<number>
}

/** Physical names. Records in the trash live in a twin table of the same columns, so lists never meet them. */
export const recordsOf = (tableId: number): string => `data${tableId}`
export const trashOf = (tableId: number): string => `trash${tableId}`
