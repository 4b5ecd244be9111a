import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { ApiError, type Resource } from '../api/client.ts'
import { openOutbox } from '../api/outbox.ts'
import { loadPreferences } from '../api/preferences.ts'
import { lastTable } from '../api/last-table.ts'
import { me, queries, tables } from '../api/queries.ts'
import { holderOf, viewingOf } from '../api/viewing.ts'
import { readAudit, readDesigner, readTokens, readWebhooks } from '../admin/search.ts'
import { readRights, readUsers } from '../admin/people-search.ts'
import { readImport } from '../import/search.ts'
import { readWords } from '../search/search.ts'
import { readChanges } from '../changes/search.ts'
import { readTrash } from '../trash/search.ts'
import { readSearch } from '../table/search.ts'
import { Nowhere } from '../ui/nowhere.tsx'
import { Frame } from './frame.tsx'
import { Failed, NotFound } from './failed.tsx'
import { NoTables } from './no-tables.tsx'
import { Invitation } from './invitation.tsx'
import { SignIn } from './sign-in.tsx'

/* Every address of the pages. The service sends the page at these addresses: src/http/handlers/show-page.ts lists them. */

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Failed })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // A member that is left out would keep what the address says.
  validateSearch: ({ next, ended }: Record<string, unknown>): { next?: string | undefined; ended?: true | undefined } => ({
    // Only an address of these pages: another site must not be named.
    next: typeof next === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(next) ? next : undefined,
    ended: ended === true ? true : undefined,
  }),
  component: SignIn,
})

const invitation = createRoute({ getParentRoute: () => root, path: '/invite/$code', component: Invitation })

/** All that needs a person. */
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  async beforeLoad({ location }) {
    let person: Resource
    try {
      person = (await queries.ensureQueryData(me)).data
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
    }
    // What waits to be saved waits on while somebody else's view allows no change.
    if (!viewingOf(person)) openOutbox(holderOf(person))
    // Without them the pages look as they did last.
    await loadPreferences(holderOf(person)).catch(() => undefined)
  },
  component: Frame,
  notFoundComponent: Nowhere,
  errorComponent: Failed,
})

const first = createRoute({
  getParentRoute: () => framed,
  path: '/',
  async beforeLoad() {
    const { data } = await queries.ensureQueryData(tables)
    const last = data.find(({ id }) => id === lastTable()) ?? data[0]
    if (last) throw redirect({ to: '/t/$table', params: { table: last.id }, replace: true })
  },
  component: NoTables,
})

const table = createRoute({
  getParentRoute: () => framed,
  path: '/t/$table',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../table/table-page.tsx'), 'TablePage'),
})

const record = createRoute({
  getParentRoute: () => framed,
  path: '/t/$table/$record',
  component: lazyRouteComponent(() => import('../record/record-page.tsx'), 'RecordPage'),
})

const imports = createRoute({
  getParentRoute: () => framed,
  path: '/import',
  validateSearch: readImport,
  component: lazyRouteComponent(() => import('../import/import-page.tsx'), 'ImportPage'),
})

const jobs = createRoute({
  getParentRoute: () => framed,
  path: '/jobs',
  component: lazyRouteComponent(() => import('../import/jobs-page.tsx'), 'JobsPage'),
})

const changes = createRoute({
  getParentRoute: () => framed,
  path: '/changes',
  validateSearch: readChanges,
  component: lazyRouteComponent(() => import('../changes/changes-page.tsx'), 'ChangesPage'),
})

const trash = createRoute({
  getParentRoute: () => framed,
  path: '/trash',
  validateSearch: readTrash,
  component: lazyRouteComponent(() => import('../trash/trash-page.tsx'), 'TrashPage'),
})

const search = createRoute({
  getParentRoute: () => framed,
  path: '/search',
  validateSearch: readWords,
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
})

const newRecord = createRoute({
  getParentRoute: () => framed,
  path: '/t/$table/new',
  // Values that the record begins with, and what it is made for (record/link-back.ts). Those that look like numbers have been read as such.
  validateSearch: (search: Record<string, unknown>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(search).flatMap(([name, value]) =>
        /^(f\d+|for)$/.test(name) ? [[name, typeof value === 'string' ? value : JSON.stringify(value)]] : [],
      ),
    ),
  component: lazyRouteComponent(() => import('../record/new-record.tsx'), 'NewRecordPage'),
})

