import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

/* Columns that become lists: their options come with the lines. */

const LINES = 4_000

describe('import of columns that become lists', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  /** A field of a table: its attribute name, its type and its options in their order. */
  async function field(table: number, title: string): Promise<{ name: string; type: string; options: string[] }> {
    const { body } = await server.call(token, 'GET', `field?page[limit]=50&filter=eq(table_id,${table})`)
    const found = body.data.find(({ attributes }: { attributes: Record<string, string> }) => attributes.field_name === title)
    const { int_name: name, field_type: type, options } = found.attributes
    return { name, type, options: options.map(({ label }: { label: string }) => label) }
  }
  const values = async (table: number, filter: string, attribute: string): Promise<string[]> => {
    const { status, body } = await server.call(token, 'GET', `data${table}?page[limit]=50&filter=${encodeURIComponent(filter)}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes[attribute])
  }

  it('takes the values of the first lines as options, and those of later lines as they come', async () => {
    const later: Record<number, string> = { 2_500: 'Late', 2_501: 'LATE', 3_000: 'Ёлка', 3_001: 'елка', 3_900: 'a' }
    const lines = Array.from({ length: LINES }, (_, i) => {
      if (i === 500 || i === 2_600) return `${i},shifted ${i},x,y`
      const state = later[i] ?? (i % 3 === 0 ? 'new' : i % 3 === 1 ? 'New' : 'done')
      return `${i},${state},"red\n${i > 3_500 ? `green` : 'Red'}"`
    })
    const file = program.file('states.csv', `number,state,tags\n${lines.join('\n')}\n`)
    const { code, out, err } = await program.run('import', 'States', file, '--create', '--type', 'state=list', '--type', 'tags=multilist')
    assert.equal(out, `${LINES} lines read: ${LINES - 2} imported, 2 bad\n`)
    assert.equal(code, 1)
    assert.match(err, / {2}state: new field state, list\n {2}tags: new field tags, multilist\n/)
    assert.deepEqual(await field(1, 'state'), { name: 'f2', type: 'list', options: ['Late', 'a', 'done', 'new', 'Ёлка'] })
    assert.deepEqual(await field(1, 'tags'), { name: 'f3', type: 'multilist', options: ['green', 'red'] })
    assert.deepEqual(await values(1, 'in(f1,2500,2501,3000,3001,3900)', 'f2'), ['Late', 'Late', 'Ёлка', 'Ёлка', 'a'])
    assert.deepEqual(await values(1, 'in(f1,3500,3501)', 'f3'), ['red', 'red\r\ngreen'])
    assert.equal(await program.ok('check'), 'Everything is in order.\n')
  })

  for (const [title, first] of [
    ['Many', 10],
    ['Late', 1_500],
  ] as const) {
    it(`makes text of a list with too many options, known ${first > 1_000 ? 'late' : 'soon'}`, async () => {
      const table = first > 1_000 ? 3 : 2
      const lines = Array.from({ length: LINES }, (_, i) => `${i},${i < first || i % 2 === 0 ? 'same' : `other${i}`}`)
      const file = program.file('many.csv', `number,state\n${lines.join('\n')}\n`)
      const { code, out, err } = await program.run('import', title, file, '--create', '--type', 'state=list')
      assert.equal(out, `${LINES} lines read: ${LINES} imported, 0 bad\n`)
      assert.match(err, /state stays text: .*1000 options/)
      assert.equal(code, 1)
      const { name, type } = await field(table, 'state')
      assert.equal(type, 'text')
      assert.deepEqual(await values(table, `in(${name},'other1501','other3999')`, name), ['other1501', 'other3999'])
      assert.equal(await program.ok('check'), 'Everything is in order.\n')
    })
  }
})
