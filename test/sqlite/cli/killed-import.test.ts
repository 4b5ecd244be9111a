import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { scratchProgram, type Running, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

/** Every line says the same thing in each of its columns, so that half a record shows. */
const line = (n: number) => `${n},name ${n},${n}.50,note ${n}\n`
const HEADER = 'number,name,price,note\n'
const WISHES = ['--create', '--unique', 'number', '--type', 'note=longtext']

describe('an import that is killed', () => {
  let program: ScratchProgram
  let token: string
  before(async () => {
    program = scratchProgram()
    token = await program.token()
  })
  after(() => program.remove())

  /** An import that has got some of its lines and waits for more. */
  async function begin(table: string): Promise<Running> {
    const running = program.start(['import', table, '-', ...WISHES], { input: 'open' })
    running.child.stdin!.write(HEADER)
    let sent = 0
    while (sent < 6000) running.child.stdin!.write(line(++sent))
    return running
  }

  /** The first so many lines, whole. */
  async function mustBeWhole(table: string): Promise<number> {
    const exported = (await program.ok('export', table, '--format', 'jsonl')).trimEnd()
    const records = exported === '' ? [] : exported.split('\n').map((text) => Object.values(JSON.parse(text) as Record<string, string>))
    for (const [i, [id, , , , ...values]] of records.entries())
      assert.deepEqual(
        [id, ...values],
        [
          String(i + 1),
          ...line(i + 1)
            .trimEnd()
            .split(','),
        ],
      )
    assert.equal(await program.ok('check'), 'Everything is in order.\n')
    return records.length
  }

  /** Waits until some of the lines are there. */
  async function someAre(server: Server, table: number): Promise<void> {
    for (;;) {
      const { status, body } = await server.call(token, 'GET', `data${table}?page[limit]=1`)
      if (status === 200 && body.meta.total > 0) return
    }
  }

  it('at the command line, leaves whole records, in the order of the file, and a server that works on', async () => {
    const server = await program.serve()
    const running = await begin('First')
    await someAre(server, 1)
    running.child.kill('SIGKILL')
    assert.equal((await running.finished).signal, 'SIGKILL')
    const left = await mustBeWhole('First')
    assert.ok(left > 0 && left <= 6000)
    assert.equal((await server.call(token, 'DELETE', 'data1/1')).status, 200)
    const { code } = await server.stop()
    assert.equal(code, 0)
  })

  it('with its server, says so, leaves whole records, and can be run again where a field is unique', async () => {
    const server = await program.serve()
    const running = await begin('Second')
    await someAre(server, 2)
    await server.stop('SIGKILL')
    const { code, err } = await running.finished
    assert.equal(code, 1)
    assert.match(err, /^kartoteka: The server stopped before the command was done\.$/m)
    const left = await mustBeWhole('Second')
    assert.ok(left > 0 && left <= 6000)
    const all = Array.from({ length: 6500 }, (_, i) => line(i + 1)).join('')
    const again = await program.start(['import', 'Second', '-'], { input: HEADER + all }).finished
    assert.equal(again.out, `6500 lines read: ${6500 - left} imported, ${left} bad\n`)
    assert.equal(again.code, 1)
    assert.equal(await mustBeWhole('Second'), 6500)
  })

  it('without a server, leaves whole records, and the directory is free at once', async () => {
    const running = await begin('Third')
    // What it will do is told when the first lines are read; then it works.
    while (!running.said.err.includes('note: new field')) await once(running.child.stderr!, 'data')
    running.child.kill('SIGKILL')
    assert.equal((await running.finished).signal, 'SIGKILL')
    assert.equal(await program.ok('check'), 'Everything is in order.\n')
    // Wherever it was: the table may not have all of its fields, and then it has no records.
    const fields = JSON.parse((await program.run('table', 'show', 'Third', '--json')).out || '[]') as object[]
    if (fields.length === HEADER.split(',').length) assert.ok((await mustBeWhole('Third')) <= 6000)
    else assert.doesNotMatch(await program.ok('table', 'list'), /Third +\d+ +[1-9]/)
  })
})
