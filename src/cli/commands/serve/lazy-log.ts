import type { Config } from '../../../config.ts'
import type { Log } from '../../../app.ts'
import { printableLines } from '../../terminal/printable.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A log of JSON lines on stderr. pino takes 8 MiB of memory, so it is loaded with the first line. */
export function lazyLog(level: Config['logLevel']): Log & { written(): Promise<void> } {
  let loading: Promise<Log> | undefined
  let loaded: Log | undefined
  const load = async () => {
    const { pino } = await import('pino')
    const stderr = pino.destination({ dest: 2, sync: true })
    // As an escape it means the same in JSON.
    return (loaded = pino({ level }, { write: (line) => void stderr.write(printableLines(line)) }))
  }
  const at = (name: keyof Log) => (details: object, message: string) => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(level as (typeof LEVELS)[number])) return
    if (loaded) return loaded[name](details, message)
    void (loading ??= load()).then((log) => log[name](details, message))
  }
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    async written() {
      await loading
    },
  }
}
