import { useEffect, useMemo, useRef, useState } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Resource } from '../api/client.ts'
import { showLanes } from '../api/lanes.ts'
import { attributesOf, listed } from '../api/live-lists.ts'
import { records } from '../api/queries.ts'
import { groupsOf } from '../api/views.ts'
import { plainText, shortName } from '../fields/plain.ts'
import { useSoughtInParts } from '../fields/sought.ts'
import { includeOf } from '../fields/titles.ts'
import { both, quote } from '../filter/language.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ViewTools } from '../ui/view-tools.tsx'
import { cardFields } from './card-fields.ts'
import { CardFieldsMenu } from './card-fields-menu.tsx'
import { FigureSelect, figureAmong, numbersOf } from './figure-select.tsx'
import { FarLane, Lane } from './lane.tsx'
import { PAGE } from './lane-pages.ts'
import { useFocusAlong } from './focus-along.ts'
import { ShowChanges } from './show-changes.tsx'
import { Needs } from './needs.tsx'
import { useLive } from './use-live.ts'
import { useMoves } from './use-moves.ts'
import { useNear } from './use-near.ts'
import type { ViewProps } from './view-props.ts'

/** Records as cards in lanes, one for each option of a list; a card that is moved gets the option. */
export function Board({ table, fields, title, search, put }: ViewProps) {
  const say = useWords()
  const number = Number(table.id)
  const lists = fields.filter(({ type }) => type === 'list')
  const field = lists.find(({ name }) => name === search.group) ?? lists[0]
  // An amount is what people add up first.
  const amount = fields.find(({ type }) => type === 'decimal')
  const usual = amount ? `sum:${amount.name}` : 'count'
  const figure = figureAmong(search.figure, fields) ?? usual
  const [how, summed] = figure.split(':') as ['count' | 'sum' | 'avg', string | undefined]
  const figureOf =
    how === 'count' ? undefined : `${say(how === 'sum' ? 'figureSum' : 'figureAvg')}: ${fields.find(({ name }) => name === summed)?.title}`
  const groups = useQuery({ ...groupsOf(number, field?.name ?? '', figure, search.filter), enabled: field !== undefined })
  const byLane = useMemo(() => new Map(groups.data?.map((group) => [group.value ?? '', group])), [groups.data])
  const countOf = (lane: string) => byLane.get(lane)?.count ?? 0
  const sumOf = (lane: string) => (how === 'count' ? 0 : Number(byLane.get(lane)?.[how]?.[summed ?? ''] ?? 0))
  const lanes = field ? [...field.options.map(({ label }) => label), ''] : []
  const askedOf = (lane: string) => {
    const own = lane === '' ? `is_empty(${field?.name})` : `eq(${field?.name},${quote(lane)})`
    return { table: number, limit: PAGE, sort: search.sort, filter: both(own, search.filter), include: includeOf(fields) }
  }
  const moves = useMoves(number, field, lanes)
  const box = useRef<HTMLDivElement>(null)
  const { near, seen } = useNear(box)
  /** The lane that has the focus stays drawn, however far it is from what is in sight. */
  const [held, setHeld] = useState<string>()
  const drawn = lanes.filter((lane) => near.has(lane) || lane === held || moves.onTheWay.some(({ to }) => to === lane))
  // The same requests as those of the first cards. Nobody follows the changes of lanes that are not in sight: they are read when they come.
  const firsts = useQueries({
    queries: drawn.map((lane) => ({ ...records({ ...askedOf(lane), offset: 0 }), refetchOnMount: 'always' as const })),
  })
  const totals = new Map(drawn.map((lane, i) => [lane, firsts[i]?.data?.meta?.total]))
  const live = useLive(
    { table: number, filter: search.filter, places: [...attributesOf(search.sort), ...(field ? [field.name] : [])] },
    undefined,
  )
  useEffect(() => {
    const byFilter = new Map(lanes.map((lane) => [askedOf(lane).filter, lane]))
    if (field) return showLanes({ table: number, attribute: field.name, laneOf: (filter) => byFilter.get(filter) })
  }, [number, field?.name, lanes.join('\n'), search.filter])
  useFocusAlong()
  useSoughtInParts(box, search.q, field !== undefined)
  if (!field) return <Needs table={table.id} words={say('boardNoList')} />
  // Cards beyond those that are shown may have gone to another lane.
  const isOld = live.isOld || (live.total !== undefined && groups.isSuccess && moves.onTheWay.length === 0 && drawn.some((lane, i) => !firsts[i]?.isFetching && totals.get(lane) !== undefined && totals.get(lane) !== countOf(lane))) // prettier-ignore
  const choices = fields.filter((one) => one !== field)
  const shows = cardFields(search.columns, choices, title)
  const mayAdd = table.meta?.access?.['create'] === true && field.maySet
  const mayMove = table.meta?.access?.['update'] === true && field.maySet
  const nameOf = (record: Resource) =>
    (title && shortName(plainText(title, record.attributes[title.name]))) || say('record', { id: record.id })
  const onMove = (record: Resource, to: string) => moves.move(record, to, { card: nameOf(record), name: to || say('noOption') })
  const comingTo = (lane: string) =>
    moves.onTheWay.flatMap(({ record, to }) => (to === lane && !listed(number, record.id, askedOf(lane).filter) ? [record] : []))
  return (
    <>
      <ViewTools>
        {isOld && <ShowChanges onShow={live.refresh} />}
        <CardFieldsMenu {...{ shows, title }} fields={choices} onColumns={(columns) => put({ columns }, true)} />
      </ViewTools>
      <div className="view-bar">
        {lists.length > 1 && (
          <Select name={say('groupBy')} value={field.name} onChoose={(group) => put({ group })}>
            {lists.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </Select>
        )}
        {numbersOf(fields).length > 0 && (
          <FigureSelect {...{ fields, figure }} onFigure={(one) => put({ figure: one === usual ? undefined : one })} />
        )}
      </div>
      {groups.error && <Trouble error={groups.error} again={() => void groups.refetch()} />}
      <div
        ref={box}
        className="board"
        tabIndex={0}
        role="region"
        aria-label={say('kindBoard')}
        onFocus={({ target }) => setHeld(target.closest<HTMLElement>('[data-lane]')?.dataset['lane'])}
      >
        {lanes.map((lane) =>
          seen.has(lane) || totals.has(lane) ? (
            <Lane
              key={lane}
              of={{ number, fields, shows, title, field, lane, lanes, mayMove, mayAdd, moves, live, onMove }}
              isNear={totals.has(lane)}
              shared={askedOf(lane)}
              total={totals.get(lane) ?? countOf(lane)}
              count={countOf(lane)}
              sum={figureOf === undefined ? undefined : { of: figureOf, is: sumOf(lane) }}
              coming={totals.has(lane) ? comingTo(lane) : []}
            />
          ) : (
            <FarLane key={lane} {...{ field, lane }} count={countOf(lane)} sumOf={figureOf} sum={sumOf(lane)} />
          ),
        )}
      </div>
    </>
  )
}
