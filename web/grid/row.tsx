import { memo, useLayoutEffect, useRef, type CSSProperties, type ReactNode } from 'react'
import type { Resource } from '../api/client.ts'
import { isBarred } from '../api/record-rights.ts'
import { fileAddress } from '../api/records.ts'
import { soughtIn } from '../fields/sought.ts'
import { showValue, typeOf } from '../fields/types.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { RecordLinks } from '../ui/record-link.tsx'
import { useWaits } from '../ui/waits.tsx'
import type { Column } from './columns.ts'
import { unsavedOr, type CellsOfRecord, type CellState, type Gone } from './states.ts'

/** Columns that are drawn besides the frozen ones: both ends included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What all cells of a column have in common: made once, so that a row that comes into sight changes little besides its values. */
export interface CellShape {
  readonly field: Field
  readonly style: CSSProperties
  readonly classes: string
  readonly isFrozen: boolean
  readonly isWrapped: boolean
  readonly isReadOnly: boolean
  readonly hasLinks: boolean
  readonly sought: 'phone' | 'words' | undefined
}

/** `lefts`: pixels before each frozen column. */
export const cellShapes = (
  columns: readonly Column[],
  lefts: readonly number[],
  maySet: boolean,
  isSought: boolean,
): readonly CellShape[] =>
  columns.map(({ field, isFrozen, isWrapped }, col) => {
    const type = typeOf(field)
    const classes = ['cell', isFrozen && 'fixed', type.isNumber && 'end', field.type === 'boolean' && 'mid']
    return {
      field,
      style: { gridColumn: col + 2, ...(isFrozen && { '--left': `${lefts[col]}px` }) },
      classes: classes.filter(Boolean).join(' '),
      isFrozen,
      isWrapped: isWrapped === true,
      isReadOnly: !maySet || !field.maySet || !type.Editor,
      hasLinks: type.hasLinks === true,
      sought: isSought ? soughtIn(field) : undefined,
    }
  })

export interface RowProps {
  /** From 0. */
  readonly place: number
  /** Where it stands, from 0, with the heads of groups. */
  readonly line: number
  /** Pixels from the top of all rows. */
  readonly top: number
  readonly record: Resource | undefined
  readonly shapes: readonly CellShape[]
  readonly span: Span
  readonly states: CellsOfRecord | undefined
  readonly gone: Gone | 'leaving' | undefined
  readonly titleOf: TitleOf
  /** Whether the range is filled by dragging. */
  readonly mayFill: boolean
  readonly links: Pick<RecordLinks, 'before' | 'onClick'>
  /** Whether it is the record that is open beside. */
  readonly isOpen: boolean
  /** The cell with the focus, if it is in this row. */
  readonly focus: number | undefined
  /** The columns of the range that are chosen in this row. */
  readonly chosen: Span | undefined
  /** Whether the range begins or ends with this row: `''`, `'t'`, `'b'` or `'tb'`. */
  readonly edges: string
  readonly editor: { readonly col: number; readonly node: ReactNode } | undefined
  /** What to do about a cell that is not saved. */
  readonly answer: { readonly col: number; readonly node: ReactNode } | undefined
}

/** A record of the grid. One that has not come yet has empty cells. Cells are no components: hundreds come into sight with one turn of the wheel. */
export const Row = memo(function Row(props: RowProps) {
  const { place, line, top, record, shapes, span, gone, focus, links, isOpen } = props
  const say = useWords()
  const row = useRef<HTMLDivElement>(null)
  const hasOthers = props.answer !== undefined || shapes.some(({ hasLinks }) => hasLinks)
  // One cell of the grid is reached by Tab, and the two ways on beside what is not saved; what else is in cells is reached by the keys of the grid.
  useLayoutEffect(() => {
    if (!hasOthers) return
    for (const one of row.current!.querySelectorAll<HTMLElement>('.cell:not(.edit) :is(a, button):not(.bubble *)')) one.tabIndex = -1
  })
  const cells: ReactNode[] = []
  for (let col = 0; col < shapes.length; col++)
    if (shapes[col]!.isFrozen || (col >= span.from && col <= span.to) || col === focus) cells.push(cell(props, col, say))
  return (
    <div
      ref={row}
      role="row"
      aria-rowindex={line + 2}
      className={
        [gone && 'gone', props.answer && 'is-asking', isOpen && 'is-open', props.chosen && props.edges.includes('b') && 'is-last']
          .filter(Boolean)
          .join(' ') || undefined
      }
      data-row={place}
      style={{ top }}
    >
      <div className="cell no" role="gridcell" aria-colindex={1} data-col={-1}>
        <span className="place">{place + 1}</span>
        {record && (
          <a
            className="open"
            href={`${links.before}${record.id}`}
            aria-current={isOpen ? 'page' : undefined}
            data-record={record.id}
            tabIndex={-1}
            aria-label={say('openRecord')}
            title={say('openRecord')}
            onClick={links.onClick}
          >
            <Icon name="expand" size="s" />
          </a>
        )}
      </div>
      {cells}
    </div>
  )
})

