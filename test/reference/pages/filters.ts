import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'filter', ...(id && { id }), attributes } })

export const filters: Page = {
  file: 'filters',
  title: 'Saved filters',
  says: `A filter expression with a name, used as \`filter=use_filter(1)\`. It runs with the rights of the user who uses it. A personal filter
belongs to one user. Shared filters (\`user_id\` 0) are made by administrators; everybody who may read the table sees them. The language:
[filter functions](../filters.md).`,
  attributesOf: 'filter',
  endpoints: [
    {
      route: 'POST /api/dev/filter',
      title: 'Save a filter',
      who: 'everybody who may read the table; shared ones: administrators.',
      shows: [{ path: 'filter', body: document({ table_id: 1, filter_name: 'Warm', expression: "eq(f2,'warm')", user_id: 0 }) }],
      refuses: [
        [
          'the expression does not fit the table',
          { path: 'filter', body: document({ table_id: 1, filter_name: 'X', expression: 'eq(f99,1)' }), code: 'field.invalid_value' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/filter',
      title: 'List saved filters',
      who: 'everybody: their own and the shared ones.',
      shows: [{ path: 'filter?filter=eq(table_id,1)' }],
    },
    {
      route: 'GET /api/dev/filter/{id}',
      title: 'Read a saved filter',
      who: 'its owner; a shared one: everybody who may read the table.',
      shows: [{ path: 'filter/1' }, { says: 'Use it:', path: 'data1?filter=use_filter(1)&fields[data1]=f1' }],
      refuses: [
        [
          'it is combined with another function',
          { path: 'data1?filter=and(use_filter(1),eq(status,0))', code: 'filter.saved_filter_alone' },
        ],
        ['a list names one that does not exist', { path: 'data1?filter=use_filter(99)', code: 'filter.unknown_saved_filter' }],
      ],
    },
    {
      route: 'PATCH /api/dev/filter/{id}',
      title: 'Change a saved filter',
      who: 'its owner, and administrators.',
      shows: [{ path: 'filter/1', body: document({ filter_name: 'Warm companies' }, '1') }],
      refuses: [['there is none, or none for the caller', { path: 'filter/99', body: document({}, '99'), code: 'resource.not_found' }]],
    },
    {
      route: 'DELETE /api/dev/filter/{id}',
      title: 'Delete a saved filter',
      who: 'its owner, and administrators.',
      before: [{ path: 'filter', body: document({ table_id: 1, filter_name: 'Old', expression: 'eq(status,1)' }) }],
      shows: [{ path: 'filter/2' }],
    },
  ],
}
