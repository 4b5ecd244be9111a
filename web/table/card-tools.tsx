import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import type { Field } from '../fields/field.ts'
import type { Column } from '../grid/columns.ts'
import { figured } from '../grid/columns.ts'
import { figureOf, FIGURES, useFigures } from '../grid/figures.ts'
import { shownAs } from '../grid/grid-figures.tsx'
import { canGroup, isDate, PERIODS, type Grouping } from '../grid/grouping.ts'
import { plainText } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'

const BY = { year: 'by_year', month: 'by_month', day: 'by_day' } as const

/** By which field a list of cards is grouped: what the menu of a column is in the grid. */
export function GroupSelect({
  fields,
  grouping,
  onGroup,
}: {
  readonly fields: readonly Field[]
  readonly grouping: Grouping | undefined
  onGroup(group: string | undefined): void
}) {
  const say = useWords()
  const choices = fields
    .filter(canGroup)
    .flatMap((field) =>
      isDate(field)
        ? PERIODS.map((period) => ({ group: `${field.name}:${period}`, title: `${field.title}: ${say(BY[period])}` }))
        : [{ group: field.name, title: field.title }],
    )
  if (choices.length === 0) return null
  return (
    <Select name={say('groupBy')} value={grouping?.text ?? ''} onChoose={(group) => onGroup(group || undefined)}>
      <option value="">{say('groupNot_')}</option>
      {grouping && !choices.some(({ group }) => group === grouping.text) && <option value={grouping.text}>{grouping.field.title}</option>}
      {choices.map(({ group, title }) => (
        <option key={group} value={group}>
          {title}
        </option>
      ))}
    </Select>
  )
}

/** Figures of the whole list: what stands below the columns of the grid, and the way to choose it. */
export function Totals({
  table,
  filter,
  round,
  columns,
  onColumns,
}: {
  readonly table: number
  readonly filter: string | undefined
  readonly round: number
  readonly columns: readonly Column[]
  onColumns(columns: readonly Column[]): void
}) {
  const say = useWords()
  const values = useFigures(table, filter, columns, round)
  const textOf = (column: Column) => {
    const { name } = figureOf(column) ?? {}
    const value = values[`${name}:${column.field.name}`]
    return value === null ? say('figureNot') : plainText(shownAs(name, column.field), value ?? '') || '–'
  }
  return (
    <>
      <DialogTrigger>
        <Button className="button">
          <Icon name="sum" />
          <span>{say('totals')}</span>
        </Button>
        <Popover className="popover totals-popover" placement="bottom start">
          <Dialog className="totals">
            <Heading slot="title" level={2}>
              {say('totals')}
            </Heading>
            {columns.map((column, i) => {
              const fitting = FIGURES.filter(({ fits }) => fits(column.field))
              if (fitting.length === 0) return null
              const { field } = column
              return (
                <div key={field.id} className="row between">
                  <span className="cut grow">{field.title}</span>
                  <Select
                    name={say('totalOf', { name: field.title })}
                    value={figureOf(column)?.name ?? ''}
                    onChoose={(name) => onColumns(figured(columns, i, name || column.figure || ''))}
                  >
                    <option value="">–</option>
                    {fitting.map(({ name, message }) => (
                      <option key={name} value={name}>
                        {say(message)}
                      </option>
                    ))}
                  </Select>
                </div>
              )
            })}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {columns.some(figureOf) && (
        <dl className="card-totals">
          {columns.filter(figureOf).map((column) => (
            <div key={column.field.id}>
              <dt>
                {say(figureOf(column)!.message)}: {column.field.title}
              </dt>
              <dd className="num">{textOf(column)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
