import { useEffect, useMemo, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { attributesOf } from '../api/live-lists.ts'
import { locale } from '../api/preferences.ts'
import { me } from '../api/queries.ts'
import { act } from '../commands/commands.ts'
import { useSought } from '../fields/sought.ts'
import { includeOf, useTitles } from '../fields/titles.ts'
import { ColumnsMenu } from '../grid/columns-menu.tsx'
import { groupingOf, sortOf } from '../grid/grouping.ts'
import { writesOf } from '../grid/writes.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ViewTools } from '../ui/view-tools.tsx'
import { useOffered, walkOf } from '../ui/walk.ts'
import { cardFields } from '../views/card-fields.ts'
import { CardFieldsMenu } from '../views/card-fields-menu.tsx'
import { ShowChanges } from '../views/show-changes.tsx'
import { useLive } from '../views/use-live.ts'
import { GroupSelect, Totals } from './card-tools.tsx'
import { ChosenRecords } from './chosen-records.tsx'
import { CardGroup, RecordCard } from './record-card.tsx'
import { NoList, NoRecords, type RecordsProps } from './records.tsx'
import { PAGE, useCardLines } from './use-card-lines.ts'
import { useChosen } from './use-chosen.ts'
import { useColumns } from './use-columns.ts'
import { usePicked } from './use-picked.ts'

/** The records as cards, page by page: what the grid is on a phone. */
export function RecordCards({ table, fields, system, title, search, put }: RecordsProps) {
  const say = useWords()
  const { filter, page = 1 } = search
  const number = Number(table.id)
  // Otherwise it stands for the grid, of which it has the columns and the groups.
  const isGallery = search.kind === 'cards'
  const person = useQuery(me).data?.data.id ?? ''
  const all = useMemo(() => [...fields, ...system], [fields, system])
  const grouping = useMemo(() => (isGallery ? undefined : groupingOf(search.group, all)), [isGallery, search.group, all])
  const sort = sortOf(search.sort, grouping)
  const asked = { table: number, sort, filter, include: includeOf(fields) }
  const list = useCardLines(asked, page, grouping)
  const { document, pages } = list
  const titleOf = useTitles(
    document,
    fields,
    document?.data.map(({ attributes }) => attributes),
  )
  const total = list.total ?? 0
  const live = useLive({ table: number, filter, places: [...attributesOf(sort), ...(grouping ? [grouping.field.name] : [])] }, list.total)
  useOffered(() => {
    const places = new Map(list.lines.flatMap((line) => ('record' in line ? [[line.record.id, line.place] as const] : [])))
    return document && { ...walkOf(asked, total, 0, []), placeOf: (record) => places.get(record) }
  }, [document, page, filter, sort])
  const box = useRef<HTMLDivElement>(null)
  useSought(box, search.q)
  const goTo = (to: number, isReplace = false) => put({ page: to > 1 ? to : undefined }, isReplace)
  const picked = usePicked(asked, total)
  const writes = useMemo(() => writesOf(number), [number])
  const chosen = useChosen({
    table: table.id,
    fields,
    rows: picked.rows,
    writes,
    rights: table.meta?.access ?? {},
    filter,
    onRemoved: () => picked.turn(false),
  })

  // Records may have gone since the address was made.
  const isBeyond = document !== undefined && !list.isOld && page > pages
  useEffect(() => {
    if (isBeyond) goTo(pages, true)
  }, [isBeyond, pages])
  useEffect(
    () =>
      act('cards', {
        next: page < pages && (() => goTo(page + 1)),
        previous: page > 1 && (() => goTo(page - 1)),
        ...(grouping && {
          foldGroups: () => list.foldAll(true),
          unfoldGroups: () => list.foldAll(false),
          ungroup: () => put({ group: undefined }),
        }),
      }),
    [page, pages, filter, sort, grouping],
  )

  const rights = table.meta?.access ?? {}
  // Without the right to write several, one is changed or copied by its page.
  const mayChoose = rights['bed'] === true && ['update', 'create', 'delete'].some((right) => rights[right] === true)
  const { text, columns, onColumns } = useColumns(person, table.id, { fields: all, title, search, put })
  // Cards show nothing of what every record has besides: it stays where the grid has it.
  const choosable = [...fields, ...system.filter((one) => columns.some(({ field }) => field === one))]
  if (list.error) return <NoList error={list.error} again={list.again} />
  if (!document) return <Skeleton isCards />
  const picture = fields.find(({ type }) => type === 'image')
  const choices = fields.filter((field) => field !== picture)
  const shows = cardFields(isGallery ? search.columns : text, choices, title, isGallery)
  return (
    <>
      <ViewTools>
        {live.isOld && <ShowChanges onShow={live.refresh} />}
        {!isGallery && <ColumnsMenu {...{ columns, title, onColumns }} fields={choosable} />}
        {isGallery && <CardFieldsMenu {...{ shows, title }} fields={choices} onColumns={(next) => put({ columns: next }, true)} />}
      </ViewTools>
      {total === 0 ? (
        <NoRecords {...{ table, search, put }} />
      ) : (
        <>
          <div className="view-bar card-bar">
            {!isGallery && (
              <>
                <GroupSelect {...{ grouping }} fields={all} onGroup={(group) => put({ group })} />
                {grouping &&
                  (
                    [
                      ['foldGroups', 'chevron-right', true],
                      ['unfoldGroups', 'chevron-down', false],
                    ] as const
                  ).map(([word, icon, areFolded]) => (
                    <button
                      key={word}
                      type="button"
                      className="button square"
                      aria-label={say(word)}
                      title={say(word)}
                      onClick={() => list.foldAll(areFolded)}
                    >
                      <Icon name={icon} />
                    </button>
                  ))}
                <Totals {...{ filter, columns, onColumns }} table={number} round={list.round} />
              </>
            )}
            {mayChoose && (
              <button type="button" className="button" aria-pressed={picked.isOn} onClick={() => picked.turn(!picked.isOn)}>
                <Icon name="check" />
                <span>{say(picked.isOn ? 'done' : 'pickRecords')}</span>
              </button>
            )}
          </div>
          <div ref={box} className={`cards gallery${list.isOld ? ' is-old' : ''}`}>
            {list.lines.map((line) =>
              'head' in line ? (
                <CardGroup key={`group ${line.head.value}`} head={line.head} field={grouping!.field} onFold={list.fold} />
              ) : (
                <RecordCard
                  key={line.record.id}
                  of={{ table: table.id, title, picture, shows, titleOf, live, picked }}
                  record={line.record}
                />
              ),
            )}
          </div>
        </>
      )}
      {picked.isOn && (
        <footer className="foot picking">
          {chosen ? <ChosenRecords {...{ chosen, titleOf }} /> : <span role="status">{say('pickLead')}</span>}
          <button type="button" className="button small" onClick={() => picked.all(!picked.isAll)}>
            {picked.isAll ? say('pickNone') : say('pickAll', { count: total })}
          </button>
        </footer>
      )}
      <Foot {...{ page, pages, goTo }} total={total} now={live.total ?? total} isGrouped={grouping !== undefined} />
    </>
  )
}

/** How many records there are, and the way to the other pages. */
function Foot({
  page,
  pages,
  total,
  now,
  isGrouped,
  goTo,
}: {
  readonly page: number
  readonly pages: number
  readonly total: number
  readonly now: number
  readonly isGrouped: boolean
  goTo(page: number): void
}) {
  const say = useWords()
  const figure = (value: number) => new Intl.NumberFormat(locale()).format(value)
  return (
    <footer className="foot">
      <span role="status">
        {total === 0 || isGrouped
          ? say('records', { count: now })
          : say('range', { from: figure((page - 1) * PAGE + 1), to: figure(Math.min(page * PAGE, now)), count: now })}
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
  )
}
