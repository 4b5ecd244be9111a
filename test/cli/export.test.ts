import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

describe('export', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
    await program.ok('demo', '--records', '30')
  })
  after(() => program.remove())

  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)

  it('demo fills four tables in the size one chooses, and only where there are none of these', async () => {
    const listed = JSON.parse(await program.ok('table', 'list', '--json')) as { name: string; records: number }[]
    assert.deepEqual(
      listed.map(({ name, records }) => [name, records]),
      [
        ['Companies', 30],
        ['People', 60],
        ['Deals', 45],
        ['Tasks', 60],
      ],
    )
    const { body } = await server.call(token, 'GET', 'filter')
    assert.equal(body.data.length, 4)
    for (const { attributes } of body.data) {
      const filtered = await server.call(token, 'GET', `data${attributes.table_id}?filter=${encodeURIComponent(attributes.expression)}`)
      assert.ok(filtered.body.meta.total > 0, attributes.filter_name)
    }
    const { code, err } = await program.run('demo')
    assert.equal(code, 2)
    assert.match(err, /There is a table 'Companies' already/)
    for (const size of ['0', 'many', '-3']) assert.equal((await program.run('demo', '--records', size)).code, 2, size)
  })

  it('an import of an export gives the same records', async () => {
    for (const table of ['Companies', 'Tasks']) {
      const file = program.at(`${table}.csv`)
      assert.deepEqual(await program.run('export', table, '--out', file), {
        code: 0,
        signal: null,
        out: '',
        err: `${table === 'Companies' ? 30 : 60} records written to ${file}\n`,
      })
      const before = lines(await program.ok('export', table, '--format', 'jsonl'))
      const types = JSON.parse(await program.ok('table', 'show', table, '--json')) as Record<string, string>[]
      const like = types.filter(({ type }) => type !== 'reference').flatMap(({ name, type }) => ['--type', `${name}=${type}`])
      const references = types.filter(({ type }) => type === 'reference').flatMap(({ name }) => ['--reference', `${name}=Deals.id`])
      await program.ok('import', `${table} again`, file, '--create', '--map', 'id=', ...like, ...references)
      const again = lines(await program.ok('export', `${table} again`, '--format', 'jsonl'))
      assert.deepEqual(
        again.map((record) => Object.values(record)),
        before.map((record) => Object.values(record)),
      )
    }
  })

  it('the records come in the order that is asked for', async () => {
    const ids = lines(await program.ok('export', 'Companies', '--format', 'jsonl', '--sort', '-id')).map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      Array.from({ length: 30 }, (_, i) => 30 - i),
    )
    const { code, err } = await program.run('export', 'Companies', '--sort', 'f999')
    assert.notEqual(code, 0)
    assert.match(err, /no attribute 'f999' to sort by/)
  })

  it('values with quotes, commas, line ends, other scripts and empty ones come back as they were', async () => {
    const values = ['"', 'a,b', 'a;b', 'NULL?', ' blanks ', 'Ёж, №7', "'", '=1+1', '\\n', '🚲', '007', 'null']
    await program.ok('table', 'create', 'Odd')
    for (const [name, type] of [
      ['Short', 'text'],
      ['Long', 'longtext'],
    ])
      await program.ok('field', 'create', 'Odd', name!, type!)
    const [short, long] = (JSON.parse(await program.ok('table', 'show', 'Odd', '--json')) as { attribute: string }[]).map(
      (one) => one.attribute,
    )
    const id = (JSON.parse(await program.ok('table', 'list', '--json')) as { id: number; name: string }[]).find(
      ({ name }) => name === 'Odd',
    )!.id
    for (const value of values) {
      const attributes = { [short!]: value, [long!]: `${value}\r\n\n${value}\n"` }
      assert.equal((await server.call(token, 'POST', `data${id}`, { data: { type: `data${id}`, attributes } })).status, 201)
    }
    await program.ok('export', 'Odd', '--out', program.at('odd.csv'))
    await program.ok('import', 'Odd', program.at('odd.csv'), '--null', 'no value here')
    const all = lines(await program.ok('export', 'Odd', '--format', 'jsonl')).map((record) => [record[short!], record[long!]])
    assert.equal(all.length, values.length * 2)
    assert.deepEqual(all.slice(values.length), all.slice(0, values.length))
  })

  it('prints only what a filter selects, and refuses one that is wrong with 2', async () => {
    const { attribute } = (JSON.parse(await program.ok('table', 'show', 'Tasks', '--json')) as { attribute: string; name: string }[]).find(
      ({ name }) => name === 'Done',
    )!
    const done = lines(await program.ok('export', 'Tasks', '--format', 'jsonl', '--filter', `eq(${attribute},1)`))
    assert.ok(done.length > 0 && done.length < 60)
    assert.ok(done.every((record) => record[attribute] === '1'))
    const { code, out, err } = await program.run('export', 'Tasks', '--filter', 'eq(f999999,1)')
    assert.deepEqual([code, err], [2, "kartoteka: There is no attribute 'f999999' to filter by.\n"])
    assert.equal(out, '')
    assert.match((await program.run('export', 'Tasks', '--filter', 'eq(f1')).err, /^kartoteka: Character 6 of the filter: Expected /)
    // People count a picture as one character.
    for (const [filter, at] of [
      ["eq(f1,'\u{1f600}')x", 11],
      ["and(eq(f1,'\u{1f600}\u{1f600}'),eq(f1", 22],
    ] as const)
      assert.match(
        (await program.run('export', 'Tasks', '--filter', filter)).err,
        new RegExp(`^kartoteka: Character ${at} of the filter: Expected `),
      )
  })

  it('ends with 1 and a sentence where the disk is full', async () => {
    // Linux has a file that is always full.
    for (const args of [
      ['csv', '/dev/full'],
      ['xlsx', '/dev/full'],
    ].filter(([, path]) => existsSync(path!))) {
      const { code, err } = await program.run('export', 'People', '--format', args[0]!, '--out', args[1]!)
      assert.equal(code, 1, err)
      assert.match(err, /^kartoteka: .*(full|ENOSPC)/m)
    }
  })

  it('an unknown table or format is refused with 2 before any file is begun', async () => {
    const out = program.at('never.csv')
    assert.equal((await program.run('export', 'Nothing', '--out', out)).code, 2)
    assert.equal((await program.run('export', 'Tasks', '--format', 'xml', '--out', out)).code, 2)
    assert.throws(() => readFileSync(out))
  })
})
