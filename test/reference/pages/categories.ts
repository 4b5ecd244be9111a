import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'category', ...(id && { id }), attributes } })

export const categories: Page = {
  file: 'categories',
  title: 'Categories',
  says: 'A category groups tables in lists from which users choose. Everybody sees the categories of tables that they may see; administrators change them.',
  attributesOf: 'category',
  endpoints: [
    {
      route: 'POST /api/dev/category',
      title: 'Create a category',
      who: 'administrators.',
      shows: [{ path: 'category', body: document({ category_name: 'Sales', sequence_number: 1 }) }],
      refuses: [
        ['the caller sends no token', { path: 'category', by: null, body: document({ category_name: 'X' }), code: 'auth.token_missing' }],
        ['the name is missing', { path: 'category', body: document({}), code: 'field.required' }],
        ['an attribute has another JSON type', { path: 'category', body: document({ category_name: 7 }), code: 'field.invalid_value' }],
      ],
    },
    {
      route: 'GET /api/dev/category',
      title: 'List categories',
      who: 'everybody.',
      before: [{ path: 'category', body: document({ category_name: 'Archive', sequence_number: 9 }) }],
      shows: [{ path: 'category?sort=sequence_number' }],
    },
    {
      route: 'GET /api/dev/category/{id}',
      title: 'Read a category',
      who: 'everybody who may see it.',
      shows: [{ path: 'category/1' }],
      refuses: [['there is none with this id', { path: 'category/99', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/category/{id}',
      title: 'Change a category',
      who: 'administrators.',
      shows: [{ path: 'category/1', body: document({ sequence_number: 2 }, '1') }],
      refuses: [['the id in the body is another', { path: 'category/1', body: document({}, '2'), code: 'document.wrong_id' }]],
    },
    {
      route: 'DELETE /api/dev/category/{id}',
      title: 'Delete a category',
      who: 'administrators.',
      notes: 'Its tables remain, without a category.',
      shows: [{ path: 'category/2' }],
      refuses: [['there is none with this id', { path: 'category/2', code: 'resource.not_found' }]],
    },
  ],
}
