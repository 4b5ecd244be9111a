import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'access', ...(id && { id }), attributes } })
const anna = {
  method: 'POST',
  by: null,
  path: 'token',
  body: { data: { type: 'token', attributes: { login: 'anna', password: 'seven green bicycles' } } },
  keeps: 'ANNA',
}

export const access: Page = {
  file: 'access',
  title: 'Rules of access',
  says: `A rule gives one group rights on one table; for a group without a rule, the table does not exist. Administrators need no rule. How
to write rules: [rights](../guides/rights.md).`,
  attributesOf: 'access',
  endpoints: [
    {
      route: 'POST /api/dev/access',
      title: 'Give a group rights on a table',
      who: 'administrators.',
      shows: [
        {
          says: 'Group 4 reads all companies, changes its own ones, does not see the field f6 and cannot change f2:',
          path: 'access',
          body: document({
            group_id: 4,
            table_id: 1,
            create: true,
            read: true,
            update: true,
            write_filter: 'eq(user_id,current_user)',
            fields: { f6: 'hidden', f2: 'read_only' },
          }),
        },
      ],
      refuses: [
        ['the group has a rule for this table', { path: 'access', body: document({ group_id: 4, table_id: 1 }), code: 'access.exists' }],
        ['the group is the administrators', { path: 'access', body: document({ group_id: 1, table_id: 1 }), code: 'field.invalid_value' }],
        [
          'a filter does not fit the table',
          { path: 'access', body: document({ group_id: 4, table_id: 2, read_filter: 'eq(f99,1)' }), code: 'field.invalid_value' },
        ],
        [
          'a rule names a field that the table does not have',
          { path: 'access', body: document({ group_id: 4, table_id: 2, fields: { f99: 'hidden' } }), code: 'field.invalid_value' },
        ],
        [
          'the caller is no administrator',
          { path: 'access', by: 'ANNA', body: document({ group_id: 4, table_id: 2 }), code: 'access.denied' },
        ],
      ],
      before: [anna],
    },
    {
      route: 'GET /api/dev/access',
      title: 'List rules of access',
      who: 'administrators; others see an empty list.',
      shows: [{ path: 'access?filter=eq(table_id,1)&fields[access]=group_id,table_id,read,write_filter' }],
    },
    {
      route: 'GET /api/dev/access/{id}',
      title: 'Read a rule of access',
      who: 'administrators.',
      shows: [{ path: 'access/1' }],
      refuses: [['there is none, or none for the caller', { path: 'access/1', by: 'ANNA', code: 'resource.not_found' }]],
    },
    {
      route: 'GET /api/dev/access/explain',
      title: 'Ask what a user may do',
      who: 'administrators.',
      notes: `\`user\`, \`table\`: their ids; \`record\`: the id of a record, to ask whether it exists for the user. The answer is what the rule of their group comes to today, with a token without limits. \`attributes\`: each attribute of the table,
\`hidden\`, \`read_only\` or \`writable\`. \`access_id\`: the rule; null: there is none. \`record.missing\`: why the record does not exist for them, \`no_right\`,
\`read_filter\`, \`in_trash\` or \`not_found\`; \`record.writable\`: whether the write filter holds for it.`,
      shows: [{ path: 'access/explain?user=2&table=1&record=1' }],
      refuses: [
        ['the user or the table is not named', { path: 'access/explain?user=2', code: 'parameter.missing' }],
        ['there is no such user', { path: 'access/explain?user=999&table=1', code: 'resource.not_found' }],
        ['there is no such table', { path: 'access/explain?user=2&table=999', code: 'table.not_found' }],
        ['the caller is no administrator', { path: 'access/explain?user=2&table=1', by: 'ANNA', code: 'access.denied' }],
      ],
    },
    {
      route: 'PATCH /api/dev/access/{id}',
      title: 'Change a rule of access',
      who: 'administrators.',
      notes: 'It takes effect with the next request. `fields` is replaced completely.',
      shows: [
        {
          path: 'access/1?fields[access]=delete,fields',
          body: document({ delete: true, fields: { allow: { f1: 'writable', f2: 'read_only' } } }, '1'),
        },
      ],
      refuses: [
        ['the group or the table is changed', { path: 'access/1', body: document({ group_id: 3 }, '1'), code: 'attribute.read_only' }],
      ],
    },
    {
      route: 'DELETE /api/dev/access/{id}',
      title: 'Take the rights of a group on a table away',
      who: 'administrators.',
      before: [{ path: 'access', body: document({ group_id: 3, table_id: 2, read: true }) }],
      shows: [{ path: 'access/2' }],
    },
  ],
}
