import { useRef, type ClipboardEvent } from 'react'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { locale } from '../api/preferences.ts'
import type { Resource } from '../api/client.ts'
import { foresee } from '../api/foreseen.ts'
import { keepTyped, typedAt, typedIn } from '../api/typed.ts'
import { decide as settle } from '../api/outbox.ts'
import type { RecordPages } from '../api/pages.ts'
import { isBarred } from '../api/record-rights.ts'
import { isSame } from '../api/write-queue.ts'
import { nowHere } from '../fields/dates.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { copyText } from '../ui/copy.ts'
import { useTrouble } from '../ui/trouble.tsx'
import { fromTsv, MOST_ROWS, pastedBeyond, toHtml, toTsv } from './clipboard.ts'
import type { Column } from './columns.ts'
import { filled } from './filled.ts'
import type { Doing, Editing } from './props.ts'
import { allowed, asRead, MOST_NAMED, passedOver, pasted, type Copied, type PastedCell, type Pending } from './pasting.ts'
import { withNamed } from './naming.ts'
import { at, rangeOf, sizeOf, within, type Range, type Selection } from './selection.ts'
import type { CellStates } from './states.ts'
import { usePending } from './use-pending.ts'
import type { Put, Writes } from './writes.ts'

/** What the keys and the mouse do in the records of a list. */
export function useDoing({
  table,
  columns,
  pages,
  states,
  writes,
  titleOf,
  rights,
  selection,
  onSelect,
  onEdit,
  onOpen,
}: {
  readonly table: number
  readonly columns: readonly Column[]
  readonly pages: RecordPages
  readonly states: CellStates
  readonly writes: Writes
  readonly titleOf: TitleOf
  /** Of the person on the table. */
  readonly rights: Readonly<Record<string, boolean>>
  readonly selection: Selection
  onSelect(selection: Selection): void
  onEdit(editing: Editing | undefined): void
  onOpen(record: string): void
}): { readonly doing: Doing; readonly pending: Pending | undefined; decide(isWanted: boolean): void } {
  const say = useWords()
  const trouble = useTrouble()
  const copied = useRef<Copied>(undefined)
  const rows = pages.total ?? 0
  const bounds = { rows, cols: columns.length, screen: 1 }
  const current = within(selection, bounds)
  const range = rangeOf(current)
  const mayUpdate = rights['update'] === true
  const context = () => ({ locale: locale(), now: nowHere() })
  const isSettable = (field: Field | undefined): field is Field =>
    mayUpdate && field !== undefined && field.maySet && typeOf(field).Editor !== undefined
  const textOf = (record: Resource, field: Field): string => String(states.value(record, field.name) ?? '')
  const putOf = (record: Resource, field: Field, value: unknown): Put => ({
    record: record.id,
    attribute: field.name,
    value,
    before: record.attributes[field.name],
  })

  const { pending, ask, write, decide } = usePending({ columns, pages, states, writes, rights, range })

  /** The records of a range, or why not all of them. */
  async function recordsIn({ top, bottom }: Range): Promise<readonly Resource[] | undefined> {
    if (bottom - top >= MOST_ROWS) return void toast(say('tooManyRows', { count: MOST_ROWS }))
    try {
      return await pages.read(top, bottom)
    } catch (error) {
      return void toastRefusal(trouble(error))
    }
  }

  const barredOf = (records: readonly Resource[]): ReadonlySet<string> =>
    new Set(records.flatMap((record) => (isBarred(record, 'update') ? [record.id] : [])))

  function edit(row: number, col: number, initial?: string): void {
    const record = pages.record(row)
    const field = columns[col]?.field
    if (!record) return
    if (field && (field.type === 'file' || field.type === 'image')) return onOpen(record.id)
    if (!isSettable(field) || isBarred(record, 'update')) return toast(say('notYours'))
    if (field.type === 'boolean') {
      const before = textOf(record, field)
      const read = initial === undefined || initial === '' ? undefined : typeOf(field).read(initial, field, context())
      return put(record, field, read && 'value' in read ? read.value : before === '1' ? '0' : '1')
    }
    foresee(table, record.id)
    onSelect(at(row, col))
    const place = typedAt(field, record.id)
    // What is typed over a value is a new beginning.
    if (initial !== undefined) keepTyped(place, undefined)
    const { shown, held } = typedIn(place) ?? { shown: states.value(record, field.name), held: record.attributes[field.name] }
    onEdit({ record, field, row, initial, before: held, shown })
  }

  function put(record: Resource, field: Field, value: unknown): void {
    const before = record.attributes[field.name]
    if (value === (states.value(record, field.name) ?? before)) return
    writes.put({ record: record.id, attribute: field.name, value, before, hasTwo: field.type === 'boolean' })
  }

  function commit(
    { record, field, row, before, shown }: Editing,
    value: unknown,
    move: 'down' | 'up' | 'next' | 'previous' | undefined,
  ): void {
    const col = columns.findIndex((one) => one.field.id === field.id)
    onEdit(undefined)
    if (move === 'down' || move === 'up') onSelect(within(at(Math.max(0, row + (move === 'down' ? 1 : -1)), col), bounds))
    if (move === 'next' || move === 'previous') {
      const next = col + (move === 'next' ? 1 : -1)
      const isBeside = next >= 0 && next < columns.length
      const other = move === 'next' ? at(row + 1, 0) : at(Math.max(0, row - 1), columns.length - 1)
      onSelect(within(isBeside ? at(row, next) : other, bounds))
    }
    // Nothing was changed: what others have written meanwhile stays.
    if (value === shown) return
    // What was on its way when the editor was opened may have come since: nobody else has written it, and the record of then is older.
    const now = pages.record(pages.placeOf(record.id) ?? -1)?.attributes[field.name]
    writes.put({ record: record.id, attribute: field.name, value, before: isSame(now, shown) ? now : before })
  }

  function answer(id: string, field: Field, keep: boolean): void {
    const state = states.of(id)?.get(field.name)
    if (settle(table, id, field.name, keep)) return
    const record = pages.record(pages.placeOf(id) ?? -1)
    states.put(id, field.name, undefined)
    if (keep && record && state && 'value' in state) put(record, field, state.value)
  }

  /** `of`: those that have been read. */
  async function empty(of?: readonly Resource[]): Promise<void> {
    const records = of ?? (await recordsIn(range))
    const fields = columns.slice(range.left, range.right + 1).flatMap(({ field }) => (isSettable(field) ? [field] : []))
    if (!records) return
    const barred = barredOf(records)
    if (records.length === 1 && fields.length === 1 && barred.size === 0) return put(records[0]!, fields[0]!, '')
    const cells = records.flatMap((record) => fields.flatMap((field) => (textOf(record, field) === '' ? [] : [putOf(record, field, '')])))
    const { puts, left } = allowed(cells, barred)
    await write(puts, [], left)
  }

  /** What the records of `to` that are not in `from` get, by their columns. */
  async function fillFrom(from: Range, to: Range): Promise<void> {
    const top = Math.min(from.top, to.top)
    const there = await recordsIn({ ...to, top, bottom: Math.max(from.bottom, to.bottom) })
    if (!there) return
    const fields = columns.map(({ field }) => field)
    const readAs = (record: Resource, one: Field, other: Field) => {
      const text = textOf(record, one)
      return asRead(text === '' ? '' : typeOf(one).toText(text, one, titleOf, context()), other, context())
    }
    const cells = filled(from, to, there, fields, textOf, readAs)
    onSelect({ at: { row: to.top, col: to.left }, to: { row: to.bottom, col: to.right } })
    const placed = cells.filter(({ field }) => isSettable(field))
    const over = new Set(cells.filter(({ field }) => !isSettable(field)).map(({ field }) => field.title))
    if (placed.length > 0 && over.size > 0) toast(say('filledOver', { names: [...over].join(', ') }))
    if (cells.length > 0) await placeNamed(placed, (named) => putCells(named, there, top))
  }

  /** Where two rows or columns begin a series, it goes on through the others of the range. */
  function fillOn(): void {
    const { rows: down, cols: aside } = sizeOf(range)
    if (range.top < 0 || (down < 3 && aside < 3)) return toast(say('fillSeriesHow'))
    void fillFrom(down < 3 ? { ...range, right: range.left + 1 } : { ...range, bottom: range.top + 1 }, range)
  }

  /** The records that are on the clipboard; undefined: nothing is, and it is said why. */
  async function copy(event: ClipboardEvent, refused: Message = 'cannotCopySoMany'): Promise<readonly Resource[] | undefined> {
    if ((event.target as HTMLElement).closest('.cell.edit, .bubble')) return undefined
    event.preventDefault()
    const fields = columns.slice(range.left, range.right + 1).map(({ field }) => field)
    const take = (records: readonly Resource[]) => {
      const values = records.map((record) => fields.map((field) => textOf(record, field)))
      const texts = values.map((row) =>
        row.map((text, i) => (text === '' ? '' : typeOf(fields[i]!).toText(text, fields[i]!, titleOf, context()))),
      )
      copied.current = { text: toTsv(texts), fields, values }
      return texts
    }
    if (range.bottom - range.top < MOST_ROWS && pages.has(range.top, range.bottom)) {
      const records = Array.from({ length: range.bottom - range.top + 1 }, (_, i) => pages.record(range.top + i)).filter(
        (one) => one !== undefined,
      )
      const texts = take(records)
      event.clipboardData.setData('text/plain', toTsv(texts))
      event.clipboardData.setData('text/html', toHtml(texts))
      if (records.length > 1) toast(say('copied', { count: records.length }))
      return records
    }
    // The browser wants the text at once unless it is asked for as a promise, which it allows to secure pages alone.
    const records = await recordsIn(range)
    if (!records) return undefined
    const texts = take(records)
    const isCopied = await copyText(toTsv(texts), toHtml(texts))
    toast(isCopied ? say('copied', { count: records.length }) : say(refused))
    return isCopied ? records : undefined
  }

  function paste(event: ClipboardEvent): void {
    if ((event.target as HTMLElement).closest('.cell.edit, .bubble')) return
    event.preventDefault()
    const text = event.clipboardData.getData('text/plain')
    if (text === '' || range.top < 0) return
    const cells = fromTsv(text)
    const most = pastedBeyond(cells, range)
    if (most) return toast(say(...most))
    const own = copied.current && sameLines(copied.current.text, text) ? copied.current : undefined
    const fields = columns.map(({ field }) => field)
    const placed = pasted(cells, range, fields, own, context())
    const over = placed.length === 0 ? [] : passedOver(cells, range, fields)
    if (over.length > 0) toast(say('passedOver', { names: over.map(({ title }) => title).join(', ') }))
    void placeNamed(placed, place)
  }

  async function placeNamed(cells: readonly PastedCell[], placing: (cells: readonly PastedCell[]) => Promise<void>): Promise<void> {
    if (cells.length === 0) return toast(say('notYours'))
    try {
      await placing(await withNamed(cells))
    } catch (error) {
      toastRefusal(trouble(error))
    }
  }

  async function place(cells: readonly PastedCell[]): Promise<void> {
    const bottom = Math.max(...cells.map(({ row }) => range.top + row))
    const right = Math.max(...cells.map(({ col }) => col))
    const there = range.top < rows ? await recordsIn({ ...range, bottom: Math.min(bottom, rows - 1) }) : []
    if (!there) return
    onSelect({ ...within({ at: { row: range.top, col: range.left }, to: { row: bottom, col: right } }, bounds), isStill: true })
    await putCells(cells, there, range.top)
  }

  /** Cells of the records `there`, of which the first stands in the row `top`: written, or asked about first. */
  async function putCells(cells: readonly PastedCell[], there: readonly Resource[], top: number): Promise<void> {
    const barred = barredOf(cells.flatMap(({ row }) => there[row] ?? []))
    const writable = cells.filter(({ row }) => !barred.has(there[row]?.id ?? ''))
    const isFitting = writable.filter(({ wrong }) => wrong === undefined)
    const puts = isFitting.flatMap(({ row, field, value }) => {
      const record = there[row]
      return record && mayUpdate && textOf(record, field) !== value ? [putOf(record, field, value)] : []
    })
    const added = new Map<number, Record<string, unknown>>()
    if (rights['create'] === true)
      for (const { row, field, value } of isFitting) if (top + row >= rows) added.set(row, { ...added.get(row), [field.name]: value })
    const wrong = writable.filter((cell) => cell.wrong !== undefined)
    if (wrong.length === 0 && added.size === 0) return write(puts, [], barred.size)
    const named = wrong.slice(0, MOST_NAMED).map(({ row, field, wrong: why }) => ({ row: top + row + 1, column: field.title, why: why! }))
    if (!ask({ puts, added: [...added.values()], wrong: wrong.length, named, left: barred.size })) return
    for (const { row, field, text, wrong: why } of wrong)
      if (there[row]) states.put(there[row].id, field.name, { is: 'refused', value: text, why: why! })
  }

  const doing: Doing = {
    edit,
    commit,
    answer,
    open(row) {
      const record = pages.record(row)
      if (record) onOpen(record.id)
    },
    empty: () => void empty(),
    fill: (direction) => void fillFrom(direction === 'down' ? { ...range, bottom: range.top } : { ...range, right: range.left }, range),
    fillOn,
    fillTo: (from, to) => void fillFrom(from, to),
    copy: (event) => void copy(event),
    cut(event) {
      void copy(event, 'cannotCutSoMany').then((records) => records && empty(records))
    },
    paste,
  }
  return { doing, pending, decide }
}

/** A clipboard may have changed the ends of lines. */
const sameLines = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd()
