import { useQuery } from '@tanstack/react-query'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Resource } from '../api/client.ts'
import type { Live } from '../api/live-lists.ts'
import { records } from '../api/queries.ts'
import type { Field } from '../fields/field.ts'
import { useTitles } from '../fields/titles.ts'
import { showStill } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { RecordLink } from '../ui/record-link.tsx'
import { useOffered, walkOf } from '../ui/walk.ts'
import { marksOf, Why } from './marks.tsx'

/** Lines of a card besides its title. */
const LINES = 3

/** Some cards of a lane of a board: one page of its records. */
export function LaneCards({
  asked,
  number,
  title,
  fields,
  field,
  lane,
  lanes,
  mayMove,
  moved,
  live,
  onMove,
  page,
  total,
  height,
  isAsked,
  show,
}: {
  readonly asked: Parameters<typeof records>[0]
  readonly number: number
  readonly title: Field | undefined
  readonly fields: readonly Field[]
  /** The list by whose options the lanes are. */
  readonly field: Field
  readonly lane: string
  readonly lanes: readonly string[]
  readonly mayMove: boolean
  /** Where cards go that are on their way, by their ids. */
  readonly moved: ReadonlyMap<string, string>
  readonly live: Live
  onMove(record: Resource, to: string): void
  readonly page: number
  /** Of the cards of the lane. */
  readonly total: number
  /** Pixels, until they have come. */
  readonly height: number
  /** Whether they are asked for. */
  readonly isAsked: boolean
  show(place: number): void
}) {
  const say = useWords()
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
    fields,
    list.data?.data.map(({ attributes }) => attributes),
  )
  const here = (list.data?.data ?? []).flatMap((record, i) =>
    (moved.get(record.id) ?? lane) === lane ? { record, at: asked.offset + i } : [],
  )
  const nowIn = (record: Resource) => {
    const now = String(record.attributes[field.name] ?? '')
    return now === lane ? undefined : now || say('noOption')
  }
  const others = fields.filter((one) => one !== title && one !== field)
  if (list.error && !list.data) return <Trouble error={list.error} again={() => void list.refetch()} />
  if (!list.data) return <div className="lane-wait" role="presentation" aria-busy="true" data-page={page} style={{ height }} />
  return (
    <ul role="presentation" data-page={page}>
      {here.map(({ record, at }) => (
        <li
          key={record.id}
          role="listitem"
          data-at={at}
          aria-posinset={at + 1}
          aria-setsize={total}
          className={marksOf('card', live, record.id, nowIn(record) !== undefined)}
          draggable={mayMove}
          onDragStart={({ dataTransfer }) => dataTransfer.setData('application/json', JSON.stringify(record))}
        >
          <div className="row">
            <RecordLink className="grow cut" table={String(number)} record={record.id}>
              {(title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })}
            </RecordLink>
            {mayMove && (
              <MenuTrigger>
                <Button className="button square small" aria-label={say('moveCard', { id: record.id })}>
                  <Icon name="more" />
                </Button>
                <Popover placement="bottom end">
                  <Menu className="menu" aria-label={say('moveTo')} onAction={(to) => onMove(record, String(to).slice(1))}>
                    {lanes
                      .filter((one) => one !== lane)
                      .map((one) => (
                        <MenuItem key={one} id={`=${one}`} className="menu-item" textValue={one || say('noOption')}>
                          <Icon name="chevron-right" />
                          <span className="cut">{one || say('noOption')}</span>
                        </MenuItem>
                      ))}
                  </Menu>
                </Popover>
              </MenuTrigger>
            )}
          </div>
          {others
            .flatMap((one) => {
              const value = showStill(one, record.attributes[one.name], titleOf)
              return value === null || value === '' ? [] : [{ one, value }]
            })
            .slice(0, LINES)
            .map(({ one, value }) => (
              <span key={one.id} className="cut">
                <span className="quiet">
                  <bdi>{one.title}</bdi>:{' '}
                </span>
                {value}
              </span>
            ))}
          <Why {...{ live }} record={record.id} elsewhere={nowIn(record)} />
        </li>
      ))}
    </ul>
  )
}
