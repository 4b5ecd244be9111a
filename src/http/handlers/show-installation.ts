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
    const { engine, databaseBytes, freeBytes } = await figures(store)()
    const shown = {
      version,
      node: process.version,
      engine,
      database_bytes: databaseBytes,
      free_bytes: freeBytes,
      memory_bytes: process.memoryUsage.rss(),
      started: new Date(performance.timeOrigin).toISOString(),
      time_zone: store.settings.timeZone,
      settings,
    }
    return asText(200, 'application/json', `${JSON.stringify(shown, null, 2)}\n`)
  },
})
