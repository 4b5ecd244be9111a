import assert from 'node:assert/strict'
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { scratchProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

describe('backup, restore and check', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    program = scratchProgram()
    server = await program.serve()
    token = await program.token()
    await program.ok('demo', '--records', '20')
    await program.ok('table', 'create', 'Log')
    await program.ok('field', 'create', 'Log', 'Number', 'integer')
    await program.ok('field', 'create', 'Log', 'Paper', 'file')
  })
  after(() => program.remove())

  const fields = async (table: string) =>
    (JSON.parse(await program.ok('table', 'show', table, '--json')) as { attribute: string }[]).map(({ attribute }) => attribute)

  it('a backup under writes is the installation of one moment: all that was answered before, nothing by halves', async () => {
    const [number, paper] = await fields('Log')
    let answered = 0
    let stop = false
    const write = async (): Promise<void> => {
      while (!stop) {
        const n = ++begun
        const attributes = { [number!]: String(n), [paper!]: [{ file_name: `${n}.txt`, content: `paper ${n}` }] }
        const { status } = await server.call(token, 'POST', 'data5', { data: { type: 'data5', attributes } })
        assert.equal(status, 201)
        answered++
      }
    }
    let begun = 0
    const writing = Promise.all([write(), write(), write()])
    while (answered < 5) await Promise.race([writing, new Promise((next) => setImmediate(next))])
    const before = answered
    const said = await program.ok('backup', program.at('copy'))
    stop = true
    await writing
    assert.match(said, /^Backed up into \S+\/copy: the database and \d+ files, \d+ bytes in all\n$/)
    const restored = { env: { KARTOTEKA_DATA: program.at('restored') } }
    assert.equal((await program.start(['restore', program.at('copy')], restored).finished).code, 0)
    const checked = await program.start(['check'], restored).finished
    assert.deepEqual([checked.code, checked.out], [0, 'Everything is in order.\n'])
    const other = await program.serve(restored)
    const { body } = await other.call(token, 'GET', 'data5?page[limit]=50')
    assert.ok(body.meta.total >= before && body.meta.total <= answered, `${before} <= ${body.meta.total} <= ${answered}`)
    for (const { id, attributes } of body.data) {
      const n = attributes[number!]
      const bytes = await fetch(`${other.url}/api/dev/file/5/${paper!.slice(1)}/${id}/${n}.txt`, { headers: { 'X-Auth-Token': token } })
      assert.equal(await bytes.text(), `paper ${n}`)
    }
    for (const table of ['data1', 'data2', 'data3', 'data4']) {
      const [one, two] = [await other.call(token, 'GET', table), await server.call(token, 'GET', table)]
      assert.deepEqual(one.body.data, two.body.data)
    }
    await other.stop()
  })

  it('backup and restore write over nothing, and restore takes no directory that is in use', async () => {
    const again = await program.run('backup', program.at('copy'))
    assert.deepEqual([again.code, again.err], [1, `kartoteka: '${program.at('copy')}' exists already; nothing was changed.\n`])
    const over = await program.start(['restore', program.at('copy')], { env: { KARTOTEKA_DATA: program.at('restored') } }).finished
    assert.equal(over.code, 1)
    const used = await program.run('restore', program.at('copy'))
    assert.deepEqual([used.code, used.out], [1, ''])
    assert.match(used.err, /Another Kartoteka process is using the data directory/)
  })

  it('check is content, also while people write; and finds what is damaged, a sentence each, with 1', async () => {
    assert.equal(await program.ok('check'), 'Everything is in order.\n')
    await server.stop()
    const [, parent] = await fields('People')
    const database = new Database(join(program.data, 'kartoteka.sqlite'))
    database.exec('UPDATE tables SET record_count = record_count + 1 WHERE id = 1')
    database.exec('UPDATE block_counts SET n = n - 1 WHERE table_id = 4')
    database.exec(`UPDATE data2 SET ${parent} = 999999 WHERE id = 5`)
    database.exec("UPDATE data1 SET f1k = 'other' WHERE id = 3")
    const lost = database.prepare('SELECT id, name, hash FROM files ORDER BY id LIMIT 1').get() as Record<string, string>
    const changed = database.prepare('SELECT id, name, hash FROM files ORDER BY id DESC LIMIT 1').get() as Record<string, string>
    database.close()
    const pathOf = (hash: string) => join(program.data, 'files', hash.slice(0, 2), hash.slice(2))
    rmSync(pathOf(lost['hash']!))
    writeFileSync(pathOf(changed['hash']!), 'something else')
    const { code, out, err } = await program.run('check')
    assert.deepEqual([code, err], [1, ''])
    const findings = out.trimEnd().split('\n')
    for (const wanted of [
      'Table 1 (Companies): its total says 21, and there are 20 records.',
      'Table 4 (Tasks): its block counts add up to 39, and there are 40 records.',
      'Table 2 (People), record 5, Company: refers to 999999, which never existed.',
      'Table 1 (Companies), record 3, Name: the key by which it is compared does not fit its value.',
      `File ${lost['id']} (${lost['name']}): its bytes are gone.`,
      `File ${changed['id']} (${changed['name']}): its bytes are not those that were stored.`,
      'Table 2 (People), record 5: its values are not those that were written.',
      '8 findings',
    ])
      assert.ok(findings.includes(wanted), `${wanted}\nis not in\n${out}`)
    assert.match(out, /^Table 2 \(People\), record 5, Company: its value is not that of its newest change \(\d+\)\.$/m)
    assert.equal(findings.length, 9)
  })

  it('check finds a database file that is damaged itself', async () => {
    const copy = { env: { KARTOTEKA_DATA: program.at('restored') } }
    const database = new Database(program.at('restored/kartoteka.sqlite'))
    // The index no longer has what its table has.
    const [index] = database.prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'users'").all() as {
      rootpage: number
    }[]
    const page = Number(database.pragma('page_size', { simple: true }))
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    const file = openSync(program.at('restored/kartoteka.sqlite'), 'r+')
    writeSync(file, Buffer.alloc(64, 7), 0, 64, (index!.rootpage - 1) * page + page - 64)
    closeSync(file)
    const { code, out } = await program.start(['check'], copy).finished
    assert.equal(code, 1)
    assert.match(out, /^Database: /m)
  })
})