const profile = createRoute({
  getParentRoute: () => framed,
  path: '/profile',
  component: lazyRouteComponent(() => import('./profile.tsx'), 'Profile'),
})

const admin = createRoute({
  getParentRoute: () => framed,
  path: '/admin',
  beforeLoad() {
    throw redirect({ to: '/admin/tables', replace: true })
  },
})

const adminTables = createRoute({
  getParentRoute: () => framed,
  path: '/admin/tables',
  component: lazyRouteComponent(() => import('../admin/tables-page.tsx'), 'TablesPage'),
})

const designer = createRoute({
  getParentRoute: () => framed,
  path: '/admin/tables/$table',
  validateSearch: readDesigner,
  component: lazyRouteComponent(() => import('../admin/designer-page.tsx'), 'DesignerPage'),
})

const adminTokens = createRoute({
  getParentRoute: () => framed,
  path: '/admin/tokens',
  validateSearch: readTokens,
  component: lazyRouteComponent(() => import('../admin/tokens-page.tsx'), 'TokensPage'),
})

const adminWebhooks = createRoute({
  getParentRoute: () => framed,
  path: '/admin/webhooks',
  validateSearch: readWebhooks,
  component: lazyRouteComponent(() => import('../admin/webhooks-page.tsx'), 'WebhooksPage'),
})

const adminUsers = createRoute({
  getParentRoute: () => framed,
  path: '/admin/users',
  validateSearch: readUsers,
  component: lazyRouteComponent(() => import('../admin/users-page.tsx'), 'UsersPage'),
})

const adminRights = createRoute({
  getParentRoute: () => framed,
  path: '/admin/rights',
  validateSearch: readRights,
  component: lazyRouteComponent(() => import('../admin/rights-page.tsx'), 'RightsPage'),
})

const adminGroups = createRoute({
  getParentRoute: () => framed,
  path: '/admin/groups',
  component: lazyRouteComponent(() => import('../admin/groups-page.tsx'), 'GroupsPage'),
})

const adminAudit = createRoute({
  getParentRoute: () => framed,
  path: '/admin/audit',
  validateSearch: readAudit,
  component: lazyRouteComponent(() => import('../admin/audit-page.tsx'), 'AuditPage'),
})

const adminIndexes = createRoute({
  getParentRoute: () => framed,
  path: '/admin/indexes',
  component: lazyRouteComponent(() => import('../admin/indexes-page.tsx'), 'IndexesPage'),
})

const adminStorage = createRoute({
  getParentRoute: () => framed,
  path: '/admin/storage',
  component: lazyRouteComponent(() => import('../admin/storage-page.tsx'), 'StoragePage'),
})

const adminSettings = createRoute({
  getParentRoute: () => framed,
  path: '/admin/settings',
  component: lazyRouteComponent(() => import('../admin/settings-page.tsx'), 'SettingsPage'),
})

const adminAbout = createRoute({
  getParentRoute: () => framed,
  path: '/admin/about',
  component: lazyRouteComponent(() => import('../admin/about-page.tsx'), 'AboutPage'),
})

const adminLicences = createRoute({
  getParentRoute: () => framed,
  path: '/admin/licences',
  component: lazyRouteComponent(() => import('../admin/licences-page.tsx'), 'LicencesPage'),
})

const help = createRoute({
  getParentRoute: () => framed,
  path: '/help',
  component: lazyRouteComponent(() => import('../manual/manual-page.tsx'), 'ManualPage'),
})

const keys = createRoute({
  getParentRoute: () => framed,
  path: '/help/keys',
  component: lazyRouteComponent(() => import('../manual/keys-page.tsx'), 'KeysPage'),
})

const chapter = createRoute({
  getParentRoute: () => framed,
  path: '/help/$chapter',
  component: lazyRouteComponent(() => import('../manual/chapter-page.tsx'), 'ChapterPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    framed.addChildren([
      first,
      table,
      newRecord,
      record,
      imports,
      jobs,
      changes,
      trash,
      search,
      admin,
      adminTables,
      designer,
      adminUsers,
      adminGroups,
      adminRights,
      adminTokens,
      adminWebhooks,
      adminAudit,
      adminIndexes,
      adminStorage,
      adminSettings,
      adminAbout,
      adminLicences,
      profile,
      help,
      keys,
      chapter,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
