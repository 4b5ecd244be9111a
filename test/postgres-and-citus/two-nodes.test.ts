import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { backUp } from '../../src/store/upkeep/backup.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { limits } from '../../src/limits.ts'
import { sql } from '../../src/sql/sql.ts'
import { errorsOf, startNodes, type Service } from '../support/service.ts'

describe('two nodes over one database', () => {
  let nodes: Service[]
  let close: () => Promise<void>
  let here: Service
  let there: Service
  before(async () => {
    ;({ nodes, close } = await startNodes(2))
    ;[here, there] = nodes as [Service, Service]
  })
  after(() => close?.())

  it('show each other’s tables, fields, filters and records at once', async () => {
    const table = await here.make('table', { table_name: 'Companies' })
    const field = await here.make('field', { table_id: Number(table), field_name: 'Name', field_type: 'text' })
    const record = await there.make(`data${table}`, { [`f${field}`]: 'Anna' })
    const filter = await there.make('filter', { table_id: Number(table), filter_name: 'A', expression: `eq(f${field},'anna')` })
    const { json } = await here.get(`data${table}?filter=use_filter(${filter})`)
    assert.deepEqual([json.meta.total, json.data[0].id], [1, record])
    assert.equal((await there.remove(`field/${field}`)).status, 200)
    assert.deepEqual(errorsOf(await here.add(`data${table}`, { [`f${field}`]: 'x' })), [`400 attribute.unknown /data/attributes/f${field}`])
    assert.equal((await there.remove(`table/${table}`)).status, 200)
    assert.equal((await here.get(`data${table}`)).status, 404)
  })

  it('know at once of a token that was revoked, a user archived, a group or a right that changed', async () => {
    const table = await here.make('table', { table_name: 'Secret' })
    const user = await here.make('user', { login: 'mira', fio: 'Mira', password: 'long enough', group_id: 3 })
    const rule = await here.make('access', { group_id: 3, table_id: Number(table), read: true })
    for (let i = 0; i < 5; i++) {
      const token = await here.signIn('mira', 'long enough')
      const { json } = await here.get('token?sort=-id&page[limit]=1', token)
      assert.equal((await there.get(`data${table}`, token)).status, 200)
      assert.equal((await here.change('access', rule, { read: false })).status, 200)
      assert.equal((await there.get(`data${table}`, token)).status, 404)
      assert.equal((await here.change('access', rule, { read: true })).status, 200)
      assert.equal((await there.get(`data${table}`, token)).status, 200)
      assert.equal((await here.remove(`token/${json.data[0].id}`, token)).status, 200)
      assert.equal((await there.get(`data${table}`, token)).status, 401)
    }
    const token = await there.signIn('mira', 'long enough')
    assert.equal((await here.get(`data${table}`, token)).status, 200)
    assert.equal((await there.change('user', user, { group_id: 2 })).status, 200)
    assert.equal((await here.get(`data${table}`, token)).status, 404)
    assert.equal((await there.change('user', user, { arc: 1 })).status, 200)
    assert.equal((await here.get(`data${table}`, token)).status, 401)
  })

  it('count failed sign-ins together', async () => {
    await here.make('user', { login: 'tom', fio: 'Tom', password: 'long enough', group_id: 3 })
    const seen: number[] = []
    for (let i = 0; i < 12; i++) seen.push((await nodes[i % 2]!.add('token', { login: 'tom', password: `wrong ${i}` }, null)).status)
    assert.deepEqual(seen, [...Array.from({ length: 10 }, () => 401), 429, 429])
    here.clock.now += 3_600_000
    await here.make('user', { login: 'tim', fio: 'Tim', password: 'long enough', group_id: 3 })
    const guesses = Array.from({ length: 30 }, (_, i) => nodes[i % 2]!.add('token', { login: 'tim', password: `wrong ${i}` }, null))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), ...Array.from({ length: 20 }, () => 429)])
    here.clock.now += 3_600_000
  })

  it('count together what a user keeps', async () => {
    const table_id = Number(await here.make('table', { table_name: 'Kept' }))
    await here.store.db.write(async (tx) => {
      const [before] = await tx.all(sql`SELECT count(*) FROM saved_filters WHERE user_id = 0`)
      for (let i = Number(before![0]); i < limits.sharedFilters.most - 5; i++)
        await tx.run(sql`INSERT INTO saved_filters (table_id, title, expression, user_id) VALUES (${table_id}, 'before', 'gt(id,0)', 0)`)
    })
    const wish = { table_id, filter_name: 'one more', expression: 'gt(id,0)' }
    const statuses = (await Promise.all(Array.from({ length: 20 }, (_, i) => nodes[i % 2]!.add('filter', wish)))).map(
      ({ status }) => status,
    )
    assert.deepEqual(statuses.sort(), [...Array.from({ length: 5 }, () => 201), ...Array.from({ length: 15 }, () => 409)])
  })

  it('do what bears an Idempotency-Key once, whichever of them is asked', async () => {
    const table = await here.make('table', { table_name: 'Once' })
    for (let i = 0; i < 10; i++) {
      const sending = { headers: { 'Idempotency-Key': `key ${i}` }, body: { data: { type: `data${table}`, attributes: {} } } }
      const answers = await Promise.all(nodes.map((node) => node.send('POST', `/api/dev/data${table}`, sending)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
      )
      assert.equal(answers[0]!.text, answers[1]!.text)
    }
    assert.equal((await there.get(`data${table}`)).json.meta.total, 10)
  })

  it('keep unique values apart, number without doubles and merge what clients change at once', async () => {
    const table = await here.make('table', { table_name: 'Race' })
    const make = (field_type: string, more = {}) =>
      here.make('field', { table_id: Number(table), field_name: field_type, field_type, ...more })
    const [code, number, one, other] = [
      await make('text', { unique: true }),
      await make('autonumber'),
      await make('integer'),
      await make('integer'),
    ]
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, i) => nodes[i % 2]!.add(`data${table}`, { [`f${code}`]: `code ${Math.floor(i / 2)}` })),
    )
    assert.deepEqual(created.map(({ status }) => status).sort(), [
      ...Array.from({ length: 30 }, () => 201),
      ...Array.from({ length: 30 }, () => 409),
    ])
    const { json } = await here.get(`data${table}?page[limit]=50`)
    assert.equal(new Set(json.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes[`f${number}`])).size, 30)
    const id = json.data[0].id
    const changes = Array.from({ length: 40 }, (_, i) =>
      nodes[i % 2]!.change(`data${table}`, id, { [`f${i % 2 ? one : other}`]: String(i + 1) }),
    )
    assert.deepEqual([...new Set((await Promise.all(changes)).map(({ status }) => status))], [200])
    const tags = new Set((await Promise.all(changes)).map(({ headers }) => headers.get('etag')))
    assert.equal(tags.size, 40)
  })

  it('let nobody write over what they have not seen', async () => {
    const table = await here.make('table', { table_name: 'Matched' })
    const field = await here.make('field', { table_id: Number(table), field_name: 'n', field_type: 'integer' })
    const id = await here.make(`data${table}`, { [`f${field}`]: '0' })
    let last = 0
    const client = async (node: Service) => {
      for (let done = 0; done < 15;) {
        const { headers, json } = await node.get(`data${table}/${id}`)
        const next = Number(json.data.attributes[`f${field}`]) + 1
        const body = { data: { type: `data${table}`, id, attributes: { [`f${field}`]: String(next) } } }
        const { status } = await node.send('PATCH', `/api/dev/data${table}/${id}`, { body, headers: { 'If-Match': headers.get('etag')! } })
        assert.ok([200, 412].includes(status), String(status))
        if (status === 200) done++
        last = Math.max(last, next)
      }
    }
    await Promise.all([client(here), client(there), client(there)])
    assert.equal(last, 45)
  })

  it('give right answers or refusals while both change the structure of one table, and lose nothing', async () => {
    const table = await here.make('table', { table_name: 'Moving' })
    const make = (node: Service, field_type: string) => node.make('field', { table_id: Number(table), field_name: field_type, field_type })
    const steady = await make(here, 'text')
    const moving = [await make(here, 'text'), await make(there, 'text')]
    const seen = new Map<number, number>()
    let made = 0
    let running = true
    const writer = async (node: Service) => {
      while (running) {
        const { status } = await node.add(`data${table}`, { [`f${steady}`]: 'x', [`f${moving[0]}`]: '7' })
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (status === 201) made++
      }
    }
    const reader = async (node: Service) => {
      while (running) {
        const { status, json } = await node.get(`data${table}?filter=eq(f${moving[0]},'7')&sort=-f${moving[1]}`)
        seen.set(status, (seen.get(status) ?? 0) + 1)
        for (const { attributes } of json.data ?? []) assert.match(attributes[`f${moving[0]}`], /^7(\.00)?$/)
      }
    }
    const changer = async (node: Service, field: string) => {
      for (const field_type of ['integer', 'decimal', 'text', 'integer']) {
        const { status, text } = await node.change('field', field, { field_type }, undefined, '?convertMode=lossy')
        assert.equal(status, 200, text)
      }
    }
    const requests = [writer(here), writer(there), reader(here), reader(there)]
    await Promise.all([changer(here, moving[0]!), changer(there, moving[1]!)])
    running = false
    await Promise.all(requests)
    assert.deepEqual(
      [...seen.keys()].filter((status) => ![200, 201, 400, 409].includes(status)),
      [],
      JSON.stringify([...seen]),
    )
    assert.equal((await there.get(`data${table}?page[limit]=1`)).json.meta.total, made)
  })

  it('agree about totals and places, and find nothing wrong', async () => {
    const table = Number(await here.make('table', { table_name: 'Counted' }))
    const may = <R extends 'create' | 'update'>(node: Service, right: R) => grant(right, table, operator, node.store.catalogue())
    await there.get('table')
    await Promise.all(Array.from({ length: 1_500 }, (_, i) => createRecord(nodes[i % 2]!.store, may(nodes[i % 2]!, 'create'), new Map())))
    await Promise.all([7, 300, 1_499].map((id) => there.remove(`data${table}/${id}`)))
    await updateRecord(here.store, may(here, 'update'), 5, new Map([['status', '1']]))
    for (const offset of [0, 1, 299, 1_000, 1_495, 1_496, 1_497, 5_000]) {
      const pages = await Promise.all(nodes.map((node) => node.get(`data${table}?page[offset]=${offset}&page[limit]=3`)))
      const ids = pages.map(({ json }) => json.data.map(({ id }: { id: string }) => Number(id)))
      assert.deepEqual(ids[0], ids[1])
      const alive = Array.from({ length: 1_500 }, (_, i) => i + 1).filter((id) => ![7, 300, 1_499].includes(id))
      assert.deepEqual(ids[0], alive.slice(offset, offset + 3), String(offset))
      assert.deepEqual(
        pages.map(({ json }) => json.meta.total),
        [1_497, 1_497],
      )
    }
    for await (const finding of checkIntegrity(there.store)) assert.fail(finding)
  })

  it('leave the backup to the database', async () => {
    await assert.rejects(
      backUp(here.store, here.directory, `${here.directory}/copy`, async () => {}),
      { code: 'backup.of_its_own' },
    )
  })
})
