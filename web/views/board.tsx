import { useQueries, useQuery } from '@tanstack/react-query'
import type { Document, Resource } from '../api/client.ts'
import { attributesOf, listed } from '../api/live-lists.ts'
import { records } from '../api/queries.ts'
import { groupsOf } from '../api/views.ts'
import { plainText, shortName } from '../fields/plain.ts'
import { includeOf } from '../fields/titles.ts'
import { both, quote } from '../filter/language.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ViewTools } from '../ui/view-tools.tsx'
import { Lane } from './lane.tsx'
import { PAGE } from './lane-pages.ts'
import { useFocusAlong } from './focus-along.ts'
import { ShowChanges } from './show-changes.tsx'
import { Needs } from './needs.tsx'
import { useLive } from './use-live.ts'
import { useMoves } from './use-moves.ts'
import type { ViewProps } from './view-props.ts'

/** Records as cards in lanes, one for each option of a list; a card that is moved gets the option. */
export function Board({ table, fields, title, search, put }: ViewProps) {
  const say = useWords()
  const number = Number(table.id)
  const lists = fields.filter(({ type }) => type === 'list')
  const field = lists.find(({ name }) => name === search.group) ?? lists[0]
  // An amount is what people add up first.
  const amount = fields.find(({ type }) => type === 'decimal')
  const figure = amount ? `sum:${amount.name}` : 'count'
  const groups = useQuery({ ...groupsOf(number, field?.name ?? '', figure, search.filter), enabled: field !== undefined })
  const groupOf = (lane: string) => groups.data?.find(({ value }) => (value ?? '') === lane)
  const lanes = field ? [...field.options.map(({ label }) => label), ''] : []
  const askedOf = (lane: string) => {
    const own = lane === '' ? `is_empty(${field?.name})` : `eq(${field?.name},${quote(lane)})`
    return { table: number, limit: PAGE, sort: search.sort, filter: both(own, search.filter), include: includeOf(fields) }
  }
  // The same requests as those of the first cards.
  const totals = useQueries({ queries: lanes.map((lane) => ({ ...records({ ...askedOf(lane), offset: 0 }), placeholderData: (before: Document<readonly Resource[]> | undefined) => before })) }).map(({ data }) => data?.meta?.total) // prettier-ignore
  const read = totals.includes(undefined) ? undefined : totals.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  const live = useLive(
    { table: number, filter: search.filter, places: [...attributesOf(search.sort), ...(field ? [field.name] : [])] },
    read,
  )
  const moves = useMoves(number, field, lanes)
  useFocusAlong()
  if (!field) return <Needs table={table.id} words={say('boardNoList')} />
  // Cards beyond those that are shown may have gone to another lane.
  const isOld = live.isOld || (live.total !== undefined && groups.isSuccess && moves.onTheWay.length === 0 && lanes.some((lane, i) => totals[i] !== undefined && totals[i] !== (groupOf(lane)?.count ?? 0))) // prettier-ignore
  const mayMove = table.meta?.access?.['update'] === true && field.maySet
  const nameOf = (record: Resource) =>
    (title && shortName(plainText(title, record.attributes[title.name]))) || say('record', { id: record.id })
  const onMove = (record: Resource, to: string) => moves.move(record, to, { card: nameOf(record), name: to || say('noOption') })
  const comingTo = (lane: string) =>
    moves.onTheWay.flatMap(({ record, to }) => (to === lane && !listed(number, record.id, askedOf(lane).filter) ? [record] : []))
  return (
    <>
      <ViewTools>{isOld && <ShowChanges onShow={live.refresh} />}</ViewTools>
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
      </div>
      {groups.error && <Trouble error={groups.error} again={() => void groups.refetch()} />}
      <div className="board" tabIndex={0} role="region" aria-label={say('kindBoard')}>
        {lanes.map((lane, i) => (
          <Lane
            key={lane}
            of={{ number, fields, title, field, lane, lanes, mayMove, moves, live, onMove }}
            shared={askedOf(lane)}
            total={totals[i] ?? 0}
            count={groupOf(lane)?.count ?? 0}
            sum={amount && { of: amount.title, is: Number(groupOf(lane)?.sum?.[amount.name] ?? 0) }}
            coming={comingTo(lane)}
          />
        ))}
      </div>
    </>
  )
}
