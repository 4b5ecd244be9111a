import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import pg from 'pg'
import { openPostgres } from '../../src/store/postgres/database.ts'
import { standingAt } from '../../src/store/open.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchProgram, type Running, type ScratchProgram } from '../support/scratch-program.ts'

const main = fileURLToPath(new URL('../../bin/kartoteka.mjs', import.meta.url))

/** Several batches. */
const RECORDS = 6_000

/** What is asked of an installation before and after; everything there is shows in it. */
const questions = [
  'table?page[limit]=50',
  'table/1?include=fields',
  'field?page[limit]=50',
  'filter',
  'user',
  'group',
  'access',
  'trash',
  'audit?page[limit]=50',
  'data1?page[limit]=50',
  'data1?page[offset]=150&page[limit]=50',
  'data1?sort=-f2&page[limit]=50',
  "data1?filter=contains(f1,'ёлка 7')",
  'data2?page[limit]=50',
]

describe('an installation that is brought to another store', () => {
  let program: ScratchProgram
  let token: string
  let url: string
  let drop: () => Promise<void>
  const told: unknown[] = []

  before(async () => {
    program = scratchProgram()
    ;({ url, drop } = await scratchDatabase())
    token = await program.token()
    await program.ok('table', 'create', 'Companies')
    await program.ok('field', 'create', '1', 'Name', 'text', '--unique')
    await program.ok('field', 'create', '1', 'Amount', 'decimal')
    await program.ok('field', 'create', '1', 'Story', 'longtext')
    await program.ok('field', 'create', '1', 'Gone', 'text')
    await program.ok('field', 'create', '1', 'Number', 'autonumber')
    await program.ok('field', 'create', '1', 'Since', 'datetime')
    await program.ok('field', 'create', '1', 'Paper', 'file')
    await program.ok('table', 'create', 'People')
    await program.ok('field', 'create', '2', 'Company', 'reference', '--reference', 'Companies')
    await program.ok('table', 'create', 'Lost')
    await program.ok('field', 'create', '3', 'Code', 'text', '--unique')
    const lines = Array.from({ length: RECORDS }, (_, i) => `Ёлка ${i},123456789012345.${10 + (i % 90)},"Two\nlines ''%_\\",x,2024-02-29`)
    await program.ok('import', '1', program.file('a.csv', ['Name,Amount,Story,Gone,Since', ...lines].join('\n')))
    const server = await program.serve()
    const post = (path: string, attributes: object) => server.call(token, 'POST', path, { data: { type: path, attributes } })
    const file = [{ file_name: 'ё.txt', content: 'Hello' }]
    assert.equal((await post('data1', { f1: 'With paper', f7: file })).status, 201)
    assert.equal((await post('data2', {})).status, 201)
    assert.equal((await post('filter', { table_id: 1, filter_name: 'A', expression: "eq(f1,'x')" })).status, 201)
    for (const path of ['data1/7', 'field/4', 'table/3']) assert.equal((await server.call(token, 'DELETE', path)).status, 200, path)
    for (const question of questions) told.push(await answer(server.url, question))
    await server.stop()
  })
  after(async () => {
    await program.remove()
    await drop()
  })

  async function answer(base: string, path: string): Promise<unknown> {
    const response = await fetch(`${base}/api/dev/${path}`, { headers: { 'X-Auth-Token': token } })
    return [response.status, (await response.text()).replaceAll(base, '')]
  }

  async function mustBeSame(env: Record<string, string>): Promise<void> {
    assert.match(await checked(env), /Everything is in order/)
    const server = await program.serve({ env })
    for (const [i, question] of questions.entries()) assert.deepEqual(await answer(server.url, question), told[i], question)
    const made = await server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: { f1: 'New' } } })
    assert.deepEqual([made.status, made.body.data.attributes.f5], [201, String(RECORDS + 2)])
    const twice = await server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: { f1: 'ёлка 8' } } })
    assert.equal(twice.status, 409)
    assert.equal((await server.call(token, 'DELETE', `data1/${made.body.data.id}`)).status, 200)
    await server.stop()
  }

  async function until(reached: () => Promise<boolean>, { child, said }: Running): Promise<void> {
    while (!(await reached())) {
      assert.equal(child.exitCode, null, said.err)
      await new Promise((next) => setTimeout(next, 1))
    }
  }

  async function checked(env: Record<string, string>): Promise<string> {
    const { out, err } = await program.start(['check'], { env }).finished
    return out + err
  }

  it('is not whole until it is, and goes on where it was cut short, copying nothing twice', async () => {
    const client = new pg.Client(url)
    await client.connect()
    const rows = async (query: string) => (await client.query<string[]>({ text: query, rowMode: 'array' })).rows
    const there = () => rows('SELECT id, xmin FROM data1 ORDER BY id')
    const waiting = () =>
      rows('SELECT pid FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())')
    const start = () => program.start(['migrate-store', '--from', 'sqlite', '--to', url])

    const killed = async (process: Running) => {
      // What it writes next has to wait, and so is under way.
      await until(async () => (await waiting()).length > 0, process)
      process.child.kill('SIGKILL')
      assert.equal((await process.finished).signal, 'SIGKILL')
    }
    const lock = 'BEGIN; LOCK TABLE data1 IN EXCLUSIVE MODE'

    const first = start()
    await until(async () => (await rows('SELECT 1 FROM data1 LIMIT 1').catch(() => [])).length > 0, first)
    await client.query(lock)
    const copied = await there()
    assert.ok(copied.length < RECORDS)
    await killed(first)
    await client.query('COMMIT')
    const half = await program.start(['serve'], { env: { KARTOTEKA_DATABASE_URL: url } }).finished
    assert.match(half.err, /migration to this place was interrupted/)

    // The next goes on while the server is still busy with what the one before it has sent.
    await client.query(lock)
    await killed(start())
    const second = start()
    await until(async () => (await waiting()).length > 1, second)
    await client.query('COMMIT')
    const { code, out, err } = await second.finished
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, new RegExp(`^data1: ${RECORDS} rows, sha256 \\w{64}$`, 'm'))
    assert.match(out, /Both stores hold the same/)
    // The very rows: each of the transaction that wrote it first.
    assert.deepEqual((await there()).slice(0, copied.length), copied)
    await client.end()
  })

  it('answers the same from PostgreSQL', () => mustBeSame({ KARTOTEKA_DATABASE_URL: url }))

  it('what was left behind is used by no command and no server, and says where the installation is', async () => {
    // Last what would go on for ever where it is not refused.
    for (const args of [['check'], ['table', 'list'], ['backup', program.at('copy')], ['demo'], ['serve']]) {
      const { code, out, err } = await program.run(...args)
      assert.deepEqual([code, out], [1, ''], args[0])
      assert.match(err, /^kartoteka: This installation was moved to postgres:\/\/localhost\/test_\w+ on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, /)
      assert.match(err, /Set KARTOTEKA_DATABASE_URL to that address/)
    }
    const { code, err } = await program.run('migrate-store', '--from', 'sqlite', '--to', url)
    assert.equal(code, 1)
    assert.match(err, /another installation/)
  })

  it('is not brought from a PostgreSQL that a server is running on', async () => {
    const server = await program.serve({ env: { KARTOTEKA_DATABASE_URL: url } })
    const { code, err } = await program.run('migrate-store', '--from', url, '--to', 'sqlite', '--data', program.at('running'))
    assert.equal(code, 1)
    assert.match(err, /^kartoteka: A Kartoteka process is connected to the database \(on .*, pid \d+\)\. Stop it first\.$/m)
    assert.ok(!existsSync(program.at('running')))
    const { mustBeAlone } = await import('../../src/store/postgres/other-connections.ts')
    const db = openPostgres(url)
    await assert.rejects(mustBeAlone(db), { code: 'migration.in_use' }).finally(db.close)
    await server.stop()
  })

  it('a server that nobody saw, such as one behind a pooler, writes nothing any more where the installation has moved', async () => {
    const server = await program.serve({ env: { KARTOTEKA_DATABASE_URL: url } })
    const { reopen, markMoved } = await import('../../src/store/schema/standing.ts')
    const db = openPostgres(url)
    await db.write((tx) => markMoved(tx, db, { to: 'elsewhere', when: 'now' }), { alone: true })
    for (const [method, path] of [
      ['GET', 'data1/1'],
      ['POST', 'data1'],
    ] as const) {
      const { status, body } = await server.call(
        token,
        method,
        path,
        method === 'POST' ? { data: { type: 'data1', attributes: {} } } : undefined,
      )
      assert.deepEqual([status, body.errors[0].code], [503, 'server.unavailable'])
    }
    assert.equal(await reopen(db), true)
    assert.equal(await reopen(db), false)
    await db.close()
    assert.equal((await server.call(token, 'GET', 'data1/1')).status, 200)
    await server.stop()
  })

  it('is used again where that is asked for', async () => {
    const said = await program.ok('reopen-store', 'sqlite')
    assert.match(said, /is used again, with what it held/)
    assert.match(await checked({}), /Everything is in order/)
    assert.match(await program.ok('reopen-store', 'sqlite'), /was not marked as moved/)
  })

  it('shows on a terminal how far it is', async (context) => {
    const { url: other, drop: dropOther } = await scratchDatabase()
    const command = [process.execPath, main, 'migrate-store', '--from', 'sqlite', '--to', other].map((word) => `'${word}'`).join(' ')
    // Of util-linux: gives the command a terminal.
    const shown = spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KARTOTEKA_DATA: program.data },
    })
    await dropOther()
    if (shown.error || /usage|illegal|unrecognized/.test(shown.stdout + shown.stderr))
      return context.skip('this system has no program `script` that runs a command in a terminal')
    const done = [...shown.stdout.matchAll(/\[(#*)(\.*)\] (\d+) % records/g)].map(([, bar, rest, part]) => {
      assert.equal(bar!.length + rest!.length, 24)
      assert.ok(Math.abs(bar!.length - Number(part) * 0.24) <= 1, shown.stdout)
      return Number(part)
    })
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    )
    assert.equal(done.at(-1), 100, shown.stdout)
  })

  it('goes nowhere where another one is', async () => {
    await program.ok('reopen-store', 'sqlite')
    const { code, err } = await program.run('migrate-store', '--from', url, '--to', 'sqlite')
    assert.equal(code, 1)
    assert.match(err, /another installation/)
    assert.equal((await program.run('migrate-store', '--from', 'sqlite', '--to', 'mysql://x')).code, 2)
  })

  it('comes back as it was', async () => {
    const data = program.at('back')
    cpSync(`${program.data}/files`, `${data}/files`, { recursive: true })
    await program.ok('migrate-store', '--from', url, '--to', 'sqlite', '--data', data)
    const left = await program.start(['check'], { env: { KARTOTEKA_DATABASE_URL: url } }).finished
    assert.match(left.err, /This installation was moved to SQLite in '.*\/back' on .* Leave KARTOTEKA_DATABASE_URL out/)
    const env = { KARTOTEKA_DATA: data }
    assert.match(await checked(env), /Everything is in order/)
    const server = await program.serve({ env })
    for (const [i, question] of questions.entries())
      if (!/^(trash|audit)/.test(question)) assert.deepEqual(await answer(server.url, question), told[i], question)
    // The one that was made and deleted meanwhile had the number before, and its id is never used again.
    const made = await server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: {} } })
    assert.deepEqual([made.body.data.id, made.body.data.attributes.f5], Array(2).fill(String(RECORDS + 3)))
    await server.stop()
  })
})

