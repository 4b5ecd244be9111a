import { allBatches, batches, uncountedBatches, type ShownBatch } from '../../store/changes/list-batches.ts'
import type { Conflict } from '../../store/undo/undo-record.ts'
import { integer, optionalIds, optionalInteger, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const batch = defineResource<ShownBatch>({
  type: 'batch',
  token: 'tables',
  plural: 'the requests, imports and commands that made more than one change',
  relation: batches,
  members: {
    made_at: { of: 'madeAt', form: string, set: 'never' },
    user_id: { of: 'userId', form: integer, set: 'never' },
    via: { of: 'via', form: string, set: 'never' },
    records: { of: 'records', form: integer, set: 'never' },
    tables: { of: 'tables', form: optionalIds, set: 'never' },
    undone_by: { of: 'undoneBy', form: optionalInteger, set: 'never' },
  },
})

/** The same without counts. */
export const plainBatch: typeof batch = { ...batch, relation: uncountedBatches }

/** Those of a single change too. */
export const anyBatch: typeof batch = { ...batch, relation: allBatches }

/** Conflicts of an undo, as `meta` lists them. */
export const conflictsOf = (conflicts: readonly Conflict[]) =>
  conflicts.map(({ tableId, recordId, attribute, failure: { code, message } }) => ({
    table_id: tableId,
    record_id: recordId,
    attribute: attribute ?? null,
    code,
    detail: message,
  }))
