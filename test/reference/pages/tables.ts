import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'table', ...(id && { id }), attributes } })

export const tables: Page = {
  file: 'tables',
  title: 'Tables',
  says: `A table holds records of type \`data<table>\`: table 7 is read at \`/api/dev/data7\`. Its attributes are the [fields](fields.md).
\`meta.access\` tells what the caller may do with it; what each right means: [rights](../guides/rights.md).`,
  attributesOf: 'table',
  endpoints: [
    {
      route: 'POST /api/dev/table',
      title: 'Create a table',
      who: 'administrators.',
      shows: [{ path: 'table', body: document({ table_name: 'Companies', category_id: 1 }) }],
      refuses: [
        ['the name is missing', { path: 'table', body: document({ full_name: 'X' }), code: 'field.required' }],
        ['an attribute is not known', { path: 'table', body: document({ table_name: 'X', colour: 'red' }), code: 'attribute.unknown' }],
        ['there is no such category', { path: 'table', body: document({ table_name: 'X', category_id: 99 }), code: 'field.invalid_value' }],
      ],
    },
    {
      route: 'GET /api/dev/table',
      title: 'List tables',
      who: 'everybody; tables for which the caller has no right are left out.',
      before: [
        { path: 'table', body: document({ table_name: 'Deals', category_id: 1 }) },
        { path: 'table', body: document({ table_name: 'Notes' }) },
      ],
      shows: [{ path: 'table?fields[table]=table_name,category_id&page[limit]=2' }],
      refuses: [['a parameter is not known', { path: 'table?limit=5', code: 'parameter.unknown' }]],
    },
    {
      route: 'GET /api/dev/table/{id}',
      title: 'Read a table',
      who: 'everybody who has any right on it.',
      before: [
        {
          path: 'field',
          body: {
            data: { type: 'field', attributes: { table_id: 1, field_name: 'Name', field_type: 'text', required: true, unique: true } },
          },
        },
      ],
      shows: [
        { path: 'table/1' },
        { says: 'With its fields:', path: 'table/1?include=fields&fields[field]=int_name,field_name,field_type' },
      ],
      refuses: [['there is none, or none for the caller', { path: 'table/99', code: 'table.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/table/{id}',
      title: 'Change a table',
      who: 'administrators.',
      shows: [{ path: 'table/1', body: document({ full_name: 'Companies we know' }, '1') }],
      refuses: [
        [
          'the title field is of another table',
          { path: 'table/2', body: document({ title_field_id: 1 }, '2'), code: 'field.invalid_value' },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/table/{id}',
      title: 'Delete a table',
      who: 'administrators.',
      notes:
        'The table is moved to the [trash](trash.md) with its records, and stays there for `KARTOTEKA_TRASH_DAYS`. With `dryRun=true` nothing is deleted; `meta` counts its records, its files and their bytes, records elsewhere that refer to it (`references`), and lists up to 100 of the fields, filters, views, rules and webhooks that go or stop working; `refused` is the code with which the deletion would be refused now.',
      before: [{ path: 'table', body: document({ table_name: 'Trial' }) }],
      shows: [{ path: 'table/4?dryRun=true' }, { path: 'table/4' }],
      refuses: [['there is none', { path: 'table/4', code: 'table.not_found' }]],
    },
    {
      route: 'POST /api/dev/table/{id}/copy',
      title: 'Copy a table',
      who: 'administrators.',
      notes: `The copy has the fields with their options, order and defaults, and the rules of access: each group may do with it what it may do with the
table. With \`withRecords=true\` it has the records too, under the same ids, with values, users, times and files as they are; references of the table to itself
lead into the copy. Until they are all there, only administrators see the copy. More than 10,000 records are copied by \`kartoteka table copy --with-records\`.`,
      shows: [{ path: 'table/3/copy?withRecords=true', body: document({ table_name: 'Notes of 2024' }) }],
      refuses: [
        ['the name is missing', { path: 'table/1/copy', body: document({}), code: 'field.required' }],
        ['there is none', { path: 'table/99/copy', body: document({ table_name: 'X' }), code: 'table.not_found' }],
      ],
    },
  ],
}
