import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'user', ...(id && { id }), attributes } })

export const users: Page = {
  file: 'users',
  title: 'Users',
  says: `People and programs that sign in. Administrators and managers see all of them, everybody else themselves. Users are never deleted but archived,
so that records keep their authors.`,
  attributes: {
    type: 'user',
    means: {
      fio: 'Full name.',
      e_mail: 'E-mail address; may be empty.',
      login: 'The name to sign in with; no two users have the same.',
      group_id: 'The [group](groups.md). Default: 3, clients.',
      arc: '1: archived. An archived user cannot sign in, and their tokens are gone.',
      password: 'At least 8 characters. A user without one is [invited](invitations.md).',
      old_password: 'The present password; needed by whoever changes their own.',
    },
  },
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
      who: 'administrators and managers all; others themselves.',
      before: [
        { path: 'user', body: document({ fio: 'Boris Lang', login: 'boris', group_id: 4 }) },
        { path: 'user', body: document({ fio: 'Old Account', login: 'old' }) },
      ],
      shows: [{ path: 'user?filter=eq(group_id,4)&sort=fio' }],
    },
    {
      route: 'GET /api/dev/user/{id}',
      title: 'Read a user',
      who: 'administrators and managers; everybody themselves.',
      shows: [{ path: 'user/3' }],
      refuses: [['there is none, or none for the caller', { path: 'user/99', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/user/{id}',
      title: 'Change a user',
      who: 'administrators; everybody their own `fio`, `e_mail` and `password`.',
      notes: 'A new password ends all sign-ins of the user but the present one. Another group counts from the next request on.',
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
      notes: 'The same as `arc` 1; `arc` 0 takes it back.',
      shows: [{ path: 'user/5' }],
    },
  ],
}
