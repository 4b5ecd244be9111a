import { administrator } from '../../store/catalogue/administrator.ts'
import { invite } from '../../store/people/invitations.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { showsOne, takesOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { readDocument } from '../routing/readers.ts'
import { invitation } from '../resources/invitation.ts'
import { mustExist, pointed, readAttributes, toResource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const createInvitation = route({
  method: 'POST',
  path: '/api/dev/invitation',
  says: 'Invites a user to choose a password. Only this answer shows the code.',
  token: 'unlimited',
  allow: ({ caller }) => administrator(caller, 'invite users'),
  takes: takesOne('invitation', 'Create'),
  answers: showsOne('invitation', { status: 201, once: { code: { type: 'string' } } }),
  query: {},

  async run(request) {
    const { store, caller } = request
    const { members, relation } = invitation
    const sent = readAttributes<{ userId: number; lifetime?: number }>(
      members,
      readDocument(request, { type: 'invitation', creating: true }),
    )
    const { id, code } = await pointed(members, () => invite(store, administrator(caller, 'invite users'), sent.userId, sent.lifetime))
    const made = toResource(invitation, request, mustExist(invitation, id, await seeRow(store, relation, caller, id)))
    return one({ ...made, attributes: { code, ...made.attributes } }, { status: 201 })
  },
})
