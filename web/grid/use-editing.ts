import { useEffect, useRef, useState } from 'react'
import { allKept, kept, typedAt } from '../api/kept.ts'
import type { RecordPages } from '../api/pages.ts'
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
    if (kept('typed', typedAt(opened.field, opened.record.id)) !== undefined) toast(say('typedKept'))
  }, [of, isOver])

  return { editing: opened && { ...opened, row: row ?? opened.row }, onEdit: setOpened }
}

function rowOf({ record, row }: Editing, pages: RecordPages, lines: Lines): number | undefined {
  const place = pages.placeOf(record.id) ?? row
  return lines.lineOf(place) === undefined ? (lines.nearest(place, -1) ?? lines.nearest(place, 1)) : place
}

/** Where somebody was typing when the page was loaded again, or their session ended, they go on. */
export function useTypedBefore({
  table,
  pages,
  lines,
  columns,
  edit,
}: {
  readonly table: number
  readonly pages: RecordPages
  readonly lines: Lines
  readonly columns: readonly Column[]
  edit(row: number, col: number): void
}): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || lines.count === 0) return
    isDone.current = true
    // Who has begun with something else goes on with that, as with a record that is open beside.
    if (document.activeElement !== document.body) return
    for (const place of allKept('typed').keys()) {
      const [of, record = '', name] = place.split(' ')
      const row = Number(of) === table ? pages.placeOf(record) : undefined
      const col = columns.findIndex(({ field }) => field.name === name)
      if (row !== undefined && col >= 0 && lines.lineOf(row) !== undefined) return edit(row, col)
    }
  })
}