function cell(props: RowProps, col: number, say: ReturnType<typeof useWords>): ReactNode {
  const { record, shapes, gone, focus, chosen, edges, editor, answer, mayFill } = props
  const { field, style, classes, isWrapped, isReadOnly } = shapes[col]!
  const state = props.states?.get(field.name)
  const isEdited = editor?.col === col
  const isFocus = focus === col
  const isChosen = chosen !== undefined && col >= chosen.from && col <= chosen.to
  const isUnsaved = state?.is === 'refused' || state?.is === 'clash'
  return (
    <div
      key={field.id}
      className={
        state || isEdited || isFocus || isChosen || isWrapped
          ? `${classes} ${marksOf({ state, isUnsaved, isEdited, isFocus, isWrapped, chosen: isChosen ? chosen : undefined, col, edges })}`
          : classes
      }
      role={col === 0 ? 'rowheader' : 'gridcell'}
      aria-colindex={col + 2}
      aria-selected={isChosen}
      aria-readonly={isReadOnly || isBarred(record, 'update')}
      aria-invalid={state?.is === 'refused' || undefined}
      tabIndex={isFocus ? 0 : -1}
      data-col={col}
      style={style}
    >
      {isEdited ? (
        editor.node
      ) : (
        <>
          {record ? content(props, record, col, unsavedOr(state, record.attributes[field.name]), say) : <Bone />}
          {gone && col === 0 && <span className="tag">{say(GONE[gone])}</span>}
        </>
      )}
      {isChosen && edges.includes('b') && col === chosen.to && !isEdited && mayFill && <span className="handle" data-handle />}
      {state?.is === 'waiting' && !isEdited && <Waits />}
      {isUnsaved && answer?.col === col && answer.node}
    </div>
  )
}

const marksOf = ({
  state,
  isUnsaved,
  isEdited,
  isFocus,
  isWrapped,
  chosen,
  col,
  edges,
}: {
  readonly state: CellState | undefined
  readonly isUnsaved: boolean
  readonly isEdited: boolean
  readonly isFocus: boolean
  readonly isWrapped: boolean
  readonly chosen: Span | undefined
  readonly col: number
  readonly edges: string
}): string =>
  [
    isWrapped && !isEdited && 'wrap',
    isEdited && 'edit',
    isFocus && 'at',
    chosen && 'in',
    chosen && edges.includes('t') && 'in-t',
    chosen && edges.includes('b') && 'in-b',
    col === chosen?.from && 'in-l',
    col === chosen?.to && 'in-r',
    isUnsaved && 'wrong',
    (state?.is === 'changed' || state?.is === 'saving' || state?.is === 'waiting') && state.is,
  ]
    .filter(Boolean)
    .join(' ')

function Bone() {
  const say = useWords()
  return <span className="bone" aria-label={say('loading')} role="img" />
}

function Waits() {
  const waits = useWaits()
  return (
    <span className="waits" title={waits}>
      <Icon name="clock" size="s" />
      <span className="said">{waits}</span>
    </span>
  )
}

const GONE = {
  deleted: 'rowDeleted',
  leaving: 'rowLeaving',
  unmatched: 'rowUnmatched',
  unseen: 'rowUnseen',
  misplaced: 'rowMisplaced',
} as const

/** The value as the type shows it; the first column leads to the record. */
function content(
  { shapes, links, isOpen, titleOf }: RowProps,
  record: Resource,
  col: number,
  value: unknown,
  say: ReturnType<typeof useWords>,
) {
  const { field, hasLinks, sought } = shapes[col]!
  if (field.type === 'boolean')
    return (
      <span className={`tick-mark${value === '1' ? ' is-on' : ''}`} data-tick>
        {value === '1' && <Icon name="check" size="s" />}
        <span className="said">{say(value === '1' ? 'yes' : 'no')}</span>
      </span>
    )
  const shown = (field.type === 'image' && pictures(field, record.id, value)) || showValue(field, value, titleOf, true)
  if (col > 0 || hasLinks)
    return (
      <span className="cut" data-sought={sought}>
        {shown}
      </span>
    )
  return (
    <a
      className="cut name-link"
      href={`${links.before}${record.id}`}
      aria-current={isOpen ? 'page' : undefined}
      data-record={record.id}
      data-sought={sought}
      tabIndex={-1}
      onClick={links.onClick}
    >
      {shown ?? say('record', { id: record.id })}
    </a>
  )
}

/** Pictures of a cell that are shown; of the others the number. */
const PICTURES = 3

function pictures(field: Field, record: string, value: unknown): ReactNode {
  const names = typeof value === 'string' ? value.split('\r\n').filter((name) => name !== '') : []
  if (names.length === 0) return undefined
  return (
    <span className="thumbs" title={names.join('\n')}>
      {names.slice(0, PICTURES).map((name) => (
        <img key={name} alt={name} loading="lazy" draggable={false} src={fileAddress(field.table, field.name, record, name, 64)} />
      ))}
      {names.length > PICTURES && <span className="quiet">+{names.length - PICTURES}</span>}
    </span>
  )
}
