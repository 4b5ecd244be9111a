import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { redeem, signIn } from '../api/session.ts'
import { useWords } from '../i18n/words.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.tsx'
import { Door } from './door.tsx'

/** The one-time link of an invited person, or of one who has forgotten the password. */
export function Invitation() {
  const say = useWords()
  const { code } = useParams({ from: '/invite/$code' })
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])

  return (
    <Door
      title={say('inviteTitle')}
      lead={say('inviteLead')}
      action={say('inviteAction')}
      busy={say('signingIn')}
      hints={[say('passwordLength'), say('inviteHint')]}
      onSubmit={async () => {
        const login = await redeem(code, password)
        await signIn(login, password)
        await navigate({ to: '/', replace: true })
        toast(say('inviteLogin', { login }))
      }}
    >
      <PasswordField name={say('newPassword')} kind="new-password" input={first} value={password} onChange={setPassword} />
    </Door>
  )
}
