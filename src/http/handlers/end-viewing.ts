import { endViewing as end, mayView } from '../../store/people/viewing.ts'
import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { mustBeSession } from '../resources/session.ts'
import { route } from '../routing/route.ts'

export const endViewing = route({
  method: 'DELETE',
  path: '/api/dev/session/view',
  says: 'Gives an administrator who sees what others see their own rights back.',
  token: 'any',
  whileViewing: true,
  allow({ caller }) {
    mustBeSession(caller)
    mayView(caller)
  },
  takes: null,
  answers: showsMeta(),
  fails: ['resource.not_found'],
  query: {},

  async run({ store, caller }) {
    mustBeSession(caller)
    await end(store, caller)
    return done()
  },
})
