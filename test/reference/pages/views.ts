import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'view', ...(id && { id }), attributes } })

export const views: Page = {
  file: 'views',
  title: 'Saved views',
  says: `A view is how a page shows a table: which records, in which order, which columns, and how they are grouped. It has no rights of its own: a reader
sees what they may read. Columns, keys of the order, a grouping and a figure by attributes that are hidden from the reader are left out; a view whose filter
names one does not exist for them. Views are kept for pages and programs; the service itself only reads their lists ahead after a start.`,
  attributesOf: 'view',
  endpoints: [
    {
      route: 'POST /api/dev/view',
      title: 'Save a view',
      who: 'everybody who may read the table, for themselves; shared ones: administrators.',
      shows: [
        {
          path: 'view',
          body: document({
            table_id: 1,
            view_name: 'Newest',
            sort: '-add_time',
            columns: [{ attribute: 'f1', width: 240 }, { attribute: 'add_time' }],
          }),
        },
      ],
      refuses: [
        [
          'it names an attribute that does not exist for the caller',
          { path: 'view', body: document({ table_id: 1, view_name: 'x', sort: 'f999' }), code: 'field.invalid_value' },
        ],
        [
          'somebody else shares one',
          { by: 'ANNA', path: 'view', body: document({ table_id: 1, view_name: 'x', user_id: 0 }), code: 'access.denied' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/view',
      title: 'List views',
      who: 'everybody: shared ones and their own; administrators: all.',
      shows: [{ by: 'ANNA', path: 'view?filter=eq(table_id,1)' }],
    },
    {
      route: 'GET /api/dev/view/{id}',
      title: 'Read a view',
      who: 'the same.',
      shows: [{ by: 'ANNA', path: 'view/1?fields[view]=view_name,columns' }],
      refuses: [['it does not exist, or not for the caller', { path: 'view/4711', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/view/{id}',
      title: 'Change a view',
      who: 'everybody their own; shared ones: administrators.',
      shows: [{ path: 'view/1?fields[view]=view_name,sort', body: document({ sort: 'f1' }, '1') }],
      refuses: [['it is shared', { by: 'ANNA', path: 'view/1', body: document({ sort: '' }, '1'), code: 'access.denied' }]],
    },
    {
      route: 'DELETE /api/dev/view/{id}',
      title: 'Delete a view',
      who: 'everybody their own; shared ones: administrators.',
      shows: [{ path: 'view/1' }],
    },
  ],
}
