import { readToken, signIn } from '../../store/people/tokens.ts'
import { answers, component, object, takesAttributes } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { keeping } from '../connections/session-cookie.ts'
import { attributesSent, attributesShown, pointed, readAttributes } from '../resources/resource.ts'
import { session, sessionMembers, showSession } from '../resources/session.ts'
import { readDocument } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const text = { type: 'string' } as const
const data = object({
  type: { const: session.type },
  id: text,
  attributes: attributesShown(session.members),
  links: object({ self: text }),
})

export const createSession = route({
  method: 'POST',
  path: '/api/dev/session',
  says: 'Signs a browser in: login and password for a session, which is a token in a cookie. Only pages of this service can send it.',
  token: 'none',
  ownPages: true,
  takes: takesAttributes(session.type, attributesSent(sessionMembers, 'Create')),
  answers: answers({ schema: object({ data, jsonapi: component('jsonapi') }) }, { status: 201 }),
  fails: ['auth.login_failed', 'auth.too_many_attempts', 'auth.cross_site'],
  query: {},

  async run(request) {
    const { store, caller, origin } = request
    const sent = readAttributes<Parameters<typeof signIn>[1]>(sessionMembers, readDocument(request, { type: session.type, creating: true }))
    const { id, token } = await pointed(sessionMembers, () => signIn(store, { ...sent, isSession: true }, caller.address, caller.client))
    return one(showSession(request, await readToken(store, id)), { status: 201, headers: { 'Set-Cookie': keeping(token, origin) } })
  },
})
