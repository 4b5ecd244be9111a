import { queryOptions } from '@tanstack/react-query'
import { make } from './administration.ts'
import { query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'
import type { TokenResource } from './tokens.ts'

/* The users of the service as administrators see them: their groups, their invitations, where they are signed in. */

/** Users on a page of the list. */
export const USERS_ON_PAGE = 50

export interface PeopleWish {
  /** Words in the name, the address or the login. */
  readonly words: string
  readonly group: number | undefined
  readonly isArchived: boolean
  /** From 1. */
  readonly page: number
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const filterOf = ({ words, group, isArchived }: Omit<PeopleWish, 'page'>): string => {
  const each = words
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => `or(${['fio', 'login', 'e_mail'].map((name) => `contains(${name},${quoted(word)})`).join()})`)
  const all = [`eq(arc,${Number(isArchived)})`, ...(group === undefined ? [] : [`eq(group_id,${group})`]), ...each]
  return all.length === 1 ? all[0]! : `and(${all.join()})`
}

export const people = (wish: PeopleWish) =>
  queryOptions({
    queryKey: ['user', wish],
    queryFn: ({ signal }) => {
      const page = { 'page[offset]': (wish.page - 1) * USERS_ON_PAGE, 'page[limit]': USERS_ON_PAGE }
      return send<readonly Resource[]>('GET', `user?${query({ filter: filterOf(wish), sort: 'fio,id', ...page })}`, undefined, signal)
    },
  })

export const personOf = (id: string) =>
  queryOptions({ queryKey: ['user', id], queryFn: ({ signal }) => send<Resource>('GET', `user/${id}`, undefined, signal) })

/** How many people are in a group, archived ones too: it cannot be deleted while there are any. */
export const membersOf = (group: number) =>
  queryOptions({
    queryKey: ['user', { group }],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>('GET', `user?${query({ filter: `eq(group_id,${group})`, 'page[limit]': 1 })}`, undefined, signal),
  })

/** The open invitation of a user, if there is one. Its code is not in it. */
export const invitationOf = (id: string) =>
  queryOptions({
    queryKey: ['invitation', id],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>('GET', `invitation?${query({ filter: `eq(user_id,${id})`, sort: '-id' })}`, undefined, signal),
    staleTime: 0,
  })

/** The link by which a user chooses a password. It is in no other answer, and ends the one before. @throws ApiError */
export async function invite(id: string): Promise<string> {
  const { data } = await send<Resource>('POST', 'invitation', { data: { type: 'invitation', attributes: { user_id: Number(id) } } })
  await queries.invalidateQueries({ queryKey: ['invitation', id] })
  return `${location.origin}/invite/${String(data.attributes['code'])}`
}

/** Programs and browsers that are signed in as a user. */
export const tokensOf = (id: string) =>
  queryOptions({
    queryKey: ['token', id],
    queryFn: ({ signal }) =>
      send<readonly TokenResource[]>(
        'GET',
        `token?${query({ ofAll: 'true', filter: `eq(user_id,${id})`, sort: '-id', 'page[size]': 1000 })}`,
        undefined,
        signal,
      ),
    staleTime: 0,
  })

/** Where a user stands: whether their link waits still, and where they are signed in. */
export const readAgain = (id: string): Promise<unknown> =>
  Promise.all(['invitation', 'token'].map((kind) => queries.invalidateQueries({ queryKey: [kind, id] })))

/** All rules of access. */
export const rules = queryOptions({
  queryKey: ['access'],
  queryFn: async ({ signal }) => {
    const all: Resource[] = []
    for (let after: string | null | undefined = ''; after !== null && after !== undefined;) {
      const page: Page = await send('GET', `access?${query({ 'page[size]': 1000, 'page[after]': after })}`, undefined, signal)
      all.push(...page.data)
      after = page.links?.next ? new URL(page.links.next, location.origin).searchParams.get('page[after]') : null
    }
    return all
  },
})

/** By cursors. */
interface Page {
  readonly data: readonly Resource[]
  readonly links?: { readonly next?: string | null }
}

/** A group with the rules of another. Where one is refused, nothing is left of it. @throws ApiError */
export async function copyGroup(from: string, name: string): Promise<string> {
  const { id } = await make('group', { group_name: name })
  try {
    for (const { attributes } of (await queries.fetchQuery({ ...rules, staleTime: 0 })).filter(
      (one) => String(one.attributes['group_id']) === from,
    ))
      await send('POST', 'access', { data: { type: 'access', attributes: { ...attributes, group_id: Number(id) } } })
  } catch (error) {
    await removeGroup(id)
    throw error
  }
  await queries.invalidateQueries({ queryKey: ['access'] })
  return id
}

/** With its rules. @throws ApiError `group.in_use` */
export async function removeGroup(id: string): Promise<void> {
  await send('DELETE', `group/${id}`)
  for (const type of ['group', 'access']) await queries.invalidateQueries({ queryKey: [type] })
}

/** The link of an open invitation no longer works. @throws ApiError */
export async function withdraw(invitation: string): Promise<void> {
  await send('DELETE', `invitation/${invitation}`)
  await queries.invalidateQueries({ queryKey: ['invitation'] })
}
