import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { redeem, signIn } from '../api/session.ts'
import { useWords } from '../i18n/words.ts'
import { PasswordField } from '../ui/password-field.tsx'
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
      hints={[say('inviteHint')]}
      onSubmit={async () => {
        await signIn(await redeem(code, password), password)
        await navigate({ to: '/', replace: true })
      }}
    >
      <PasswordField name={say('newPassword')} kind="new-password" input={first} value={password} onChange={setPassword} />
    </Door>
  )
}
