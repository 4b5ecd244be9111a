import type { Page } from '../play.ts'

export const files: Page = {
  file: 'files',
  title: 'Files',
  says: `Files belong to a field of type \`file\` or \`image\` of one record, and are sent with the record: see [the guide](../guides/files.md). In the path,
\`<field>\` is \`f5\` or \`5\`. Users who may read the record and the field may read its files.`,
  endpoints: [
    {
      route: 'GET /api/dev/file/{table}/{field:text}/{record}',
      title: 'List the files of a field',
      who: 'right `read` on the table.',
      shows: [{ path: 'file/1/f5/1' }, { says: 'One file with its content, in base64:', path: 'file/1/f5/1?filename=offer.txt' }],
      refuses: [
        ['the field holds no file of this name', { path: 'file/1/f5/1?filename=x.txt', code: 'file.not_found' }],
        ['there is no file field of this name', { path: 'file/1/f1/1', code: 'file.field_not_found' }],
        ['there is no such record', { path: 'file/1/f5/99', code: 'record.not_found' }],
      ],
    },
    {
      route: 'GET /api/dev/file/{table}/{field:text}/{record}/{name:text}',
      title: 'Read the bytes of a file',
      who: 'right `read` on the table.',
      notes: `The answer has the type of the file, and headers that keep it from running as a page of this service. With \`If-None-Match\` a file that
the client has already is answered by 304.`,
      shows: [{ path: 'file/1/f5/1/offer.txt' }],
      refuses: [['the field holds no file of this name', { path: 'file/1/f5/1/x.txt', code: 'file.not_found' }]],
    },
  ],
}
