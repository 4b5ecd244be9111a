import { ApiError } from '../api/client.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from './icon.tsx'

/** What went wrong, in words for people. */
export function useTrouble(): (error: unknown) => string {
  const say = useWords()
  return (error) => {
    if (!(error instanceof ApiError)) return say('failed', { detail: String(error) })
    if (error.status === 0) return say('noConnection')
    if (error.code === 'auth.login_failed') return say('wrongPassword')
    if (error.code === 'user.wrong_password') return say('passwordNotYours')
    if (error.code === 'field.invalid_value' && error.attributes.has('password')) return say('passwordLength')
    if (error.code === 'auth.invitation_invalid') return say('inviteInvalid')
    if (error.code === 'auth.too_many_attempts') return say('tooManyAttempts', { seconds: error.seconds })
    if (error.code === 'record.gone') return say('recordGone')
    if (error.code === 'server.disk_full') return say('diskFull')
    if (error.status >= 500 || error.status === 429) return say('notNow')
    return say('failed', { detail: told(error.message) })
  }
}

export function Trouble({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const say = useWords()
  const trouble = useTrouble()
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <span className="grow">{trouble(error)}</span>
      {again && (
        <button type="button" className="button small" onClick={again}>
          {say('tryAgain')}
        </button>
      )}
    </div>
  )
}
