/** What the address of the users says: what they are searched by, and whose panel is open, or that one is invited. */
export interface UsersSearch {
  readonly q?: string | undefined
  readonly group?: number | undefined
  readonly archived?: true | undefined
  readonly page?: number | undefined
  readonly user?: number | 'new' | undefined
}

const idOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined)

export const readUsers = ({ q, group, archived, page, user }: Record<string, unknown>): UsersSearch => ({
  q: q === undefined || q === '' ? undefined : typeof q === 'string' ? q : JSON.stringify(q),
  group: idOf(group),
  archived: archived === true ? true : undefined,
  page: idOf(page),
  user: user === 'new' ? user : idOf(user),
})

/** What the address of the rights says: which cell is open; `ask`: the form that explains. On a phone the tables of one group are shown. */
export interface RightsSearch {
  readonly group?: number | undefined
  readonly table?: number | undefined
  readonly ask?: true | undefined
}

export const readRights = ({ group, table, ask }: Record<string, unknown>): RightsSearch => ({
  group: idOf(group),
  table: idOf(table),
  ask: ask === true ? true : undefined,
})
