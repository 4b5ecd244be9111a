import { createContext, useContext, useEffect } from 'react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiError, type Resource } from '../api/client.ts'
import { run, useCommands } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { Caret } from '../filter/caret.tsx'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'
import type { TableSearch } from './search.ts'

/** What each way to show the records of a table is given. */
export interface RecordsProps {
  readonly table: Resource
  readonly fields: readonly Field[]
  /** What every record has beside them, as far as the person may see it. */
  readonly system: readonly Field[]
  /** The field that names the records. */
  readonly title: Field | undefined
  readonly search: TableSearch
  /** Changes the address. Undefined takes a part away. */
  put(change: Partial<Record<keyof TableSearch, string | number | undefined>>, isReplace?: boolean): void
}

/** Is told what the service says of the filter, which whoever opens the builder sees again. */
export const TellFault = createContext<(error: unknown) => void>(() => undefined)

/** Instead of records that did not come. */
export function NoList({ error, again }: { readonly error: unknown; again(): void }) {
  const say = useWords()
  const possible = useCommands()
  const navigate = useNavigate()
  const isWrong = error instanceof ApiError && error.code.startsWith('filter.')
  // As where the address is a colleague's, who sees more fields.
  const isUnsorted = error instanceof ApiError && error.code.startsWith('sort.')
  const unsort = () => void navigate({ to: '.', search: (before) => ({ ...before, sort: undefined }), replace: true })
  const { filter = '', q } = useSearch({ from: '/framed/t/$table' })
  const tell = useContext(TellFault)
  useEffect(() => {
    if (!isWrong) return
    tell(error)
    return () => tell(undefined)
  }, [isWrong, error, tell])
  return (
    <div className="page">
      {isWrong ? (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">
            {isOfGone(error) ? say('filterFieldGone') : say('filterWrong', { detail: told(error.message) })}
            {/* The words that are searched for are sent as the second part of `and(…)`. */}
            <Caret text={filter} error={error} before={q === undefined ? 0 : 'and('.length} />
          </span>
          {(['filter', 'unfilter'] as const).map(
            (name) =>
              possible.some(([one]) => one === name) && (
                <button key={name} type="button" className="button small" onClick={() => run(name)}>
                  {say(name === 'filter' ? 'changeFilter' : 'clearFilter')}
                </button>
              ),
          )}
        </div>
      ) : isUnsorted ? (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <span className="grow">{isOfGone(error) ? say('sortFieldGone') : told(error.message)}</span>
          <button type="button" className="button small" onClick={unsort}>
            {say('sortNot')}
          </button>
        </div>
      ) : (
        <Trouble error={error} again={again} />
      )}
    </div>
  )
}

/** A field that was deleted since, or that the person may not see: its number says nothing to them. */
const isOfGone = ({ code, message }: ApiError): boolean => code.endsWith('.unknown_attribute') && /'f\d+'/.test(message)

/** Instead of records, where there are none. */
export function NoRecords({ table, search: { q }, put }: Pick<RecordsProps, 'table' | 'search' | 'put'>) {
  const say = useWords()
  // That of the search is the filter and the words that are sought, joined.
  const { filter } = useSearch({ from: '/framed/t/$table' })
  const access = table.meta?.access
  const mayCreate = access?.['create'] === true
  if (q !== undefined || filter !== undefined)
    return (
      <section className="empty" role="status">
        <Icon name={q === undefined ? 'filter' : 'search'} />
        <h2>{q === undefined ? say('noMatch') : say('noFound', { words: q })}</h2>
        <p>{say(q === undefined ? 'noMatchLead' : 'searchNoneLead')}</p>
        <div className="row">
          {q !== undefined && (
            <button type="button" className="button line" onClick={() => put({ q: undefined })}>
              {say('clearSearch')}
            </button>
          )}
          {filter !== undefined && (
            <button type="button" className="button line" onClick={() => put({ filter: undefined })}>
              {say('clearFilter')}
            </button>
          )}
        </div>
      </section>
    )
  return (
    <section className="empty" role="status">
      <Icon name="grid" />
      <h2>{say('noRecords')}</h2>
      {mayCreate && (
        <>
          <p>{say(access['bed'] === true ? 'noRecordsLead' : 'noRecordsFirst')}</p>
          <div className="row">
            <Link className="button line" to="/t/$table/new" params={{ table: table.id }}>
              {say('newRecord')}
            </Link>
            {access['bed'] === true && (
              <Link className="button line" to="/import" search={{ table: Number(table.id) }}>
                {say('importTitle')}
              </Link>
            )}
          </div>
        </>
      )}
    </section>
  )
}
