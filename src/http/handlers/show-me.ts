import type { Schema } from '../../fields/field-type.ts'
import { groups } from '../../store/people/groups.ts'
import { readToken } from '../../store/people/tokens.ts'
import { users, type User } from '../../store/people/users.ts'
import { NOBODY } from '../../store/people/viewing.ts'
import type { Caller } from '../../store/model/access.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { answers, component, object } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { group } from '../resources/group.ts'
import { own } from '../resources/own.ts'
import { attributesShown, mustExist, shown, type Resource } from '../resources/resource.ts'
import { token } from '../resources/token.ts'
import { user } from '../resources/user.ts'
import { route, type Incoming } from '../routing/route.ts'

const text = { type: 'string' } as const
const withId = (attributes: Schema): Schema => ({ allOf: [object({ id: { type: 'integer' } }), attributes] })
const attributes: Schema = {
  allOf: [
    attributesShown(user.members),
    object({
      groups: { type: 'array', items: withId(attributesShown(group.members)) },
      administers: { type: 'array', items: text },
      token: withId(attributesShown(token.members)),
      viewed_by: { anyOf: [object({ id: { type: 'integer' }, name: text }), { type: 'null' }] },
    }),
  ],
}

export const showMe = route({
  method: 'GET',
  path: '/api/dev/me',
  says: 'Shows who sends the request: the user, their groups, what they may administer, and the token.',
  token: 'unlimited',
  answers: answers({
    schema: object({
      data: object({ type: { const: 'me' }, id: text, attributes, links: object({ self: text }) }),
      jsonapi: component('jsonapi'),
    }),
  }),
  query: {},

  async run(request) {
    const { store, caller } = request
    const me = mustExist(user, caller.userId, await personOf(store, caller))
    const mine = await seeRow(store, groups, caller, caller.groupId)
    const by =
      caller.viewedBy && mustExist(user, caller.viewedBy.userId, await seeRow(store, users, caller.viewedBy, caller.viewedBy.userId))
    return one({
      type: 'me',
      id: String(me.id),
      attributes: {
        ...shown(user, request, me),
        groups: mine ? [{ id: mine.id, ...shown(group, request, mine) }] : [],
        administers: administered(request),
        token: { id: caller.tokenId, ...shown(token, request, await readToken(store, caller.tokenId)) },
        viewed_by: by ? { id: by.id, name: by.fullName } : null,
      },
      links: { self: '/api/dev/me' },
    })
  },
})

/** A member of a group who is nobody has no row. */
const personOf = async (store: Incoming['store'], caller: Caller): Promise<User | undefined> =>
  caller.userId === NOBODY
    ? { id: 0, fullName: '', email: '', login: '', groupId: caller.groupId, archived: false }
    : seeRow(store, users, caller, caller.userId)

/** The types of resources that the caller may create, change or delete as an administrator. */
const administered = ({ caller }: Pick<Incoming, 'caller'>): string[] =>
  caller.administrator && caller.scope === 'write' ? own.flatMap((one) => (isAdministered(one) ? [one.type] : [])) : []

const isAdministered = ({ create, update, remove }: Pick<Resource<never>, 'create' | 'update' | 'remove'>): boolean =>
  [create, update, remove].some((write) => write?.administrative)
