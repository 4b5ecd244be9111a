import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiButton } from '../api-panel/api-button.tsx'
import { usePreferences } from '../api/preferences.ts'
import { fieldsOf, me, tables } from '../api/queries.ts'
import { rememberTable } from '../api/last-table.ts'
import { useViewing } from '../api/viewing.ts'
import { MoreMenu } from '../commands/more-menu.tsx'
import { act } from '../commands/commands.ts'
import { fieldOf } from '../fields/field.ts'
import { useSystemFields } from '../fields/system.ts'
import { titleFieldOf } from '../fields/titles.ts'
import { FilterButton } from '../filter/filter-button.tsx'
import { both, quote } from '../filter/language.ts'
import { QuickSearch } from '../filter/quick-search.tsx'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { usePhone } from '../ui/phone.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { useTakeBack } from '../ui/take-back.ts'
import { useTrouble } from '../ui/trouble.tsx'
import { ViewTabs } from '../views/view-tabs.tsx'
import { OrderButton } from './order-button.tsx'
import { asShown } from './as-shown.ts'
import { shownAs } from './show.ts'
import { NoList, TellFault, type RecordsProps } from './records.tsx'
import { useExports } from './use-exports.ts'

const RecordPanel = lazy(async () => ({ default: (await import('../record/record-panel.tsx')).RecordPanel }))

const MORE = ['exportCsv', 'exportXlsx', 'exportJson', 'tableFields'] as const

/** A table: which records are shown, and how, is in the address. */
export function TablePage() {
  const say = useWords()
  usePreferences()
  const { table: id } = useParams({ from: '/framed/t/$table' })
  const search = useSearch({ from: '/framed/t/$table' })
  const { filter } = search
  const [fault, setFault] = useState<unknown>()
  const navigate = useNavigate()
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(Number(id)), enabled: table !== undefined })
  const fields = useMemo(() => structure.data?.data.map(fieldOf), [structure.data])
  const system = useSystemFields(Number(id), fields !== undefined && table?.meta?.access?.['read'] === true)
  const all = useMemo(() => fields && [...fields, ...system], [fields, system])
  const isPhone = usePhone()
  const takeBack = useTakeBack(useTrouble(), Number(id))
  const mayCreate = table?.meta?.access?.['create'] === true
  const isViewing = useViewing() !== undefined
  const mayImport = mayCreate && table.meta?.access?.['bed'] === true && !isViewing
  const put: RecordsProps['put'] = (change, replace = false) =>
    void navigate({
      to: '/t/$table',
      params: { table: id },
      search: Object.fromEntries(Object.entries({ ...search, page: undefined, ...change }).filter(([, value]) => value !== undefined)),
      replace,
    })

  // What the person searches for is a filter beside the other.
  const shown = useMemo(
    () => ({ ...search, filter: both(filter, search.q === undefined ? undefined : `search(${quote(search.q)})`) }),
    [search],
  )

  const person = useQuery(me).data?.data.id ?? ''
  useExports(table, all, person, shown)
  const inSight = table && all && asShown(table, all, person, shown)
  useEffect(() => rememberTable(id), [id])
  useEffect(
    () =>
      act('table', {
        ...takeBack,
        create: mayCreate && (() => void navigate({ to: '/t/$table/new', params: { table: id } })),
      }),
    [id, search, mayCreate],
  )

  const administers = (useQuery(me).data?.data.attributes['administers'] ?? []) as readonly string[]
  const mayDesign = administers.includes('field') && !isViewing
  useEffect(() => {
    if (!mayDesign) return
    const design = (field?: 'new') => void navigate({ to: '/admin/tables/$table', params: { table: id }, search: { field } })
    return act('design', { newField: () => design('new'), tableFields: () => design() })
  }, [id, mayDesign])

  // Instead of the frame's, which leads to a new table.
  useEffect(() => {
    if (mayImport) return act('import', { importFile: () => void navigate({ to: '/import', search: { table: Number(id) } }) }, 1)
  }, [id, mayImport])

  // The grid has another.
  useEffect(() => act('list', { toList: () => document.querySelector<HTMLElement>('.table-list a')?.focus() }, -1), [])

  if (known.data && !table) return <Nowhere />
  const failed = known.error ?? structure.error

  const Records = shownAs(search.kind, isPhone)
  return (
    <>
      <Head title={String(table?.attributes['table_name'] ?? '')} beside={<ViewTabs table={id} />}>
        {mayCreate && (
          <Link className="button primary" to="/t/$table/new" params={{ table: id }} aria-label={say('newRecord')}>
            <Icon name="plus" />
            <span className="only-wide">{say('newRecord')}</span>
          </Link>
        )}
      </Head>
      <div className="tools">
        {all && (
          <FilterButton
            key={`filter ${id}`}
            {...{ filter }}
            fields={all}
            error={search.q === undefined ? fault : undefined}
            onFilter={(text) => put({ filter: text })}
          />
        )}
        {all && search.kind !== 'chart' && (
          <OrderButton key={`order ${id}`} fields={all} sort={search.sort} onSort={(sort, isNoStep) => put({ sort }, isNoStep)} />
        )}
        <QuickSearch key={`search ${id}`} words={search.q} onWords={(q) => put({ q }, search.q !== undefined)} />
        <span className="grow" />
        <span id="view-tools" />
        <ApiButton table={id} fields={all ?? []} shown={inSight?.names} filter={shown.filter} sort={inSight?.sort} mayWrite={mayCreate} />
        <MoreMenu title={say('moreActions')} names={mayImport ? ['importFile', ...MORE] : MORE} />
      </div>
      {failed ? (
        <NoList error={failed} again={() => void Promise.all([known.refetch(), structure.refetch()])} />
      ) : table && fields ? (
        <div className="table-beside">
          <div className="table-list">
            <Suspense fallback={<Skeleton />}>
              <TellFault value={setFault}>
                <Records key={id} {...{ table, fields, system, put }} search={shown} title={titleFieldOf(fields, table)} />
              </TellFault>
            </Suspense>
          </div>
          {search.record !== undefined && (
            <Suspense fallback={<aside className="record-panel" aria-busy="true" />}>
              <RecordPanel key={id} table={id} record={String(search.record)} />
            </Suspense>
          )}
        </div>
      ) : (
        <Skeleton />
      )}
    </>
  )
}
