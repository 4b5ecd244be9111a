import type { RecordPages } from '../api/pages.ts'
import { plainText } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import type { Column } from './columns.ts'
import { isOne, rangeOf, sizeOf, type Selection } from './selection.ts'

/** Cells that are added up here. */
const MOST = 50_000

/** Of the cells that are chosen: how many, and of numbers their sum, average, smallest and largest. */
export function Sums({
  columns,
  pages,
  selection,
}: {
  readonly columns: readonly Column[]
  readonly pages: RecordPages
  readonly selection: Selection
}) {
  const say = useWords()
  const range = rangeOf(selection)
  const { rows, cols } = sizeOf(range)
  if (isOne(selection) || rows * cols > MOST || range.top < 0) return null
  const numbers: number[] = []
  let scale = 0
  let filled = 0
  for (let row = range.top; row <= range.bottom; row++)
    for (const { field } of columns.slice(range.left, range.right + 1)) {
      const value = String(pages.record(row)?.attributes[field.name] ?? '')
      if (value === '') continue
      filled++
      if (field.type !== 'integer' && field.type !== 'decimal') continue
      scale = Math.max(scale, field.type === 'decimal' ? field.scale : 0)
      numbers.push(Number(value))
    }
  const show = (value: number) => plainText({ type: 'decimal' }, value.toFixed(scale))
  const sum = numbers.reduce((all, one) => all + one, 0)
  return (
    <span className="only-wide" role="status">
      {say('chosenCells', { count: filled })}
      {numbers.length > 1 &&
        ` · ${say('chosenSum', { sum: show(sum), avg: show(sum / numbers.length), min: show(numbers.reduce((a, b) => Math.min(a, b))), max: show(numbers.reduce((a, b) => Math.max(a, b))) })}`}
    </span>
  )
}
