import { useEffect, useRef } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiError, type Resource } from '../api/client.ts'
import { locale, usePreferences } from '../api/preferences.ts'
import { fieldsOf, records, tables } from '../api/queries.ts'
import { rememberTable } from '../api/last-table.ts'
import { MoreMenu } from '../commands/more-menu.tsx'
import { FilterForm } from './filter-form.tsx'
import { Head } from '../ui/head.tsx'
import { ApiButton } from '../api-panel/api-button.tsx'
import { act } from '../commands/commands.ts'
import { fieldOf, type Field, type TitleOf } from '../fields/field.ts'
import { showStill, showValue, typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { includeOf, titleFieldOf, useTitles } from '../fields/titles.ts'
import type { TableSearch } from './search.ts'

/** Records of a page of the list: the most that the interface gives by offset. */
const PAGE = 50

/** A table, page by page. Filter, order and page are in the address. */
export function TablePage() {
  const say = useWords()
  usePreferences()
  const { table: id } = useParams({ from: '/framed/t/$table' })
  const { filter, sort, page = 1 } = useSearch({ from: '/framed/t/$table' })
  const navigate = useNavigate()
  const number = Number(id)
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(number), enabled: table !== undefined })
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const isReady = structure.data !== undefined
  const list = useQuery({
    ...records({ table: number, offset: (page - 1) * PAGE, limit: PAGE, sort, filter, include: includeOf(fields) }),
    enabled: isReady,
    placeholderData: (before, query) => (query?.queryKey[1] === number ? keepPreviousData(before) : undefined),
  })
  const titleOf = useTitles(
    list.data,
    fields,
    list.data?.data.map(({ attributes }) => attributes),
  )
  const find = useRef<HTMLInputElement>(null)
  const total = list.data?.meta?.total ?? 0
  const mayCreate = table?.meta?.access?.['create'] === true
  const pages = Math.max(1, Math.ceil(total / PAGE))
  const go = (next: TableSearch, replace = false) => void navigate({ to: '/t/$table', params: { table: id }, search: next, replace })
  const put = (change: Partial<Record<keyof TableSearch, string | number | undefined>>) =>
    go(Object.fromEntries(Object.entries({ filter, sort, page: undefined, ...change }).filter(([, value]) => value !== undefined)))

  useEffect(() => rememberTable(id), [id])
  // Records may have gone since the address was made.
  const isBeyond = list.data !== undefined && !list.isPlaceholderData && page > pages
  useEffect(() => {
    if (isBeyond) go({ filter, sort, page: pages > 1 ? pages : undefined }, true)
  }, [isBeyond, pages])
  useEffect(
    () =>
      act('table', {
        create: mayCreate && (() => void navigate({ to: '/t/$table/new', params: { table: id } })),
        filter: () => find.current?.focus(),
        unfilter: filter !== undefined && (() => put({ filter: undefined })),
        next: page < pages && (() => put({ page: page + 1 })),
        previous: page > 1 && (() => put({ page: page > 2 ? page - 1 : undefined })),
      }),
    [id, filter, sort, page, pages, mayCreate],
  )

  if (known.data && !table) return <Nowhere />
  const name = String(table?.attributes['table_name'] ?? '')
  const isWrong = list.error instanceof ApiError && list.error.code.startsWith('filter.')
  const failed = known.error ?? structure.error ?? list.error
  return (
    <>
      <Head title={name}>
        {mayCreate && (
          <Link className="button primary" to="/t/$table/new" params={{ table: id }} aria-label={say('newRecord')}>
            <Icon name="plus" />
            <span className="only-wide">{say('newRecord')}</span>
          </Link>
        )}
      </Head>
      <div className="tools">
        <FilterForm
          key={`${id} ${filter ?? ''}`}
          filter={filter}
          input={find}
          isWrong={isWrong}
          onFilter={(text) => put({ filter: text })}
        />
        <span className="grow" />
        <ApiButton table={id} {...{ fields, filter, sort }} />
        <MoreMenu title={say('moreActions')} names={['importFile', 'exportCsv', 'exportXlsx', 'exportJson']} />
      </div>
      {isWrong ? (
        <div className="page">
          <div className="note bad" role="alert">
            <Icon name="alert" />
            <span className="grow">{say('filterWrong', { detail: (list.error as Error).message })}</span>
          </div>
        </div>
      ) : failed ? (
        <div className="page">
          <Trouble error={failed} again={() => void Promise.all([known.refetch(), structure.refetch(), list.refetch()])} />
        </div>
      ) : !list.data ? (
        <Skeleton />
      ) : total === 0 ? (
        <section className="empty" role="status">
          <h2>{say(filter === undefined ? 'noRecords' : 'noMatch')}</h2>
          {filter !== undefined ? (
            <button type="button" className="button line" onClick={() => put({ filter: undefined })}>
              {say('clearFilter')}
            </button>
          ) : (
            table?.meta?.access?.['create'] === true &&
            table.meta.access['bed'] === true && (
              <Link className="button line" to="/import" search={{ table: number }}>
                {say('importTitle')}
              </Link>
            )
          )}
        </section>
      ) : (
        <Records
          {...{ id, fields, sort, titleOf, name }}
          title={titleFieldOf(fields, table)}
          list={list.data.data}
          isOld={list.isPlaceholderData}
          onSort={(next) => put({ sort: next })}
        />
      )}
      <footer className="foot">
        <span role="status">
          {list.data &&
            (total === 0
              ? say('records', { count: 0 })
              : say('range', {
                  from: new Intl.NumberFormat(locale()).format((page - 1) * PAGE + 1),
                  to: new Intl.NumberFormat(locale()).format(Math.min(page * PAGE, total)),
                  total: say('records', { count: total }),
                }))}
        </span>
        <span className="pick">
          {(
            [
              ['firstPage', 'first', 1, page > 1],
              ['previousPage', 'chevron-left', page - 1, page > 1],
              ['nextPage', 'chevron-right', page + 1, page < pages],
              ['lastPage', 'last', pages, page < pages],
            ] as const
          ).map(([word, icon, to, isPossible]) => (
            <button
              key={word}
              type="button"
              className="button small square"
              disabled={!isPossible}
              aria-label={say(word)}
              title={say(word)}
              onClick={() => put({ page: to > 1 ? to : undefined })}
            >
              <Icon name={icon} />
            </button>
          ))}
        </span>
      </footer>
    </>
  )
}

