import { selfOf } from '../../store/model/access.ts'
import { revokeToken } from '../../store/people/tokens.ts'
import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { removing } from '../connections/session-cookie.ts'
import { mustBeSession } from '../resources/session.ts'
import { route } from '../routing/route.ts'

export const deleteSession = route({
  method: 'DELETE',
  path: '/api/dev/session',
  says: 'Signs a browser out: ends the session that the request was sent with.',
  token: 'any',
  whileViewing: true,
  allow: ({ caller }) => mustBeSession(caller),
  takes: null,
  answers: showsMeta(),
  fails: ['resource.not_found'],
  query: {},

  async run({ store, caller, origin }) {
    mustBeSession(caller)
    await revokeToken(store, selfOf(caller), caller.tokenId)
    return { ...done(), headers: { 'Set-Cookie': removing(origin) } }
  },
})
