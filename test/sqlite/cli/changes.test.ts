import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { scratchProgram, type ScratchProgram, type Server } from '../../support/scratch-program.ts'

describe('changes', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    program = scratchProgram()
    token = await program.token()
    await program.ok('table', 'create', 'Deals')
    await program.ok('field', 'create', 'Deals', 'Title', 'text')
    await program.ok('table', 'create', 'Others')
    await program.ok('field', 'create', 'Others', 'Name', 'text')
    server = await program.serve()
  })
  after(() => program.remove())

  const create = async (table: number, field: string, value: string) =>
    server.call(token, 'POST', `data${table}`, { data: { type: `data${table}`, attributes: { [field]: value } } })

  it('prints those of structure, rights and users, whose values are no texts', async () => {
    const lines = (await program.ok('changes')).trimEnd().split('\n')
    const made = lines.find((line) => line.includes('  create  field 1  '))
    assert.match(made ?? '', /^\d+ {2}\S+ \S+ {2}create {2}field 1 {2}user 0 {2}cli .*table_id: nothing → 1 .*title: nothing → 'Title'/)
  })

  it('prints those of a table, after a cursor, as lines or as JSON', async () => {
    await create(1, 'f1', 'Roof')
    await create(2, 'f2', 'Elsewhere')
    await create(1, 'f1', 'Door')
    const lines = (await program.ok('changes', '--table', 'Deals')).trimEnd().split('\n')
    assert.equal(lines.length, 2)
    assert.match(lines[0]!, /^\d+ {2}\S+ \S+ {2}create {2}data1\/1 {2}user 1 {2}api .*f1: nothing → 'Roof'/)
    const all = (await program.ok('changes', '--json'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const records = all.filter(({ tableId }) => tableId > 0)
    assert.deepEqual(
      records.map(({ tableId, recordId }) => [tableId, recordId]),
      [
        [1, 1],
        [2, 1],
        [1, 2],
      ],
    )
    const later = await program.ok('changes', '--after', String(records[1].id))
    assert.match(later, /^\d+ [^\n]*'Door'[^\n]*\n$/)
    const { code, err } = await program.run('changes', '--after', 'x')
    assert.deepEqual([code, err.includes("'x' is not the id of a change.")], [2, true])
  })

  it('prints new ones until it is stopped, and ends when the server does', { timeout: 60_000 }, async () => {
    const saw = async (said: { readonly out: string }, text: string) => {
      while (!said.out.includes(text)) await setTimeout(20)
    }
    const first = program.start(['changes', '--follow', '--table', '1'])
    const second = program.start(['changes', '--follow', '--after', '0', '--json'])
    await saw(second.said, '"Roof"')
    // Until the first has begun, nothing is printed of it.
    for (let i = 0; !first.said.out.includes('New 2'); i++) {
      await create(1, 'f1', `New ${Math.min(i, 2)}`)
      await setTimeout(100)
    }
    assert.doesNotMatch(first.said.out, /Roof|Elsewhere/)
    first.child.kill('SIGINT')
    await once(first.child, 'close')
    await create(1, 'f1', 'After one has gone')
    await saw(second.said, 'After one has gone')
    const began = performance.now()
    const [ended, stopped] = await Promise.all([second.finished, server.stop('SIGTERM')])
    assert.deepEqual([ended.code, stopped.code], [0, 0])
    assert.ok(performance.now() - began < 9_000, 'the server waited for a command without an end')
    const { code, err } = await program.run('changes', '--follow')
    assert.deepEqual([code, err], [0, 'No server runs on this data directory, so there is nothing to wait for.\n'])
  })
})
