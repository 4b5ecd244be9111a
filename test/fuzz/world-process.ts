import type { Service } from '../http/service.ts'
import { startBeats, type Holding, type Stop } from '../watched/beats.ts'
import { faultsIn, findingsOf, makeService, type Told } from './world.ts'

/* Serves one installation after another in a process of its own, and tells how long its thread stood still (remote-world.ts). */

export type Asked = 'make' | 'findings' | 'close'
export type Answered =
  | { readonly is: 'made'; readonly told: Told }
  | { readonly is: 'findings'; readonly findings: string[]; readonly holding: Holding }
  | { readonly is: 'closed' }
  | { readonly is: 'stop'; readonly stop: Stop }
  | { readonly is: 'logged'; readonly logged: unknown[] }

const tell = (message: Answered): void => void process.send!(message)
/** Installations are made without anybody waiting for an answer: what stops then is not told. */
let serving = false
const beats = startBeats((stop) => {
  if (serving) tell({ is: 'stop', stop })
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
