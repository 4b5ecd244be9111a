import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Failures } from '../../../src/errors.ts'
import { grant, type Caller } from '../../../src/store/model/access.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { purgeExpired } from '../../../src/store/structure/trash.ts'
import { startService, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'

/* The section Records of DECISIONS.md. What records.test.ts and concurrency.test.ts pin already is not repeated. */

const EMPTY: Readonly<Record<string, string>> = {
  text: '',
  longtext: '',
  email: '',
  phone: '',
  url: '',
  list: '',
  multilist: '',
  references: '',
  users: '',
  file: '',
  image: '',
  integer: '0',
  autonumber: '0',
  boolean: '0',
  reference: '0',
  user: '0',
  group: '0',
  decimal: '0.00',
  date: '0000-00-00',
  datetime: '0000-00-00 00:00:00',
}
/** What a field of the type cannot be made without. */
const needs = (type: string, of: number): object =>
  type.endsWith('list') ? { options: ['New', 'Won'] } : type.startsWith('reference') ? { reference_table_id: of } : {}

describe('records, as decided', () => {
  let service: Service
  let table: Table
  let other: Table
  const make = (of: Table, values: Readonly<Record<string, unknown>> = {}) => service.make(of.type, named(of, values))
  const add = (of: Table, values: Readonly<Record<string, unknown>>) => service.add(of.type, named(of, values))
  const change = (of: Table, id: string, values: Readonly<Record<string, unknown>>) => service.change(of.type, id, named(of, values))
  const read = async (of: Table, id: string): Promise<Record<string, string>> =>
    (await service.get(`${of.type}/${id}`)).json.data.attributes
  const named = ({ f }: Table, values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [f[name] ?? name, value]))
  const place = (of: Table, name: string) => `/data/attributes/${of.f[name]}`
  const trashed = async (id: string): Promise<string> =>
    (await service.get(`trash?filter=and(eq(kind,'record'),eq(item_id,${id}))&sort=-id`)).json.data[0].id

  before(async () => {
    service = await startService()
    other = await makeTable(service, 'Others', { name: 'text' })
    table = await makeTable(service, 'Things', {
      name: 'text',
      rank: 'integer',
      code: { field_type: 'text', unique: true },
      link: { field_type: 'reference', reference_table_id: other.id },
      links: { field_type: 'references', reference_table_id: other.id },
      choice: { field_type: 'list', options: ['New', 'Won'] },
    })
  })
  after(() => service.close())

  it('with sort, id is the last key, so that ties fall on no two pages', async () => {
    const of = await makeTable(service, 'Ties', { rank: 'integer' })
    for (let i = 0; i < 9; i++) await make(of, { rank: i % 2 })
    const seen = []
    for (const offset of [0, 2, 4, 6, 8])
      seen.push(...idsOf(await service.get(`${of.type}?sort=-${of.f['rank']}&page[limit]=2&page[offset]=${offset}`)))
    assert.deepEqual(seen, ['2', '4', '6', '8', '1', '3', '5', '7', '9'])
    assert.deepEqual(idsOf(await service.get(of.type)), ['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  })

  it('a deleted record is absent from lists and totals', async () => {
    const of = await makeTable(service, 'Going', { name: 'text' })
    const ids = [await make(of), await make(of), await make(of)]
    await service.remove(`${of.type}/${ids[1]}`)
    for (const query of ['', '?filter=gt(id,0)', `?sort=-${of.f['name']}`, '?page[limit]=1']) {
      const { json } = await service.get(of.type + query)
      assert.equal(json.meta.total, 2)
      assert.ok(json.data.every(({ id }: { id: string }) => id !== ids[1]))
    }
  })

  it('ids are never reused, not those of the last record nor of one erased for good', async () => {
    const of = await makeTable(service, 'Ids', { name: 'text' })
    await make(of)
    const last = await make(of)
    await service.remove(`${of.type}/${last}`)
    assert.equal(await make(of), '3')
    await service.remove(`${of.type}/3`)
    assert.equal((await service.remove(`trash/${await trashed('3')}`)).status, 200)
    assert.equal(await make(of), '4')
  })

  it('a deleted record can be restored, with its id, values and files', async () => {
    const of = await makeTable(service, 'Back', { name: 'text', papers: 'file' })
    const id = await make(of, { name: 'kept', papers: [{ file_name: 'a.txt', content: 'bytes' }] })
    const before = await read(of, id)
    await service.remove(`${of.type}/${id}`)
    const answer = await service.call('POST', `trash/${await trashed(id)}/restore`)
    assert.deepEqual([answer.status, answer.json.meta], [200, { kind: 'record', table_id: String(of.id), item_id: id }])
    assert.deepEqual(await read(of, id), before)
    assert.equal((await service.get(`file/${of.id}/${of.f['papers']}/${id}/a.txt`)).text, 'bytes')
    assert.equal((await service.get(of.type)).json.meta.total, 1)
  })

  it('what has lain in the trash for 30 days is gone for good', async () => {
    const id = await make(table, { code: 'purged' })
    await service.remove(`${table.type}/${id}`)
    const entry = await trashed(id)
    const start = service.clock.now
    service.clock.now = start + 30 * 86_400_000
    await purgeExpired(service.store)
    assert.equal((await service.get(`trash/${entry}`)).status, 200)
    service.clock.now += 1000
    await purgeExpired(service.store)
    refused(await service.get(`trash/${entry}`), '404 trash.not_found')
    service.clock.now = start
  })

  it('status is written as 0 or 1, and nothing else', async () => {
    const id = await make(table)
    for (const [sent, shown] of [
      ['1', '1'],
      ['0', '0'],
      [1, '1'],
      [0, '0'],
      [true, '1'],
      [false, '0'],
    ] as const)
      assert.equal((await change(table, id, { status: sent })).json.data.attributes.status, shown, String(sent))
    for (const wrong of ['2', '-1', 2, 'active', '0.5', ['1'], {}])
      refused(await change(table, id, { status: wrong }), '422 field.invalid_value /data/attributes/status')
  })

  it('lists show both active and archived records', async () => {
    const of = await makeTable(service, 'Both', { name: 'text' })
    await make(of, { status: '1' })
    await make(of)
    assert.deepEqual(idsOf(await service.get(of.type)), ['1', '2'])
    assert.deepEqual(idsOf(await service.get(`${of.type}?filter=eq(status,0)`)), ['2'])
  })

  it('user_id is the caller, and an administrator may set it on create and later', async () => {
    const { id: user } = await person(service, 3, 'olga')
    assert.equal((await read(table, await make(table)))['user_id'], '1')
    const id = await make(table, { user_id: user })
    assert.equal((await read(table, id))['user_id'], user)
    assert.equal((await change(table, id, { user_id: '1' })).json.data.attributes.user_id, '1')
    refused(await change(table, id, { user_id: '999' }), '422 field.invalid_value /data/attributes/user_id')
    refused(await change(table, id, { user_id: 'olga' }), '422 field.invalid_value /data/attributes/user_id')
  })

  it('add_time is set once by the service and not writable, on create neither', async () => {
    refused(await add(table, { add_time: '2020-01-01 00:00:00' }), '400 attribute.read_only /data/attributes/add_time')
    const id = await make(table)
    service.clock.now += 3_600_000
    await change(table, id, { name: 'later' })
    assert.equal((await read(table, id))['add_time'], '2024-05-01 09:30:15')
    service.clock.now -= 3_600_000
  })

  it('add_time is in the time zone of the installation', async () => {
    const east = await startService({ timeZone: 'Asia/Yekaterinburg' })
    const of = await makeTable(east, 'East', { met: 'datetime' })
    const answer = await east.add(of.type, { [of.f['met']!]: '2024-05-01T09:30:15Z' })
    const { add_time, ...rest } = answer.json.data.attributes
    assert.deepEqual([add_time, rest[of.f['met']!]], ['2024-05-01 14:30:15', '2024-05-01 14:30:15'])
    await east.close()
  })

  it('an administrator’s import keeps user_id and add_time as they were, and nobody else’s does', async () => {
    const { store } = service
    const { id: user } = await person(service, 3, 'vlad')
    await service.make('access', { group_id: 3, table_id: other.id, create: true, bed: true })
    const row = new Map([
      ['user_id', user],
      ['add_time', '1996-07-04 00:00:00'],
    ])
    const load = (caller: Caller) =>
      insertRecords(store, grant(['create', 'bulk'], other.id, caller, store.catalogue()), [row], {
        keepsOrigin: true,
      })
    const [kept] = await load(operator)
    const { user_id, add_time } = await read(other, String(kept))
    assert.deepEqual([user_id, add_time], [user, '1996-07-04 00:00:00'])
    const [theirs] = await load({ ...operator, userId: Number(user), groupId: 3, administrator: false })
    assert.deepEqual(
      (theirs as Failures).failures.map(({ code, where }) => `${code} ${where.attribute}`),
      ['attribute.read_only add_time'],
    )
  })

  it('an equal value is never validated again: a reference to a record that is gone, an option that is gone', async () => {
    const linked = await make(other)
    const second = await make(other)
    const id = await make(table, { link: linked, links: `-${linked}-${second}-`, choice: 'Won' })
    await service.remove(`${other.type}/${linked}`)
    await service.remove(`trash/${await trashed(linked)}`)
    const field = table.f['choice']!.slice(1)
    await service.change('field', field, { options: ['New'] })
    const shown = await read(table, id)
    assert.deepEqual(
      [shown[table.f['link']!], shown[table.f['links']!], shown[table.f['choice']!]],
      [linked, `-${linked}-${second}-`, 'Won'],
    )
    assert.deepEqual((await service.change(table.type, id, { ...shown, [table.f['name']!]: 'x' })).json.data.attributes, {
      ...shown,
      [table.f['name']!]: 'x',
    })
    assert.equal((await change(table, id, { links: `-${linked}-` })).status, 200, 'an id that stood there may stay')
    refused(await add(table, { link: linked }), `422 field.invalid_value ${place(table, 'link')}`)
    refused(await add(table, { choice: 'Won' }), `422 field.invalid_value ${place(table, 'choice')}`)
    await service.change('field', field, { options: ['New', 'Won'] })
  })

  it('an equal value otherwise spelled changes nothing either', async () => {
    const linked = await make(other)
    const id = await make(table, { rank: '5', link: linked, choice: 'Won' })
    const tag = (await service.get(`${table.type}/${id}`)).headers.get('etag')
    await service.remove(`${other.type}/${linked}`)
    for (const same of [{ rank: '05' }, { rank: 5 }, { rank: '5.0' }, { link: `00${linked}` }, { choice: 'WON' }, { status: false }])
      assert.deepEqual(
        [(await change(table, id, same)).headers.get('etag'), (await change(table, id, same)).status],
        [tag, 200],
        JSON.stringify(same),
      )
    assert.notEqual((await change(table, id, { rank: '6' })).headers.get('etag'), tag)
  })

  it('a number of more than 15 digits is read exactly or refused, never rounded', async () => {
    const sent = (number: string) =>
      service.send('POST', table.path, { body: `{"data":{"type":"${table.type}","attributes":{"${table.f['rank']}":${number}}}}` })
    assert.equal((await sent('123456789012345678')).json.data.attributes[table.f['rank']!], '123456789012345678')
    refused(await sent('1234567890123456789'), `422 field.invalid_value ${place(table, 'rank')}`)
    refused(await sent('123456789012345678.5'), `422 field.invalid_value ${place(table, 'rank')}`)
  })

  it('required: missing or empty on create is 422, and so is emptying it later', async () => {
    const of = await makeTable(service, 'Required', {
      must: { field_type: 'text', required: true },
      link: { field_type: 'reference', reference_table_id: other.id, required: true },
      met: { field_type: 'datetime', required: true },
    })
    const linked = await make(other)
    const whole = { must: 'x', link: linked, met: '2024-05-01' }
    const missing = ['must', 'link', 'met'].map((name) => `422 field.required ${place(of, name)}`)
    refused(await add(of, {}), ...missing)
    refused(await add(of, { must: '', link: '0', met: '0000-00-00 00:00:00' }), ...missing)
    refused(await add(of, { must: null, link: null, met: null }), ...missing)
    const id = await make(of, whole)
    refused(await change(of, id, { must: '' }), missing[0]!)
    refused(await change(of, id, { link: '0', met: '' }), missing[1]!, missing[2]!)
    assert.equal((await change(of, id, { must: 'y' })).status, 200)
  })

  it('required holds too where there is a default and an empty value is sent', async () => {
    const of = await makeTable(service, 'Defaults', { must: { field_type: 'text', required: true, default_value: 'given' } })
    assert.equal((await read(of, await make(of)))[of.f['must']!], 'given')
    refused(await add(of, { must: '' }), `422 field.required ${place(of, 'must')}`)
    refused(await add(of, { must: null }), `422 field.required ${place(of, 'must')}`)
  })

  it('for integer, decimal and boolean required means sent on create: 0 is a value', async () => {
    const of = await makeTable(service, 'Zeros', {
      whole: { field_type: 'integer', required: true },
      exact: { field_type: 'decimal', required: true },
      yes: { field_type: 'boolean', required: true },
    })
    refused(await add(of, {}), ...['whole', 'exact', 'yes'].map((name) => `422 field.required ${place(of, name)}`))
    const id = await make(of, { whole: 0, exact: '0', yes: false })
    assert.equal((await change(of, id, { whole: 5, exact: 5, yes: true })).status, 200)
    assert.equal((await change(of, id, { whole: '0', exact: '', yes: null })).status, 200)
  })

  it('a field that becomes required later asks nothing of the records there are', async () => {
    const of = await makeTable(service, 'Later', { name: 'text', rest: 'text' })
    const id = await make(of)
    await service.change('field', of.f['name']!.slice(1), { required: true })
    assert.equal((await change(of, id, { rest: 'x' })).status, 200)
    assert.equal((await change(of, id, { name: '' })).status, 200, 'equal, so not validated again')
  })

  for (const [type, value, same] of [
    ['text', 'Ёж', 'еж'],
    ['integer', '7', '007'],
    ['decimal', '7.5', '7.50'],
    ['date', '2024-05-01', '2024-05-01T00:00:00Z'],
    ['datetime', '2024-05-01', '2024-05-01 00:00:00'],
    ['email', 'A@example.com', 'a@EXAMPLE.com'],
    ['phone', '+7 (900) 123-45-67', '79001234567'],
    ['url', 'https://example.com/A', 'HTTPS://example.com/a'],
    ['reference', '1', '01'],
  ] as const) {
    it(`unique ${type}: equal values are 409, empty ones never collide, the trash does not count`, async () => {
      if ((await service.get(other.type)).json.meta.total === 0) await make(other)
      const [first] = idsOf(await service.get(other.type))
      const [one, again] = type === 'reference' ? [first!, `0${first}`] : [value, same]
      const of = await makeTable(service, `Unique ${type}`, { key: { field_type: type, unique: true, ...needs(type, other.id) } })
      const id = await make(of, { key: one })
      const conflict = await add(of, { key: again })
      refused(conflict, `409 field.not_unique ${place(of, 'key')}`)
      assert.deepEqual(conflict.json.errors[0].meta, { record_id: id })
      const empty = [await make(of), await make(of, { key: '' }), await make(of, { key: null })]
      refused(await change(of, empty[0]!, { key: again }), `409 field.not_unique ${place(of, 'key')}`)
      assert.equal((await change(of, id, { key: again })).status, 200, 'its own value')
      await service.remove(`${of.type}/${id}`)
      const entry = await trashed(id)
      await make(of, { key: one })
      refused(await service.call('POST', `trash/${entry}/restore`), `409 field.not_unique ${place(of, 'key')}`)
      assert.equal((await service.get(`${of.type}/${id}`)).status, 404)
    })
  }

  it('types whose values cannot be told apart by one key cannot be unique', async () => {
    for (const type of ['longtext', 'boolean', 'list', 'multilist', 'references', 'users', 'group', 'file', 'image']) {
      const answer = await service.add('field', {
        table_id: other.id,
        field_name: 'U',
        field_type: type,
        unique: true,
        ...needs(type, other.id),
      })
      refused(answer, '422 field.invalid_value /data/attributes/unique')
    }
  })

  it('a new reference names a record that exists', async () => {
    const linked = await make(other)
    for (const [name, value] of [
      ['link', '99999'],
      ['links', `-${linked}-99999-`],
      ['links', ['99999', linked]],
    ] as const)
      refused(await add(table, { [name]: value }), `422 field.invalid_value ${place(table, name)}`)
    await service.remove(`${other.type}/${linked}`)
    refused(await add(table, { link: linked }), `422 field.invalid_value ${place(table, 'link')}`)
  })

  it('a field nobody filled in has the empty value of its type', async () => {
    const fields = Object.fromEntries(
      Object.keys(EMPTY)
        .filter((type) => type !== 'autonumber')
        .map((type) => [type, { field_type: type, ...needs(type, other.id) }]),
    )
    const of = await makeTable(service, 'Empties', fields)
    const attributes = await read(of, await make(of))
    for (const type of Object.keys(fields)) assert.equal(attributes[of.f[type]!], EMPTY[type], type)
    const full = {
      text: 'x',
      integer: '5',
      date: '2024-05-01',
      datetime: '2024-05-01 09:30:15',
      list: 'New',
      multilist: 'New',
      user: '1',
      boolean: '1',
    }
    await make(of, full)
    for (const type of Object.keys(fields)) {
      const filters = [
        `is_empty(${of.f[type]})`,
        `not(is_empty(${of.f[type]}))`,
        `eq(${of.f[type]},'${EMPTY[type]}')`,
        `ne(${of.f[type]},'${EMPTY[type]}')`,
      ]
      const [empty, filled, equal, unequal] = await Promise.all(
        filters.map(async (filter) => idsOf(await service.get(`${of.type}?filter=${encodeURIComponent(filter)}`)).join()),
      )
      const expected = type in full ? ['1', '2'] : ['1,2', '']
      assert.deepEqual([empty, filled, equal, unequal], [...expected, ...expected], type)
    }
  })

  it('an empty decimal has as many zeros as its scale', async () => {
    const of = await makeTable(
      service,
      'Scales',
      Object.fromEntries([0, 1, 5, 9].map((scale) => [`s${scale}`, { field_type: 'decimal', scale }])),
    )
    const { f } = of
    const attributes = await read(of, await make(of))
    assert.deepEqual(
      [0, 1, 5, 9].map((scale) => attributes[f[`s${scale}`]!]),
      ['0', '0.0', '0.00000', '0.000000000'],
    )
  })

  it('numbers are exact, up to 18 significant digits, with a scale of 0 to 9', async () => {
    const of = await makeTable(service, 'Exact', {
      amount: 'decimal',
      fine: { field_type: 'decimal', scale: 9 },
      whole: { field_type: 'decimal', scale: 0 },
      count: 'integer',
    })
    for (const [name, sent, shown] of [
      ['amount', '123456789012345.12', '123456789012345.12'],
      ['amount', '9999999999999999.99', '9999999999999999.99'],
      ['amount', '-0.01', '-0.01'],
      ['fine', '123456789.123456789', '123456789.123456789'],
      ['whole', '999999999999999999', '999999999999999999'],
      ['count', '-999999999999999999', '-999999999999999999'],
      ['count', '9007199254740993', '9007199254740993'],
    ] as const) {
      const id = await make(of, { [name]: sent })
      assert.equal((await read(of, id))[of.f[name]!], shown)
      assert.deepEqual(idsOf(await service.get(`${of.type}?filter=eq(${of.f[name]},${sent})`)), [id])
    }
    for (const [name, sent] of [
      ['amount', '10000000000000000.00'],
      ['amount', '1.005'],
      ['fine', '1234567890.123456789'],
      ['whole', '0.5'],
      ['count', '1000000000000000000'],
    ] as const)
      refused(await add(of, { [name]: sent }), `422 field.invalid_value ${place(of, name)}`)
    for (const scale of [-1, 10]) {
      const answer = await service.add('field', { table_id: of.id, field_name: 'S', field_type: 'decimal', scale })
      refused(answer, '422 field.invalid_value /data/attributes/scale')
    }
  })

  it('a key whose first request is still running is 409, and none is made twice', async () => {
    const { store } = service
    const { db } = store
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const write: typeof db.write = async (work) => {
      reached.resolve()
      await gate.promise
      return db.write(work)
    }
    const send = () => service.send('POST', other.path, { body: { data: { type: other.type } }, headers: { 'Idempotency-Key': 'running' } })
    const before = (await service.get(other.type)).json.meta.total
    Object.assign(store, { db: { ...db, write } })
    const first = send()
    await reached.promise
    refused(await send(), '409 idempotency.running Idempotency-Key')
    gate.resolve()
    Object.assign(store, { db })
    assert.equal((await first).status, 201)
    assert.deepEqual((await send()).json, (await first).json)
    assert.equal((await service.get(other.type)).json.meta.total, before + 1)
  })
})
