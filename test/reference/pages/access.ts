import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'access', ...(id && { id }), attributes } })
const anna = {
  method: 'POST',
  by: null,
  path: 'token',
  body: { data: { type: 'token', attributes: { login: 'anna', password: 'seven green bicycles' } } },
  keeps: 'ANNA',
}
const right = (what: string) => `May ${what}.`
const asked = 'Stored and shown; no endpoint of this version uses it.'
const kept = 'Stored and shown, for other programs.'

export const access: Page = {
  file: 'access',
  title: 'Rules of access',
  says: `A rule gives one group rights on one table; for a group without a rule, the table does not exist. Administrators need no rule. How
to write rules: [rights](../guides/rights.md).`,
  attributes: {
    type: 'access',
    means: {
      group_id: 'The group; not 1, administrators.',
      table_id: 'The table.',
      create: right('create records'),
      read: right('read and list records'),
      update: right('change records'),
      delete: right('delete records'),
      archive: right('set `status`'),
      bed: asked,
      print: asked,
      sms: kept,
      send: kept,
      free_sms_template: kept,
      free_mail_template: kept,
      standart_template: kept,
      read_filter: 'A [filter](../filters.md): the group sees only records that match. Empty: all. `current_user` is the id of the caller.',
      write_filter: 'A filter: only records that match, before and after, may be created, changed or deleted. Empty: all.',
      fields: 'Hidden and read-only fields, by field id: `{"6": "hidden", "2": "read_only"}`.',
    },
  },
  endpoints: [
    {
      route: 'POST /api/dev/access',
      title: 'Give a group rights on a table',
      who: 'administrators.',
      shows: [
        {
          says: 'Group 4 reads all companies, changes its own ones, does not see field 6 and cannot change field 2:',
          path: 'access',
          body: document({
            group_id: 4,
            table_id: 1,
            create: true,
            read: true,
            update: true,
            write_filter: 'eq(user_id,current_user)',
            fields: { '6': 'hidden', '2': 'read_only' },
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
      route: 'PATCH /api/dev/access/{id}',
      title: 'Change a rule of access',
      who: 'administrators.',
      notes: 'It takes effect with the next request. `fields` is replaced completely.',
      shows: [{ path: 'access/1?fields[access]=delete,fields', body: document({ delete: true, fields: { '6': 'hidden' } }, '1') }],
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
