import { useWords } from '../i18n/words.ts'
import { Icon } from './icon.tsx'

/** What leads to the pages beside that of a list with the newest first; undefined: there is none. */
export function NewerOlder({
  label,
  onNewer,
  onOlder,
}: {
  readonly label: string
  readonly onNewer: (() => void) | undefined
  readonly onOlder: (() => void) | undefined
}) {
  const say = useWords()
  if (!onNewer && !onOlder) return null
  return (
    <nav className="row" aria-label={label}>
      {onNewer && (
        <button type="button" className="button line" onClick={onNewer}>
          <Icon name="chevron-left" />
          {say('auditNewer')}
        </button>
      )}
      {onOlder && (
        <button type="button" className="button line" onClick={onOlder}>
          {say('deliveriesOlder')}
          <Icon name="chevron-right" />
        </button>
      )}
    </nav>
  )
}
