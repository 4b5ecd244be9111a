import { useRef, useState } from 'react'
import { changePassword } from '../api/session.ts'
import { useWords } from '../i18n/words.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** Another password for oneself, with the present one. */
export function OwnPassword({ id, login }: { readonly id: string; readonly login: string }) {
  const say = useWords()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [old, setOld] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  function close() {
    setOpen(false)
    setOld('')
    setNext('')
    setError(undefined)
    // It is there again with the next picture.
    requestAnimationFrame(() => opener.current?.focus())
  }

  async function save() {
    if (isBusy) return
    setBusy(true)
    try {
      await changePassword(id, login, old, next)
      toast(say('passwordChanged'))
      close()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <section>
      <h2>{say('password')}</h2>
      {!isOpen ? (
        <button ref={opener} type="button" className="button line" onClick={() => setOpen(true)}>
          {say('passwordChange')}
        </button>
      ) : (
        <form
          className="ledger-form"
          aria-label={say('passwordChange')}
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
          onKeyDown={({ key }) => key === 'Escape' && close()}
        >
          {error !== undefined && <Trouble error={error} />}
          {/* For managers of passwords. */}
          <input className="said" autoComplete="username" value={login} readOnly tabIndex={-1} aria-hidden="true" />
          <PasswordField name={say('passwordNow')} kind="current-password" input={focus} value={old} onChange={setOld} />
          <PasswordField name={say('newPassword')} kind="new-password" value={next} onChange={setNext} />
          <p className="quiet small">
            {say('passwordLength')} {say('passwordLead')}
          </p>
          <div className="row">
            <button type="submit" className="button primary" aria-disabled={isBusy}>
              {say('passwordChange')}
            </button>
            <button type="button" className="button line" onClick={close}>
              {say('adminCancel')}
            </button>
          </div>
        </form>
      )}
    </section>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()
