import { readToken, signIn } from '../../store/people/tokens.ts'
import { one } from '../answers/jsonapi.ts'
import { readDocument } from '../routing/readers.ts'
import { pointed, readAttributes, toResource } from '../resources/resource.ts'
import { signInMembers, token } from '../resources/token.ts'
import { route } from '../routing/route.ts'

export const createToken = route({
  method: 'POST',
  path: '/api/dev/token',
  says: 'Signs in: login and password for an access token. Only this answer shows its text.',
  token: 'none',
  query: {},

  async run(request) {
    const { store, caller } = request
    const sent = readAttributes<Parameters<typeof signIn>[1]>(signInMembers, readDocument(request, { type: 'token', creating: true }))
    const issued = await pointed(signInMembers, () => signIn(store, sent, caller.address, caller.client))
    const made = toResource(token, request, await readToken(store, issued.id))
    return one({ ...made, attributes: { token: issued.token, ...made.attributes } }, { status: 201 })
  },
})
