import type { Page } from '../play.ts'

const document = (attributes: object) => ({ data: { type: 'invitation', attributes } })

export const invitations: Page = {
  file: 'invitations',
  title: 'Invitations',
  says: `An invitation lets a user choose a password, the first or a new one, with a code that works once. So administrators never know passwords of
others.`,
  attributes: {
    type: 'invitation',
    means: {
      user_id: 'Who is invited.',
      created: 'When it was made.',
      expires_at: 'When it ends.',
      lifetime: 'Seconds it is valid; default three days.',
    },
  },
  endpoints: [
    {
      route: 'POST /api/dev/invitation',
      title: 'Invite a user',
      who: 'administrators.',
      notes: 'The code is in this answer only. A new invitation of the same user ends the one before.',
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
      who: 'whoever has the code.',
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
