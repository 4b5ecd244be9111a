import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'webhook', ...(id !== undefined && { id }), attributes } })
const url = 'https://hooks.example.com/deals'

export const webhooks: Page = {
  file: 'webhooks',
  title: 'Webhooks',
  says: `A webhook sends changes to a program of yours, as requests. [Webhooks](../webhooks.md) says what is sent, how a receiver checks it, and what happens when it
does not answer.`,
  attributesOf: 'webhook',
  endpoints: [
    {
      route: 'POST /api/dev/webhook',
      title: 'Create a webhook',
      who: 'everybody, for what they may read. The token must not be limited to some tables.',
      notes: 'Only this answer shows the secret. Changes that are committed from then on are sent.',
      shows: [{ path: 'webhook', body: document({ url, table_id: 1, actions: ['create', 'update'] }) }],
      refuses: [
        [
          'the address cannot be one of a webhook',
          { path: 'webhook', body: document({ url: 'https://hooks.example.com:25/' }), code: 'field.invalid_value' },
        ],
        [
          'the filter does not fit the table',
          { path: 'webhook', body: document({ url, table_id: 1, filter: 'eq(x,1)' }), code: 'field.invalid_value' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/webhook',
      title: 'List webhooks',
      who: 'everybody: their own; administrators: all.',
      shows: [{ path: 'webhook' }],
    },
    {
      route: 'GET /api/dev/webhook/{id}',
      title: 'Read a webhook',
      who: 'the user who made it, and administrators.',
      shows: [{ path: 'webhook/1' }],
      refuses: [['there is none, or none for the caller', { path: 'webhook/99', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/webhook/{id}',
      title: 'Change a webhook',
      who: 'the user who made it, and administrators. It keeps the rights of the user who made it.',
      shows: [{ path: 'webhook/1', body: document({ active: false }, '1') }],
      refuses: [
        ['the attribute is set by the service', { path: 'webhook/1', body: document({ user_id: 2 }, '1'), code: 'attribute.read_only' }],
      ],
    },
    {
      route: 'POST /api/dev/webhook/{id}/secret',
      title: 'Make a new secret',
      who: 'the user who made it, and administrators.',
      notes:
        'Only this answer shows it. For a day, requests have a signature by the former secret too, so that the receiver can be changed meanwhile.',
      shows: [{ path: 'webhook/1/secret' }],
    },
    {
      route: 'POST /api/dev/webhook/{id}/test',
      title: 'Test a webhook',
      who: 'the user who made it, and administrators.',
      notes: 'Sends a document with the action `test`. The answer is its delivery; read it again to see what came of it.',
      shows: [{ path: 'webhook/1/test' }],
    },
    {
      route: 'DELETE /api/dev/webhook/{id}',
      title: 'Delete a webhook',
      who: 'the user who made it, and administrators.',
      notes: 'Its deliveries are deleted with it.',
      before: [{ path: 'webhook', method: 'POST', body: document({ url }) }],
      shows: [{ path: 'webhook/2' }],
    },
  ],
}
