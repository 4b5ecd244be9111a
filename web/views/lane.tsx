import { Fragment, memo, useRef, useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import type { records } from '../api/queries.ts'
import type { Field } from '../fields/field.ts'
import { Label } from '../fields/labels.tsx'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Coming, type CardOf } from './card.tsx'
import { droppedOf, isCard } from './dragged.ts'
import { LaneCards } from './lane-cards.tsx'
import { heightOf, PAGE, topOf, wholeOf } from './lane-pages.ts'
import { useLane } from './use-lane.ts'

/** A sum in a head: short where it is large, and four digits of a small one. */
const shortSum = (sum: number): string =>
  new Intl.NumberFormat(
    locale(),
    Math.abs(sum) < 1 ? { maximumSignificantDigits: 4 } : { notation: 'compact', maximumFractionDigits: 2 },
  ).format(sum)

/** In place of cards that are not drawn. */
const Gap = ({ height }: { readonly height: number }) => (height > 0 ? <div role="presentation" style={{ height }} /> : null)

/** A figure of its records. `of`: what it is, in words. */
export interface LaneSum {
  readonly of: string
  readonly is: number
}

/** Its name, how many records it has, and a figure of them. */
function LaneHead({
  field,
  lane,
  count,
  sum,
  mayAdd = false,
}: {
  readonly field: Field
  readonly lane: string
  readonly count: number
  readonly sum: LaneSum | undefined
  readonly mayAdd?: boolean
}) {
  const say = useWords()
  const newHere = say('newIn', { name: lane || say('noOption') })
  return (
    <header>
      <h2>{lane === '' ? <span className="quiet">{say('noOption')}</span> : <Label field={field} text={lane} />}</h2>
      <span className="quiet num">{new Intl.NumberFormat(locale()).format(count)}</span>
      {sum && count > 0 && (
        <span className="num push" title={`${sum.of} ${new Intl.NumberFormat(locale()).format(sum.is)}`}>
          <span className="said">{sum.of} </span>
          {shortSum(sum.is)}
        </span>
      )}
      {mayAdd && (
        <Link
          className="button square small"
          to="/t/$table/new"
          params={{ table: String(field.table) }}
          search={(lane === '' ? {} : { [field.name]: lane }) as never}
          aria-label={newHere}
          title={newHere}
        >
          <Icon name="plus" size="s" />
        </Link>
      )}
    </header>
  )
}

/** A lane that has never been in sight: of its cards nothing is read. */
export const FarLane = memo(function FarLane({
  field,
  lane,
  count,
  sumOf,
  sum,
}: {
  readonly field: Field
  readonly lane: string
  readonly count: number
  readonly sumOf: string | undefined
  readonly sum: number
}) {
  const say = useWords()
  return (
    <section className="lane" aria-label={lane || say('noOption')} data-lane={lane}>
      <LaneHead {...{ field, lane, count }} sum={sumOf === undefined ? undefined : { of: sumOf, is: sum }} />
    </section>
  )
})

/** A lane of a board. It is as high as all of its cards, of which those near the window are drawn. */
export function Lane({
  of,
  isNear,
  count,
  sum,
  shared,
  total,
  coming,
}: {
  readonly of: CardOf
  /** Whether it is in sight or beside it: otherwise its cards are neither drawn nor read. */
  readonly isNear: boolean
  readonly count: number
  readonly sum: LaneSum | undefined
  /** What its cards are, without their places. */
  readonly shared: Omit<Parameters<typeof records>[0], 'offset'>
  /** Of its cards when they were read. */
  readonly total: number
  /** Cards that are on their way to it. */
  readonly coming: readonly Resource[]
}) {
  const say = useWords()
  const { number, field, lane, mayMove, onMove } = of
  const box = useRef<HTMLElement>(null)
  const { heights, drawn, isLeaping, show, onKeyDown, onFocus } = useLane(box, total, isNear)
  const [isOver, setOver] = useState(false)
  const hasCards = total > 0 || coming.length > 0
  const name = lane === '' ? say('noOption') : lane
  return (
    <section
      ref={box}
      className={`lane${isOver ? ' is-over' : ''}`}
      aria-label={name}
      data-lane={lane}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => onFocus(target)}
      onDragOver={(event) => {
        if (!mayMove || !isCard(event.dataTransfer)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={({ dataTransfer }) => {
        setOver(false)
        const record = droppedOf(dataTransfer, number)
        if (mayMove && record) onMove(record, lane)
      }}
    >
      <LaneHead {...{ field, lane, count, sum }} mayAdd={of.mayAdd} />
      <div className="lane-list" role={hasCards ? 'list' : undefined} aria-label={hasCards ? name : undefined}>
        {coming.length > 0 && <Coming {...{ of }} records={coming} />}
        {drawn.map((page, i) => (
          <Fragment key={page}>
            <Gap height={topOf(page, heights) - topOf(i === 0 ? 0 : drawn[i - 1]! + 1, heights)} />
            <LaneCards
              {...{ of, page, total, show }}
              asked={{ ...shared, offset: page * PAGE }}
              height={heightOf(page, heights)}
              isAsked={!isLeaping}
            />
          </Fragment>
        ))}
        <Gap height={wholeOf(heights) - topOf((drawn.at(-1) ?? -1) + 1, heights)} />
      </div>
    </section>
  )
}
