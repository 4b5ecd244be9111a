import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { shownFault } from '../../../src/deliveries/attempt.ts'
import { fail } from '../../../src/errors.ts'
import { limits } from '../../../src/limits.ts'
import { sweepChanges } from '../../../src/store/changes/sweep-changes.ts'
import { localTime } from '../../../src/store/ground/clock.ts'
import { NEVER, sweepDeliveries } from '../../../src/store/webhooks/deliveries.ts'
import { sql } from '../../../src/sql/sql.ts'
import { changesFor } from '../../../src/store/webhooks/hook-changes.ts'
import { activeHooks, noteAttempt, noteExpired } from '../../../src/store/webhooks/queue.ts'
import { deliver, type Delivering } from '../../support/delivering.ts'
import { randomOf } from '../../support/random.ts'
import { seed } from '../../support/seed.ts'
import { startReceiver, type Answer, type Received, type Receiver } from '../../support/receiver.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'
import { isGenuine } from '../../support/verify-webhook.ts'

describe('deliveries of webhooks', () => {
  let service: Service
  let deals: Table
  let delivering: Delivering
  const receivers: Receiver[] = []
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', sum: 'decimal', secret: 'text' })
    delivering = deliver(service.store)
  })
  after(async () => {
    await delivering.close().finally(() => service.close())
  })
  afterEach(async () => {
    const opened = receivers.splice(0)
    try {
      for (const { id } of (await service.get('webhook')).json.data) await service.remove(`webhook/${id}`)
    } finally {
      for (const receiver of opened) await receiver.close()
    }
  })

  async function receive(answer: Answer): Promise<Receiver> {
    const receiver = await startReceiver(answer)
    receivers.push(receiver)
    return receiver
  }
  const ok: Answer = (response) => void response.writeHead(204).end()
  const hook = async (receiver: Receiver, attributes: object = {}, token?: string): Promise<{ id: string; secret: string }> => {
    const answer = await service.add('webhook', { url: `http://127.0.0.1:${receiver.port}/in`, table_id: deals.id, ...attributes }, token)
    assert.equal(answer.status, 201, answer.text)
    return { id: answer.json.data.id, secret: answer.json.data.attributes.secret }
  }
  const create = async (title: string, more: object = {}): Promise<string> =>
    (await service.add(deals.type, { [deals.f.title!]: title, ...more })).json.data.id
  const update = (id: string, title: string, more: object = {}) => service.change(deals.type, id, { [deals.f.title!]: title, ...more })
  const read = ({ body }: Received) => JSON.parse(body.toString()).data
  const titles = ({ received }: Receiver) => received.map((one) => read(one).attributes.changes[deals.f.title!]?.to)
  const deliveriesOf = async (id: string) =>
    (await service.get(`webhook_delivery?filter=eq(webhook_id,${id})&page[limit]=50`)).json.data.map(
      (one: { attributes: object }) => one.attributes,
    )

  it('send each change once, signed, as its user sees it', async () => {
    const receiver = await receive(ok)
    const { id, secret } = await hook(receiver)
    const record = await create('Roof')
    await update(record, 'Tower')
    await service.remove(`${deals.type}/${record}`)
    await delivering.until('three requests', () => receiver.received.length === 3)
    assert.deepEqual(
      receiver.received.map((one) => [one.method, one.path, read(one).attributes.action, read(one).attributes.record_id]),
      ['create', 'update', 'delete'].map((action) => ['POST', '/in', action, Number(record)]),
    )
    for (const one of receiver.received) {
      assert.ok(isGenuine(secret, one.headers, one.body, service.clock.now))
      assert.deepEqual(read(one), (await service.get(`change/${read(one).id}`)).json.data)
    }
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      receiver.received.map((one) => `msg_${service.store.instance}_${id}_${read(one).id}`),
    )
    await delivering.until('three deliveries', async () =>
      (await deliveriesOf(id)).every(({ state }: { state: string }) => state === 'delivered'),
    )
    const [first] = await deliveriesOf(id)
    assert.deepEqual(
      { ...first, change_id: 0 },
      {
        webhook_id: Number(id),
        change_id: 0,
        table_id: deals.id,
        record_id: Number(record),
        state: 'delivered',
        status: 204,
        fault: '',
        made_at: '2024-05-01 09:30:15',
        attempted_at: '2024-05-01 09:30:15',
        next_at: '0000-00-00 00:00:00',
        attempts: [{ made_at: '2024-05-01 09:30:15', status: 204, fault: null }],
      },
    )
  })

  it('a change that is not taken is sent again, and later ones of its record wait for it; other records do not', async () => {
    let refuses = true
    const receiver = await receive(
      (response, one) => void response.writeHead(refuses && read(one).attributes.record_id === Number(bad) ? 500 : 204).end(),
    )
    const { id } = await hook(receiver)
    const bad = await create('bad')
    const good = await create('good')
    await update(bad, 'bad 2')
    await update(good, 'good 2')
    await update(bad, 'bad 3')
    await delivering.until('the good ones', () => titles(receiver).includes('good 2'))
    await delivering.until('an attempt', async () => (await deliveriesOf(id))[0]?.attempts.length === 1)
    assert.deepEqual(
      titles(receiver).filter((title) => title.startsWith('bad')),
      ['bad'],
    )
    const [first, , second] = await deliveriesOf(id)
    assert.deepEqual([first.state, first.status, first.attempted_at, second.attempts], ['waiting', 500, '2024-05-01 09:30:15', []])
    assert.ok(first.next_at >= '2024-05-01 09:30:20' && first.next_at <= '2024-05-01 09:30:21', first.next_at)
    refuses = false
    service.clock.now += 6_000
    await delivering.until('the bad ones', () => titles(receiver).includes('bad 3'))
    assert.deepEqual(
      titles(receiver).filter((title) => title.startsWith('bad')),
      ['bad', 'bad', 'bad 2', 'bad 3'],
    )
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, ids.length - 1)
  })

  it('a receiver that never answers, or answers without an end, holds up no other, and the server does not wait for it at its end', async () => {
    const silent = await receive(() => {})
    const endless = await receive((response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 5)
      response.on('close', () => clearInterval(timer))
    })
    const resets = await receive((response) => void response.destroy())
    const redirects = await receive((response) => void response.writeHead(302, { Location: `http://127.0.0.1:${good.port}/` }).end())
    const good = await receive(ok)
    for (const one of [silent, silent, silent, endless, resets, redirects]) await hook(one)
    const { id } = await hook(good)
    const records = []
    for (let i = 0; i < 30; i++) records.push(await create(`record ${i}`))
    await delivering.until('all for the good one', () => good.received.length === records.length)
    assert.deepEqual(
      good.received.map((one) => read(one).attributes.record_id).toSorted((a, b) => a - b),
      records.map(Number),
    )
    await delivering.until('it is noted', async () =>
      (await deliveriesOf(id)).every(({ state }: { state: string }) => state === 'delivered'),
    )
    // Of each webhook that fails, one attempt runs at a time.
    assert.ok(silent.received.length <= 3 && redirects.received.every(({ path }) => path === '/in'))
    const began = Date.now()
    await delivering.close()
    assert.ok(Date.now() - began < 5_000)
    delivering = deliver(service.store)
  })

  it('go on where the log of a restored copy ends, with a position that only the lost one had', async () => {
    const receiver = await receive(ok)
    const { id } = await hook(receiver)
    await delivering.close()
    const cursor = 2 ** 52
    await service.store.db.write((tx) => tx.run(sql`UPDATE webhooks SET cursor = ${cursor} WHERE id = ${Number(id)}`))
    const to = await noteExpired(service.store, { id: Number(id), cursor, tableId: deals.id })
    assert.ok(to! < cursor)
    delivering = deliver(service.store)
    await create('after the copy')
    await delivering.until('it', () => titles(receiver).includes('after the copy'))
    assert.deepEqual((await deliveriesOf(id)).map(({ state }: { state: string }) => state).includes('expired'), true)
  })

  it('go on after the database could not be read', async () => {
    const db = service.store.db as { read: typeof service.store.db.read }
    const { read: reads } = db
    let refused = 0
    await delivering.pause()
    // The service itself reads too, at times that nobody here knows.
    db.read = async (...given) => {
      if (!new Error().stack!.includes('activeHooks')) return reads.apply(db, given)
      refused++
      throw new Error('The database is away.')
    }
    const receiver = await receive(ok)
    try {
      await hook(receiver)
      await delivering.until('a failure', () => refused > 0)
    } finally {
      db.read = reads
    }
    await create('after that')
    await delivering.until('it', () => titles(receiver).includes('after that'))
    assert.ok(delivering.logged.some(({ level, message }) => level === 'warn' && /tried again/.test(message)))
  })

  it('go on after the database took too long for the values of a change', async () => {
    const receiver = await receive(ok)
    const { id } = await hook(receiver)
    const db = service.store.db as { readLittle: typeof service.store.db.readLittle }
    const { readLittle } = db
    let refused = 0
    await create('before')
    await delivering.until('it', () => titles(receiver).includes('before'))
    // Of what is read for a webhook, the second is the document.
    db.readLittle = async (...given) => {
      if (refused === 0 && new Error().stack!.includes('changeFor')) {
        refused++
        throw fail('server.query_timeout', { seconds: 1 })
      }
      return readLittle(...given)
    }
    try {
      await create('slow')
      await delivering.until('a failure', () => refused > 0)
      service.clock.now += 6_000
      await delivering.until('it', () => titles(receiver).includes('slow'))
      assert.equal((await service.get(`webhook/${id}`)).json.data.attributes.fault, '')
    } finally {
      db.readLittle = readLittle
    }
  })

  it('410 ends a webhook until it is activated again; what happened meanwhile is sent then', async () => {
    let status = 410
    const receiver = await receive((response) => void response.writeHead(status).end())
    const { id } = await hook(receiver)
    await create('first')
    await delivering.until('its end', async () => !(await service.get(`webhook/${id}`)).json.data.attributes.active)
    assert.equal((await service.get(`webhook/${id}`)).json.data.attributes.fault, 'gone')
    assert.deepEqual(
      (await deliveriesOf(id)).map((one: { state: string; status: number }) => [one.state, one.status]),
      [['parked', 410]],
    )
    const [stopped] = (await service.get(`change?filter=and(eq(resource_type,'webhook'),eq(record_id,${id}))&sort=-id`)).json.data
    assert.deepEqual(
      [stopped.attributes.action, stopped.attributes.via, stopped.attributes.changes],
      ['update', 'service', { active: { from: true, to: false } }],
    )
    await create('second')
    assert.equal(receiver.received.length, 1)
    status = 204
    const { json } = await service.change('webhook', id, { active: true })
    assert.deepEqual([json.data.attributes.active, json.data.attributes.fault], [true, ''])
    await delivering.until('the second', () => titles(receiver).includes('second'))
  })

  it('after three days a delivery is parked, its record goes on, and a replay sends it with its id', async () => {
    let status = 503
    const receiver = await receive((response, one) => void response.writeHead(titleOf(one) === 'stuck' ? status : 204).end())
    const titleOf = (one: Received) => read(one).attributes.changes[deals.f.title!]?.to
    const { id } = await hook(receiver)
    const record = await create('stuck')
    await update(record, 'later')
    const began = service.clock.now
    for (let attempts = 1; attempts <= 43; attempts++) {
      await delivering.until(`attempt ${attempts}`, async () => (await deliveriesOf(id))[0]?.attempts.length === attempts)
      service.clock.now += 2.5 * 3_600_000
    }
    assert.ok(service.clock.now - began > 3 * 86_400_000)
    await delivering.until('the later change', () => titles(receiver).includes('later'))
    const [stuck] = (await service.get(`webhook_delivery?filter=and(eq(webhook_id,${id}),eq(state,'parked'))`)).json.data
    assert.deepEqual([stuck.attributes.attempts.length, stuck.attributes.next_at], [43, '0000-00-00 00:00:00'])
    assert.ok(delivering.logged.some(({ level, message }) => level === 'warn' && /three days/.test(message)))
    status = 204
    const before = receiver.received.length
    const replayed = await service.call('POST', `webhook_delivery/${stuck.id}/replay`)
    assert.deepEqual([replayed.status, replayed.json.data.attributes.state], [200, 'waiting'])
    await delivering.until(
      'the replay',
      async () => (await service.get(`webhook_delivery/${stuck.id}`)).json.data.attributes.state === 'delivered',
    )
    assert.equal(receiver.received.length, before + 1)
    assert.equal(receiver.received.at(-1)!.headers['webhook-id'], receiver.received[0]!.headers['webhook-id'])
  })

  it('has nothing of fields and records that its user may not read, at the moment of sending', async () => {
    const group = await service.make('group', { group_name: 'Sellers' })
    const { title, secret } = deals.f
    const rule = await service.make('access', {
      group_id: Number(group),
      table_id: deals.id,
      read: true,
      fields: { [secret!.slice(1)]: 'hidden' },
      read_filter: `starts_with(${title},'Seen')`,
    })
    const { id: user, token } = await person(service, Number(group), 'hook-seller')
    let status = 500
    const receiver = await receive((response) => void response.writeHead(status).end())
    const { id } = await hook(receiver, {}, token)
    const all = await hook(receiver, { table_id: 0 }, token)
    await create('Unseen', { [secret!]: 'hidden-1' })
    const seen = await create('Seen', { [secret!]: 'hidden-2' })
    await update(seen, 'Seen', { [secret!]: 'hidden-3' })
    const other = await makeTable(service, 'Not theirs', { name: 'text' })
    await service.add(other.type, { [other.f.name]: 'hidden-4' })
    await delivering.until('two attempts', () => receiver.received.length === 2)
    const sent = () => receiver.received.map(({ body }) => body.toString()).join('\n')
    assert.ok(!/hidden|Unseen/.test(sent()), sent())
    assert.ok(receiver.received.every((one) => read(one).attributes.record_id === Number(seen)))
    // What waits to be sent again is not sent once its user has lost the right.
    status = 204
    await service.change('access', rule, { read_filter: `starts_with(${title},'Nothing')` })
    service.clock.now += 10_000
    await delivering.until('the end', async () => (await deliveriesOf(id)).every(({ state }: { state: string }) => state === 'withheld'))
    await delivering.until('the end of the other', async () =>
      (await deliveriesOf(all.id)).every(({ state }: { state: string }) => state === 'withheld'),
    )
    assert.equal(receiver.received.length, 2)
    // An archived user has no webhooks that send, until they are back.
    await service.change('access', rule, { read_filter: '' })
    await service.change('user', user, { arc: 1 })
    await create('While away')
    await delivering.pause()
    assert.equal(receiver.received.length, 2)
    await service.change('user', user, { arc: 0 })
    await delivering.until('what came meanwhile', () => titles(receiver).filter((one) => one === 'While away').length === 2)
    assert.ok(!/hidden/.test(sent()))
  })

  it('are for each user what the cursor gives them, whatever is done to records that they may or may not read', async () => {
    const random = randomOf(seed)
    const group = Number(await service.make('group', { group_name: 'Partly' }))
    const { title, sum, secret } = deals.f
    const fields = { [secret!.slice(1)]: 'hidden' }
    await service.make('access', { group_id: group, table_id: deals.id, read: true, fields, read_filter: `gte(${sum},'50')` })
    const { token } = await person(service, group, 'hook-partly')
    const receiver = await receive(ok)
    await hook(receiver, {}, token)
    const begin = (await service.get('change?page[after]=now', token)).json.meta.cursor
    const records = [await create('begin', { [sum!]: '60' })]
    for (let i = 0; i < 80; i++) {
      const values = { [sum!]: String(random.int(100)), ...(random.int(2) === 0 && { [secret!]: `hidden ${i}` }) }
      const id = records[random.int(records.length)]!
      const act = random.int(10)
      if (act < 3) records.push(await create(`new ${i}`, values))
      else if (act < 5) await service.change(deals.type, id, { [secret!]: `hidden ${i}` })
      else if (act < 9) await update(id, `changed ${i}`, values)
      else await service.remove(`${deals.type}/${id}`)
    }
    await create('end', { [sum!]: '99' })
    await delivering.until('the end', () => titles(receiver).includes('end'))
    const given: { id: string }[] = []
    for (let cursor = begin, more = true; more;) {
      const { data, meta } = (await service.get(`change?page[after]=${cursor}&page[limit]=50`, token)).json
      given.push(...data)
      ;({ cursor, more } = meta)
    }
    await delivering.until('as many', () => receiver.received.length >= given.length)
    assert.deepEqual(
      receiver.received.map(read).toSorted((a, b) => Number(a.id) - Number(b.id)),
      given,
    )
    assert.ok(given.length > 20 && !JSON.stringify(given).includes('hidden'), String(given.length))
    assert.ok(
      ['create', 'update', 'delete'].every((action) => receiver.received.some((one) => read(one).attributes.action === action)),
      title,
    )
  })

  it('with a filter: a record that comes into it, changes in it, leaves it, and none that is outside of it', async () => {
    const receiver = await receive(ok)
    const { title, sum } = deals.f
    await hook(receiver, { filter: `gte(${sum},'100')` })
    const one = await create('one', { [sum!]: '50' })
    await update(one, 'still outside', { [sum!]: '60' })
    await update(one, 'comes', { [sum!]: '100' })
    await update(one, 'changes')
    await update(one, 'leaves', { [sum!]: '99.99' })
    await update(one, 'outside again')
    const two = await create('inside', { [sum!]: '200' })
    await service.remove(`${deals.type}/${two}`)
    const three = await create('outside', { [sum!]: '1' })
    await service.remove(`${deals.type}/${three}`)
    await create('the last', { [sum!]: '100' })
    await delivering.until('the last', () => titles(receiver).includes('the last'))
    await delivering.until('six', () => receiver.received.length === 6)
    assert.deepEqual(
      receiver.received
        .map(read)
        .toSorted((a, b) => Number(a.id) - Number(b.id))
        .map(({ attributes, meta }) => [attributes.action, meta.filter, attributes.changes[title!]?.to ?? null]),
      [
        ['update', 'entered', 'comes'],
        ['update', 'changed', 'changes'],
        ['update', 'left', 'leaves'],
        ['create', 'entered', 'inside'],
        ['delete', 'left', null],
        ['create', 'entered', 'the last'],
      ],
    )
  })

  it('of some actions only; all tables; a filter that does not fit any more stops its webhook and says so', async () => {
    const receiver = await receive(ok)
    await hook(receiver, { table_id: 0, actions: ['delete', 'update'] })
    const made = await makeTable(service, 'Other', { name: 'text', extra: 'text' })
    const filtered = await hook(receiver, { table_id: made.id, filter: `eq(${made.f.extra},'x')` })
    const record = (await service.add(made.type, { [made.f.name]: 'n', [made.f.extra]: 'x' })).json.data.id
    await service.remove(`${made.type}/${record}`)
    // Over PostgreSQL a webhook may be sent what was done shortly before it was made, while others write to other databases of the server.
    const actions = (table: number, resource: string, id: string | number): string[] =>
      receiver.received
        .map((one) => read(one).attributes)
        .flatMap((one) => (one.table_id === table && one.resource_type === resource && one.record_id === Number(id) ? [one.action] : []))
    const all = () => [actions(made.id, '', record).toSorted(), actions(0, 'table', made.id)]
    await delivering.until('three, and the new title field', () => all().flat().length >= 4)
    assert.deepEqual(all(), [['create', 'delete', 'delete'], ['update']])
    assert.equal((await service.remove(`field/${made.f.extra.slice(1)}`)).status, 200)
    await service.add(made.type, { [made.f.name]: 'second' })
    await delivering.until(
      'it says so',
      async () => (await service.get(`webhook/${filtered.id}`)).json.data.attributes.fault === 'filter.unknown_attribute',
    )
    await service.change('webhook', filtered.id, { filter: '' })
    await delivering.until('the second', () => receiver.received.some((one) => read(one).attributes.changes[made.f.name]?.to === 'second'))
    assert.equal((await service.get(`webhook/${filtered.id}`)).json.data.attributes.fault, '')
  })

  it('with a filter that looks through too much text pass such a change by, say so, and hold up no other', async () => {
    const long = await makeTable(service, 'Texts', { text: 'longtext' })
    const [receiver, other] = [await receive(ok), await receive(ok)]
    const term = (i: number) => `contains(${long.f.text},'absent ${i}')`
    const terms = `${Array.from({ length: 40 }, (_, i) => term(i)).join(',')},contains(${long.f.text},'short')`
    const { id } = await hook(receiver, { table_id: long.id, filter: `or(${terms})` })
    await hook(other, { table_id: long.id })
    const tooLong = (await service.add(long.type, { [long.f.text]: 'x'.repeat(900_000) })).json.data.id
    const short = (await service.add(long.type, { [long.f.text]: 'short' })).json.data.id
    await delivering.until('the other', () => other.received.length === 2)
    await delivering.until('the short one', () => receiver.received.length === 1)
    const states = async () =>
      (await deliveriesOf(id)).map((one: Record<string, unknown>) => [one['record_id'], one['state'], one['fault']])
    await delivering.until('both results', async () => (await states()).every(([, state]: string[]) => state !== 'waiting'))
    const passed = [Number(tooLong), 'withheld', 'filter_too_slow']
    assert.deepEqual(await states(), [passed, [Number(short), 'delivered', '']])
    assert.equal((await service.get(`webhook/${id}`)).json.data.attributes.fault, '')
    // It is not sent when it is asked for again, until the filter is another one.
    const replay = async () => {
      const [{ id: delivery }] = (await service.get(`webhook_delivery?filter=and(eq(webhook_id,${id}),eq(record_id,${tooLong}))`)).json.data
      assert.equal((await service.call('POST', `webhook_delivery/${delivery}/replay`)).status, 200)
      await delivering.until('its end', async () => (await states())[0][1] !== 'waiting')
    }
    await replay()
    assert.deepEqual((await states())[0], passed)
    await service.change('webhook', id, { filter: `contains(${long.f.text},'xxx')` })
    await replay()
    assert.deepEqual((await states())[0], [Number(tooLong), 'delivered', ''])
  })

  it('pass a change by whose texts the read filter of the group takes too long for, and tell nothing of it', async () => {
    const long = await makeTable(service, 'Read texts', { text: 'longtext' })
    const group = Number(await service.make('group', { group_name: 'Slow readers' }))
    const terms = Array.from({ length: 40 }, (_, i) => `contains(${long.f.text},'absent ${i}')`).join(',')
    const read_filter = `or(${terms},contains(${long.f.text},'short'))`
    await service.make('access', { group_id: group, table_id: long.id, read: true, read_filter })
    const { token } = await person(service, group, 'slowreader')
    const receiver = await receive(ok)
    const { id } = await hook(receiver, { table_id: long.id }, token)
    const tooLong = (await service.add(long.type, { [long.f.text]: 'x'.repeat(900_000) })).json.data.id
    const short = (await service.add(long.type, { [long.f.text]: 'short' })).json.data.id
    await delivering.until('the short one', () => receiver.received.length === 1)
    assert.deepEqual(
      (await deliveriesOf(id)).map((one: Record<string, unknown>) => one['record_id']),
      [Number(short)],
    )
    const [change] = (await service.get(`data${long.id}/${tooLong}/history`)).json.data
    assert.ok(delivering.logged.some(({ details }) => details['change'] === Number(change.id)))
  })

  it('with a filter that looks through much text in each change are read in several steps', async () => {
    const long = await makeTable(service, 'Long texts', { text: 'longtext' })
    const terms = Array.from({ length: 11 }, (_, i) => `contains(${long.f.text},'absent ${i}')`)
    const { id } = await hook(await receive(ok), { table_id: long.id, filter: `or(${terms.join(',')},contains(${long.f.text},'xx'))` })
    await delivering.close()
    for (let i = 0; i < 4; i++) await service.add(long.type, { [long.f.text]: 'x'.repeat(900_000) })
    const [one] = (await activeHooks(service.store)).filter((each) => each.id === Number(id))
    const steps: number[] = []
    for (let [after, hasMore] = [one!.cursor, true]; hasMore;) {
      const { sent, cursor, more } = await changesFor(service.store, one!, after, 50)
      if (sent.length > 0) steps.push(sent.length)
      ;[after, hasMore] = [cursor, more]
    }
    assert.equal(
      steps.reduce((sum, count) => sum + count, 0),
      4,
    )
    assert.ok(steps.length > 1, `${steps}`)
    delivering = deliver(service.store)
  })

  it('say that changes were erased by age before they were sent', async () => {
    const receiver = await receive(ok)
    const { id } = await hook(receiver)
    await delivering.close()
    await create('lost')
    // On PostgreSQL, changes are erased by whole months.
    service.clock.now += 40 * 86_400_000
    await sweepChanges(service.store)
    service.clock.now += 400 * 86_400_000
    await create('kept')
    await sweepChanges(service.store)
    delivering = deliver(service.store)
    await delivering.until('what is kept', () => titles(receiver).includes('kept'))
    const [expired] = (await service.get(`webhook_delivery?filter=and(eq(webhook_id,${id}),eq(state,'expired'))`)).json.data
    assert.equal(expired.attributes.change_id, 0)
    refused(await service.call('POST', `webhook_delivery/${expired.id}/replay`), '409 webhook.nothing_to_send')
    assert.deepEqual(titles(receiver), ['kept'])
  })

  it('say the same of a host that is not known and of one that is not allowed; the log of the server has more', async () => {
    const receiver = await receive(ok)
    const { id } = await hook(receiver, { url: `http://localhost:${receiver.port}/` })
    await delivering.close()
    delivering = deliver(service.store, { webhookHttp: 'yes', webhookNetworks: [] })
    await create('not sent')
    await delivering.until('an attempt', async () => (await deliveriesOf(id))[0]?.fault === 'no_address')
    assert.deepEqual((await deliveriesOf(id))[0].attempts, [
      { made_at: localTime(service.clock.now, 'UTC'), status: null, fault: 'no_address' },
    ])
    assert.ok(delivering.logged.some(({ details }) => details.fault === 'forbidden_network'))
    assert.deepEqual((['unknown_host', 'forbidden_network', 'timed_out'] as const).map(shownFault), [
      'no_address',
      'no_address',
      'timed_out',
    ])
    assert.equal(receiver.received.length, 0)
    await delivering.close()
    delivering = deliver(service.store)
  })

  it('to a host that is looked up for very long: what came of an attempt is written, and no further lookup begins meanwhile', async () => {
    await delivering.close()
    const { most } = limits.webhookConnect
    Object.assign(limits.webhookConnect, { most: 50 })
    let asked = 0
    const found = Promise.withResolvers<[]>()
    try {
      delivering = deliver(service.store, service.store.settings, () => {
        asked++
        return found.promise
      })
      const { id } = (await service.add('webhook', { url: 'http://silent.example/', table_id: deals.id })).json.data
      await create('first')
      await create('second')
      await delivering.until('an attempt', async () => (await deliveriesOf(id))[0]?.attempts.length === 1)
      await delivering.pause()
      assert.deepEqual([asked, (await deliveriesOf(id))[0].fault], [1, 'timed_out'])
      found.resolve([])
      await delivering.until('the second', () => asked === 2)
    } finally {
      Object.assign(limits.webhookConnect, { most })
      await delivering.close()
      delivering = deliver(service.store)
    }
  })

  it('that were delivered stay so when an attempt of a process that delivers no more ends late', async () => {
    const receiver = await receive(ok)
    const { id } = await hook(receiver)
    await create('once')
    await delivering.until('it is noted', async () => (await deliveriesOf(id))[0]?.state === 'delivered')
    const before = await deliveriesOf(id)
    const [delivery] = (await service.get(`webhook_delivery?filter=eq(webhook_id,${id})`)).json.data
    const late = { state: 'waiting', status: 410, fault: '', next: service.clock.now, tries: 1 } as const
    await noteAttempt(service.store, Number(id), Number(delivery.id), late, true)
    assert.deepEqual(await deliveriesOf(id), before)
    assert.equal((await service.get(`webhook/${id}`)).json.data.attributes.active, true)
  })

  it('of a test are sent like a change, and show what came of it', async () => {
    const receiver = await receive(ok)
    const { id, secret } = await hook(receiver)
    const made = await service.call('POST', `webhook/${id}/test`)
    assert.equal(made.status, 201, made.text)
    await delivering.until(
      'the test',
      async () => (await service.get(`webhook_delivery/${made.json.data.id}`)).json.data.attributes.status === 204,
    )
    const [only] = receiver.received
    assert.ok(isGenuine(secret, only!.headers, only!.body, service.clock.now))
    assert.equal(read(only!).attributes.action, 'test')
  })

  it('waits in the log where its queue is full, and loses nothing', async () => {
    let status = 500
    const receiver = await receive((response) => void response.writeHead(status).end())
    const { id } = await hook(receiver)
    const records: string[] = []
    const { most } = limits.webhookQueue
    for (let i = 0; i < most + 30; i += 10)
      records.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => create(`record ${i + n}`)))))
    const waiting = async () => (await service.get(`webhook_delivery?filter=eq(webhook_id,${id})&page[limit]=1`)).json.meta.total
    await delivering.until('a full queue', async () => (await waiting()) === most)
    await delivering.pause()
    assert.equal(await waiting(), most)
    refused(await service.call('POST', `webhook/${id}/test`), '409 quota.reached')
    status = 204
    service.clock.now += 8 * 3_600_000
    await delivering.until(
      'all',
      async () => new Set(receiver.received.map((one) => read(one).attributes.record_id)).size === records.length,
    )
  })

  it('of a long record have no values', async () => {
    const long = await makeTable(service, 'Long', { one: 'longtext', two: 'longtext' })
    const receiver = await receive(ok)
    await hook(receiver, { table_id: long.id })
    await service.add(long.type, { [long.f.one]: 'x'.repeat(500_000) })
    await service.add(long.type, { [long.f.one]: 'x'.repeat(600_000), [long.f.two]: 'y'.repeat(600_000) })
    await delivering.until('both', () => receiver.received.length === 2)
    const [short, tooLong] = receiver.received.map((one) => read(one)).toSorted((a, b) => Number(a.id) - Number(b.id))
    assert.equal(short.attributes.changes[long.f.one].to.length, 500_000)
    assert.ok(limits.webhookBody.most < 1_200_000)
    assert.equal(tooLong.attributes.changes, null)
  })

  it('are erased after some days and beyond a number, but not while they wait', async () => {
    const receiver = await receive((response) => void response.writeHead(500).end())
    const { id } = await hook(receiver)
    await create('waits')
    await delivering.until('an attempt', async () => (await deliveriesOf(id))[0]?.attempts.length === 1)
    await delivering.close()
    const { most } = limits.webhookDeliveries
    const at = (days: number) => localTime(service.clock.now - days * 86_400_000, 'UTC')
    const row = (days: number) => [Number(id), 1, deals.id, 1, 'delivered', 'delivered', 204, '', '', at(days), at(days), NEVER, 0, 1, '[]']
    const columns =
      'webhook_id change_id table_id record_id state statek status fault faultk made_at attempted_at next_at next_ms tries attempts'
    const insert = (count: number, days: number) =>
      service.store.db.write((tx) =>
        tx.insert(
          'webhook_deliveries',
          columns.split(' '),
          Array.from({ length: count }, () => row(days)),
        ),
      )
    await sweepDeliveries(service.store)
    await insert(2_500, 31)
    await insert(10, 29)
    assert.equal(await sweepDeliveries(service.store), 2_500)
    for (let i = 0; i < most; i += 5_000) await insert(5_000, 1)
    assert.equal(await sweepDeliveries(service.store), 10)
    assert.deepEqual(
      (await service.get(`webhook_delivery?filter=and(eq(webhook_id,${id}),eq(state,'waiting'))`)).json.data.map(
        (one: { attributes: { status: number } }) => one.attributes.status,
      ),
      [500],
    )
    delivering = deliver(service.store)
  })

  it('of one webhook with much to do leave the others theirs, and parked ones are erased last', async (context) => {
    await delivering.close()
    context.after(() => (delivering = deliver(service.store)))
    await sweepDeliveries(service.store)
    const receiver = await receive(ok)
    const [busy, calm] = [await hook(receiver), await hook(receiver)]
    const at = localTime(service.clock.now, 'UTC')
    const columns =
      'webhook_id change_id table_id record_id state statek status fault faultk made_at attempted_at next_at next_ms tries attempts'
    const insert = ({ id }: { readonly id: string }, state: string, count: number) =>
      service.store.db.write((tx) =>
        tx.insert(
          'webhook_deliveries',
          columns.split(' '),
          Array.from({ length: count }, () => [Number(id), 1, deals.id, 1, state, state, 204, '', '', at, at, NEVER, 0, 1, '[]']),
        ),
      )
    const states = async ({ id }: { readonly id: string }) =>
      (await service.get(`webhook_delivery?filter=eq(webhook_id,${id})&page[limit]=50`)).json.data.map(
        (one: { attributes: { state: string } }) => one.attributes.state,
      )
    await insert(calm, 'parked', 1)
    await insert(calm, 'delivered', 2)
    await insert(busy, 'parked', 3)
    await insert(busy, 'delivered', 40)
    const limit = limits.webhookDeliveries as { most: number }
    const { most } = limit
    context.after(() => (limit.most = most))
    const [others] = await service.store.db.read(
      sql`SELECT count(*) FROM webhook_deliveries WHERE state <> 'waiting' AND webhook_id NOT IN (${Number(busy.id)}, ${Number(calm.id)})`,
    )
    assert.equal(Number(others![0]![0]), 0)
    limit.most = 8
    assert.equal(await sweepDeliveries(service.store), 38)
    assert.deepEqual(await states(calm), ['parked', 'delivered', 'delivered'])
    assert.deepEqual(await states(busy), ['parked', 'parked', 'parked', 'delivered', 'delivered'])
    limit.most = 5
    await sweepDeliveries(service.store)
    assert.deepEqual(await states(calm), ['parked', 'delivered'])
    assert.deepEqual(await states(busy), ['parked', 'parked'])
  })

  it('of a webhook that was deleted are not seen any more, and erased in steps', async () => {
    await sweepDeliveries(service.store)
    const receiver = await receive((response) => void response.writeHead(500).end())
    const { id } = await hook(receiver)
    await create('waits')
    await delivering.until('an attempt', async () => (await deliveriesOf(id))[0]?.attempts.length === 1)
    const at = localTime(service.clock.now, 'UTC')
    const row = [Number(id), 1, deals.id, 1, 'delivered', 'delivered', 204, '', '', at, at, NEVER, 0, 1, '[]']
    const columns =
      'webhook_id change_id table_id record_id state statek status fault faultk made_at attempted_at next_at next_ms tries attempts'
    await service.store.db.write((tx) =>
      tx.insert(
        'webhook_deliveries',
        columns.split(' '),
        Array.from({ length: 2_500 }, () => row),
      ),
    )
    const [delivery] = (await service.get(`webhook_delivery?filter=eq(webhook_id,${id})&sort=-id&page[limit]=1`)).json.data
    assert.equal((await service.remove(`webhook/${id}`)).status, 200)
    assert.deepEqual(await deliveriesOf(id), [])
    refused(await service.get(`webhook_delivery/${delivery.id}`), '404 resource.not_found')
    refused(await service.call('POST', `webhook_delivery/${delivery.id}/replay`), '404 resource.not_found')
    assert.equal(await sweepDeliveries(service.store), 2_500)
    assert.equal(await sweepDeliveries(service.store), 0)
  })
})
