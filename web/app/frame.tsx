import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { ApiError, type Resource } from '../api/client.ts'
import { eraseOutbox, outboxNow } from '../api/outbox.ts'
import { choose, locale, preferences, usePreferences } from '../api/preferences.ts'
import { categories, countOf, me, tables } from '../api/queries.ts'
import { forgetSession, signOut } from '../api/session.ts'
import { useViewing } from '../api/viewing.ts'
import { act, shownKeys } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Initials } from '../ui/initials.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { closeDrawer, toggleDrawer, useDrawer } from '../ui/drawer.ts'
import { Areas, useAreaCommands } from '../admin/areas.tsx'
import { JobsLink } from '../import/jobs-link.tsx'
import { useExports } from '../import/use-exports.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { ViewingBar } from './viewing-bar.tsx'
import { Palette } from './palette.tsx'

const DropAnywhere = lazy(async () => ({ default: (await import('../import/drop-anywhere.tsx')).DropAnywhere }))
const SampleBar = lazy(async () => ({ default: (await import('../import/sample-bar.tsx')).SampleBar }))

/** What stands around every page: tables, commands, the person. */
export function Frame() {
  const say = useWords()
  const trouble = useTrouble()
  const navigate = useNavigate()
  const drawer = useDrawer()
  const [isFinding, setFinding] = useState(false)
  const [notice, setNotice] = useState<string>()
  useSessionEnd()
  const isAdministrator = useIsAdministrator()
  useAreaCommands(isAdministrator)
  useExports((error) => setNotice(trouble(error)))
  const isViewing = useViewing() !== undefined
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(closeDrawer, [path])

  const keep = (chosen: Parameters<typeof choose>[0]) =>
    choose(chosen, !isViewing).then(
      () => setNotice(undefined),
      (error: unknown) => setNotice(say('notSaved', { detail: trouble(error) })),
    )
  useEffect(
    () =>
      act('frame', {
        find: () => setFinding(true),
        sidebar: toggleDrawer,
        theme: () => void keep({ theme: isDark() ? 'light' : 'dark' }),
        language: () => void keep({ language: preferences().language === 'en' ? 'ru' : 'en' }),
        density: () => void keep({ density: preferences().density === 'compact' ? 'comfortable' : 'compact' }),
        search: () => void navigate({ to: '/search', search: {} }),
        jobs: () => void navigate({ to: '/jobs' }),
        trash: () => void navigate({ to: '/trash', search: {} }),
        importFile: !isViewing && (() => void navigate({ to: '/import', search: {} })),
        profile: () => void navigate({ to: '/profile' }),
        help: () => void navigate({ to: '/help' }),
        reference: () => location.assign('/docs'),
        signOut: () => void leave(),
      }),
    [isViewing],
  )

  async function leave() {
    const { unsaved } = outboxNow()
    if (unsaved > 0 && !window.confirm(say('signOutUnsaved', { count: unsaved }))) return
    try {
      await signOut()
    } catch (error) {
      return setNotice(say('notSignedOut', { detail: trouble(error) }))
    }
    eraseOutbox()
    await navigate({ to: '/sign-in', search: {} })
    forgetSession()
  }

  return (
    <div
      className="app"
      data-narrow={drawer.isNarrow || undefined}
      data-drawer={drawer.isOpen || undefined}
      data-viewing={isViewing || undefined}
    >
      <a className="skip" href="#work">
        {say('skip')}
      </a>
      <ViewingBar />
      <Side onFind={() => setFinding(true)} />
      <main className="main" id="work" tabIndex={-1} inert={drawer.isOpen}>
        {notice !== undefined && (
          <div className="bar" role="status">
            <Icon name="warn" />
            <span className="grow">{notice}</span>
            <button type="button" className="button small square" aria-label={say('close')} onClick={() => setNotice(undefined)}>
              <Icon name="x" />
            </button>
          </div>
        )}
        <ConnectionBar />
        {!isViewing && (
          <Suspense fallback={null}>
            <SampleBar />
          </Suspense>
        )}
        <Outlet />
        <Toasts />
      </main>
      <nav className="bottom only-phone" aria-label={say('tables')}>
        <button type="button" onClick={toggleDrawer} aria-expanded={drawer.isOpen}>
          <Icon name="grid" />
          {say('tables')}
        </button>
        <button type="button" onClick={() => setFinding(true)}>
          <Icon name="search" />
          {say('jumpTo')}
        </button>
        <Link to="/profile">
          <Icon name="user" />
          {say('profile')}
        </Link>
      </nav>
      <Suspense fallback={null}>
        <DropAnywhere />
      </Suspense>
      <Palette isOpen={isFinding} onOpenChange={setFinding} />
    </div>
  )
}

