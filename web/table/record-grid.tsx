import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { pagesOf } from '../api/pages.ts'
import { me, queries } from '../api/queries.ts'
import { whenChanged } from '../api/records.ts'
import { act } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { isNamedOnly } from '../fields/system.ts'
import { includeOf, useTitlesAmong } from '../fields/titles.ts'
import { both } from '../filter/language.ts'
import { conditionAt, writeFilter } from '../filter/tree.ts'
import { ColumnsMenu } from '../grid/columns-menu.tsx'
import type { Column } from '../grid/columns.ts'
import { keepFresh, unread, type Fresh } from '../grid/freshness.ts'
import { Grid } from '../grid/grid.tsx'
import { GroupMenu } from '../grid/group-menu.tsx'
import { groupingOf, sortOf } from '../grid/grouping.ts'
import { PendingNote } from '../grid/pending-note.tsx'
import { foldingOf, useKeepingCell, useKeptPlace } from '../grid/places.ts'
import { at, isOne, rangeOf, within, type Selection } from '../grid/selection.ts'
import { SavedNote } from '../grid/saved-note.tsx'
import { CellStates } from '../grid/states.ts'
import { Sums } from '../grid/sums.tsx'
import { useDoing } from '../grid/use-doing.ts'
import { useEditing, useTypedBefore } from '../grid/use-editing.ts'
import { useFolding } from '../grid/use-folding.ts'
import { useGroups } from '../grid/use-groups.ts'
import { Writes } from '../grid/writes.ts'
import { useWords } from '../i18n/words.ts'
import { toGrid } from '../ui/grid-cell.ts'
import { useOpenRecord } from '../ui/record-link.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { ViewTools } from '../ui/view-tools.tsx'
import { useOffered } from '../ui/walk.ts'
import { ShowChanges } from '../views/show-changes.tsx'
import { ChosenRecords } from './chosen-records.tsx'
import { GoTo } from './go-to.tsx'
import { NoList, NoRecords, type RecordsProps } from './records.tsx'
import { rowsOf, useChosen } from './use-chosen.ts'
import { useColumns } from './use-columns.ts'
import { useToList } from './use-to-list.ts'

/** Undefined where answers have all by themselves that is shown. */
const namesFor = (columns: readonly Column[], all: readonly Field[]): string | undefined =>
  columns.some(({ field }) => isNamedOnly(field.name)) ? all.map(({ name }) => name).join() : undefined