function Records({
  id,
  name,
  fields,
  title,
  list,
  sort,
  isOld,
  titleOf,
  onSort,
}: {
  readonly id: string
  readonly name: string
  readonly fields: readonly Field[]
  readonly title: Field | undefined
  readonly list: readonly Resource[]
  readonly sort: string | undefined
  readonly isOld: boolean
  readonly titleOf: TitleOf
  readonly onSort: (sort: string | undefined) => void
}) {
  const say = useWords()
  const ordered = title ? [title, ...fields.filter((field) => field !== title)] : []
  const orderOf = (field: Field) => (sort === field.name ? 'ascending' : sort === `-${field.name}` ? 'descending' : undefined)
  const nextSort = (field: Field) => ({ none: field.name, ascending: `-${field.name}`, descending: undefined })[orderOf(field) ?? 'none']
  return (
    <>
      <div className={`sheet only-wide${isOld ? ' is-old' : ''}`} tabIndex={0} role="region" aria-label={name} aria-busy={isOld}>
        <table className="list">
          <thead>
            <tr>
              {ordered.map((field) => (
                <th key={field.id} scope="col" className={typeOf(field).isNumber ? 'end' : undefined} aria-sort={orderOf(field)}>
                  <button type="button" title={say('sortBy', { name: field.title })} onClick={() => onSort(nextSort(field))}>
                    <Icon name={typeOf(field).icon} size="s" />
                    <span className="cut">{field.title}</span>
                    {orderOf(field) && <Icon name={orderOf(field) === 'ascending' ? 'arrow-up' : 'arrow-down'} size="s" />}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.map((record) => (
              <tr key={record.id}>
                {ordered.map((field, i) => {
                  const value = (i === 0 ? showStill : showValue)(field, record.attributes[field.name], titleOf)
                  return i === 0 ? (
                    <th key={field.id} scope="row">
                      <Link to="/t/$table/$record" params={{ table: id, record: record.id }}>
                        {value ?? say('record', { id: record.id })}
                      </Link>
                    </th>
                  ) : (
                    <td key={field.id} className={typeOf(field).isNumber ? 'end' : undefined}>
                      {value}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={`cards only-phone${isOld ? ' is-old' : ''}`}>
        {list.map((record) => {
          const filled = ordered.slice(1).flatMap((field) => {
            const value = showStill(field, record.attributes[field.name], titleOf)
            return value === null || value === '' ? [] : [{ field, value }]
          })
          return (
            <Link key={record.id} className="card" to="/t/$table/$record" params={{ table: id, record: record.id }}>
              <h2 className="cut">
                {(title && showStill(title, record.attributes[title.name], titleOf)) ?? say('record', { id: record.id })}
              </h2>
              {filled.slice(0, 3).map(({ field, value }) => (
                <span className="cut" key={field.id}>
                  <span className="quiet">{field.title}: </span>
                  {value}
                </span>
              ))}
            </Link>
          )
        })}
      </div>
    </>
  )
}
