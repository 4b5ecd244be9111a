import { seeRow } from '../../store/ground/relation.ts'
import { replay } from '../../store/webhooks/deliveries.ts'
import { mayWrite } from '../../store/webhooks/webhooks.ts'
import { showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { mustAllow, mustExist, toResource } from '../resources/resource.ts'
import { webhookDelivery } from '../resources/webhook-delivery.ts'
import { route } from '../routing/route.ts'

export const replayDelivery = route({
  method: 'POST',
  path: '/api/dev/webhook_delivery/{id}/replay',
  says: 'Sends a delivery of a webhook again.',
  token: 'unlimited',
  allow: (asked) => mustAllow(webhookDelivery, { allow: mayWrite }, asked),
  takes: null,
  answers: showsOne('webhook_delivery'),
  fails: ['webhook.nothing_to_send'],
  query: {},

  async run(request) {
    const { store, caller, params } = request
    await replay(store, caller, params.id)
    const row = mustExist(webhookDelivery, params.id, await seeRow(store, webhookDelivery.relation, caller, params.id))
    return one(toResource(webhookDelivery, request, row))
  },
})
