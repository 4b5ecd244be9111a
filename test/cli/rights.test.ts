import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { explain } from '../../src/cli/explain/explain.ts'
import type { Output } from '../../src/cli/terminal/output.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { startService, type Service } from '../support/service.ts'

/* Run in this process: sentences.test.ts starts each of them as a program. */

type Options = Readonly<Record<string, string | readonly string[] | true>>

describe('commands for groups, rules of access, saved filters and the audit log', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await run('table create', 'Deals')
    await run('field create', 'Deals', 'Title', 'text')
    await run('field create', 'Deals', 'Pay', 'text')
  })
  after(() => service.close())

  /** What it prints. */
  async function run(name: string, ...words: (string | Options)[]): Promise<string> {
    const one = commands.find((known) => known.name === name)!
    const options = words.find((word) => typeof word !== 'string') ?? {}
    const typed = words.filter((word) => typeof word === 'string')
    const args = Object.fromEntries(one.args.flatMap(({ name: of }, i) => (typed[i] === undefined ? [] : [[of, typed[i]]])))
    let printed = ''
    const output = { line: async (text: string) => void (printed += `${text}\n`), note: async () => {} } as unknown as Output
    const context = { store: service.store, by: operator, directory: '', args, options, input: undefined, inputSize: 0, output }
    assert.equal(await one.run(context), 0)
    return printed
  }
  async function refusal(name: string, ...words: (string | Options)[]): Promise<readonly [code: number, text: string]> {
    try {
      await run(name, ...words)
    } catch (error) {
      const { text, usage } = explain(error)
      return [usage ? 2 : 1, text]
    }
    return [0, '']
  }
  const rows = async (name: string, ...words: (string | Options)[]) => {
    const options = words.find((word) => typeof word !== 'string')
    const others = words.filter((word) => typeof word === 'string')
    return JSON.parse(await run(name, ...others, { ...(options as Options), json: true })) as Record<string, unknown>[]
  }

  it('groups: made, renamed, listed, deleted', async () => {
    assert.equal(await run('group create', 'Sale'), '4\n')
    await run('group rename', 'sale', 'Sales')
    assert.deepEqual((await rows('group list')).at(-1), { id: 4, name: 'Sales', users: 0, rules: 0 })
    assert.equal(await run('group create', 'Guests'), '5\n')
    await run('group delete', '5')
    assert.deepEqual(await refusal('group delete', '1'), [1, 'Group 1 belongs to the service and stays.'])
    assert.deepEqual(await refusal('group delete', 'Nobody'), [2, "There is no group 'Nobody'."])
  })

  it('rules: set step by step, listed, explained, removed; they count with the next request', async () => {
    await run('user create', 'anna', { name: '', email: '', group: 'sales', password: 'seven green bicycles' })
    const anna = (await run('token create', { login: 'anna', name: '', scope: 'write' })).trim()
    const status = async () => (await service.get('data1', anna)).status
    const set = (options: Options) => run('access set', 'Sales', 'Deals', options)
    assert.equal(await status(), 404)
    await set({ rights: 'read,create' })
    assert.equal(await status(), 200)
    await set({ only: ['Title'], readOnly: ['status'], assignable: 'yes' })
    await set({ readFilter: 'eq(user_id,current_user)' })
    const rule = { id: 1, group: 4, table: 1, rights: 'create read', fields: 'only f1, status (read_only)', assignable: 'yes' }
    assert.deepEqual(await rows('access list', { group: 'Sales' }), [
      { ...rule, 'read filter': 'eq(user_id,current_user)', 'write filter': '' },
    ])
    await service.make('data1', { f1: 'Oak' })
    const explained = await rows('access explain', 'anna', 'Deals', { record: '1' })
    const shown = Object.fromEntries(explained.map(({ what, is }) => [what, is]))
    assert.deepEqual([shown['rights'], shown['f1'], shown['f2'], shown['status']], ['create read', 'writable', 'hidden', 'read_only'])
    assert.match(String(shown['record 1']), /read filter of their group does not match/)
    const fields = async (options: Options) => {
      await set(options)
      return (await rows('access list'))[0]!['fields']
    }
    // What is hidden stays hidden, unless it is named.
    assert.equal(await fields({ hide: ['status'] }), 'only f1')
    assert.equal(await fields({ readOnly: ['f2'] }), 'only f1, f2 (read_only)')
    assert.equal(await fields({ only: ['f2'] }), 'only f2')
    assert.equal(await fields({ allFields: true }), 'all')
    assert.equal(await fields({ hide: ['f2'] }), 'all but f2 (hidden)')
    assert.equal(await fields({ hide: ['status'], readOnly: ['f1'] }), 'all but f2 (hidden), status (hidden), f1 (read_only)')
    assert.equal(await fields({ readOnly: ['f2'] }), 'all but f2 (read_only), status (hidden), f1 (read_only)')
    assert.equal(await fields({ allFields: true }), 'all')
    // By the names of requests and documents, or by its own.
    for (const rights of ['read,bed,standart_template', 'read,bulk,standard_template']) {
      await set({ rights })
      assert.equal((await rows('access list'))[0]!['rights'], 'read bulk standard_template')
    }
    await run('access remove', 'Sales', 'Deals')
    assert.equal(await status(), 404)
  })

  it('refuses in a sentence what does not fit', async () => {
    const set = (options: Options, group = '4') => refusal('access set', group, 'Deals', options)
    const cases: readonly (readonly [Promise<readonly [number, string]>, number, RegExp])[] = [
      [set({ rights: 'fly' }), 2, /There is no right 'fly'\. Rights: create, read,/],
      [set({ hide: ['Color'] }), 2, /The table 'Deals' has no field 'Color'\./],
      [set({ hide: ['f1'], only: ['f2'] }), 2, /exclude each other/],
      [set({ assignable: 'maybe' }), 2, /yes or no, not 'maybe'/],
      [set({ rights: 'all' }, '1'), 1, /no rule limits them/],
      [set({ readFilter: 'eq(f9,1)' }), 1, /no attribute 'f9'/],
      [refusal('access remove', '4', 'Deals'), 2, /The group 'Sales' has no rule on the table 'Deals'\./],
      [refusal('filter add', 'Deals', 'Wrong', 'eq(f9,1)'), 1, /no attribute 'f9'/],
      [refusal('filter set', '1'), 2, /takes --name, --expression, or both/],
      [refusal('filter remove', '99'), 2, /There is no filter 99\./],
      [refusal('audit', { login: 'nobody' }), 2, /There is no user 'nobody'\./],
      [refusal('audit', { since: 'long ago' }), 2, /'long ago' is not written as/],
    ]
    for (const [answer, code, says] of cases) {
      const [exit, text] = await answer
      assert.match(text, says)
      assert.equal(exit, code, text)
    }
  })

  it('saved filters: shared and personal, changed, removed', async () => {
    assert.equal(await run('filter add', 'Deals', 'Active', 'eq(status,0)'), '1\n')
    assert.equal(await run('filter add', '1', 'Own', "eq(f1,'x')", { login: 'anna' }), '2\n')
    await run('filter set', '1', { expression: 'eq(status,1)' })
    const anna = (await rows('user list')).find(({ login }) => login === 'anna')!['id']
    assert.deepEqual(await rows('filter list', { table: 'Deals' }), [
      { id: 1, table: 1, name: 'Active', user: 'all', expression: 'eq(status,1)' },
      { id: 2, table: 1, name: 'Own', user: anna, expression: "eq(f1,'x')" },
    ])
    await run('filter remove', '2')
    assert.equal((await rows('filter list')).length, 1)
  })

  it('the audit log by action, and who deleted what is in the trash', async () => {
    const made = await rows('audit', { action: 'group_created', since: '2020-01-01' })
    assert.deepEqual(
      made.map(({ action, subject, detail, user }) => [action, subject, detail, user]),
      [
        ['group_created', 'group 4', 'Sale', 0],
        ['group_created', 'group 5', 'Guests', 0],
      ],
    )
    await service.remove('data1/1')
    await run('field delete', 'f2')
    assert.deepEqual(
      (await rows('trash list')).map(({ kind, by }) => [kind, by]),
      [
        ['record', 'admin'],
        ['field', 'command line'],
      ],
    )
  })
})
