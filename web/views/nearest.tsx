import { useQuery } from '@tanstack/react-query'
import { nearestTo } from '../api/calendar.ts'
import { shownDate } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { dayAfter } from './month.ts'

/** In a month or a week without records: the way to the nearest ones before and after it. */
export function Nearest({
  table,
  attribute,
  days,
  filter,
  onGo,
}: {
  readonly table: number
  readonly attribute: string
  readonly days: readonly string[]
  readonly filter: string | undefined
  onGo(day: string): void
}) {
  const say = useWords()
  const before = useQuery(nearestTo(table, attribute, 'before', days[0]!, filter))
  const after = useQuery(nearestTo(table, attribute, 'after', dayAfter(days.at(-1)!, 1), filter))
  const dayIn = ({ data }: typeof before) => String(data?.data[0]?.attributes[attribute] ?? '').slice(0, 10)
  const ways = [
    ['calendarBefore', 'chevron-left', dayIn(before)],
    ['calendarAfter', 'chevron-right', dayIn(after)],
  ] as const
  return (
    <div className="view-bar">
      <span className="quiet" role="status">
        {say('calendarNothing')}
      </span>
      {ways.map(
        ([message, icon, day]) =>
          day !== '' && (
            <button key={message} type="button" className="button small" onClick={() => onGo(day)}>
              <Icon name={icon} />
              <span>{say(message, { day: shownDate(day) })}</span>
            </button>
          ),
      )}
    </div>
  )
}
