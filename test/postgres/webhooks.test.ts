import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { begin, env, logged, unreliable, verify } from '../support/hooked.ts'
import { randomOf } from '../support/random.ts'
import { programOfRun, type Server } from '../support/scratch-program.ts'
import { seed } from '../support/seed.ts'
import { until } from '../support/until.ts'

describe('webhooks of two processes', () => {
  it('are delivered by one of two processes, and by the other when that is killed or stopped', async () => {
    const program = await programOfRun()
    const receiver = await unreliable(randomOf(seed))
    receiver.faults.isOver = true
    try {
      const servers = [await program.serve({ env }), await program.serve({ env })]
      const begun = await begin(program, receiver, servers[0]!)
      const { token, type, field } = begun
      let made = 0
      const create = async (server: Server) => {
        const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes: { [field]: `record ${made++}` } } })
        assert.equal(status, 201)
        return Number(body.data.id)
      }
      const both = async () => {
        const records = [await create(servers[0]!), await create(servers[1]!)]
        await until('those of both', () => records.every((record) => receiver.taken.some((one) => one.record === record)))
      }
      await both()
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        // Whichever delivers: each of the two ends once.
        for (const i of [0, 1]) {
          await servers[i]!.stop(signal)
          const record = await create(servers[1 - i]!)
          await until('a takeover', () => receiver.taken.some((one) => one.record === record))
          servers[i] = await program.serve({ env })
          await both()
        }
      }
      verify(await logged(servers[0]!, token), receiver.taken)
    } finally {
      await receiver.close()
      await program.remove()
    }
  })
})
