import { tokens, type Token } from '../../store/people/token-rows.ts'
import { resource, type ResourceObject } from '../answers/jsonapi.ts'
import type { Incoming } from '../routing/route.ts'
import { string } from './forms.ts'
import { defineResource, shown, type Member } from './resource.ts'
import { signInMembers, token } from './token.ts'

/** The session of a browser: a token whose text is in a cookie. It is listed and revoked as one. */
export const session = defineResource<Token>({
  type: 'session',
  token: 'any',
  plural: 'your sessions',
  relation: tokens,
  members: Object.fromEntries(['name', 'user_id', 'created', 'expires_at'].map((name) => [name, token.members[name]!])),
})

export const showSession = (request: Pick<Incoming, 'store' | 'caller'>, row: Token): ResourceObject => ({
  ...resource(session.type, row.id, shown(session, request, row)),
  links: { self: `/api/dev/${token.type}/${row.id}` },
})

/** The attributes that the sign-in of a browser sends. */
export const sessionMembers: Readonly<Record<string, Member>> = {
  login: signInMembers['login']!,
  password: signInMembers['password']!,
  name: { of: 'title', form: string, says: 'A name for the session, such as that of the device.' },
}
