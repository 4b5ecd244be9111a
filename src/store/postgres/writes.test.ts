import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../errors.ts'
import { postgres } from '../../sql/postgres.ts'
import { render, type Sql } from '../../sql/sql.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'
import { postgresWrites } from './writes.ts'

const coded = (code: string, message: string) => Object.assign(new Error(message), { code })

/** Writes over connections on which what a fault names fails; `used`: what was said on each of them. */
function scene(faults: Readonly<Record<string, Error>>) {
  const used: string[][] = []
  const address: Address = {
    async connect() {
      const said: string[] = []
      let open = true
      used.push(said)
      const say = async (text: string) => {
        said.push(text)
        for (const [beginning, error] of Object.entries(faults)) if (text.startsWith(beginning)) throw error
      }
      const connection: Partial<Connection> = {
        dialect: postgres,
        isOpen: () => open,
        close: async () => void (open = false),
        query: async (statement: Sql) => {
          await say(render(statement, postgres.placeholder).text)
          return { rows: [[7]], count: 1 }
        },
        script: async (text) => {
          await say(text)
          return [[], [], [], [], [[1]]]
        },
        commit: () => say('COMMIT'),
      }
      return connection as Connection
    },
  }
  const ledger = { beforeCommit: async () => {}, afterCommit: () => {} }
  const follower = { query: 'SELECT 1', version: 1, follow: async () => {} }
  return { used, ...postgresWrites({ address, ledger: () => ledger, follower, serves: false }) }
}

describe('writes over PostgreSQL', () => {
  it('use no connection again that may still be in a transaction', async () => {
    const { write, used } = scene({ ROLLBACK: coded('53200', 'out of memory') })
    await assert.rejects(write(() => Promise.reject(new Error('refused'))))
    assert.equal(await write(async () => 'written'), 'written')
    assert.equal(used.length, 2)
    assert.ok(used[1]!.some((text) => text.startsWith('BEGIN')))
  })

  it('tell why nobody knows whether a COMMIT holds that was not answered', async () => {
    const denied = coded('42501', 'permission denied for table writers')
    const { write } = scene({ COMMIT: coded('ECONNRESET', 'gone'), 'SELECT number FROM writers': denied })
    await assert.rejects(
      write(async () => 'written'),
      (error) => {
        assert.ok(error instanceof Failure && error.code === 'server.unavailable')
        assert.equal((error.cause as Error).cause, denied)
        return true
      },
    )
  })
})
