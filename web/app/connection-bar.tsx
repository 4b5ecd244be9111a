import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useParams, useSearch } from '@tanstack/react-router'
import { isStopped, type BatchEntry } from '../api/batch-queue.ts'
import { tryNow, useOutbox } from '../api/outbox.ts'
import { isShown, shownRecords } from '../api/outbox-ends.ts'
import type { Entry } from '../api/write-queue.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useLeaving } from '../ui/leaving.ts'

const Unsaved = lazy(async () => ({ default: (await import('./unsaved.tsx')).Unsaved }))

/** Says quietly that the service does not answer and what waits for it, or what was refused that no page shows. */
export function ConnectionBar() {
  const say = useWords()
  const { isAway, isFull, unsaved, writes, batches } = useOutbox()
  const [isListed, setListed] = useState(false)
  const { table, record }: { readonly table?: string; readonly record?: string } = useParams({ strict: false })
  const beside = useSearch({ strict: false, select: (search: { readonly record?: unknown }) => search.record })
  const open = record ?? (beside === undefined ? undefined : String(beside))
  useLeaving(unsaved > 0)
  useSyncExternalStore(shownRecords.subscribe, shownRecords.version)
  const isElsewhere = (one: Entry | BatchEntry) => {
    if ('changes' in one) return one.changes.length === 0 || !isShown(one.table, one.changes.map(({ id }) => id)) // prettier-ignore
    return !isShown(one.table, [one.record]) && !(String(one.table) === table && one.record === open)
  }
  const count = [...writes, ...batches].filter((one) => isStopped(one) && isElsewhere(one)).length
  return (
    <>
      <div role="status">
        {isAway ? (
          <div className="bar">
            <Icon name="warn" />
            <span className="grow">{say(isFull ? 'fullWaiting' : unsaved > 0 ? 'awayWaiting' : 'away', { count: unsaved })}</span>
            <button type="button" className="button small" onClick={tryNow}>
              {say('tryNow')}
            </button>
          </div>
        ) : (
          count > 0 && (
            <div className="bar">
              <Icon name="warn" />
              <span className="grow">{say('unsaved', { count })}</span>
              <button type="button" className="button small" onClick={() => setListed(true)}>
                {say('unsavedShow')}
              </button>
            </div>
          )
        )}
      </div>
      {isListed && (
        <Suspense fallback={null}>
          <Unsaved onClose={() => setListed(false)} />
        </Suspense>
      )}
    </>
  )
}
