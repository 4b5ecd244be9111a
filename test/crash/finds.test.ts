import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { inTrash } from './clients.ts'
import { newEntry, sent, type Entry } from './ledger.ts'
import { CLIENTS, compare, openLedgers, writeAndKill, type Ledgers } from './lives.ts'
import { checkIsContent } from './verify.ts'
import { scratchProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { randomOf } from '../support/random.ts'
import { seed } from '../support/seed.ts'

/* The test of kills is given installations in which something acknowledged is lost, or otherwise than it was, and must find it. */

interface Fault {
  readonly what: string
  readonly found: RegExp
  /** Done to the database of the killed server; `sql` runs one statement and returns its rows. */
  readonly tamper?: (sql: (statement: string) => unknown[], ledgers: Ledgers, data: string) => void
  /** Done by the next server, so that the database is consistent in itself. */
  readonly ask?: (ask: (method: string, path: string, data?: object) => Promise<void>, ledgers: Ledgers, server: Server) => unknown
  /** It is the program's own `check` that finds it. */
  readonly byCheck?: boolean
}

const one = (entries: readonly Entry[], which: (entry: Entry) => boolean): Entry => {
  const found = entries.find((entry) => entry.asked === undefined && which(entry))
  assert.ok(found, 'the clients did what the fault needs')
  return found
}
const records = ({ clients }: Ledgers): Entry[] => clients.flatMap(({ entries }) => entries)
/** A record in this revision at least. */
const live = (ledgers: Ledgers, revision = 1) => one(records(ledgers), ({ known }) => typeof known === 'number' && known >= revision)
const deleted = (ledgers: Ledgers) => one(records(ledgers), ({ known }) => known === 'trash')

const trashOf = async ({ token, shape }: Ledgers, server: Server, { id }: Entry): Promise<string> => {
  const storm = { server, token, shape, random: randomOf(seed), killed: false, answered: 0 }
  return (await inTrash(storm, `and(eq(kind,'record'),eq(item_id,${id}))`))!
}

/** The path of the bytes of some record's file. */
function bytesOf(sql: (statement: string) => unknown[], data: string): string {
  const { hash } = sql('SELECT hash FROM files LIMIT 1')[0] as { hash: string }
  return join(data, 'files', hash.slice(0, 2), hash.slice(2))
}

/** There is what each fault needs, more of it than can be under way when the server is killed. */
function hasAll(all: Ledgers): boolean {
  const more = (entries: readonly Entry[], than: number, which: (entry: Entry) => boolean) => entries.filter(which).length > than
  return (
    more(records(all), CLIENTS, ({ known }) => typeof known === 'number' && known >= 2 && known % 3 > 0) &&
    more(records(all), CLIENTS, ({ known, key }) => typeof known === 'number' && key !== undefined) &&
    more(records(all), CLIENTS, ({ known }) => known === 'trash') &&
    more(all.account.tokens, 1, ({ known }) => known === 1) &&
    more(all.account.filters, 1, ({ known }) => typeof known === 'number')
  )
}

const faults: readonly Fault[] = [
  {
    what: 'the loss of a creation',
    found: /is nowhere, not \d+ or undefined/,
    async ask(ask, ledgers, server) {
      const entry = live(ledgers)
      await ask('DELETE', `${ledgers.shape.type}/${entry.id}`)
      await ask('DELETE', await trashOf(ledgers, server, entry))
    },
  },
  {
    what: 'the loss of a change',
    found: /is \d+, not \d+ or undefined/,
    ask(ask, ledgers) {
      const { shape } = ledgers
      const { id, marker, revision } = live(ledgers, 2)
      return ask('PATCH', `${shape.type}/${id}`, { type: shape.type, id, attributes: sent(shape, marker, revision - 1) })
    },
  },
  {
    what: 'the loss of half of a change',
    found: /deep-equal/,
    ask(ask, ledgers) {
      const { type, fields } = ledgers.shape
      const { id } = live(ledgers, 2)
      return ask('PATCH', `${type}/${id}`, { type, id, attributes: { [fields.amount]: '1.25' } })
    },
  },
  {
    what: 'the loss of the files of a record',
    found: /deep-equal/,
    ask(ask, ledgers) {
      const { type, fields } = ledgers.shape
      const { id } = one(records(ledgers), ({ known }) => typeof known === 'number' && known % 3 > 0)
      return ask('PATCH', `${type}/${id}`, { type, id, attributes: { [fields.file]: [] } })
    },
  },
  {
    what: 'the loss of a deletion',
    found: /is \d+, not trash or undefined/,
    ask: async (ask, ledgers, server) => ask('POST', `${await trashOf(ledgers, server, deleted(ledgers))}/restore`),
  },
  {
    what: 'the loss of a restoration',
    found: /is trash, not \d+ or undefined/,
    ask: (ask, ledgers) => ask('DELETE', `${ledgers.shape.type}/${live(ledgers).id}`),
  },
  {
    what: 'the loss of an erasure',
    found: /is trash, not nowhere or undefined/,
    ask: (_, ledgers) => (deleted(ledgers).known = 'nowhere'),
  },
  {
    what: 'a record that nobody wrote',
    found: /nothing is there that nobody wrote/,
    ask: (ask, { shape }) => ask('POST', shape.type, { type: shape.type, attributes: sent(shape, 'stranger', 1) }),
  },
  {
    what: 'a creation that was done twice',
    found: /no record is there twice/,
    ask(ask, ledgers) {
      const { type, fields } = ledgers.shape
      const attributes = { ...sent(ledgers.shape, live(ledgers).marker, 1), [fields.code]: 'another' }
      return ask('POST', type, { type, attributes })
    },
  },
  {
    what: 'the loss of the kept answers',
    found: /!== 201|first answer comes again/,
    tamper: (sql) => sql('DELETE FROM idempotency'),
  },
  {
    what: 'another author of the records',
    found: /deep-equal/,
    tamper: (sql, { shape }) => sql(`UPDATE ${shape.type} SET user_id = user_id + 1`),
  },
  {
    what: 'another count of the changes of a record',
    found: /strictly equal/,
    tamper: (sql, { shape }) => sql(`UPDATE ${shape.type} SET version = version + 1`),
  },
  {
    what: 'a total that is one less',
    // Where the last page is full to its end, a total that is one less cuts the list there, and a record is missing.
    found: /the total is that of all pages|is nowhere, not \d+ or/,
    tamper: (sql, { shape }) => sql(`UPDATE tables SET record_count = record_count - 1 WHERE id = ${shape.table}`),
  },
  {
    what: 'the loss of a field',
    found: /Extra 0 is nowhere, not 1/,
    ask: (_, { fields }) => fields.push({ ...newEntry('Extra 0'), known: 1 }),
  },
  {
    what: 'the loss of a sign-in',
    found: /Token \d+ is nowhere, not 1/,
    tamper: (sql) => sql("DELETE FROM tokens WHERE title LIKE 'Token %'"),
  },
  {
    what: 'the loss of the revocation of a token',
    found: /Token \d+ is 1, not nowhere/,
    ask: (_, { account }) => (one(account.tokens, ({ known }) => known === 1).known = 'nowhere'),
  },
  {
    what: 'the loss of a saved filter',
    found: /Filter \d+ is nowhere, not \d+/,
    tamper: (sql) => sql('DELETE FROM saved_filters'),
  },
  {
    what: 'the loss of the bytes of a file',
    found: /its bytes are gone/,
    byCheck: true,
    tamper: (sql, _, data) => rmSync(bytesOf(sql, data)),
  },
  {
    what: 'other bytes in a file',
    found: /its bytes are not those that were stored/,
    byCheck: true,
    tamper: (sql, _, data) => writeFileSync(bytesOf(sql, data), 'other bytes'),
  },
  {
    what: 'another value in a deleted record',
    found: /its values are not those that were written/,
    byCheck: true,
    tamper: (sql, { shape }) => sql(`UPDATE trash${shape.table} SET user_id = user_id + 1`),
  },
]

describe('the test of kills', () => {
  let program: ScratchProgram
  let ledgers: Ledgers
  before(async () => {
    program = scratchProgram()
    ledgers = await openLedgers(program)
    await writeAndKill(await program.serve(), ledgers, randomOf(seed), 0, undefined, () => hasAll(ledgers))
  })
  after(() => program.remove())

  /** Looks at a copy of what the kill left, in which there is a fault. */
  async function look({ tamper, ask, byCheck }: Partial<Fault>): Promise<void> {
    const copy = scratchProgram()
    try {
      const mine = structuredClone(ledgers)
      cpSync(program.data, copy.data, { recursive: true })
      const database = new Database(join(copy.data, 'kartoteka.sqlite'))
      tamper?.(
        (statement) => (statement.startsWith('SELECT') ? database.prepare(statement).all() : (database.exec(statement), [])),
        mine,
        copy.data,
      )
      database.close()
      if (byCheck) return await checkIsContent(copy)
      const server = await copy.serve()
      await ask?.(
        async (method, path, data) => {
          const { status, body } = await server.call(mine.token, method, path, data && { data })
          assert.ok(status < 300, JSON.stringify(body))
        },
        mine,
        server,
      )
      await compare(server, mine, randomOf(seed))
    } finally {
      await copy.remove()
    }
  }

  it('finds nothing wrong where nothing is', async () => {
    await look({})
    await look({ byCheck: true })
  })

  for (const fault of faults) it(`finds ${fault.what}`, () => assert.rejects(look(fault), fault.found))
})
