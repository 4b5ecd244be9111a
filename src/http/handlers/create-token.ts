import { readToken, signIn } from '../../store/people/tokens.ts'
import { showsOne, takesAttributes } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { readDocument } from '../routing/readers.ts'
import { attributesSent, pointed, readAttributes, toResource } from '../resources/resource.ts'
import { signInMembers, token } from '../resources/token.ts'
import { route } from '../routing/route.ts'

export const createToken = route({
  method: 'POST',
  path: '/api/dev/token',
  says: 'Signs in: login and password for an access token. Only this answer shows its text.',
  token: 'none',
  takes: takesAttributes('token', attributesSent(signInMembers, 'Create')),
  answers: showsOne('token', { status: 201, once: { token: { type: 'string' } } }),
  fails: ['auth.login_failed', 'auth.too_many_attempts'],
  query: {},

  async run(request) {
    const { store, caller } = request
    const sent = readAttributes<Parameters<typeof signIn>[1]>(signInMembers, readDocument(request, { type: 'token', creating: true }))
    const issued = await pointed(signInMembers, () => signIn(store, sent, caller.address, caller.client))
    const made = toResource(token, request, await readToken(store, issued.id))
    return one({ ...made, attributes: { token: issued.token, ...made.attributes } }, { status: 201 })
  },
})
