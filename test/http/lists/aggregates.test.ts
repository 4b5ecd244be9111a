import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { grant } from '../../../src/store/model/access.ts'
import { issueToken } from '../../../src/store/people/tokens.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('aggregates', () => {
  let service: Service
  let people: Table
  let deals: Table
  let f: Readonly<Record<string, string>>
  /** Their ids. */
  let anna: string
  let boris: string

  before(async () => {
    service = await startService()
    people = await makeTable(service, 'People', { name: 'text', town: 'text' })
    deals = await makeTable(service, 'Deals', {
      amount: 'decimal',
      big: 'integer',
      fine: { field_type: 'decimal', scale: 9 },
      day: 'date',
      moment: 'datetime',
      state: { field_type: 'list', options: ['New', 'Won', 'Lost'] },
      who: { field_type: 'reference', reference_table_id: people.id },
      paid: 'boolean',
      note: 'text',
      tags: { field_type: 'multilist', options: ['a', 'b'] },
    })
    f = deals.f
    anna = await service.make(people.type, { [people.f['name']!]: 'Anna', [people.f['town']!]: 'Porto' })
    boris = await service.make(people.type, { [people.f['name']!]: 'Boris', [people.f['town']!]: 'Braga' })
  })
  after(() => service.close())

  const named = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [f[name]!, value]))

  /** Only these records are in the table. */
  async function hold(...records: readonly Readonly<Record<string, string>>[]): Promise<void> {
    for (;;) {
      const { data } = (await service.get(`${deals.type}?page[limit]=50`)).json
      if (data.length === 0) break
      for (const { id } of data) await service.remove(`${deals.type}/${id}`)
    }
    const granted = grant(['create', 'bulk'], deals.id, operator, service.store.catalogue())
    for (let i = 0; i < records.length; i += 500)
      await insertRecords(
        service.store,
        granted,
        records.slice(i, i + 500).map((record) => new Map(Object.entries(named(record)))),
      )
  }

  const ask = (parameters: Readonly<Record<string, string>>, token?: string) =>
    service.get(`${deals.type}/aggregate?${new URLSearchParams(parameters)}`, token)

  async function meta(parameters: Readonly<Record<string, string>>, token?: string) {
    const { status, json, text } = await ask(parameters, token)
    assert.equal(status, 200, text)
    assert.deepEqual(Object.keys(json), ['meta', 'jsonapi'])
    return json.meta
  }
  const groups = async (groupBy: string, more: Readonly<Record<string, string>> = {}, token?: string) =>
    (await meta({ groupBy, ...more }, token)).groups.map(({ value, label, count }: Record<string, unknown>) => [value, label, count])

  it('are a document with meta alone: figures by function and attribute, the whole as `all`', async () => {
    await hold(
      { amount: '10', day: '2024-05-01', state: 'Won' },
      { amount: '2.5', day: '2024-07-15', state: 'Won' },
      { amount: '-1', state: 'New' },
    )
    const asked = { function: `count,sum:${f['amount']},avg:${f['amount']},min:${f['day']},max:${f['day']}`, groupBy: f['state']! }
    const [amount, day] = [f['amount']!, f['day']!]
    assert.deepEqual(await meta(asked), {
      all: { count: 3, sum: { [amount]: '11.50' }, avg: { [amount]: '3.833333333' }, min: { [day]: '2024-05-01' }, max: { [day]: '2024-07-15' } },
      groups: [
        { value: 'New', label: 'New', count: 1, sum: { [amount]: '-1.00' }, avg: { [amount]: '-1.00' }, min: { [day]: null }, max: { [day]: null } },
        { value: 'Won', label: 'Won', count: 2, sum: { [amount]: '12.50' }, avg: { [amount]: '6.25' }, min: { [day]: '2024-05-01' }, max: { [day]: '2024-07-15' } },
      ],
    }) // prettier-ignore
    assert.deepEqual(await meta({}), { all: { count: 3 } })
    assert.deepEqual(await meta({ function: '', groupBy: '' }), { all: { count: 3 } })
    assert.deepEqual(await meta({ function: `max:${amount}` }), { all: { max: { [amount]: '10.00' } } })
    assert.equal((await service.send('HEAD', `${deals.path}/aggregate`)).status, 200)
  })

  it('take every form of filter', async () => {
    await hold({ amount: '10', state: 'Won' }, { amount: '5', state: 'New' })
    const filter = `gt(${f['amount']},7)`
    const saved = await service.make('filter', { table_id: deals.id, filter_name: 'Large', expression: filter })
    for (const asked of [{ filter }, { filter: `use_filter(${saved})` }, { [`filter[${f['amount']}]`]: '>7' }])
      assert.deepEqual(await meta({ ...asked, function: `count,sum:${f['amount']}` }), {
        all: { count: 1, sum: { [f['amount']!]: '10.00' } },
      })
    refused(await ask({ filter: 'eq(f1' }), '400 filter.syntax filter')
    refused(await ask({ filter: 'eq(f9999,1)' }), '400 filter.unknown_attribute filter')
  })

  it('are null where there is no value to compute from, and sums are 0', async () => {
    await hold()
    const all = {
      count: 0,
      sum: { [f['amount']!]: '0.00' },
      avg: { [f['amount']!]: null },
      max: { [f['amount']!]: null, [f['day']!]: null },
    }
    const asked = `count,sum:${f['amount']},avg:${f['amount']},max:${f['amount']},max:${f['day']}`
    assert.deepEqual(await meta({ function: asked }), { all })
    assert.deepEqual(await meta({ function: asked, groupBy: f['state']! }), { all, groups: [] })
  })

  it('are exact beyond 2^63, and beyond what a double holds', async () => {
    const most = '999999999999999999'
    await hold(...Array.from({ length: 25 }, () => ({ big: most, amount: '9999999999999999.99', fine: '-999999999.999999999' })))
    const fields = [f['big']!, f['amount']!, f['fine']!]
    const { sum, avg } = (await meta({ function: fields.flatMap((name) => [`sum:${name}`, `avg:${name}`]).join(',') })).all
    assert.deepEqual(Object.values(sum), ['24999999999999999975', '249999999999999999.75', '-24999999999.999999975'])
    assert.deepEqual(Object.values(avg), [most, '9999999999999999.99', '-999999999.999999999'])
    await hold({ big: '9007199254740993' }, { big: '-1' })
    assert.deepEqual(Object.values((await meta({ function: `sum:${f['big']},min:${f['big']},max:${f['big']}` })).all), [
      { [f['big']!]: '9007199254740992' },
      { [f['big']!]: '-1' },
      { [f['big']!]: '9007199254740993' },
    ])
  })

  it('round averages half away from zero, to nine digits after the point', async () => {
    const average = async (name: string, ...values: readonly string[]) => {
      await hold(...values.map((value) => ({ [name]: value })))
      return (await meta({ function: `avg:${f[name]}` })).all.avg[f[name]!]
    }
    assert.equal(await average('big', '1', '0', '0'), '0.333333333')
    assert.equal(await average('big', '-2', '0', '0'), '-0.666666667')
    assert.equal(await average('big', '3', '5'), '4')
    assert.equal(await average('big', '10', '20'), '15')
    assert.equal(await average('amount', '0.01', '0'), '0.005')
    assert.equal(await average('fine', '0.000000001', '0'), '0.000000001')
    assert.equal(await average('fine', '-0.000000001', '0'), '-0.000000001')
    assert.equal(await average('fine', '0.000000001', '0', '0'), '0.000000000')
    assert.equal(await average('fine', '-0.000000001', '0', '0'), '0.000000000')
  })

  it('group dates by year, quarter, month, week of ISO 8601 and day, and the empty date by itself', async () => {
    const days = ['', '0001-01-01', '2020-12-31', '2021-01-01', '2021-01-03', '2021-01-04', '2024-12-29', '2024-12-30', '9999-12-31']
    await hold(...days.map((day) => ({ day, moment: day && `${day} 23:59:59` })))
    const wanted = {
      year: ['0000', '0001', '2020', '2021', '2024', '9999'],
      quarter: ['0000-Q0', '0001-Q1', '2020-Q4', '2021-Q1', '2024-Q4', '9999-Q4'],
      month: ['0000-00', '0001-01', '2020-12', '2021-01', '2024-12', '9999-12'],
      week: ['0000-W00', '0001-W01', '2020-W53', '2021-W01', '2024-W52', '2025-W01', '9999-W52'],
      day: ['0000-00-00', ...days.slice(1)],
    }
    for (const [period, values] of Object.entries(wanted))
      for (const name of ['day', 'moment']) {
        const found = await groups(`${f[name]}:${period}`)
        assert.deepEqual(found.map(([value]: string[]) => value), values, `${name} ${period}`) // prettier-ignore
        assert.deepEqual(found.map(([, label]: string[]) => label), ['', ...values.slice(1)]) // prettier-ignore
      }
    assert.deepEqual((await groups('add_time:year')).length, 1)
  })

  it('group by option, whatever its case was before it was removed, by number and by yes and no', async () => {
    await hold({ state: 'Won', paid: '1', big: '7' }, { state: 'New', big: '-3' }, { state: 'Won' }, {})
    assert.deepEqual(await groups(f['state']!), [['', '', 1], ['New', 'New', 1], ['Won', 'Won', 2]]) // prettier-ignore
    assert.deepEqual(await groups(f['paid']!), [['0', '0', 3], ['1', '1', 1]]) // prettier-ignore
    assert.deepEqual(await groups(f['big']!), [['-3', '-3', 1], ['0', '0', 2], ['7', '7', 1]]) // prettier-ignore
    assert.deepEqual(await groups('status'), [['0', '0', 4]])
  })

  it('group by references with the titles that the caller may read; for others the label is the id', async () => {
    await hold({ who: anna }, { who: boris }, { who: boris }, {})
    const ids = [['0', '', 1], [anna, 'Anna', 1], [boris, 'Boris', 2]] // prettier-ignore
    assert.deepEqual(await groups(f['who']!), ids)
    const reader = await service.make('group', { group_name: 'Readers' })
    await service.make('access', { group_id: Number(reader), table_id: deals.id, read: true })
    const { id: user, token } = await person(service, Number(reader), 'reader')
    // No right on the other table.
    const unnamed = ids.map(([id, label, count]) => [id, label && id, count])
    assert.deepEqual(await groups(f['who']!, {}, token), unnamed)
    const access = await service.make('access', {
      group_id: Number(reader),
      table_id: people.id,
      read: true,
      read_filter: `eq(${people.f['town']},'Braga')`,
    })
    assert.deepEqual(await groups(f['who']!, {}, token), [ids[0], unnamed[1], ids[2]])
    const hidden = { fields: { [people.f['name']!.slice(1)]: 'hidden' }, read_filter: '' }
    assert.equal((await service.change('access', access, hidden)).status, 200)
    assert.deepEqual(await groups(f['who']!, {}, token), unnamed)
    // A token for one table names nothing of another, whatever its holder may read.
    const limited = await issueToken(service.store, operator, { login: service.first.login, tables: [deals.id] })
    assert.deepEqual(await groups(f['who']!, {}, limited.token), unnamed)
    // A deleted record is as one that the caller may not read.
    const gone = await service.make(people.type, { [people.f['name']!]: 'Gone' })
    await hold({ who: gone })
    await service.remove(`${people.type}/${gone}`)
    assert.deepEqual(await groups(f['who']!), [[gone, gone, 1]])
    // People: those of whom the caller sees the names.
    await hold()
    await service.make(deals.type, {})
    await service.make(deals.type, { user_id: user })
    const first = (await service.get('user')).json.data[0]
    const both = [[first.id, first.attributes.fio || first.id, 1], [user, 'reader', 1]] // prettier-ignore
    const authors = { filter: `in(user_id,'${first.id}','${user}')` }
    assert.deepEqual(await groups('user_id', authors), both)
    assert.deepEqual(await groups('user_id', authors, token), [[first.id, first.id, 1], both[1]])
    assert.deepEqual(
      await groups('user_id', authors, limited.token),
      both.map(([id, , count]) => [id, id, count]),
    )
  })

  it('count only what the caller may read, and hidden attributes do not exist', async () => {
    await hold({ amount: '10', state: 'Won', day: '2024-05-01' }, { amount: '1', state: 'New' }, { amount: '4', state: 'Lost' })
    const group = Number(await service.make('group', { group_name: 'Half' }))
    await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      read_filter: `ne(${f['state']},'Lost')`,
      fields: { [f['amount']!.slice(1)]: 'hidden' },
    })
    const token = await service.tokenOf(group)
    assert.deepEqual(await groups(f['state']!, {}, token), [['New', 'New', 1], ['Won', 'Won', 1]]) // prettier-ignore
    assert.deepEqual(await meta({ filter: `in(${f['state']},'Lost','Won')` }, token), { all: { count: 1 } })
    const unknown = 'f9999'
    for (const [parameter, of] of [
      ['function', (name: string) => `sum:${name}`],
      ['function', (name: string) => `min:${name}`],
      ['groupBy', (name: string) => name],
      ['groupBy', (name: string) => `${name}:month`],
    ] as const) {
      const [hidden, missing] = [await ask({ [parameter]: of(f['amount']!) }, token), await ask({ [parameter]: of(unknown) }, token)]
      refused(hidden, `400 attribute.unknown ${parameter}`)
      const same = (text: string) => text.replaceAll(/"id":"[^"]*"/g, '').replaceAll(unknown, f['amount']!)
      assert.equal(same(hidden.text), same(missing.text))
    }
    const nobody = await service.tokenOf(Number(await service.make('group', { group_name: 'None' })))
    refused(await ask({ function: 'nonsense' }, nobody), '404 table.not_found')
    refused(await service.get('data9999/aggregate'), '404 table.not_found')
  })

  it('refuse what they do not know, each at its parameter', async () => {
    const { note, tags, state, who, day, amount } = f as Record<string, string>
    for (const wrong of ['sum', 'count,', 'count:f1', 'median:f1', 'constructor:f1', `sum:${note}`, `sum:${state}`, `avg:${who}`, `sum:${day}`, `min:${note}`, 'count,count', `sum:${amount},sum:${amount}`, 'COUNT'])
      refused(await ask({ function: wrong }), '400 parameter.invalid function') // prettier-ignore
    refused(await ask({ function: 'sum:f9999' }), '400 attribute.unknown function')
    for (const wrong of [note, tags, day, `${day}:hour`, `${day}:constructor`, `${day}:`, `${state}:month`])
      refused(await ask({ groupBy: wrong! }), '400 parameter.invalid groupBy')
    refused(await ask({ groupBy: `${state},${day}` }), '400 attribute.unknown groupBy')
    refused(await ask({ 'page[limit]': '5' }), '400 parameter.unknown page[limit]')
    refused(await ask({ sort: 'id' }), '400 parameter.unknown sort')
    refused(await service.get(`${deals.type}/aggregate?groupBy=${state}&groupBy=${state}`), '400 parameter.repeated groupBy')
    assert.equal((await service.call('POST', `${deals.type}/aggregate`, { meta: {} })).status, 405)
  })

  it(`have at most ${limits.aggregateGroups.most} groups; more are refused, not cut off`, async () => {
    const { most } = limits.aggregateGroups
    await hold(...Array.from({ length: most }, (_, i) => ({ big: String(i + 1) })))
    const found = await groups(f['big']!)
    assert.deepEqual([found.length, found[0], found.at(-1)], [most, ['1', '1', 1], [String(most), String(most), 1]])
    await service.make(deals.type, {})
    refused(await ask({ groupBy: f['big']! }), '400 aggregate.too_many_groups groupBy')
    assert.equal((await groups(f['big']!, { filter: `gt(${f['big']},0)` })).length, most)
    // By thread: the table is large now.
    assert.deepEqual(await meta({ function: `count,sum:${f['big']}` }), { all: { count: 1_001, sum: { [f['big']!]: '500500' } } })
  })
})
