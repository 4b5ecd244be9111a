import { deliveries, type Delivery } from '../../store/webhooks/deliveries.ts'
import { asIs, integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const webhookDelivery = defineResource<Delivery>({
  type: 'webhook_delivery',
  token: 'unlimited',
  plural: 'the deliveries of webhooks',
  relation: deliveries,
  members: {
    webhook_id: { of: 'webhookId', form: integer, set: 'never' },
    change_id: { of: 'changeId', form: integer, set: 'never' },
    table_id: { of: 'tableId', form: integer, set: 'never' },
    record_id: { of: 'recordId', form: integer, set: 'never' },
    state: { of: 'state', form: string, set: 'never' },
    status: { of: 'status', form: integer, set: 'never' },
    fault: { of: 'fault', form: string, set: 'never' },
    made_at: { of: 'madeAt', form: string, set: 'never' },
    attempted_at: { of: 'attemptedAt', form: string, set: 'never' },
    next_at: { of: 'nextAt', form: string, set: 'never' },
    attempts: { of: 'attempts', form: asIs, set: 'never' },
  },
})
