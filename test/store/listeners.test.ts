import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../src/limits.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { listenersOf, type Framing, type Listener, type Listeners } from '../../src/store/changes/listeners.ts'
import { makePlaces } from '../../src/store/changes/places.ts'
import { grant, type Caller } from '../../src/store/model/access.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import { makeTable, person, type Table } from '../support/scene.ts'
import { settled } from '../support/settled.ts'
import { startService, type Service } from '../support/service.ts'

describe('listeners of a process', () => {
  let service: Service
  let table: Table
  const callers: Caller[] = []
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', { note: 'longtext' })
    const users = Math.ceil((limits.eventStreams.most + 1) / limits.eventStreamsOfToken.most)
    for (let i = 0; i < users; i++) await person(service, 1, `user${i}`)
    const tokens = (await service.store.db.read({ chunks: [{ text: 'SELECT id, user_id FROM tokens ORDER BY id' }] } as never))[0]!
    for (const [tokenId, userId] of tokens) callers.push({ ...operator, tokenId: Number(tokenId), userId: Number(userId), door: 'api' })
  })
  after(() => service.close())

  const begin = (framing: Framing, count: number): { listeners: Listeners; all: Listener[]; end(): void } => {
    const listeners = listenersOf({ ...service.store }, framing)
    const all = Array.from({ length: count }, (_, i) => {
      const caller = callers[Math.floor(i / limits.eventStreamsOfToken.most)]!
      return listeners.listen({ caller, tables: undefined, filterId: 0, after: undefined })!
    })
    return { listeners, all, end: () => all.forEach((one) => one.end()) }
  }
  const create = (text: string) =>
    createRecord(service.store, grant('create', table.id, operator, service.store.catalogue()), new Map([[table.f['note']!, text]]))
  const read = async (listener: Listener): Promise<string> => Buffer.from((await listener.next())!).toString()

  it('share what is made of a change, and are limited', async () => {
    await settled(service.store)
    let made = 0
    const framing: Framing = { form: ({ recordId }) => (made++, `[${recordId}]`), position: () => '-' }
    const { listeners, all, end } = begin(framing, limits.eventStreams.most)
    for (const listener of all) assert.equal(await read(listener), '-')
    assert.equal(listeners.listen({ caller: callers.at(-1)!, tables: undefined, filterId: 0, after: undefined }), undefined)
    assert.throws(() => listeners.mustHaveRoom(callers.at(-1)!), { code: 'server.busy' })
    const changes = 5
    const ids: number[] = []
    for (let i = 0; i < changes; i++) ids.push((await create(String(i))).id)
    const expected = ids.map((id) => `[${id}]`).join('')
    for (const listener of all) {
      let text = ''
      while (text.length < expected.length) text += (await read(listener)).replaceAll('-', '')
      assert.equal(text, expected)
    }
    assert.equal(made, changes)
    end()
    for (const listener of all) assert.equal(await listener.next(), undefined)
  })

  it('of one user leave room for those of others', () => {
    const places = makePlaces(() => {})
    const caller = (userId: number, tokenId: number): Caller => ({ ...operator, userId, tokenId })
    const { most } = limits.eventStreamsOfUser
    const added = Array.from({ length: most }, (_, i) =>
      places.add({ caller: caller(1, Math.floor(i / limits.eventStreamsOfToken.most)), tables: undefined, filterId: 0, after: undefined }),
    )
    assert.equal(places.full(caller(1, most)), 'events.too_many')
    assert.equal(places.full(caller(2, most + 1)), undefined)
    places.end(added[0]!)
    assert.equal(places.full(caller(1, most)), undefined)
  })

  it('that do not take a page of older changes in time are ended', async () => {
    const places = makePlaces(() => {}, 50)
    const place = places.add({ caller: operator, tables: undefined, filterId: 0, after: 0 })
    places.send(place, Buffer.alloc(limits.eventsUnread.most))
    await places.drain(place)
    assert.ok(place.isEnded)
  })

  it('that do not read hold a bounded number of bytes together', async () => {
    const size = limits.eventsUnread.most / 2
    const framing: Framing = { form: () => 'x'.repeat(size), position: () => '-' }
    const count = limits.eventsUnreadOfAll.most / size + 10
    const { all, end } = begin(framing, count)
    for (const listener of all) await read(listener)
    // One for each, which all of them may hold, and another one, for which there is no room.
    await create('one')
    const witness = begin({ ...framing }, 1)
    await read(witness.all[0]!)
    await create('two')
    for (let i = 0; i < 2; i++) await read(witness.all[0]!)
    let ended = 0
    for (const listener of all) {
      let part = await listener.next()
      if (part === undefined) ended++
      else {
        part = await listener.next()
        if (part === undefined) ended++
      }
    }
    assert.ok(ended >= 10, `${ended}`)
    end()
    witness.end()
  })
})
