import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Answer, type Service } from '../../support/service.ts'

/** What an answer says, but for what differs between any two answers: ids that were asked for, and the id of the error. */
const gist = ({ status, json }: Answer, ...asked: (string | number)[]): string => {
  const text = JSON.stringify({ status, errors: json.errors?.map(({ id: _, ...rest }: { id: string }) => rest), data: json.data })
  return asked.reduce<string>((all, one) => all.replaceAll(new RegExp(`\\b${one}\\b(?!,"expected)`, 'g'), '#'), text)
}

describe('a caller who may see little', () => {
  let service: Service
  let guest: string
  let group: string
  let userId: string
  let rule: string
  let table: Awaited<ReturnType<Service['table']>>
  let secret: Awaited<ReturnType<Service['table']>>
  const f = (name: string) => table.fields[name]!
  const data = () => `data${table.id}`
  const fieldId = (name: string) => f(name).slice(1)

  before(async () => {
    service = await startService()
    secret = await service.table('Salaries')
    table = await service.table('Deals', {
      pay: { typeName: 'text', unique: true },
      name: 'text',
      boss: 'user',
      team: 'group',
      teams: 'users',
      number: 'integer',
    })
    group = await service.make('group', { group_name: 'Guests' })
    userId = await service.make('user', { login: 'guest', password: 'guest-password', group_id: Number(group) })
    guest = await service.signIn('guest', 'guest-password')
    rule = await service.make('access', { group_id: Number(group), table_id: table.id, fields: { [fieldId('pay')]: 'hidden' } })
    await allow({})
  })
  after(() => service.close())

  const allow = async (attributes: object) => {
    const all = { create: true, read: true, update: true, delete: true, read_filter: '', write_filter: '' }
    assert.equal((await service.change('access', rule, { ...all, ...attributes })).status, 200)
  }

  it('reads nothing by writing: changing a record asks for the right to read it too', async () => {
    const id = await service.make(data(), { [f('name')]: 'one', [f('pay')]: 'a' })
    await allow({ read: false })
    assert.deepEqual(errorsOf(await service.change(data(), id, {}, guest)), ['403 access.denied'])
    assert.deepEqual(errorsOf(await service.change(data(), id, { [f('name')]: 'mine' }, guest)), ['403 access.denied'])
    await allow({})
    assert.equal((await service.get(`${data()}/${id}`)).json.data.attributes[f('name')], 'one')
  })

  it('names only users and groups that they see', async () => {
    const other = await service.make('user', { login: 'other' })
    for (const [field, exists, missing] of [
      ['boss', other, '4711'],
      ['teams', `-${userId}-${other}-`, `-${userId}-4711-`],
      ['team', '2', '4711'],
    ] as const) {
      const answers = [exists, missing].map((value) => service.add(data(), { [f(field)]: value }, guest))
      const [one, two] = await Promise.all(answers)
      assert.equal(one!.status, 422, field)
      assert.equal(gist(one!, other, '2').replaceAll('4711', '#'), gist(two!, other, '2').replaceAll('4711', '#'))
    }
    const own = await service.add(data(), { [f('boss')]: userId, [f('team')]: group }, guest)
    assert.equal(own.status, 201, own.text)
    const kept = await service.make(data(), { [f('boss')]: other })
    assert.equal((await service.change(data(), kept, { [f('boss')]: other, [f('name')]: 'kept' }, guest)).status, 200)
  })

  it('sees no saved filter that tells of a hidden field, and cannot use it', async () => {
    const telling = await service.make('filter', { table_id: table.id, filter_name: 'Rich', expression: `not(eq(${f('pay')},'1000'))` })
    const plain = await service.make('filter', { table_id: table.id, filter_name: 'Named', expression: `ne(${f('name')},'')` })
    const { json } = await service.get('filter', guest)
    assert.deepEqual([json.meta.total, json.data.map((one: { id: string }) => one.id)], [1, [plain]])
    assert.equal(gist(await service.get(`filter/${telling}`, guest), telling), gist(await service.get('filter/4711', guest), 4711))
    const used = await service.get(`${data()}?filter=use_filter(${telling})`, guest)
    assert.equal(gist(used, telling), gist(await service.get(`${data()}?filter=use_filter(4711)`, guest), 4711))
    assert.equal((await service.get(`filter/${telling}`)).status, 200)
  })

  it('is told no title field that is hidden from them', async () => {
    assert.equal((await service.get(`table/${table.id}`)).json.data.attributes.title_field_id, Number(fieldId('pay')))
    assert.equal((await service.get(`table/${table.id}`, guest)).json.data.attributes.title_field_id, 0)
  })

  it('is offered only the lists in which they can see something', async () => {
    const offered = async (token: string) => Object.keys((await service.get('', token)).json.links)
    assert.deepEqual(await offered(guest), [
      'describedby',
      'category',
      'table',
      'field',
      'filter',
      'view',
      'group',
      'user',
      'token',
      'trash',
      'change',
      'batch',
      'setting',
      'webhook',
      'webhook_delivery',
      'job',
      data(),
    ])
    const nobody = await service.tokenOf(3)
    assert.deepEqual(await offered(nobody), [
      'describedby',
      'group',
      'user',
      'token',
      'batch',
      'setting',
      'webhook',
      'webhook_delivery',
      'job',
    ])
    const limited = await service.tokenOf(1, { tables: [secret.id] })
    assert.deepEqual(await offered(limited), [
      'describedby',
      'category',
      'table',
      'field',
      'filter',
      'view',
      'token',
      'trash',
      'change',
      'batch',
      'job',
      `data${secret.id}`,
    ])
    const all = [
      'describedby',
      'category',
      'table',
      'field',
      'filter',
      'view',
      'group',
      'access',
      'user',
      'token',
      'invitation',
      'trash',
      'index',
      'audit',
      'change',
      'batch',
      'setting',
      'webhook',
      'webhook_delivery',
      'job',
    ]
    assert.deepEqual(await offered(service.token), [...all, `data${secret.id}`, data()])
  })

  it('gets a token for tables they see, and learns of no others', async () => {
    const wish = (tables: number[]) => service.add('token', { login: 'guest', password: 'guest-password', tables }, null)
    assert.equal((await wish([table.id])).status, 201)
    const hidden = await wish([secret.id])
    assert.deepEqual(errorsOf(hidden), ['422 field.invalid_value /data/attributes/tables'])
    assert.equal(gist(hidden).replace(`table ${secret.id}`, 'table #'), gist(await wish([4711]), 4711))
  })

  it('brings nothing back from the trash that they could not create', async () => {
    const id = await service.make(data(), { [f('number')]: 1, [f('pay')]: 'b' })
    await service.change('table', String(table.id), { title_field_id: Number(fieldId('name')) })
    assert.equal((await service.remove(`${data()}/${id}`, guest)).status, 200)
    const [entry] = (await service.get('trash', guest)).json.data
    for (const narrower of [{ write_filter: `gt(${f('number')},5)` }, { read_filter: `gt(${f('number')},5)` }]) {
      await allow(narrower)
      const { status } = await service.call('POST', `trash/${entry.id}/restore`, undefined, guest)
      assert.ok([403, 404].includes(status), String(status))
      assert.equal((await service.get(`${data()}/${id}`)).status, 404)
    }
    await allow({ read: false })
    assert.equal((await service.get('trash', guest)).json.meta.total, 0)
    await allow({})
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`, undefined, guest)).status, 200)
    assert.equal((await service.get(`${data()}/${id}`, guest)).status, 200)
  })

  it('meets no hidden field whose default is taken: what is unique has no default', async () => {
    const answer = await service.change('field', fieldId('pay'), { default_value: 'usual' })
    assert.deepEqual(errorsOf(answer), ['422 field.invalid_value /data/attributes/unique'])
  })
})

describe('a token limited to some tables', () => {
  it('of an administrator changes nothing about their own account, and does not see it', async () => {
    const service = await startService()
    const { id } = await service.table('One')
    const token = await service.tokenOf(1, { tables: [id] })
    const [{ user_id }] = (await service.get('token', token)).json.data.map((one: { attributes: object }) => one.attributes)
    for (const change of [
      { arc: 1 },
      { group_id: 2 },
      { login: 'another' },
      { password: 'password', old_password: 'x' },
      { fio: 'Renamed' },
    ])
      assert.equal((await service.change('user', String(user_id), change, token)).status, 403, JSON.stringify(change))
    assert.equal((await service.get(`user/${user_id}`, token)).status, 403)
    await service.close()
  })
})
