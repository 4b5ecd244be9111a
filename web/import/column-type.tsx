import { useQuery } from '@tanstack/react-query'
import type { Column } from '../api/imports.ts'
import { uniqueFields } from '../api/imports.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { columnTypes, isColumnType, keysWithin, SEVERAL, typeOfLinks, wishOf } from './mapping.ts'
import { nameOf, useTargets } from './targets.ts'
import type { Drafted } from './use-draft.ts'

/** The type of the field that a column becomes; a column that goes to a field of the table has that of the field. */
export function ColumnType({
  column,
  at,
  makes,
  draft,
}: {
  readonly column: Column
  readonly at: number
  readonly makes: boolean
  readonly draft: Drafted
}) {
  const say = useWords()
  const links = useLinks()
  const columns = draft.query.data?.columns ?? []
  const own = makes ? keysWithin(columns, at) : []
  const { header, create, skip, field, field_name, reference } = column
  if (field !== undefined) return <span className="type-text cut">{makes ? say('importOwn') : field_name}</span>
  if (skip === true && !makes) return <span className="type-text cut">{say('importLeaveOut')}</span>
  const value = skip === true ? '' : reference ? linkValue(reference) : (create?.type ?? '')
  const choose = (chosen: string) => {
    if (chosen === '') return draft.putColumn(at, { skip: true }, { skip: true })
    const name = create?.name ?? header
    const link = links.find((one) => one.value === chosen)
    const unique = create?.unique === true
    // What names several records does so by another field too.
    const type = typeOfLinks(reference !== undefined && create?.type === SEVERAL)
    const key = own.find((one) => linkValue({ field: one.name }) === chosen)
    if (key) {
      const named = columns[key.at]!
      const reference = { field: key.name }
      const isKey = { ...wishOf(named, makes), create: { ...wishOf(named, makes)?.create, unique: true } }
      return draft.putColumns([
        // Records are named by what no two of them have.
        { at: key.at, wish: isKey, shown: { ...named, create: { ...named.create!, unique: true } } },
        {
          at,
          wish: { create: { name, unique, ...type }, reference },
          shown: { create: { name, unique, type: 'reference', ...type }, reference },
        },
      ])
    }
    if (link)
      draft.putColumn(at, { create: { name, unique, ...type }, reference: link.reference }, { create: { name, unique, type: 'reference', ...type }, reference: link.reference }) // prettier-ignore
    else draft.putColumn(at, { create: { name, unique, type: chosen } }, { create: { name, unique, type: chosen } })
  }
  return (
    <Select name={say('importTypeFor', { name: header })} value={value} isQuiet={skip === true} onChoose={choose}>
      {Object.entries(columnTypes).map(([type, [word]]) => (
        <option key={type} value={type}>
          {say(word)}
        </option>
      ))}
      {own.map((key) => (
        <option key={key.at} value={linkValue({ field: key.name })}>
          {say('importLinkItself', { field: key.name })}
        </option>
      ))}
      {links.map((link) => (
        <option key={link.value} value={link.value}>
          {link.title}
        </option>
      ))}
      {value !== '' &&
        !isColumnType(value) &&
        !own.some(({ name }) => linkValue({ field: name }) === value) &&
        !links.some((link) => link.value === value) && <option value={value}>{say('typeReference')}</option>}
      <option value="">{say('importLeaveOut')}</option>
    </Select>
  )
}

type Reference = NonNullable<Column['reference']>

export const linkValue = ({ table_id, field }: Reference): string => `${table_id ?? ''}.${field}`

/** The fields by whose values records can be named. `table`: of this one alone, and its numbers of records. */
export function useLinks(table?: number): readonly { value: string; title: string; reference: Reference }[] {
  const say = useWords()
  const { all } = useTargets()
  const { data } = useQuery(uniqueFields)
  const links = (data?.data ?? [])
    .filter(({ attributes }) => table === undefined || attributes['table_id'] === table)
    .map(({ attributes }) => {
      const reference = { table_id: Number(attributes['table_id']), field: String(attributes['int_name']) }
      const words = { table: nameOf(all, reference.table_id), field: String(attributes['field_name']) }
      return { value: linkValue(reference), title: say('importLinkBy', words), reference }
    })
  if (table === undefined) return links
  const byId = { table_id: table, field: 'id' }
  return [...links, { value: linkValue(byId), title: say('importLinkById', { table: nameOf(all, table) }), reference: byId }]
}

/** The wish for a column with another member of how it is written. */
export const writtenAs = (column: Column, makes: boolean, written: Pick<Column, 'date_format' | 'decimal'>) => {
  const { create, ...wish } = wishOf(column, makes) ?? {}
  const type = column.create?.type
  return { ...wish, ...(create && { create: { ...create, ...(type !== undefined && { type }) } }), ...written }
}
