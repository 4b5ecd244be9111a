import { memo } from 'react'
import type { Field } from '../fields/field.ts'
import { plainText } from '../fields/plain.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import type { Column } from './columns.ts'
import { figureOf, useFigures } from './figures.ts'
import type { Span } from './row.tsx'

/** The row below the records: a figure of a column, over all records that the filter selects. */
export const GridFigures = memo(function GridFigures({
  table,
  filter,
  columns,
  lefts,
  span,
  round,
}: {
  readonly table: number
  readonly filter: string | undefined
  readonly columns: readonly Column[]
  readonly lefts: readonly number[]
  readonly span: Span
  readonly round: number
}) {
  const say = useWords()
  const values = useFigures(table, filter, columns, round)
  const shown = columns.map((_, i) => i).filter((i) => columns[i]!.isFrozen || (i >= span.from && i <= span.to))
  return (
    // It is no row of the table: it is read out as what it is.
    <div className="grid-sum" role="presentation">
      {shown.map((i) => {
        const { field, isFrozen } = columns[i]!
        const { name, message } = figureOf(columns[i]!) ?? {}
        const value = values[`${name}:${field.name}`]
        const text = plainText(shownAs(name, field), value ?? '')
        return (
          <div
            key={field.id}
            className={`sum${isFrozen ? ' fixed' : ''}${typeOf(field).isNumber ? ' end' : ''}`}
            style={{ gridColumn: i + 2, ...(isFrozen && { insetInlineStart: lefts[i] }) }}
          >
            {message && (
              <>
                <span>{say(message)}</span>{' '}
                <b className="num" title={value === null ? say('figureNot') : message && `${say(message)} ${text}`}>
                  {text || '–'}
                </b>
                {value === null && <span className="said">{say('figureNot')}</span>}
              </>
            )}
          </div>
        )
      })}
    </div>
  )
})

/** Counts are whole numbers, and an average may have a part, whatever the field holds. */
export const shownAs = (name: string | undefined, field: Field): Parameters<typeof plainText>[0] =>
  name === 'avg' ? { type: 'decimal' } : name === 'filled' || name === 'empty' || name === 'distinct' ? { type: 'integer' } : field
