import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

interface Change {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
  }
}

describe('commands, and the first start, leave changes of structure, rights and users', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  let seen = 0
  const list = async (query: string): Promise<Change[]> => (await server.call(token, 'GET', `change?page[limit]=50&${query}`)).body.data
  /** The changes of the table 0 since the last call. */
  async function next(): Promise<Change[]> {
    const all: Change[] = []
    for (;;) {
      const some = await list(`filter=and(eq(table_id,0),gt(id,${seen}))`)
      if (some.length === 0) return all
      all.push(...some)
      seen = Number(some.at(-1)!.id)
    }
  }
  const brief = ({ attributes }: Change) => `${String(attributes['action'])} ${String(attributes['resource_type'])}`
  /** What a command leaves, and how many batches and ways that are. */
  async function by(...args: string[]): Promise<{ changes: string[]; all: Change[]; batches: number; via: string[] }> {
    await next()
    await program.run(...args)
    const all = await next()
    const different = (name: string) => [...new Set(all.map(({ attributes }) => String(attributes[name])))]
    return { changes: all.map(brief), all, batches: different('batch_id').length, via: different('via') }
  }

  it('the first start makes the first administrator; a token is made by its command', async () => {
    const [first, second] = await next()
    assert.deepEqual(
      [first, second].map((one) => [brief(one!), one!.attributes['via'], one!.attributes['user_id']]),
      [
        ['create user', 'service', 0],
        ['create token', 'cli', 0],
      ],
    )
    assert.deepEqual(Object.keys(first!.attributes.changes), ['fio', 'login', 'group_id'])
  })

  it('commands for tables, fields, people, tokens and the trash', async () => {
    const acts: readonly (readonly [command: string, ...leaves: string[]])[] = [
      ['table create Plants', 'create table'],
      ['field create Plants Name text', 'update table', 'create field'],
      ['field create Plants Kind list --option Tree --option Herb', 'create field'],
      ['field delete f2', 'delete field'],
      ['trash restore 1', 'restore field'],
      ['user create anna --password anna-anna-anna', 'create user'],
      ['user passwd anna --password carla-carla', 'update user'],
      ['user invite anna', 'create invitation'],
      ['token create --login anna', 'create token'],
      ['token revoke 2', 'delete token'],
      ['token create --login anna', 'create token'],
      ['user archive anna', 'update user', 'delete token'],
      ['table delete Plants', 'delete table'],
      ['trash erase 2', 'erase table'],
      ['table list'],
    ]
    for (const [command, ...leaves] of acts) {
      const { changes, via, batches, all } = await by(...command.split(' '))
      assert.deepEqual(changes, leaves, command)
      if (leaves.length === 0) continue
      assert.deepEqual([via, batches], [['cli'], 1], command)
      assert.ok(
        all.every(({ attributes }) => attributes['user_id'] === 0),
        command,
      )
    }
  })

  it('an import that makes a table, its fields, and options as they come', async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `${i},${i === 2_900 ? 'zuletzt' : 'new'}`)
    const file = program.file('states.csv', `number,state\n${lines.join('\n')}\n`)
    const { changes, all, via, batches } = await by('import', 'States', file, '--create', '--type', 'state=list')
    assert.deepEqual([via, batches], [['import'], 1])
    assert.deepEqual(
      [...new Set(changes)],
      ['create table', 'update table', 'create field', 'update field'].filter((one) => changes.includes(one)),
    )
    assert.equal(changes.filter((one) => one === 'create field').length, 2)
    const grown = all.filter((one) => brief(one) === 'update field')
    const labels = (value: unknown) => (value as { label: string }[]).map(({ label }) => label)
    assert.deepEqual(labels(grown[0]!.attributes.changes['options']!.from), ['new'])
    assert.deepEqual(labels(grown.at(-1)!.attributes.changes['options']!.to), ['new', 'zuletzt'])
  })

  it('demonstration data', async () => {
    const { changes, via, batches } = await by('demo', '--records', '5')
    assert.deepEqual([via, batches], [['cli'], 1])
    const count = Map.groupBy(changes, (one) => one)
    assert.deepEqual(
      ['create category', 'create table', 'create filter'].map((one) => count.get(one)?.length),
      [1, 4, 4],
    )
  })

  it('those of records say that a command made them, and have the batch of what else it did', async () => {
    const ofRecords = async () => (await list('filter=gt(table_id,0)&sort=-id')).map(({ attributes }) => attributes)
    const told = ({ action, via, user_id, token_id }: Change['attributes']) => [action, via, user_id, token_id]
    const [made] = await ofRecords()
    assert.deepEqual(told(made!), ['create', 'cli', 0, 0])
    assert.ok((await list(`filter=and(eq(batch_id,${String(made!['batch_id'])}),eq(table_id,0))`)).length > 0)
    const path = `data${String(made!['table_id'])}/${String(made!['record_id'])}`
    const trashed = async (): Promise<string> => {
      assert.equal((await server.call(token, 'DELETE', path)).status, 200)
      return (await server.call(token, 'GET', 'trash?sort=-id&page[limit]=1')).body.data[0].id
    }
    await program.ok('trash', 'restore', await trashed())
    assert.deepEqual(told((await ofRecords())[0]!), ['restore', 'cli', 0, 0])
    await program.ok('trash', 'erase', await trashed())
    assert.deepEqual(told((await ofRecords())[0]!), ['erase', 'cli', 0, 0])
  })
})
