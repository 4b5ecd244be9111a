import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { choose } from '../api/preferences.ts'
import { officeLogo, officeName } from '../api/office.ts'
import { useWords } from '../i18n/words.ts'
import { Look } from '../ui/look.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** What stands before the sign-in: one form, with language and theme below. */
export function Door({
  title,
  lead,
  notice,
  action,
  busy,
  hints,
  onSubmit,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly notice?: ReactNode
  /** The word on the button, and what it says while the form is sent. */
  readonly action: string
  readonly busy: string
  readonly hints: readonly string[]
  /** Sends what was typed; what it throws is told above the form. */
  readonly onSubmit: () => Promise<void>
  readonly children: ReactNode
}) {
  const say = useWords()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  useEffect(() => {
    document.title = `${title} · ${officeName ?? say('product')}`
  }, [title, say])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await onSubmit()
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="door">
      <main className="door-main">
        <div className="deck">
          <div className="deck-box" data-hue="6" aria-hidden="true" />
          <div className="deck-box" data-hue="3" aria-hidden="true" />
          <section className="deck-box front" aria-labelledby="door-title">
            <div className="office">
              {officeLogo ? (
                <img className="office-logo" src={officeLogo} alt="" />
              ) : (
                <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
                  <rect width="32" height="32" rx="8" />
                  <path d="M7 13h7l2-3h9v13H7z" />
                  <path d="M11 18h10" />
                </svg>
              )}
              <span>{officeName ?? say('product')}</span>
            </div>
            <h1 id="door-title">{title}</h1>
            <p className="quiet">{lead}</p>
            {error !== undefined ? <Trouble error={error} /> : notice}
            <form onSubmit={(event) => void submit(event)}>
              {children}
              <button className="button primary big" aria-disabled={isBusy}>
                {isBusy ? busy : action}
              </button>
            </form>
            {hints.map((hint) => (
              <p className="quiet small" key={hint}>
                {hint}
              </p>
            ))}
          </section>
        </div>
      </main>
      <footer className="door-foot">
        <span className="quiet">{location.host}</span>
        <span className="row">
          <Look onChoose={(chosen) => void choose(chosen, false)} />
        </span>
      </footer>
    </div>
  )
}
