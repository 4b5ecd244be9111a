import type { Page } from '../play.ts'

export const webhookDeliveries: Page = {
  file: 'webhook-deliveries',
  title: 'Deliveries of webhooks',
  says: `What a [webhook](webhooks.md) was sent, or will be: one delivery for each change, with all attempts. Deliveries are kept for
\`KARTOTEKA_DELIVERY_DAYS\` (30).`,
  attributes: {
    type: 'webhook_delivery',
    means: {
      webhook_id: 'The webhook.',
      change_id: 'The change that is sent; 0: a test, or changes that have expired.',
      table_id: 'The table of the record.',
      record_id: 'The record.',
      state:
        '`waiting` for an attempt; `delivered`; `parked`: not tried any more; `withheld`: not sent, since the user of the webhook may not read the change any more, or it was erased, or for the reason in `fault`; `expired`: stands for changes that were erased because of their age before they were sent.',
      status: 'Status of the last answer; 0: there was none.',
      fault:
        'Why the last attempt had no answer: `invalid_address`, `no_address` (the host is not known or not allowed), `connection_failed`, `tls_failed`, `timed_out`, `invalid_answer`; or why it is withheld: `filter_too_slow` (the filter takes too long for the texts of the record). Empty: it had one.',
      made_at: 'When the change was put into the queue.',
      attempted_at: 'Time of the last attempt.',
      next_at: 'Time of the next attempt.',
      attempts: 'All attempts, the last 100 of them: `made_at`, `status`, `fault`.',
    },
  },
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
