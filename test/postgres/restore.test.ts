import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { programsWithTools, startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { scratchProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { ask } from '../support/standby.ts'

/*
 * Types what docs/operations.md says about backup and restore of a PostgreSQL: from one server, while people write, into
 * another one, as the machine of the first is lost. The database is owned by a role that may do nothing else.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${root}/docs/operations.md`, 'utf8')
/** The two blocks of commands below the heading. */
const [backup, restore] = page.slice(page.indexOf('\n### PostgreSQL\n')).match(/(?:^ {4}.*\n)+/gm)!

/** Where there is no rsync, tar copies as much: of one directory into another, but for files that are being written. */
const insteadOfRsync = `#!/bin/sh
while [ "$#" -gt 2 ]; do shift; done
mkdir -p "$2" && tar -C "$1" --exclude='*.part' -cf - . | tar -C "$2" -xf -
`

/** What is asked before and after; everything there is shows in it, but for the table that is written to meanwhile. */
const questions = [
  'table/1?include=fields',
  'field?page[limit]=50',
  'filter',
  'user?page[limit]=50',
  'group',
  'access',
  'data1?page[limit]=50',
  'data1?page[offset]=250&page[limit]=50',
  'data1?sort=-f2&page[limit]=50',
  "data1?filter=contains(f1,'ёлка 7')",
  'data2?page[limit]=50',
]

describe('a PostgreSQL that is backed up and restored as docs/operations.md says', () => {
  const programs = programsWithTools()
  let one: Cluster
  let other: Cluster
  let program: ScratchProgram
  let token: string
  let server: Server
  before(async () => {
    if (programs === undefined) return
    const settings = ['fsync=off']
    ;[one, other] = [await startPostgres({ programs, settings }), await startPostgres({ programs, settings })]
    for (const cluster of [one, other]) await ask(cluster, 'CREATE ROLE clerk LOGIN')
    await ask(one, 'CREATE DATABASE kartoteka OWNER clerk')
    program = scratchProgram()
    mkdirSync(program.at('backups'))
    writeFileSync(program.at('kartoteka'), `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/kartoteka.mjs' "$@"\n`, { mode: 0o755 })
    if (spawnSync('rsync', ['--version']).error) writeFileSync(program.at('rsync'), insteadOfRsync, { mode: 0o755 })
    server = await program.serve({ env: settingsOf(one, 'first') })
    token = (await program.start(['token', 'create', '--login', 'admin'], { env: settingsOf(one, 'first') }).finished).out.trim()
  })
  after(async () => {
    if (programs === undefined) return
    await program.remove()
    for (const cluster of [one, other]) await cluster.stop()
  })

  const address = (cluster: Cluster) => cluster.direct('kartoteka').replace('//kartoteka@', '//clerk@')
  const settingsOf = (cluster: Cluster, data: string) => ({
    KARTOTEKA_DATA: program.at(data),
    KARTOTEKA_DATABASE_URL: address(cluster),
  })

  /** As somebody types it at the machine of the database; paths, the address and the role are those of this test. */
  async function type(commands: string, cluster: Cluster, data: string): Promise<string> {
    const here = commands
      .replaceAll('/var/lib/kartoteka', program.at(data))
      .replaceAll('/backups', program.at('backups'))
      .replaceAll(/postgres:\S+/g, `'${address(cluster)}'`)
      .replaceAll(/--(owner|role)=kartoteka/g, '--$1=clerk')
    const env = { ...settingsOf(cluster, data), PATH: `${program.root}:${programs}:${process.env.PATH}`, HOME: program.root }
    const shell = spawn('sh', ['-exc', `exec 2>&1\n${here}`], { env: { ...env, PGHOST: cluster.directory, PGUSER: 'kartoteka' } })
    let said = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    const [code] = await once(shell, 'close')
    assert.equal(code, 0, said)
    return said
  }

  const document = (kind: string, attributes: object) => ({ data: { type: kind, attributes } })
  async function make(path: string, attributes: object): Promise<string> {
    const { status, body } = await server.call(token, 'POST', path, document(path, attributes))
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }
  const paper = (n: number) => [{ file_name: `${n}.txt`, content: `paper ${n}` }]
  const answers = async () => {
    const all: unknown[] = []
    for (const question of questions) {
      const { status, body } = await server.call(token, 'GET', question)
      all.push([question, status, JSON.stringify(body).replaceAll(server.url, '')])
    }
    return all
  }

  it('is the same in all it holds, lets the same people in, and goes on', async (context) => {
    if (programs === undefined)
      return context.skip('no PostgreSQL here has pg_dump beside; KARTOTEKA_TEST_POSTGRES names the folder of one')
    await fill()
    const before = await answers()
    const first = await server.call(token, 'POST', 'data1', document('data1', { f1: 'Once' }), { 'Idempotency-Key': 'once' })
    assert.equal((await server.call(token, 'DELETE', `data1/${first.body.data.id}`)).status, 200)
    const mira = (await server.call('', 'POST', 'token', document('token', { login: 'mira', password: 'long enough' }))).body
    const own: string = mira.data.attributes.token
    const told = (path: string) => server.call(own, 'GET', path)
    const access = async () => {
      const [table, list, closed] = [await told('table/1'), await told('data1?page[limit]=1'), await told('data2')]
      return [table.body.meta ?? table.body.data.meta, list.body.meta.total, closed.status]
    }
    const cursor = await endOfLog('')
    const [rights, etag] = [await access(), (await server.call(token, 'GET', 'data1/8')).headers.get('etag')]

    const written = await duringWrites(() => type(backup!, one, 'first'))
    await server.stop()
    assert.match(await type(restore!, other, 'second'), /Everything is in order\.\n$/)

    server = await program.serve({ env: settingsOf(other, 'second') })
    assert.deepEqual(await answers(), before)
    assert.deepEqual(await access(), rights)
    const again = await server.call('', 'POST', 'token', document('token', { login: 'mira', password: 'long enough' }))
    assert.equal(again.status, 201)
    await logIsWhole(written)
    await goesOn(first.body, etag!)
    await logGoesOn(cursor)
    await server.stop()
  })

  /** Records with files and references, people with less than all rights, a trash, unique values. */
  async function fill(): Promise<void> {
    for (const [name, kind, wish] of [
      ['Name', 'text', { unique: true }],
      ['Amount', 'decimal', {}],
      ['Number', 'autonumber', {}],
      ['Paper', 'file', {}],
      ['Gone', 'text', {}],
    ] as const) {
      if (name === 'Name') await make('table', { table_name: 'Companies' })
      await make('field', { table_id: 1, field_name: name, field_type: kind, ...wish })
    }
    await make('table', { table_name: 'People' })
    await make('field', { table_id: 2, field_name: 'Company', field_type: 'reference', reference_table_id: 1 })
    await make('table', { table_name: 'Log' })
    await make('field', { table_id: 3, field_name: 'Paper', field_type: 'file' })
    const lines = Array.from({ length: 300 }, (_, i) => `Ёлка ${i},123456789012345.${10 + (i % 90)}`)
    const csv = program.file('a.csv', ['Name,Amount', ...lines].join('\n'))
    const imported = await program.start(['import', '1', csv], { env: settingsOf(one, 'first') }).finished
    assert.equal(imported.code, 0, imported.err)
    await make('data1', { f1: 'With paper', f4: paper(0) })
    await make('data2', { f6: '301' })
    await make('filter', { table_id: 1, filter_name: 'A', expression: "eq(f1,'x')" })
    await make('user', { login: 'mira', fio: 'Mira', password: 'long enough', group_id: 3 })
    await make('access', { group_id: 3, table_id: 1, read: true, update: true, read_filter: 'lt(id,100)' })
    for (const path of ['data1/7', 'field/5']) assert.equal((await server.call(token, 'DELETE', path)).status, 200, path)
  }

  /** The changes after a cursor, and where they end. The transactions of others in the cluster may hold them back for a moment. */
  async function changesAfter(cursor: string): Promise<{ ids: number[]; cursor: string }> {
    const ids: number[] = []
    for (let at = cursor; ;) {
      const { status, body } = await server.call(token, 'GET', `change?page[after]=${at}&page[limit]=50`)
      assert.equal(status, 200, JSON.stringify(body))
      ids.push(...body.data.map(({ id }: { id: string }) => Number(id)))
      if (body.data.length === 0 && body.meta.cursor === at) return { ids, cursor: at }
      at = body.meta.cursor
    }
  }
  const endOfLog = async (from: string): Promise<string> => (await changesAfter(from)).cursor

  /** In a cluster whose transactions are far behind: later changes are found after a cursor from before. */
  async function logGoesOn(before: string): Promise<void> {
    const { cursor, ids } = await changesAfter(before)
    const { status, body } = await server.call(token, 'POST', 'data1', document('data1', { f1: 'Behind the cursor' }))
    assert.equal(status, 201, JSON.stringify(body))
    for (let tries = 0; tries < 300; tries++) {
      const later = (await changesAfter(cursor)).ids
      if (later.length > 0) {
        assert.ok(later[0]! > Math.max(...ids, Number(before)))
        return
      }
      await new Promise((next) => setTimeout(next, 100))
    }
    assert.fail('The change does not come.')
  }

  /** Three who write records with files all the while; how many were answered before it began, and after it ended. */
  async function duringWrites(work: () => Promise<unknown>): Promise<{ before: number; after: number }> {
    let begun = 0
    let answered = 0
    let running = true
    const write = async (): Promise<void> => {
      while (running) {
        await make('data3', { f7: paper(++begun) })
        answered++
      }
    }
    const writing = Promise.all([write(), write(), write()]).finally(() => (running = false))
    writing.catch(() => undefined)
    while (running && answered < 20) await new Promise((next) => setImmediate(next))
    const before = answered
    await work().finally(() => (running = false))
    await writing
    assert.ok(answered > before)
    return { before, after: answered }
  }

  /** What was answered before the backup is there, what came later may be, and each record has its file. */
  async function logIsWhole(written: { before: number; after: number }): Promise<void> {
    const { body } = await server.call(token, 'GET', 'data3?page[limit]=50&sort=-id')
    assert.ok(body.meta.total >= written.before && body.meta.total <= written.after, `${body.meta.total} of ${JSON.stringify(written)}`)
    for (const { id, attributes } of body.data) {
      const name: string = attributes.f7
      const bytes = await fetch(`${server.url}/api/dev/file/3/7/${id}/${name}`, { headers: { 'X-Auth-Token': token } })
      assert.equal(await bytes.text(), `paper ${name.replace('.txt', '')}`)
    }
  }

  async function goesOn(first: { data: { id: string } }, etag: string): Promise<void> {
    const bytes = await fetch(`${server.url}/api/dev/file/1/4/301/0.txt`, { headers: { 'X-Auth-Token': token } })
    assert.equal(await bytes.text(), 'paper 0')
    const repeated = await server.call(token, 'POST', 'data1', document('data1', { f1: 'Once' }), { 'Idempotency-Key': 'once' })
    assert.deepEqual(repeated.body, first)
    const created = await server.call(token, 'POST', 'data1', document('data1', { f1: 'New', f4: paper(9) }))
    const next = Number(first.data.id) + 1
    assert.deepEqual([created.status, created.body.data.id, created.body.data.attributes.f3], [201, `${next}`, `${next}`])
    assert.equal((await server.call(token, 'POST', 'data1', document('data1', { f1: 'ЁЛКА 9' }))).status, 409)
    // The same version, of another instance.
    const body = { data: { type: 'data1', id: '8', attributes: { f2: '1' } } }
    assert.equal((await server.call(token, 'PATCH', 'data1/8', body, { 'If-Match': etag })).status, 412)
    assert.equal((await server.call(token, 'PATCH', 'data1/8', body)).status, 200)
    const trash = await server.call(token, 'GET', "trash?filter=eq(kind,'record')&page[limit]=1")
    assert.equal((await server.call(token, 'POST', `trash/${trash.body.data[0].id}/restore`, { data: null })).status, 200)
    assert.equal((await server.call(token, 'GET', 'data1/7')).body.data.attributes.f1, 'Ёлка 6')
    const field = document('field', { table_id: 1, field_name: 'Later', field_type: 'text' })
    assert.equal((await server.call(token, 'POST', 'field', field)).status, 201)
  }
})
