import { useQuery } from '@tanstack/react-query'
import { records } from '../api/queries.ts'
import { useTitles } from '../fields/titles.ts'
import { Trouble } from '../ui/trouble.tsx'
import { useOffered, walkOf } from '../ui/walk.ts'
import { Card, type CardOf } from './card.tsx'

/** Some cards of a lane of a board: one page of its records. */
export function LaneCards({
  asked,
  of,
  page,
  total,
  height,
  isAsked,
  show,
}: {
  readonly asked: Parameters<typeof records>[0]
  readonly of: CardOf
  readonly page: number
  /** Of the cards of the lane. */
  readonly total: number
  /** Pixels, until they have come. */
  readonly height: number
  /** Whether they are asked for. */
  readonly isAsked: boolean
  show(place: number): void
}) {
  const list = useQuery({
    ...records(asked),
    placeholderData: (before) => before,
    enabled: isAsked,
    // Nobody follows the changes of cards that are not drawn.
    refetchOnMount: asked.offset === 0 ? true : 'always',
  })
  useOffered(() => {
    const ids = list.data?.data.map(({ id }) => id)
    return ids && { ...walkOf(asked, list.data?.meta?.total ?? ids.length, asked.offset, ids), show }
  }, [list.data])
  const titleOf = useTitles(
    list.data,
    of.fields,
    list.data?.data.map(({ attributes }) => attributes),
  )
  const here = (list.data?.data ?? []).flatMap((record, i) =>
    (of.moves.whereTo(record.id) ?? of.lane) === of.lane ? { record, at: asked.offset + i } : [],
  )
  if (list.error && !list.data) return <Trouble error={list.error} again={() => void list.refetch()} />
  if (!list.data) return <div className="lane-wait" role="presentation" aria-busy="true" data-page={page} style={{ height }} />
  return (
    <ul role="presentation" data-page={page}>
      {here.map(({ record, at }) => (
        <Card key={record.id} {...{ of, record, titleOf, at, total }} />
      ))}
    </ul>
  )
}
