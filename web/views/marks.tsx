import type { Live } from '../api/live-lists.ts'
import { useWords } from '../i18n/words.ts'

/** Classes of what shows a record: whether others have just changed it, and whether it belongs to the list still. */
export const marksOf = (name: string, { gone, changed }: Live, record: string, isElsewhere = false): string =>
  [name, (gone.has(record) || isElsewhere) && 'gone', changed.has(record) && 'changed'].filter(Boolean).join(' ')

const AWAY = { deleted: 'rowDeleted', unmatched: 'rowUnmatched', unseen: 'rowUnseen' } as const

/** Why a record does not belong to where it stands any more. `elsewhere`: where it belongs. */
export function Why({
  live: { gone },
  record,
  elsewhere,
}: {
  readonly live: Live
  readonly record: string
  readonly elsewhere?: string | undefined
}) {
  const say = useWords()
  const why = gone.get(record)
  if (!why && elsewhere === undefined) return null
  return <span className="tag">{why ? say(AWAY[why]) : say('nowAt', { name: elsewhere ?? '' })}</span>
}