describe('an installation that is brought to another store, killed at any moment', () => {
  const dying = fileURLToPath(new URL('../support/dying.ts', import.meta.url))
  let program: ScratchProgram
  before(async () => {
    program = scratchProgram()
    await program.ok('import', 'Goods', program.file('goods.csv', 'Name\nOne\nTwo\n'), '--create')
    await program.token()
  })
  after(() => program.remove())

  /** Kills a run at some of its steps; after each of them `verify` looks at what is there, and repeats it. */
  async function killed(
    args: (step: number) => Promise<{ args: string[]; env: Record<string, string>; verify(): Promise<void> }>,
  ): Promise<void> {
    const whole = await args(0)
    const stepsInto = program.at('steps')
    const hooks = { NODE_OPTIONS: `--import ${dying}`, STEPS_INTO: stepsInto }
    const first = await program.start(whole.args, { env: { ...hooks, ...whole.env } }).finished
    assert.equal(first.code, 0, first.err)
    const steps = Number(readFileSync(stepsInto, 'utf8'))
    assert.ok(steps > 20, String(steps))
    // Most of what can go wrong is near either end.
    const at = process.env['KARTOTEKA_TEST_LONG']
      ? Array.from({ length: steps }, (_, i) => i + 1)
      : new Set([3, 8, 13, ...[1, 2].map((i) => Math.round((i * steps) / 3)), steps - 6, steps - 4, steps - 2])
    for (const step of at) {
      const { args: typed, env, verify } = await args(step)
      const { signal, err } = await program.start(typed, { env: { ...hooks, ...env, DIE_AT: String(step) } }).finished
      // Towards the end the number of steps differs by a few.
      assert.ok(signal === 'SIGKILL' || step > steps - 10, `${step} of ${steps}: ${err}`)
      await verify().catch((error: unknown) => {
        throw new Error(`Killed at step ${step} of ${steps}`, { cause: error })
      })
    }
  }

  const mayBe = /A migration to this place was interrupted\. Run migrate-store again\./

  /** Whether a server may start there, anew or at all; then the repeat, and its result. */
  async function judge(at: { env: Record<string, string> }, isNothing: () => Promise<boolean>, repeat: () => Promise<void>): Promise<void> {
    const { code, out, err } = await program.start(['table', 'list', '--json'], at).finished
    if (code === 0) assert.equal(JSON.parse(out)[0].records, 2)
    else {
      if (!mayBe.test(err)) {
        assert.match(err, /There is no installation in/)
        assert.ok(await isNothing())
      }
      await repeat()
    }
    assert.match((await program.start(['table', 'list', '--json'], at).finished).out, /"records":2/)
  }

  it('in PostgreSQL is recognised as not complete from the first table on, and the repeat completes it', async () => {
    const drops: (() => Promise<void>)[] = []
    try {
      await killed(async (step) => {
        const { url, drop } = await scratchDatabase()
        drops.push(drop)
        const data = program.at(`pg${step}`)
        cpSync(program.data, data, { recursive: true })
        const typed = ['migrate-store', '--from', 'sqlite', '--to', url, '--data', data]
        const env = { KARTOTEKA_DATA: data, KARTOTEKA_DATABASE_URL: url }
        const isNothing = async () => {
          const db = openPostgres(url)
          const [rows] = await db.read(db.dialect.tablesAmong(['migrations', 'meta'])).finally(db.close)
          return rows!.length === 0
        }
        return { args: typed, env: {}, verify: () => judge({ env }, isNothing, async () => void (await program.ok(...typed))) }
      })
    } finally {
      for (const drop of drops) await drop()
    }
  })

  it('in a directory, over what was left there, is recognised as well', async () => {
    const { url, drop } = await scratchDatabase()
    try {
      const origin = program.at('origin')
      cpSync(program.data, origin, { recursive: true })
      await program.ok('migrate-store', '--from', 'sqlite', '--to', url, '--data', origin)
      await killed(async (step) => {
        await program.ok('reopen-store', url)
        const data = program.at(`lite${step}`)
        cpSync(origin, data, { recursive: true })
        const typed = ['migrate-store', '--from', url, '--to', 'sqlite', '--data', data]
        const env = { KARTOTEKA_DATA: data }
        const verify = async () => {
          const { code, err } = await program.start(['check'], { env }).finished
          // Until it is marked, what was left there is as it was.
          if (code !== 0 && /was moved to/.test(err)) await program.ok(...typed)
          await judge(
            { env },
            async () => false,
            async () => void (await program.ok(...typed)),
          )
          const asides = readdirSync(program.root).filter((name) => name.startsWith(`lite${step}-before-migrate-store-`))
          const databases = asides.filter((name) => existsSync(`${program.root}/${name}/kartoteka.sqlite`))
          assert.equal(databases.length, 1, asides.join())
        }
        return { args: typed, env: {}, verify }
      })
      const db = openPostgres(url)
      const { moved } = await standingAt(db).finally(db.close)
      assert.ok(moved)
    } finally {
      await drop()
    }
  })
})
