import { Suspense, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import { filterBetween, recordsBetween } from '../api/calendar.ts'
import { attributesOf, readAs } from '../api/live-lists.ts'
import { isBarred } from '../api/record-rights.ts'
import { Days } from '../fields/editors/days.tsx'
import { nowHere } from '../fields/dates.ts'
import { plainText, shortName, shownDate } from '../fields/plain.ts'
import { soughtIn, useSoughtInParts } from '../fields/sought.ts'
import { showStill } from '../fields/types.ts'
import { firstDay } from '../filter/periods.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { RecordLink } from '../ui/record-link.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ViewTools } from '../ui/view-tools.tsx'
import { useOffered, walkAmong } from '../ui/walk.ts'
import { drag, droppedOf, isCard } from './dragged.ts'
import { useFocusAlong } from './focus-along.ts'
import { marksOf, Why } from './marks.tsx'
import { NewOnDay, newOn } from './new-on-day.tsx'
import { dayAfter, daysOf, moved, monthOf, weekOf } from './month.ts'
import { MoveState } from './move-state.tsx'
import { Nearest } from './nearest.tsx'
import { Needs } from './needs.tsx'
import { ShowChanges } from './show-changes.tsx'
import { useLive } from './use-live.ts'
import { useMoves } from './use-moves.ts'
import type { ViewProps } from './view-props.ts'

/** Records of a day that are shown at once, of a month and of a week. */
const SHOWN = { month: 3, week: 40 }