/** Whether the person may change tables. */
const useIsAdministrator = (): boolean => ((useQuery(me).data?.data.attributes['administers'] ?? []) as readonly string[]).includes('table')

const isDark = () => {
  const { theme } = preferences()
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
}

function Side({ onFind }: { readonly onFind: () => void }) {
  const say = useWords()
  const person = useQuery(me)
  const groups = useGroups()
  const isAdministrator = useIsAdministrator()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const name = String(person.data?.data.attributes['fio'] || person.data?.data.attributes['login'] || '')
  const isViewing = useViewing() !== undefined
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
        ) : (
          <span className="logo" aria-hidden="true">
            K
          </span>
        )}
        <span className="cut grow">{say(isAdmin ? 'adminTitle' : 'product')}</span>
        <button type="button" className="button square small only-phone" aria-label={say('close')} onClick={closeDrawer}>
          <Icon name="x" />
        </button>
      </div>
      <button type="button" className="side-find" onClick={onFind} aria-keyshortcuts="Control+K">
        <Icon name="search" />
        <span className="cut">{say('jumpTo')}</span>
        <kbd>{shownKeys('Mod+K')}</kbd>
      </button>
      <div className="side-list">
        {isAdmin && <Areas />}
        {(isAdmin ? [] : groups).map(({ id, title, tables: some }) => {
          const isOpen = !closed.has(id)
          const toggle = () => setClosed(new Set(isOpen ? [...closed, id] : [...closed].filter((one) => one !== id)))
          return (
            <section key={id}>
              <h2>
                <button type="button" aria-expanded={isOpen} onClick={toggle}>
                  <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
                  <span className="cut">{title}</span>
                </button>
              </h2>
              {isOpen && some.map((table) => <TableLink key={table.id} table={table} />)}
            </section>
          )
        })}
      </div>
      <div className="side-foot">
        {!isAdmin && !isViewing && (
          <Link className="side-item" to="/import" search={{}}>
            <Icon name="upload" />
            <span className="cut">{say('importTitle')}</span>
          </Link>
        )}
        <JobsLink />
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
        {!isAdmin && (
          <Link className="side-item" to="/help">
            <Icon name="bolt" />
            <span className="cut">{say('shortcuts')}</span>
          </Link>
        )}
        <Link className="side-item" to="/profile" title={say('profileOf', { name })}>
          <Initials name={name} />
          <span className="cut">{name}</span>
        </Link>
      </div>
    </nav>
  )
}

function TableLink({ table }: { readonly table: Resource }) {
  usePreferences()
  const { data } = useQuery(countOf(Number(table.id)))
  const count = data?.meta?.total
  return (
    <Link className="side-item" to="/t/$table" params={{ table: table.id }} activeOptions={{ includeSearch: false }}>
      <Icon name="grid" />
      <span className="cut">{String(table.attributes['table_name'])}</span>
      <span className="num">{count === undefined ? '' : new Intl.NumberFormat(locale()).format(count)}</span>
    </Link>
  )
}

/** The tables whose records one may read, by their categories, in the order of the administrator. */
function useGroups(): readonly { id: string; title: string; tables: readonly Resource[] }[] {
  const say = useWords()
  const all = (useQuery(tables).data?.data ?? []).filter(({ meta }) => meta?.access?.['read'] !== false)
  const known = useQuery(categories).data?.data ?? []
  const place = ({ attributes }: Resource, name: string) => Number(attributes[name] ?? 0)
  const named = [...known]
    .sort((one, other) => place(one, 'sequence_number') - place(other, 'sequence_number'))
    .map(({ id, attributes }) => ({ id, title: String(attributes['category_name']) }))
  return [...named, { id: '', title: say('otherTables') }].flatMap(({ id, title }) => {
    const some = all.filter(({ attributes }) =>
      id === '' ? !known.some((one) => one.id === String(attributes['category_id'])) : String(attributes['category_id']) === id,
    )
    const ordered = [...some].sort((one, other) => place(one, 'category_sequence_number') - place(other, 'category_sequence_number'))
    return ordered.length === 0 ? [] : [{ id, title, tables: ordered }]
  })
}

/** Where the service says that nobody is signed in any more: the page to sign in, which leads back here. */
function useSessionEnd(): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    // Several requests may be refused at once: what was read is forgotten once, or it would be forgotten under the next sign-in.
    let isLeaving = false
    return client.getQueryCache().subscribe(({ query, type }) => {
      const { error } = query.state
      if (isLeaving || type !== 'updated' || !(error instanceof ApiError) || error.status !== 401 || location.pathname === '/sign-in')
        return
      isLeaving = true
      const next = location.pathname + location.search
      void navigate({ to: '/sign-in', search: { next, ended: true } })
        .then(forgetSession)
        .finally(() => (isLeaving = false))
    })
  }, [client, navigate])
}
