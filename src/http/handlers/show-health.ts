import { asJson } from '../answers/plain.ts'
import { probe } from '../routing/probe.ts'

export const showHealth = probe({
  path: '/healthz',
  says: 'Says that the process answers requests. It asks nothing of the database.',
  token: 'none',

  async run() {
    return asJson(200, { status: 'ok' })
  },
})
