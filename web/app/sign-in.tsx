import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { signIn } from '../api/session.ts'
import { choose, usePreferences } from '../api/preferences.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'

export function SignIn() {
  const say = useWords()
  const { language, theme } = usePreferences()
  const { next, ended } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const first = useRef<HTMLInputElement>(null)

  useEffect(() => {
    document.title = `${say('signInTitle')} · ${say('product')}`
  }, [say, language])
  useEffect(() => first.current?.focus(), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await signIn(login.trim(), password)
      await navigate({ href: next ?? '/', replace: true })
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }

  return (
    <div className="door">
      <main className="door-main">
        <div className="deck">
          <div className="deck-box" data-hue="6" aria-hidden="true" />
          <div className="deck-box" data-hue="3" aria-hidden="true" />
          <section className="deck-box front" aria-labelledby="sign-in-title">
            <div className="office">
              <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
                <rect width="32" height="32" rx="8" />
                <path d="M7 13h7l2-3h9v13H7z" />
                <path d="M11 18h10" />
              </svg>
              <span>{say('product')}</span>
            </div>
            <h1 id="sign-in-title">{say('signInTitle')}</h1>
            <p className="quiet">{say('signInLead')}</p>
            {error !== undefined ? (
              <Trouble error={error} />
            ) : (
              ended && (
                <div className="note warn" role="status">
                  <Icon name="warn" />
                  <span>{say('sessionEnded')}</span>
                </div>
              )
            )}
            <form onSubmit={(event) => void submit(event)}>
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
              <div>
                <label className="name" htmlFor="password">
                  {say('password')}
                </label>
                <span className="with-end">
                  <input
                    className="input tall"
                    id="password"
                    type={isShown ? 'text' : 'password'}
                    autoComplete="current-password"
                    required
                    value={password}
                    onChange={({ target }) => setPassword(target.value)}
                  />
                  <button
                    type="button"
                    className="button square small"
                    aria-pressed={isShown}
                    aria-label={say(isShown ? 'hidePassword' : 'showPassword')}
                    title={say(isShown ? 'hidePassword' : 'showPassword')}
                    onClick={() => setShown(!isShown)}
                  >
                    <Icon name={isShown ? 'eye-off' : 'eye'} />
                  </button>
                </span>
              </div>
              <button className="button primary big" aria-disabled={isBusy}>
                {say(isBusy ? 'signingIn' : 'signIn')}
              </button>
            </form>
            <p className="quiet small">{say('signInFirst')}</p>
            <p className="quiet small">{say('signInForgotten')}</p>
          </section>
        </div>
      </main>
      <footer className="door-foot">
        <span className="quiet">{location.host}</span>
        <span className="row">
          <Choice
            name={say('language')}
            value={language}
            options={[
              ['en', 'English'],
              ['ru', 'Русский'],
            ]}
            onChoose={(chosen) => void choose({ language: chosen }, false)}
          />
          <Choice
            name={say('theme')}
            value={theme}
            options={[
              ['system', say('themeSystem')],
              ['light', say('themeLight')],
              ['dark', say('themeDark')],
            ]}
            onChoose={(chosen) => void choose({ theme: chosen }, false)}
          />
        </span>
      </footer>
    </div>
  )
}
