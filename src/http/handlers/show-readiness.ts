import { asJson } from '../answers/plain.ts'
import { readinessOf } from '../resources/readiness.ts'
import { probe } from '../routing/probe.ts'

export const showReadiness = probe({
  path: '/readyz',
  says: 'Says whether requests should be sent to this process: 503 with a reason while it starts or stops, or its store cannot be used.',
  token: 'none',

  async run(request) {
    const reason = await readinessOf(request)
    return reason === undefined ? asJson(200, { status: 'ok' }) : asJson(503, { status: 'unavailable', ...reason })
  },
})
