import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { me, tables } from '../api/queries.ts'
import { makeToken, type Token } from '../api/tokens.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { useUnsaved } from '../ui/leaving.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { Secret } from '../ui/secret.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { LONGEST_NAME } from './name-form.tsx'

/** Seconds. */
const DAY = 86_400
/** Days: the longest that a service gives unless it is set otherwise. */
const USUAL = 30

/** What a new token may do and for how long; then its text, once. */
export function NewTokenForm({ onClose }: { readonly onClose: () => void }) {
  const say = useWords()
  const person = useQuery(me).data?.data
  const known = useQuery(tables).data?.data ?? []
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Token['scope']>('read')
  const [reach, setReach] = useState<'all' | 'some'>('all')
  const [some, setSome] = useState<ReadonlySet<number>>(new Set())
  const [days, setDays] = useState(String(USUAL))
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [made, setMade] = useState<string>()
  useUnsaved(made !== undefined || name.trim() === '' ? undefined : name)
  const ofLifetime = error instanceof ApiError ? error.attributes.get('lifetime') : undefined

  async function make() {
    setBusy(true)
    try {
      const limited = reach === 'some' ? [...some] : null
      const login = String(person?.attributes['login'] ?? '')
      setMade(await makeToken({ login, password, name: name.trim(), scope, tables: limited, lifetime: Math.round(Number(days) * DAY) }))
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
      setPassword('')
    }
  }

  if (made !== undefined)
    return <Secret name={say('tokenText', { name: name.trim() })} text={made} lead={say('secretLead')} onClose={onClose} />
  return (
    <form
      className="ledger-form"
      aria-label={say('tokenNew')}
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      {error instanceof ApiError && error.code === 'auth.login_failed' ? (
        <div className="note bad" role="alert">
          {say('passwordNotYours')}
        </div>
      ) : (
        error !== undefined && ofLifetime === undefined && <Trouble error={error} />
      )}
      <label className="admin-field">
        <span className="name">{say('tokenFor')}</span>
        <input
          className="input"
          value={name}
          maxLength={LONGEST_NAME}
          required
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <Choice
        name={say('tokenMay')}
        value={scope}
        options={[
          ['read', say('tokenReads')],
          ['write', say('tokenWrites')],
        ]}
        onChoose={setScope}
      />
      <Choice
        name={say('tokenReaches')}
        value={reach}
        options={[
          ['all', say('tokenAllTables')],
          ['some', say('tokenSomeTables')],
        ]}
        onChoose={setReach}
      />
      {reach === 'some' && (
        <fieldset className="ticks" data-many>
          <legend className="said">{say('tokenSomeTables')}</legend>
          {known.map(({ id, attributes }) => (
            <label key={id} className="admin-tick">
              <input
                type="checkbox"
                className="tick"
                checked={some.has(Number(id))}
                onChange={({ target }) =>
                  setSome(new Set(target.checked ? [...some, Number(id)] : [...some].filter((one) => one !== Number(id))))
                }
              />
              <span className="cut">{String(attributes['table_name'])}</span>
            </label>
          ))}
        </fieldset>
      )}
      <label className="admin-field">
        <span className="name">{say('tokenDays')}</span>
        <input
          className={`input short${ofLifetime === undefined ? '' : ' wrong'}`}
          type="number"
          min="1"
          step="1"
          required
          value={days}
          aria-invalid={ofLifetime !== undefined}
          onChange={({ target }) => setDays(target.value)}
        />
        {ofLifetime !== undefined && (
          <span className="admin-wrong" role="alert">
            {say('tokenTooLong', { detail: told(ofLifetime) })}
          </span>
        )}
      </label>
      <PasswordField name={say('tokenPassword')} kind="current-password" value={password} onChange={setPassword} />
      <div className="row">
        <button type="submit" className="button primary" disabled={isBusy || (reach === 'some' && some.size === 0)}>
          {say('tokenMake')}
        </button>
        <button type="button" className="button line" onClick={onClose}>
          {say('adminCancel')}
        </button>
      </div>
    </form>
  )
}
