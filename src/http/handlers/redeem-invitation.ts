import { redeem } from '../../store/people/invitations.ts'
import { showsMeta, takesAttributes } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { readDocument } from '../routing/readers.ts'
import { redemptionMembers } from '../resources/invitation.ts'
import { attributesSent, pointed, readAttributes } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const redeemInvitation = route({
  method: 'POST',
  path: '/api/dev/invitation/redeem',
  says: 'Sets the password of an invited user. The code works once; the answer tells the login.',
  token: 'none',
  takes: takesAttributes('invitation', attributesSent(redemptionMembers, 'Create')),
  answers: showsMeta({ login: { type: 'string' } }),
  fails: ['auth.invitation_invalid', 'auth.too_many_attempts'],
  query: {},

  async run(request) {
    const { store, caller } = request
    const sent = readDocument(request, { type: 'invitation', creating: true })
    const { code, password } = readAttributes<{ code: string; password: string }>(redemptionMembers, sent)
    return done(await pointed(redemptionMembers, () => redeem(store, code, password, caller.address, caller.client)))
  },
})
