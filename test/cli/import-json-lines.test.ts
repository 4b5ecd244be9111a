import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { httpImports } from '../support/http-imports.ts'
import { runJobs } from '../../src/jobs/run-jobs.ts'
import { makeTable } from '../support/scene.ts'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { startService } from '../support/service.ts'

const lines = (...objects: readonly unknown[]) =>
  `${objects.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')}\n`

describe('import of JSON lines', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  const records = async (table: string) =>
    (await program.ok('export', table, '--format', 'jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)

  it('makes a table of them: numbers as they are written, null and missing keys as no value, arrays as sets', async () => {
    const file = program.file(
      'first.jsonl',
      `\ufeff${lines(
        { Name: 'NULL', Price: 1, Sold: true, Kinds: ['a', 'b'] },
        '',
        '{"Name":"two\\nlines","Price":9007199254740993.5, "Since":"2024-05-01", "Sold":false}',
        { Name: null, Price: null, Kinds: ['b'] },
      )}`,
    )
    const { code, out, err } = await program.run('import', 'Goods', file, '--create', '--type', 'Kinds=multilist')
    assert.deepEqual([code, out], [0, '3 lines read: 3 imported, 0 bad\n'], err)
    assert.deepEqual(
      (await records('Goods')).map(({ f1, f2, f3, f4, f5 }) => [f1, f2, f3, f4, f5]),
      [
        ['NULL', '1.00', '1', 'a\r\nb', '0000-00-00'],
        ['two\nlines', '9007199254740993.50', '0', '', '2024-05-01'],
        ['', '0.00', '0', 'b', '0000-00-00'],
      ],
    )
  })

  it('brings an export back as it was, by the thread of long imports too', async () => {
    const texts = ['NULL', '  blanks  ', '=1+1', '"quoted", with\r\nlines', '{"a":[1]}', 'true', '1e5', 'Привет 🙂']
    const many = Array.from({ length: 1_500 }, (_, i) => ({
      Key: `k${i}`,
      Text: texts[i % texts.length],
      Kinds: i % 3 === 0 ? ['x', 'y'] : [],
      Since: '2024-02-29',
    }))
    await program.ok(
      'import',
      'Many',
      program.file('many.jsonl', lines(...many)),
      '--create',
      '--type',
      'Kinds=multilist',
      '--type',
      'Text=longtext',
      '--unique',
      'Key',
    )
    const without = (all: readonly Record<string, string>[]) => all.map(({ id: _, ...values }) => values)
    const before = without(await records('Many'))
    assert.deepEqual(
      before.map(({ f6, f7 }) => [f6, f7]).slice(0, 20),
      many.map(({ Key, Text }) => [Key, Text]).slice(0, 20),
      JSON.stringify(before[0]),
    )
    const table = (JSON.parse(await program.ok('table', 'list', '--json')) as { id: number; name: string }[]).find(
      ({ name }) => name === 'Many',
    )!.id
    const file = program.file('back.jsonl', await program.ok('export', 'Many', '--format', 'jsonl'))
    const gone = await server.call(token, 'DELETE', `data${table}?filter=${encodeURIComponent('gt(id,0)')}`)
    assert.equal(gone.status, 200, JSON.stringify(gone.body))
    assert.equal(await program.ok('import', 'Many', file), '1500 lines read: 1500 imported, 0 bad\n')
    assert.deepEqual(without(await records('Many')), before)
    await program.ok('check')
  })

  it('refuses lines that are no objects of texts, and lists them; a key that is missing leaves a field as it is', async () => {
    const head = { Code: 'a', Name: 'one', Note: 'kept' }
    await program.ok('import', 'Kept', program.file('kept.jsonl', lines(head)), '--create', '--unique', 'Code', '--type', 'Code=text')
    const deep = `{"Code":"deep","Name":${'['.repeat(40_000)}${']'.repeat(40_000)}}`
    const bad = [
      'nothing',
      '[1]',
      '"text"',
      { Code: { of: 1 } },
      { Code: [{ of: 1 }] },
      '{"Code":"cut',
      `{"Code":${'['.repeat(20_000)}1${']'.repeat(20_000)}}`,
      deep,
    ]
    const file = program.file('changes.jsonl', lines({ Code: 'a', Name: 'two' }, { Code: 'b' }, ...bad))
    const { code, out, err } = await program.run('import', 'Kept', file, '--update-by', 'Code')
    assert.deepEqual([code, out], [1, `${2 + bad.length} lines read: 1 created, 1 updated, ${bad.length} bad\n`], err)
    const faults = readFileSync(`${file}.errors.csv`, 'utf8').trimEnd().split('\n').slice(1)
    assert.deepEqual(
      faults.map((line) => line.slice(0, line.indexOf(' '))),
      ['3,,The', '4,,The', '5,,The', '6,,The', '7,,The', '8,,The', '9,,The', '10,,The'],
    )
    assert.match(faults.at(-1)!, /objects or arrays within others/)
    const shown = (await records('Kept')).map((record) => Object.values(record).slice(-3))
    assert.deepEqual(shown, [
      ['a', 'two', 'kept'],
      ['b', '', ''],
    ])
    const later = Array.from({ length: 1_200 }, (_, i) => (i === 1_100 ? { Code: 'late', Other: 'x' } : { Code: `later ${i}` }))
    const more = await program.run('import', 'Kept', program.file('more.jsonl', lines(...later)))
    assert.deepEqual([more.code, more.out], [1, '1200 lines read: 1199 imported, 1 bad\n'], more.err)
    assert.match(
      readFileSync(program.at('more.jsonl.errors.csv'), 'utf8'),
      /\n1101,,The key 'Other' is in none of the first 1000 lines\.\n/,
    )
  })

  it('is CSV where a delimiter is said; a line without an end is refused', async () => {
    const file = program.file('odd.csv', '{"a";b}\n1;2\n')
    assert.match((await program.run('import', 'Odd', file, '--create', '--delimiter', ';', '--dry-run')).err, /b\}: new field/)
    const endless = program.file('endless.jsonl', `{"a":"${'x'.repeat(9_000_000)}`)
    const { code, err } = await program.run('import', 'Odd', endless, '--create')
    assert.equal(code, 2)
    assert.match(err, /Line 1 is longer/)
  })

  it('goes over HTTP: preview, dry run, run', async () => {
    const service = await startService()
    const runner = runJobs(service.store)
    try {
      const { id: tableId, type, f } = await makeTable(service, 'Things', { Name: 'text', Price: 'decimal' })
      const imports = httpImports(service)
      const id = await imports.made(lines({ [f['Name']!]: 'NULL', [f['Price']!]: 1.5 }, { [f['Name']!]: 'two' }, 'no'), {
        table_id: tableId,
      })
      const { format, header, rows, delimiter, columns } = (await imports.preview(id)).json.meta
      assert.deepEqual([format, header, delimiter, rows[0]], ['jsonl', [f['Name'], f['Price']], '', { line: 1, values: ['NULL', '1.5'] }])
      assert.deepEqual(
        columns.map(({ field }: { readonly field: string }) => field),
        [f['Name'], f['Price']],
      )
      for (const query of ['?dryRun=true', '']) {
        const { state, result } = await imports.ended(await imports.run(id, query))
        assert.deepEqual([state, result.imported, result.bad], ['done', 2, 1])
      }
      assert.deepEqual(
        (await service.get(type)).json.data.map(({ attributes }: { readonly attributes: Record<string, string> }) => [
          attributes[f['Name']!],
          attributes[f['Price']!],
        ]),
        [
          ['NULL', '1.50'],
          ['two', '0.00'],
        ],
      )
    } finally {
      await runner.close()
      await service.close()
    }
  })
})
