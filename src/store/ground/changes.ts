import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Actor } from '../model/access.ts'

/* What a transaction tells its ledgers (db.ts) of records, and of the service's own resources. */

/** A record that came (+1), went (-1) or changed (0). */
export interface Tally {
  readonly tableId: number
  readonly recordId: number
  readonly change: 1 | 0 | -1
  /** Missing in `afterCommit` for what the thread of an import wrote (sqlite/write-lease.ts), which erases nothing. */
  readonly act?: Act
  /** Of an `update`, the names of the attributes that changed besides `update_time`; missing where they are not told. */
  readonly attributes?: readonly string[]
}

/** Whether the records of its table are others now. What is erased was in the trash, or goes with its table. */
export const changesTable = ({ act }: Tally): boolean => act !== 'erase'

/**
 * `delete` moves a record to the trash, `restore` brings it back from there. `convert`: one of its fields got another type, or numbers.
 * `erase` ends for good a record, or what it held in a field that is erased. That a table or a field goes to the trash or comes back is not
 * told: its records keep what they hold.
 */
export type Act = 'create' | 'update' | 'delete' | 'restore' | 'convert' | 'erase'

/** What was done to one record, once for each time it was done. */
export interface RecordChange extends Tally {
  readonly act: Act
  /**
   * Who did it: the same object in all changes of one request, import or command, in however many transactions. An import in a thread has
   * two with the same `batch`: the thread's for its records (import-thread.ts), the command's for what it changes of fields.
   */
  readonly by: Actor
  /** Undefined where no ledger asks for it. */
  readonly image: Image | undefined
  /**
   * Only with the table 0: `recordId` is then the id of a resource (a table, a field, a user, a rule …), and this is what it was at that
   * moment of the transaction. What was done to it follows from the first and the last state that the same actor told of it.
   */
  readonly resource?: ResourceState
}

export interface ResourceState {
  readonly type: string
  /** By column, except for `id` and what is not logged; undefined: it was not there, or is not any more. */
  readonly columns: Readonly<Record<string, unknown>> | undefined
  /** By column, the part of a text that the log keeps. */
  readonly partly: Readonly<Record<string, (text: string) => string>>
  /** Something was set that is never shown, such as a password. */
  readonly isSecret?: true
}

/** Those of records. */
export const ofRecords = <T extends Tally>(changes: readonly T[]): readonly T[] =>
  changes.some(({ tableId }) => tableId === 0) ? changes.filter(({ tableId }) => tableId !== 0) : changes

/** What a change did to a record. What has the same value in both did not change; nor did what is in neither. */
export interface Image {
  /**
   * All the record had, or what of it changed; undefined where it was not there: before `create` and `restore`. Where a record goes to the
   * trash or comes back, without texts that may be long: it has kept them.
   */
  readonly before: Held | undefined
  /** The same afterwards; undefined where it is not there: after `delete`, and after `erase`, unless that is of a field. */
  readonly after: Held | undefined
}

/** What a record holds in some attributes, by their names; never `id`. */
export interface Held {
  /** Column contents; of a number perhaps its digits as text. */
  readonly values: ReadonlyMap<string, Stored>
  /** How they are shown: at least the attributes that have values, as they were then. */
  readonly attributes: ReadonlyMap<string, Pick<Attribute, 'column' | 'type' | 'settings'>>
  /** Of file fields that have files: these, in their order. The value has only the names. */
  readonly files: ReadonlyMap<string, readonly HeldFile[]>
}

export interface HeldFile {
  readonly name: string
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}
