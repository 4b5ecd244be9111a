import { useEffect, useRef } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Resource } from '../api/client.ts'
import { attributesOf } from '../api/live-lists.ts'
import { locale } from '../api/preferences.ts'
import { records } from '../api/queries.ts'
import { fileAddress } from '../api/records.ts'
import { act } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { soughtIn, useSought } from '../fields/sought.ts'
import { showStill } from '../fields/types.ts'
import { includeOf, useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { RecordLink } from '../ui/record-link.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ViewTools } from '../ui/view-tools.tsx'
import { useOffered, walkOf } from '../ui/walk.ts'
import { cardFields } from '../views/card-fields.ts'
import { CardFieldsMenu } from '../views/card-fields-menu.tsx'
import { CardLines } from '../views/card-lines.tsx'
import { marksOf, Why } from '../views/marks.tsx'
import { ShowChanges } from '../views/show-changes.tsx'
import { useLive } from '../views/use-live.ts'
import { NoList, NoRecords, type RecordsProps } from './records.tsx'

/** Records of a page: the most that the interface gives by offset. */
const PAGE = 50

/** The records as cards, page by page: what the grid is on a phone. */
export function RecordCards({ table, fields, title, search, put }: RecordsProps) {
  const say = useWords()
  const { filter, sort, page = 1 } = search
  const number = Number(table.id)
  const list = useQuery({
    ...records({ table: number, offset: (page - 1) * PAGE, limit: PAGE, sort, filter, include: includeOf(fields) }),
    placeholderData: (before, query) => (query?.queryKey[1] === number ? keepPreviousData(before) : undefined),
  })
  const titleOf = useTitles(
    list.data,
    fields,
    list.data?.data.map(({ attributes }) => attributes),
  )
  const total = list.data?.meta?.total ?? 0
  const live = useLive({ table: number, filter, places: attributesOf(sort) }, list.data?.meta?.total)
  useOffered(
    () => list.data && walkOf({ table: number, sort, filter, include: includeOf(fields) }, total, (page - 1) * PAGE, idsOf(list.data.data)),
    [list.data, page, filter, sort],
  )
  const pages = Math.max(1, Math.ceil(total / PAGE))
  const box = useRef<HTMLDivElement>(null)
  useSought(box, search.q)
  const goTo = (to: number, isReplace = false) => put({ page: to > 1 ? to : undefined }, isReplace)

  // Records may have gone since the address was made.
  const isBeyond = list.data !== undefined && !list.isPlaceholderData && page > pages
  useEffect(() => {
    if (isBeyond) goTo(pages, true)
  }, [isBeyond, pages])
  useEffect(
    () => act('cards', { next: page < pages && (() => goTo(page + 1)), previous: page > 1 && (() => goTo(page - 1)) }),
    [page, pages, filter, sort],
  )

  // The second attempt says what is wrong; those after it are made behind the message.
  const error = list.error ?? (list.failureCount > 1 && !list.data ? list.failureReason : undefined)
  if (error) return <NoList error={error} again={() => void list.refetch()} />
  if (!list.data) return <Skeleton isCards />
  const picture = fields.find(({ type }) => type === 'image')
  const choices = fields.filter((field) => field !== picture)
  const shows = cardFields(search.columns, choices, title)
  const figure = (value: number) => new Intl.NumberFormat(locale()).format(value)
  return (
    <>
      <ViewTools>
        {live.isOld && <ShowChanges onShow={live.refresh} />}
        {search.kind === 'cards' && (
          <CardFieldsMenu {...{ shows, title }} fields={choices} onColumns={(columns) => put({ columns }, true)} />
        )}
      </ViewTools>
      {total === 0 ? (
        <NoRecords {...{ table, search, put }} />
      ) : (
        <div ref={box} className={`cards gallery${list.isPlaceholderData ? ' is-old' : ''}`}>
          {list.data.data.map((record) => {
            return (
              <RecordLink key={record.id} className={marksOf('card', live, record.id)} table={table.id} record={record.id}>
                {picture && <Picture field={picture} {...{ record }} />}
                <h2 className="cut" data-sought={title && soughtIn(title)}>
                  {(title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })}
                </h2>
                <CardLines {...{ shows, record, titleOf }} />
                <Why {...{ live }} record={record.id} />
              </RecordLink>
            )
          })}
        </div>
      )}
      <footer className="foot">
        <span role="status">
          {total === 0
            ? say('records', { count: live.total ?? 0 })
            : say('range', {
                from: figure((page - 1) * PAGE + 1),
                to: figure(Math.min(page * PAGE, live.total ?? total)),
                count: live.total ?? total,
              })}
        </span>
        {/* What leads nowhere is not offered. */}
        <span className="pick">
          {pages > 1 &&
            (
              [
                ['firstPage', 'first', 1, page > 1],
                ['previousPage', 'chevron-left', page - 1, page > 1],
                ['nextPage', 'chevron-right', page + 1, page < pages],
                ['lastPage', 'last', pages, page < pages],
              ] as const
            ).map(([word, icon, to, isPossible]) => (
              <button
                key={word}
                type="button"
                className="button small square"
                disabled={!isPossible}
                aria-label={say(word)}
                title={say(word)}
                onClick={() => goTo(to)}
              >
                <Icon name={icon} />
              </button>
            ))}
        </span>
      </footer>
    </>
  )
}

const idsOf = (records: readonly Resource[]): readonly string[] => records.map(({ id }) => id)

/** The first image of a record, small. */
function Picture({ field, record }: { readonly field: Field; readonly record: Resource }) {
  const [name = ''] = String(record.attributes[field.name] ?? '').split('\r\n')
  return name === '' ? null : (
    <img className="picture" alt="" loading="lazy" src={fileAddress(field.table, field.name, record.id, name, 256)} />
  )
}
