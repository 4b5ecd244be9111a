import type { Page } from '../play.ts'

const invoice = (company: string, amount: string) => ({ data: { type: 'data2', attributes: { f3: company, f4: amount } } })

export const relationships: Page = {
  file: 'relationships',
  title: 'Relationships',
  says: `A field of type \`reference\` or \`references\` is a relationship too. That of field \`f3\` is called \`r3\`. It also leads back: \`data2_r3\` are the
records of table 2 that refer to a record by \`f3\`. A record shows a relationship only if \`include\` or \`fields[…]\` names it.

\`include\` names relationships, separated by commas, with up to two steps each: \`include=r3\`, \`include=data2_r3,r3.r7\`. It works for one record, for lists,
for searches and for the records of a relationship. The records that it brings are in \`included\`, each once; what leads to them is in \`relationships\`.

- A relationship to several records has the first 50 of them. If there are more, its \`links.next\` leads to the rest.
- A relationship does not exist if the caller may not see its field, or may not read the table it leads to. A record that the caller may not read is
  left out, like one that was deleted: the relationship along a single reference to it is \`null\`.
- \`fields[…]\` names attributes and relationships. If it is sent for a type and does not name a relationship, records of that type do not show it.`,
  endpoints: [
    {
      route: 'GET /api/dev/data{table}/{record}/r{field}',
      title: 'Read the record that a record refers to',
      who: 'right `read` on both tables; both records must fit the `read_filter` of the group.',
      notes:
        'If the field holds several references, the answer is a list in the order of the field, a page at a time. If it holds none, `data` is `null`, or an empty list.',
      before: [
        { path: 'data2', body: invoice('1', '120.00') },
        { path: 'data2', body: invoice('1', '80.50') },
      ],
      shows: [
        { path: 'data2/1/r3?fields[data1]=f1' },
        { says: 'A record with the one it refers to:', path: 'data2/1?include=r3&fields[data1]=f1' },
      ],
      refuses: [
        ['there is no such relationship, or none for the caller', { path: 'data2/1/r99', code: 'request.no_such_path' }],
        ['there is no such record, or none for the caller', { path: 'data2/99/r3', code: 'record.not_found' }],
        ['`include` names a relationship that does not exist', { path: 'data2/1?include=r99', code: 'parameter.invalid' }],
      ],
    },
    {
      route: 'GET /api/dev/data{table}/{record}/data{other}_r{field}',
      title: 'List the records that refer to a record',
      who: 'right `read` on both tables; records that do not fit the `read_filter` of the group are left out.',
      shows: [
        { path: 'data1/1/data2_r3?page[limit]=1&fields[data2]=f4' },
        { says: 'A record with those that refer to it:', path: 'data1/1?include=data2_r3&fields[data1]=f1,data2_r3&fields[data2]=f4' },
      ],
      refuses: [['there is no such relationship, or none for the caller', { path: 'data1/1/data2_r99', code: 'request.no_such_path' }]],
    },
    {
      route: 'GET /api/dev/data{table}/{record}/relationships/r{field}',
      title: 'Read a relationship',
      who: 'as for the record that it leads to.',
      notes: 'The same without the attributes: `type` and `id`.',
      shows: [{ path: 'data2/1/relationships/r3' }],
      refuses: [
        ['there is no such relationship, or none for the caller', { path: 'data2/1/relationships/r99', code: 'request.no_such_path' }],
      ],
    },
    {
      route: 'GET /api/dev/data{table}/{record}/relationships/data{other}_r{field}',
      title: 'Read a relationship that leads back',
      who: 'as for the records that it leads to.',
      shows: [{ path: 'data1/1/relationships/data2_r3' }],
      refuses: [
        [
          'there is no such relationship, or none for the caller',
          { path: 'data1/1/relationships/data2_r99', code: 'request.no_such_path' },
        ],
      ],
    },
    {
      route: 'PATCH /api/dev/data{table}/{record}/relationships/r{field}',
      title: 'Change a relationship',
      who: 'rights `update` and `read` on the table, `read` on the one it leads to; the record must fit the `write_filter` of the group before and after.',
      notes:
        'The same as a change of the field. `data` is one identifier or `null`; for a field with several references an array, which replaces them all. The answer is 204. `If-Match` works as for a change of the record.',
      shows: [{ path: 'data2/2/relationships/r3', body: { data: { type: 'data1', id: '2' } } }],
      refuses: [
        ['the field must have a value', { path: 'data2/2/relationships/r3', body: { data: null }, code: 'field.required' }],
        [
          'there is no such record, or none for the caller',
          { path: 'data2/2/relationships/r3', body: { data: { type: 'data1', id: '99' } }, code: 'field.invalid_value' },
        ],
        [
          'the record is of another table',
          { path: 'data2/2/relationships/r3', body: { data: { type: 'data2', id: '1' } }, code: 'document.wrong_type' },
        ],
      ],
    },
    {
      route: 'POST /api/dev/data{table}/{record}/relationships/r{field}',
      title: 'Add to a relationship',
      who: 'as for the change of a relationship.',
      notes:
        'For fields with several references. Records that are there already stay as they are. The answer is 204. Two clients who add at once both succeed.',
      before: [
        {
          path: 'field',
          body: {
            data: {
              type: 'field',
              attributes: { table_id: 2, field_name: 'Shown to', field_type: 'references', reference_table_id: 1 },
            },
          },
        },
      ],
      shows: [
        {
          path: 'data2/2/relationships/r10',
          body: {
            data: [
              { type: 'data1', id: '1' },
              { type: 'data1', id: '2' },
            ],
          },
        },
      ],
      refuses: [
        [
          'the field holds one reference',
          { path: 'data2/2/relationships/r3', body: { data: [{ type: 'data1', id: '1' }] }, code: 'relationship.to_one' },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/data{table}/{record}/relationships/r{field}',
      title: 'Remove from a relationship',
      who: 'as for the change of a relationship.',
      notes: 'For fields with several references. Records that are not there are no error. The records themselves stay. The answer is 204.',
      shows: [{ path: 'data2/2/relationships/r10', body: { data: [{ type: 'data1', id: '1' }] } }],
    },
  ],
}
