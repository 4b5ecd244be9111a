import type { Page } from '../play.ts'

const document = (attributes: object) => ({ data: { type: 'session', attributes } })
const own = { 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'kartoteka' }

export const sessions: Page = {
  file: 'sessions',
  title: 'Sessions of browsers',
  says: `A page of the service signs in for a session: a [token](tokens.md) in the cookie \`kartoteka_session\`, which scripts cannot read. The browser
sends it with each request by itself; a token in a header counts instead, where one is sent. A session ends after 14 days without use
(\`KARTOTEKA_TOKEN_LIFETIME_MAX\`, if that is shorter), with every change of the password, when it is revoked as a token, and by signing out.

Pages of other sites must not write with it. So each request other than GET and HEAD needs the header \`X-Requested-With: kartoteka\`, and
\`Sec-Fetch-Site: same-origin\`, or \`Origin\` where the browser does not send that: both are set by the browser itself. Else it is 403
\`auth.cross_site\`. Programs use tokens.`,
  endpoints: [
    {
      route: 'POST /api/dev/session',
      title: 'Sign a browser in',
      who: 'everybody who has a login and a password, from a page of the service.',
      notes: `The body may also hold \`name\`. The answer sets the cookie: \`HttpOnly\`, \`SameSite=Lax\`, \`Path=/\`, and \`Secure\` behind https, which the
service knows by \`KARTOTEKA_PUBLIC_URL\`, or by \`X-Forwarded-Proto\` of a [trusted proxy](../guides/proxy.md). Failed attempts
slow down further ones, together with those for tokens: 429 with \`Retry-After\`.`,
      shows: [
        { by: null, path: 'session', headers: own, body: document({ login: 'anna', password: 'seven green bicycles', name: 'Desk' }) },
      ],
      refuses: [
        [
          'login or password is wrong',
          { by: null, path: 'session', headers: own, body: document({ login: 'anna', password: 'wrong' }), code: 'auth.login_failed' },
        ],
        [
          'the request is not of a page of the service',
          { by: null, path: 'session', body: document({ login: 'anna', password: 'seven green bicycles' }), code: 'auth.cross_site' },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/session',
      title: 'Sign a browser out',
      who: 'everybody with a session.',
      notes: 'The answer removes the cookie.',
      before: [
        {
          by: null,
          path: 'session',
          headers: own,
          body: document({ login: 'anna', password: 'seven green bicycles' }),
          keepsCookie: 'SESSION',
        },
      ],
      shows: [{ by: null, path: 'session', headers: { Cookie: 'kartoteka_session=$SESSION', ...own } }],
      refuses: [['the request is sent with a token', { by: 'ANNA', path: 'session', code: 'resource.not_found' }]],
    },
    {
      route: 'POST /api/dev/session/view',
      title: 'See what others see',
      who: 'administrators with a session.',
      notes: `The body names a user (\`user_id\`) or a group (\`group_id\`). From the next request on, the session has the rights of this user, or those of a
member of the group to whom nothing belongs: the same records, fields, totals, files and events. It reads only: whatever is not a GET, a search or
the end of it is 403 \`session.viewing\`. Settings of the pages stay the administrator's own. Administrators cannot be viewed, nor whoever is archived;
whoever becomes either meanwhile shows nothing. Beginning and end are in the [audit log](audit.md), and \`GET /api/dev/me\` tells it.`,
      before: [
        { path: 'user', body: { data: { type: 'user', attributes: { login: 'vera', password: 'seven green bicycles', group_id: 1 } } } },
        {
          by: null,
          path: 'session',
          headers: own,
          body: document({ login: 'vera', password: 'seven green bicycles' }),
          keepsCookie: 'VIEWING',
        },
      ],
      shows: [
        { by: null, path: 'session/view', headers: { Cookie: 'kartoteka_session=$VIEWING', ...own }, body: document({ group_id: 3 }) },
      ],
      refuses: [
        [
          'something is changed meanwhile',
          {
            by: null,
            path: 'setting',
            headers: { Cookie: 'kartoteka_session=$VIEWING', ...own },
            body: { data: { type: 'setting', attributes: { key: 'theme', value: 'dark' } } },
            code: 'session.viewing',
          },
        ],
        ['the request is sent with a token', { path: 'session/view', body: document({ group_id: 3 }), code: 'resource.not_found' }],
      ],
    },
    {
      route: 'DELETE /api/dev/session/view',
      title: 'See one’s own again',
      who: 'administrators with a session.',
      notes: 'It succeeds also where nobody is viewed any more.',
      shows: [{ by: null, path: 'session/view', headers: { Cookie: 'kartoteka_session=$VIEWING', ...own } }],
      refuses: [['the request is sent with a token', { path: 'session/view', code: 'resource.not_found' }]],
    },
    {
      route: 'GET /api/dev/me',
      title: 'Ask who one is',
      who: 'everybody; a token that is limited to some tables cannot.',
      notes: `\`administers\` lists the types that the caller may create, change or delete as an administrator. \`token\` is the token, or the session, of the
request. \`viewed_by\`: the administrator who [sees what this user sees](#see-what-others-see), else null; a member of a group has the id 0.`,
      shows: [{ by: 'ANNA', path: 'me' }],
      refuses: [['no token is sent, and no session', { by: null, path: 'me', code: 'auth.token_missing' }]],
    },
  ],
}
