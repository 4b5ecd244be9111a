import { invitations, withdrawInvitation, type Invitation } from '../../store/people/invitations.ts'
import { integer, string } from './forms.ts'
import { administrators, defineResource, type Member } from './resource.ts'

/** A code with which a user chooses a password. It is shown once, in the answer that creates it. */
export const invitation = defineResource<Invitation>({
  type: 'invitation',
  token: 'unlimited',
  plural: 'the open invitations',
  relation: invitations,
  members: {
    user_id: { of: 'userId', form: integer, required: true, set: 'once', says: 'The invited user.' },
    created: { of: 'created', form: string, set: 'never', says: 'Time of its creation.' },
    expires_at: { of: 'expires', form: string, set: 'never', says: 'Time of its expiry.' },
    lifetime: { of: 'lifetime', form: integer, set: 'once', secret: true, says: 'Seconds for which it is valid; default: three days.' },
  },
  remove: administrators('withdraw invitations', withdrawInvitation),
})

export const redemptionMembers: Readonly<Record<string, Member>> = {
  code: { of: 'code', form: string, required: true, says: 'The code of the invitation.' },
  password: { of: 'password', form: string, required: true, secret: true, says: 'The new password: at least 8 characters.' },
}
