import { ApiError, send, type Resource } from './client.ts'
import { closeOutbox } from './outbox.ts'
import { forgetPerson } from './preferences.ts'
import { queries } from './queries.ts'
import { forgetTold } from './told-values.ts'
import { forgetActs } from './undo.ts'

/** @throws ApiError `auth.login_failed`, `auth.too_many_attempts` */
export async function signIn(login: string, password: string): Promise<void> {
  await beginSession(login, password)
  // What was still on its way when somebody else signed out is none of this person's acts.
  forgetActs()
  queries.clear()
}

const beginSession = (login: string, password: string) =>
  send<Resource>('POST', 'session', {
    data: { type: 'session', attributes: { login, password, name: deviceOf(navigator.userAgent) } },
  })

/**
 * Gives oneself another password. It ends all sessions, also this one: another one begins at once.
 * @throws ApiError `user.wrong_password`, `field.invalid_value`, `auth.too_many_attempts`
 */
export async function changePassword(user: string, login: string, old: string, next: string): Promise<void> {
  await send<Resource>('PATCH', `user/${user}`, { data: { type: 'user', id: user, attributes: { old_password: old, password: next } } })
  await beginSession(login, next)
  await queries.invalidateQueries({ queryKey: ['token'] })
}

/** The browser and its system by what it says of itself, such as `Firefox, Windows`: the person finds the session by it. */
export function deviceOf(agent: string): string {
  const known = [browsers, systems].map((words) => words.find(([word]) => agent.includes(word)))
  return known.flatMap((found) => (found ? [found[1]] : [])).join(', ')
}

/** Each says the words of some that follow, too. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['YaBrowser', 'Yandex Browser'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Takes an invitation: sets the password, and gives the login. @throws ApiError `auth.invitation_invalid`, `field.invalid_value` */
export async function redeem(code: string, password: string): Promise<string> {
  const { meta } = await send('POST', 'invitation/redeem', { data: { type: 'invitation', attributes: { code, password } } })
  return String(meta?.login)
}

/** One that has ended already is signed out as well. @throws ApiError where the session goes on */
export async function signOut(): Promise<void> {
  try {
    await send('DELETE', 'session')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
}

/** Forgets all that was read, and who it was: another person may sit down here. */
export function forgetSession(): void {
  closeOutbox()
  forgetActs()
  forgetPerson()
  forgetTold()
  queries.clear()
}
