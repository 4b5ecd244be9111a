import type { RecordPages } from '../api/pages.ts'
import type { Field } from '../fields/field.ts'
import { plainText } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import type { Column } from './columns.ts'
import { useAllFigures } from './figures.ts'
import { isOne, rangeOf, sizeOf, type Range, type Selection } from './selection.ts'

/** Cells that are added up here, where their records have come. */
const MOST = 50_000

interface Sum {
  readonly sum: number
  readonly count: number
  readonly min: number
  readonly max: number
}

/** Of the cells that are chosen: how many, and of numbers their sum, average, smallest and largest. Of whole columns the service tells it. */
export function Sums({
  table,
  filter,
  round,
  columns,
  pages,
  selection,
}: {
  readonly table: number
  readonly filter: string | undefined
  /** Another number after each change of the list. */
  readonly round: number
  readonly columns: readonly Column[]
  readonly pages: RecordPages
  readonly selection: Selection
}) {
  const say = useWords()
  const range = rangeOf(selection)
  const { rows, cols } = sizeOf(range)
  const isSome = !isOne(selection) && range.top >= 0
  const fields = columns.slice(range.left, range.right + 1).map(({ field }) => field)
  const numbers = fields.filter(isNumber)
  const isHere = isSome && rows * cols <= MOST && pages.has(range.top, range.bottom)
  const isWhole = isSome && !isHere && range.top === 0 && rows === pages.total
  const told = useAllFigures(table, filter, isWhole ? numbers : [], round)
  if (!isSome) return null
  const { filled, of } = isHere ? addedUp(pages, range, fields) : { filled: undefined, of: told }
  const scale = Math.max(0, ...numbers.map((field) => (field.type === 'decimal' ? field.scale : 0)))
  const show = (value: number, digits = scale) => plainText({ type: 'decimal' }, value.toFixed(digits))
  return (
    <span className="only-wide" role="status">
      {filled === undefined ? say('chosenRows', { count: rows }) : say('chosenCells', { count: filled })}
      {of &&
        of.count > 1 &&
        ` · ${say('chosenSum', { sum: show(of.sum), avg: show(of.sum / of.count, Math.max(scale, 2)), min: show(of.min), max: show(of.max) })}`}
    </span>
  )
}

const isNumber = ({ type }: Field) => type === 'integer' || type === 'decimal'

function addedUp(pages: RecordPages, { top, bottom }: Range, fields: readonly Field[]): { readonly filled: number; readonly of: Sum } {
  let filled = 0
  let [sum, count, min, max] = [0, 0, Infinity, -Infinity]
  for (let row = top; row <= bottom; row++)
    for (const field of fields) {
      const value = String(pages.record(row)?.attributes[field.name] ?? '')
      if (value === '') continue
      filled++
      if (!isNumber(field)) continue
      const number = Number(value)
      count++
      sum += number
      min = Math.min(min, number)
      max = Math.max(max, number)
    }
  return { filled, of: { sum, count, min, max } }
}
