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
the client has already is answered by 304. \`Range\` with one range is answered by 206 with these bytes, several ranges by the whole file; \`If-Range\` takes the
\`ETag\`. With \`thumbnail\` the answer is a small image of the file, a JPEG or PNG with a tag of its own.`,
      shows: [{ path: 'file/1/f5/1/offer.txt' }, { says: 'A part of it:', path: 'file/1/f5/1/offer.txt', headers: { Range: 'bytes=0-2' } }],
      refuses: [
        ['the field holds no file of this name', { path: 'file/1/f5/1/x.txt', code: 'file.not_found' }],
        [
          'no byte of the file is in the range',
          { path: 'file/1/f5/1/offer.txt', headers: { Range: 'bytes=1000-' }, code: 'file.range_not_satisfiable' },
        ],
        ['the file is no image', { path: 'file/1/f5/1/offer.txt?thumbnail=64', code: 'thumbnail.impossible' }],
        [
          'the link has expired, or was made for another file',
          { path: 'file/1/f5/1/offer.txt?link=x', code: 'auth.link_invalid', by: null },
        ],
        [
          '`If-Match` does not name the `ETag` of the file',
          { path: 'file/1/f5/1/offer.txt', headers: { 'If-Match': '"x"' }, code: 'file.changed' },
        ],
      ],
    },
    {
      route: 'POST /api/dev/file/{table}/{field:text}/{record}/{name:text}/link',
      title: 'Make a link to a file',
      who: 'right `read` on the table; a token with the scope `read` is enough.',
      notes: `The link reads this file, and nothing else, without a token. It is valid for \`lifetime\` seconds (default 300, at most
\`KARTOTEKA_LINK_LIFETIME_MAX\`), and has the rights that the token by which it was made has at the moment of use: it ends with the token, when the user is
archived, and when they may not read the file any more.`,
      shows: [{ path: 'file/1/f5/1/offer.txt/link' }],
      refuses: [
        ['the field holds no file of this name', { path: 'file/1/f5/1/x.txt/link', code: 'file.not_found' }],
        ['the lifetime is too long', { path: 'file/1/f5/1/offer.txt/link?lifetime=999999', code: 'parameter.invalid' }],
      ],
    },
    {
      route: 'PUT /api/dev/file/{table}/{field:text}/{record}/{name:text}',
      title: 'Upload a file',
      who: 'rights `update` and `read` on the table, and the field must be writable.',
      notes: `The body is the bytes of the file, whatever its \`Content-Type\`; the type of the file follows from its name. The file of this name is replaced (200),
or a file is added (201). The bytes are stored as they arrive. An upload that breaks off changes nothing. \`If-Match\` takes the \`ETag\` of the file or of the
record; \`If-None-Match: *\` refuses to replace a file. A body larger than \`KARTOTEKA_UPLOAD_LIMIT\`, or than the field allows, is 413.`,
      shows: [{ path: 'file/1/f5/1/notes.txt', body: 'Called on Monday.', headers: { 'Content-Type': 'text/plain' } }],
      refuses: [
        [
          'a file is there, and `If-None-Match` is `*`',
          { path: 'file/1/f5/1/notes.txt', body: 'x', headers: { 'If-None-Match': '*' }, code: 'file.changed' },
        ],
        ['the name cannot be one of a file', { path: 'file/1/f5/1/a%5Cb', body: 'x', code: 'field.invalid_value' }],
        ['there is no file field of this name', { path: 'file/1/f1/1/a.txt', body: 'x', code: 'file.field_not_found' }],
        ['there is no such record', { path: 'file/1/f5/99/a.txt', body: 'x', code: 'record.not_found' }],
      ],
    },
  ],
}
