import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name as quoted, sql } from '../../../src/sql/sql.ts'
import { startService, type Service } from '../../support/service.ts'

describe('indexes over HTTP', () => {
  let server: Service
  let table: Awaited<ReturnType<Service['table']>>
  before(async () => {
    server = await startService()
    table = await server.table('Deals', { title: 'text', amount: 'decimal' })
  })
  after(() => server.close())

  it('are asked for, seen and steered by administrators', async () => {
    const { title } = table.fields as { title: string }
    const made = await server.add('index', { table_id: table.id, attribute: title, kind: 'text' })
    assert.equal(made.status, 201, made.text)
    await server.store.indexes.idle()
    const { json } = await server.get(`index?filter=eq(table_id,${table.id})&sort=-size`)
    assert.equal(json.meta.total, 1)
    const { made_at, size, ...rest } = json.data[0].attributes
    assert.deepEqual(rest, {
      table_id: table.id,
      attribute: title,
      kind: 'text',
      wish: 'pinned',
      state: 'ready',
      failure: '',
      last_used: '',
      uses: 0,
    })
    assert.equal(made_at, '2024-05-01 09:30:15')
    assert.ok(size > 0)

    const forbidden = await server.change('index', made.json.data.id, { wish: 'forbidden' })
    assert.equal(forbidden.status, 200)
    await server.store.indexes.idle()
    assert.equal((await server.get(`index/${made.json.data.id}`)).json.data.attributes.state, 'none')
  })

  it('tell why they could not be made, until they are', async () => {
    const { fields, id } = await server.table('Barred', { title: 'text' })
    const taken = quoted(`data${id}_${fields['title']}_order`)
    await server.store.db.write((tx) =>
      tx.createTable(`data${id}_${fields['title']}_order`, sql`CREATE TABLE ${taken} (x ${server.store.db.dialect.integer})`),
    )
    const index = await server.make('index', { table_id: id, attribute: fields['title'], kind: 'order' })
    await server.store.indexes.idle()
    const { state, failure } = (await server.get(`index/${index}`)).json.data.attributes
    assert.equal(state, 'failed')
    assert.match(failure, new RegExp(`data${id}_${fields['title']}_order`))
    assert.equal((await server.get(`index?filter=starts_with(failure,'${failure.slice(0, 6).toUpperCase()}')`)).json.meta.total, 1)
    assert.equal(server.faults.length, 1, server.faults.join('\n'))
    assert.match(server.faults[0]!, new RegExp(`table ${id} over ${fields['title']} \\(order\\) was not made: .*${failure.slice(-20)}`))

    await server.store.db.write((tx) => tx.alterStructure(sql`DROP TABLE ${taken}`))
    await server.store.indexes.keep()
    await server.store.indexes.idle()
    const mended = (await server.get(`index/${index}`)).json.data.attributes
    assert.deepEqual([mended.state, mended.failure], ['ready', ''])
  })

  it('are refused where there can be none', async () => {
    const { amount } = table.fields as { amount: string }
    const refused = [
      [{ table_id: table.id, attribute: amount, kind: 'text' }, '/data/attributes/kind'],
      [{ table_id: table.id, attribute: 'f999', kind: 'order' }, '/data/attributes/attribute'],
      [{ table_id: table.id, attribute: amount, kind: 'order', wish: 'soon' }, '/data/attributes/wish'],
      [{ table_id: table.id, attribute: amount, kind: 'order', state: 'ready' }, '/data/attributes/state'],
    ] as const
    for (const [attributes, pointer] of refused) {
      const { status, json } = await server.add('index', attributes)
      assert.deepEqual([status >= 400 && status < 500, json.errors[0].source.pointer], [true, pointer], JSON.stringify(json))
    }
    const once = await server.add('index', { table_id: table.id, attribute: amount, kind: 'order', wish: 'auto' })
    assert.equal(once.status, 201)
    const twice = await server.add('index', { table_id: table.id, attribute: amount, kind: 'order' })
    assert.match(twice.json.errors[0].detail, new RegExp(`index ${once.json.data.id} already`))
  })

  it('are nobody else’s business', async () => {
    const manager = await server.tokenOf(2)
    assert.equal((await server.get('index', manager)).json.meta.total, 0)
    assert.equal((await server.get('index/1', manager)).status, 404)
    assert.equal((await server.add('index', { table_id: table.id, attribute: 'status', kind: 'order' }, manager)).status, 403)
  })
})
