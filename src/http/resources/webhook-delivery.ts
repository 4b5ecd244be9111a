import { deliveries, type Delivery } from '../../store/webhooks/deliveries.ts'
import { asIs, integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const webhookDelivery = defineResource<Delivery>({
  type: 'webhook_delivery',
  token: 'unlimited',
  plural: 'the deliveries of webhooks',
  relation: deliveries,
  members: {
    webhook_id: { of: 'webhookId', form: integer, set: 'never', says: 'The webhook.' },
    change_id: { of: 'changeId', form: integer, set: 'never', says: 'The change that is sent; 0: a test, or changes that have expired.' },
    table_id: { of: 'tableId', form: integer, set: 'never', says: 'The table of the record.' },
    record_id: { of: 'recordId', form: integer, set: 'never', says: 'The record.' },
    state: {
      of: 'state',
      form: string,
      set: 'never',
      says: '`waiting` for an attempt; `delivered`; `parked`: not tried any more; `withheld`: not sent, since the user of the webhook may not read the change any more, or it was erased, or for the reason in `fault`; `expired`: stands for changes that were erased because of their age before they were sent.',
    },
    status: { of: 'status', form: integer, set: 'never', says: 'Status of the last answer; 0: there was none.' },
    fault: {
      of: 'fault',
      form: string,
      set: 'never',
      says: 'Why the last attempt had no answer: `invalid_address`, `no_address` (the host is not known or not allowed), `connection_failed`, `tls_failed`, `timed_out`, `invalid_answer`; or why it is withheld: `filter_too_slow` (the filter takes too long for the texts of the record). Empty: it had one.',
    },
    made_at: { of: 'madeAt', form: string, set: 'never', says: 'When the change was put into the queue.' },
    attempted_at: { of: 'attemptedAt', form: string, set: 'never', says: 'Time of the last attempt.' },
    next_at: { of: 'nextAt', form: string, set: 'never', says: 'Time of the next attempt.' },
    attempts: { of: 'attempts', form: asIs, set: 'never', says: 'All attempts, the last 100 of them: `made_at`, `status`, `fault`.' },
  },
})
