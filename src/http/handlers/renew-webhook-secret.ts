import { seeRow } from '../../store/ground/relation.ts'
import { mayWrite, renewSecret } from '../../store/webhooks/webhooks.ts'
import { showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { mustAllow, mustExist, toResource } from '../resources/resource.ts'
import { webhook } from '../resources/webhook.ts'
import { route } from '../routing/route.ts'

export const renewWebhookSecret = route({
  method: 'POST',
  path: '/api/dev/webhook/{id}/secret',
  says: 'Makes a new secret for a webhook. Only this answer shows it. Requests are signed with the former one too for a day.',
  token: 'unlimited',
  allow: (asked) => mustAllow(webhook, { allow: mayWrite }, asked),
  takes: null,
  answers: showsOne('webhook', { once: { secret: { type: 'string' } } }),
  query: {},

  async run(request) {
    const { store, caller, params } = request
    const { secret } = await renewSecret(store, caller, params.id)
    const now = toResource(webhook, request, mustExist(webhook, params.id, await seeRow(store, webhook.relation, caller, params.id)))
    return one({ ...now, attributes: { secret, ...now.attributes } })
  },
})
