import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import * as fc from '../support/fast-check.ts'
import { startService, type Service } from '../support/service.ts'

describe('export by key', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const clients = await service.table('Clients', { Code: { typeName: 'text', unique: true }, Name: 'text' })
    for (const code of ['=1+1', "o'x", 'a,b', '']) await service.make('data1', { [clients.fields['Code']!]: code })
  })
  after(() => service.close())

  async function run(name: string, args: Record<string, string>, options: Record<string, string | readonly string[]>, file?: Uint8Array) {
    const parts: Uint8Array[] = []
    const notes: string[] = []
    const output = {
      line: async (text: string) => void notes.push(text),
      note: async (text: string) => void notes.push(text),
      progress: async () => {},
      append: async (_: string, text: string) => void parts.push(Buffer.from(text)),
      appendBytes: async (_: string, bytes: Uint8Array) => void parts.push(bytes),
    }
    const input = file && Readable.from([file])
    const context = { store: service.store, by: { ...operator }, directory: service.directory, args, options, input, inputSize: 0, output }
    const code = await commands.find((one) => one.name === name)!.run(context)
    return { code, notes, bytes: Buffer.concat(parts) }
  }

  it('what is exported is imported into an empty copy as it was, from CSV and from a workbook', async () => {
    const value = fc.record({ title: fc.string({ maxLength: 8 }), sum: fc.integer(), client: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), fc.constantFrom('csv', 'xlsx'), async (values, format) => {
        const { id, fields } = await service.table('Deals', {
          Title: 'longtext',
          Sum: 'integer',
          Client: { typeName: 'reference', referenceTableId: 1 },
        })
        const { Title: title, Sum: sum, Client: client } = fields
        for (const one of values) {
          const attributes = { [title!]: one.title, [sum!]: String(one.sum), [client!]: String(one.client) }
          const { status } = await service.add(`data${id}`, attributes)
          if (status !== 201) await service.make(`data${id}`, { ...attributes, [title!]: 'plain' })
        }
        const table = String(id)
        const { bytes } = await run('export', { table }, { format, referenceKey: ['Client=Code'] })
        const copy = (await run('table copy', { table }, {})).notes.at(-1)!
        const options = { null: 'NULL', reference: ['Client=Clients.Code'] }
        const done = await run('import', { table: copy, file: 'x.csv' }, options, bytes)
        assert.equal(done.code, 0, done.notes.join('\n'))
        const again = await run('export', { table: copy }, { format: 'csv', referenceKey: ['Client=Code'] })
        const before = await run('export', { table }, { format: 'csv', referenceKey: ['Client=Code'] })
        assert.equal(again.bytes.toString(), before.bytes.toString())
      }),
      { numRuns: 6 },
    )
  })

  it('references without a key are left empty and told; what is no key is refused', async () => {
    const { id, fields } = await service.table('Tasks', { Client: { typeName: 'reference', referenceTableId: 1 }, More: 'text' })
    for (const client of ['4', '1', '0']) await service.make(`data${id}`, { [fields['Client']!]: client })
    const { notes, bytes } = await run('export', { table: 'Tasks' }, { format: 'csv', referenceKey: ['client=code'] })
    assert.deepEqual(notes, ['1 references are left empty: their records are gone or have no key.'])
    assert.match(bytes.toString(), /=1\+1/)
    for (const [key, says] of [
      ['Client', /takes field=key/],
      ['Nothing=Code', /has no field 'Nothing'/],
      ['More=Code', /does not refer to one record/],
      ['Client=Name', /is not unique/],
    ] as const)
      await assert.rejects(run('export', { table: 'Tasks' }, { format: 'csv', referenceKey: [key] }), says)
  })
})
