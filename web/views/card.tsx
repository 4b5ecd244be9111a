import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Resource } from '../api/client.ts'
import type { Live } from '../api/live-lists.ts'
import { isBarred } from '../api/record-rights.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { soughtIn } from '../fields/sought.ts'
import { showStill } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { RecordLink } from '../ui/record-link.tsx'
import type { CardFields } from './card-fields.ts'
import { CardLines } from './card-lines.tsx'
import { drag } from './dragged.ts'
import { marksOf, Why } from './marks.tsx'
import { MoveState } from './move-state.tsx'
import type { Moves } from './use-moves.ts'

/** What all cards of a lane have in common. */
export interface CardOf {
  readonly number: number
  readonly title: Field | undefined
  readonly fields: readonly Field[]
  /** Those that the cards show. */
  readonly shows: CardFields
  /** The list by whose options the lanes are. */
  readonly field: Field
  readonly lane: string
  readonly lanes: readonly string[]
  readonly mayMove: boolean
  readonly mayAdd: boolean
  readonly moves: Moves
  readonly live: Live
  onMove(record: Resource, to: string): void
}

/** A card of a lane of a board. `at`: its place; undefined: it is on its way there. */
export function Card({
  of,
  record,
  titleOf,
  at,
  total,
}: {
  readonly of: CardOf
  readonly record: Resource
  readonly titleOf: TitleOf
  readonly at?: number
  /** Of the cards of the lane. */
  readonly total?: number
}) {
  const say = useWords()
  const { number, title, fields, field, lane, lanes, moves, live, onMove } = of
  const mayMove = of.mayMove && !isBarred(record, 'update')
  const now = String(record.attributes[field.name] ?? '')
  const elsewhere = now === lane || moves.whereTo(record.id) !== undefined ? undefined : now || say('noOption')
  return (
    <li
      role="listitem"
      data-at={at}
      aria-posinset={at === undefined ? undefined : at + 1}
      aria-setsize={total}
      className={marksOf('card', live, record.id, elsewhere !== undefined)}
      draggable={mayMove}
      onDragStart={({ dataTransfer }) => {
        moves.begin(record.id)
        drag(dataTransfer, number, record)
      }}
    >
      <div className="row">
        <RecordLink className="grow cut" table={String(number)} record={record.id} data-sought={title && soughtIn(title)}>
          {(title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })}
        </RecordLink>
        {mayMove && (
          <MenuTrigger onOpenChange={(isOpen) => isOpen && moves.begin(record.id)}>
            <Button className="button square small" aria-label={say('moveCard', { id: record.id })}>
              <Icon name="more" />
            </Button>
            <Popover placement="bottom end">
              <Lanes {...{ lanes, lane }} onChoose={(to) => onMove(record, to)} />
            </Popover>
          </MenuTrigger>
        )}
      </div>
      <CardLines shows={of.shows} {...{ record, titleOf }} />
      <Why {...{ live }} record={record.id} elsewhere={elsewhere} />
      <MoveState {...{ fields, field, titleOf, moves }} record={record.id} />
    </li>
  )
}

/** Where a card may go. Of a thousand lanes nothing is made before somebody opens it. */
function Lanes({ lanes, lane, onChoose }: Pick<CardOf, 'lanes' | 'lane'> & { onChoose(to: string): void }) {
  const say = useWords()
  return (
    <Menu className="menu" aria-label={say('moveTo')} onAction={(to) => onChoose(String(to).slice(1))}>
      {lanes
        .filter((one) => one !== lane)
        .map((one) => (
          <MenuItem key={one} id={`=${one}`} className="menu-item" textValue={one || say('noOption')}>
            <Icon name="chevron-right" />
            <span className="cut">{one || say('noOption')}</span>
          </MenuItem>
        ))}
    </Menu>
  )
}

/** Cards that are on their way to a lane, above those that it has. */
export function Coming({ of, records }: { readonly of: CardOf; readonly records: readonly Resource[] }) {
  return (
    <ul role="presentation">
      {records.map((record) => (
        <Card key={record.id} {...{ of, record }} titleOf={() => undefined} />
      ))}
    </ul>
  )
}
