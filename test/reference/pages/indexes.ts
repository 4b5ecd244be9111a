import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'index', ...(id && { id }), attributes } })

export const indexes: Page = {
  file: 'indexes',
  title: 'Indexes',
  says: `The service creates and drops [indexes](../indexes.md) automatically. An administrator
may keep one (\`pinned\`) or forbid one (\`forbidden\`).`,
  attributesOf: 'index',
  endpoints: [
    {
      route: 'POST /api/dev/index',
      title: 'Create or forbid an index',
      who: 'administrators.',
      notes: 'The index is created in the background; `state` shows when it is ready.',
      shows: [
        { path: 'index?fields[index]=table_id,attribute,kind,wish', body: document({ table_id: 1, attribute: 'f6', kind: 'order' }) },
      ],
      refuses: [
        [
          'there is one already',
          { path: 'index', body: document({ table_id: 1, attribute: 'f6', kind: 'order' }), code: 'field.invalid_value' },
        ],
        [
          'the kind does not fit the attribute',
          { path: 'index', body: document({ table_id: 2, attribute: 'f4', kind: 'text' }), code: 'field.invalid_value' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/index',
      title: 'List indexes',
      who: 'administrators; others see an empty list.',
      shows: [{ path: 'index?fields[index]=attribute,kind,wish,state,uses' }],
    },
    {
      route: 'GET /api/dev/index/{id}',
      title: 'Read an index',
      who: 'administrators.',
      shows: [{ path: 'index/1' }],
    },
    {
      route: 'PATCH /api/dev/index/{id}',
      title: 'Keep or forbid an index',
      who: 'administrators.',
      shows: [{ path: 'index/1?fields[index]=attribute,kind,wish', body: document({ wish: 'auto' }, '1') }],
      refuses: [['the wish is another word', { path: 'index/1', body: document({ wish: 'soon' }, '1'), code: 'field.invalid_value' }]],
    },
  ],
}
