import { seeRow } from '../../store/ground/relation.ts'
import { sendTest } from '../../store/webhooks/deliveries.ts'
import { mayWrite } from '../../store/webhooks/webhooks.ts'
import { showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { mustAllow, mustExist, toResource } from '../resources/resource.ts'
import { webhook } from '../resources/webhook.ts'
import { webhookDelivery } from '../resources/webhook-delivery.ts'
import { route } from '../routing/route.ts'

export const testWebhook = route({
  method: 'POST',
  path: '/api/dev/webhook/{id}/test',
  says: 'Sends a webhook a document that is no change. The answer is its delivery, which shows what comes of it.',
  token: 'unlimited',
  allow: (asked) => mustAllow(webhook, { allow: mayWrite }, asked),
  takes: null,
  answers: showsOne('webhook_delivery', { status: 201 }),
  query: {},

  async run(request) {
    const { store, caller, params } = request
    const id = await sendTest(store, caller, params.id)
    const row = mustExist(webhookDelivery, id, await seeRow(store, webhookDelivery.relation, caller, id))
    return one(toResource(webhookDelivery, request, row), { status: 201 })
  },
})
