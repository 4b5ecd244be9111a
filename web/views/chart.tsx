import { useQuery } from '@tanstack/react-query'
import { locale } from '../api/preferences.ts'
import { groupsOf, type Group } from '../api/views.ts'
import { plainText } from '../fields/plain.ts'
import { hueAt } from '../fields/hues.ts'
import { periodName } from '../grid/grouping.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { FigureSelect, figureAmong } from './figure-select.tsx'
import { Needs } from './needs.tsx'
import { useLive } from './use-live.ts'
import type { ViewProps } from './view-props.ts'

/** Bars that are drawn; the table has them all. */
const BARS = 60

const PERIODS = ['year', 'quarter', 'month', 'week', 'day'] as const

/** Counts, sums and averages by a list, a reference, a person or a part of a date: as bars, and the same figures as a table. */
export function Chart({ table, fields: own, system, search, put }: ViewProps) {
  const say = useWords()
  const figure = figureAmong(search.figure, own) ?? 'count'
  const fields = [...own, ...system]
  const choices = fields.flatMap((field) =>
    field.type === 'date' || field.type === 'datetime'
      ? PERIODS.map((period) => ({ group: `${field.name}:${period}`, title: `${field.title}: ${say(`by_${period}`)}` }))
      : ['list', 'reference', 'user', 'group', 'boolean', 'multilist'].includes(field.type)
        ? [{ group: field.name, title: field.title }]
        : [],
  )
  // A reference may have more groups than a chart shows.
  const isFew = ({ group }: { group: string }) =>
    group.endsWith(':month') || fields.some(({ name: one, type }) => one === group && /^(list|boolean|multilist)$/.test(type))
  const chosen = choices.find(({ group }) => group === search.group) ?? choices.find(isFew) ?? choices[0]
  const groups = useQuery({ ...groupsOf(Number(table.id), chosen?.group ?? '', figure, search.filter), enabled: chosen !== undefined })
  useLive({ table: Number(table.id), filter: search.filter, places: [] }, undefined)
  if (!chosen) return <Needs table={table.id} words={say('chartNothing')} />
  const [name = 'count', attribute = ''] = figure.split(':')
  const valueOf = (group: Group): number => Number(name === 'count' ? (group.count ?? 0) : (group[name as 'sum' | 'avg']?.[attribute] ?? 0))
  const field = fields.find((one) => one.name === chosen.group)
  const isYes = field?.type === 'boolean'
  // Options stand in their own order and have their own colours.
  const isOfOptions = field?.type === 'list' || field?.type === 'multilist'
  const placeOf = ({ value }: Group) => field?.options.findIndex(({ label }) => label === value) ?? -1
  const hueOf = (group: Group) => (isOfOptions ? hueAt(placeOf(group)) : undefined)
  const last = (group: Group) => (placeOf(group) === -1 ? Number.POSITIVE_INFINITY : placeOf(group))
  const [, period] = chosen.group.split(':')
  const labelOf = ({ label, value }: Group) => {
    if (isYes) return say(value === '1' ? 'yes' : 'no')
    if (period !== undefined && value) return periodName(value, period, locale())
    return label || value || say('noOption')
  }
  const show = (value: number) =>
    name === 'count' ? new Intl.NumberFormat(locale()).format(value) : plainText({ type: 'decimal' }, value.toFixed(2))
  const found = groups.data ?? []
  const rows = isOfOptions ? found.toSorted((a, b) => (last(a) === last(b) ? 0 : last(a) - last(b))) : found
  const most = Math.max(...rows.map(valueOf), 0)
  const title =
    figure === 'count'
      ? say('figureCount')
      : `${say(name === 'sum' ? 'figureSum' : 'figureAvg')}: ${fields.find((one) => one.name === attribute)?.title ?? ''}`
  return (
    <div className="page chart">
      <div className="view-bar">
        <Select name={say('groupBy')} value={chosen.group} onChoose={(group) => put({ group })}>
          {choices.map(({ group, title: one }) => (
            <option key={group} value={group}>
              {one}
            </option>
          ))}
        </Select>
        <FigureSelect {...{ fields: own, figure }} onFigure={(one) => put({ figure: one === 'count' ? undefined : one })} />
      </div>
      {groups.error && <Trouble error={groups.error} again={() => void groups.refetch()} />}
      {/* The table says the same to those who do not see the bars. */}
      <div className="bars" aria-hidden="true">
        {rows.slice(0, BARS).map((group, i) => (
          <div key={`${group.value} ${i}`} className="bar-row">
            <span className="cut">{labelOf(group)}</span>
            <span
              className="chart-bar"
              data-hue={hueOf(group)}
              style={{ inlineSize: `${most > 0 ? Math.max(0, (valueOf(group) / most) * 100) : 0}%` }}
            />
            <span className="num">{show(valueOf(group))}</span>
          </div>
        ))}
      </div>
      <table className="mini">
        <thead>
          <tr>
            <th scope="col">{chosen.title}</th>
            <th scope="col" className="end">
              {title}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((group, i) => (
            <tr key={`${group.value} ${i}`}>
              <td>
                <span className="row">
                  {isOfOptions && <i className="swatch" data-hue={hueOf(group)} />}
                  <span className="cut">{labelOf(group)}</span>
                </span>
              </td>
              <td className="end">{show(valueOf(group))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
