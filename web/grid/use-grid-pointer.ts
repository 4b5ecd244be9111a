import { useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react'
import type { GridProps } from './props.ts'
import { isOne, rangeOf, type Cell, type Range, type Selection } from './selection.ts'

/** What a mouse or a finger does in the grid: chooses cells and ranges, opens editors, drags the handle that fills. */
export function useGridPointer({
  columns,
  pages,
  maySet,
  maySeveral,
  editing,
  selection,
  doing,
  onSelect,
  box,
  show,
}: Pick<GridProps, 'columns' | 'pages' | 'maySet' | 'maySeveral' | 'editing' | 'doing' | 'onSelect'> & {
  readonly selection: Selection
  readonly box: RefObject<HTMLElement | null>
  show(row: number, col: number): void
}) {
  const drag = useRef<{ readonly is: 'range' | 'rows' | 'fill'; readonly range: Range }>(undefined)
  const [, setFilling] = useState<Range>()
  const filling = useRef<Range>(undefined)
  /** Whether the press chose a cell, so that the link under it is not followed. */
  const isChoosing = useRef(false)
  const last = columns.length - 1

  const down = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const target = event.target as HTMLElement
    const cell = cellAt(target)
    if (!cell || cell.row < 0 || target.closest('.cell.edit, .bubble, [role=menu]')) return
    if (target.hasAttribute('data-handle')) {
      event.preventDefault()
      drag.current = { is: 'fill', range: rangeOf(selection) }
      return
    }
    const link = target.closest('a')
    isChoosing.current = false
    if (link && (cell.col < 0 || event.ctrlKey || event.metaKey)) return
    if (link && isOne(selection) && selection.at.row === cell.row && selection.at.col === cell.col) return
    if (link?.matches('.name-link')) return onSelect({ at: cell, to: cell })
    isChoosing.current = link !== null
    const isTick = target.closest('[data-tick]') !== null
    if (cell.col < 0) {
      drag.current = { is: 'rows', range: rangeOf(selection) }
      const from = event.shiftKey ? selection.at.row : cell.row
      return onSelect({ at: { row: from, col: 0 }, to: { row: cell.row, col: last } })
    }
    drag.current = { is: 'range', range: rangeOf(selection) }
    onSelect(event.shiftKey ? { at: selection.at, to: cell } : { at: cell, to: cell })
    const field = columns[cell.col]?.field
    if (isTick && maySet && field?.maySet && !event.shiftKey && pages.record(cell.row)) doing.edit(cell.row, cell.col)
  }

  const move = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current || event.buttons === 0 || editing) return
    const cell = cellAt(document.elementFromPoint(event.clientX, event.clientY))
    if (!cell || cell.row < 0 || !box.current?.contains(document.elementFromPoint(event.clientX, event.clientY))) return
    const { is, range } = drag.current
    if (is === 'fill') {
      // In one direction: up or down, or else to a side; to a side within one record.
      const col = Math.max(0, cell.col)
      const isAside = !maySeveral || (cell.row >= range.top && cell.row <= range.bottom)
      filling.current = isAside
        ? { ...range, left: Math.min(range.left, col), right: Math.max(range.right, col) }
        : { ...range, top: Math.min(range.top, cell.row), bottom: Math.max(range.bottom, cell.row) }
      setFilling(filling.current)
      const to = filling.current
      return onSelect({ at: { row: to.top, col: to.left }, to: { row: to.bottom, col: to.right } })
    }
    const to = is === 'rows' ? { row: cell.row, col: last } : { row: cell.row, col: Math.max(0, cell.col) }
    if (to.row !== selection.to.row || to.col !== selection.to.col) {
      onSelect({ at: selection.at, to })
      show(to.row, to.col)
    }
  }

  const up = () => {
    const was = drag.current
    drag.current = undefined
    if (was?.is !== 'fill' || !filling.current) return
    const to = filling.current
    filling.current = undefined
    onSelect({ at: { row: was.range.top, col: was.range.left }, to: { row: was.range.bottom, col: was.range.right } })
    // What is chosen now is what is to be filled.
    doing.fillTo(was.range, to)
  }

  return {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    // The second click of two is no wish to follow the link either.
    onClickCapture: (event: MouseEvent<HTMLElement>) => {
      const link = (event.target as HTMLElement).closest('.cell:not(.edit) a')
      if (!link || link.matches('.name-link, .open') || (!isChoosing.current && event.detail < 2)) return
      event.preventDefault()
      event.stopPropagation()
    },
    onDragStart: (event: MouseEvent<HTMLElement>) => (event.target as HTMLElement).closest('.cell a') && event.preventDefault(),
    onDoubleClick: ({ target }: { readonly target: EventTarget }) => {
      const cell = cellAt(target as HTMLElement)
      if (cell && cell.row >= 0 && cell.col >= 0 && !(target as HTMLElement).closest('.cell.edit, [data-tick], .name-link'))
        doing.edit(cell.row, cell.col)
    },
  }
}

function cellAt(element: Element | null): Cell | undefined {
  const cell = element?.closest<HTMLElement>('[data-col]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  return cell && row ? { row: Number(row.dataset['row']), col: Number(cell.dataset['col']) } : undefined
}
