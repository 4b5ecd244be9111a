import { deleteWebhook, mayWrite, updateWebhook } from '../../store/webhooks/webhooks.ts'
import { webhooks, type Webhook } from '../../store/people/webhook-rows.ts'
import { boolean, integer, string, strings } from './forms.ts'
import { defineResource } from './resource.ts'

/** The secret is shown once, in the answer that makes it. */
export const webhook = defineResource<Webhook>({
  type: 'webhook',
  token: 'unlimited',
  plural: 'the webhooks',
  relation: webhooks,
  members: {
    url: { of: 'url', form: string, required: true, says: 'Address of the receiver.' },
    table_id: {
      of: 'tableId',
      form: integer,
      says: 'Changes of this table; 0: of all tables, and for administrators of structure, rights and users. Default: 0.',
    },
    actions: { of: 'actions', form: strings, says: 'Only these actions of changes; none: all.' },
    filter: {
      of: 'filter',
      form: string,
      says: 'Only changes of records that meet the filter before or after the change; with `table_id`.',
    },
    active: {
      of: 'active',
      form: boolean,
      says: 'Whether it sends. What changes while it does not is sent when it does again, if it is still in the log.',
    },
    user_id: { of: 'userId', form: integer, set: 'never', says: 'The user who made it. It is sent what they may read.' },
    made_at: { of: 'madeAt', form: string, set: 'never', says: 'Time of its creation.' },
    fault: {
      of: 'fault',
      form: string,
      set: 'never',
      says: 'Why it sends nothing: `gone` (the receiver answered 410), `restored` (a copy from a backup), or the code of what is wrong with its filter. Empty: nothing is wrong.',
    },
  },
  update: { allow: mayWrite, run: updateWebhook },
  remove: { allow: mayWrite, run: deleteWebhook },
})
