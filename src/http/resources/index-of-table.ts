import type { IndexInfo } from '../../store/indexes/index-rows.ts'
import { createIndex, indexRows, updateIndex } from '../../store/indexes/requested-indexes.ts'
import { integer, string } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

export const indexOfTable = defineResource<IndexInfo>({
  type: 'index',
  token: 'unlimited',
  plural: 'the indexes',
  relation: indexRows,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once', says: 'The table.' },
    attribute: {
      of: 'attribute',
      form: string,
      required: true,
      set: 'once',
      says: 'The attribute, such as `f1`, `add_time` or `update_time`.',
    },
    kind: {
      of: 'kind',
      form: string,
      required: true,
      set: 'once',
      says: '`order`: for comparing and sorting; `text`: for `contains`, `ends_with` and `has`. The service makes more by itself: `order_desc` for sorting in descending order, `value` for filters by options of a list, and `words` for the search in a table, whose `attribute` is empty.',
    },
    wish: {
      of: 'wish',
      form: string,
      says: '`auto`: created and dropped automatically; `pinned`: always kept; `forbidden`: never created. Default on create: `pinned`.',
    },
    state: {
      of: 'state',
      form: string,
      set: 'never',
      says: '`waiting` (will be created), `ready`, `failed` (tried again later) or `none`.',
    },
    failure: { of: 'failure', form: string, set: 'never', says: 'Error message of the database, if it could not be created.' },
    made_at: { of: 'madeAt', form: string, set: 'never', says: 'Time of its creation.' },
    last_used: { of: 'lastUsed', form: string, set: 'never', says: 'The day on which a list last used it; empty: never.' },
    uses: { of: 'uses', form: integer, set: 'never', says: 'Number of requests for which it could be used.' },
    size: { of: 'bytes', form: integer, set: 'never', says: 'Bytes on disk.' },
  },
  create: administrators('ask for indexes', createIndex),
  update: administrators('change indexes', updateIndex),
})
