import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Load, Measured } from './load.ts'

/** The load generator in its process (load.ts); it takes one load at a time. */
export interface Loader {
  readonly pid: number
  /** @throws where an answer was not 2xx, unless the load is lenient */
  run(load: Load): Promise<Measured>
  /** Lets the load that runs end. */
  stop(): void
  close(): void
}

export function startLoader(): Loader {
  const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)), { serialization: 'advanced' })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load generator ended.')
  })
  ended.catch(() => undefined)
  return {
    pid: child.pid!,
    async run(load) {
      child.send(load)
      const [measured] = (await Promise.race([once(child, 'message'), ended])) as [Measured]
      if (measured.refused !== undefined && !load.lenient) throw new Error(`An answer was not 2xx:\n${measured.refused}`)
      return measured
    },
    stop: () => void child.send('stop'),
    close: () => void child.kill(),
  }
}
