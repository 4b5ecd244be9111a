import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'group', ...(id && { id }), attributes } })

export const groups: Page = {
  file: 'groups',
  title: 'Groups',
  says: `Every user is in one group, and rights are given to groups. Three groups are built in: 1 administrators, who may do everything, 2 managers,
who also see all users, and 3 clients.`,
  attributesOf: 'group',
  endpoints: [
    {
      route: 'GET /api/dev/group',
      title: 'List groups',
      who: 'everybody their own group; administrators and managers all groups.',
      shows: [{ path: 'group' }],
    },
    {
      route: 'POST /api/dev/group',
      title: 'Create a group',
      who: 'administrators.',
      notes: 'A new group has no rights: create [rules of access](access.md).',
      shows: [{ path: 'group', body: document({ group_name: 'Sales' }) }],
      refuses: [['the name is missing', { path: 'group', body: document({ group_name: '' }), code: 'field.required' }]],
    },
    {
      route: 'GET /api/dev/group/{id}',
      title: 'Read a group',
      who: 'everybody their own group; administrators and managers all groups.',
      shows: [{ path: 'group/4' }],
      refuses: [['there is none, or none for the caller', { path: 'group/99', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/group/{id}',
      title: 'Change a group',
      who: 'administrators.',
      shows: [{ path: 'group/4', body: document({ group_name: 'Sales people' }, '4') }],
    },
    {
      route: 'DELETE /api/dev/group/{id}',
      title: 'Delete a group',
      who: 'administrators.',
      notes: 'Its rules of access are deleted too.',
      before: [
        { path: 'group', body: document({ group_name: 'Trainees' }) },
        { path: 'user', body: { data: { type: 'user', attributes: { fio: 'Clara Holm', login: 'clara', group_id: 4 } } } },
      ],
      shows: [{ path: 'group/5' }],
      refuses: [
        ['it is built in', { path: 'group/3', code: 'group.built_in' }],
        ['users are in it', { path: 'group/4', code: 'group.in_use' }],
      ],
    },
  ],
}
