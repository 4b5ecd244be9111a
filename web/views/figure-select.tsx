import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'

/** Those of which sums and averages are. */
export const numbersOf = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ type }) => type === 'integer' || type === 'decimal')

/** The figure as the address says it, if there is such a one: a field may have gone since. */
export const figureAmong = (figure: string | undefined, fields: readonly Field[]): string | undefined =>
  figure === 'count' || numbersOf(fields).some(({ name }) => figure === `sum:${name}` || figure === `avg:${name}`) ? figure : undefined

/** How many records, or the sum or average of a number. */
export function FigureSelect({
  fields,
  figure,
  onFigure,
}: {
  readonly fields: readonly Field[]
  readonly figure: string
  onFigure(figure: string): void
}) {
  const say = useWords()
  return (
    <Select name={say('figure')} value={figure} onChoose={onFigure}>
      <option value="count">{say('figureCount')}</option>
      {numbersOf(fields).flatMap((field) => [
        <option key={`sum:${field.name}`} value={`sum:${field.name}`}>{`${say('figureSum')}: ${field.title}`}</option>,
        <option key={`avg:${field.name}`} value={`avg:${field.name}`}>{`${say('figureAvg')}: ${field.title}`}</option>,
      ])}
    </Select>
  )
}
