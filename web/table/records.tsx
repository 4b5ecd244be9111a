import { Link } from '@tanstack/react-router'
import { ApiError, type Resource } from '../api/client.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'
import type { TableSearch } from './search.ts'

/** What each way to show the records of a table is given. */
export interface RecordsProps {
  readonly table: Resource
  readonly fields: readonly Field[]
  /** The field that names the records. */
  readonly title: Field | undefined
  readonly search: TableSearch
  /** Changes the address. Undefined takes a part away. */
  put(change: Partial<Record<keyof TableSearch, string | number | undefined>>, isReplace?: boolean): void
}

/** Instead of records that did not come. */
export function NoList({ error, again }: { readonly error: unknown; again(): void }) {
  const say = useWords()
  const isWrong = error instanceof ApiError && error.code.startsWith('filter.')
  return (
    <div className="page">
      {isWrong ? (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">{say('filterWrong', { detail: error.message })}</span>
        </div>
      ) : (
        <Trouble error={error} again={again} />
      )}
    </div>
  )
}

/** Instead of records, where there are none. */
export function NoRecords({ table, search: { filter }, put }: Pick<RecordsProps, 'table' | 'search' | 'put'>) {
  const say = useWords()
  const access = table.meta?.access
  return (
    <section className="empty" role="status">
      <h2>{say(filter === undefined ? 'noRecords' : 'noMatch')}</h2>
      {filter !== undefined ? (
        <button type="button" className="button line" onClick={() => put({ filter: undefined, q: undefined })}>
          {say('clearFilter')}
        </button>
      ) : (
        access?.['create'] === true &&
        access['bed'] === true && (
          <Link className="button line" to="/import" search={{ table: Number(table.id) }}>
            {say('importTitle')}
          </Link>
        )
      )}
    </section>
  )
}
