import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { join, sql } from '../../../src/sql/sql.ts'
import { startService, type Service } from '../../support/service.ts'
import { body, idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'

/* The section Structure of DECISIONS.md. What resources.test.ts pins already is not repeated. */

const jsonapi = { version: '1.1' }
const place = (name: string) => `/data/attributes/${name}`

/** Of each type of resource: its attributes in their order, and what one more is made of. */
const RESOURCES: Readonly<Record<string, { attributes: string; make(i: number, table: Table): object }>> = {
  table: {
    attributes: 'table_name category_id category_sequence_number full_name title_field_id',
    make: (i) => ({ table_name: `Table ${i}` }),
  },
  field: {
    attributes:
      'table_id int_name field_name field_type sequence_number required unique default_value hint section max_length scale min max options reference_table_id file_extensions max_files max_kilobytes',
    make: (i, table) => ({ table_id: table.id, field_name: `Field ${i}`, field_type: 'text' }),
  },
  category: { attributes: 'category_name sequence_number', make: (i) => ({ category_name: `Category ${i}` }) },
  filter: {
    attributes: 'table_id filter_name expression user_id',
    make: (i, table) => ({ table_id: table.id, filter_name: `Filter ${i}`, expression: 'eq(status,0)' }),
  },
  group: { attributes: 'group_name', make: (i) => ({ group_name: `Group ${i}` }) },
  access: {
    attributes:
      'group_id table_id create read update delete archive bed print sms send free_sms_template free_mail_template standart_template read_filter write_filter fields assignable',
    make: (i, table) => ({ group_id: i + 2, table_id: table.id }),
  },
  user: { attributes: 'fio e_mail login group_id arc', make: (i) => ({ fio: `User ${i}`, login: `user${i}` }) },
  token: { attributes: 'name user_id scope tables created expires_at last_used session', make: () => ({}) },
  invitation: { attributes: 'user_id created expires_at', make: (i) => ({ user_id: i + 1 }) },
}

describe('structure, as decided', () => {
  let service: Service
  let table: Table
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Companies', { name: 'text' })
    for (let i = 1; i <= 5; i++) {
      for (const [type, { make }] of Object.entries(RESOURCES))
        if (type === 'token') await service.add('token', service.first, null)
        else await service.make(type, make(i, table))
    }
  })
  after(() => service.close())

  for (const [type, { attributes }] of Object.entries(RESOURCES)) {
    describe(`the list of type ${type}`, () => {
      it('has the envelope of the contract, and its attributes in their order', async () => {
        const answer = await service.get(`${type}?page[limit]=1`)
        const { data, links, meta } = answer.json
        assert.deepEqual(Object.keys(data[0].attributes), attributes.split(' '))
        body(answer, 200, { data, links, meta, jsonapi })
        assert.deepEqual([data[0].type, data[0].links.self], [type, `/api/dev/${type}/${data[0].id}`])
        body(await service.send('GET', data[0].links.self), 200, { data: data[0], jsonapi })
      })

      it('pages at every edge as records do', async () => {
        const { total } = (await service.get(type)).json.meta
        assert.ok(total >= 5)
        const seen: string[] = []
        let next: string | undefined = `/api/dev/${type}?page[limit]=2&sort=-id`
        while (next) {
          const answer: Awaited<ReturnType<Service['send']>> = await service.send('GET', next)
          seen.push(...idsOf(answer))
          assert.equal(answer.json.meta.limit, '2')
          next = answer.json.links.next?.slice(service.url.length)
        }
        assert.equal(seen.length, total)
        assert.deepEqual(
          seen,
          seen.toSorted((a, b) => Number(b) - Number(a)),
        )
        const at = (offset: number) => `${service.url}/api/dev/${type}?page%5Blimit%5D=2&page%5Boffset%5D=${offset}`
        const last = Math.floor((total - 1) / 2) * 2
        const end = await service.get(`${type}?page[limit]=2&page[offset]=${last}`)
        assert.deepEqual(end.json.links, { self: at(last), first: at(0), prev: at(last - 2), last: at(last) })
        const beyond = await service.get(`${type}?page[limit]=2&page[offset]=${total + 50}`)
        assert.deepEqual([beyond.json.data, beyond.json.links.next, beyond.json.links.prev], [[], undefined, at(last)])
        const none = await service.get(`${type}?filter=lt(id,0)`)
        assert.deepEqual([none.json.data, none.json.meta], [[], { offset: 0, limit: '20', total: 0 }])
        assert.equal((await service.get(`${type}?page[limit]=99`)).json.meta.limit, '50')
        refused(await service.get(`${type}?page[limit]=0`), '400 parameter.invalid page[limit]')
      })

      it('takes back what it shows, and changes nothing by it', async () => {
        const [one] = (await service.get(`${type}?sort=-id&page[limit]=1`)).json.data
        if (type === 'invitation') refused(await service.change(type, one.id, one.attributes), '405 request.wrong_method')
        else body(await service.change(type, one.id, one.attributes), 200, { data: one, jsonapi })
      })

      it('does not know ids that are no ids', async () => {
        for (const id of ['0', '01', '-1', 'x', '99999', '99999999999999999999'])
          assert.equal((await service.get(`${type}/${id}`)).status, 404, id)
      })

      it('names unknown attributes with 400', async () => {
        const [one] = (await service.get(`${type}?sort=-id&page[limit]=1`)).json.data
        if (type !== 'invitation')
          refused(await service.change(type, one.id, { nonsense: 1 }), `400 attribute.unknown ${place('nonsense')}`)
        if (type !== 'token') assert.equal((await service.add(type, { nonsense: 1 })).json.errors[0].code, 'attribute.unknown')
      })
    })
  }

  it('what is required on create: names, the table, the type, and what the type needs', async () => {
    refused(await service.add('table', {}), `422 field.required ${place('table_name')}`)
    refused(await service.add('table', { table_name: '' }), `422 field.required ${place('table_name')}`)
    refused(await service.add('field', {}), ...['table_id', 'field_name', 'field_type'].map((name) => `422 field.required ${place(name)}`))
    const field = (field_type: string) => service.add('field', { table_id: table.id, field_name: 'X', field_type })
    for (const type of ['list', 'multilist']) refused(await field(type), `422 field.invalid_value ${place('options')}`)
    for (const type of ['reference', 'references']) refused(await field(type), `422 field.invalid_value ${place('reference_table_id')}`)
    refused(await service.add('category', {}), `422 field.required ${place('category_name')}`)
    refused(await service.add('group', {}), `422 field.required ${place('group_name')}`)
    refused(await service.add('user', {}), `422 field.required ${place('login')}`)
    refused(
      await service.add('filter', {}),
      ...['table_id', 'filter_name', 'expression'].map((name) => `422 field.required ${place(name)}`),
    )
    refused(await service.add('access', {}), ...['group_id', 'table_id'].map((name) => `422 field.required ${place(name)}`))
  })

  it('attributes are real JSON types: text for a number is 422', async () => {
    refused(await service.add('table', { table_name: 'X', category_id: '0' }), `422 field.invalid_value ${place('category_id')}`)
    refused(await service.add('table', { table_name: 7 }), `422 field.invalid_value ${place('table_name')}`)
    refused(await service.add('access', { group_id: 3, table_id: table.id, read: 1 }), `422 field.invalid_value ${place('read')}`)
    refused(await service.add('user', { login: 'x', arc: true }), `422 field.invalid_value ${place('arc')}`)
    refused(
      await service.add('field', { table_id: table.id, field_name: 'X', field_type: 'text', required: 'yes' }),
      `422 field.invalid_value ${place('required')}`,
    )
  })

  it('the first text field names a record, until another is chosen, and the next when it goes', async () => {
    const of = await makeTable(service, 'Titles', { count: 'integer', first: 'text', second: 'text' })
    const title = async () => (await service.get(`table/${of.id}`)).json.data.attributes.title_field_id
    const id = (name: string) => Number(of.f[name]!.slice(1))
    assert.equal(await title(), id('first'))
    await service.change('table', String(of.id), { title_field_id: id('count') })
    assert.equal(await title(), id('count'))
    refused(
      await service.change('table', String(of.id), { title_field_id: Number(table.f['name']!.slice(1)) }),
      `422 field.invalid_value ${place('title_field_id')}`,
    )
    await service.change('table', String(of.id), { title_field_id: id('first') })
    await service.remove(`field/${id('first')}`)
    assert.equal(await title(), id('second'))
  })

  it('a category orders tables; deleting it leaves them without', async () => {
    const category_id = Number(await service.make('category', { category_name: 'Sales', sequence_number: 3 }))
    const first = await service.make('table', { table_name: 'One', category_id })
    const second = await service.make('table', { table_name: 'Two', category_id })
    const of = async (id: string) => {
      const { attributes } = (await service.get(`table/${id}`)).json.data
      return [attributes.category_id, attributes.category_sequence_number]
    }
    assert.deepEqual(
      [await of(first), await of(second)],
      [
        [category_id, 1],
        [category_id, 2],
      ],
    )
    assert.deepEqual(idsOf(await service.get(`table?filter=eq(category_id,${category_id})&sort=-category_sequence_number`)), [
      second,
      first,
    ])
    await service.remove(`category/${category_id}`)
    assert.equal((await of(first))[0], 0)
  })

  describe('the trash', () => {
    const entries = async (kind: string, item: number | string) =>
      (await service.get(`trash?filter=and(eq(kind,'${kind}'),eq(item_id,${item}))`)).json.data as {
        id: string
        attributes: Record<string, unknown>
      }[]

    it('has a deleted table with all it held, and gives it back', async () => {
      const of = await makeTable(service, 'Going', { name: 'text', papers: 'file' })
      const record = await service.make(of.type, { [of.f['name']!]: 'kept', [of.f['papers']!]: [{ file_name: 'a', content: 'x' }] })
      const filter = await service.make('filter', { table_id: of.id, filter_name: 'F', expression: 'eq(status,0)' })
      const rule = await service.make('access', { group_id: 3, table_id: of.id, read: true })
      const link = await service.make('field', {
        table_id: table.id,
        field_name: 'Link',
        field_type: 'reference',
        reference_table_id: of.id,
      })
      const linked = await service.make(table.type, { [`f${link}`]: record })
      const answer = await service.remove(`table/${of.id}`)
      body(answer, 200, { meta: {}, jsonapi })
      for (const path of [
        `table/${of.id}`,
        of.type,
        `${of.type}/${record}`,
        `filter/${filter}`,
        `access/${rule}`,
        `field/${of.f['name']!.slice(1)}`,
      ])
        assert.equal((await service.get(path)).status, 404, path)
      for (const [type, column] of [
        ['table', 'id'],
        ['field', 'table_id'],
        ['filter', 'table_id'],
        ['access', 'table_id'],
      ] as const)
        assert.equal((await service.get(`${type}?filter=eq(${column},${of.id})`)).json.meta.total, 0, type)
      assert.equal((await service.get('')).json.links[of.type], undefined)
      assert.equal((await service.get(`${table.type}/${linked}`)).json.data.attributes[`f${link}`], record)
      const [entry] = await entries('table', of.id)
      assert.deepEqual(entry!.attributes, {
        kind: 'table',
        table_id: of.id,
        item_id: of.id,
        title: 'Going',
        deleted: '2024-05-01 09:30:15',
        user_id: 1,
      })
      const restored = await service.call('POST', `trash/${entry!.id}/restore`)
      assert.deepEqual([restored.status, restored.json.meta], [200, { kind: 'table', table_id: String(of.id), item_id: String(of.id) }])
      for (const path of [
        `table/${of.id}`,
        `${of.type}/${record}`,
        `filter/${filter}`,
        `access/${rule}`,
        `file/${of.id}/${of.f['papers']}/${record}/a`,
      ])
        assert.equal((await service.get(path)).status, 200, path)
      assert.equal((await service.get(of.type)).json.meta.total, 1)
      assert.equal((await entries('table', of.id)).length, 0)
    })

    it('erases a table for good, with what lay in the trash of it', async () => {
      const of = await makeTable(service, 'Secret', { name: 'text' })
      const record = await service.make(of.type, { [of.f['name']!]: 'secret' })
      await service.remove(`${of.type}/${record}`)
      await service.remove(`table/${of.id}`)
      const [entry] = await entries('table', of.id)
      assert.equal((await service.remove(`trash/${entry!.id}`)).status, 200)
      assert.equal((await service.get(`trash?filter=eq(table_id,${of.id})`)).json.meta.total, 0)
      refused(await service.call('POST', `trash/${entry!.id}/restore`), '404 trash.not_found')
      assert.notEqual(await service.make('table', { table_name: 'Next' }), String(of.id))
    })

    it('keeps a field with its values, settings and options, for records made meanwhile too', async () => {
      const of = await makeTable(service, 'Fields', { choice: { field_type: 'list', options: ['New', 'Won'] }, rest: 'text' })
      const field = of.f['choice']!
      const record = await service.make(of.type, { [field]: 'Won' })
      const before = (await service.get(`field/${field.slice(1)}`)).json
      await service.remove(`field/${field.slice(1)}`)
      refused(await service.add(of.type, { [field]: 'Won' }), `400 attribute.unknown ${place(field)}`)
      refused(await service.get(`${of.type}?filter=eq(${field},'Won')`), '400 filter.unknown_attribute filter')
      const later = await service.make(of.type, {})
      const [entry] = await entries('field', field.slice(1))
      await service.call('POST', `trash/${entry!.id}/restore`)
      assert.deepEqual((await service.get(`field/${field.slice(1)}`)).json, before)
      const values = await Promise.all(
        [record, later].map(async (id) => (await service.get(`${of.type}/${id}`)).json.data.attributes[field]),
      )
      assert.deepEqual(values, ['Won', ''])
    })

    it('erases a record for good, on an administrator’s explicit command', async () => {
      const record = await service.make(table.type, { [table.f['name']!]: 'private' })
      await service.remove(`${table.type}/${record}`)
      const [entry] = await entries('record', record)
      assert.equal(entry!.attributes['title'], 'private')
      assert.equal((await service.remove(`trash/${entry!.id}`)).status, 200)
      refused(await service.get(`trash/${entry!.id}`), '404 trash.not_found')
      refused(await service.call('POST', `trash/${entry!.id}/restore`), '404 trash.not_found')
    })

    it('a record of a table in the trash cannot be restored by itself', async () => {
      const of = await makeTable(service, 'Gone', { name: 'text' })
      const record = await service.make(of.type, {})
      await service.remove(`${of.type}/${record}`)
      const [entry] = await entries('record', record)
      await service.remove(`table/${of.id}`)
      assert.equal((await service.call('POST', `trash/${entry!.id}/restore`)).status, 404)
    })

    it('shows users the records they deleted themselves; they restore them with the right to delete', async () => {
      const { token } = await person(service, 3, 'clem')
      const of = await makeTable(service, 'Shared', { name: 'text' })
      const rule = await service.make('access', { group_id: 3, table_id: of.id, read: true, delete: true })
      const [mine, other] = [await service.make(of.type, {}), await service.make(of.type, {})]
      await service.remove(`${of.type}/${mine}`, token)
      await service.remove(`${of.type}/${other}`)
      const seen = (await service.get('trash', token)).json.data
      assert.deepEqual(
        seen.map(({ attributes }: { attributes: { item_id: number } }) => attributes.item_id),
        [Number(mine)],
      )
      const [hidden] = (await service.get(`trash?filter=and(eq(table_id,${of.id}),eq(item_id,${other}))`)).json.data
      refused(await service.call('POST', `trash/${hidden.id}/restore`, undefined, token), '404 trash.not_found')
      await service.change('access', rule, { delete: false })
      refused(await service.call('POST', `trash/${seen[0].id}/restore`, undefined, token), '403 access.denied')
      await service.change('access', rule, { delete: true, write_filter: 'eq(status,1)' })
      refused(await service.call('POST', `trash/${seen[0].id}/restore`, undefined, token), '403 access.denied')
      await service.change('access', rule, { write_filter: '' })
      assert.equal((await service.call('POST', `trash/${seen[0].id}/restore`, undefined, token)).status, 200)
      assert.equal((await service.get(`${of.type}/${mine}`, token)).status, 200)
    })
  })

  describe('a field that changes', () => {
    it('converts its values, or is 409 with what would be lost', async () => {
      const of = await makeTable(service, 'Convert', { it: 'text' })
      const id = of.f['it']!.slice(1)
      for (const value of ['1', '2.50', 'many', '']) await service.make(of.type, { [`f${id}`]: value })
      const refusal = await service.change('field', id, { field_type: 'integer' })
      refused(refusal, `409 field.would_lose_data ${place('field_type')}`)
      assert.deepEqual(refusal.json.errors[0].meta, {
        count: 2,
        examples: [
          { record_id: '2', value: '2.50' },
          { record_id: '3', value: 'many' },
        ],
      })
      assert.equal((await service.get(`field/${id}`)).json.data.attributes.field_type, 'text')
      assert.equal((await service.change('field', id, { field_type: 'decimal' }, undefined, '?convertMode=lossy')).status, 200)
      const values = (await service.get(of.type)).json.data.map(
        ({ attributes }: { attributes: Record<string, string> }) => attributes[`f${id}`],
      )
      assert.deepEqual(values, ['1.00', '2.50', '0.00', '0.00'])
    })

    it('to a list takes the values there are as options', async () => {
      const of = await makeTable(service, 'To list', { it: 'text' })
      const id = of.f['it']!.slice(1)
      for (const value of ['new', 'Won', 'NEW', '', 'lost']) await service.make(of.type, { [`f${id}`]: value })
      const { status, json } = await service.change('field', id, { field_type: 'list' })
      assert.equal(status, 200)
      assert.deepEqual(
        json.data.attributes.options.map(({ label }: { label: string }) => label),
        ['Won', 'lost', 'new'],
      )
      const values = (await service.get(of.type)).json.data.map(
        ({ attributes }: { attributes: Record<string, string> }) => attributes[`f${id}`],
      )
      assert.deepEqual(values, ['new', 'Won', 'new', '', 'lost'])
    })

    it('to a list says which value cannot be an option, and names no option that was not sent', async () => {
      const of = await makeTable(service, 'No list', { it: 'longtext' })
      const id = of.f['it']!.slice(1)
      for (const value of ['a', `b\n${'long '.repeat(100)}`, 'c']) await service.make(of.type, { [`f${id}`]: value })
      const answer = await service.change('field', id, { field_type: 'multilist' })
      refused(answer, '422 field.invalid_value /data/attributes/options')
      assert.match(answer.json.errors[0].detail, /^The field holds 'long long .*…', which cannot be an option\. .*255.* Send the options/)
      assert.equal((await service.get(`field/${id}`)).json.data.attributes.field_type, 'longtext')
    })

    it('is 409 field.in_use where a filter of a group needs it as it is', async () => {
      const of = await makeTable(service, 'Needed', { it: 'text' })
      const id = of.f['it']!.slice(1)
      const rule = await service.make('access', { group_id: 3, table_id: of.id, read: true, read_filter: `eq(f${id},'mine')` })
      const answer = await service.remove(`field/${id}`)
      refused(answer, '409 field.in_use')
      assert.deepEqual(answer.json.errors[0].meta, { access: [rule] })
      assert.equal((await service.change('field', id, { field_type: 'integer' })).json.errors[0].code, 'field.in_use')
      await service.change('access', rule, { read_filter: '' })
      assert.equal((await service.remove(`field/${id}`)).status, 200)
    })

    it('keeps the settings that its new type knows', async () => {
      const of = await makeTable(service, 'Settings', {
        it: { field_type: 'text', required: true, hint: 'h', max_length: 5, default_value: 'x' },
      })
      const id = of.f['it']!.slice(1)
      const { attributes } = (await service.change('field', id, { field_type: 'integer' })).json.data
      assert.deepEqual([attributes.required, attributes.hint, attributes.max_length, attributes.default_value], [true, 'h', null, ''])
    })
  })

  it('personal filters are made by anyone who may read the table, shared ones by administrators', async () => {
    const { id: user, token } = await person(service, 3, 'mine')
    const other = await person(service, 3, 'other')
    const of = await makeTable(service, 'Filtered', { name: 'text' })
    await service.make('access', { group_id: 3, table_id: of.id, read: true })
    const add = (more: object, by = token) =>
      service.add('filter', { table_id: of.id, filter_name: 'F', expression: 'eq(status,0)', ...more }, by)
    const own = await add({})
    assert.equal(own.json.data.attributes.user_id, Number(user))
    refused(await add({ user_id: 0 }), `403 access.denied ${place('user_id')}`)
    refused(await add({ user_id: 1 }), `403 access.denied ${place('user_id')}`)
    const shared = (await add({}, service.token)).json.data
    assert.equal(shared.attributes.user_id, 0)
    assert.deepEqual(idsOf(await service.get(`filter?filter=eq(table_id,${of.id})`, token)), [own.json.data.id, shared.id])
    assert.deepEqual(idsOf(await service.get(`filter?filter=eq(table_id,${of.id})`, other.token)), [shared.id])
    assert.equal((await service.get(`${of.type}?filter=use_filter(${own.json.data.id})`, token)).status, 200)
    refused(await service.get(`${of.type}?filter=use_filter(${own.json.data.id})`, other.token), '400 filter.unknown_saved_filter filter')
    refused(await service.remove(`filter/${own.json.data.id}`, other.token), '404 resource.not_found')
    assert.equal((await service.change('filter', shared.id, { filter_name: 'X' }, token)).status, 403)
    assert.equal((await service.remove(`filter/${own.json.data.id}`, token)).status, 200)
  })

  it('a table has at most 500 fields, those in the trash included', async () => {
    const of = await makeTable(service, 'Wide', { name: 'text' })
    const row = sql`(${of.id}, 'boolean', 'f0', '2024-05-01 00:00:00')`
    const rows = Array.from({ length: 498 }, () => row)
    // So many as were made one by one and deleted.
    await service.store.restructure((tx) =>
      tx.run(sql`INSERT INTO fields (table_id, type, column_name, deleted) VALUES ${join(rows, ', ')}`),
    )
    const one = () => service.add('field', { table_id: of.id, field_name: 'More', field_type: 'boolean' })
    assert.equal((await one()).status, 201)
    refused(await one(), '409 table.too_many_fields')
    await service.remove(`field/${of.f['name']!.slice(1)}`)
    refused(await one(), '409 table.too_many_fields')
  })
})
