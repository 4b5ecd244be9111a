import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../../support/random.ts'
import { programOfRun } from '../../support/scratch-program.ts'
import { seed } from '../../support/seed.ts'
import { begin, env, logged, unreliable, verify, write } from '../../support/hooked.ts'
import { until } from '../../support/until.ts'

const isLong = process.env['KARTOTEKA_TEST_LONG'] !== undefined
const KILLS = isLong ? 100 : 3

describe('webhooks', () => {
  it(
    'lose nothing, in the order of each record, while their server is killed again and again',
    { timeout: isLong ? 3_600_000 : 300_000 },
    async (context) => {
      const random = randomOf(seed)
      const program = await programOfRun()
      const receiver = await unreliable(random)
      try {
        let server = await program.serve({ env })
        const begun = await begin(program, receiver, server)
        for (let kill = 0; kill < KILLS; kill++) {
          let isOver = false
          const clients = [1, 2, 3, 4].map((client) => write(server, begun, client, () => isOver))
          const before = receiver.taken.length
          await until('some deliveries', () => receiver.taken.length > before + 20 + random.int(60))
          await sleep(random.int(40))
          await server.stop('SIGKILL')
          isOver = true
          await Promise.all(clients)
          server = await program.serve({ env })
        }
        receiver.faults.isOver = true
        const log = await logged(server, begun.token)
        const isAll = () => {
          const taken = new Set(receiver.taken.map(({ change }) => change))
          return log.every(({ change }) => taken.has(change))
        }
        await until('all changes', isAll, () => receiver.taken.length)
        verify(log, receiver.taken)
        context.diagnostic(`${KILLS} kills, ${log.length} changes, taken ${receiver.taken.length} times`)
        // A regular end does not wait for attempts.
        const { code } = await server.stop()
        assert.equal(code, 0)
      } finally {
        await receiver.close()
        await program.remove()
      }
    },
  )
})
