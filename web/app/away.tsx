import { useEffect } from 'react'
import { lastKept } from '../api/last-kept.ts'
import { me, queries } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** Milliseconds between questions whether the service is back. */
const PAUSE = 2000

/** In place of pages that need the service, while it does not answer: what waits for it. `again` shows the page when it is back. */
export function Away({ again }: { again(): void }) {
  const say = useWords()
  const { writes, batches } = lastKept()
  const count = writes.length + batches.length
  const look = () => queries.fetchQuery({ ...me, retry: false, staleTime: 0 }).then(again, () => undefined)
  useEffect(() => {
    const timer = setInterval(() => void look(), PAUSE)
    return () => clearInterval(timer)
  }, [])
  return (
    <main className="away">
      <div role="status">
        <div className="bar">
          <Icon name="warn" />
          <span className="grow">{say(count > 0 ? 'awayWaiting' : 'away', { count })}</span>
          <button type="button" className="button small" onClick={() => void look()}>
            {say('tryNow')}
          </button>
        </div>
      </div>
      {count === 0 ? (
        <section className="empty">
          <Icon name="refresh" />
          <h1>{say('awayTitle')}</h1>
          <p>{say('awayLead')}</p>
        </section>
      ) : (
        <section className="page">
          <h1 className="lead">{say('keptHere')}</h1>
          <ul>
            {writes.map(({ key, record, values }) => (
              <li key={key}>
                {say('record', { id: record })}: {Object.values(values).map(String).join('; ') || say('empty')}
              </li>
            ))}
            {batches.map(({ key, changes, added, removed }) => (
              <li key={key}>{say('unsavedMany', { changed: changes.length, added: added.length, removed: removed.length })}</li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}
