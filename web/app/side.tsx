import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { Areas } from '../admin/areas.tsx'
import type { Resource } from '../api/client.ts'
import { officeLogo, officeName } from '../api/office.ts'
import { locale, usePreferences } from '../api/preferences.ts'
import { categories, countOf, me, tables } from '../api/queries.ts'
import { arrange, arrangement, type Arrangement } from '../api/side.ts'
import { useViewing } from '../api/viewing.ts'
import { shownKeys } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { JobsLink } from '../import/jobs-link.tsx'
import { useTargets } from '../import/targets.ts'
import { closeDrawer, useDrawer } from '../ui/drawer.ts'
import { Edge } from '../ui/edge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Initials } from '../ui/initials.tsx'
import { inOrder, moved } from './side-order.ts'

/** Whether the person may change tables. */
export const useIsAdministrator = (): boolean =>
  ((useQuery(me).data?.data.attributes['administers'] ?? []) as readonly string[]).includes('table')

/** The list of tables by categories, or of the pages of the administration; below it what belongs to no table. */
export function Side({ onFind, onTrouble }: { readonly onFind: () => void; readonly onTrouble: (error: unknown) => void }) {
  const say = useWords()
  const person = useQuery(me)
  const isAdministrator = useIsAdministrator()
  const { mayImport } = useTargets()
  const viewing = useViewing()
  const isViewing = viewing !== undefined
  // A group that is viewed has no person.
  const name = String(person.data?.data.attributes['fio'] || person.data?.data.attributes['login'] || (viewing?.name ?? ''))
  const side = useRef<HTMLElement>(null)
  const isAdmin = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin') }) && isAdministrator
  const { isOpen: isOver } = useDrawer()
  // Over the page on a phone: the keyboard goes into it, and back where it came from.
  useEffect(() => {
    if (!isOver) return
    const before = document.activeElement
    side.current?.querySelector('button')?.focus()
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && closeDrawer()
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('keydown', leave)
      if (before instanceof HTMLElement) before.focus()
    }
  }, [isOver])
  return (
    <nav className="side" ref={side} aria-label={say(isAdmin ? 'adminTitle' : 'tables')}>
      <div className="side-head">
        {isAdmin ? (
          <Link className="button square small" to="/" aria-label={say('toTables')} title={say('toTables')}>
            <Icon name="arrow-left" />
          </Link>
        ) : officeLogo ? (
          <img className="office-logo" src={officeLogo} alt="" />
        ) : (
          <span className="logo" aria-hidden="true">
            {[...(officeName ?? 'K')][0]!.toLocaleUpperCase()}
          </span>
        )}
        <span className="cut grow">{isAdmin ? say('adminTitle') : (officeName ?? say('product'))}</span>
        <button type="button" className="button square small only-phone" aria-label={say('close')} onClick={closeDrawer}>
          <Icon name="x" />
        </button>
      </div>
      <button type="button" className="side-find" onClick={onFind} aria-keyshortcuts="Control+K">
        <Icon name="search" />
        <span className="cut">{say('jumpTo')}</span>
        <kbd>{shownKeys('Mod+K')}</kbd>
      </button>
      <div className="side-list">{isAdmin ? <Areas /> : <Tables onTrouble={onTrouble} />}</div>
      <div className="side-foot">
        {!isAdmin && !isViewing && mayImport && (
          <Link className="side-item" to="/import" search={{}}>
            <Icon name="upload" />
            <span className="cut">{say('importTitle')}</span>
          </Link>
        )}
        <JobsLink />
        {!isViewing && (
          <Link className="side-item" to="/changes" search={{}}>
            <Icon name="history" />
            <span className="cut">{say('changesTitle')}</span>
          </Link>
        )}
        <Link className="side-item" to="/trash" search={{}}>
          <Icon name="trash" />
          <span className="cut">{say('trashTitle')}</span>
        </Link>
        {isAdministrator && !isAdmin && (
          <Link className="side-item" to="/admin/tables">
            <Icon name="settings" />
            <span className="cut">{say('adminTitle')}</span>
          </Link>
        )}
        <Link className="side-item" to="/help">
          <Icon name="info" />
          <span className="cut">{say('help')}</span>
        </Link>
        <Link className="side-item" to="/profile" title={say('profileOf', { name })}>
          <Initials name={name} />
          <span className="cut">{name}</span>
        </Link>
      </div>
      <Edge of={side} at="end" property="--sidebar" storage="side width" label={say('sideWidth')} least={170} most={480} usual={216} />
    </nav>
  )
}

