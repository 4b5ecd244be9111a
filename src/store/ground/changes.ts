import type { Caller } from '../model/access.ts'

/* What a transaction tells its ledgers (db.ts) of records. */

/** A record that came (+1), went (-1) or changed (0). */
export interface Tally {
  readonly tableId: number
  readonly recordId: number
  readonly change: 1 | 0 | -1
}

/** `delete` moves a record to the trash, `restore` brings it back from there, `erase` ends it there. */
export type Act = 'create' | 'update' | 'delete' | 'restore' | 'erase'

/** What was done to one record, once for each time it was done. */
export interface RecordChange extends Tally {
  readonly act: Act
  /** Who did it: the same object in all changes of one request, import or command, in however many transactions. */
  readonly by: Caller
}
