import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'setting', ...(id && { id }), attributes } })

export const settings: Page = {
  file: 'settings',
  title: 'Settings of users',
  says: `What pages and programs keep for a user: their language, a theme, any small JSON under a key. Everybody sees and changes their own alone,
administrators too, and the service itself does not read them. A user has at most 100, each with at most 8,192 bytes of JSON. Numbers of more
than 15 digits are kept as strings.`,
  attributesOf: 'setting',
  endpoints: [
    {
      route: 'POST /api/dev/setting',
      title: 'Keep a setting',
      who: 'everybody for themselves; a token that may only read, or is limited to some tables, cannot.',
      shows: [{ by: 'ANNA', path: 'setting', body: document({ key: 'page.theme', value: { dark: true, accent: '#3a7' } }) }],
      refuses: [
        ['there is one of this key', { by: 'ANNA', path: 'setting', body: document({ key: 'page.theme' }), code: 'field.not_unique' }],
        [
          'the value is too long',
          { by: 'ANNA', path: 'setting', body: document({ key: 'x', value: 'x'.repeat(8_191) }), code: 'field.invalid_value' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/setting',
      title: 'List your settings',
      who: 'everybody their own.',
      shows: [{ by: 'ANNA', path: "setting?filter=starts_with(key,'page.')" }],
    },
    {
      route: 'GET /api/dev/setting/{id}',
      title: 'Read one of your settings',
      who: 'everybody their own.',
      shows: [{ by: 'ANNA', path: 'setting/1' }],
      refuses: [["it is somebody else's, or does not exist", { path: 'setting/1', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/setting/{id}',
      title: 'Change one of your settings',
      who: 'everybody their own.',
      shows: [{ by: 'ANNA', path: 'setting/1', body: document({ value: { dark: false } }, '1') }],
    },
    {
      route: 'DELETE /api/dev/setting/{id}',
      title: 'Delete one of your settings',
      who: 'everybody their own.',
      shows: [{ by: 'ANNA', path: 'setting/1' }],
    },
  ],
}
