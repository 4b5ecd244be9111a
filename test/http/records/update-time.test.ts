import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { grant } from '../../../src/store/model/access.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { errorsOf, startService, type Answer, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused } from '../../support/scene.ts'

type Names = 'name' | 'code' | 'count' | 'paper' | 'link'

/** The last write of each record, `update_time` (DECISIONS R43, R44). */
describe('update_time', () => {
  let service: Service
  let table: Awaited<ReturnType<typeof makeTable<Names>>>
  let f: Readonly<Record<Names, string>>
  const named = () => `fields[${table.type}]`

  before(async () => {
    service = await startService()
    const made = await makeTable(service, 'Things', {
      name: 'text',
      code: { field_type: 'text', unique: true },
      count: 'text',
      paper: 'file',
    })
    const link = `f${await service.make('field', { table_id: made.id, field_name: 'link', field_type: 'reference', reference_table_id: made.id })}`
    table = { ...made, f: { ...made.f, link } }
    f = table.f
  })
  after(() => service.close())

  /** Lets a minute pass. Returns the time after it, as records show it. */
  function minuteLater(): string {
    service.clock.now += 60_000
    return new Date(service.clock.now).toISOString().slice(0, 19).replace('T', ' ')
  }
  const timesIn = ({ status, text, json }: Answer) => {
    assert.ok(status < 300, text)
    const { add_time, update_time } = json.data.attributes
    return [add_time, update_time]
  }
  const timesOf = async (id: string) => timesIn(await service.get(`${table.type}/${id}?${named()}=add_time,update_time`))
  const updated = async (id: string) => (await timesOf(id))[1]
  const query = (text: string) => `${table.type}?${text}`

  it('is shown where it is named, and nowhere else', async () => {
    const id = await service.make(table.type, { [f.name]: 'one' })
    for (const path of [`${table.type}/${id}`, table.type, `${table.type}/export?fileFormat=csv`, `changes?filter=eq(record_id,${id})`])
      assert.ok(!(await service.get(path)).text.includes('update_time'), path)
    const [one] = (await service.get(query(`${named()}=update_time,${f.name}`))).json.data
    assert.deepEqual(Object.keys(one.attributes), [f.name, 'update_time'])
    const csv = (await service.get(`${table.type}/export?fileFormat=csv&${named()}=${f.name},update_time`)).text
    assert.equal(csv.split('\n')[0], 'id,name,update_time')
    assert.match(csv, new RegExp(`^${id},one,${await updated(id)}$`, 'm'))
  })

  it('is the moment of the create, of each change and of a restore from the trash', async () => {
    const created = minuteLater()
    const body = { data: { type: table.type, attributes: { [f.name]: 'one', [f.code]: 'C1' } } }
    const times = `${named()}=add_time,update_time`
    const made = await service.call('POST', query(times), body)
    assert.deepEqual(timesIn(made), [created, created])
    const { id } = made.json.data
    const changed = minuteLater()
    const patched = await service.change(table.type, id, { [f.name]: 'two' }, undefined, `?${times}`)
    assert.deepEqual(
      [timesIn(patched), await timesOf(id)],
      [
        [created, changed],
        [created, changed],
      ],
    )
    minuteLater()
    assert.equal((await service.change(table.type, id, { [f.name]: 'two' })).status, 200)
    assert.equal(await updated(id), changed, 'a write that changes nothing')
    const upserted = minuteLater()
    const again = { data: { type: table.type, attributes: { [f.name]: 'three', [f.code]: 'C1' } } }
    assert.deepEqual(timesIn(await service.call('POST', query(`upsertBy=${f.code}&${times}`), again)), [created, upserted])
    minuteLater()
    await service.remove(`${table.type}/${id}`)
    const [entry] = (await service.get(`trash?filter=and(eq(kind,'record'),eq(item_id,${id}))`)).json.data
    const restored = minuteLater()
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    assert.equal(await updated(id), restored)
    const filed = minuteLater()
    const file = await service.send('PUT', `/api/dev/file/${table.id}/${f.paper.slice(1)}/${id}/a.txt`, { body: 'text', headers: { 'Content-Type': 'text/plain' } }) // prettier-ignore
    assert.ok(file.status < 300, file.text)
    assert.equal(await updated(id), filed)
  })

  it('is the moment of a change by a filter, of operations, of an undo and of the restore of a version', async () => {
    const ids = [await service.make(table.type, { [f.name]: 'bulk' }), await service.make(table.type, { [f.name]: 'bulk' })]
    const times = () => Promise.all(ids.map(updated))
    const changed = minuteLater()
    const document = { data: { type: table.type, attributes: { [f.count]: '1' } } }
    const { json } = await service.call('PATCH', query(`filter=eq(${f.name},'bulk')`), document)
    assert.deepEqual(await times(), [changed, changed])
    const undone = minuteLater()
    assert.equal((await service.call('POST', `batch/${json.meta.batch_id}/undo`)).status, 200)
    assert.deepEqual(await times(), [undone, undone])
    const patched = minuteLater()
    const data = ids.map((id) => ({ type: table.type, id, attributes: { [f.count]: '2' } }))
    assert.equal((await service.call('PATCH', table.type, { data })).status, 200)
    assert.deepEqual(await times(), [patched, patched])
    const log = (await service.get(`${table.type}/${ids[0]}/history`)).json.data
    const first = log.map(({ id }: { id: string }) => Number(id)).toSorted((a: number, b: number) => a - b)[0]
    const back = minuteLater()
    const answer = await service.call('POST', `${table.type}/${ids[0]}/restore`, { meta: { change: first } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await times(), [back, patched])
  })

  it('is the moment of the import, whenever the records were made; a conversion sets it where it changes values', async () => {
    const imported = minuteLater()
    const granted = grant(['create', 'bulk'], table.id, operator, service.store.catalogue())
    const old = '2001-02-03 04:05:06'
    const rows = ['7', ''].map((count) => new Map([[f.name, 'old'], [f.count, count], ['add_time', old]])) // prettier-ignore
    const [one, other] = (await insertRecords(service.store, granted, rows, { keepsOrigin: true })).map(String) as [string, string]
    assert.deepEqual(
      [await timesOf(one), await timesOf(other)],
      [
        [old, imported],
        [old, imported],
      ],
    )
    const converted = minuteLater()
    const answer = await service.change('field', f.count.slice(1), { field_type: 'integer' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([await updated(one), await updated(other)], [converted, imported])
    const numbered = minuteLater()
    await service.make('field', { table_id: table.id, field_name: 'number', field_type: 'autonumber' })
    assert.deepEqual([await updated(one), await updated(other)], [numbered, numbered])
  })

  it('is read-only', async () => {
    const id = await service.make(table.type, { [f.name]: 'fixed' })
    const now = await updated(id)
    const at = '/data/attributes/update_time'
    refused(await service.change(table.type, id, { update_time: '2020-01-01 00:00:00' }), `400 attribute.read_only ${at}`)
    refused(await service.add(table.type, { update_time: '2020-01-01 00:00:00' }), `400 attribute.read_only ${at}`)
    refused(await service.change(table.type, id, { add_time: '2020-01-01 00:00:00' }), '400 attribute.read_only /data/attributes/add_time')
    // As any value that stays as it is, it may be sent back.
    minuteLater()
    assert.equal((await service.change(table.type, id, { update_time: now, [f.name]: 'other' })).status, 200)
  })

  it('selects, sorts and groups', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      minuteLater()
      ids.push(await service.make(table.type, { [f.name]: name, [f.code]: `sorted ${name}` }))
    }
    const [a, b, c] = ids as [string, string, string]
    const changed = minuteLater()
    await service.change(table.type, a, { [f.name]: 'A' })
    const those = `starts_with(${f.code},'sorted')`
    assert.deepEqual(idsOf(await service.get(query(`filter=${those}&sort=update_time`))), [b, c, a])
    assert.deepEqual(idsOf(await service.get(query(`filter=${those}&sort=-update_time`))), [a, c, b])
    assert.deepEqual(idsOf(await service.get(query(`filter=and(${those},gte(update_time,'${changed}'))`))), [a])
    assert.deepEqual(idsOf(await service.get(query(`filter=and(${those},lt(update_time,'${changed}'))`))), [b, c])
    const found = await service.call('POST', `${table.type}/search?sort=update_time`, { meta: { filter: those } })
    assert.deepEqual(idsOf(found), [b, c, a])
    const figures = `function=count,max:update_time&groupBy=update_time:day`
    const { json } = await service.get(`${table.type}/aggregate?filter=${those}&${figures}`)
    assert.deepEqual([json.meta.all.max.update_time, json.meta.groups.length], [changed, 1])
    // The order is also followed from page to page, and after a change of a record behind the page.
    const page = async (offset: number) =>
      idsOf(await service.get(query(`filter=${those}&sort=update_time&page[limit]=1&page[offset]=${offset}`)))
    assert.deepEqual([await page(0), await page(2)], [[b], [a]])
    minuteLater()
    await service.change(table.type, b, { [f.name]: 'B' })
    assert.deepEqual([await page(0), await page(2)], [[c], [b]])
    const all = query('sort=-update_time&page[limit]=1')
    assert.deepEqual(idsOf(await service.get(all)), [b])
    minuteLater()
    await service.change(table.type, c, { [f.name]: 'C' })
    assert.deepEqual(idsOf(await service.get(all)), [c])
  })

  it('is shown of related records, and followed along a reference', async () => {
    const to = await service.make(table.type, { [f.name]: 'to' })
    const from = await service.make(table.type, { [f.name]: 'from', [f.link]: to })
    const changed = minuteLater()
    await service.change(table.type, to, { [f.name]: 'there' })
    assert.deepEqual(idsOf(await service.get(query(`filter=gte(${f.link}.update_time,'${changed}')`))), [from])
    for (const path of [`${table.type}/${from}/r${f.link.slice(1)}`, `${table.type}/${to}`])
      assert.deepEqual(timesIn(await service.get(`${path}?${named()}=update_time`)), [undefined, changed], path)
    const asked = await service.get(`${table.type}/${from}?include=r${f.link.slice(1)}&${named()}=update_time`)
    assert.deepEqual(asked.json.included[0].attributes, { update_time: changed })
    const back = await service.get(`${table.type}/${to}/${table.type}_r${f.link.slice(1)}?${named()}=update_time`)
    assert.deepEqual(Object.keys(back.json.data[0].attributes), ['update_time'])
  })

  it('is no text that is searched, and no attribute of rules', async () => {
    const id = await service.make(table.type, { [f.name]: 'sought' })
    assert.equal((await service.get(query(`filter=and(eq(id,${id}),search('sought'))`))).json.meta.total, 1)
    const day = (await service.get(`${table.type}/${id}?${named()}=add_time`)).json.data.attributes.add_time.slice(0, 10)
    service.clock.now += 400 * 86_400_000
    await service.change(table.type, id, { [f.name]: 'found' })
    service.clock.now -= 400 * 86_400_000
    assert.equal((await service.get(query(`filter=and(eq(id,${id}),search('${day.slice(0, 4)}'))`))).json.meta.total, 1)
    const year = (await updated(id)).slice(0, 4)
    assert.equal((await service.get(query(`filter=and(eq(id,${id}),search('${year}'))`))).json.meta.total, 0)
    const group = Number(await service.make('group', { group_name: 'Ruled' }))
    const rule = { group_id: group, table_id: table.id, read: true, read_filter: `gte(update_time,'2024-01-01')` }
    assert.deepEqual(errorsOf(await service.add('access', rule))[0]?.split(' ')[0], '422')
  })

  it('stays as it is in a copy of the table', async () => {
    const id = await service.make(table.type, { [f.name]: 'copied' })
    minuteLater()
    await service.change(table.type, id, { [f.name]: 'Copied' })
    const times = await timesOf(id)
    minuteLater()
    const body = { data: { type: 'table', attributes: { table_name: 'Copy' } } }
    const copy = await service.call('POST', `table/${table.id}/copy?withRecords=true`, body)
    assert.equal(copy.status, 201, copy.text)
    const type = `data${copy.json.data.id}`
    assert.deepEqual(timesIn(await service.get(`${type}/${id}?fields[${type}]=add_time,update_time`)), times)
  })

  it('is named by saved filters and views; webhooks cannot name it', async () => {
    const expression = `gte(update_time,'2024-01-01')`
    const id = await service.make('filter', { table_id: table.id, filter_name: 'Changed', expression })
    const all = await service.get(query(`filter=use_filter(${id})&page[limit]=1`))
    assert.equal(all.json.meta.total, (await service.get(query('page[limit]=1'))).json.meta.total)
    const columns = [
      { attribute: f.name, width: 90 },
      { attribute: 'update_time', width: 90 },
    ]
    const view = await service.make('view', { table_id: table.id, view_name: 'Latest', sort: '-update_time', columns, filter: expression })
    const shown = (await service.get(`view/${view}`)).json.data.attributes
    assert.deepEqual([shown.sort, shown.columns, shown.filter], ['-update_time', columns, expression])
    const hook = { url: 'https://example.org/', table_id: table.id, filter: expression }
    const refusal = await service.add('webhook', hook)
    refused(refusal, '422 field.invalid_value /data/attributes/filter')
    assert.equal(refusal.json.errors[0].meta.code, 'filter.unknown_attribute')
  })

  it('can be hidden: by its name, by an allow-list, and with add_time', async () => {
    const group = Number(await service.make('group', { group_name: 'Guests' }))
    const { token } = await person(service, group, 'guest')
    const rule = await service.make('access', { group_id: group, table_id: table.id, create: true, read: true, update: true })
    const id = await service.make(table.type, { [f.name]: 'hidden' })
    const codesOf = (answer: Answer): string[] => (answer.json?.errors ?? []).map(({ code }: { code: string }) => code)
    const codes = async (path: string) => codesOf(await service.get(path, token))
    const sees = async () => {
      const all = [
        await codes(query('filter=eq(update_time,today)')),
        await codes(query('sort=update_time')),
        await codes(query(`${named()}=update_time`)),
        await codes(`${table.type}/aggregate?function=max:update_time`),
        codesOf(await service.change(table.type, id, { update_time: '2020-01-01 00:00:00' }, token)),
      ]
      return all.map(([first]) => first)
    }
    const seen = [undefined, undefined, undefined, undefined, 'attribute.read_only']
    const unknown = ['filter.unknown_attribute', 'sort.unknown_attribute', 'attribute.unknown', 'attribute.unknown', 'attribute.unknown']
    assert.deepEqual(await sees(), seen)
    for (const fields of [{ update_time: 'hidden' }, { add_time: 'hidden' }, { allow: { [f.name]: 'writable', add_time: 'read_only' } }]) {
      assert.equal((await service.change('access', rule, { fields })).status, 200)
      assert.deepEqual(await sees(), unknown, JSON.stringify(fields))
    }
    for (const fields of [{ add_time: 'hidden', update_time: 'read_only' }, { allow: { update_time: 'read_only' } }]) {
      assert.equal((await service.change('access', rule, { fields })).status, 200)
      assert.deepEqual(await sees(), seen, JSON.stringify(fields))
    }
    refused(await service.change('access', rule, { fields: { allow: { update_time: 'writable' } } }), '422 field.invalid_value /data/attributes/fields/allow/update_time') // prettier-ignore
  })
})
