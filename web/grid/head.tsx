import { memo, useRef, useState, type PointerEvent } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import type { Message } from '../i18n/messages.ts'
import { Icon } from '../ui/icon.tsx'
import { canWrap, figured, frozen, moved, resized, without, wrapped, type Column } from './columns.ts'
import { canGroup, isDate, PERIODS } from './grouping.ts'
import { FIGURES } from './figures.ts'
import { directionOf, sortedBy } from './order.ts'
import type { Span } from './row.tsx'

const GROUP_BY = { year: 'groupByYear', month: 'groupByMonth', day: 'groupByDay' } as const

export interface HeadActs {
  onSort(sort: string | undefined): void
  onGroup(group: string | undefined): void
  onColumns(columns: readonly Column[]): void
  /** The width that the values in sight need. */
  onFit(col: number): void
  onFilterBy(col: number): void
}

/** The head of the grid: names, order, widths, and a menu of each column. */
export const GridHead = memo(function GridHead({
  columns,
  lefts,
  span,
  sort,
  group,
  focus,
  acts: { onSort, onGroup, onColumns, onFit, onFilterBy },
  canFilter,
}: {
  readonly columns: readonly Column[]
  readonly lefts: readonly number[]
  readonly span: Span
  readonly sort: string | undefined
  readonly group: string | undefined
  /** The column whose head has the focus. */
  readonly focus: number | undefined
  readonly acts: HeadActs
  readonly canFilter: boolean
}) {
  const say = useWords()
  const [dragged, setDragged] = useState<number>()
  // The column whose menu is open.
  const [menu, setMenu] = useState<number>()
  const shown = columns.map((_, i) => i).filter((i) => columns[i]!.isFrozen || (i >= span.from && i <= span.to) || i === focus)
  return (
    <div className="grid-head" role="row" aria-rowindex={1} data-row={-1}>
      <div className="col no" role="columnheader" aria-colindex={1}>
        <span className="said">{say('rowNumber')}</span>
      </div>
      {shown.map((i) => {
        const { field, isFrozen } = columns[i]!
        const direction = directionOf(sort, field.name)
        const actions: readonly (readonly [string, string, Message, () => void] | null)[] = [
          ['up', 'arrow-up', 'sortUp', () => onSort(sortedBy(sort, field.name, 'ascending'))],
          ['down', 'arrow-down', 'sortDown', () => onSort(sortedBy(sort, field.name, 'descending'))],
          ...(direction ? [['unsort', 'x', 'sortNot', () => onSort(sortedBy(sort, field.name, undefined))] as const] : []),
          ...(group === field.name || group?.startsWith(`${field.name}:`)
            ? [['group-not', 'group', 'groupNot', () => onGroup(undefined)] as const]
            : !canGroup(field)
              ? []
              : isDate(field)
                ? PERIODS.map((one) => [`group-${one}`, 'group', GROUP_BY[one], () => onGroup(`${field.name}:${one}`)] as const)
                : [['group', 'group', 'groupByThis', () => onGroup(field.name)] as const]),
          ...(canFilter ? [['filter', 'filter', 'filterByColumn', () => onFilterBy(i)] as const] : []),
          null,
          ...(i > 0 ? [['left', 'chevron-left', 'moveLeft', () => onColumns(moved(columns, i, i - 1))] as const] : []),
          ...(i < columns.length - 1 ? [['right', 'chevron-right', 'moveRight', () => onColumns(moved(columns, i, i + 1))] as const] : []),
          ['fit', 'expand', 'fitWidth', () => onFit(i)],
          ...(canWrap(field)
            ? [['wrap', 'text', columns[i]!.isWrapped ? 'unwrap' : 'wrap', () => onColumns(wrapped(columns, i))] as const]
            : []),
          isFrozen && !columns[i + 1]?.isFrozen
            ? ['thaw', 'pin', 'unfreeze', () => onColumns(frozen(columns, 0))]
            : ['freeze', 'pin', 'freezeHere', () => onColumns(frozen(columns, i + 1))],
          ...(columns.length > 1 ? [['hide', 'eye-off', 'hideColumn', () => onColumns(without(columns, i))] as const] : []),
          null,
          ...FIGURES.filter(({ fits }) => fits(field)).map(
            ({ name, message }) => [`figure-${name}`, 'sum', message, () => onColumns(figured(columns, i, name))] as const,
          ),
        ]
        return (
          <div
            key={field.id}
            className={`col${isFrozen ? ' fixed' : ''}${typeOf(field).isNumber ? ' end' : ''}${direction ? ' sorted' : ''}`}
            role="columnheader"
            aria-colindex={i + 2}
            aria-sort={direction}
            data-col={i}
            style={{ gridColumn: i + 2, ...(isFrozen && { insetInlineStart: lefts[i] }) }}
            draggable
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData('text/plain', field.title)
              setDragged(i)
            }}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={() => dragged !== undefined && dragged !== i && onColumns(moved(columns, dragged, i))}
            onDragEnd={() => setDragged(undefined)}
            onContextMenu={(event) => {
              event.preventDefault()
              setMenu(i)
            }}
          >
            <button
              type="button"
              className="col-name"
              tabIndex={-1}
              title={say('sortBy', { name: field.title })}
              onClick={({ shiftKey }) => {
                const next = direction === undefined ? 'ascending' : direction === 'ascending' ? 'descending' : undefined
                onSort(shiftKey ? sortedBy(sort, field.name, next, true) : sortedBy(sort, field.name, next))
              }}
            >
              <Icon name={typeOf(field).icon} size="s" />
              <span className="cut">{field.title}</span>
              {direction && <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} size="s" />}
            </button>
            <MenuTrigger isOpen={menu === i} onOpenChange={(isOpen) => setMenu((now) => (isOpen ? i : now === i ? undefined : now))}>
              <Button className="open" aria-label={say('columnMenu', { name: field.title })} excludeFromTabOrder>
                <Icon name="chevron-down" size="s" />
              </Button>
              <Popover placement="bottom end">
                <Menu className="menu" aria-label={field.title} onAction={(id) => actions.find((action) => action?.[0] === id)?.[3]()}>
                  {actions.map((action, at) =>
                    action ? (
                      <MenuItem key={action[0]} id={action[0]} className="menu-item" textValue={say(action[2])}>
                        <Icon name={action[1]} />
                        <span>{say(action[2])}</span>
                        {action[0] === `figure-${columns[i]!.figure}` && (
                          <span className="end">
                            <Icon name="check" />
                          </span>
                        )}
                      </MenuItem>
                    ) : (
                      <Separator key={`line ${at}`} />
                    ),
                  )}
                </Menu>
              </Popover>
            </MenuTrigger>
            <Edge width={columns[i]!.width} onWidth={(width) => onColumns(resized(columns, i, width))} onFit={() => onFit(i)} />
          </div>
        )
      })}
    </div>
  )
})

/** The edge of a column, which is dragged; a double click fits it. By keyboard the menu does it. */
function Edge({ width, onWidth, onFit }: { readonly width: number; onWidth(width: number): void; onFit(): void }) {
  const from = useRef<{ x: number; width: number }>(undefined)
  return (
    <span
      className="col-edge"
      aria-hidden="true"
      // Or the column itself would be dragged.
      onMouseDown={(event) => event.preventDefault()}
      onDoubleClick={onFit}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width }
      }}
      onPointerMove={({ clientX }) => from.current && onWidth(from.current.width + clientX - from.current.x)}
      onPointerUp={() => (from.current = undefined)}
    />
  )
}
