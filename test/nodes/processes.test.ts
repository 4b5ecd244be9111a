import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { killAgainAndAgain } from '../crash/lives.ts'
import { cluster, scratchDatabase } from '../scratch-database.ts'
import { scratchInstallation } from '../scratch-store.ts'
import { scratchProgram, type Answer, type ScratchProgram, type Server } from '../scratch-program.ts'

const KILLS = 2

/* The real program over a database of its own address, as a person would start it. */

describe('processes over one database', () => {
  let program: ScratchProgram
  let drop: () => Promise<void>
  before(async () => {
    const database = await scratchDatabase()
    drop = database.drop
    program = scratchProgram({ KARTOTEKA_DATABASE_URL: database.url })
  })
  after(async () => {
    await program.remove()
    await drop()
  })

  /** Asks the next server where one is stopping or gone, and that one no more, as whatever stands before them does. */
  async function create(servers: (Server | undefined)[], token: string, table: string, turn: number): Promise<Answer> {
    for (let i = turn; ; i++) {
      const server = servers[i % servers.length]
      if (!server) {
        await new Promise((next) => setImmediate(next))
        continue
      }
      try {
        const answer = await server.call(token, 'POST', `data${table}`, { data: { type: `data${table}`, attributes: {} } })
        if (answer.status !== 503 || !/stopping/.test(answer.body.errors[0].detail)) return answer
      } catch (error) {
        // Nothing was sent.
        if ((error as { cause?: { syscall?: string } }).cause?.syscall !== 'connect') throw error
      }
      servers[i % servers.length] = undefined
    }
  }

  it('are restarted one after the other without a failed request', async () => {
    const table = (await program.ok('table', 'create', 'Rolling')).trim()
    const token = await program.token()
    const servers: (Server | undefined)[] = await Promise.all([program.serve(), program.serve()])
    let running = true
    let done = 0
    const wrong: Answer[] = []
    const client = async (turn: number) => {
      for (; running; turn++) {
        const answer = await create(servers, token, table, turn)
        if (answer.status === 201) done++
        else wrong.push(answer)
      }
    }
    // What one of them throws is told at the end.
    const clients = Promise.all([client(0), client(1), client(2)]).finally(() => (running = false))
    clients.catch(() => undefined)
    for (const i of [0, 1]) {
      const ended = await servers[i]!.stop('SIGTERM')
      assert.deepEqual([ended.code, ended.err], [0, ''])
      const before = done
      servers[i] = await program.serve()
      while (running && done < before + 20) await new Promise((next) => setImmediate(next))
    }
    running = false
    await clients
    assert.deepEqual(wrong, [])
    assert.equal((await servers[0]!.call(token, 'GET', `data${table}`)).body.meta.total, done)
    await Promise.all(servers.map((server) => server!.stop()))
  })

  it('go on while one of them stands still, and it goes on after', async () => {
    const table = (await program.ok('table', 'create', 'Frozen')).trim()
    const token = await program.token()
    const [frozen, other] = await Promise.all([program.serve(), program.serve()])
    const body = { data: { type: `data${table}`, attributes: {} } }
    const waiting = Array.from({ length: 10 }, () => frozen.call(token, 'POST', `data${table}`, body))
    frozen.child.kill('SIGSTOP')
    try {
      for (let i = 0; i < 20; i++) assert.equal((await other.call(token, 'POST', `data${table}`, body)).status, 201)
      assert.equal((await other.call(token, 'GET', `data${table}`)).status, 200)
    } finally {
      frozen.child.kill('SIGCONT')
    }
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ status }) => status),
      waiting.map(() => 201),
    )
    assert.equal((await other.call(token, 'GET', `data${table}`)).body.meta.total, 30)
    await Promise.all([frozen.stop(), other.stop()])
  })

  it('are served by the commands, whether or not a server runs', async () => {
    const server = await program.serve()
    const table = (await program.ok('table', 'create', 'Goods')).trim()
    const field = (await program.ok('field', 'create', table, 'Name', 'text', '--unique')).trim()
    const lines = Array.from({ length: 2_500 }, (_, i) => `Name ${i}`)
    await program.ok('import', table, program.file('goods.csv', ['Name', ...lines].join('\n')))
    const list = await server.call(await program.token(), 'GET', `data${table}?filter=eq(${field},'name 2499')`)
    assert.deepEqual([list.status, list.body.meta.total], [200, 1])
    await server.stop()
    const twice = await program.run('import', table, program.file('again.csv', 'Name\nName 7\nName 9000'))
    assert.deepEqual([twice.code, /1 imported, 1 bad/.test(twice.out)], [1, true], twice.out)
    const exported = (await program.ok('export', table)).trim().split(/\r?\n/)
    assert.equal(exported.length, 2_502)
    assert.match(await program.ok('check'), /Everything is in order/)
  })

  it('say what is the matter where there is no database', async () => {
    const env = { KARTOTEKA_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    const { code, err } = await program.start(['serve'], { env }).finished
    assert.equal(code, 1)
    assert.match(err, /The database could not be opened: .*ECONNREFUSED/)
    const { open, remove } = await scratchInstallation({}, { url: cluster!.replace('/postgres?', '/none?') })
    await assert.rejects(open(), { code: 'database.unreachable', message: /database "none" does not exist/ })
    await remove()
    assert.equal((await program.start(['serve'], { env: { KARTOTEKA_DATABASE_URL: 'mysql://x' } }).finished).code, 2)
  })
})

it('a process that is killed keeps every write it answered, none by halves, and makes no double of a repeated key', async (context) => {
  const { url, drop } = await scratchDatabase()
  const seed = randomInt(2 ** 31)
  const outcome = await killAgainAndAgain(KILLS, seed, () => {}, { KARTOTEKA_DATABASE_URL: url })
  context.diagnostic(`seed ${seed}: ${JSON.stringify(outcome)}`)
  assert.equal(outcome.kills, KILLS)
  assert.ok(outcome.answered >= outcome.kills - outcome.early)
  await drop()
})
