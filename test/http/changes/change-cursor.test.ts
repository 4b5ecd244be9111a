import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEvents } from '../../support/event-stream.ts'
import { makeTable, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

/* From where the log of changes goes on after an answer (DECISIONS A60). */

const RECORDS = 20
const ROUNDS = 40

describe('the cursor of an answer', () => {
  let service: Service
  let deals: Table & { readonly f: Readonly<Record<'title' | 'count', string>> }
  const ids: string[] = []
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', count: 'integer' })
    for (let i = 0; i < RECORDS; i++) ids.push(await service.make(deals.type, { [deals.f.count]: 0 }))
  })
  after(() => service.close())

  const cursorOf = ({ headers }: Answer) => headers.get('change-cursor')
  const count = async (id: string, value: number, query = ''): Promise<Answer> => {
    const answer = await service.send('PATCH', `/api/dev/${deals.type}/${id}${query}`, {
      body: { data: { type: deals.type, id, attributes: { [deals.f.count]: value } } },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const countsIn = ({ json }: Answer): Map<string, number> =>
    new Map(json.data.map((one: { id: string; attributes: Record<string, string> }) => [one.id, Number(one.attributes[deals.f.count])]))
  /** Resolves with the last change, when cursors are no longer before it: over PostgreSQL, transactions of other tests that still run hold them back. */
  const caughtUp = async (): Promise<number> => {
    const last = Number((await service.get('change?sort=-id&page[limit]=1')).json.data[0].id)
    while (Number(cursorOf(await service.get(`${deals.type}?changeCursor=true`))) < last) await sleep(20)
    return last
  }
  /** The changes after a cursor, by record. */
  const changesAfter = async (cursor: string): Promise<readonly { id: number; record: string; to: number }[]> => {
    const found = []
    for (let after = cursor, more = true; more;) {
      const { json } = await service.get(`change?page[after]=${after}&page[limit]=50&filter=eq(table_id,${deals.id})`)
      for (const { id, attributes } of json.data)
        found.push({ id: Number(id), record: String(attributes.record_id), to: Number(attributes.changes[deals.f.count].to) })
      after = json.meta.cursor
      more = json.meta.more
    }
    return found
  }

  it('is told where it is asked for: of lists, records and figures', async () => {
    const paths = [deals.type, `${deals.type}?page[size]=5`, `${deals.type}/${ids[0]}`, `${deals.type}/aggregate`]
    const last = await caughtUp()
    for (const path of paths) {
      const [plain, asked] = [await service.get(path), await service.get(`${path}${path.includes('?') ? '&' : '?'}changeCursor=true`)]
      assert.equal(cursorOf(plain), null)
      assert.ok(Number(cursorOf(asked)) >= last, path)
      assert.deepEqual([asked.json.data, asked.json.meta], [plain.json.data, plain.json.meta])
    }
    const list = `${deals.type}?changeCursor=true`
    const headers = { 'If-None-Match': (await service.get(list)).headers.get('etag')! }
    const same = await service.send('GET', `/api/dev/${list}`, { headers })
    assert.deepEqual([same.status, Number(cursorOf(same)) >= last], [304, true])
  })

  it('of a list: a stream that begins there tells what others have changed before it was opened', async () => {
    const list = await service.get(`${deals.type}?changeCursor=true`)
    assert.equal(list.status, 200)
    await count(ids[1]!, 2)
    const stream = await openEvents(service, `?tables=${deals.id}&after=${cursorOf(list)}`)
    await stream.until(() => stream.events.length > 0)
    await count(ids[2]!, 3)
    await stream.until(() => stream.events.length > 1)
    stream.close()
    assert.deepEqual(
      stream.events.map(({ data }) => String(data.attributes.record_id)),
      [ids[1], ids[2]],
    )
  })

  it('of a list that is read while others write: all up to the cursor is in it, and the changes after it lead to what is there', async () => {
    let isOver = false
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let value = 10; !isOver; value++) await count(ids[(value * 4 + writer) % RECORDS]!, value)
    })
    const lists: Answer[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const asked = `changeCursor=true${i % 2 ? `&filter=gte(${deals.f.count},0)&sort=id` : ''}`
      lists.push(await service.get(`${deals.type}?page[limit]=${RECORDS}&${asked}`))
    }
    isOver = true
    await Promise.all(writers)
    await caughtUp()
    const first = Math.min(...lists.map((one) => Number(cursorOf(one))))
    const all = await changesAfter(String(first))
    assert.ok(all.length > ROUNDS / 4)
    const now = countsIn(await service.get(`${deals.type}?page[limit]=${RECORDS}`))
    for (const list of lists) {
      const cursor = Number(cursorOf(list))
      const shown = countsIn(list)
      for (const { id, record, to } of all) {
        // Each writer counts up, so a list that has a later change has a higher value.
        if (id <= cursor) assert.ok(shown.get(record)! >= to, `${record} at ${cursor} is ${shown.get(record)}, not yet ${to}`)
        else shown.set(record, to)
      }
      assert.deepEqual([...shown].sort(), [...now].sort())
    }
  })

  it('of a write is the id of its change; there is none where nothing has changed', async () => {
    const written = await count(ids[3]!, 77, '?changeCursor=true')
    const [change] = (await service.get(`${deals.type}/${ids[3]}/history?sort=-id&page[limit]=1`)).json.data
    assert.deepEqual([cursorOf(written), change.attributes.changes[deals.f.count].to], [change.id, '77'])
    assert.equal(cursorOf(await count(ids[3]!, 77, '?changeCursor=true')), null)
    assert.equal(cursorOf(await count(ids[3]!, 78)), null)
  })
})
