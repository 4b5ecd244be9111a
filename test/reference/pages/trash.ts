import type { Page } from '../play.ts'

export const trash: Page = {
  file: 'trash',
  title: 'Trash',
  says: `Deleted records, fields and tables. They can be restored with all their values and the same ids, or erased permanently: by an
administrator, or by the service after \`KARTOTEKA_TRASH_DAYS\` (30).`,
  attributesOf: 'trash',
  endpoints: [
    {
      route: 'GET /api/dev/trash',
      title: 'List the trash',
      who: 'everybody: records that they deleted and may read; administrators: everything.',
      shows: [{ path: 'trash?sort=-id' }, { path: 'trash?sort=-id&fields[trash]=kind,title,brings_back' }],
    },
    {
      route: 'GET /api/dev/trash/{id}',
      title: 'Read an entry of the trash',
      who: 'everybody who sees it in the list.',
      shows: [{ path: 'trash/1' }],
      refuses: [['there is none, or none for the caller', { path: 'trash/99', code: 'trash.not_found' }]],
    },
    {
      route: 'POST /api/dev/trash/{id}/restore',
      title: 'Restore what was deleted',
      who: 'a record: right `delete` on its table; a field or a table: administrators.',
      notes: 'No body is sent.',
      shows: [{ path: 'trash/3/restore' }],
      before: [
        { path: 'data1', body: { data: { type: 'data1', attributes: { f1: 'Twice' } } } },
        { method: 'DELETE', path: 'data1/5' },
        { path: 'data1', body: { data: { type: 'data1', attributes: { f1: 'Twice' } } } },
      ],
      refuses: [['another record has the value of a unique field by now', { path: 'trash/4/restore', code: 'field.not_unique' }]],
    },
    {
      route: 'DELETE /api/dev/trash/{id}',
      title: 'Erase permanently',
      who: 'administrators.',
      notes:
        'This cannot be undone. The files are gone at once; their bytes are removed from the disk in one of the next hourly rounds, unless another record has them.',
      shows: [{ path: 'trash/4' }],
    },
  ],
}
