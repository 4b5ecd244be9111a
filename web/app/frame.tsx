import { lazy, Suspense, useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { eraseOutbox, outboxNow } from '../api/outbox.ts'
import { choose, preferences } from '../api/preferences.ts'
import { allKept } from '../api/kept.ts'
import { forgetSession, signOut } from '../api/session.ts'
import { useViewing } from '../api/viewing.ts'
import { act } from '../commands/commands.ts'
import { forgetPlaces } from '../grid/places.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { forgetToasts, toast, Toasts } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { closeDrawer, toggleDrawer, useDrawer } from '../ui/drawer.ts'
import { useAreaCommands } from '../admin/areas.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { ViewingBar } from './viewing-bar.tsx'
import { Palette } from './palette.tsx'
import { saveNow } from './save-now.ts'
import { Side, useIsAdministrator } from './side.tsx'
import { useTargets } from '../import/targets.ts'

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
  useAreaCommands(useIsAdministrator())
  const isViewing = useViewing() !== undefined
  const { mayImport } = useTargets()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(closeDrawer, [path])
  useKeptFocus(!path.startsWith('/t/'))

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
        save: () => saveNow(() => toast(say('allSaved'))),
        search: () => void navigate({ to: '/search', search: {} }),
        jobs: () => void navigate({ to: '/jobs' }),
        changes: !isViewing && (() => void navigate({ to: '/changes', search: {} })),
        trash: () => void navigate({ to: '/trash', search: {} }),
        importFile: mayImport && !isViewing && (() => void navigate({ to: '/import', search: {} })),
        profile: () => void navigate({ to: '/profile' }),
        help: () => void navigate({ to: '/help' }),
        keys: () => void navigate({ to: '/help/keys' }),
        reference: () => location.assign('/docs'),
        signOut: () => void leave(),
      }),
    [isViewing, mayImport],
  )

  async function leave() {
    // What is typed and not saved goes too: nobody is asked once more by the page on which it is.
    const count = outboxNow().unsaved + allKept('new').size + allKept('typed').size
    if (count > 0 && !window.confirm(say('signOutUnsaved', { count }))) return
    try {
      await signOut()
    } catch (error) {
      return setNotice(say('notSignedOut', { detail: trouble(error) }))
    }
    eraseOutbox()
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true })
    forgetAll()
    forgetPlaces()
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
      <Side onFind={() => setFinding(true)} onTrouble={(error) => setNotice(say('notSaved', { detail: trouble(error) }))} />
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

const isDark = () => {
  const { theme } = preferences()
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
}

/** What was read, what was done, and what was said of it: another person may sit down here. */
function forgetAll(): void {
  forgetSession()
  forgetToasts()
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
        .then(forgetAll)
        .finally(() => (isLeaving = false))
    })
  }, [client, navigate])
}
