import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { usePreferences } from '../api/preferences.ts'
import { useSought } from '../fields/sought.ts'
import { useTitlesAmong } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { useRecordLinks } from '../ui/record-link.tsx'
import { CellAnswer } from './cell-answer.tsx'
import { CellEditor } from './cell-editor.tsx'
import type { Column } from './columns.ts'
import { GridFigures } from './grid-figures.tsx'
import { GridHead, type HeadActs } from './head.tsx'
import { GroupRow } from './group-row.tsx'
import { spansOf, type Head } from './lines.ts'
import { cellShapes, Row } from './row.tsx'
import { heightOf, numbersWidth } from './scroll.ts'
import { at as selected, isOne, rangeOf, within, type Selection } from './selection.ts'
import type { GridProps } from './props.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { useMissingTitles } from './use-missing-titles.ts'
import { spanAt, useScroll } from './use-scroll.ts'
import { useSlots } from './use-slots.ts'
import { useSteady } from './use-steady.ts'
import '../fields/fields.css'
import './grid.css'

/** Columns that have lines before there are rows. */
const MOST_WAITING = 20
/** Pixels of two more lines. */
const WRAPPED = 38

/** Records in rows, over the whole of a list: those in sight are asked for. The keys are in docs/grid.md. */
export function Grid(props: GridProps) {
  const { table, name, columns, pages, lines, states, sort, filter, maySet, selection, editing, doing, onSelect, onEdit } = props
  const say = useWords()
  const { density } = usePreferences()
  useSyncExternalStore(pages.subscribe, () => pages.version)
  useSyncExternalStore(states.subscribe, () => states.version)
  const titleOf = useTitlesAmong(
    pages.included,
    pages.brought,
    columns.map(({ field }) => field),
  )
  const links = useRecordLinks(String(table))
  const box = useRef<HTMLDivElement>(null)
  useSought(box, props.sought)
  const line = density === 'compact' ? 27 : 33
  // All rows are of one height, so that the place of each is known.
  const height = columns.some(({ isWrapped }) => isWrapped) ? line + WRAPPED : line
  const rows = pages.total ?? 0
  const hasFigures = columns.some(({ figure }) => figure !== undefined)
  const numbers = numbersWidth(table, rows)
  const covered = line + (hasFigures ? 30 : 0)
  const { sight, show, goTo } = useScroll(box, { rows: lines.count, height, covered, columns, numbers, kept: props.kept })
  const showAt = (place: number, col: number) => {
    const line = place < 0 ? place : lines.lineOf(place)
    if (line === undefined) return
    // With the head of its group, for the first one.
    if (line > 0 && 'head' in lines.at(line - 1)) show(line - 1, col)
    show(line, col)
  }
  const bounds = { rows, cols: columns.length, screen: sight.screen }
  const current = within(selection, bounds)
  const range = rangeOf(current)
  const mayFill = maySet && (props.maySeveral || range.top === range.bottom)
  const lefts = useMemo(
    () => columns.map((_, i) => columns.slice(0, i).reduce((sum, { width }) => sum + width, numbers)),
    [columns, numbers],
  )
  const isSought = props.sought !== undefined
  const shapes = useMemo(() => cellShapes(columns, lefts, maySet, isSought), [columns, lefts, maySet, isSought])

  // What is in sight is asked for, at most some times a second while the bar is dragged.
  const asked = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, asked.current + 60 - performance.now())
    const timer = setTimeout(() => {
      asked.current = performance.now()
      const to = Math.max(sight.seen.to, sight.seen.from + sight.screen)
      pages.look(...(lines.count === 0 ? [{ from: 0, to }] : spansOf(lines, sight.seen.from, to)))
    }, wait)
    return () => clearTimeout(timer)
  }, [pages, lines, sight.seen.from, sight.seen.to, sight.screen])

  useEffect(() => {
    props.onReady?.((place) => goTo(lines.lineOf(place) ?? 0))
  })

  // The focus goes with the selection, as long as it is in the grid.
  const isWithin = useRef(false)
  const { row, col } = current.at
  const moved = useRef(selection)
  useLayoutEffect(() => {
    const isMoved = moved.current !== selection
    moved.current = selection
    if (isMoved && !editing && !selection.isStill) showAt(current.to.row, current.to.col)
    focusAt()
  })
  // What is around the list of an editor can have the focus only when that list has gone.
  useEffect(focusAt, [editing])
  function focusAt(): void {
    if (!isWithin.current || editing) return
    const cell = box.current!.querySelector<HTMLElement>(
      row < 0 ? `[data-row='-1'] [data-col='${col}'] .col-name` : `[data-row='${row}'] [data-col='${col}']`,
    )
    if (cell && !cell.contains(document.activeElement)) cell.focus({ preventScroll: true })
  }

  // Keys lead over what is folded away.
  const step = (next: Selection) => {
    if (!isOne(next) || next.at.row < 0 || lines.lineOf(next.at.row) !== undefined) return onSelect(next)
    const direction = next.at.row > row ? 1 : -1
    const place = lines.nearest(next.at.row, direction) ?? lines.nearest(next.at.row, direction === 1 ? -1 : 1) ?? -1
    onSelect(selected(place === row && direction === -1 ? -1 : place, next.at.col))
  }
  const keys = useGridKeys({
    ...props,
    selection: current,
    bounds,
    doing,
    box,
    onSelect: step,
    onStart: () => (box.current!.scrollLeft = 0),
  })
  const pointer = useGridPointer({ ...props, selection: current, doing, box, show: showAt })

  const drawn = new Set<number>()
  const heads: { readonly head: Head; readonly line: number }[] = []
  for (let line = sight.drawn.from; line <= sight.drawn.to; line++) {
    const found = lines.at(line)
    if ('place' in found) drawn.add(found.place)
    else heads.push({ head: found.head, line })
  }
  for (const place of editing ? [row, editing.row] : [row]) if (lines.lineOf(place) !== undefined) drawn.add(place)
  useMissingTitles(pages, states, columns, sight.isMoving ? [] : drawn)
  const topOf = (line: number) => line * height + sight.place.top - sight.place.at
  const slots = useSlots(drawn, editing && { id: editing.record.id, place: editing.row })
  // While rows go by, elements stay where they are in the document: one that is moved in it is laid out as a new one. At rest, they stand as they are read.
  const inOrder = sight.isMoving ? [...drawn].toSorted((a, b) => slots.get(a)! - slots.get(b)!) : [...drawn]
  const total = columns.reduce((sum, { width }) => sum + width, numbers)
  const fit = (at: number) => {
    const widths = [...box.current!.querySelectorAll(`[data-col='${at}'] > *`)].map((part) => widthOf(part) + 24)
    props.onColumns(columns.map((column, i) => (i === at ? { ...column, width: Math.min(600, Math.max(60, ...widths)) } : column)))
  }
  const acts = useSteady<HeadActs>({
    onSort: props.onSort,
    onGroup: props.onGroup,
    onColumns: props.onColumns,
    onFit: fit,
    onFilterBy: (at) => props.onFilterBy?.(columns[at]!.field, pages.record(Math.max(0, row))?.attributes[columns[at]!.field.name]),
  })
  const onFold = useSteady({ onFold: props.onFold }).onFold
  const answerOf = (id: string): { col: number; node: ReactNode } | undefined => {
    const cells = states.of(id)
    const at = columns.findIndex(({ field }) => /refused|clash/.test(cells?.get(field.name)?.is ?? ''))
    if (at < 0) return undefined
    const { field } = columns[at]!
    return {
      col: at,
      node: <CellAnswer {...{ field, titleOf }} state={cells!.get(field.name)!} onAnswer={(keep) => doing.answer(id, field, keep)} />,
    }
  }
  // Where several values wait for an answer, the one that is looked at asks: they would cover one another.
  const answers = new Map(
    inOrder.flatMap((place) => {
      const record = pages.record(place)
      const answer = record && answerOf(record.id)
      return answer ? [[place, answer] as const] : []
    }),
  )
  const editedCol = editing ? columns.findIndex(({ field }) => field.id === editing.field.id) : -1

  return (
    <div
      ref={box}
      className="sheet grid-sheet"
      // The rows are scrolled by the keys of the grid.
      tabIndex={-1}
      onFocus={({ target }) => {
        isWithin.current = target.closest('.group-head') === null
        const head = target.closest<HTMLElement>('[data-row="-1"] [data-col]')
        if (head && row >= 0) onSelect(selected(-1, Number(head.dataset['col'])))
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A cell that goes out of the document while it is drawn anew has not been left by the person.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) isWithin.current = false
      }}
      onKeyDown={keys}
      onCopy={doing.copy}
      onCut={doing.cut}
      onPaste={doing.paste}
      {...pointer}
    >
      <div
        className="grid"
        role="grid"
        aria-label={name}
        aria-rowcount={lines.count + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-busy={pages.total === undefined || (rows > 0 && lines.count === 0)}
        style={
          {
            '--cols': `${numbers}px ${columns.map(({ width }) => `${width}px`).join(' ')} minmax(0, 1fr)`,
            width: `max(100%, ${total}px)`,
          } as object
        }
      >
        <GridHead
          {...{ columns, lefts, sort }}
          group={props.group}
          span={sight.span}
          focus={row < 0 ? col : undefined}
          acts={acts}
          canFilter={props.onFilterBy !== undefined}
        />
        <div
          className={`grid-rows${sight.isAside ? ' is-aside' : sight.aside > 0 ? ' is-beside' : ''}${answers.size > 1 ? ' are-asking' : ''}`}
          role="rowgroup"
          style={
            {
              height: heightOf({ rows: lines.count, height, view: 0 }),
              '--row': `${height}px`,
              '--aside': `${sight.aside}px`,
            } as object
          }
        >
          {heads.map(({ head, line }) => (
            <GroupRow key={head.value} {...{ head, line }} top={topOf(line)} columns={columns.length} of={props.groupOf} onFold={onFold} />
          ))}
          {inOrder.map((place) => {
            const line = lines.lineOf(place)!
            // The row of an editor shows the record that is edited, whatever the list has there by now.
            const known = pages.record(place)
            const record = editing?.row === place && known?.id !== editing.record.id ? editing.record : known
            const isIn = place >= range.top && place <= range.bottom
            return (
              <Row
                key={slots.get(place)}
                {...{ place, line, shapes, titleOf, mayFill, record, links }}
                isOpen={record !== undefined && record.id === links.current}
                top={topOf(line)}
                span={sight.span}
                states={record && states.of(record.id)}
                gone={record && states.gone(record.id)}
                focus={place === row ? col : undefined}
                chosen={isIn ? spanAt(range.left, range.right) : undefined}
                edges={`${place === range.top ? 't' : ''}${place === range.bottom ? 'b' : ''}`}
                answer={answers.get(place)}
                editor={
                  editing?.row === place && editedCol >= 0
                    ? {
                        col: editedCol,
                        node: (
                          <CellEditor
                            key={`${editing.record.id} ${editing.field.id}`}
                            field={columns[editedCol]!.field}
                            record={editing.record.id}
                            {...{ titleOf }}
                            value={editing.shown}
                            held={editing.before}
                            initial={editing.initial}
                            onCommit={(value, move) => doing.commit(editing, value, move)}
                            onCancel={() => onEdit(undefined)}
                          />
                        ),
                      }
                    : undefined
                }
              />
            )
          })}
        </div>
        {pages.total === undefined && <Waiting {...{ columns, height }} rows={sight.screen} />}
        {hasFigures && <GridFigures {...{ table, filter, columns, lefts }} span={sight.span} round={props.round} />}
      </div>
      {pages.total === undefined && <span className="said">{say('loading')}</span>}
      {/* Focus comes here by Tab and goes to the cell. */}
      {rows === 0 && <span tabIndex={-1} onFocus={() => onSelect(current)} />}
    </div>
  )
}

/** Pixels that the content needs, however wide or narrow the part is that holds it. */
function widthOf(part: Element): number {
  const range = document.createRange()
  range.selectNodeContents(part)
  return Math.ceil(range.getBoundingClientRect().width)
}

/** Lines in the place of rows, until it is known how many there are. */
function Waiting({ columns, rows, height }: { readonly columns: readonly Column[]; readonly rows: number; readonly height: number }) {
  return (
    <div className="grid-wait" aria-hidden="true" style={{ '--row': `${height}px` } as object}>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i}>
          <span className="cell no" />
          {columns.slice(0, MOST_WAITING).map(({ field }) => (
            <span key={field.id} className="cell">
              <span className="bone" />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
