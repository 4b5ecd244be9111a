import { memo, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Resource } from '../api/client.ts'
import { soughtIn } from '../fields/sought.ts'
import { showValue, typeOf } from '../fields/types.ts'
import type { TitleOf } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { RecordLink } from '../ui/record-link.tsx'
import type { Column } from './columns.ts'
import type { CellsOfRecord, CellState } from './states.ts'

/** Columns that are drawn besides the frozen ones: both ends included. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface RowProps {
  readonly table: string
  /** From 0. */
  readonly place: number
  /** Where it stands, from 0, with the heads of groups. */
  readonly line: number
  /** Pixels from the top of all rows. */
  readonly top: number
  readonly record: Resource | undefined
  readonly columns: readonly Column[]
  /** Pixels before each frozen column. */
  readonly lefts: readonly number[]
  readonly span: Span
  readonly states: CellsOfRecord | undefined
  readonly gone: 'deleted' | 'leaving' | 'unmatched' | undefined
  readonly titleOf: TitleOf
  readonly maySet: boolean
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

/** A record of the grid. One that has not come yet has empty cells. */
export const Row = memo(function Row(props: RowProps) {
  const { table, place, line, top, record, columns, span, states, gone, chosen, focus } = props
  const say = useWords()
  const row = useRef<HTMLDivElement>(null)
  // One cell of the grid is reached by Tab; what is in cells is reached by the keys of the grid.
  useLayoutEffect(() => {
    for (const one of row.current!.querySelectorAll<HTMLElement>('.cell:not(.edit) :is(a, button)')) one.tabIndex = -1
  })
  const shown = columns.map((_, i) => i).filter((i) => columns[i]!.isFrozen || (i >= span.from && i <= span.to) || i === focus)
  return (
    <div
      ref={row}
      role="row"
      aria-rowindex={line + 2}
      className={[gone && 'gone', props.answer && 'is-asking'].filter(Boolean).join(' ') || undefined}
      data-row={place}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className="cell no" role="gridcell" aria-colindex={1} data-col={-1}>
        <span className="place">{place + 1}</span>
        {record && (
          <RecordLink className="open" {...{ table }} record={record.id} aria-label={say('openRecord')} title={say('openRecord')}>
            <Icon name="expand" size="s" />
          </RecordLink>
        )}
      </div>
      {shown.map((i) => (
        <Cell
          key={columns[i]!.field.id}
          {...props}
          col={i}
          state={states?.get(columns[i]!.field.name)}
          isFocus={focus === i}
          isChosen={chosen !== undefined && i >= chosen.from && i <= chosen.to}
        />
      ))}
    </div>
  )
})

function Cell({
  table,
  record,
  columns,
  lefts,
  col,
  state,
  gone,
  titleOf,
  maySet,
  isFocus,
  isChosen,
  chosen,
  edges,
  editor,
  answer,
}: RowProps & { readonly col: number; readonly state: CellState | undefined; readonly isFocus: boolean; readonly isChosen: boolean }) {
  const say = useWords()
  const { field, isFrozen, isWrapped } = columns[col]!
  const type = typeOf(field)
  const isEdited = editor?.col === col
  const value = state && 'value' in state ? state.value : record?.attributes[field.name]
  const isOver = answer?.col === col && (state?.is === 'refused' || state?.is === 'clash')
  const classes = [
    'cell',
    isFrozen && 'fixed',
    type.isNumber && 'end',
    field.type === 'boolean' && 'mid',
    isWrapped && !isEdited && 'wrap',
    isEdited && 'edit',
    isFocus && 'at',
    isChosen && 'in',
    isChosen && edges.includes('t') && 'in-t',
    isChosen && edges.includes('b') && 'in-b',
    isChosen && col === chosen!.from && 'in-l',
    isChosen && col === chosen!.to && 'in-r',
    (state?.is === 'refused' || state?.is === 'clash') && 'wrong',
    state?.is === 'changed' && 'changed',
    state?.is === 'saving' && 'saving',
    state?.is === 'waiting' && 'waiting',
  ]
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      role={col === 0 ? 'rowheader' : 'gridcell'}
      aria-colindex={col + 2}
      aria-selected={isChosen}
      aria-readonly={!maySet || !field.maySet || !type.Editor}
      aria-invalid={state?.is === 'refused' || undefined}
      tabIndex={isFocus ? 0 : -1}
      data-col={col}
      style={{ gridColumn: col + 2, ...(isFrozen && { insetInlineStart: lefts[col] }) }}
    >
      {isEdited ? (
        editor.node
      ) : (
        <>
          {record ? (
            <Content {...{ table, record, col, value, titleOf }} column={columns[col]!} />
          ) : (
            <span className="bone" aria-label={say('loading')} role="img" />
          )}
          {gone && col === 0 && <span className="tag">{say(GONE[gone])}</span>}
        </>
      )}
      {isChosen && edges.includes('b') && col === chosen!.to && !isEdited && maySet && <span className="handle" data-handle />}
      {state?.is === 'waiting' && !isEdited && <Waits />}
      {isOver && answer.node}
    </div>
  )
}

function Waits() {
  const say = useWords()
  return (
    <span className="waits" title={say('waits')}>
      <Icon name="clock" size="s" />
      <span className="said">{say('waits')}</span>
    </span>
  )
}

const GONE = { deleted: 'rowDeleted', leaving: 'rowLeaving', unmatched: 'rowUnmatched' } as const

/** The value as the type shows it; the first column leads to the record. */
function Content({
  table,
  record,
  column: { field },
  col,
  value,
  titleOf,
}: {
  readonly table: string
  readonly record: Resource
  readonly column: Column
  readonly col: number
  readonly value: unknown
  readonly titleOf: TitleOf
}) {
  const say = useWords()
  if (field.type === 'boolean')
    return (
      <span className={`tick-mark${value === '1' ? ' is-on' : ''}`} data-tick>
        {value === '1' && <Icon name="check" size="s" />}
        <span className="said">{say(value === '1' ? 'yes' : 'no')}</span>
      </span>
    )
  const shown = showValue(field, value, titleOf)
  if (col > 0 || typeOf(field).hasLinks)
    return (
      <span className="cut" data-sought={soughtIn(field)}>
        {shown}
      </span>
    )
  return (
    <RecordLink className="cut name-link" data-sought={soughtIn(field)} {...{ table }} record={record.id}>
      {shown ?? say('record', { id: record.id })}
    </RecordLink>
  )
}
