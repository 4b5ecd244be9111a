import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Holding, Stop } from './beats.ts'

export type Seen = Stop & Holding

/** A server process that tells about itself. */
export interface Watch {
  /** The longest stop and the peak since it was last asked; `collect`: garbage is collected before. */
  look(collect?: boolean): Promise<Seen>
  close(): void
}

/** What a process is started with, so that `watch` reaches it. */
export const watchable = (path: string): Readonly<Record<string, string>> => ({
  KARTOTEKA_TEST_WATCH: path,
  NODE_OPTIONS: `--import=${new URL('preload.ts', import.meta.url).href}`,
})

export async function watch(path: string): Promise<Watch> {
  const socket = await reached(path)
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  let turn: Promise<unknown> = Promise.resolve()
  const ask = async (word: string): Promise<Seen> => {
    socket.write(`${word}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('The server that is watched has ended.')
    return JSON.parse(value as string) as Seen
  }
  return {
    look(collect = false) {
      const seen = turn.then(() => ask(collect ? 'collect' : 'look'))
      turn = seen.catch(() => undefined)
      return seen
    },
    close: () => socket.destroy(),
  }
}

async function reached(path: string): Promise<Socket> {
  for (let tries = 0; ; tries++) {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      socket.on('error', () => undefined)
      return socket
    } catch (error) {
      if (tries === 100) throw error
      await sleep(50)
    }
  }
}
