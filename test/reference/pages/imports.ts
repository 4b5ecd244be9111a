import type { Page } from '../play.ts'

const draft = { kind: 'import', table_id: 2, input: { file_name: 'deals.csv' } }
const file = 'Firm;Amount\nHeron;1 250,50\nLagoa;310,00\n'

export const imports: Page = {
  file: 'imports',
  title: 'Imports',
  says: `Records from a file: CSV, JSON lines or a workbook (.xlsx). An import is a [job](jobs.md) of the kind \`import\`. It begins as a draft: \`POST /api/dev/job\`
with \`table_id\`, or with \`input.table_name\` for a table that it makes. Then come its file, a look at the preview, the mapping of columns, a dry run, and the run.
[The guide](../guides/import.md#over-http) goes through these steps. All need the rights \`create\` and \`bed\` on the table; values are written by the rights on
fields and by the filters that hold for \`POST\` of a record. Tables and fields are made by administrators.

The members of \`input\`:

| member | meaning |
|---|---|
| \`table_name\` | the name of the table that the import makes; only without \`table_id\` |
| \`file_name\` | the name of the file, for people |
| \`sheet\` | the sheet of a workbook; default: the first one that is shown |
| \`delimiter\`, \`encoding\` | of CSV; default: found from the first bytes |
| \`defused\` | \`true\`: the file is one of errors, or an export with \`forSpreadsheet\`; apostrophes before formulas are removed |
| \`nothing\` | the text that means no value; default \`NULL\`; in JSON lines, \`null\` alone does |
| \`update_by\` | a unique field, as an attribute or a name: lines whose value in it is that of a record change this record, the others make records. Needs the rights \`update\` and \`read\` too |
| \`keep_ids\` | \`true\`: records get the ids of the column \`id\`. The table is made by the import, or never had a record. Only administrators |
| \`columns\` | an array: what becomes of each column, by its place in the file; null, or left out: what the preview shows |

The members of a column:

| member | meaning |
|---|---|
| \`field\` | an attribute such as \`f12\`, or the name of a field |
| \`create\` | a new field: \`name\`, \`type\`, \`unique\`, \`scale\`; each may be left out |
| \`skip\` | \`true\`: the column is left out |
| \`reference\` | \`table_id\` and \`field\`: the column refers to records of this table by their values in this unique field, or by \`id\`. Without \`table_id\`: of the table that the import makes. A field of the type \`references\` takes several values, between semicolons, lines or commas; a value that is one record as a whole and several by its commas is refused |
| \`date_format\` | how dates are written, such as \`DD.MM.YYYY\` |
| \`decimal\` | the decimal sign, \`.\` or \`,\` |`,
  endpoints: [
    {
      route: 'PUT /api/dev/job/{id}/file',
      title: 'Send the file',
      who: 'the user of the draft, with the rights of the import.',
      notes: 'The bytes are stored as they arrive, up to `KARTOTEKA_UPLOAD_LIMIT`. A second file replaces the first.',
      before: [{ path: 'job', method: 'POST', body: { data: { type: 'job', attributes: draft } } }],
      shows: [{ path: 'job/2/file', body: file, headers: { 'Content-Type': 'text/csv' } }],
      refuses: [
        [
          'there is no such import',
          { path: 'job/99/file', body: 'a', headers: { 'Content-Type': 'text/csv' }, code: 'resource.not_found' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/job/{id}/preview',
      title: 'See what would become of it',
      who: 'the user of the draft, with the rights of the import.',
      notes:
        '`rows`: the first 50. `columns`: as requests send them, with the name of the field in `field_name`; `guessed`: the type is a guess; `ambiguous`: dates or numbers can be read in two ways; `yes_and_no`: words such as yes and no are read; `ids`: the column has the ids of the records. `update_by`: the attribute by which lines change records.',
      shows: [{ path: 'job/2/preview' }],
    },
    {
      route: 'PATCH /api/dev/job/{id}',
      title: 'Say what becomes of the columns',
      who: 'the user of the draft, with the rights of the import; new fields: administrators.',
      notes: 'Members of `input` that are not sent stay as they are.',
      shows: [
        {
          path: 'job/2',
          body: {
            data: {
              type: 'job',
              id: '2',
              attributes: { input: { columns: [{ skip: true }, { field: 'Amount', decimal: ',' }] } },
            },
          },
        },
      ],
      refuses: [
        [
          'a column does not fit',
          {
            path: 'job/2',
            body: { data: { type: 'job', id: '2', attributes: { input: { columns: [{ field: 'Nothing' }] } } } },
            code: 'import.unfit',
          },
        ],
      ],
    },
    {
      route: 'POST /api/dev/job/{id}/run',
      title: 'Try and run it',
      who: 'the user of the draft, with the rights of the import.',
      notes: `With \`dryRun=true\` the answer is another job, which goes through the whole file in transactions that are undone. It does not know of two new lines with
the same unique value, nor of references to lines of the same file. \`result\` of both: \`table_id\` (where it imports; absent: a new table was not made), \`read\`, \`imported\`, \`updated\` (of those imported, the lines that changed a record), \`bad\`, \`incomplete\` (imported without a reference),
\`listed\` (in the file of errors), \`notes\` and \`batch_id\`, which [undo](batches.md) takes. \`done\` and \`total\` are bytes of a CSV file; of a workbook, \`done\` is lines.`,
      shows: [{ path: 'job/2/run?dryRun=true' }, { path: 'job/2/run' }],
      refuses: [['it has begun', { path: 'job/2/run', code: 'job.not_draft' }]],
    },
    {
      route: 'GET /api/dev/job/{id}/errors',
      title: 'Read the refused lines',
      who: 'the user of the job, and administrators.',
      notes: `CSV: the line, the column and the reason, then the line itself, so that it can be mended and imported again with \`defused\`. Cells that a spreadsheet
would run begin with an apostrophe. It is empty where no line was refused.`,
      shows: [{ path: 'job/2/errors' }],
      refuses: [['there is no such job', { path: 'job/99/errors', code: 'resource.not_found' }]],
    },
  ],
}
