import type { Page } from '../play.ts'

const document = (attributes: object) => ({ data: { type: 'invitation', attributes } })

export const invitations: Page = {
  file: 'invitations',
  title: 'Invitations',
  says: `An invitation is a code with which a user chooses a first or new password. It works once. So administrators do not know the passwords of other
users.`,
  attributesOf: 'invitation',
  endpoints: [
    {
      route: 'POST /api/dev/invitation',
      title: 'Invite a user',
      who: 'administrators.',
      notes: 'Only this answer shows the code. A new invitation of the same user ends the earlier one.',
      shows: [{ path: 'invitation', body: document({ user_id: 4 }), keeps: 'CODE' }],
      refuses: [['there is no such user', { path: 'invitation', body: document({ user_id: 99 }), code: 'field.invalid_value' }]],
    },
    {
      route: 'GET /api/dev/invitation',
      title: 'List invitations',
      who: 'administrators.',
      shows: [{ path: 'invitation' }],
    },
    {
      route: 'GET /api/dev/invitation/{id}',
      title: 'Read an invitation',
      who: 'administrators.',
      shows: [{ path: 'invitation/1' }],
    },
    {
      route: 'POST /api/dev/invitation/redeem',
      title: 'Choose a password with an invitation',
      who: 'everybody who has the code.',
      shows: [{ by: null, path: 'invitation/redeem', body: document({ code: '<CODE>', password: 'nine yellow tricycles' }) }],
      refuses: [
        [
          'the code is unknown, used or expired',
          {
            by: null,
            path: 'invitation/redeem',
            body: document({ code: 'x', password: 'nine yellow tricycles' }),
            code: 'auth.invitation_invalid',
          },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/invitation/{id}',
      title: 'Withdraw an invitation',
      who: 'administrators.',
      before: [{ path: 'invitation', body: document({ user_id: 2 }) }],
      shows: [{ path: 'invitation/2' }],
    },
  ],
}
