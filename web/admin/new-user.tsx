import { useId, useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { make } from '../api/administration.ts'
import { ApiError } from '../api/client.ts'
import { invite } from '../api/people.ts'
import { groups } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { useUnsaved } from '../ui/leaving.ts'
import { Select } from '../ui/select.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { LONGEST_NAME } from './name-form.tsx'
import { Panel } from './panel.tsx'
import { useDoing } from './use-doing.ts'

/** The group of those who are not put into another one: clients. */
const USUAL = 3

/** Somebody new, and the link by which they choose a password. `onMade` without a link: it can be made in the panel of the user. */
export function NewUser({
  group: wanted = USUAL,
  onMade,
  onClose,
}: {
  readonly group?: number | undefined
  readonly onMade: (id: string, link: string | undefined) => void
  readonly onClose: () => void
}) {
  const say = useWords()
  const id = useId()
  const doing = useDoing()
  const known = useQuery(groups).data?.data ?? []
  const [fio, setFio] = useState('')
  const [email, setEmail] = useState('')
  const [typed, setLogin] = useState<string>()
  const [group, setGroup] = useState(String(wanted))
  const login = typed ?? email.split('@')[0]!.trim().toLowerCase()
  const leave = useUnsaved(fio.trim() + email.trim() + (typed ?? '').trim() === '' ? undefined : JSON.stringify([fio, email, typed, group]))
  const loginBox = useRef<HTMLInputElement>(null)
  const [isAsked, setAsked] = useState(false)
  const isMissing = isAsked && login.trim() === ''
  const isTaken = doing.error instanceof ApiError && doing.error.code === 'user.login_taken'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (login.trim() === '') {
      setAsked(true)
      return loginBox.current?.focus()
    }
    let made = ''
    let link: string | undefined
    const isDone = await doing.run(async () => {
      made = (await make('user', { fio: fio.trim(), e_mail: email.trim(), login: login.trim(), group_id: Number(group) })).id
      link = await invite(made).catch(() => undefined)
    })
    if (!isDone) return
    leave()
    onMade(made, link)
  }

  return (
    <Panel title={say('userNew')} icon="user" onClose={onClose}>
      <form className="admin-form" noValidate onSubmit={(event) => void submit(event)}>
        {doing.is === 'refused' && !isTaken && <Trouble error={doing.error} />}
        <label className="admin-field">
          <span className="name">{say('userFullName')}</span>
          <input className="input" value={fio} maxLength={LONGEST_NAME} autoFocus onChange={({ target }) => setFio(target.value)} />
        </label>
        <label className="admin-field">
          <span className="name">{say('email')}</span>
          <input className="input" inputMode="email" value={email} onChange={({ target }) => setEmail(target.value)} />
        </label>
        <label className="admin-field">
          <span className="name">{say('login')}</span>
          <input
            ref={loginBox}
            className={`input${isTaken || isMissing ? ' wrong' : ''}`}
            value={login}
            required
            autoCapitalize="none"
            aria-invalid={isTaken || isMissing}
            aria-describedby={isTaken || isMissing ? `${id}-wrong` : undefined}
            onChange={({ target }) => setLogin(target.value)}
          />
          {(isTaken || isMissing) && (
            <span className="admin-wrong" id={`${id}-wrong`} role="alert">
              {say(isMissing ? 'userLoginMissing' : 'userLoginTaken')}
            </span>
          )}
        </label>
        <div className="admin-field">
          <label className="name" htmlFor={id}>
            {say('userGroup')}
          </label>
          <Select id={id} value={group} onChoose={setGroup}>
            {known.map((one) => (
              <option key={one.id} value={one.id}>
                {String(one.attributes['group_name'])}
              </option>
            ))}
          </Select>
        </div>
        <p className="quiet">{say('userNewLead')}</p>
        <div className="row admin-end">
          <button className="button primary" disabled={doing.is === 'saving'}>
            {say('userMakeLink')}
          </button>
        </div>
      </form>
    </Panel>
  )
}
