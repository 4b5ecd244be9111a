import { beginViewing as begin, mayView } from '../../store/people/viewing.ts'
import { showsMeta, takesAttributes } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { attributesSent, pointed, readAttributes } from '../resources/resource.ts'
import { mustBeSession, session, viewedMembers } from '../resources/session.ts'
import { readDocument } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const beginViewing = route({
  method: 'POST',
  path: '/api/dev/session/view',
  says: 'Shows an administrator what a user, or a member of a group, sees: the session has their rights, to read, until `DELETE`.',
  token: 'any',
  allow({ caller }) {
    mustBeSession(caller)
    mayView(caller)
  },
  takes: takesAttributes(session.type, attributesSent(viewedMembers, 'Create')),
  answers: showsMeta(),
  fails: ['resource.not_found'],
  query: {},

  async run(request) {
    const { store, caller } = request
    mustBeSession(caller)
    const sent = readAttributes<{ userId?: number; groupId?: number }>(
      viewedMembers,
      readDocument(request, { type: session.type, creating: true }),
    )
    await pointed(viewedMembers, () => begin(store, caller, sent))
    return done()
  },
})
