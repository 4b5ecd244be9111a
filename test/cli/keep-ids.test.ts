import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../src/limits.ts'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

describe('import --keep-ids', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  const exported = (table: string) => program.ok('export', table, '--format', 'jsonl')
  const idsOf = async (table: string) =>
    (await exported(table))
      .trimEnd()
      .split('\n')
      .map((line) => Number((JSON.parse(line) as { id: string }).id))
  const tableId = async (table: string) =>
    (JSON.parse(await program.ok('table', 'list', '--json')) as { id: number; name: string }[]).find(({ name }) => name === table)!.id

  it('gives the records the ids of the file; an id in use or none is a refused line; later records have larger ids', async () => {
    const lines = ['name,id', 'seven,7', 'three,3', 'again,3', 'zero,0', 'none,', 'word,x', `large,${limits.keptId.most + 1}`]
    const file = program.file('kept.csv', `${lines.join('\n')}\n`)
    const { code, out, err } = await program.run('import', 'Kept', file, '--create', '--keep-ids')
    assert.deepEqual([code, out], [1, '7 lines read: 2 imported, 5 bad\n'], err)
    assert.match(err, /id: ids of the records/)
    const faults = readFileSync(`${file}.errors.csv`, 'utf8').trimEnd().split('\n').slice(1)
    assert.deepEqual(
      faults.map((line) => line.split(',').slice(0, 2).join()),
      ['4,id', '5,id', '6,id', '7,id', '8,id'],
    )
    assert.match(faults[0]!, /A record has this id already/)
    assert.match(faults[4]!, new RegExp(`'${limits.keptId.most + 1}' is no id`))
    assert.deepEqual(await idsOf('Kept'), [3, 7])
    const id = await tableId('Kept')
    const made = await server.call(token, 'POST', `data${id}`, { data: { type: `data${id}`, attributes: {} } })
    assert.equal(made.body.data.id, '8')
  })

  it('is refused, and changes nothing, for a table that has had a record and for a file without ids', async () => {
    const before = await exported('Kept')
    const file = program.file('more.csv', 'name,id\nnine,90\n')
    for (const args of [
      ['Kept', file, '--keep-ids'],
      ['New', program.file('without.csv', 'name\nnine\n'), '--create', '--keep-ids'],
    ]) {
      const { code, err } = await program.run('import', ...args)
      assert.equal(code, 2, err)
      assert.match(err, /never had a record|no column 'id'/)
    }
    assert.equal(await exported('Kept'), before)
    assert.doesNotMatch(await program.ok('table', 'list', '--json'), /"New"/)
  })

  it('brings an export back as it was, through the thread of long imports and with references', async () => {
    await program.ok('demo', '--records', '700')
    await program.ok('table', 'copy', 'People', 'Others')
    const all = await idsOf('People')
    const gone = all[1]!
    assert.equal((await server.call(token, 'DELETE', `data${await tableId('People')}/${gone}`)).status, 200)
    const file = program.at('people.csv')
    await program.ok('export', 'People', '--out', file)
    await program.ok('import', 'Others', file, '--keep-ids')
    const [before, after] = [await exported('People'), await exported('Others')].map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => Object.values(JSON.parse(line) as Record<string, string>)),
    )
    assert.deepEqual(after, before)
    assert.equal(after!.length, all.length - 1)
    await program.ok('check')
  })
})
