import { startServer } from '../app.ts'
import type { Config } from '../config.ts'
import { serveSocket } from './local-socket.ts'
import { explain, performOn } from './perform.ts'

/** Serves until it is told to stop; resolves when everything is closed. */
export async function serve(config: Config): Promise<void> {
  const { pino } = await import('pino')
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }))
  const stopped = stopSignal()
  const application = await startServer(config, log)
  const closeSocket = await serveSocket(config.data, performOn(application.store, config.data), explain)
  tell(application.url, config, application.firstAdministrator)
  const reason = await stopped
  log.info({ reason }, 'stopping')
  await closeSocket()
  await application.close()
}

function tell(url: string, config: Config, first: { login: string; password: string } | undefined): void {
  const lines = [`Kartoteka listens on ${url} and keeps its data in ${config.data}`]
  if (first) {
    const { login, password } = first
    const body = JSON.stringify({ data: { type: 'token', attributes: { login, password } } })
    lines.unshift(
      'This is the first start, so an administrator was made. The password is shown only now:',
      '',
      `  login:    ${login}`,
      `  password: ${password}`,
      '',
    )
    lines.push('', 'Get an access token with:', '', `  curl -X POST ${url}/api/dev/token -H 'Content-Type: application/vnd.api+json' -d '${body}'`, '')
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The first of: a signal, or the end of the launcher that started this process. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    if (process.channel) process.once('disconnect', () => resolve('the launcher ended'))
  })
}
