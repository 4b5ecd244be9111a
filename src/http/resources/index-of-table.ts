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
    table_id: { of: 'tableId', form: integer, required: true, set: 'once' },
    attribute: { of: 'attribute', form: string, required: true, set: 'once' },
    kind: { of: 'kind', form: string, required: true, set: 'once' },
    wish: { of: 'wish', form: string },
    state: { of: 'state', form: string, set: 'never' },
    failure: { of: 'failure', form: string, set: 'never' },
    made_at: { of: 'madeAt', form: string, set: 'never' },
    last_used: { of: 'lastUsed', form: string, set: 'never' },
    uses: { of: 'uses', form: integer, set: 'never' },
    size: { of: 'bytes', form: integer, set: 'never' },
  },
  create: administrators('ask for indexes', createIndex),
  update: administrators('change indexes', updateIndex),
})
