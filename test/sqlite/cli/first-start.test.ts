import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { scratchProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

const TOKEN = /^[A-Za-z0-9]{48}$/

describe('the first start', () => {
  let program: ScratchProgram
  let server: Server
  before(async () => {
    program = scratchProgram()
    server = await program.serve()
  })
  after(() => program.remove())

  it('prints login, password and a curl line that gives a token as it stands', async () => {
    const { out } = server.said
    assert.match(out, /^ {2}login: {4}admin$/m)
    const password = /^ {2}password: (\S{16,})$/m.exec(out)?.[1]
    assert.ok(password)
    const line = /^ {2}(curl .*)$/m.exec(out)?.[1]
    assert.ok(line)
    assert.ok(line.includes(password))
    const answer = JSON.parse(execFileSync('bash', ['-c', line.replace('curl', 'curl --silent')], { encoding: 'utf8' }))
    assert.equal(answer.data.type, 'token')
    const { token, login } = answer.data.attributes
    assert.match(token, TOKEN)
    assert.equal(login, undefined)
    const { status, body } = await server.call(token, 'GET', 'user')
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map((user: { attributes: object }) => user.attributes),
      [{ fio: 'Administrator', e_mail: '', login: 'admin', group_id: 1, arc: 0 }],
    )
  })

  it('says where it listens and where its data is, and nothing on stderr', () => {
    assert.ok(server.said.out.endsWith(`Kartoteka listens on ${server.url} and keeps its data in ${program.data}\n`))
    assert.equal(server.said.err, '')
  })

  it("makes a directory that is nobody else's", () => {
    assert.equal(statSync(program.data).mode & 0o777, 0o700)
  })

  it('the second start tells no password', async () => {
    assert.deepEqual(await server.stop().then(({ code }) => code), 0)
    server = await program.serve()
    assert.equal(server.said.out, `Kartoteka listens on ${server.url} and keeps its data in ${program.data}\n`)
  })
})

describe('the memory of a server on Linux', () => {
  const boundsOf = ({ child }: Server) =>
    readFileSync(`/proc/${child.pid}/environ`, 'utf8')
      .split('\0')
      .filter((one) => one.startsWith('MALLOC_'))
      .sort()

  it('is bounded in the process that was started, unless somebody has said how', async () => {
    for (const [env, expected] of [
      [{}, ['2', '131072', '1048576']],
      [{ MALLOC_ARENA_MAX: '5' }, ['5', '131072', '1048576']],
      [{ MALLOC_TRIM_THRESHOLD_: '2000000', MALLOC_MMAP_THRESHOLD_: '3000000', MALLOC_ARENA_MAX: '1' }, ['1', '3000000', '2000000']],
    ] as const) {
      const program = scratchProgram(env)
      const server = await program.serve()
      const names = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
      assert.deepEqual(
        boundsOf(server),
        names.map((name, i) => `${name}=${expected[i]}`),
      )
      assert.equal((await server.stop()).code, 0)
      await program.remove()
    }
  })

  it('is left as it is where the loader takes the variables away, which it does for programs with privileges', async () => {
    const program = scratchProgram({ NODE_OPTIONS: '--import=data:text/javascript,delete%20process.env.MALLOC_ARENA_MAX' })
    const server = await program.serve()
    assert.equal((await server.stop()).code, 0)
    await program.remove()
  })
})

describe('the password of the first administrator', () => {
  let program: ScratchProgram
  before(() => {
    program = scratchProgram()
  })
  after(() => program.remove())

  const passwordIn = (out: string) => /^ {2}password: (\S+)$/m.exec(out)?.[1]
  const signIn = async (server: Server, password: string) => {
    const attributes = { login: 'admin', password }
    return (await server.call('', 'POST', 'token', { data: { type: 'token', attributes } })).status
  }

  it('is not made where the port is taken, and shown by the start that listens', async () => {
    const other = scratchProgram()
    const busy = await other.serve()
    const { code, out } = await program.start(['serve'], { env: { PORT: new URL(busy.url).port } }).finished
    assert.deepEqual([code, out], [1, ''])
    await other.remove()
    const server = await program.serve()
    assert.equal(await signIn(server, passwordIn(server.said.out)!), 201)
    await server.stop()
  })

  it('is another one with each start, as long as nobody has signed in, wherever the start before was killed', async () => {
    const fresh = scratchProgram()
    const passwords: string[] = []
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const server = await fresh.serve()
      passwords.push(passwordIn(server.said.out)!)
      await server.stop(signal)
    }
    const server = await fresh.serve()
    const password = passwordIn(server.said.out)!
    assert.equal(new Set([...passwords, password]).size, 4)
    assert.match(server.said.out, /the one shown before is no longer valid/)
    for (const old of passwords) assert.equal(await signIn(server, old), 401)
    assert.equal(await signIn(server, password), 201)
    await server.stop()
    const after = await fresh.serve()
    assert.doesNotMatch(after.said.out, /password/)
    assert.equal(await signIn(after, password), 201)
    await fresh.remove()
  })

  it('can be replaced by the command that the first start shows, as it stands', async () => {
    const fresh = scratchProgram()
    const server = await fresh.serve()
    const line = /^ {2}(node .* user passwd admin .*)$/m.exec(server.said.out)?.[1]
    const password = execFileSync('bash', ['-c', line!.replace('node', `'${process.execPath}'`)], { encoding: 'utf8' }).trim()
    assert.equal(await signIn(server, password), 201)
    await fresh.remove()
  })
})

