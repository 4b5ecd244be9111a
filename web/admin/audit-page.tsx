import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { auditOf } from '../api/audit.ts'
import { cursorOf } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import { users } from '../api/queries.ts'
import { DayLine } from '../fields/editors/day-line.tsx'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { NewerOlder } from '../ui/newer-older.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { actsOf, areasOfActs, type AreaOfActs } from './acts.ts'
import { AuditLine } from './audit-line.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import type { AuditSearch } from './search.ts'
import './operation.css'

export const AuditPage = () => (
  <OnlyAdministrators of="table">
    <Audit />
  </OnlyAdministrators>
)

/** Who did what and when; the filter and the page are in the address. */
function Audit() {
  const say = useWords()
  const navigate = useNavigate()
  const asked = useSearch({ from: '/framed/admin/audit' })
  const { who, act, from, to, after, before } = asked
  const actions = useMemo(() => act && actsOf(act), [act])
  const list = useQuery({ ...auditOf({ who, actions, from, to, after, before }), placeholderData: (last) => last })
  const people = useQuery(users).data?.data ?? []
  const entries = list.data?.data ?? []
  const older = cursorOf(list.data?.links?.['next'], 'after')
  const newer = cursorOf(list.data?.links?.['prev'], 'before')
  /** Another filter begins at its first page. */
  const go = (next: AuditSearch) =>
    void navigate({ to: '/admin/audit', search: { ...asked, after: undefined, before: undefined, ...next } })
  const isFiltered = [who, act, from, to].some((one) => one !== undefined)
  const days = Map.groupBy(entries, ({ attributes }) => attributes.time.slice(0, 10))
  return (
    <>
      <Head title={say('auditTitle')} />
      <div className="tools audit-tools" role="search" aria-label={say('auditFilter')}>
        <Select
          name={say('auditWho')}
          value={who === undefined ? '' : String(who)}
          onChoose={(value) => go({ who: value === '' ? undefined : Number(value) })}
        >
          <option value="">{say('auditAnyone')}</option>
          <option value="0">{say('auditNobody')}</option>
          {people.map(({ id, attributes }) => (
            <option key={id} value={id}>
              {String(attributes['fio'] || attributes['login'])}
            </option>
          ))}
        </Select>
        <Select
          name={say('auditWhat')}
          value={act ?? ''}
          onChoose={(value) => go({ act: value === '' ? undefined : (value as AreaOfActs) })}
        >
          <option value="">{say('auditAnything')}</option>
          {Object.entries(areasOfActs).map(([area, word]) => (
            <option key={area} value={area}>
              {say(word)}
            </option>
          ))}
        </Select>
        <DayLine label={say('auditFrom')} value={from} onChange={(day) => go({ from: day })} />
        <DayLine label={say('auditTo')} value={to} onChange={(day) => go({ to: day })} />
        {isFiltered && (
          <button type="button" className="button" onClick={() => go({ who: undefined, act: undefined, from: undefined, to: undefined })}>
            <Icon name="x" />
            {say('auditAll')}
          </button>
        )}
      </div>
      <div className={`admin audit${list.isPlaceholderData ? ' is-old' : ''}`} aria-busy={list.isPlaceholderData}>
        {list.error && !list.data ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton />
        ) : entries.length === 0 ? (
          <section className="empty">
            <h2>{say('auditNone')}</h2>
          </section>
        ) : (
          Array.from(days, ([day, some]) => (
            <section key={day} aria-label={dayWords(day)}>
              <h2 className="day">{dayWords(day)}</h2>
              <ol className="audit-list">
                {some.map((entry) => (
                  <AuditLine key={entry.id} entry={entry} people={people} />
                ))}
              </ol>
            </section>
          ))
        )}
        <NewerOlder
          label={say('auditPages')}
          onNewer={newer === undefined ? undefined : () => go({ before: newer })}
          onOlder={older === undefined ? undefined : () => go({ after: older })}
        />
      </div>
    </>
  )
}

const dayWords = (day: string): string => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeZone: 'UTC' }).format(time)
}
