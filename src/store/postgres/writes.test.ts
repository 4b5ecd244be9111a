import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../errors.ts'
import { citus } from '../../sql/citus.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { postgres } from '../../sql/postgres.ts'
import { render, type Sql } from '../../sql/sql.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'
import { postgresWrites } from './writes.ts'

const coded = (code: string, message: string) => Object.assign(new Error(message), { code })

/** Writes over connections on which what a fault names fails; `used`: what was said on each of them. */
function scene(
  faults: Readonly<Record<string, Error>>,
  { dialect = postgres, serves = false }: { dialect?: Dialect; serves?: boolean } = {},
) {
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
        dialect,
        isOpen: () => open,
        close: async () => void (open = false),
        query: async (statement: Sql) => {
          await say(render(statement, dialect.placeholder).text)
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
  return { used, ...postgresWrites({ address, ledger: () => ledger, follower, serves }) }
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

  it('over Citus: after SET LOCAL is passed on, with the text it is in, each is a text of its own', async () => {
    const { write, used } = scene({}, { dialect: citus, serves: true })
    await Promise.all([1, 2].map((value) => write(async () => value)))
    const texts = used.flat()
    const passing = texts.filter((text) => text.includes('propagate_set_commands'))
    assert.notEqual(passing.length, 0)
    for (const text of passing) {
      assert.match(text, /^BEGIN;.*SET LOCAL statement_timeout = /s)
      assert.match(text, /; SET LOCAL citus\.propagate_set_commands = 'local'$/)
    }
    for (const text of texts) if (/SET LOCAL/.test(text) && !passing.includes(text)) assert.doesNotMatch(text, /;/)
  })
})
