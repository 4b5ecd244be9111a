import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/sql/sql.ts'
import type { Transaction } from '../../../src/store/ground/db.ts'
import { authenticate } from '../../../src/store/people/authenticate.ts'
import { undoBatch, type Undone } from '../../../src/store/undo/undo-batch.ts'
import { actOf, type Step } from '../../support/act.ts'
import { makeTable, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('the cost of an undo, in rows that are read', () => {
  let service: Service
  let deals: Table & { f: { title: string; other: string } }
  let token: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', other: 'text' })
    token = await service.tokenOf(1)
  })
  after(() => service.close())

  const update = (record: number, values: Record<string, string>): Step => ({ does: 'update', table: deals.id, record, values })
  const act = (...transactions: (readonly Step[])[]) => actOf(service, token, ...transactions)
  const made = async () => Number(await service.make(deals.type, { [deals.f.title]: 'before' }))
  const newest = async (): Promise<number> => (await service.get('change?sort=-id&page[limit]=1')).json.data[0].attributes.batch_id

  /** Changes of a record as the log has them, between this one and the next. */
  async function logged(record: number, count: number, batch: number, attribute: string): Promise<void> {
    const columns = ['id', 'table_id', 'record_id', 'action', 'user_id', 'token_id', 'via', 'batch_id', 'made_at', 'touched', 'content']
    const [last] = await service.store.db.read(sql`SELECT max(id) FROM changes`)
    const first = Number(last![0]![0]) + 1
    const content = JSON.stringify({ [attribute]: ['x', 'x'] })
    for (let from = 0; from < count; from += 5_000) {
      const rows = Array.from({ length: Math.min(5_000, count - from) }, (_, i) => [
        first + from + i,
        deals.id,
        record,
        2,
        1,
        0,
        1,
        batch === 0 ? first + from + i : batch,
        '2026-01-01 00:00:00',
        `|${attribute}|`,
        content,
      ])
      await service.store.db.write(async (tx) => {
        await tx.insert('changes', columns, rows)
        if (batch === 0) return
        await tx.run(sql`UPDATE batch_parts SET last_id = ${first + count - 1} WHERE batch_id = ${batch}`)
      })
    }
  }

  /** What was undone, and how many rows were read: in its transactions, and before these. */
  async function counted(batch: number): Promise<Undone & { inside: number; outside: number }> {
    let [inside, outside] = [0, 0]
    const { store } = service
    const counting = (tx: Transaction): Transaction =>
      new Proxy(tx, {
        get(of, key: keyof Transaction) {
          const member = of[key]
          if (typeof member !== 'function') return member
          if (key !== 'all') return member.bind(of)
          return async (query: Parameters<Transaction['all']>[0]) => {
            const rows = await of.all(query)
            inside += rows.length
            return rows
          }
        },
      })
    const db = {
      ...store.db,
      readLittle: async (...asked: Parameters<typeof store.db.readLittle>) => {
        const answers = await store.db.readLittle(...asked)
        outside += answers.flat().length
        return answers
      },
      write: <T>(work: (tx: Transaction) => Promise<T>) => store.db.write((tx) => work(counting(tx))),
    }
    const caller = (await authenticate(store, token, ''))!
    return { ...(await undoBatch({ ...store, db }, { ...caller }, batch)), inside, outside }
  }

  it('does not grow with how often a record was changed since', async () => {
    const { title, other } = deals.f
    const reads: number[] = []
    for (const since of [1_000, 4_000]) {
      const record = await made()
      await act([update(record, { [title]: 'by the batch' }), update(record, { [title]: 'by the batch too' })])
      const batch = await newest()
      await logged(record, since, 0, other)
      const { records, conflicts, inside, outside } = await counted(batch)
      assert.deepEqual([records, conflicts], [1, 0])
      assert.equal((await service.get(`${deals.type}/${record}`)).json.data.attributes[title], 'before')
      reads.push(inside + outside)
    }
    assert.equal(reads[0], reads[1])
    assert.ok(reads[0]! < 100, String(reads))
  })

  it('grows with the changes of a batch of one record, not with their square; of each attribute, two changes are read', async () => {
    const { title } = deals.f
    const reads: number[] = []
    for (const changes of [2_000, 8_000]) {
      const record = await made()
      await act([update(record, { [title]: 'a' }), update(record, { [title]: 'b' })])
      const batch = await newest()
      await logged(record, changes, batch, title)
      await act([update(record, { [title]: 'x' })])
      await service.store.db.write((tx) =>
        tx
          .run(sql`UPDATE changes SET batch_id = ${batch} WHERE id = (SELECT max(id) FROM changes)`)
          .then(() => tx.run(sql`UPDATE batch_parts SET last_id = (SELECT max(id) FROM changes) WHERE batch_id = ${batch}`)),
      )
      const { records, conflicts, inside, outside } = await counted(batch)
      assert.deepEqual([records, conflicts], [1, 0])
      assert.equal((await service.get(`${deals.type}/${record}`)).json.data.attributes[title], 'before')
      // Each place is read once before the transactions.
      assert.ok(outside < 2 * changes, String(outside))
      reads.push(inside)
    }
    assert.ok(reads[1]! < 8 * reads[0]!, String(reads))
    assert.ok(reads[1]! < 1_000, String(reads))
  })

  it('passes the parts of a batch whose changes are gone, some in each transaction', async () => {
    const { title } = deals.f
    const records = [await made(), await made()]
    await act([update(records[0]!, { [title]: 'one' }), update(records[1]!, { [title]: 'two' })])
    const batch = await newest()
    const [last] = await service.store.db.read(sql`SELECT max(id) FROM changes`)
    const end = Number(last![0]![0])
    await service.store.db.write(async (tx) => {
      const parts = Array.from({ length: 1_000 }, (_, i) => [batch, end + 1 + i, end + 1 + i])
      for (const [of, first, to] of parts)
        await tx.run(sql`INSERT INTO batch_parts (batch_id, id, last_id) VALUES (${of!}, ${first!}, ${to!})`)
    })
    const { records: undone, conflicts, done, inside, outside } = await counted(batch)
    assert.deepEqual([undone, conflicts, done], [2, 0, true])
    assert.ok(inside < 300 && outside < 2_000, `${inside} ${outside}`)
  })
})
