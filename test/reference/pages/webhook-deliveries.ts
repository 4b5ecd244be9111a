import type { Page } from '../play.ts'

export const webhookDeliveries: Page = {
  file: 'webhook-deliveries',
  title: 'Deliveries of webhooks',
  says: `What a [webhook](webhooks.md) was sent, or will be: one delivery for each change, with all attempts. Deliveries are kept for
\`KARTOTEKA_DELIVERY_DAYS\` (30).`,
  attributesOf: 'webhook_delivery',
  endpoints: [
    {
      route: 'GET /api/dev/webhook_delivery',
      title: 'List deliveries',
      who: 'everybody: of their own webhooks; administrators: all.',
      shows: [{ path: "webhook_delivery?filter=eq(state,'waiting')" }],
    },
    {
      route: 'GET /api/dev/webhook_delivery/{id}',
      title: 'Read a delivery',
      who: 'the user of the webhook, and administrators.',
      shows: [{ path: 'webhook_delivery/1' }],
    },
    {
      route: 'POST /api/dev/webhook_delivery/{id}/replay',
      title: 'Send a delivery again',
      who: 'the user of the webhook, and administrators.',
      notes:
        'It is sent with the `webhook-id` that it had, and tried for three days again. At most 500 deliveries of a webhook wait: beyond that, 409 `quota.reached`.',
      shows: [{ path: 'webhook_delivery/1/replay' }],
    },
  ],
}