/** The records in a grid over the whole list. */
export function RecordGrid({ table, fields, system, title, search, put }: RecordsProps) {
  const say = useWords()
  const inWords = useTrouble()
  const trouble = (error: unknown) => {
    // The page to sign in comes when it is noticed that nobody is signed in.
    if (error instanceof ApiError && error.status === 401) void queries.invalidateQueries({ queryKey: me.queryKey })
    return inWords(error)
  }
  const number = Number(table.id)
  const rights = table.meta?.access ?? {}
  const person = useQuery(me).data?.data.id ?? ''
  const include = includeOf(fields)
  const hasOwn = fields.some(({ target }) => target === number)
  const { filter } = search
  const all = useMemo(() => [...fields, ...system], [fields, system])
  const grouping = useMemo(() => groupingOf(search.group, all), [search.group, all])
  const sort = sortOf(search.sort, grouping)
  const { filter: shownFilter, record: beside } = useSearch({ from: '/framed/t/$table' })
  const place = useKeptPlace(JSON.stringify([person, number, filter, sort, grouping?.text]))
  const [selection, setSelection] = useState<Selection>(() => at(place.begin?.cell.row ?? 0, place.begin?.cell.col ?? 0))
  const [isAsking, setAsking] = useState(false)
  const [fresh, setFresh] = useState<Fresh>(unread)
  const { columns, onColumns } = useColumns(person, table.id, { fields: all, title, search, put })
  const names = namesFor(columns, all)
  const list = useMemo(() => {
    const asked = { table: number, filter, sort, include, names, hasOwn }
    const pages = pagesOf(asked)
    const states = new CellStates()
    return { asked, pages, states, writes: new Writes(number, pages, states, include, trouble) }
  }, [number, filter, sort, include, names, hasOwn])
  const { pages, states } = list
  const version = useSyncExternalStore(pages.subscribe, () => pages.version)
  useSyncExternalStore(states.subscribe, () => states.version)
  const follower = useRef<ReturnType<typeof keepFresh>>(undefined)
  const goTo = useRef<(row: number) => void>(undefined)
  const groups = useGroups(pages, { table: number, filter, sort, grouping, begin: foldingOf(place.begin) })
  const { lines } = groups
  useKeepingCell(place, selection.at, groups.folding, lines.count > 0, setSelection)

  useEffect(() => {
    pages.look({ from: 0, to: 40 })
    const freshness = keepFresh(list.asked, person, pages, states, setFresh)
    follower.current = freshness
    const unfollow = list.writes.follow((records) => freshness.wrote(records))
    return () => {
      unfollow()
      freshness.close()
      pages.close()
      setFresh(unread())
    }
  }, [list, person])

  const { editing, onEdit } = useEditing({ of: JSON.stringify([number, filter, sort]), pages, lines, columns, onSelect: setSelection })
  const titleOf = useTitlesAmong(pages.included, pages.brought, [
    ...fields,
    ...system.filter((one) => columns.some(({ field }) => field === one)),
  ])
  const refresh = () => {
    pages.refresh()
    follower.current?.refreshed()
  }
  useEffect(() => whenChanged((one) => one === number && refresh()), [list])
  const open = useOpenRecord()
  useOffered(
    () => ({
      table: number,
      name: JSON.stringify([number, filter, sort]),
      total: pages.total,
      placeOf: (record) => pages.placeOf(record),
      at: async (place) => (await pages.read(place, place))[0]?.id,
      show: (place) => setSelection((now) => (now.at.row === place ? now : at(place, Math.max(0, now.at.col)))),
      known: (record) => pages.known(record, fields),
    }),
    [list, version, fields],
  )
  const { doing, pending, decide } = useDoing({
    table: number,
    columns,
    pages,
    states,
    titleOf,
    rights,
    selection,
    writes: list.writes,
    onSelect: setSelection,
    onEdit,
    onOpen: open,
  })

  useTypedBefore({ table: number, fields, pages, lines, columns, isBeside: beside !== undefined, edit: doing.edit, onOpen: open })

  const rows = pages.total ?? 0
  const range = rangeOf(within(selection, { rows, cols: columns.length, screen: 1 }))
  const { foldAll, onFold } = useFolding(groups, { rows, range, selection, onSelect: setSelection })
  const onRemoved = () => setSelection((now) => (now === selection ? at(range.top, Math.max(0, now.at.col)) : now))
  const chosen = useChosen({ table: table.id, fields, rows: rowsOf(pages, range), writes: list.writes, rights, filter, onRemoved })
  const toList = useToList(rows)
  const isWhole = !isOne(selection) && range.left === 0 && range.right === columns.length - 1

  useEffect(
    () =>
      act('grid', {
        goTo: rows > 0 && (() => setAsking(true)),
        toList: () => {
          setSelection(at(0, Math.max(0, selection.at.col)))
          toList()
        },
        refresh,
        ...(grouping && {
          foldGroups: () => foldAll(true),
          unfoldGroups: () => foldAll(false),
          ungroup: () => put({ group: undefined }),
        }),
        fillSeries: !editing && rights['update'] === true && (rights['bed'] === true || range.top === range.bottom) && doing.fillOn,
        toTrash: !editing && (chosen?.remove ?? false),
        duplicate: !editing && (chosen?.duplicate ?? false),
        open: rows > 0 && range.top >= 0 && (() => doing.open(range.top)),
      }),
    [list, rows, selection, editing, table, columns, grouping, lines],
  )

  const isEnded = pages.error instanceof ApiError && pages.error.status === 401
  useEffect(() => void (isEnded && trouble(pages.error)), [isEnded])

  if (pages.error && pages.total === undefined) return <NoList error={pages.error} again={() => pages.refresh()} />
  return (
    <>
      <ViewTools>
        {fresh.isOld && <ShowChanges onShow={refresh} />}
        {grouping && (
          <GroupMenu
            name={grouping.field.title}
            onFold={() => foldAll(true)}
            onUnfold={() => foldAll(false)}
            onUngroup={() => put({ group: undefined })}
          />
        )}
        <ColumnsMenu {...{ columns, title, onColumns }} fields={all} />
      </ViewTools>
      {pages.total === 0 ? (
        <NoRecords {...{ table, search, put }} />
      ) : (
        <Grid
          {...{ columns, pages, lines, states, filter, selection, editing, doing, onColumns }}
          table={number}
          name={String(table.attributes['table_name'])}
          sought={search.q}
          maySet={rights['update'] === true}
          maySeveral={rights['bed'] === true}
          round={fresh.round}
          kept={place}
          onSelect={setSelection}
          onEdit={onEdit}
          sort={search.sort}
          group={grouping?.text}
          groupOf={grouping?.field}
          onSort={(next) => put({ sort: next })}
          onGroup={(next) => put({ group: next })}
          onFold={onFold}
          onFilterBy={(field, value) => put({ filter: both(shownFilter, writeFilter(conditionAt(field, value), all)) })}
          onReady={(go) => {
            goTo.current = go
          }}
        />
      )}
      {pending && (
        <PendingNote
          {...{ pending }}
          onDecide={(isWanted) => {
            decide(isWanted)
            toGrid()
          }}
        />
      )}
      {isAsking && (
        <GoTo
          rows={rows}
          onClose={() => setAsking(false)}
          onGo={(row) => {
            goTo.current?.(row)
            setSelection(at(row, selection.at.col))
          }}
        />
      )}
      <footer className="foot">
        <span role="status">{pages.total === undefined ? say('loading') : say('records', { count: fresh.total ?? pages.total })}</span>
        {groups.error !== undefined && <span role="status">{say('groupsNot', { detail: trouble(groups.error) })}</span>}
        {isWhole && chosen && <ChosenRecords {...{ chosen, titleOf }} />}
        <span className="grow" />
        <Sums
          {...{ columns, pages, filter }}
          table={number}
          round={fresh.round}
          selection={within(selection, { rows, cols: columns.length, screen: 1 })}
        />
        <SavedNote {...{ states }} trouble={pages.error ? trouble(pages.error) : undefined} />
      </footer>
    </>
  )
}