/** Tables are put in one's own order by dragging, or with Alt and the arrows; categories are folded. Both are kept. */
function Tables({ onTrouble }: { readonly onTrouble: (error: unknown) => void }) {
  const say = useWords()
  const { groups, closed } = useGroups()
  const [over, setOver] = useState<string>()
  const [said, setSaid] = useState('')
  const dragged = useRef<string>(undefined)
  const all = groups.flatMap((group) => group.tables.map(({ id }) => id))
  const isViewing = useViewing() !== undefined
  const keep = (change: Partial<Arrangement>) => arrange(change, !isViewing).catch(onTrouble)
  const put = (id: string, beside: string) => void keep({ order: moved(all, id, beside) })
  const isBeside = (one: string | undefined, other: string) =>
    one !== undefined &&
    one !== other &&
    groups.some(({ tables: some }) => [one, other].every((id) => some.some((table) => table.id === id)))

  const onKeyDown = (event: ReactKeyboardEvent, table: Resource, some: readonly Resource[]) => {
    const step = event.altKey && !event.ctrlKey && !event.shiftKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    const at = some.indexOf(table) + step
    const beside = some[at]
    if (!beside) return
    put(table.id, beside.id)
    setSaid(say('sideMoved', { name: String(table.attributes['table_name']), place: at + 1, count: some.length }))
  }
  return (
    <>
      {groups.map(({ id, title, tables: some }) => {
        const isOpen = !closed.includes(id)
        const toggle = () => void keep({ closed: isOpen ? [...closed, id] : closed.filter((one) => one !== id) })
        return (
          <section key={id}>
            <h2>
              <button type="button" aria-expanded={isOpen} onClick={toggle}>
                <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
                <span className="cut">{title}</span>
              </button>
            </h2>
            {isOpen &&
              some.map((table) => (
                <TableLink
                  key={table.id}
                  table={table}
                  isOver={over === table.id}
                  onKeyDown={(event) => onKeyDown(event, table, some)}
                  onDragStart={() => (dragged.current = table.id)}
                  onDragOver={(event) => {
                    if (!isBeside(dragged.current, table.id)) return
                    event.preventDefault()
                    setOver(table.id)
                  }}
                  onDragEnd={() => {
                    dragged.current = undefined
                    setOver(undefined)
                  }}
                  onDrop={(event) => {
                    if (!isBeside(dragged.current, table.id)) return
                    event.preventDefault()
                    put(dragged.current!, table.id)
                  }}
                />
              ))}
          </section>
        )
      })}
      <span className="said" role="status">
        {said}
      </span>
    </>
  )
}

function TableLink({
  table,
  isOver,
  ...acts
}: {
  readonly table: Resource
  readonly isOver: boolean
  readonly onKeyDown: (event: ReactKeyboardEvent) => void
  readonly onDragStart: () => void
  readonly onDragOver: (event: DragEvent) => void
  readonly onDragEnd: () => void
  readonly onDrop: (event: DragEvent) => void
}) {
  usePreferences()
  const { data } = useQuery(countOf(Number(table.id)))
  const count = data?.meta?.total
  return (
    <Link
      className={`side-item${isOver ? ' is-over' : ''}`}
      to="/t/$table"
      params={{ table: table.id }}
      activeOptions={{ includeSearch: false }}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      {...acts}
    >
      <Icon name="grid" />
      <span className="cut">{String(table.attributes['table_name'])}</span>
      <span className="num">{count === undefined ? '' : new Intl.NumberFormat(locale()).format(count)}</span>
    </Link>
  )
}

const nothing: Arrangement = { order: [], closed: [] }

/** The tables whose records one may read, by their categories, in one's own order or that of the administrator; and the categories that are folded. */
function useGroups() {
  const say = useWords()
  const all = (useQuery(tables).data?.data ?? []).filter(({ meta }) => meta?.access?.['read'] !== false)
  const known = useQuery(categories).data?.data ?? []
  const { order, closed } = useQuery(arrangement).data ?? nothing
  const place = ({ attributes }: Resource, name: string) => Number(attributes[name] ?? 0)
  const named = [...known]
    .sort((one, other) => place(one, 'sequence_number') - place(other, 'sequence_number'))
    .map(({ id, attributes }) => ({ id, title: String(attributes['category_name']) }))
  const groups = [...named, { id: '', title: say(named.length > 0 ? 'otherTables' : 'tables') }].flatMap(({ id, title }) => {
    const some = all.filter(({ attributes }) =>
      id === '' ? !known.some((one) => one.id === String(attributes['category_id'])) : String(attributes['category_id']) === id,
    )
    const ordered = [...some].sort((one, other) => place(one, 'category_sequence_number') - place(other, 'category_sequence_number'))
    return ordered.length === 0 ? [] : [{ id, title, tables: inOrder(ordered, order) }]
  })
  return { groups, closed }
}
