import { routes } from '../../src/http/routes.ts'
import { startSteady } from '../support/service.ts'
import { access } from './pages/access.ts'
import { audit } from './pages/audit.ts'
import { batches } from './pages/batches.ts'
import { categories } from './pages/categories.ts'
import { changes } from './pages/changes.ts'
import { documents } from './pages/documents.ts'
import { entryPoint } from './pages/entry-point.ts'
import { fields } from './pages/fields.ts'
import { files } from './pages/files.ts'
import { filters } from './pages/filters.ts'
import { groups } from './pages/groups.ts'
import { indexes } from './pages/indexes.ts'
import { invitations } from './pages/invitations.ts'
import { records } from './pages/records.ts'
import { relationships } from './pages/relationships.ts'
import { severalAtOnce } from './pages/several-at-once.ts'
import { sessions } from './pages/sessions.ts'
import { settings } from './pages/settings.ts'
import { tables } from './pages/tables.ts'
import { tokens } from './pages/tokens.ts'
import { trash } from './pages/trash.ts'
import { users } from './pages/users.ts'
import { imports } from './pages/imports.ts'
import { jobs } from './pages/jobs.ts'
import { webhookDeliveries } from './pages/webhook-deliveries.ts'
import { views } from './pages/views.ts'
import { watching } from './pages/watching.ts'
import { webhooks } from './pages/webhooks.ts'
import { byFetch, play, type Ask, type Page } from './play.ts'
import { anchorOf, BASE, mustBeAsExpected, pageOf, routeName } from './write.ts'

/** In the order in which they are played: later pages find what earlier ones made. */
export const pages: readonly Page[] = [
  categories,
  tables,
  fields,
  records,
  files,
  filters,
  groups,
  users,
  access,
  tokens,
  invitations,
  trash,
  changes,
  batches,
  webhooks,
  webhookDeliveries,
  jobs,
  imports,
  indexes,
  audit,
  relationships,
  severalAtOnce,
  documents,
  entryPoint,
  watching,
  sessions,
  settings,
  views,
]

/** The text of each page by its file, from requests that were sent. `asking`: how they are sent, default by fetch. */
export async function referencePages(asking?: (url: string) => Ask): Promise<Readonly<Record<string, string>>> {
  const service = await startSteady(BASE)
  try {
    const played = await play(service, pages, asking?.(service.url) ?? byFetch(service))
    const texts = Object.fromEntries(pages.map((page) => [`${page.file}.md`, pageOf(page, played.get(page)!)]))
    mustBeAsExpected()
    return texts
  } finally {
    await service.close()
  }
}

/** Where the reference of a route is, from docs/. */
export function placeOf(route: Pick<(typeof routes)[number], 'method' | 'path'>): string {
  for (const { file, endpoints } of pages) {
    const found = endpoints.find((one) => one.route === routeName(route))
    if (found) return `reference/${file}.md#${anchorOf(found.title)}`
  }
  throw new Error(`No page of test/reference shows ${routeName(route)}.`)
}
