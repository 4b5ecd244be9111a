import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { performOn } from '../../src/cli/perform.ts'
import { fail } from '../../src/errors.ts'
import { makeTable } from '../support/scene.ts'
import { servedProgram, type ScratchProgram } from '../support/scratch-program.ts'
import { startService } from '../support/service.ts'

describe('import --update-by', () => {
  let program: ScratchProgram
  before(async () => {
    ;({ program } = await servedProgram())
    const file = program.file('first.csv', 'Code,Name,Since\nA,one,2020-01-01\nB,two,2020-01-02\n')
    await program.ok('import', 'Goods', file, '--create', '--unique', 'Code', '--type', 'Code=text')
  })
  after(() => program.remove())

  const records = async () =>
    (await program.ok('export', 'Goods', '--format', 'jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
  const shown = async () => (await records()).map(({ id, f1, f2, f3 }) => [id, f1, f2, f3])

  it('changes the records that the lines name, creates the others, and undo takes both back', async () => {
    const before = await records()
    const text = 'Name,Code\none again,a\nthree,C\nthree again,C\nnone,\ntwo,B\n'
    const file = program.file('second.csv', text)
    const { code, out, err } = await program.run('import', 'Goods', file, '--update-by', 'code')
    assert.deepEqual([code, out], [1, '5 lines read: 1 created, 3 updated, 1 bad\n'], err)
    assert.match(readFileSync(`${file}.errors.csv`, 'utf8'), /\n5,Code,/)
    assert.deepEqual(await shown(), [
      ['1', 'a', 'one again', '2020-01-01'],
      ['2', 'B', 'two', '2020-01-02'],
      ['3', 'C', 'three again', '0000-00-00'],
    ])
    await program.ok('undo', /undo (\d+)/.exec(err)![1]!)
    assert.deepEqual(await records(), before)
  })

  it('takes an export, and many lines in a thread of their own', async () => {
    const out = program.at('goods.csv')
    await program.ok('export', 'Goods', '--out', out)
    const before = await records()
    assert.match(await program.ok('import', 'Goods', out, '--update-by', 'Code'), /0 created, 2 updated, 0 bad/)
    assert.deepEqual(await records(), before)
    const many = Array.from({ length: 1_500 }, (_, i) => `code ${i % 1_000},name ${i} ${'x'.repeat(60)}`)
    const file = program.file('many.csv', `Code,Name\n${many.join('\n')}\n`)
    assert.match(await program.ok('import', 'Goods', file, '--update-by', 'Code'), /1500 lines read: 1000 created, 500 updated, 0 bad/)
    const names = new Map((await shown()).map(([, key, name]) => [key, name!.split(' ')[1]]))
    assert.deepEqual([names.get('code 3'), names.get('code 999')], ['1003', '999'])
  })

  it('is refused for a field that is not unique, is not in the file or does not exist, and for a new table', async () => {
    const before = await records()
    const file = program.file('third.csv', 'Name,Since\nx,2020-01-01\n')
    for (const [table, ...more] of [
      ['Goods', '--update-by', 'Name'],
      ['Goods', '--update-by', 'Code'],
      ['Goods', '--update-by', 'Nothing'],
      ['New', '--create', '--update-by', 'Name'],
    ])
      assert.equal((await program.run('import', table!, file, ...more)).code, 2, more.join(' '))
    assert.deepEqual(await records(), before)
  })

  it('stops where the database is away: that is no fault of a line', async () => {
    const service = await startService()
    try {
      const { id, f } = await makeTable(service, 'Goods', { code: { field_type: 'text', unique: true }, name: 'text' })
      await service.make(`data${id}`, { [f.code!]: 'A', [f.name!]: 'one' })
      const write: typeof service.store.db.write = async () => {
        throw fail('server.unavailable', { why: 'The database is away.' })
      }
      const store = { ...service.store, db: { ...service.store.db, write } }
      const told: string[] = []
      const output = {
        line: async (line: string) => void told.push(line),
        note: async () => {},
        progress: async () => {},
        append: async (_: string, line: string) => void told.push(line),
        appendBytes: async () => {},
      }
      const call = {
        name: 'import',
        args: { table: 'Goods', file: '-' },
        options: { updateBy: 'code', null: 'NULL', type: [], map: [], unique: [], reference: [] },
        inputSize: 0,
      }
      await assert.rejects(performOn(store, '')(call, Readable.from([Buffer.from('code,name\nA,two\nB,three\n')]), output), {
        code: 'server.unavailable',
      })
      assert.ok(!told.join('').includes('away'), told.join(''))
      assert.equal((await service.get(`data${id}`)).json.data[0].attributes[f.name!], 'one')
    } finally {
      await service.close()
    }
  })
})