describe('files of an installation', () => {
  it('are for their owner alone, also those that commands write; others are warned of', async () => {
    const program = scratchProgram()
    const readable = program.at('readable')
    mkdirSync(readable)
    chmodSync(readable, 0o755)
    const there = { env: { KARTOTEKA_DATA: readable } }
    const server = await program.serve(there)
    const warning = `kartoteka: Other users of this machine can read the data directory. To prevent that: chmod -R go-rwx ${readable}\n`
    assert.equal(server.said.err, warning)
    await program.start(['demo', '--records', '5'], there).finished
    await program.start(['export', 'Companies', '--out', program.at('out.csv')], there).finished
    await program.start(['import', 'Companies', program.file('in.csv', 'Name\nx,too many\n')], there).finished
    await program.start(['backup', program.at('copy')], there).finished
    await server.stop()
    await program.start(['restore', program.at('copy')], { env: { KARTOTEKA_DATA: program.at('restored') } }).finished
    assert.equal(statSync(readable).mode & 0o777, 0o755)
    const written = ['readable', 'copy', 'restored'].flatMap((folder) => [
      program.at(folder),
      ...readdirSync(program.at(folder), { recursive: true, encoding: 'utf8' }).map((name) => program.at(join(folder, name))),
    ])
    const open = [program.at('out.csv'), program.at('in.csv.errors.csv'), ...written].filter((path) => statSync(path).mode & 0o077)
    assert.deepEqual(open, [readable])
    assert.ok(written.length > 10)
    await program.remove()
  })
})

describe('token create', () => {
  let program: ScratchProgram
  before(async () => {
    program = scratchProgram()
    await program.begin()
  })
  after(() => program.remove())
  let early: string

  it('where nobody is yet makes the administrator too, and says so on stderr', async () => {
    const { code, out, err } = await program.run('token', 'create', '--login', 'admin')
    assert.equal(code, 0)
    assert.match(out, /^[A-Za-z0-9]{48}\n$/)
    assert.match(err, /^Created the administrator 'admin' with the password '\S{16,}'\.\n$/)
    early = out.trim()
  })

  it('prints a token and nothing else, without a server', async () => {
    const { code, out, err } = await program.run('token', 'create', '--login', 'admin')
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^[A-Za-z0-9]{48}\n$/)
  })

  it('and the same while a server runs, where it counts with the next request', async () => {
    const server = await program.serve()
    assert.doesNotMatch(server.said.out, /password/)
    assert.equal((await server.call('x'.repeat(48), 'GET', 'user')).status, 401)
    const { code, out, err } = await program.run('token', 'create', '--login', 'ADMIN', '--name', 'for the test')
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^[A-Za-z0-9]{48}\n$/)
    const token = out.trim()
    for (const one of [early, token]) assert.equal((await server.call(one, 'GET', 'user')).status, 200)
    const { body } = await server.call(token, 'GET', "token?filter=eq(name,'for the test')")
    const { attributes } = body.data[0]
    assert.deepEqual([attributes.scope, attributes.expires_at], ['write', '0000-00-00 00:00:00'])
    assert.equal(
      (await server.call(token, 'POST', 'category', { data: { type: 'category', attributes: { category_name: 'x' } } })).status,
      201,
    )
  })

  it('makes tokens that may only read, that end, and that are limited to tables; revoking counts at once', async () => {
    const program = scratchProgram()
    const server = await program.serve()
    const make = async (...options: string[]) => (await program.ok('token', 'create', '--login', 'admin', ...options)).trim()
    await program.ok('table', 'create', 'One')
    await program.ok('table', 'create', 'Two')
    const reading = await make('--scope', 'read')
    assert.equal((await server.call(reading, 'GET', 'data1')).status, 200)
    assert.equal((await server.call(reading, 'POST', 'data1', { data: { type: 'data1', attributes: {} } })).status, 403)
    const limited = await make('--table', 'two', '--lifetime', '600')
    assert.equal((await server.call(limited, 'GET', 'data2')).status, 200)
    assert.equal((await server.call(limited, 'GET', 'data1')).status, 404)
    const listed = JSON.parse(await program.ok('token', 'list', '--json')) as Record<string, unknown>[]
    assert.deepEqual(
      listed.map(({ id, scope, tables }) => [id, scope, tables]),
      [
        [1, 'read', ''],
        [2, 'write', '2'],
      ],
    )
    assert.notEqual(listed[1]!['expires'], '0000-00-00 00:00:00')
    await program.ok('token', 'revoke', '2')
    assert.equal((await server.call(limited, 'GET', 'data2')).status, 401)
    await program.remove()
  })
})
