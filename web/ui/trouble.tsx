import { ApiError } from '../api/client.ts'
import type { Message } from '../i18n/messages.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from './icon.tsx'

/** Errors by their codes that have words of their own. */
const KNOWN: Readonly<Partial<Record<string, Message>>> = {
  'auth.login_failed': 'wrongPassword',
  'user.wrong_password': 'passwordNotYours',
  'auth.invitation_invalid': 'inviteInvalid',
  'auth.too_many_attempts': 'tooManyAttempts',
  'record.gone': 'recordGone',
  'server.disk_full': 'diskFull',
  'field.would_lose_data': 'typeStays',
}

/** Whether a write filter is why: the record is not one that the person may write, or would not be one. The code says no more than that it is denied. */
export const isOutside = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'access.denied' && error.message.startsWith('You may not write this record')

/** What went wrong, in words for people. */
export function useTrouble(): (error: unknown) => string {
  const say = useWords()
  return (error) => {
    if (!(error instanceof ApiError)) return say('pageFailed')
    if (error.status === 0) return say('noConnection')
    if (isOutside(error)) return say('outsideRights')
    const known = KNOWN[error.code]
    if (known) return say(known, { seconds: error.seconds })
    if (error.code === 'field.invalid_value' && error.attributes.has('password')) return say('passwordLength')
    if (error.status >= 500 || error.status === 429) return say('notNow')
    // The service gives each error a code.
    if (error.code === '') return error.status === 413 ? say('tooMuchForProxy') : say('proxyAnswered', { status: error.status })
    return say('failed', { detail: told(error.message) })
  }
}

/** The service answers the same as long as the request is the same. */
const LASTING: ReadonlySet<number> = new Set([400, 403, 422])
const mayPass = (error: unknown): boolean => !(error instanceof ApiError && LASTING.has(error.status))

/** `again`: offered where it may help. */
export function Trouble({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const say = useWords()
  const trouble = useTrouble()
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <div className="grow">
        {trouble(error)}
        <Details {...{ error }} />
      </div>
      {again && mayPass(error) && (
        <button type="button" className="button small" onClick={again}>
          {say('tryAgain')}
        </button>
      )}
    </div>
  )
}

/** What the operator of the service looks for in its log: the code of an error and its id; or what went wrong in the pages. Not where the words say all. */
function Details({ error }: { readonly error: unknown }) {
  const say = useWords()
  const isPlain = error instanceof ApiError && (error.status === 0 || error.code in KNOWN || error.attributes.size > 0)
  if (isPlain) return null
  const text = error instanceof ApiError ? [error.code, error.id].filter((one) => one !== '').join(' · ') : String(error)
  return text === '' ? null : (
    <details>
      <summary>{say('details')}</summary>
      <code>{text}</code>
    </details>
  )
}
