import { useQuery } from '@tanstack/react-query'
import { send, type Resource } from './client.ts'
import { me } from './queries.ts'

/*
 * An administrator sees what a user or a group sees. The service answers with the rights of those, and every window of the browser begins anew: what
 * was read with other rights must not stay.
 */

/** Whom to see: a user or a group. */
export type Whom = { readonly user_id: number } | { readonly group_id: number }

export interface Viewing {
  readonly is: 'user' | 'group'
  readonly name: string
}

/** Where the person was before, for this window. */
const FROM = 'kartoteka.viewed-from'
/** Changes with each beginning and end: the other windows are told by it. */
const CHANGED = 'kartoteka.viewing'

/** Undefined: one sees what oneself sees. */
export function viewingOf(person: Resource | undefined): Viewing | undefined {
  if (!person?.attributes['viewed_by']) return undefined
  const { fio, login, groups } = person.attributes
  const [group] = groups as readonly { readonly group_name: string }[]
  return person.id === '0' ? { is: 'group', name: group?.group_name ?? '' } : { is: 'user', name: String(fio || login) }
}

export const useViewing = (): Viewing | undefined => viewingOf(useQuery(me).data?.data)

/** Who has signed in, whoever is viewed. */
export const holderOf = (person: Resource): string => String(person.attributes['token'].user_id)

/** @throws ApiError `field.invalid_value` where there is nothing to see, such as of an administrator */
export async function beginViewing(whom: Whom): Promise<void> {
  await send('POST', 'session/view', { data: { type: 'session', attributes: whom } })
  stored(() => sessionStorage.setItem(FROM, location.pathname + location.search))
  tell()
  location.assign('/')
}

export async function endViewing(): Promise<void> {
  await send('DELETE', 'session/view')
  tell()
  location.assign(stored(() => sessionStorage.getItem(FROM)) ?? '/')
}

const tell = () => stored(() => localStorage.setItem(CHANGED, String(Date.now())))

/** Begins anew when another window of the browser begins or ends it. Returns what ends that. */
export function followViewing(): () => void {
  const listener = ({ key }: StorageEvent) => key === CHANGED && location.reload()
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/** A browser may allow no storage. */
function stored<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
