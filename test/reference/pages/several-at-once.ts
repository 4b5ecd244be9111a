import { ATOMIC_TYPE } from '../../../src/http/answers/jsonapi.ts'
import type { Page } from '../play.ts'

const headers = { 'Content-Type': ATOMIC_TYPE }
const operations = (...all: readonly object[]) => ({ 'atomic:operations': all })
const company = (name: string) => ({ op: 'add', data: { type: 'data1', attributes: { f1: name } } })
const remove = (id: string) => ({ op: 'remove', ref: { type: 'data1', id } })

export const severalAtOnce: Page = {
  file: 'several-at-once',
  title: 'Several records at once',
  says: `One request can create, change and delete several records. [Several at once](../several-at-once.md) explains what is the same for all of these
requests, and which one fits. More than one record of a table, and any change or delete by a filter, needs the right \`bed\`, besides the right for each act.`,
  endpoints: [
    {
      route: 'POST /api/dev/operations',
      title: 'Run operations',
      who: 'for each operation the right for its act: `create`, `update` and `read`, or `delete`; and `bed` for more than one record of a table.',
      notes: `All operations are done, in their order, or none. They follow the extension [Atomic Operations](https://jsonapi.org/ext/atomic) of JSON:API,
which the Content-Type has to name. \`Idempotency-Key\` works as for a create.`,
      shows: [
        {
          says: 'A company, an invoice that refers to it by its `lid`, and a change of the company:',
          path: 'operations',
          headers,
          body: operations(
            { op: 'add', data: { type: 'data1', lid: 'new', attributes: { f1: 'Minho Looms' } } },
            {
              op: 'add',
              data: { type: 'data2', attributes: { f4: '99.00' }, relationships: { r3: { data: { type: 'data1', lid: 'new' } } } },
            },
            { op: 'update', ref: { type: 'data1', lid: 'new' }, data: { type: 'data1', lid: 'new', attributes: { f2: 'warm' } } },
          ),
        },
        {
          says: 'The address of the operation may have `upsertBy`; `meta.created` tells what was done:',
          path: 'operations',
          headers,
          body: operations({ ...company('Minho Looms'), href: '/api/dev/data1?upsertBy=f1' }),
        },
      ],
      refuses: [
        [
          'the Content-Type does not name the extension',
          { path: 'operations', body: operations(company('X')), code: 'request.wrong_media_type' },
        ],
        [
          'an operation has a value that does not fit',
          { path: 'operations', headers, body: operations(company('X'), company('')), code: 'field.required' },
        ],
        ['a record is missing', { path: 'operations', headers, body: operations(company('X'), remove('99')), code: 'record.not_found' }],
        [
          'a `lid` is used before the operation that defines it',
          {
            path: 'operations',
            headers,
            body: operations({ op: 'remove', ref: { type: 'data1', lid: 'x' } }),
            code: 'document.invalid_member',
          },
        ],
      ],
    },
    {
      route: 'PATCH /api/dev/data{table}',
      title: 'Change several records',
      who: 'rights `update` and `read` on the table, and `bed` for more than one record and for any change by a filter, also with `dryRun`; each record must fit both filters of the group.',
      notes: `A short form of operations for changes of one table: all records are changed, or none.

With \`filter\`, and a document without an id, all records that match get the same attributes, in short transactions. This needs the right \`bed\`. [Several at once](../several-at-once.md#changes-and-deletes-by-a-filter) explains the answer.`,
      shows: [
        {
          path: 'data2',
          body: {
            data: [
              { type: 'data2', id: '1', attributes: { f4: '121.00' } },
              { type: 'data2', id: '2', attributes: { f4: '81.50' } },
            ],
          },
        },
        {
          says: 'How many records match, and the first of them:',
          path: 'data2?filter=lt(f4,100)&dryRun=true',
          body: { data: { type: 'data2', attributes: { f4: '100' } } },
        },
        {
          says: 'All records that match:',
          path: 'data2?filter=lt(f4,100)',
          body: { data: { type: 'data2', attributes: { f4: '100' } } },
        },
      ],
      refuses: [
        [
          'there is neither an array of records nor a filter',
          { path: 'data2', body: { data: { type: 'data2', attributes: { f4: '1' } } }, code: 'parameter.missing' },
        ],
        [
          'a value does not fit its field',
          { path: 'data2', body: { data: [{ type: 'data2', id: '1', attributes: { f4: 'x' } }] }, code: 'field.invalid_value' },
        ],
        ['a record is missing', { path: 'data2', body: { data: [{ type: 'data2', id: '99', attributes: {} }] }, code: 'record.not_found' }],
      ],
    },
    {
      route: 'DELETE /api/dev/data{table}',
      title: 'Delete several records',
      who: 'rights `delete`, `read` and `bed` on the table; records that do not fit the filters of the group are left alone.',
      notes: 'Moves all records that match to the trash, in short transactions. `POST /api/dev/batch/<id>/undo` brings them back.',
      shows: [{ path: 'data2?filter=eq(f4,100)' }],
      refuses: [['there is no filter', { path: 'data2', code: 'parameter.missing' }]],
    },
  ],
}
