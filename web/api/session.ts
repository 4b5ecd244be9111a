import { send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/** @throws ApiError `auth.login_failed`, `auth.too_many_attempts` */
export async function signIn(login: string, password: string): Promise<void> {
  await send<Resource>('POST', 'session', { data: { type: 'session', attributes: { login, password } } })
  queries.clear()
}

/** Forgets also all that was read: another person may sit down here. */
export async function signOut(): Promise<void> {
  await send('DELETE', 'session')
  queries.clear()
}
