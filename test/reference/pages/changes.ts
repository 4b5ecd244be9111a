import type { Page } from '../play.ts'

export const changes: Page = {
  file: 'changes',
  title: 'Changes',
  says: `Every change of a record: what was done, by whom, when, and what each attribute held before and after. A change is written in the transaction of
what it describes, and stored for \`KARTOTEKA_CHANGE_DAYS\` (365). Changes of structure, rights and users are changes of the table 0
([more about them](../changes.md#changes-of-structure-rights-and-users)).`,
  attributesOf: 'change',
  endpoints: [
    {
      route: 'GET /api/dev/change',
      title: 'List changes',
      who: 'everybody: changes of records that they may read now, without attributes that are hidden from them. Changes of the table 0: administrators.',
      notes: `Oldest first, or as \`sort\` says. A program that must miss nothing uses a cursor: \`page[after]=\` (empty) begins with the oldest change, \`page[after]=now\` with the next one;
\`links.next\` has the cursor with which to ask again, at once or later. No change is skipped, also not one that was written earlier and committed later, and none is
given twice. With \`page[after]\` there are no \`sort\`, \`page[offset]\` and total. A page of long values has fewer changes than \`page[limit]\`.

With a cursor, a caller with a read filter sees the changes of their records: \`create\` is also a change by which a record came into the filter, \`delete\` one
by which it left; both have all values that the caller sees. A filter of the request is about changes as they are shown. \`meta.more\` is true where further changes may be there already: a
page may be empty and have it, since a request looks through 10,000 changes at most.`,
      shows: [
        { path: "change?filter=and(eq(table_id,1),eq(action,'update'))&sort=-id&page[limit]=1" },
        { path: "change?filter=eq(resource_type,'field')&page[limit]=1" },
        { path: 'change?page[after]=&page[limit]=2' },
      ],
      refuses: [['both a cursor and an order are asked for', { path: 'change?page[after]=1&sort=-id', code: 'parameter.invalid' }]],
    },
    {
      route: 'GET /api/dev/events',
      title: 'Follow changes as they happen',
      who: 'everybody: changes of records that they may read at that moment, without attributes that are hidden from them then.',
      notes: `Server-sent events: a \`text/event-stream\` that goes on until the client disconnects, the token ends, or the server stops.

\`\`\`
event: change
id: 412
data: {"type":"change","id":"412","attributes":{"table_id":7,"record_id":123,"action":"update", … },"links":{"self":"/api/dev/change/412"}}
\`\`\`

\`data\` is the resource as the list with a cursor has it; \`changes\` is null where the values are longer than 32,768 characters: then read the change by its id. \`id\` is the cursor: a
client that comes back with it in \`Last-Event-ID\` misses nothing. Every 15 s there is a comment, with the cursor. The stream of a client that does not read is ended when 256 KiB wait for it; it comes back with its last id. A stream for named \`tables\` ends
when the caller may not read one of them any more. With \`jobEvents=true\` there are also events \`job\`, without an \`id\`: [jobs](../jobs.md#instead-of-asking).`,
      shows: [],
      refuses: [
        ['there is no such table, or none for the caller', { path: 'events?tables=99', code: 'table.not_found' }],
        ['there is no such saved filter, or none for the caller', { path: 'events?saved_filter=99', code: 'filter.unknown_saved_filter' }],
        ['only jobs are asked for, and changes of a table', { path: 'events?jobEvents=only&tables=1', code: 'parameter.invalid' }],
        ['the cursor is none', { path: 'events', headers: { 'Last-Event-ID': 'x' }, code: 'header.invalid' }],
      ],
    },
    {
      route: 'GET /api/dev/change/{id}',
      title: 'Read a change',
      who: 'everybody who sees it in the list.',
      shows: [{ path: 'change/1' }],
      refuses: [['there is none, or none for the caller', { path: 'change/99999', code: 'resource.not_found' }]],
    },
    {
      route: 'GET /api/dev/change/{id}/file/{field:text}/{side:text}/{name:text}',
      title: 'Read a file of an old version',
      who: 'everybody who sees the change and the field.',
      notes: `\`<side>\` is \`from\`, for the files that the field had before the change, or \`to\`, for those that it had after it; their names are in \`changes\`.
The bytes are kept as long as the change. The answer is that of \`GET /api/dev/file/…\`.`,
      shows: [{ path: 'change/31/file/f5/to/offer.txt' }],
      refuses: [
        ['the field had no file of this name', { path: 'change/31/file/f5/to/x.txt', code: 'file.not_found' }],
        [
          'there is no file field of this name, or none for the caller',
          { path: 'change/31/file/f1/to/offer.txt', code: 'file.field_not_found' },
        ],
        ['there is no such change, or none for the caller', { path: 'change/99999/file/f5/to/offer.txt', code: 'resource.not_found' }],
      ],
    },
    {
      route: 'GET /api/dev/data{table}/{record}/history',
      title: 'List the changes of a record',
      who: 'right `read` on the table, and the record must match the read filter. The record may be in the trash, if the caller sees it there.',
      shows: [{ path: 'data1/1/history?page[limit]=2' }],
      refuses: [['there is no such record, or none for the caller', { path: 'data1/99999/history', code: 'record.not_found' }]],
    },
    {
      route: 'POST /api/dev/data{table}/{record}/restore',
      title: 'Restore what a record held',
      who: 'rights `update` and `read` on the table. Attributes that are read-only for the caller stay as they are; they are refused where they are named.',
      notes: `\`meta.change\` is the id of a change of this record: it holds again what it held after that change, or what the attributes in
\`meta.attributes\` held. This is an ordinary change of the record, with all its checks; \`If-Match\` is obeyed. With \`dryRun=true\` the answer says what would
change (\`changes\`) and which attributes the caller may not write (\`left\`). Failures of an attribute name it in \`meta\`.`,
      before: [
        {
          method: 'PATCH',
          path: 'data1/1',
          body: { data: { type: 'data1', id: '1', attributes: { f1: 'Renamed by mistake' } } },
        },
      ],
      shows: [
        { method: 'POST', path: 'data1/1/restore?dryRun=true', body: { meta: { change: 31 } } },
        { method: 'POST', path: 'data1/1/restore', body: { meta: { change: 31, attributes: ['f1'] } } },
      ],
      refuses: [
        [
          'there is no such change of this record',
          { method: 'POST', path: 'data1/1/restore', body: { meta: { change: 99999 } }, code: 'resource.not_found' },
        ],
        [
          'an attribute does not exist',
          { method: 'POST', path: 'data1/1/restore', body: { meta: { change: 31, attributes: ['f99'] } }, code: 'attribute.unknown' },
        ],
      ],
    },
  ],
}
