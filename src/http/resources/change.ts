import { changes, wholeChanges, type Change } from '../../store/changes/list-changes.ts'
import { asIs, integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const change = defineResource<Change>({
  type: 'change',
  token: 'tables',
  plural: 'the changes of records',
  relation: changes,
  members: {
    table_id: { of: 'tableId', form: integer, set: 'never' },
    record_id: { of: 'recordId', form: integer, set: 'never' },
    action: { of: 'action', form: string, set: 'never' },
    user_id: { of: 'userId', form: integer, set: 'never' },
    token_id: { of: 'tokenId', form: integer, set: 'never' },
    via: { of: 'via', form: string, set: 'never' },
    batch_id: { of: 'batchId', form: integer, set: 'never' },
    made_at: { of: 'madeAt', form: string, set: 'never' },
    changes: { of: 'changes', form: asIs, set: 'never' },
  },
})

/** With values of any length. */
export const wholeChange: typeof change = { ...change, relation: wholeChanges }