/** The records of a month or a week by a date; one that is moved gets the other day. */
export function Calendar({ table, fields, title, search, put }: ViewProps) {
  const say = useWords()
  const number = Number(table.id)
  const dates = fields.filter(({ type }) => type === 'date' || type === 'datetime')
  const field = dates.find(({ name }) => name === search.group) ?? dates[0]
  const day = search.day ?? nowHere().slice(0, 10)
  const span = search.span ?? 'month'
  const isWeek = span === 'week'
  const month = monthOf(day)
  const [open, setOpen] = useState<string>()
  /** The record that is to be moved, and where it is. */
  const [whose, setWhose] = useState<{ readonly id: string; readonly day: string }>()
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const anchor = useRef<HTMLElement | null>(null)
  const begin = firstDay(locale())
  const days = isWeek ? weekOf(day, begin) : daysOf(month, begin)
  const asked = recordsBetween(number, field?.name ?? '', days[0]!, days.at(-1)!, search.filter, search.sort)
  const list = useQuery({ ...asked, enabled: field !== undefined, placeholderData: (before) => before })
  const live = useLive(
    {
      table: number,
      filter: filterBetween(field?.name ?? 'id', days[0]!, days.at(-1)!, search.filter),
      places: [...attributesOf(search.sort), ...(field ? [field.name] : [])],
    },
    list.data?.meta?.total,
  )
  const moves = useMoves(number, field, days)
  const box = useRef<HTMLOListElement>(null)
  useSoughtInParts(box, search.q, field !== undefined)
  useFocusAlong()
  // Day by day, as they stand there.
  useOffered(() => {
    const dayOf = (one: Resource) => String(readAs(one)[field?.name ?? '']).slice(0, 10)
    const inOrder = list.data?.data.toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0))
    return inOrder && walkAmong(number, `calendar ${number}`, inOrder.map(({ id }) => id)) // prettier-ignore
  }, [list.data, field?.name])
  if (!field) return <Needs table={table.id} words={say('calendarNoDate')} />
  const mayMove = table.meta?.access?.['update'] === true && field.maySet
  const mayAdd = table.meta?.access?.['create'] === true && field.maySet
  const byDay = new Map<string, Resource[]>()
  const read = list.data?.data ?? []
  // What is on its way here from another month is not in this list yet.
  const coming = moves.onTheWay.flatMap(({ record }) => (read.some(({ id }) => id === record.id) ? [] : record))
  const all = [...read, ...coming]
  // Days without records that are still on their way look like days without any.
  const isWaiting = list.isPending || list.isPlaceholderData
  for (const record of all) {
    const to = moves.whereTo(record.id)
    const day = (to ?? String(readAs(record)[field.name])).slice(0, 10)
    const here = byDay.get(day) ?? []
    // One that has just been put there is in sight.
    byDay.set(day, to === undefined ? [...here, record] : [record, ...here])
  }
  const move = (id: string | undefined, day: string) => {
    const record = all.find((one) => one.id === id)
    setWhose(undefined)
    if (!record || !/^\d{4}-\d\d-\d\d$/.test(day)) return
    const time = String(record.attributes[field.name] ?? '').slice(10)
    const card = (title && shortName(plainText(title, record.attributes[title.name]))) || say('record', { id: record.id })
    moves.move(record, day + time, { card, name: shownDate(day) })
  }
  const nameOf = (record: Resource) =>
    (title && showStill(title, record.attributes[title.name], () => undefined)) ?? say('record', { id: record.id })
  const weekdayOf = (one: string) => new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' }).format(timeOf(one))
  const timeOf = (one: string) => Date.parse(`${one}T00:00Z`)
  const heading = isWeek
    ? new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).formatRange(
        timeOf(days[0]!),
        timeOf(days[6]!),
      )
    : new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(timeOf(`${month}-01`))
  const go = (by: number) => put({ day: isWeek ? dayAfter(day, 7 * by) : `${moved(month, by)}-01` }, true)
  const [before, next] = isWeek ? (['earlierWeek', 'laterWeek'] as const) : (['earlier', 'later'] as const)
  return (
    <div className="page calendar">
      <ViewTools>{live.isOld && <ShowChanges onShow={live.refresh} />}</ViewTools>
      <div className="view-bar">
        <button type="button" className="button square" aria-label={say(before)} title={say(before)} onClick={() => go(-1)}>
          <Icon name="chevron-left" />
        </button>
        <button type="button" className="button square" aria-label={say(next)} title={say(next)} onClick={() => go(1)}>
          <Icon name="chevron-right" />
        </button>
        <h2 role="status">{heading}</h2>
        <button type="button" className="button" onClick={() => put({ day: undefined }, true)}>
          {say('pickToday')}
        </button>
        <Select name={say('calendarSpan')} value={span} onChoose={(one) => put({ span: one === 'week' ? 'week' : undefined })}>
          <option value="month">{say('spanMonth')}</option>
          <option value="week">{say('spanWeek')}</option>
        </Select>
        {mayAdd && (
          <button
            type="button"
            className="button only-phone"
            aria-expanded={isAdding}
            onClick={({ currentTarget }) => {
              anchor.current = currentTarget
              setAdding(true)
            }}
          >
            <Icon name="plus" />
            <span>{say('newOnDay')}</span>
          </button>
        )}
        {dates.length > 1 && (
          <Select name={say('groupBy')} value={field.name} onChoose={(group) => put({ group })}>
            {dates.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </Select>
        )}
      </div>
      {list.error && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.isSuccess && !list.isPlaceholderData && all.length === 0 && (
        <Nearest table={number} attribute={field.name} {...{ days }} filter={search.filter} onGo={(to) => put({ day: to }, true)} />
      )}
      <div className="weekdays" aria-hidden="true">
        {days.slice(0, 7).map((one) => (
          <span key={one}>{weekdayOf(one)}</span>
        ))}
      </div>
      {isWaiting && days.every((one) => !byDay.has(one)) && (
        <div className="only-phone">
          <Skeleton isCards />
        </div>
      )}
      <ol ref={box} className={`days${isWeek ? ' week' : ''}`} aria-label={heading} aria-busy={isWaiting}>
        {days.map((day) => {
          const here = byDay.get(day) ?? []
          const nowAt = (record: Resource) => {
            const now = String(record.attributes[field.name] ?? '').slice(0, 10)
            return now === day || moves.whereTo(record.id) !== undefined
              ? undefined
              : now === ''
                ? say('noDay')
                : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(timeOf(now))
          }
          const shown = open === day ? here : here.slice(0, SHOWN[span])
          return (
            <li
              key={day}
              className={`day${isWeek || day.startsWith(month) ? '' : ' other'}${here.length === 0 ? ' none' : ''}`}
              aria-current={day === nowHere().slice(0, 10) ? 'date' : undefined}
              onDragOver={(event) => mayMove && isCard(event.dataTransfer) && event.preventDefault()}
              onDrop={({ dataTransfer }) => move(droppedOf(dataTransfer, number)?.id, day)}
            >
              <time dateTime={day}>
                <span className="weekday">{weekdayOf(day)} </span>
                {Number(day.slice(8))}
              </time>
              {mayAdd && <NewOnDay {...{ field, day }} />}
              {isWaiting && here.length === 0 && <span className="wait" aria-hidden="true" />}
              <ul>
                {shown.map((record) => (
                  <li
                    key={record.id}
                    className={marksOf('day-item', live, record.id, nowAt(record) !== undefined)}
                    draggable={mayMove && !isBarred(record, 'update')}
                    onDragStart={({ dataTransfer }) => {
                      moves.begin(record.id)
                      drag(dataTransfer, number, record)
                    }}
                  >
                    <RecordLink className="cut grow" table={table.id} record={record.id} data-sought={title && soughtIn(title)}>
                      {nameOf(record)}
                    </RecordLink>
                    <Why {...{ live }} record={record.id} elsewhere={nowAt(record)} />
                    <MoveState {...{ fields, field, moves }} record={record.id} titleOf={() => undefined} />
                    {mayMove && !isBarred(record, 'update') && (
                      <button
                        type="button"
                        className="button square small"
                        aria-label={say('moveCard', { id: record.id })}
                        aria-expanded={whose?.id === record.id}
                        title={say('moveTo')}
                        onClick={({ currentTarget }) => {
                          anchor.current = currentTarget
                          moves.begin(record.id)
                          setWhose({ id: record.id, day })
                        }}
                      >
                        <Icon name="calendar" size="s" />
                      </button>
                    )}
                  </li>
                ))}
              </ul>
              {shown.length < here.length && (
                <button type="button" className="button small" onClick={() => setOpen(day)}>
                  {say('showMoreOf', { count: here.length - shown.length })}
                </button>
              )}
            </li>
          )
        })}
      </ol>
      {isAdding && (
        <Suspense>
          <Days
            {...{ anchor }}
            label={say('newOnDay')}
            value={day}
            onPick={(on) => {
              setAdding(false)
              if (/^\d{4}-\d\d-\d\d$/.test(on))
                void navigate({ to: '/t/$table/new', params: { table: table.id }, search: newOn(field, on) as never })
            }}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
      {whose && (
        <Suspense>
          <Days
            {...{ anchor }}
            label={say('moveTo')}
            value={whose.day}
            onPick={(to) => move(whose.id, to)}
            onClose={() => setWhose(undefined)}
          />
        </Suspense>
      )}
      {(list.data?.data.length ?? 0) >= 1000 && <p className="quiet">{say('calendarTooMany')}</p>}
    </div>
  )
}
