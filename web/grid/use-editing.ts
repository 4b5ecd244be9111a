import { useEffect, useRef, useState } from 'react'
import { ApiError, send, type Resource } from '../api/client.ts'
import type { RecordPages } from '../api/pages.ts'
import { keepTyped, NEW, typedAt, typedIn, typedOf } from '../api/typed.ts'
import type { Field } from '../fields/field.ts'
import { shortName } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import { toast } from '../ui/toast.tsx'
import type { Column } from './columns.ts'
import type { Lines } from './lines.ts'
import type { Editing } from './props.ts'
import { at, isOne, type Selection } from './selection.ts'

/**
 * What is edited in a grid. The editor goes with its record where the list has been read again. Without that record it keeps its row, and where the
 * list is too short for it, it has the last one: nobody is interrupted while they type. It ends with the list, with its last record or with the
 * column; what was typed is kept then.
 */
export function useEditing({
  of,
  pages,
  lines,
  columns,
  onSelect,
}: {
  /** Which list it is, in one text. */
  readonly of: string
  readonly pages: RecordPages
  readonly lines: Lines
  readonly columns: readonly Column[]
  onSelect(change: (now: Selection) => Selection): void
}): { readonly editing: Editing | undefined; onEdit(editing: Editing | undefined): void } {
  const say = useWords()
  const [opened, setOpened] = useState<Editing>()
  const row = opened && rowOf(opened, pages, lines)
  const col = opened ? columns.findIndex(({ field }) => field.id === opened.field.id) : -1

  // The selection goes along.
  useEffect(() => {
    if (row !== undefined && col >= 0) onSelect((now) => (isOne(now) && now.at.row === row && now.at.col === col ? now : at(row, col)))
  }, [row, col])

  // A list that is on its way may have a row for it; heads of groups come after the list.
  const isWaiting = pages.total === undefined || (pages.total > 0 && lines.count === 0)
  const isOver = opened !== undefined && (col < 0 || (row === undefined && !isWaiting))
  const before = useRef(of)
  useEffect(() => {
    const isOther = before.current !== of
    before.current = of
    if (!opened || !(isOver || isOther)) return
    setOpened(undefined)
    if (typedIn(typedAt(opened.field, opened.record.id)) !== undefined) toast(say('typedKept'))
  }, [of, isOver])

  return { editing: opened && { ...opened, row: row ?? opened.row }, onEdit: setOpened }
}

function rowOf({ record, row }: Editing, pages: RecordPages, lines: Lines): number | undefined {
  const place = pages.placeOf(record.id) ?? row
  return lines.lineOf(place) === undefined ? (lines.nearest(place, -1) ?? lines.nearest(place, 1)) : place
}

/** Types of which a click changes the value, or opens the record: nothing is typed into them. */
const NOT_TYPED: ReadonlySet<string> = new Set(['boolean', 'file', 'image'])

/**
 * Where somebody was typing when the page was loaded again, or their session ended, they go on: in the list, or where the record is not among those
 * that came, on its card.
 */
export function useTypedBefore({
  table,
  fields,
  pages,
  lines,
  columns,
  isBeside,
  edit,
  onOpen,
}: {
  readonly table: number
  /** All that the person sees. */
  readonly fields: readonly Field[]
  readonly pages: RecordPages
  readonly lines: Lines
  readonly columns: readonly Column[]
  /** Whether a record is open beside the list: there they go on. */
  readonly isBeside: boolean
  edit(row: number, col: number): void
  onOpen(record: string): void
}): void {
  const say = useWords()
  const isDone = useRef(false)
  const now = useRef({ pages, lines, edit })
  now.current = { pages, lines, edit }
  useEffect(() => {
    if (isDone.current || lines.count === 0) return
    isDone.current = true
    // Who has begun with something else goes on with that.
    const isFree = () => document.activeElement === document.body
    if (isBeside || !isFree()) return
    const typed = typedOf(table).flatMap(({ place, record, name }) => {
      // Its form goes on with it.
      if (record === NEW) return []
      const field = fields.find((one) => one.name === name)
      if (field?.maySet && !NOT_TYPED.has(field.type)) return [{ place, record, col: columns.findIndex((one) => one.field.name === name) }]
      // It was converted since, or is in the trash, or may not be written any more.
      if (!field?.maySet) toast(say('typedLost', { text: shortName(typedIn(place)?.text ?? '') }))
      keepTyped(place, undefined)
      return []
    })
    const goOn = ({ record, col }: (typeof typed)[number]): boolean => {
      const row = now.current.pages.placeOf(record)
      if (row === undefined || col < 0 || now.current.lines.lineOf(row) === undefined) return false
      now.current.edit(row, col)
      return true
    }
    if (typed.some(goOn)) return
    void (async () => {
      for (const one of typed) {
        const answer = await send<Resource>('GET', `data${table}/${encodeURIComponent(one.record)}`).catch((error: unknown) => error)
        if (answer instanceof ApiError && answer.status === 404) {
          // The record has gone, and what was typed with it.
          keepTyped(one.place, undefined)
          continue
        }
        // The part of the list where the person was may have come meanwhile.
        if (!(answer instanceof Error) && isFree() && !goOn(one)) onOpen(one.record)
        return
      }
    })()
  })
}
