import { memo } from 'react'
import { plainText } from '../fields/plain.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import type { Column } from './columns.ts'
import { figureMessage, useFigures, type Figures } from './figures.ts'
import type { Span } from './row.tsx'

/** The row below the records: a figure of a column, over all records that the filter selects. */
export const GridFigures = memo(function GridFigures({
  table,
  filter,
  columns,
  lefts,
  span,
  figures,
  round,
}: {
  readonly table: number
  readonly filter: string | undefined
  readonly columns: readonly Column[]
  readonly lefts: readonly number[]
  readonly span: Span
  readonly figures: Figures
  readonly round: number
}) {
  const say = useWords()
  const values = useFigures(table, filter, figures, round)
  const shown = columns.map((_, i) => i).filter((i) => columns[i]!.isFrozen || (i >= span.from && i <= span.to))
  return (
    // It is no row of the table: it is read out as what it is.
    <div className="grid-sum" role="presentation">
      {shown.map((i) => {
        const { field, isFrozen } = columns[i]!
        const name = figures[field.name]
        const message = name === undefined ? undefined : figureMessage(name)
        const value = values[`${name}:${field.name}`] ?? ''
        return (
          <div
            key={field.id}
            className={`sum${isFrozen ? ' fixed' : ''}${typeOf(field).isNumber ? ' end' : ''}`}
            style={{ gridColumn: i + 2, ...(isFrozen && { insetInlineStart: lefts[i] }) }}
          >
            {message && (
              <>
                <span>{say(message)}</span> <b className="num">{plainText(name === 'avg' ? { type: 'decimal' } : field, value) || '–'}</b>
              </>
            )}
          </div>
        )
      })}
    </div>
  )
})
