import { deleteWebhook, mayWrite, updateWebhook, webhooks, type Webhook } from '../../store/webhooks/webhooks.ts'
import { boolean, integer, string, strings } from './forms.ts'
import { defineResource } from './resource.ts'

/** The secret is shown once, in the answer that makes it. */
export const webhook = defineResource<Webhook>({
  type: 'webhook',
  token: 'unlimited',
  plural: 'the webhooks',
  relation: webhooks,
  members: {
    url: { of: 'url', form: string, required: true },
    table_id: { of: 'tableId', form: integer },
    actions: { of: 'actions', form: strings },
    filter: { of: 'filter', form: string },
    active: { of: 'active', form: boolean },
    user_id: { of: 'userId', form: integer, set: 'never' },
    made_at: { of: 'madeAt', form: string, set: 'never' },
    fault: { of: 'fault', form: string, set: 'never' },
  },
  update: { allow: mayWrite, run: updateWebhook },
  remove: { allow: mayWrite, run: deleteWebhook },
})
