import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Service } from '../../support/service.ts'
import { makeTable, person, RIGHTS } from '../../support/scene.ts'

/* What the caller may do with single records (DECISIONS A59). */

type Names = 'name' | 'note' | 'phase' | 'owner' | 'secret' | 'due'
type Flags = { readonly update: boolean; readonly delete: boolean } | undefined

describe('a group with a write filter', () => {
  let service: Service
  let table: Awaited<ReturnType<typeof makeTable<Names>>>
  let anna: { id: string; token: string }
  let group: number
  let rule: string
  const ids: string[] = []
  const f = (name: Names) => table.f[name]

  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', {
      name: 'text',
      note: 'text',
      phase: { field_type: 'list', options: ['new', 'won'] },
      owner: 'user',
      secret: 'decimal',
      due: 'date',
    })
    group = Number(await service.make('group', { group_name: 'Sales' }))
    anna = await person(service, group, 'anna')
    rule = await service.make('access', { group_id: group, table_id: table.id, read: true })
    for (let i = 0; i < 12; i++)
      ids.push(
        await service.make(table.type, {
          [f('name')]: `Deal ${i}`,
          [f('phase')]: ['', 'new', 'won'][i % 3],
          [f('owner')]: i % 2 ? anna.id : '0',
          [f('secret')]: String(i),
          [f('due')]: i % 4 ? '2001-02-03' : '2999-02-03',
        }),
      )
  })
  after(() => service.close())

  async function allow(write_filter: string, rights: readonly string[] = ['read', 'update', 'delete'], more: object = {}): Promise<void> {
    const all = Object.fromEntries(RIGHTS.map((right) => [right, rights.includes(right)]))
    const answer = await service.change('access', rule, { ...all, read_filter: '', write_filter, fields: {}, ...more })
    assert.equal(answer.status, 200, answer.text)
  }
  const flagsOf = async (asked: string, token = anna.token): Promise<ReadonlyMap<string, Flags>> => {
    const { status, text, json } = await service.get(asked, token)
    assert.equal(status, 200, text)
    return new Map([json.data].flat().map((one: { id: string; meta?: { access?: Flags } }) => [one.id, one.meta?.access]))
  }
  const asking = () => `${table.type}?recordAccess=true&page[limit]=50`

  it('is told of each record whether a PATCH and a DELETE would be allowed', async () => {
    const filters = [
      'eq(user_id,current_user)',
      `eq(${f('owner')},current_user)`,
      `or(eq(${f('phase')},'NEW'),gt(${f('secret')},9))`,
      `not(eq(${f('phase')},'won'))`,
      `is_empty(${f('phase')})`,
      `gte(${f('due')},today)`,
      `in(id,${ids[0]},${ids[5]})`,
      'not(in(id,0))',
      'in(id,0)',
    ]
    const seen = new Set<boolean>()
    for (const [round, filter] of filters.entries()) {
      await allow(filter, undefined, { fields: { [f('secret')]: 'hidden' } })
      const flags = await flagsOf(asking())
      for (const id of ids) {
        const update = (await service.change(table.type, id, { [f('note')]: `round ${round}` }, anna.token)).status
        assert.deepEqual(flags.get(id), { update: update === 200, delete: update === 200 }, `${filter} ${id} ${update}`)
        assert.deepEqual((await flagsOf(`${table.type}/${id}?recordAccess=true`)).get(id), flags.get(id), `${filter} ${id}`)
        seen.add(update === 200)
      }
      const [one] = ids
      const gone = await service.remove(`${table.type}/${one}`, anna.token)
      assert.equal(gone.status === 200, flags.get(one!)!.delete, filter)
      if (gone.status === 200) {
        const made = await service.make(table.type, { [f('name')]: 'again', [f('owner')]: anna.id, [f('phase')]: 'new' })
        ids.splice(0, 1, made)
      }
    }
    assert.equal(seen.size, 2, 'both cases occurred')
  })

  it('is told the same by every way to list, with other attributes and included records too', async () => {
    await allow(`eq(${f('owner')},current_user)`)
    const flags = await flagsOf(asking())
    assert.equal(new Set([...flags.values()].map((one) => one!.update)).size, 2)
    for (const way of [
      'page[number]=1&page[size]=50',
      'page[size]=50',
      `fields[${table.type}]=${f('name')}&page[limit]=50`,
      'include=&page[limit]=50',
    ])
      assert.deepEqual(await flagsOf(`${table.type}?recordAccess=true&${way}`), flags, way)
    const found = await service.call('POST', `${table.type}/search?recordAccess=true&page[limit]=50`, { meta: { filter: '' } }, anna.token)
    assert.deepEqual(new Map(found.json.data.map((one: { id: string; meta: { access: Flags } }) => [one.id, one.meta.access])), flags)
  })

  it('is told of each right by itself', async () => {
    await allow('not(in(id,0))', ['read', 'delete'])
    assert.deepEqual((await flagsOf(asking())).get(ids[0]!), { update: false, delete: true })
    await allow('not(in(id,0))', ['read', 'update'])
    assert.deepEqual((await flagsOf(asking())).get(ids[0]!), { update: true, delete: false })
  })

  it('is told nothing where the rights on the table say it all, and where it did not ask', async () => {
    const asked = asking().replace('recordAccess=true&', '')
    const plain = async (token: string) => (await service.get(asked, token)).json.data
    const record = async (token: string, more = '') => (await service.get(`${table.type}/${ids[0]}${more}`, token)).text
    const same = async (token: string, says: string) => {
      assert.deepEqual((await service.get(asking(), token)).json.data, await plain(token), says)
      assert.equal(await record(token, '?recordAccess=true'), await record(token), says)
    }
    await allow('')
    await same(anna.token, 'no write filter')
    const before = await plain(anna.token)
    await allow(`eq(${f('owner')},current_user)`)
    assert.deepEqual(await plain(anna.token), before, 'a write filter shows only if asked for')
    assert.equal(await record(anna.token, '?recordAccess=false'), await record(anna.token))
    await same(service.token, 'an administrator')
    await allow(`eq(${f('owner')},current_user)`, ['read', 'create'])
    await same(anna.token, 'may write none')
    await allow(`eq(${f('owner')},current_user)`)
    await same(await service.tokenOf(group, { scope: 'read' }), 'a token that may only read')
    assert.deepEqual(errorsOf(await service.get(`${table.type}?recordAccess=yes`, anna.token)), ['400 parameter.invalid recordAccess'])
  })

  it('gets another entity tag where only its rights have changed', async () => {
    await allow('not(in(id,0))')
    const asked = `${table.type}/${ids[0]}?recordAccess=true`
    const tag = (await service.get(asked, anna.token)).headers.get('etag')!
    const again = () => service.send('GET', `/api/dev/${asked}`, { token: anna.token, headers: { 'If-None-Match': tag } })
    assert.equal((await again()).status, 304)
    await allow('in(id,0)')
    const now = await again()
    assert.equal(now.status, 200)
    assert.deepEqual(now.json.data.meta.access, { update: false, delete: false })
    await allow('')
    const body = { data: { type: table.type, id: ids[0], attributes: {} } }
    const written = await service.send('PATCH', `${table.path}/${ids[0]}`, { token: anna.token, headers: { 'If-Match': tag }, body })
    assert.equal(written.status, 200, 'it is still of the same version')
  })
})
