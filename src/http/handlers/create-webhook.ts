import { seeRow } from '../../store/ground/relation.ts'
import { writer } from '../../store/catalogue/administrator.ts'
import { createWebhook } from '../../store/webhooks/webhooks.ts'
import type { Webhook } from '../../store/people/webhook-rows.ts'
import { showsOne, takesOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { mustExist, pointed, readAttributes, toResource } from '../resources/resource.ts'
import { webhook } from '../resources/webhook.ts'
import { readDocument } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const createWebhookRoute = route({
  method: 'POST',
  path: '/api/dev/webhook',
  says: 'Creates a webhook, with the rights of the caller. Only this answer shows its secret.',
  token: 'unlimited',
  allow: ({ caller }) => writer(caller, 'create webhooks'),
  takes: takesOne('webhook', 'Create'),
  answers: showsOne('webhook', { status: 201, once: { secret: { type: 'string' } } }),
  query: {},

  async run(request) {
    const { store, caller } = request
    const { members, relation } = webhook
    const sent = readAttributes<Partial<Webhook>>(members, readDocument(request, { type: 'webhook', creating: true }))
    const { id, secret } = await pointed(members, () => createWebhook(store, caller, sent))
    const made = toResource(webhook, request, mustExist(webhook, id, await seeRow(store, relation, caller, id)))
    return one({ ...made, attributes: { secret, ...made.attributes } }, { status: 201 })
  },
})
