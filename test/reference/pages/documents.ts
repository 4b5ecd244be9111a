import type { Page } from '../play.ts'

export const documents: Page = {
  file: 'documents',
  title: 'Documents of the interface',
  says: `What this installation has, for programs: an OpenAPI 3.1 document with every endpoint and a JSON Schema of each table. They are made from the
structure of the moment and from the rights of the caller: tables, fields and endpoints that do not exist for the caller are not in them. The
\`ETag\` changes when they do.

The OpenAPI document can be imported into Postman, Insomnia and Bruno, and generators make clients of it.`,
  endpoints: [
    {
      route: 'GET /api/dev/openapi.json',
      title: 'Read the OpenAPI document',
      who: 'everybody.',
      notes: `Each table has paths of its own, \`/api/dev/data1\`, with its fields: by \`f1\`, with their names as titles, the labels of lists and examples. A
document has at most 100 tables; \`tables\` chooses them. If tables are left out, it has the paths of any table too.`,
      shows: [{ says: 'The beginning of it:', path: 'openapi.json?tables=1' }],
      refuses: [
        ['no token is sent', { path: 'openapi.json', by: null, code: 'auth.token_missing' }],
        ['`tables` is no list of ids', { path: 'openapi.json?tables=all', code: 'parameter.invalid' }],
      ],
    },
    {
      route: 'GET /api/dev/schema/data{table}',
      title: 'Read the JSON Schema of a table',
      who: 'right `read` on the table.',
      notes: `The schema (2020-12) is that of a record as answers show it. \`$defs\` has its attributes, and those that requests to create and to change a
record may send.`,
      shows: [{ path: 'schema/data2' }],
      refuses: [['there is no such table, or none for the caller', { path: 'schema/data99', code: 'table.not_found' }]],
    },
  ],
}
