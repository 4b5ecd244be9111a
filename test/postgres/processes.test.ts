import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { killAgainAndAgain } from '../crash/lives.ts'
import { openInstallation } from '../../src/app/installation.ts'
import { readConfig } from '../../src/config.ts'
import { cluster, scratchDatabase } from '../support/scratch-database.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { scratchProgram, type Answer, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { seed } from '../support/seed.ts'

const KILLS = 2

/* The real program over a database of its own address, as a person would start it. */

describe('processes over one database', () => {
  let program: ScratchProgram
  let drop: () => Promise<void>
  before(async () => {
    const database = await scratchDatabase()
    drop = database.drop
    program = scratchProgram({ KARTOTEKA_DATABASE_URL: database.url })
    await program.begin()
  })
  after(async () => {
    await program.remove()
    await drop()
  })

  /** Asks the next server where one is stopping or gone, and that one no more, as whatever stands before them does. */
  async function ask(servers: (Server | undefined)[], turn: number, ...call: Parameters<Server['call']>): Promise<Answer> {
    for (let i = turn; ; i++) {
      const server = servers[i % servers.length]
      if (!server) {
        await new Promise((next) => setImmediate(next))
        continue
      }
      try {
        const answer = await server.call(...call)
        if (answer.status !== 503 || !/stopping/.test(answer.body.errors[0].detail)) return answer
      } catch (error) {
        // Nothing was sent.
        if ((error as { cause?: { syscall?: string } }).cause?.syscall !== 'connect') throw error
      }
      servers[i % servers.length] = undefined
    }
  }

  const document = (type: string, attributes: object, id?: string) => ({ data: { type, ...(id !== undefined && { id }), attributes } })

  it('are restarted one after the other without a failed request', async () => {
    const table = (await program.ok('table', 'create', 'Rolling')).trim()
    const token = await program.token()
    const servers: (Server | undefined)[] = await Promise.all([program.serve(), program.serve()])
    let running = true
    let done = 0
    const wrong: Answer[] = []
    const client = async (turn: number) => {
      for (; running; turn++) {
        const answer = await ask(servers, turn, token, 'POST', `data${table}`, document(`data${table}`, {}))
        if (answer.status === 201) done++
        else wrong.push(answer)
        const list = await ask(servers, turn + 1, token, 'GET', `data${table}?sort=-id&page[limit]=2`)
        if (list.status !== 200) wrong.push(list)
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

  it('that stop answer once more whoever was slow to ask on a connection that they had, and then end it', async () => {
    const server = await program.serve()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    const answers: string[] = []
    socket.on('data', (data: string) => answers.push(data)).on('error', () => {})
    let isOpen = true
    socket.on('close', () => (isOpen = false))
    const asked = () => socket.write(`GET /api/dev/table HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    asked()
    await once(socket, 'data')
    const stopped = server.stop('SIGTERM')
    while (isOpen) {
      await setTimeout(700)
      asked()
    }
    assert.match(answers.join(''), /^HTTP\/1\.1 401 [^]*HTTP\/1\.1 503 [^]*connection: close/i)
    assert.equal((await stopped).code, 0)
  })

  it('know with the next request what changed on another, and answer rightly or with 4xx while it changes', async () => {
    const token = await program.token()
    const servers = await Promise.all([program.serve(), program.serve()])
    const [here, there] = servers as [Server, Server]
    const make = async (server: Server, type: string, attributes: object): Promise<string> => {
      const { status, body } = await server.call(token, 'POST', type, document(type, attributes))
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.id
    }
    const told = async (server: Server, path: string, by = token) => {
      const { status, body } = await server.call(by, 'GET', path)
      return [status, body.meta?.total ?? body.errors?.[0].code]
    }
    await make(here, 'user', { login: 'mira', fio: 'Mira', password: 'long enough', group_id: 1 })
    let present = { table: '1', field: '1', filter: '1' }
    const seen = new Map<number, number>()
    const right: string[] = []
    let running = true
    const watcher = async (server: Server) => {
      while (running) {
        const { table, field, filter } = present
        const answers = [
          await server.call(token, 'GET', `data${table}?filter=eq(f${field},'x')&sort=-f${field}`),
          await server.call(token, 'GET', `data${table}?filter=use_filter(${filter})`),
          await server.call(token, 'POST', `data${table}`, document(`data${table}`, { [`f${field}`]: 'x' })),
          await server.call(token, 'GET', `table/${table}?include=fields`),
        ]
        for (const { status } of answers) seen.set(status, (seen.get(status) ?? 0) + 1)
        for (const { attributes } of answers[0]!.body.data ?? [])
          if (attributes[`f${field}`] !== 'x') right.push(JSON.stringify(attributes))
      }
    }
    const watchers = Promise.all([...servers, ...servers].map(watcher)).finally(() => (running = false))
    watchers.catch(() => undefined)
    for (let i = 0; i < 2; i++) {
      const [one, other] = i % 2 ? [there, here] : [here, there]
      const table = await make(one, 'table', { table_name: `Round ${i}` })
      assert.deepEqual(await told(other, `data${table}`), [200, 0])
      const field = await make(one, 'field', { table_id: Number(table), field_name: 'Name', field_type: 'text' })
      const unlike = await make(other, `data${table}`, { [`f${field}`]: 'other' })
      const filter = await make(one, 'filter', { table_id: Number(table), filter_name: 'A', expression: `eq(id,${unlike})` })
      assert.deepEqual(await told(other, `data${table}?filter=use_filter(${filter})`), [200, 1])
      present = { table, field, filter }
      const change = document('filter', { expression: `eq(f${field},'nobody')` }, filter)
      assert.equal((await one.call(token, 'PATCH', `filter/${filter}`, change)).status, 200)
      assert.deepEqual(await told(other, `data${table}?filter=use_filter(${filter})`), [200, 0])
      const { body } = await one.call('', 'POST', 'token', document('token', { login: 'mira', password: 'long enough' }))
      const [id, own] = [body.data.id, body.data.attributes.token]
      assert.equal((await told(other, `data${table}`, own))[0], 200)
      assert.equal((await one.call(own, 'DELETE', `token/${id}`)).status, 200)
      assert.deepEqual(await told(other, `data${table}`, own), [401, 'auth.token_invalid'])
      assert.equal((await one.call(token, 'DELETE', `filter/${filter}`)).status, 200)
      assert.deepEqual(await told(other, `data${table}?filter=use_filter(${filter})`), [400, 'filter.unknown_saved_filter'])
      assert.equal((await one.call(token, 'DELETE', `field/${field}`)).status, 200)
      assert.deepEqual(await told(other, `data${table}?sort=f${field}`), [400, 'sort.unknown_attribute'])
      assert.equal((await one.call(token, 'DELETE', `table/${table}`)).status, 200)
      assert.deepEqual(await told(other, `data${table}`), [404, 'table.not_found'])
    }
    running = false
    await watchers
    const strange = [...seen.keys()].filter((status) => ![200, 201, 400, 404, 409].includes(status))
    assert.deepEqual([strange, right], [[], []], JSON.stringify([...seen]))
    await Promise.all(servers.map((server) => server.stop()))
  })

  it('change the structure of one table at once, and agree about it', async () => {
    const table = Number(await program.ok('table', 'create', 'Built'))
    const token = await program.token()
    const servers = await Promise.all([program.serve(), program.serve()])
    let running = true
    let made = 0
    const strange: unknown[] = []
    const writer = async (server: Server) => {
      while (running) {
        const { status, body } = await server.call(token, 'POST', `data${table}`, document(`data${table}`, {}))
        if (status === 201) made++
        else if (status !== 409) strange.push([status, body])
      }
    }
    const builder = async (server: Server, name: string) => {
      const kept: string[] = []
      for (let i = 0; i < 4; i++) {
        const wish = { table_id: table, field_name: `${name} ${i}`, field_type: 'text', unique: i === 1 }
        const { status, body } = await server.call(token, 'POST', 'field', document('field', wish))
        assert.equal(status, 201, JSON.stringify(body))
        const { id } = body.data
        const other = document('field', { field_type: 'longtext', field_name: `${name} ${i} changed`, unique: false }, id)
        const changed = await server.call(token, 'PATCH', `field/${id}`, other)
        assert.equal(changed.status, 200, JSON.stringify(changed.body))
        if (i % 2) kept.push(id)
        else assert.equal((await server.call(token, 'DELETE', `field/${id}`)).status, 200)
      }
      return kept
    }
    const writing = Promise.all(servers.map(writer)).finally(() => (running = false))
    writing.catch(() => undefined)
    const kept = (await Promise.all(servers.map((server, i) => builder(server, `Node ${i}`)))).flat()
    running = false
    await writing
    assert.deepEqual(strange, [])
    for (const server of servers) {
      const { body } = await server.call(token, 'GET', `field?filter=eq(table_id,${table})&page[limit]=50`)
      assert.deepEqual(body.data.map(({ id }: { id: string }) => id).sort(), kept.toSorted())
      assert.equal((await server.call(token, 'GET', `data${table}?page[limit]=1`)).body.meta.total, made)
    }
    await Promise.all(servers.map((server) => server.stop()))
    assert.match(await program.ok('check'), /Everything is in order/)
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

  it('wait no longer than its locks may be kept for one that stands still while it writes, and nothing is lost', async () => {
    const table = (await program.ok('table', 'create', 'Held')).trim()
    const field = (await program.ok('field', 'create', table, 'Number', 'integer')).trim()
    const token = await program.token()
    const [frozen, other] = await Promise.all([program.serve(), program.serve()])
    const { body } = await other.call(token, 'POST', `data${table}`, document(`data${table}`, {}))
    const { id } = body.data
    const change = (server: Server, number: number) =>
      server.call(token, 'PATCH', `data${table}/${id}`, document(`data${table}`, { [field]: String(number) }, id))
    let running = true
    let done = 0
    const strange: unknown[] = []
    const client = async () => {
      while (running) {
        const { status, body: said } = await change(frozen, 1)
        if (status === 200) done++
        else strange.push([status, said])
      }
    }
    const clients = Promise.all([client(), client(), client(), client()]).finally(() => (running = false))
    clients.catch(() => undefined)
    for (let round = 0; round < 2; round++) {
      const before = done
      while (running && done < before + 20) await new Promise((next) => setImmediate(next))
      frozen.child.kill('SIGSTOP')
      try {
        assert.equal((await change(other, 2)).status, 200)
        const wish = { table_id: Number(table), field_name: `Round ${round}`, field_type: 'text' }
        assert.equal((await other.call(token, 'POST', 'field', document('field', wish))).status, 201)
        assert.equal((await change(other, 3)).status, 200)
      } finally {
        frozen.child.kill('SIGCONT')
      }
    }
    running = false
    await clients
    assert.deepEqual(strange, [])
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

  for (const [table, columns] of [
    ['users', 'id integer'],
    ['migrations', 'id integer, migration text'],
  ] as const)
    it(`make nothing in a database of something else, which has ${table}`, async (context) => {
      const { url, drop } = await scratchDatabase()
      const client = new pg.Client(url)
      await client.connect()
      // Whatever fails below, an open client does not keep the process.
      context.after(() => client.end().catch(() => undefined))
      await client.query(`CREATE TABLE ${table} (${columns})`)
      const { open, remove } = await scratchInstallation({}, { url })
      await assert.rejects(open(), { code: 'database.foreign' })
      await remove()
      const target = { env: { KARTOTEKA_DATABASE_URL: url } }
      await openInstallation(readConfig({ data: program.data }, {})).then(({ close }) => close())
      for (const args of [['serve'], ['migrate-store', '--from', 'sqlite', '--to', url]]) {
        const { code, err } = await program.start(args, args[0] === 'serve' ? target : {}).finished
        assert.equal(code, 1, err)
        assert.match(err, new RegExp(`^kartoteka: The database has a table '${table}' that does not belong to Kartoteka`, 'm'))
        assert.doesNotMatch(err, /^ +at /m)
      }
      const { rows } = await client.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")
      await client.end()
      await drop()
      assert.deepEqual(rows, [{ relname: table }])
    })
})

it('a process that is killed keeps every write it answered, none by halves, and makes no double of a repeated key', async (context) => {
  const { url, drop } = await scratchDatabase()
  const outcome = await killAgainAndAgain(KILLS, seed, () => {}, { KARTOTEKA_DATABASE_URL: url })
  context.diagnostic(JSON.stringify(outcome))
  assert.equal(outcome.kills, KILLS)
  assert.ok(outcome.answered >= outcome.kills - outcome.early)
  await drop()
})
