import { tryNow, useOutbox } from '../api/outbox.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** Says quietly that the service does not answer, and what waits for it. */
export function ConnectionBar() {
  const say = useWords()
  const { isAway, unsaved } = useOutbox()
  return (
    <div role="status">
      {isAway && (
        <div className="bar">
          <Icon name="warn" />
          <span className="grow">{say(unsaved > 0 ? 'awayWaiting' : 'away', { count: unsaved })}</span>
          <button type="button" className="button small" onClick={tryNow}>
            {say('tryNow')}
          </button>
        </div>
      )}
    </div>
  )
}
