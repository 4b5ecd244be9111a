import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import type { Output } from '../../src/cli/terminal/output.ts'
import { limits } from '../../src/limits.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { servedProgram } from '../support/scratch-program.ts'
import { startService, type Service } from '../support/service.ts'

/* Run in this process; the last test starts them as a program, beside a server. */

describe('structure export, diff and apply', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  type Options = Readonly<Record<string, string | true | readonly string[]>>

  async function run(name: string, args: Readonly<Record<string, string>> = {}, options: Options = {}, file = '') {
    const lines: string[] = []
    const output: Output = {
      line: async (text) => void lines.push(text),
      note: async (text) => void lines.push(`note: ${text}`),
      progress: async () => {},
      append: async (_, text) => void lines.push(text),
      appendBytes: async () => {},
    }
    const input = Readable.from([Buffer.from(file)])
    const context = { store: service.store, by: { ...operator }, directory: service.directory, args, options, input, inputSize: 0, output }
    const code = await commands.find((one) => one.name === name)!.run(context)
    return { code, lines }
  }
  const exported = async (options: Options = {}) => JSON.parse((await run('structure export', {}, options)).lines.at(-1)!)
  const apply = async (document: object, options: Options = {}) =>
    (await run('structure apply', {}, options, JSON.stringify(document))).lines
  const diff = async (document: object, options: Options = {}) => (await run('structure diff', {}, options, JSON.stringify(document))).lines

  const format = { format: 'kartoteka-structure', version: 1 }

  it('a document makes tables that refer to each other, and the filters, views and rules that name their fields', async () => {
    const document = {
      ...format,
      categories: [{ name: 'Sales' }],
      groups: [{ name: 'Sellers' }],
      tables: [
        {
          name: 'Deals',
          category: 'Sales',
          fields: [
            { name: 'Title', type: 'text', required: true },
            { name: 'Stage', type: 'list', options: ['New', 'Won'], default: 'New' },
            { name: 'Client', type: 'reference', reference_table: 'Clients' },
          ],
          filters: [{ name: 'Porto', expression: "eq({Client}.{City},'Porto')" }],
          views: [
            {
              name: 'Board',
              kind: 'board',
              sort: '-{Title},id',
              columns: [
                { attribute: '*', frozen: false },
                { attribute: '{Stage}', width: 80, wrap: true, figure: 'distinct', after: '{Title}' },
                { attribute: '{Title}', hidden: true, after: '' },
              ],
              group_by: '{Stage}',
            },
          ],
          access: [{ group: 'Sellers', rights: ['read'], read_filter: "eq({Stage},'New')", fields: { '{Client}': 'hidden' } }],
        },
        {
          name: 'Clients',
          fields: [
            { name: 'City', type: 'text' },
            { name: 'Size', type: 'integer' },
          ],
          filters: [],
          views: [{ name: 'Sizes', kind: 'chart', group_by: '{Size}', figure: 'avg:{Size}', span: 'week' }],
          access: [],
        },
      ],
    }
    assert.deepEqual((await diff(document)).slice(0, 6), [
      "Create the category 'Sales'",
      "Create the group 'Sellers'",
      "Create the table 'Deals'",
      "Create the table 'Clients'",
      "Create the field 'Title' (text) of the table 'Deals'",
      "Create the field 'Stage' (list) of the table 'Deals'",
    ])
    assert.equal((await exported()).tables.length, 0, 'diff changes nothing')
    await apply(document)
    const { json } = await service.send('GET', '/api/dev/filter')
    assert.equal(json.data[0].attributes.expression, "eq(f3.f4,'Porto')")
    const { json: log } = await service.send('GET', '/api/dev/change')
    const all: { batch_id: number; resource_type: string }[] = log.data.map((one: { attributes: object }) => one.attributes)
    const ours = all.filter((one) => !['user', 'token'].includes(one.resource_type))
    assert.deepEqual([new Set(ours.map((one) => one.batch_id)).size, ours.length > 8], [1, true], 'one batch has all changes')
    const made = await exported()
    assert.deepEqual(made.tables[0], { ...document.tables[0], title_field: 'Title' })
    assert.deepEqual(made.tables[1].views, document.tables[1]!.views)
    assert.equal((await service.send('GET', '/api/dev/view/2')).json.data.attributes.figure, 'avg:f5')
    assert.deepEqual(made.groups.slice(0, 1), [{ name: 'Administrators', built_in: 'administrators' }])
    assert.deepEqual(await diff(made), ['note: The installation has the structure of the document.'])
    const without = await exported({ withoutAccess: true })
    assert.deepEqual([without.groups, without.tables[0].access], [undefined, undefined])
  })

  it('`was` renames, also where filters name it; an option keeps its records; what has the new name is left alone', async () => {
    const made = await service.send('POST', '/api/dev/data1', { body: { data: { type: 'data1', attributes: { f1: 'One', f2: 'Won' } } } })
    assert.equal(made.status, 201)
    const document = await exported()
    const [deals] = document.tables
    deals.name = 'Orders'
    deals.was = 'Deals'
    deals.fields[1] = { ...deals.fields[1], name: 'State', was: 'Stage', options: ['New', { name: 'Paid', was: 'Won' }] }
    deals.views[0] = {
      ...deals.views[0],
      group_by: '{State}',
      columns: [
        { attribute: '*', frozen: false },
        { attribute: '{State}', width: 80, wrap: true, figure: 'distinct', after: '{Title}' },
        { attribute: '{Title}', hidden: true, after: '' },
      ],
    }
    deals.access[0].read_filter = "eq({State},'New')"
    const wanted = [
      "rename the table 'Deals' to 'Orders'",
      "rename the field 'Stage' of the table 'Orders' to 'State'",
      "change the field 'State' of the table 'Orders': options (rename 'Won' to 'Paid')",
    ]
    assert.deepEqual(
      await apply(document),
      wanted.map((says) => `Done: ${says}`),
    )
    assert.equal((await service.send('GET', '/api/dev/data1/1')).json.data.attributes.f2, 'Paid')
    assert.deepEqual(await apply(document), ['note: The installation has the structure of the document.'])
  })

  it('nothing goes without --delete, and nothing that goes or converts without --yes', async () => {
    const document = await exported()
    const [orders] = document.tables
    orders.fields = orders.fields.filter(({ name }: { name: string }) => name !== 'Client')
    orders.filters = []
    orders.access = []
    assert.deepEqual(await diff(document), ['note: The installation has the structure of the document.'])
    const said = [
      "Delete the filter 'Porto' of the table 'Orders'",
      "Delete the rule of the group 'Sellers' of the table 'Orders'",
      "Delete the field 'Client' of the table 'Orders' (to the trash)",
    ]
    assert.deepEqual(await diff(document, { delete: true }), said)
    assert.deepEqual((await run('structure diff', {}, { delete: true, check: true }, JSON.stringify(document))).code, 1)
    await assert.rejects(apply(document, { delete: true }), /^Error: This would delete the filter .*Add --yes to do it\.$/)
    await apply(document, { delete: true, yes: true })
    assert.equal((await exported()).tables[0].fields.length, 2)
    orders.fields[0] = { name: 'Title', type: 'longtext', required: true }
    await assert.rejects(
      apply(document),
      /^Error: This would convert the field 'Title' of the table 'Orders' from text to longtext\. Add --yes/,
    )
    await apply(document, { yes: true })
    assert.equal((await exported()).tables[0].fields[0].type, 'longtext')
  })

  it('what fails in the middle leaves nothing behind', async () => {
    const before = await exported()
    const document = {
      ...format,
      tables: [
        { name: 'Third', fields: [{ name: 'A', type: 'text' }] },
        { name: 'Fourth', fields: [{ name: 'B', type: 'reference', reference_table: 'Nowhere' }] },
      ],
    }
    await assert.rejects(apply(document), { code: 'structure.invalid', message: /There is no table 'Nowhere'\.$/ })
    assert.deepEqual(await exported(), before)
    assert.equal((await service.send('GET', '/api/dev/table')).json.meta.total, 2)
    const bad = { ...format, tables: [{ name: 'Third', fields: [{ name: 'A', type: 'decimal', scale: 99 }] }] }
    await assert.rejects(apply(bad))
    assert.equal((await service.send('GET', '/api/dev/table')).json.meta.total, 2)
  })

  it('what is no such document is refused with the place', async () => {
    const long = 'x'.repeat(limits.structureDocument.most + 1)
    const cases: [string, RegExp][] = [
      ['{', /It is not JSON/],
      ['[]', /It must be an object/],
      ['{}', /It has no 'format'/],
      [JSON.stringify({ ...format, version: 2 }), /at '\/version'\. It must be 1/],
      [JSON.stringify({ ...format, tabels: [] }), /at '\/tabels'\. There is no such member here\. Known: .*tables/],
      [JSON.stringify({ ...format, tables: [{ name: 'A\nB' }] }), /at '\/tables\/0\/name'/],
      [
        JSON.stringify({ ...format, tables: [{ name: 'A', fields: [{ name: 'B', type: 'text', options: [{}] }] }] }),
        /fields\/0\/options\/0'\. It has no 'name'/,
      ],
      [
        JSON.stringify({ ...format, tables: [{ name: 'A', filters: [{ name: 'B', expression: 7 }] }] }),
        /expression'\. It must be a string/,
      ],
      [JSON.stringify({ ...format, groups: [{ name: 'A', built_in: 'guests' }] }), /one of administrators, managers, clients/],
      [long, /longer than 67108864 bytes/],
    ]
    for (const [file, says] of cases)
      await assert.rejects(run('structure apply', {}, {}, file), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'structure.invalid')
        assert.match(error.message, says)
        return true
      })
    const lost = { ...format, tables: [{ name: 'Orders', filters: [{ name: 'Lost', expression: 'eq({Nothing},1)' }] }] }
    await assert.rejects(apply(lost), /The filter 'Lost' names the field \{Nothing\}, which its table does not have\./)
  })

  it('what no document can say is left out with a note', async () => {
    const { json } = await service.send('GET', '/api/dev/field')
    const title = json.data.find((one: { attributes: { field_name: string } }) => one.attributes.field_name === 'City')
    const filter = { data: { type: 'filter', attributes: { table_id: 2, filter_name: 'Old', expression: `eq(f${title.id},'x')` } } }
    const sent = await service.send('POST', '/api/dev/filter', { body: filter })
    assert.equal(sent.status, 201, sent.text)
    await service.send('DELETE', `/api/dev/field/${title.id}`)
    const { lines } = await run('structure export')
    assert.equal(lines[0], "note: The filter 'Old' of the table 'Clients' names a field that does not exist any more. It is left out.")
  })

  it('as programs, while a server runs: its next request sees the structure', async () => {
    const { program, server, token } = await servedProgram()
    try {
      const file = program.file('structure.json', JSON.stringify({ ...format, tables: [{ name: 'Plants' }] }))
      assert.equal(await program.ok('structure', 'apply', file), "Done: create the table 'Plants'\n")
      assert.equal((await server.call(token, 'GET', 'table/1')).body.data.attributes.table_name, 'Plants')
      const wrong = await program.run('structure', 'apply', program.file('wrong.json', '{}'))
      assert.deepEqual([wrong.code, wrong.err], [1, "kartoteka: The structure document does not fit. It has no 'format'.\n"])
    } finally {
      await program.remove()
    }
  })
})
