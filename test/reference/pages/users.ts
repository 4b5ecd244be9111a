import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'user', ...(id && { id }), attributes } })

export const users: Page = {
  file: 'users',
  title: 'Users',
  says: `People and programs that sign in. Administrators and managers see all users; other users see only themselves. Users are not deleted but archived,
so that records keep their authors.`,
  attributesOf: 'user',
  endpoints: [
    {
      route: 'POST /api/dev/user',
      title: 'Create a user',
      who: 'administrators.',
      shows: [
        {
          path: 'user',
          body: document({ fio: 'Anna Berg', e_mail: 'anna@example.com', login: 'anna', group_id: 4, password: 'seven green bicycles' }),
        },
      ],
      refuses: [
        ['the login is taken', { path: 'user', body: document({ login: 'Anna' }), code: 'user.login_taken' }],
        ['the password is too short', { path: 'user', body: document({ login: 'boris', password: 'short' }), code: 'field.invalid_value' }],
        ['there is no such group', { path: 'user', body: document({ login: 'boris', group_id: 99 }), code: 'field.invalid_value' }],
      ],
    },
    {
      route: 'GET /api/dev/user',
      title: 'List users',
      who: 'everybody themselves; administrators and managers: all users.',
      before: [
        { path: 'user', body: document({ fio: 'Boris Lang', login: 'boris', group_id: 4 }) },
        { path: 'user', body: document({ fio: 'Old Account', login: 'old' }) },
      ],
      shows: [{ path: 'user?filter=eq(group_id,4)&sort=fio' }],
    },
    {
      route: 'GET /api/dev/user/{id}',
      title: 'Read a user',
      who: 'everybody themselves; administrators and managers: all users.',
      shows: [{ path: 'user/3' }],
      refuses: [['there is none, or none for the caller', { path: 'user/99', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/user/{id}',
      title: 'Change a user',
      who: 'administrators; everybody their own `fio`, `e_mail` and `password`.',
      notes: 'A new password ends all other sign-ins of the user. A new group takes effect with the next request.',
      shows: [{ path: 'user/3', body: document({ e_mail: 'anna.berg@example.com' }, '3') }],
      refuses: [
        ['the last administrator is archived', { path: 'user/1', body: document({ arc: 1 }, '1'), code: 'user.last_administrator' }],
        [
          'somebody changes their password without the present one',
          { path: 'user/1', body: document({ password: 'eight green bicycles' }, '1'), code: 'user.wrong_password' },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/user/{id}',
      title: 'Archive a user',
      who: 'administrators.',
      notes: 'The same as setting `arc` to 1. Set `arc` to 0 to undo it.',
      shows: [{ path: 'user/5' }],
    },
  ],
}
