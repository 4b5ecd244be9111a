import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'token', ...(id && { id }), attributes } })

export const tokens: Page = {
  file: 'tokens',
  title: 'Tokens',
  says: `A token identifies a user. Send it with every request, in the header \`X-Auth-Token\` (or \`Authorization: Bearer\`). Everybody sees and
revokes their own, administrators those of all. On the machine itself \`kartoteka token create --login anna\` makes one without a password.`,
  attributesOf: 'token',
  endpoints: [
    {
      route: 'POST /api/dev/token',
      title: 'Sign in',
      who: 'everybody who has a login and a password.',
      notes: `The body may also hold \`name\`, \`lifetime\` (seconds), \`scope\` (\`write\`, or \`read\`: the token changes nothing) and \`tables\` (an array of ids: the
token reaches only these). The text of the token is in this answer only. Failed attempts slow down further ones: 429 with \`Retry-After\`.`,
      shows: [
        {
          by: null,
          path: 'token',
          body: document({ login: 'anna', password: 'seven green bicycles', name: 'Report', scope: 'read', tables: [1] }),
          keeps: 'ANNA_READ',
        },
      ],
      refuses: [
        [
          'login or password is wrong',
          { by: null, path: 'token', body: document({ login: 'anna', password: 'wrong' }), code: 'auth.login_failed' },
        ],
        [
          'a limited token writes',
          { by: 'ANNA_READ', path: 'data1', body: { data: { type: 'data1', attributes: { f1: 'X' } } }, code: 'access.denied' },
        ],
        [
          'the lifetime is longer than allowed',
          {
            by: null,
            path: 'token',
            body: document({ login: 'anna', password: 'seven green bicycles', lifetime: 99_999_999 }),
            code: 'field.invalid_value',
          },
        ],
      ],
    },
    {
      route: 'GET /api/dev/token',
      title: 'List your tokens',
      who: 'everybody their own; administrators those of all by `ofAll=true`.',
      shows: [{ by: 'ANNA', path: 'token?fields[token]=name,scope,tables,expires_at' }],
      refuses: [['the token is unknown, expired or revoked', { by: 'nonsense', path: 'token', code: 'auth.token_invalid' }]],
    },
    {
      route: 'GET /api/dev/token/{id}',
      title: 'Read one of your tokens',
      who: 'everybody their own, administrators all.',
      shows: [{ by: 'ANNA', path: 'token/3?fields[token]=name,user_id,scope,tables,created,expires_at' }],
      refuses: [["it is somebody else's, or does not exist", { by: 'ANNA', path: 'token/1', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/token/{id}',
      title: 'Renew or rename one of your tokens',
      who: 'everybody their own, while it is valid.',
      shows: [
        { by: 'ANNA', path: 'token/3?fields[token]=name,expires_at', body: document({ lifetime: 86_400, name: 'Weekly report' }, '3') },
      ],
      refuses: [
        ['its scope is changed', { by: 'ANNA', path: 'token/3', body: document({ scope: 'write' }, '3'), code: 'attribute.read_only' }],
      ],
    },
    {
      route: 'DELETE /api/dev/token/{id}',
      title: 'Revoke one of your tokens',
      who: 'everybody their own; this is how to sign out. Administrators those of all.',
      shows: [{ by: 'ANNA', path: 'token/3' }],
    },
  ],
}
