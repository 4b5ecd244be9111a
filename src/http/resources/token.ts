import { tokens, type Token } from '../../store/people/token-rows.ts'
import { mayRenew, mayRevoke, renewToken, revokeToken } from '../../store/people/tokens.ts'
import { integer, optionalIds, string } from './forms.ts'
import { defineResource, type Member } from './resource.ts'

const name: Member = { of: 'title', form: string }
const lifetime: Member = { of: 'lifetime', form: integer, secret: true }

/** The caller's own tokens. The text of a token is shown once, in the answer that creates it. */
export const token = defineResource<Token, { readonly lifetime?: number }>({
  type: 'token',
  token: 'any',
  plural: 'your access tokens',
  relation: tokens,
  members: {
    name,
    user_id: { of: 'userId', form: integer, set: 'never' },
    scope: { of: 'scope', form: string, set: 'never' },
    tables: { of: 'tables', form: optionalIds, set: 'never' },
    created: { of: 'created', form: string, set: 'never' },
    expires_at: { of: 'expires', form: string, set: 'never' },
    last_used: { of: 'lastUsed', form: string, set: 'never' },
    lifetime,
  },
  update: { allow: mayRenew, run: renewToken },
  remove: { allow: mayRevoke, run: revokeToken },
})

/** The attributes that a sign-in sends (DECISIONS A5). */
export const signInMembers: Readonly<Record<string, Member>> = {
  login: { of: 'login', form: string, required: true },
  password: { of: 'password', form: string, required: true },
  name,
  lifetime,
  scope: { of: 'scope', form: string },
  tables: { of: 'tables', form: optionalIds },
}
