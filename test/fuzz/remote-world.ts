import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Holding } from '../support/watched/beats.ts'
import type { Answered, Asked, FuzzStop } from './world-process.ts'
import { openWitness, type World } from './world.ts'

/** Makes worlds whose server is a process of its own (world-process.ts), one after another. */
export interface Worlds {
  make(): Promise<World>
  /** The stops since this was last asked. */
  takeStops(): FuzzStop[]
  /** What the process held at the end of the last world. */
  holding(): Holding | undefined
  close(): void
}

export function startWorlds(): Worlds {
  const child = fork(new URL('world-process.ts', import.meta.url), { serialization: 'advanced' })
  const stops: FuzzStop[] = []
  const logged: unknown[] = []
  let holding: Holding | undefined
  const waiting = new Map<Answered['is'], (answer: Answered) => void>()
  const ended = once(child, 'exit').then(([code, signal]): never => {
    throw new Error(`The server ended: ${code ?? signal}`)
  })
  ended.catch(() => undefined)
  child.on('message', (answer: Answered) => {
    if (answer.is === 'stop') stops.push(answer.stop)
    else if (answer.is === 'logged') logged.push(...answer.logged)
    else waiting.get(answer.is)?.(answer)
  })
  const ask = <K extends Answered['is']>(asked: Asked, is: K): Promise<Extract<Answered, { is: K }>> => {
    const answer = new Promise<Answered>((resolve) => waiting.set(is, resolve))
    child.send(asked)
    return Promise.race([answer, ended]) as Promise<Extract<Answered, { is: K }>>
  }
  return {
    async make() {
      const { told } = await ask('make', 'made')
      stops.length = logged.length = 0
      const witness = openWitness(told)
      return {
        ...told,
        witness,
        takeLogged: () => logged.splice(0),
        async findings() {
          const answer = await ask('findings', 'findings')
          holding = answer.holding
          return answer.findings
        },
        async close() {
          witness.close()
          await ask('close', 'closed')
        },
      }
    },
    takeStops: () => stops.splice(0),
    holding: () => holding,
    close: () => void child.kill(),
  }
}
