import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Resource } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import { records } from '../api/queries.ts'
import { changed, saveRecord } from '../api/records.ts'
import { didChange } from '../api/undo.ts'
import { groupsOf } from '../api/views.ts'
import type { Field } from '../fields/field.ts'
import { Label } from '../fields/labels.tsx'
import { includeOf, useTitles } from '../fields/titles.ts'
import { showStill } from '../fields/types.ts'
import { both, quote } from '../filter/language.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import type { ViewProps } from './view-props.ts'

/** Cards of a lane that come at once. */
const PAGE = 50
/** Lines of a card besides its title. */
const LINES = 3

/** Records as cards in lanes, one for each option of a list; a card that is moved gets the option. */
export function Board({ table, fields, title, search, put }: ViewProps) {
  const say = useWords()
  const trouble = useTrouble()
  const number = Number(table.id)
  const lists = fields.filter(({ type }) => type === 'list')
  const field = lists.find(({ name }) => name === search.group) ?? lists[0]
  const groups = useQuery({ ...groupsOf(number, field?.name ?? '', 'count', search.filter), enabled: field !== undefined })
  // Cards that are on their way are shown where they go.
  const [moved, setMoved] = useState<ReadonlyMap<string, string>>(new Map())
  if (!field)
    return (
      <section className="empty">
        <h2>{say('boardNoList')}</h2>
      </section>
    )
  const mayMove = table.meta?.access?.['update'] === true && field.maySet
  const move = (record: Resource, to: string) => {
    const before = String(record.attributes[field.name] ?? '')
    if (before === to) return
    setMoved((now) => new Map(now).set(record.id, to))
    const written = saveRecord(number, record.id, { [field.name]: to }, undefined)
    didChange(number, record.id, field.name, written.then(() => to).catch(() => undefined)) // prettier-ignore
    written
      .then(() =>
        toast(
          say('cardMoved', { name: to || say('noOption') }),
          () => void saveRecord(number, record.id, { [field.name]: before }, undefined).then(() => changed(number)),
        ),
      )
      .catch((error: unknown) => toast(say('nothingWritten', { detail: trouble(error) })))
      .then(() => changed(number))
      .finally(() => setMoved((now) => new Map([...now].filter(([id]) => id !== record.id))))
      .catch(() => undefined)
  }
  const lanes = [...field.options.map(({ label }) => label), '']
  return (
    <>
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
        {lanes.map((lane) => (
          <Lane
            key={lane}
            {...{ number, fields, title, field, lane, lanes, mayMove, moved }}
            count={groups.data?.find(({ value }) => (value ?? '') === lane)?.count ?? 0}
            filter={search.filter}
            sort={search.sort}
            onMove={move}
          />
        ))}
      </div>
    </>
  )
}

function Lane({
  number,
  fields,
  title,
  field,
  lane,
  lanes,
  count,
  filter,
  sort,
  mayMove,
  moved,
  onMove,
}: {
  readonly number: number
  readonly fields: readonly Field[]
  readonly title: Field | undefined
  readonly field: Field
  readonly lane: string
  readonly lanes: readonly string[]
  readonly count: number
  readonly filter: string | undefined
  readonly sort: string | undefined
  readonly mayMove: boolean
  readonly moved: ReadonlyMap<string, string>
  onMove(record: Resource, to: string): void
}) {
  const say = useWords()
  const [pages, setPages] = useState(1)
  const [isOver, setOver] = useState(false)
  const own = lane === '' ? `is_empty(${field.name})` : `eq(${field.name},${quote(lane)})`
  const shared = { table: number, limit: PAGE, sort, filter: both(own, filter), include: includeOf(fields) }
  const list = useQuery({ ...records({ ...shared, offset: 0 }), placeholderData: (before) => before })
  const titleOf = useTitles(
    list.data,
    fields,
    list.data?.data.map(({ attributes }) => attributes),
  )
  const here = (list.data?.data ?? []).filter(({ id }) => (moved.get(id) ?? lane) === lane)
  const others = fields.filter((one) => one !== title && one !== field)
  const name = lane === '' ? say('noOption') : lane
  const drop = (data: string) => {
    const record = JSON.parse(data) as Resource
    onMove(record, lane)
  }
  return (
    <section
      className={`lane${isOver ? ' is-over' : ''}`}
      aria-label={name}
      onDragOver={(event) => {
        if (!mayMove) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={({ dataTransfer }) => {
        setOver(false)
        const data = dataTransfer.getData('application/json')
        if (mayMove && data !== '') drop(data)
      }}
    >
      <header>
        <h2>{lane === '' ? <span className="quiet">{name}</span> : <Label field={field} text={lane} />}</h2>
        <span className="quiet">{new Intl.NumberFormat(locale()).format(count)}</span>
      </header>
      <ul>
        {here.map((record) => (
          <li
            key={record.id}
            className="card"
            draggable={mayMove}
            onDragStart={({ dataTransfer }) => dataTransfer.setData('application/json', JSON.stringify(record))}
          >
            <div className="row">
              <Link className="grow cut" to="/t/$table/$record" params={{ table: String(number), record: record.id }}>
                {(title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })}
              </Link>
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
                  <span className="quiet">{one.title}: </span>
                  {value}
                </span>
              ))}
          </li>
        ))}
      </ul>
      {pages > 1 &&
        Array.from({ length: pages - 1 }, (_, i) => <More key={i} {...{ shared, number, title, fields }} offset={(i + 1) * PAGE} />)}
      {(list.data?.meta?.total ?? 0) > pages * PAGE && (
        <button type="button" className="button" onClick={() => setPages(pages + 1)}>
          {say('showMore')}
        </button>
      )}
    </section>
  )
}

/** Further cards of a lane. They are moved in their record, or when they have come to the top. */
function More({
  shared,
  offset,
  number,
  title,
  fields,
}: {
  readonly shared: Omit<Parameters<typeof records>[0], 'offset'>
  readonly offset: number
  readonly number: number
  readonly title: Field | undefined
  readonly fields: readonly Field[]
}) {
  const say = useWords()
  const list = useQuery(records({ ...shared, offset }))
  const titleOf = useTitles(list.data, fields)
  return (
    <ul>
      {(list.data?.data ?? []).map((record) => (
        <li key={record.id} className="card">
          <Link className="cut" to="/t/$table/$record" params={{ table: String(number), record: record.id }}>
            {(title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })}
          </Link>
        </li>
      ))}
    </ul>
  )
}
