import type { Store } from '../../store/ground/store.ts'
import { figures } from '../../store/upkeep/figures.ts'
import { asText } from '../answers/plain.ts'
import { probe } from '../routing/probe.ts'

export const showInstallation = probe({
  path: '/installation',
  says: 'Versions, sizes and settings of this process, without what is secret: for administrators.',
  token: 'unlimited',

  async run(request) {
    const store = await request.mustAdminister()
    const { version, settings } = request.about ?? { version: '', settings: [] }
    const { engine, databaseBytes, unusedBytes, logBytes, files, freeBytes } = await figures(store)()
    const shown = {
      version,
      node: process.version,
      engine,
      database_bytes: databaseBytes,
      database_unused_bytes: unusedBytes,
      database_log_bytes: logBytes,
      files: { count: files.count, bytes: files.bytes, all: files.areAll },
      free_bytes: freeBytes,
      memory_bytes: process.memoryUsage.rss(),
      lists: listsOf(store),
      started: new Date(performance.timeOrigin).toISOString(),
      time_zone: store.settings.timeZone,
      settings,
    }
    return asText(200, 'application/json', `${JSON.stringify(shown, null, 2)}\n`)
  },
})

/** What lists keep in memory; null where they keep nothing that is counted. */
function listsOf(store: Pick<Store, 'pages'>) {
  const figures = store.pages.figures()
  return figures ? { memory_bytes: figures.bytes, memory_limit_bytes: figures.most, kept: figures.kept, dropped: figures.dropped } : null
}
