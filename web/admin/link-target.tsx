import { useId } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { fieldsOf } from '../api/queries.ts'
import { fieldOf, type Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { TableOptions } from '../ui/table-options.tsx'
import { kindOf } from './kinds.ts'
import { likelyKey } from '../fields/likely-target.ts'

/** Instead of a unique field: values are the numbers of records. */
const BY_NUMBER = ''

/** How a field that becomes a link refers: the table, and what finds the records there. Undefined until the fields of the table are known. */
export interface Linking {
  readonly keys: readonly Field[]
  /** The id of a unique field, or '' for the numbers of records. */
  readonly by: string
}

/** `chosen`: what was chosen, in whatever table. */
export function useLinking(field: Field, table: Resource | undefined, chosen: string | undefined): Linking | undefined {
  const { data, isError } = useQuery({ ...fieldsOf(Number(table?.id)), enabled: table !== undefined })
  if (!table || (!data && !isError)) return undefined
  const keys = namesNothing(field) ? [] : (data?.data ?? []).map(fieldOf).filter((one) => isKey(one) && one.id !== field.id)
  const known = chosen === BY_NUMBER || keys.some(({ id }) => String(id) === chosen)
  return { keys, by: known ? chosen! : likelyKey(field, keys, Number(table.attributes['title_field_id'])) }
}

/** Whether its values are ids or files, which no field of another table holds. */
const namesNothing = ({ type }: Field): boolean => {
  const settings = kindOf(type)?.settings ?? []
  return ['user', 'users', 'group'].includes(type) || settings.some((one) => one === 'reference_table_id' || one === 'max_files')
}

const isKey = ({ isUnique, type }: Field): boolean => isUnique && type !== 'reference' && type !== 'user'

/** The table to which a field will link, and by what its records are found. */
export function LinkTarget({
  field,
  tables,
  target,
  linking,
  onTarget,
  onBy,
}: {
  readonly field: Field
  readonly tables: readonly Resource[]
  readonly target: string
  readonly linking: Linking | undefined
  readonly onTarget: (id: string) => void
  readonly onBy: (by: string) => void
}) {
  const say = useWords()
  const id = useId()
  const table = tables.find((one) => one.id === target)
  return (
    <>
      <div className="admin-field">
        <label className="name" htmlFor={`${id}-table`}>
          {say('fieldTarget')}
        </label>
        <Select id={`${id}-table`} value={target} onChoose={onTarget}>
          <TableOptions tables={tables} />
        </Select>
      </div>
      {linking && linking.keys.length > 0 && (
        <div className="admin-field">
          <label className="name" htmlFor={`${id}-by`}>
            {say('convertBy')}
          </label>
          <Select id={`${id}-by`} value={linking.by} onChoose={onBy}>
            {linking.keys.map((key) => (
              <option key={key.id} value={key.id}>
                {key.title}
              </option>
            ))}
            <option value={BY_NUMBER}>{say('convertByNumber')}</option>
          </Select>
        </div>
      )}
      {linking?.by === BY_NUMBER && (
        <p className="quiet small">
          {say('convertLeadLink')}{' '}
          {linking.keys.length === 0 && !namesNothing(field) && (
            <>
              {say('convertNoKey', { unique: say('fieldUnique') })}{' '}
              <Link className="text-link" to="/admin/tables/$table" params={{ table: target }}>
                {say('convertToFields', { table: String(table?.attributes['table_name'] ?? '') })}
              </Link>
            </>
          )}
        </p>
      )}
    </>
  )
}
