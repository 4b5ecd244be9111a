import { tokens, type Token } from '../../store/people/token-rows.ts'
import { mayRenew, mayRevoke, renewToken, revokeToken } from '../../store/people/tokens.ts'
import { boolean, integer, optionalIds, string } from './forms.ts'
import { defineResource, type Member } from './resource.ts'

const name: Member = { of: 'title', form: string, says: 'A name for the token, such as its purpose.' }
const lifetime: Member = {
  of: 'lifetime',
  form: integer,
  secret: true,
  says: 'Seconds until it expires, up to `KARTOTEKA_TOKEN_LIFETIME_MAX`.',
}

/** The caller's own tokens; administrators see and revoke those of all. The text of a token is shown once, in the answer that creates it. */
export const token = defineResource<Token, { readonly lifetime?: number }>({
  type: 'token',
  token: 'any',
  plural: 'your access tokens',
  relation: tokens,
  members: {
    name,
    user_id: { of: 'userId', form: integer, set: 'never', says: 'Its user.' },
    scope: { of: 'scope', form: string, set: 'never', says: '`write` or `read`. Set when signing in.' },
    tables: { of: 'tables', form: optionalIds, set: 'never', says: 'The tables to which it is limited; null: all. Set when signing in.' },
    created: { of: 'created', form: string, set: 'never', says: 'Time of its creation.' },
    expires_at: { of: 'expires', form: string, set: 'never', says: 'Time of its expiry; `0000-00-00 00:00:00`: never.' },
    last_used: { of: 'lastUsed', form: string, set: 'never', says: 'Time of its last use, to the minute.' },
    session: { of: 'isSession', form: boolean, set: 'never', says: 'Whether it is the [session](sessions.md) of a browser.' },
    lifetime,
  },
  update: { allow: mayRenew, run: renewToken },
  remove: { allow: mayRevoke, run: revokeToken },
})

/** The attributes that a sign-in sends (DECISIONS A5). */
export const signInMembers: Readonly<Record<string, Member>> = {
  login: { of: 'login', form: string, required: true, says: 'The name to sign in with.' },
  password: { of: 'password', form: string, required: true, secret: true, says: 'The password of the user.' },
  name,
  lifetime,
  scope: { of: 'scope', form: string, says: '`write` or `read`. Default: `write`.' },
  tables: { of: 'tables', form: optionalIds, says: 'Ids of the tables to which it is limited; null: all. Default: all.' },
}
