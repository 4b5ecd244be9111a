import { PerformanceObserver } from 'node:perf_hooks'
import type { Service } from '../support/service.ts'
import { startBeats, type Holding, type Stop, type ToldStop } from '../support/watched/beats.ts'
import { faultsIn, findingsOf, makeService, type Told } from './world.ts'

/* Serves one installation after another in a process of its own, and tells how long its thread stood still (remote-world.ts). */

export type Asked = 'make' | 'findings' | 'close'
export type Answered =
  | { readonly is: 'made'; readonly told: Told }
  | { readonly is: 'findings'; readonly findings: string[]; readonly holding: Holding }
  | { readonly is: 'closed' }
  | { readonly is: 'stop'; readonly stop: FuzzStop }
  | { readonly is: 'logged'; readonly logged: unknown[] }

export interface FuzzStop extends Stop {
  /** Milliseconds of `wall` in which garbage was collected, its turn on a busy machine included. */
  readonly collecting: number
}

const tell = (message: Answered): void => void process.send!(message)
/** Installations are made without anybody waiting for an answer: what stops then is not told. */
let serving = false
const beats = startBeats((stop) => {
  // Node tells of a collection a turn or two of the loop later.
  if (serving) setImmediate(() => setImmediate(() => setImmediate(() => tell({ is: 'stop', stop: withCollections(stop) }))))
})

/** The last collections, from and to. */
const collections: (readonly [from: number, to: number])[] = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) collections.push([startTime, startTime + duration])
  collections.splice(0, collections.length - 100)
}).observe({ entryTypes: ['gc'] })

const withCollections = ({ wall, worked, from, to }: ToldStop): FuzzStop => ({
  wall,
  worked,
  collecting: collections.reduce((sum, [begun, ended]) => sum + Math.max(0, Math.min(to, ended) - Math.max(from, begun)), 0),
})
let service: Service | undefined

setInterval(() => {
  const logged = service ? faultsIn(service) : []
  if (logged.length > 0) tell({ is: 'logged', logged })
}, 20).unref()

process.on('message', (asked: Asked) => void answer(asked))
process.on('disconnect', () => process.exit())

async function answer(asked: Asked): Promise<void> {
  serving = false
  if (asked === 'make') {
    const made = await makeService()
    service = made.service
    beats.take()
    tell({ is: 'made', told: made.told })
    serving = true
  } else if (asked === 'findings') {
    tell({ is: 'findings', findings: await findingsOf(service!), holding: beats.holding() })
  } else {
    await service!.close()
    service = undefined
    tell({ is: 'closed' })
  }
}
