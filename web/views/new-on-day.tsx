import { Link } from '@tanstack/react-router'
import { locale } from '../api/preferences.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** Where a field has a time, that with which a record of a day begins. */
const TIME = '09:00:00'

/** What a record of a day begins with. */
export const newOn = ({ name, type }: Field, day: string): Readonly<Record<string, string>> => ({
  [name]: type === 'datetime' ? `${day} ${TIME}` : day,
})

/** Leads to a new record on a day of a calendar. */
export function NewOnDay({ field, day }: { readonly field: Field; readonly day: string }) {
  const say = useWords()
  const name = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00Z`))
  return (
    <Link
      className="button square small new-on-day"
      to="/t/$table/new"
      params={{ table: String(field.table) }}
      search={newOn(field, day) as never}
      aria-label={say('newIn', { name })}
      title={say('newIn', { name })}
    >
      <Icon name="plus" size="s" />
    </Link>
  )
}
