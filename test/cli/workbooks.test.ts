import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { writeXlsx } from '../../src/transfer/write-xlsx.ts'
import { performOn } from '../../src/cli/perform.ts'
import { startService } from '../support/service.ts'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

describe('workbooks at the command line', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  async function workbook(name: string, header: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
    async function* all() {
      yield rows
    }
    const file = program.at(name)
    writeFileSync(
      file,
      await buffer(
        writeXlsx(
          header.map((one) => ({ header: one, holds: 'text' as const })),
          all(),
        ),
      ),
    )
    return file
  }
  const recordsOf = async (table: string) =>
    (await program.ok('export', table, '--format', 'jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)

  it('what was exported is the same when it is imported: numbers, days, yes and no, formulas, line ends', async () => {
    const rows = [
      'name,count,price,born,seen,open,note',
      `"=1+1",7,1.50,1990-01-02,2024-05-06 07:08:09,1,"two\nlines, and ""quotes"""`,
      `Ёлкина,-3,0.05,0001-01-01,1850-05-06 07:08:09,0,@SUM(A1)`,
      `_x0041_,0,123456789.12,2000-12-31,2024-05-06 00:00:00,1,'`,
    ]
    const types = ['count=integer', 'price=decimal', 'born=date', 'seen=datetime', 'open=boolean', 'name=text', 'note=longtext']
    const typed = types.flatMap((one) => ['--type', one])
    await program.ok('import', 'Goods', program.file('goods.csv', `${rows.join('\n')}\n`), '--create', ...typed)
    const file = program.at('goods.xlsx')
    assert.match((await program.run('export', 'Goods', '--format', 'xlsx', '--out', file)).err, /^3 records written/)
    assert.equal(readFileSync(file).subarray(0, 2).toString(), 'PK')
    const { code, err } = await program.run('import', 'Again', file, '--create', '--map', 'id=', ...typed)
    assert.equal(code, 0, err)
    const values = async (table: string) => (await recordsOf(table)).map(({ id: _, ...rest }) => Object.values(rest))
    assert.deepEqual(await values('Again'), await values('Goods'))
    // Without a word about types, yes and no are no numbers.
    assert.match((await program.run('import', 'Guessed', file, '--create', '--dry-run')).err, /open: new field open, boolean/)
    // A filter without records gives the header alone; a wrong one no file.
    const none = program.at('none.xlsx')
    await program.ok('export', 'Goods', '--format', 'xlsx', '--filter', "eq(id,'0')", '--out', none)
    assert.equal((await program.run('import', 'Empty', none, '--create')).code, 0)
    assert.equal((await program.run('export', 'Goods', '--format', 'xlsx', '--filter', 'eq(', '--out', program.at('no.xlsx'))).code, 2)
    assert.throws(() => readFileSync(program.at('no.xlsx')))
  })

  it('refused lines have the number of their row, also after cells of several lines and empty rows', async () => {
    const file = await workbook(
      'rows.xlsx',
      ['code', 'size'],
      [
        ['a\nb\nc', '1'],
        ['', ''],
        ['d', 'wide'],
        ['e', '2'],
      ],
    )
    const errors = program.at('bad.csv')
    const { code, out } = await program.run('import', 'Rows', file, '--create', '--type', 'size=integer', '--errors', errors)
    assert.deepEqual([code, out], [1, '3 lines read: 2 imported, 1 bad\n'])
    assert.match(readFileSync(errors, 'utf8'), /^line,column,reason\n4,size,/)
  })

  it('many rows are imported by the running server, in its thread', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => [`name ${i}`, String(i)])
    const { code, out } = await program.run('import', 'Many', await workbook('many.xlsx', ['name', 'n'], rows), '--create')
    assert.deepEqual([code, out], [0, '3000 lines read: 3000 imported, 0 bad\n'])
    const listed = JSON.parse(await program.ok('table', 'list', '--json')) as { id: number; name: string }[]
    const table = listed.find(({ name }) => name === 'Many')!.id
    const { body } = await server.call(token, 'GET', `data${table}?filter=${encodeURIComponent("eq(id,'2999')")}`)
    assert.ok(Object.values(body.data[0].attributes).includes('name 2998'))
  })

  it('a value that no cell holds ends an export with 1 and a sentence', async () => {
    await program.ok('import', 'Long', program.file('long.csv', `text\n${'x'.repeat(32_768)}\n`), '--create', '--type', 'text=longtext')
    const { code, err } = await program.run('export', 'Long', '--format', 'xlsx', '--out', program.at('long.xlsx'))
    assert.equal(code, 1, err)
    assert.match(err, /A value has 32768 characters; .*Export as CSV instead/)
  })

  it('a damaged one and a sheet that is not there are refused, and nothing is made', async () => {
    const good = readFileSync(await workbook('good.xlsx', ['a'], [['1']]))
    const damaged = program.at('damaged.xlsx')
    writeFileSync(damaged, good.subarray(0, good.length - 40))
    const before = await program.ok('table', 'list', '--json')
    const runs: [string[], RegExp][] = [
      [[damaged], /not a workbook/],
      [[program.at('good.xlsx'), '--sheet', 'Second'], /no sheet 'Second'. Its sheets: '1'/],
      [[program.file('plain.csv', 'a\n1\n'), '--sheet', '1'], /Sheets are in workbooks/],
    ]
    for (const [args, says] of runs) {
      const { code, err } = await program.run('import', 'None', ...args, '--create')
      assert.match(err, says)
      assert.equal(code, 2)
    }
    assert.equal(await program.ok('table', 'list', '--json'), before)
  })

  it('a refusal is told by the running server, however much of the file it has read', async () => {
    const plain = program.file('plain.csv', 'a\n1\n')
    for (const told of await Promise.all(
      Array.from({ length: 12 }, () => program.run('import', 'None', plain, '--create', '--sheet', '1')),
    )) {
      assert.match(told.err, /Sheets are in workbooks/)
      assert.equal(told.code, 2)
    }
  })

  it('are read no further when the server stops, whether the import has begun or not', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => [`name ${i}`])
    const file = await workbook('ended.xlsx', ['name'], rows)
    const service = await startService()
    try {
      const options = { create: true, null: 'NULL', type: [], map: [], unique: [], reference: [] }
      const importing = (ended: AbortSignal, note: () => void) => {
        const silent = async () => {}
        const output = { line: silent, note: async () => note(), progress: silent, append: silent, appendBytes: silent }
        const call = { name: 'import', args: { table: 'Ended', file }, options, inputSize: 0 }
        return performOn(service.store, '')(call, Readable.from([readFileSync(file)]), output, ended)
      }
      const tables = () => [...service.store.catalogue().tables.values()].map(({ title }) => title)
      await assert.rejects(
        importing(AbortSignal.abort(), () => {}),
        /The server stops/,
      )
      assert.deepEqual(tables(), [])
      const stop = new AbortController()
      await assert.rejects(
        importing(stop.signal, () => stop.abort()),
        /The server stops/,
      )
      assert.deepEqual(tables(), ['Ended'])
    } finally {
      await service.close()
    }
  })
})
