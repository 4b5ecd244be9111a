import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { grant } from '../../../src/store/model/access.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

type Values = Readonly<Record<string, unknown>>

describe('changes and deletes by a filter', () => {
  let service: Service
  let table: Table
  let f: Readonly<Record<'name' | 'count' | 'code' | 'paper', string>>

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    const made = await makeTable(service, 'Things', {
      name: { field_type: 'text', required: true },
      count: 'integer',
      code: { field_type: 'text', unique: true },
      paper: 'file',
    })
    table = made
    f = made.f
  })
  after(() => service.close())

  /** Records whose count is 0, 1, 2, 0, 1, 2 … */
  async function fill(records: number): Promise<void> {
    const granted = grant(['create', 'bulk'], table.id, operator, service.store.catalogue())
    for (let i = 0; i < records; i += 2_000) {
      const some = Array.from({ length: Math.min(2_000, records - i) }, (_, n) => new Map([[f.name, `n${i + n}`], [f.count, String((i + n) % 3)]])) // prettier-ignore
      await insertRecords(service.store, granted, some)
    }
  }
  const address = (filter: string, more = '') => `${table.type}?filter=${encodeURIComponent(filter)}${more}`
  const patch = (filter: string, attributes: Values, token?: string, more?: string) =>
    service.call('PATCH', address(filter, more), { data: { type: table.type, attributes } }, token)
  const remove = (filter: string, token?: string, more?: string) => service.remove(address(filter, more), token)
  const total = async (filter: string) => (await service.get(address(filter, '&page[limit]=1'))).json.meta.total
  const meta = (answer: Answer) => {
    assert.equal(answer.status, 200, answer.text)
    return answer.json.meta
  }

  it('changes all records that match, as one batch, which an undo takes back', async () => {
    await fill(240)
    const done = meta(await patch(`eq(${f.count},1)`, { [f.name]: 'one', [f.paper]: [{ file_name: 'a.txt', content: 'paper' }] }))
    assert.deepEqual(
      { ...done, batch_id: typeof done.batch_id },
      { batch_id: 'number', done: true, records: 80, refused: 0, left_out: 0, listed: [] },
    )
    assert.deepEqual([await total(`eq(${f.name},'one')`), await total(`eq(${f.paper},'a.txt')`), await total('')], [80, 80, 240])
    const { json } = await service.get(`batch/${done.batch_id}`)
    assert.equal(json.data.attributes.records, 80)
    const undone = meta(await service.call('POST', `batch/${done.batch_id}/undo`))
    assert.deepEqual([undone.records, undone.conflicts, undone.done], [80, 0, true])
    assert.deepEqual(
      [await total(`eq(${f.name},'one')`), await total(`starts_with(${f.name},'n')`), await total(`is_empty(${f.paper})`)],
      [0, 240, 240],
    )
  })

  it('deletes all records that match, as one batch, which an undo takes back', async () => {
    await fill(200)
    const done = meta(await remove(`in(${f.count},0,2)`))
    assert.deepEqual([done.records, done.done, await total('')], [133, true, 67])
    const undone = meta(await service.call('POST', `batch/${done.batch_id}/undo`))
    assert.deepEqual([undone.records, await total('')], [133, 200])
    // The older form of a filter.
    assert.equal(meta(await service.remove(`${table.type}?filter[${f.count}]=1`)).records, 67)
    assert.deepEqual(meta(await remove(`eq(${f.count},7)`)), {
      batch_id: null,
      done: true,
      records: 0,
      refused: 0,
      left_out: 0,
      listed: [],
    })
  })

  it('a dry run counts them and shows the first twenty, and changes nothing', async () => {
    await fill(90)
    for (const tried of [
      await patch(`eq(${f.count},1)`, { [f.name]: 'x' }, undefined, '&dryRun=true'),
      await remove(`eq(${f.count},1)`, undefined, '&dryRun=true'),
    ]) {
      assert.deepEqual(meta(tried), { records: 30 })
      assert.deepEqual(tried.json.data.map((one: Answer['json']) => one.attributes[f.name]), Array.from({ length: 20 }, (_, i) => `n${1 + 3 * i}`)) // prettier-ignore
    }
    assert.deepEqual([await total(`eq(${f.name},'x')`), await total('')], [0, 90])
    refused(
      await patch(`eq(${f.count},1)`, { [f.count]: 'x' }, undefined, '&dryRun=true'),
      `422 field.invalid_value /data/attributes/${f.count}`,
    )
  })

  it('needs a filter, a document without an id, and values that fit', async () => {
    await fill(6)
    const data = { type: table.type, attributes: { [f.count]: 5 } }
    const sent = (query: string, document: unknown) => service.call('PATCH', `${table.type}${query}`, { data: document })
    for (const query of ['', '?filter=', '?filter=%20', '?dryRun=true']) {
      refused(await sent(query, data), query === '?filter=%20' ? '400 filter.syntax filter' : '400 parameter.missing filter')
      if (query !== '?filter=%20') refused(await service.remove(`${table.type}${query}`), '400 parameter.missing filter')
    }
    refused(await sent('?filter=eq(status,0)', { ...data, id: '1' }), '403 document.client_id /data/id')
    refused(await sent('?filter=eq(status,0)', [data]), '400 document.invalid_member /data')
    refused(await sent('?filter=eq(status,0)', { ...data, type: 'data99' }), '409 document.wrong_type /data/type')
    refused(await sent('?filter=eq(f9999,0)', data), '400 filter.unknown_attribute filter')
    refused(await sent('?filter=eq(status,0)&dryRun=x', data), '400 parameter.invalid dryRun')
    refused(await sent('?filter=eq(status,0)&sort=id', data), '400 parameter.unknown sort')
    refused(await patch('eq(status,0)', { [f.count]: 'x', f9999: '' }), '400 attribute.unknown /data/attributes/f9999')
    refused(await patch('eq(status,0)', { [f.count]: 'x' }), `422 field.invalid_value /data/attributes/${f.count}`)
    refused(await patch('eq(status,0)', { add_time: '2020-01-01' }), '400 attribute.read_only /data/attributes/add_time')
    refused(await patch('eq(status,0)', { [f.code]: 'same' }), `409 field.not_unique /data/attributes/${f.code}`)
    assert.equal(meta(await patch(`eq(${f.name},'n3')`, { [f.code]: 'same' })).records, 1)
    assert.equal(await total(`eq(${f.count},5)`), 0)
  })

  it('changes what the caller may read and write, and lists what they may not write', async () => {
    await fill(9)
    const token = async (rights: Values) => {
      const group = Number(await service.make('group', { group_name: table.type + JSON.stringify(rights) }))
      await service.make('access', { group_id: group, table_id: table.id, ...rights })
      return service.tokenOf(group)
    }
    const all = { read: true, update: true, delete: true, bed: true }
    for (const lacking of ['read', 'update', 'bed']) refused(await patch('eq(status,0)', {}, await token({ ...all, [lacking]: false })), '403 access.denied') // prettier-ignore
    for (const lacking of ['read', 'delete', 'bed']) refused(await remove('eq(status,0)', await token({ ...all, [lacking]: false })), '403 access.denied') // prettier-ignore
    const some = await token({
      ...all,
      read_filter: `ne(${f.count},0)`,
      write_filter: `ne(${f.name},'n1')`,
      fields: { [f.code.slice(1)]: 'hidden' },
    })
    refused(await patch(`eq(${f.code},'x')`, { [f.count]: 7 }, some), '400 filter.unknown_attribute filter')
    refused(await patch('eq(status,0)', { [f.code]: 'x' }, some), `400 attribute.unknown /data/attributes/${f.code}`)
    assert.equal(meta(await patch('eq(status,0)', { [f.count]: 7 }, some, '&dryRun=true')).records, 6)
    const { listed, ...done } = meta(await patch('eq(status,0)', { [f.count]: 7 }, some))
    assert.deepEqual([done.records, done.refused, done.done], [5, 1, true])
    assert.deepEqual(listed, [{ id: '2', code: 'access.denied', detail: `You may not write this record of table ${table.id}.` }])
    assert.deepEqual([await total(`eq(${f.count},7)`), await total(`eq(${f.count},0)`)], [5, 3])
    const gone = meta(await remove('eq(status,0)', some))
    assert.deepEqual([gone.records, gone.refused, await total('')], [5, 1, 4])
    // A required field that is emptied: each record says so.
    const empty = meta(await patch('eq(status,0)', { [f.name]: '' }))
    assert.deepEqual([empty.records, empty.refused, empty.batch_id, empty.listed[0].code], [0, 4, null, 'field.required'])
  })

  describe('that steps along a reference into the table itself', () => {
    let r: string
    beforeEach(async () => {
      r = `f${await service.make('field', { table_id: table.id, field_name: 'Above', field_type: 'reference', reference_table_id: table.id })}`
      await fill(1)
      meta(await patch('eq(id,1)', { [r]: '1' }))
      const granted = grant(['create', 'bulk'], table.id, operator, service.store.catalogue())
      await insertRecords(service.store, granted, Array.from({ length: 119 }, () => new Map([[f.name, 'below'], [f.count, '0'], [r, '1']]))) // prettier-ignore
    })

    it('writes all that matched when it began, whatever it changes of them', async () => {
      const below = `gte(${r}.${f.count},0)`
      const changed = meta(await patch(below, { [f.count]: -1 }))
      assert.deepEqual([changed.records, changed.refused, changed.left_out, changed.done], [120, 0, 0, true])
      const gone = meta(await remove(`or(eq(${r}.${f.count},-1),eq(${f.count},9))`))
      assert.deepEqual([gone.records, gone.left_out, await total('')], [120, 0, 0])
    })

    it('is refused where it becomes a job, which reads what matches in parts', async () => {
      const { most } = limits.bulkRecords
      Object.assign(limits.bulkRecords, { most: 20 })
      try {
        for (const filter of [`gte(${r}.${f.count},0)`, `not(and(eq(status,0),lt(${r}.${f.count},0)))`])
          for (const asked of [await patch(filter, { [f.count]: 7 }), await remove(filter)])
            refused(asked, '400 filter.step_into_itself filter')
      } finally {
        Object.assign(limits.bulkRecords, { most })
      }
    })
  })

  it('refuses a reference to nothing for each record that does not have it already', async () => {
    const all = `f${await service.make('field', { table_id: table.id, field_name: 'All', field_type: 'references', reference_table_id: table.id })}`
    await fill(6)
    assert.equal(meta(await patch('lte(id,2)', { [all]: ['5', '6'] })).records, 2)
    assert.equal((await service.remove(`${table.type}/6`)).status, 200)
    const some = meta(await patch('lte(id,4)', { [all]: ['6', '1'] }))
    assert.deepEqual([some.records, some.refused, some.listed[0].id, some.listed[0].code], [2, 2, '3', 'field.invalid_value'])
  })

  it(`of more than ${limits.bulkRecords.most} records it becomes a job, and nothing is changed at once`, async () => {
    const { most } = limits.bulkRecords
    Object.assign(limits.bulkRecords, { most: 20 })
    try {
      await fill(21)
      for (const asked of [await patch('eq(status,0)', { [f.count]: 7 }), await remove('eq(status,0)')])
        assert.deepEqual([asked.status, asked.json.data.type, asked.json.data.attributes.state], [202, 'job', 'queued'])
      assert.equal(meta(await remove('eq(status,0)', undefined, '&dryRun=true')).records, 21)
      assert.deepEqual([await total('eq(status,0)'), await total(`eq(${f.count},7)`)], [21, 0])
    } finally {
      Object.assign(limits.bulkRecords, { most })
    }
  })
})
