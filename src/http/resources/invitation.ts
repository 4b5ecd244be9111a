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
    user_id: { of: 'userId', form: integer, required: true, set: 'once' },
    created: { of: 'created', form: string, set: 'never' },
    expires_at: { of: 'expires', form: string, set: 'never' },
    lifetime: { of: 'lifetime', form: integer, set: 'once', secret: true },
  },
  remove: administrators('withdraw invitations', withdrawInvitation),
})

export const redemptionMembers: Readonly<Record<string, Member>> = {
  code: { of: 'code', form: string, required: true },
  password: { of: 'password', form: string, required: true },
}
