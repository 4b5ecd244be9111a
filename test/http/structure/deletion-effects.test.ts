import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { commands } from '../../../src/cli/commands.ts'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { inOneTransaction } from '../../../src/store/catalogue/in-one-transaction.ts'
import { createFilter } from '../../../src/store/people/saved-filters.ts'
import { startService, type Service } from '../../support/service.ts'

describe('what a deletion would do', () => {
  let service: Service
  let clients: { id: number; fields: Record<string, string> }
  let deals: { id: number; fields: Record<string, string> }
  before(async () => {
    service = await startService()
    clients = await service.table('Clients', { name: 'text', paper: 'file', boss: { typeName: 'reference', referenceTableId: 1 } })
    deals = await service.table('Deals', {
      title: 'text',
      client: { typeName: 'reference', referenceTableId: clients.id },
      others: { typeName: 'references', referenceTableId: clients.id },
    })
    const { name, paper, boss } = clients.fields
    const { title, client, others } = deals.fields
    const file = [{ file_name: 'a.txt', content: 'four', binary: false }]
    await service.make('data1', { [name!]: 'Ann', [paper!]: file })
    await service.make('data1', { [name!]: 'Bob', [boss!]: '1' })
    await service.make('data2', { [title!]: 'One', [client!]: '1', [others!]: '-1-2-' })
    await service.make('data2', { [title!]: 'Two', [client!]: '2' })
    await service.make('data2', { [title!]: 'Three' })
    await service.add('access', { group_id: 2, table_id: 1, read: true, read_filter: `eq(${name},'Ann')`, fields: { [paper!]: 'hidden' } })
    await service.add('filter', { table_id: 1, filter_name: 'Own', expression: 'eq(status,0)' })
    await service.add('filter', { table_id: 2, filter_name: 'Of Ann', expression: `eq(${client}.${name},'Ann')` })
    await service.add('view', { table_id: 1, view_name: 'List', sort: `-${name}`, columns: [{ attribute: paper }] })
    const hook = await service.add('webhook', { url: 'https://example.org/x', table_id: 1, filter: `eq(${name},'Ann')` })
    assert.equal(hook.status, 201, hook.text)
  })
  after(() => service.close())

  const ask = async (path: string, token?: string) =>
    service.send('DELETE', `/api/dev/${path}?dryRun=true`, token === undefined ? {} : { token })
  const listed = ({ meta }: { meta: { listed: { type: string; name: string; records?: number }[] } }) =>
    meta.listed.map(({ type, name, records }) => [type, name, ...(records === undefined ? [] : [records])])

  it('of a table: its records, files, and what refers to it by table and field; nothing is deleted', async () => {
    const { status, json } = await ask('table/1')
    assert.equal(status, 200)
    const { records, files, bytes, references, refused, counts } = json.meta
    assert.deepEqual([records, files, bytes, references, refused], [2, 1, 4, 3, null])
    assert.deepEqual(counts, { field: 2, filter: 2, view: 1, access: 1, webhook: 1 })
    assert.deepEqual(listed(json), [
      ['field', 'client', 2],
      ['field', 'others', 1],
      ['filter', 'Own'],
      ['filter', 'Of Ann'],
      ['view', 'List'],
      ['access', 'Managers'],
      ['webhook', ''],
    ])
    assert.equal((await service.send('GET', '/api/dev/data1')).json.meta.total, 2)
  })

  it('of a field: its values and files, what names it, and whether a rule keeps it', async () => {
    const { name, paper } = clients.fields
    const named = (await ask(`field/${name!.slice(1)}`)).json
    assert.deepEqual([named.meta.records, named.meta.refused], [2, 'field.in_use'])
    assert.deepEqual(listed(named), [
      ['access', 'Managers'],
      ['filter', 'Of Ann'],
      ['view', 'List'],
      ['webhook', ''],
    ])
    const held = (await ask(`field/${paper!.slice(1)}`)).json
    assert.deepEqual([held.meta.records, held.meta.files, held.meta.refused], [1, 1, null])
    assert.deepEqual(listed(held), [
      ['access', 'Managers'],
      ['view', 'List'],
    ])
    const { status } = await service.remove(`field/${name!.slice(1)}`)
    assert.equal(status, 409, 'as it was foretold')
  })

  it('of a field: where each rule of its table names it', async () => {
    const { id, fields } = await service.table('Orders', { state: 'text', sum: 'integer', note: 'text' })
    const { state, sum, note } = fields
    const rule = async (group_id: number, more: object) =>
      (await service.add('access', { group_id, table_id: id, read: true, update: true, ...more })).json.data.id
    const managers = await rule(2, { read_filter: `gt(${sum},1)`, write_filter: `and(eq(${state},'1'),lt(${sum},9))` })
    const clients = await rule(3, { write_filter: `eq(${state},'1')`, fields: { [state!]: 'read_only', [note!]: 'hidden' } })
    const named = async (field: string | undefined) =>
      (await ask(`field/${field!.slice(1)}`)).json.meta.listed.map(
        (one: { type: string; id: string; group_id: string; named_in: string[] }) => [one.type, one.id, one.group_id, one.named_in.join()],
      )
    assert.deepEqual(await named(state), [
      ['access', managers, '2', 'write_filter'],
      ['access', clients, '3', 'write_filter,fields'],
    ])
    assert.deepEqual(await named(sum), [['access', managers, '2', 'read_filter,write_filter']])
    assert.deepEqual(await named(note), [['access', clients, '3', 'fields']])
  })

  it('of a list: with which options rules, filters, views and webhooks compare it', async () => {
    const options = ['new', 'won', 'lost', 'gone']
    const { id, fields } = await service.table('Sales', {
      stage: { typeName: 'list', options: options.map((label) => ({ label })) },
      marks: { typeName: 'multilist', options: options.map((label) => ({ label })) },
      next: { typeName: 'reference', referenceTableId: 1 },
    })
    const { stage, marks, next } = fields
    const of = async (field: string | undefined) => (await service.send('GET', `/api/dev/field/${field!.slice(1)}`)).json.data.attributes
    const idOf = async (field: string | undefined, ...labels: string[]) =>
      (await of(field)).options.filter(({ label }: { label: string }) => labels.includes(label)).map((one: { id: number }) => one.id)
    await service.add('access', { group_id: 2, table_id: id, read: true, update: true, read_filter: `ne(${stage},'LOST')`, write_filter: `in(${stage},'new','won')` }) // prettier-ignore
    await service.add('filter', { table_id: id, filter_name: 'Text', expression: `or(contains(${stage},'won'),eq(${stage},''))` })
    await service.add('view', { table_id: id, view_name: 'Marked', filter: `and(has(${marks},'won'),eq(${marks},'new\nlost'))` })
    await service.add('view', { table_id: id, view_name: 'By stage', sort: stage })
    await service.add('webhook', { url: 'https://example.org/y', table_id: id, filter: `not(eq(${stage},'gone'))` })
    const told = async (field: string | undefined) =>
      (await ask(`field/${field!.slice(1)}`)).json.meta.listed.map((one: { type: string; options?: number[] }) => [one.type, one.options])
    assert.deepEqual(await told(stage), [
      ['access', await idOf(stage, 'new', 'won', 'lost')],
      ['filter', undefined],
      ['view', undefined],
      ['webhook', await idOf(stage, 'gone')],
    ])
    assert.deepEqual(await told(marks), [['view', await idOf(marks, 'new', 'won', 'lost')]])
    assert.deepEqual(await told(next), [])
  })

  it('of a group: its users and rules', async () => {
    const id = await service.make('group', { group_name: 'Sellers' })
    await service.tokenOf(Number(id))
    await service.add('access', { group_id: Number(id), table_id: 2, read: true })
    const { meta } = (await ask(`group/${id}`)).json
    assert.deepEqual([meta.users, meta.counts.access, meta.refused], [1, 1, 'group.in_use'])
    assert.equal((await ask('group/1')).json.meta.refused, 'group.built_in')
  })

  it('is told to administrators alone, as the deletion is done by them alone; other resources have no dry run', async () => {
    const member = await service.tokenOf(2)
    for (const path of ['table/1', 'table/2', 'field/1', 'group/2'])
      assert.deepEqual(
        (await ask(path, member)).json.errors.map(({ code }: { code: string }) => code),
        (await service.send('DELETE', `/api/dev/${path}`, { token: member })).json.errors.map(({ code }: { code: string }) => code),
      )
    assert.equal((await ask('table/99')).json.errors[0].code, 'table.not_found')
    assert.equal((await ask('filter/1')).json.errors[0].code, 'parameter.unknown')
  })

  it('lists affectedListed at most, and counts all', async () => {
    const { id } = await service.table('Many', { a: 'text' })
    const filter = { tableId: id, title: 'One', expression: 'eq(status,0)' }
    await inOneTransaction(service.store, async (within) => {
      for (let i = 0; i <= limits.affectedListed.most; i++) await createFilter(within, operator, filter)
    })
    const { meta } = (await ask(`table/${id}`)).json
    assert.deepEqual([meta.listed.length, meta.counts.filter], [limits.affectedListed.most, limits.affectedListed.most + 1])
  })

  it('at the command line too: `table delete`, `field delete` and `group delete` with --dry-run', async () => {
    const told = async (name: string, args: Record<string, string>) => {
      const lines: string[] = []
      const line = async (text: string) => void lines.push(text)
      const output = { line, note: line, progress: async () => {}, append: async () => {}, appendBytes: async () => {} }
      const context = {
        store: service.store,
        by: { ...operator },
        directory: '',
        args,
        options: { dryRun: true },
        input: undefined,
        inputSize: 0,
      }
      return { code: await commands.find((one) => one.name === name)!.run({ ...context, output }), lines }
    }
    const table = await told('table delete', { table: 'Clients' })
    assert.deepEqual([table.code, table.lines[0]], [0, '2 records, 1 files (4 bytes), 0 users; 3 records refer to it'])
    assert.match(table.lines[2]!, /^field +\d+ +2 +client +2$/)
    const field = await told('field delete', { attribute: clients.fields['name']! })
    assert.deepEqual([field.code, field.lines.at(-1)], [1, 'It would be refused: field.in_use.'])
    assert.equal((await told('group delete', { group: 'Managers' })).code, 1)
  })
})
