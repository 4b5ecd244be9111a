import type { Page } from '../play.ts'

const company = (attributes: object, id?: string) => ({ data: { type: 'data1', ...(id && { id }), attributes } })

export const records: Page = {
  file: 'records',
  title: 'Records',
  says: `Records of table 1 are of type \`data1\`. Besides the fields each record has:

| attribute | meaning |
|---|---|
| \`user_id\` | Who created it. Administrators may set it. |
| \`add_time\` | When it was created, in the time zone of the installation. Read-only. |
| \`status\` | \`0\`: active, \`1\`: archived. Set with the right \`archive\`. Lists show both. |

A record also has \`update_time\`: when it was last written, at first when it was created. It is read-only. Filters, \`sort\`, aggregates and indexes take it as they
take \`add_time\`, but answers and exports show it only where \`fields[data1]\` names it. Everything that the history of a record lists sets it, except a deletion and
the erasure of a field; a request that changes nothing does not. An import sets it to the time of the import, a copy of a table keeps it.
\`search(…)\` does not look into it; read and write filters of groups, webhooks and live events cannot name it.

Values in answers are always strings. Requests may send strings, numbers, booleans (\`true\` is \`1\`), \`null\` (empty) and, where a field
holds several values, arrays. In the examples \`f1\` is a required, unique text, \`f2\` a list, \`f5\` a file field and \`f6\` a phone number.`,
  endpoints: [
    {
      route: 'POST /api/dev/data{table}',
      title: 'Create a record',
      who: 'right `create` on the table; the record must fit the `write_filter` of the group. With `upsertBy`, a change needs the rights `update` and `read`.',
      notes: `The header \`Idempotency-Key\` makes it safe to send the request again: within 24 hours the same key with the same body gets the first
answer again, and no second record is made. Fields that are not sent hold their default or are empty.

With \`upsertBy\`, which names a unique field, the record that has the value sent of this field is changed as by PATCH, and the answer is 200. If there is no such
record, it is created, and the answer is 201. It may be sent again at any time and takes no \`Idempotency-Key\`.`,
      shows: [
        {
          path: 'data1',
          headers: { 'Idempotency-Key': 'order-4711' },
          body: company({
            f1: 'Blue Heron',
            f2: 'warm',
            f6: '+351 22 555 01 33',
            f5: [{ file_name: 'offer.txt', content: 'Ten bicycles.' }],
          }),
        },
        {
          says: 'The record with this value of `f1` is there already:',
          path: 'data1?upsertBy=f1',
          body: company({ f1: 'Blue Heron', f2: 'warm' }),
        },
      ],
      refuses: [
        [
          '`upsertBy` names a field that is not unique',
          { path: 'data1?upsertBy=f2', body: company({ f2: 'warm' }), code: 'parameter.invalid' },
        ],
        ['a required field is missing', { path: 'data1', body: company({ f2: 'warm' }), code: 'field.required' }],
        [
          'another record has the value of a unique field',
          { path: 'data1', body: company({ f1: 'BLUE HERON' }), code: 'field.not_unique' },
        ],
        ['a value does not fit its field', { path: 'data1', body: company({ f1: 'X', f2: 'lukewarm' }), code: 'field.invalid_value' }],
        ['there is no such attribute', { path: 'data1', body: company({ f1: 'X', f99: '1' }), code: 'attribute.unknown' }],
        ['the client chooses an id', { path: 'data1', body: company({ f1: 'X' }, '7'), code: 'document.client_id' }],
        [
          'the key was used with another body',
          { path: 'data1', headers: { 'Idempotency-Key': 'order-4711' }, body: company({ f1: 'Other' }), code: 'idempotency.other_body' },
        ],
        [
          'the Content-Type is another',
          { path: 'data1', headers: { 'Content-Type': 'application/json' }, body: company({ f1: 'X' }), code: 'request.wrong_media_type' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/data{table}/{record}',
      title: 'Read a record',
      who: 'right `read` on the table; the record must fit the `read_filter` of the group.',
      notes: `The \`ETag\` changes with each change of the record. If \`If-None-Match\` has the current \`ETag\`, the answer is 304 without a body.

With \`recordAccess=true\`, the record says in \`meta.access\` whether you may change (\`update\`) and delete (\`delete\`) it. It is there only where that depends on
the \`write_filter\` of your group; otherwise the \`meta.access\` of the table holds for all records. The record is read before it, so a change at that moment may
be in \`meta.access\` alone. Lists have it in the same way.`,
      shows: [{ path: 'data1/1' }, { says: 'Some attributes only:', path: 'data1/1?fields[data1]=f1,f6' }],
      refuses: [
        ['there is no such record, or none for the caller', { path: 'data1/99', code: 'record.not_found' }],
        ['there is no such table, or none for the caller', { path: 'data99/1', code: 'table.not_found' }],
        ['`fields[…]` names an attribute that does not exist', { path: 'data1/1?fields[data1]=f99', code: 'attribute.unknown' }],
      ],
    },
    {
      route: 'GET /api/dev/data{table}',
      title: 'List records',
      who: 'right `read` on the table; records that do not fit the `read_filter` of the group are left out, and not counted in `meta.total`.',
      notes: `A page has 20 records, or the number in \`page[limit]\`, at most 50. A larger number counts as 50 and is not an error. To read more,
follow \`links.next\` until it is missing ([clients](../guides/clients.md) has programs that do). There are also pages by numbers, and by cursors
with up to 1,000 records: [pages](../pages.md).`,
      before: ['Lagoa Boats', 'Porto Bikes', 'Ёлка-Вело'].map((f1) => ({ path: 'data1', body: company({ f1, f2: 'warm' }) })),
      shows: [
        { path: "data1?filter=eq(f2,'warm')&sort=f1&page[limit]=2&fields[data1]=f1" },
        { says: 'By cursors:', path: 'data1?page[size]=2&sort=-f1&fields[data1]=f1' },
        { says: 'By numbers:', path: 'data1?page[number]=2&page[size]=2&fields[data1]=f1' },
        { says: '`page[limit]=500` is read as 50:', path: 'data1?page[limit]=500&fields[data1]=f1' },
      ],
      refuses: [
        ['the filter is not written right', { path: 'data1?filter=eq(f1', code: 'filter.syntax' }],
        ['the filter names an attribute that does not exist', { path: "data1?filter=eq(f99,'x')", code: 'filter.unknown_attribute' }],
        ['a value of the filter does not fit the field', { path: "data1?filter=gt(add_time,'soon')", code: 'filter.invalid_value' }],
        ['`sort` names an attribute that does not exist', { path: 'data1?sort=f99', code: 'sort.unknown_attribute' }],
        ['`page[limit]` is 0, negative or no number', { path: 'data1?page[limit]=0', code: 'parameter.invalid' }],
        ['there is no such parameter', { path: 'data1?limit=10', code: 'parameter.unknown' }],
      ],
    },
    {
      route: 'POST /api/dev/data{table}/search',
      title: 'List records with a long filter',
      who: 'right `read` on the table.',
      notes:
        'For filters of more than 8,192 characters, up to 1 MiB as UTF-8. To follow `next` and the other links, send the same body by POST.',
      shows: [{ path: 'data1/search?page[limit]=1&fields[data1]=f1', body: { meta: { filter: "in(f1,'Blue Heron','Lagoa Boats')" } } }],
      refuses: [['the filter is not written right', { path: 'data1/search', body: { meta: { filter: 'in(' } }, code: 'filter.syntax' }]],
    },
    {
      route: 'GET /api/dev/data{table}/aggregate',
      title: 'Count and add up records',
      who: 'right `read` on the table; records that do not fit the `read_filter` of the group are not counted, and hidden attributes do not exist.',
      notes: `\`function\` names what is computed: \`count\`, and \`sum\`, \`avg\`, \`min\` or \`max\` of an attribute. \`groupBy\` names an attribute, or a date
with a period (\`add_time:month\`). \`filter\` is that of lists. [Aggregates](../aggregates.md) explains the answer.`,
      shows: [
        { path: 'data1/aggregate?groupBy=f2' },
        { path: "data1/aggregate?filter=eq(f2,'warm')&function=count,max:add_time&groupBy=add_time:quarter" },
      ],
      refuses: [
        [
          '`function` or `groupBy` names an attribute that does not exist',
          { path: 'data1/aggregate?function=sum:f99', code: 'attribute.unknown' },
        ],
        ['the attribute holds nothing that can be added', { path: 'data1/aggregate?function=sum:f1', code: 'parameter.invalid' }],
        ['a date is grouped without a period', { path: 'data1/aggregate?groupBy=add_time', code: 'parameter.invalid' }],
      ],
    },
    {
      route: 'GET /api/dev/data{table}/export',
      title: 'Export records',
      who: 'rights `read` and `print` on the table; the file has the records and attributes that you see.',
      notes: `The file is sent while it is made, in the order of the ids or of \`sort\`; a record that changes meanwhile is in it as it was or as it is, and where a change moves it to another place of \`sort\`, it may be missing or be there twice. If your rights change
or your token ends, so does the file: its connection breaks. So it does where a value is too long for a cell of a workbook (32,767 characters). The headers of the columns are the names of the fields, in the order in which \`fields\` names them; the command \`import\` takes such a file back ([import and export](../guides/import.md)).`,
      shows: [
        { path: 'data1/export?fields[data1]=f1,f2&forSpreadsheet=false' },
        { path: "data1/export?fileFormat=jsonl&filter=eq(f2,'warm')&sort=-f1" },
      ],
      refuses: [['the filter is not written right', { path: 'data1/export?filter=eq(', code: 'filter.syntax' }]],
    },
    {
      route: 'GET /api/dev/search',
      title: 'Search in all tables',
      who: 'everybody, in the tables on which they have the right `read`.',
      notes: `Each word must be the beginning of a word in some attribute of the record that you may read, as with the filter function
\`search\` ([filters](../filters.md)). The id of a \`search_result\` is that of the table, its link leads to all hits. \`hits\` has the first five by id: \`title\` is the value of the
title field of the table, \`attribute\` the attribute with most of the words. \`total\` is exact. A page is a page of the tables that you may
read, in the order of their ids; those without a hit are left out, and \`meta.total\` counts all of them. A table that could not be looked through
in time has \`complete\` false and the total null.`,
      shows: [{ path: 'search?text=blue' }],
      refuses: [
        ['there is no word to search for', { path: 'search?text=-', code: 'filter.invalid_value' }],
        ['the words are missing', { path: 'search', code: 'parameter.missing' }],
      ],
    },
    {
      route: 'PATCH /api/dev/data{table}/{record}',
      title: 'Change a record',
      who: 'rights `update` and `read` on the table; the record must fit the `write_filter` of the group before and after.',
      notes: `With \`If-Match\` and the \`ETag\` that was read, the change is made only if nobody has changed the record since. Without it, changes of
different attributes by two clients both hold, and of the same attribute the last one.`,
      shows: [{ path: 'data1/2?fields[data1]=f1,f2', body: company({ f2: 'very hot' }, '2') }],
      refuses: [
        [
          'the record was changed since the `ETag` of `If-Match`',
          { path: 'data1/2', headers: { 'If-Match': '"1-0"' }, body: company({ f2: 'cold' }, '2'), code: 'record.stale' },
        ],
        [
          'an attribute cannot be changed',
          { path: 'data1/2', body: company({ add_time: '2020-01-01 00:00:00' }, '2'), code: 'attribute.read_only' },
        ],
        ['several values do not fit: all are named', { path: 'data1/2', body: company({ f1: '', f2: 'x' }, '2'), code: 'field.required' }],
        [
          '`data.type` is not that of the path',
          { path: 'data1/2', body: { data: { type: 'data2', id: '2', attributes: {} } }, code: 'document.wrong_type' },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/data{table}/{record}',
      title: 'Delete a record',
      who: 'right `delete` on the table; the record must fit the `write_filter` of the group.',
      notes: 'The record is moved to the [trash](trash.md) and can be restored with the same id. `If-Match` works as for a change.',
      shows: [{ path: 'data1/4' }],
      refuses: [['it is deleted already', { path: 'data1/4', code: 'record.not_found' }]],
    },
  ],
}
