import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { openEvents, type EventStream } from '../../support/event-stream.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

type Seen = readonly [record: string, action: string]

describe('live events', () => {
  let service: Service
  let deals: Table & { readonly f: Readonly<Record<'title' | 'note' | 'secret', string>> }
  let open: EventStream[] = []
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', note: 'longtext', secret: 'text' })
  })
  after(async () => {
    for (const one of open) one.close()
    await service.close()
  })

  const listen = async (...given: Parameters<typeof openEvents> extends [unknown, ...infer Rest] ? Rest : never): Promise<EventStream> => {
    const stream = await openEvents(service, ...given)
    open.push(stream)
    await stream.until(() => stream.comments > 0)
    return stream
  }
  const create = (title: string, more: Record<string, string> = {}) => service.make(deals.type, { [deals.f.title]: title, ...more })
  const retitle = (id: string, title: string) => service.change(deals.type, id, { [deals.f.title]: title })
  const seen = ({ events }: EventStream): Seen[] => events.map(({ data }) => [String(data.attributes.record_id), data.attributes.action])
  const now = async (): Promise<string> => {
    let cursor = ''
    for (;;) {
      const { meta } = (await service.get(`change?page[after]=${cursor}&page[limit]=50`)).json
      cursor = meta.cursor
      if (!meta.more) return cursor
    }
  }

  it('are sent as they happen, with the resources of the list and cursors as ids', async () => {
    const stream = await listen()
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => stream.headers.get(name)),
      ['text/event-stream', 'no-store', 'no'],
    )
    const id = await create('Roof')
    await retitle(id, 'Roof 2')
    await service.remove(`${deals.type}/${id}`)
    await stream.until(() => stream.events.length >= 3)
    assert.deepEqual(seen(stream), [
      [id, 'create'],
      [id, 'update'],
      [id, 'delete'],
    ])
    const listed = (await service.get(`change?filter=and(eq(table_id,${deals.id}),eq(record_id,${id}))`)).json.data
    assert.deepEqual(
      stream.events.map(({ data }) => data),
      listed,
    )
    assert.deepEqual(
      stream.events.map((one) => one.id),
      listed.map((one: { id: string }) => one.id),
    )
    stream.close()
  })

  it('go on where a client was, by Last-Event-ID or after; of values too long for a list only the id comes', async () => {
    const first = await listen()
    const id = await create('One')
    await first.until(() => first.events.length === 1)
    first.close()
    await retitle(id, 'Two')
    await service.change(deals.type, id, { [deals.f.note]: 'x'.repeat(40_000) })
    const again = await listen('', { headers: { 'Last-Event-ID': first.lastId } })
    const byQuery = await listen(`?after=${first.lastId}`)
    await retitle(id, 'Three')
    for (const stream of [again, byQuery]) {
      await stream.until(() => stream.events.length === 3)
      assert.deepEqual(
        stream.events.map(({ data }) => data.attributes.changes && Object.keys(data.attributes.changes)),
        [[deals.f.title], null, [deals.f.title]],
      )
      stream.close()
    }
    const all = await listen('?after=')
    await all.until(() => all.events.length >= 4)
    all.close()
    refused(await service.send('GET', '/api/dev/events', { headers: { 'Last-Event-ID': 'x' } }), '400 header.invalid Last-Event-ID')
    refused(await service.get('events?after=x'), '400 parameter.invalid after')
  })

  it('are those of the tables and of the saved filter that were asked for', async () => {
    const other = await makeTable(service, 'Other', { name: 'text' })
    const filter = await service.make('filter', {
      table_id: deals.id,
      filter_name: 'Big',
      expression: `starts_with(${deals.f.title},'Big')`,
    })
    const [ofTables, ofOther, ofFilter, both] = [
      await listen(`?tables=${other.id},${deals.id}`),
      await listen(`?tables=${other.id}`),
      await listen(`?saved_filter=${filter}`),
      await listen(`?tables=${other.id}&saved_filter=${filter}`),
    ]
    const small = await create('Small')
    const named = await service.make(other.type, { [other.f.name]: 'x' })
    await retitle(small, 'Big one')
    await retitle(small, 'Big two')
    await retitle(small, 'Small')
    const inFilter: Seen[] = [
      [small, 'create'],
      [small, 'update'],
      [small, 'delete'],
    ]
    await both.until(() => both.events.length === 4)
    await ofFilter.until(() => ofFilter.events.length === 3)
    assert.deepEqual(seen(both), [[named, 'create'], ...inFilter])
    assert.deepEqual(seen(ofFilter), inFilter)
    assert.deepEqual(seen(ofOther), [[named, 'create']])
    await ofTables.until(() => ofTables.events.length === 5)
    assert.deepEqual(seen(ofTables), [[small, 'create'], [named, 'create'], ...Array.from({ length: 3 }, (): Seen => [small, 'update'])])
    await service.remove(`filter/${filter}`)
    refused(await service.get(`events?saved_filter=${filter}`), '400 filter.unknown_saved_filter saved_filter')
    refused(await service.get('events?tables=9999'), '404 table.not_found')
    for (const stream of [ofTables, ofOther, ofFilter, both]) stream.close()
  })

  it('are those that the rights of the moment show, and end with them', async () => {
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    const seller = await person(service, group, 'seller')
    const { title, secret } = deals.f
    const rule = await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      fields: { [secret.slice(1)]: 'hidden' },
      read_filter: `and(starts_with(${title},'Seen'),not(eq(user_id,current_user)))`,
    })
    const stream = await listen('', { token: seller.token })
    const named = await listen(`?tables=${deals.id}`, { token: seller.token })
    const start = await now()
    const id = await create('Seen', { [secret]: 'x' })
    await service.change(deals.type, id, { [secret]: 'y' })
    await create('Unseen')
    await retitle(id, 'Gone')
    await retitle(id, 'Seen again')
    await named.until(() => named.events.length === 3)
    await stream.until(() => stream.events.length === 3)
    const paged = (await service.get(`change?page[after]=${start}`, seller.token)).json.data
    for (const one of [stream, named])
      assert.deepEqual(
        one.events.map(({ data }) => data),
        paged,
      )
    assert.deepEqual(
      paged.map(({ attributes }: { attributes: { action: string } }) => attributes.action),
      ['create', 'delete', 'create'],
    )
    assert.ok(!JSON.stringify(paged).includes(secret))
    await service.change('access', rule, { read: false, create: true })
    await named.until(() => named.hasEnded)
    await retitle(id, 'Seen at last')
    const witness = await listen(`?after=${start}`)
    await witness.until(() => witness.events.length >= 6)
    assert.equal(stream.events.length, 3)
    assert.ok(!stream.hasEnded)
    refused(await service.get(`events?tables=${deals.id}`, seller.token), '403 access.denied')
    for (const one of [stream, witness]) one.close()
  })

  it('by a filter that looks through long texts come in order too, and hold up nobody else', async () => {
    const terms = Array.from({ length: 4 }, (_, i) => `not(contains(${deals.f.note},'q${i}'))`).join()
    const filter = await service.make('filter', {
      table_id: deals.id,
      filter_name: 'Costly',
      expression: `and(starts_with(${deals.f.title},'Long'),${terms})`,
    })
    const [costly, other] = [await listen(`?saved_filter=${filter}`), await listen(`?tables=${deals.id}`)]
    const id = await create('Long', { [deals.f.note]: 'x'.repeat(limits.longtext.most) })
    for (const title of ['Long 2', 'Long 3']) await retitle(id, title)
    await costly.until(() => costly.events.length === 3)
    await retitle(id, 'Short')
    await service.signIn(service.first.login, service.first.password)
    await retitle(id, 'Long 4')
    await costly.until(() => costly.events.length === 5)
    assert.deepEqual(
      seen(costly).map(([, action]) => action),
      ['create', 'update', 'update', 'delete', 'create'],
    )
    await other.until(() => other.events.length === 5)
    assert.deepEqual(
      costly.events.map((one) => one.id),
      other.events.map((one) => one.id),
    )
    for (const stream of [costly, other]) stream.close()
  })

  it('leave out a change whose texts the filter takes too long for, and go on', async () => {
    const terms = Array.from({ length: 40 }, (_, i) => `not(contains(${deals.f.note},'q${i}'))`).join()
    const filter = await service.make('filter', { table_id: deals.id, filter_name: 'Too costly', expression: `and(${terms})` })
    const costly = await listen(`?saved_filter=${filter}`)
    const [before, cursor] = [service.faults.length, await now()]
    await create('Too long', { [deals.f.note]: 'x'.repeat(limits.longtext.most) })
    await create('Next')
    await costly.until(() => costly.events.length === 1)
    assert.ok(!costly.hasEnded)
    assert.equal(service.faults.slice(before).filter((fault) => fault.includes('takes too long')).length, 1)
    const back = await listen(`?saved_filter=${filter}&after=${cursor}`)
    await back.until(() => back.events.length === 1)
    assert.equal(back.events[0]!.id, costly.events[0]!.id)
    for (const stream of [costly, back]) stream.close()
  })

  it('end when the token is revoked, when it expires, and when its user is archived', async () => {
    const group = Number(await service.make('group', { group_name: 'Readers' }))
    await service.make('access', { group_id: group, table_id: deals.id, read: true })
    const [one, other, third] = [
      await person(service, group, 'one'),
      await person(service, group, 'other'),
      await person(service, group, 'third'),
    ]
    const revoked = await listen('', { token: one.token })
    const archived = await listen('', { token: other.token })
    const expiring = await listen('', { token: third.token })
    const mine = await listen()
    const [token] = (await service.get('token', one.token)).json.data
    assert.equal((await service.remove(`token/${token.id}`, one.token)).status, 200)
    await revoked.until(() => revoked.hasEnded)
    assert.equal((await service.change('user', other.id, { arc: 1 })).status, 200)
    await archived.until(() => archived.hasEnded)
    assert.ok(!expiring.hasEnded)
    service.clock.now += 13 * 3_600_000
    const fresh = await service.signIn(service.first.login, service.first.password)
    await service.add(deals.type, { [deals.f.title]: 'later' }, fresh)
    await expiring.until(() => expiring.hasEnded)
    assert.equal(expiring.events.length, 0)
    service.clock.now -= 13 * 3_600_000
    mine.close()
  })

  // limits.eventsUnread
  it('of a client that does not read are cut off; it comes back with its last id and misses nothing', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(`GET /api/dev/events?tables=${deals.id} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\n\r\n`)
    let text = ''
    let ended = false
    socket.setEncoding('utf8').on('data', (some: string) => (text += some))
    socket.on('end', () => (ended = true)).on('close', () => (ended = true))
    while (!text.includes('\n\n')) await sleep(10)
    socket.pause()
    const witness = await listen(`?tables=${deals.id}`)
    const id = await create('Slow')
    const notes = ['я', 'ю']
    const count = 220
    for (let i = 0; i < count; i++) await service.change(deals.type, id, { [deals.f.note]: notes[i % 2]!.repeat(16_000) })
    await witness.until(() => witness.events.length === count + 1)
    socket.resume()
    // The chunk without bytes ends the answer.
    for (let i = 0; i < 600 && !ended && !text.endsWith('0\r\n\r\n'); i++) await sleep(50)
    assert.ok(ended || text.endsWith('0\r\n\r\n'))
    const got = [...text.matchAll(/id: (\d+)\ndata: /g)].map(([, one]) => one!)
    assert.ok(got.length < count, `${got.length}`)
    const again = await listen(`?tables=${deals.id}`, { headers: { 'Last-Event-ID': got.at(-1) ?? /id: (\d+)/.exec(text)![1]! } })
    // What an earlier test has written may come late, and then counts as well.
    await again.until(() => got.length + again.events.length >= count + 1 && again.events.at(-1)!.id === witness.events.at(-1)!.id)
    assert.deepEqual(
      [...got, ...again.events.map((one) => one.id)],
      witness.events.map((one) => one.id),
    )
    socket.destroy()
    for (const one of [witness, again]) one.close()
  })

  it('are refused beyond the streams of a token, and HEAD takes none', async () => {
    const { token } = await person(service, 1, 'many')
    const streams: EventStream[] = []
    for (let i = 0; i < limits.eventStreamsOfToken.most; i++) streams.push(await listen('', { token }))
    const refusal = await service.get('events', token)
    refused(refusal, '429 events.too_many')
    assert.equal(refusal.headers.get('retry-after'), '10')
    streams[0]!.close()
    let status = 0
    for (let i = 0; i < 200 && status !== 200; i++) {
      const head = await service.send('HEAD', '/api/dev/events', { token })
      status = head.status
      if (status === 200) assert.deepEqual([head.text, head.headers.get('content-type')], ['', 'text/event-stream'])
      else await sleep(20)
    }
    assert.equal(status, 200)
    const last = await listen('', { token })
    for (const one of [...streams, last]) one.close()
    open = []
  })

  it('begin with 410 where changes after the cursor were erased', async () => {
    const gone = Number(await now()) + 1
    await service.store.db.write((tx) => tx.run(sql`INSERT INTO meta (name, value) VALUES ('changes_gone', ${String(gone)})`))
    refused(await service.get(`events?after=${gone - 1}`), '410 change.expired')
    refused(await service.send('GET', '/api/dev/events', { headers: { 'Last-Event-ID': String(gone - 1) } }), '410 change.expired')
    const stream = await listen(`?after=${gone}`)
    stream.close()
    await service.store.db.write((tx) => tx.run(sql`DELETE FROM meta WHERE name = 'changes_gone'`))
  })

  it('show with a comment that the stream lives, and its cursor, which goes on over what is not shown', async () => {
    const other = await makeTable(service, 'Quiet', { name: 'text' })
    const stream = await listen(`?tables=${other.id}`)
    const before = stream.lastId
    await create('Elsewhere')
    await stream.until(() => stream.comments >= 2)
    assert.ok(Number(stream.lastId) > Number(before))
    assert.equal(stream.events.length, 0)
    stream.close()
  })

  it('end when the server stops, and go on after a restart', async () => {
    const own = await startService()
    const table = await makeTable(own, 'Deals', { title: 'text' })
    const stream = await openEvents(own)
    await own.make(table.type, { [table.f.title]: 'x' })
    await stream.until(() => stream.events.some(({ data }) => data.attributes.action === 'create'))
    const closing = own.close()
    await stream.until(() => stream.hasEnded)
    await closing
  })
})
