import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isAnythingKept } from '../api/kept.ts'
import { signIn } from '../api/session.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Door } from './door.tsx'

export function SignIn() {
  const say = useWords()
  const { next, ended } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])

  return (
    <Door
      title={say('signInTitle')}
      lead={say('signInLead')}
      notice={
        ended && (
          <div className="note warn" role="status">
            <Icon name="warn" />
            <span>{isAnythingKept() ? `${say('sessionEnded')} ${say('sessionKept')}` : say('sessionEnded')}</span>
          </div>
        )
      }
      action={say('signIn')}
      busy={say('signingIn')}
      hints={[say('signInFirst'), say('signInForgotten')]}
      onSubmit={async () => {
        await signIn(login.trim(), password)
        await navigate({ href: next ?? '/', replace: true })
      }}
    >
      <label>
        <span className="name">{say('login')}</span>
        <input
          className="input tall"
          ref={first}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={login}
          onChange={({ target }) => setLogin(target.value)}
        />
      </label>
      <PasswordField name={say('password')} kind="current-password" value={password} onChange={setPassword} />
    </Door>
  )
}
