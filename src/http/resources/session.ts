import { fail } from '../../errors.ts'
import type { Caller } from '../../store/model/access.ts'
import { tokens, type Token } from '../../store/people/token-rows.ts'
import { resource, type ResourceObject } from '../answers/jsonapi.ts'
import type { Incoming } from '../routing/route.ts'
import { integer, string } from './forms.ts'
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

/** Whom an administrator wants to view: one of both. */
export const viewedMembers: Readonly<Record<string, Member>> = {
  user_id: { of: 'userId', form: integer, says: 'The user whose rights the session gets.' },
  group_id: { of: 'groupId', form: integer, says: 'The group whose rights it gets: those of a member to whom nothing belongs.' },
}

/** @throws `resource.not_found` for a token that is none */
export function mustBeSession({ isSession, tokenId }: Caller): void {
  if (!isSession) throw fail('resource.not_found', { type: 'session', id: tokenId })
}
