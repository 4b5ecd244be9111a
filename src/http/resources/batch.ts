import { allBatches, batches, batchesOfRecords, uncountedBatches, type ShownBatch } from '../../store/changes/list-batches.ts'
import type { Conflict } from '../../store/undo/undo-record.ts'
import { integer, optionalIds, optionalInteger, string, strings } from './forms.ts'
import { defineResource } from './resource.ts'

export const batch = defineResource<ShownBatch>({
  type: 'batch',
  token: 'tables',
  plural: 'the requests, imports and commands that made more than one change',
  relation: batches,
  members: {
    made_at: { of: 'madeAt', form: string, set: 'never', says: 'Time of its first transaction.' },
    user_id: { of: 'userId', form: integer, set: 'never', says: 'The user who made it; 0: the command line, or the service.' },
    via: { of: 'via', form: string, set: 'never', says: '`api`, `page`, `import`, `cli`, `undo`, `conversion` or `service`.' },
    records: {
      of: 'records',
      form: integer,
      set: 'never',
      says: 'The number of records that it changed, of those that the caller may read now.',
    },
    tables: { of: 'tables', form: optionalIds, set: 'never', says: 'The ids of their tables.' },
    actions: {
      of: 'actions',
      form: strings,
      set: 'never',
      says: 'What it did to them: `create`, `update`, `delete` (to the trash), `restore`, `convert`, `erase`, each once.',
    },
    undone_by: {
      of: 'undoneBy',
      form: optionalInteger,
      set: 'never',
      says: 'The batch that took it back; null: none. Null again if that batch was taken back itself.',
    },
  },
})

/** The same without counts. */
export const plainBatch: typeof batch = { ...batch, relation: uncountedBatches }

/** Those of a single change too. */
export const anyBatch: typeof batch = { ...batch, relation: allBatches }

/** Those of a single change of a record too. */
export const batchOfRecords: typeof batch = { ...batch, relation: batchesOfRecords }

/** Conflicts of an undo, as `meta` lists them. */
export const conflictsOf = (conflicts: readonly Conflict[]) =>
  conflicts.map(({ tableId, recordId, attribute, failure: { code, message } }) => ({
    table_id: tableId,
    record_id: recordId,
    attribute: attribute ?? null,
    code,
    detail: message,
  }))
