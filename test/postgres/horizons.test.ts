import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { raw, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { MOST_IN_TRANSACTION } from '../../src/store/changes/change-log.ts'
import { followChanges } from '../../src/store/changes/follow-changes.ts'
import { listenersOf } from '../../src/store/changes/listeners.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { makeTable, person } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Sessions of other databases come and go, so the horizon of the log of changes may go back, and two questions of one read may get two. */

const FAR = '1000000000'

describe('where the horizon of the log goes back', () => {
  let service: Service
  /** One whose horizon is what is set. */
  let store: Store
  let caller: typeof operator
  /** Positions in the log: before three changes, and those of the first and the last of them. */
  let [start, first, last] = [0, 0, 0]
  const set = (transaction: string) => service.store.db.write((tx) => tx.run(sql`UPDATE horizon SET says = ${transaction}`))
  /** The transaction that keeps back what begins at a position of the log. */
  const keeping = async (position: number): Promise<string> => {
    const [rows] = await service.store.db.read(sql`SELECT ${position} / ${MOST_IN_TRANSACTION}::bigint - base FROM change_log`)
    return String(rows![0]![0])
  }
  before(async () => {
    service = await startService()
    const { db } = service.store
    const table = await makeTable(service, 'Deals', { title: 'text' })
    await person(service, 1, 'vera')
    const [tokens] = await db.read(sql`SELECT id, user_id FROM tokens ORDER BY id DESC LIMIT 1`)
    const [tokenId, userId] = tokens![0]!.map(Number) as [number, number]
    caller = { ...operator, tokenId, userId, door: 'api' } as typeof operator
    await db.write(async (tx) => {
      await tx.run(sql`CREATE TABLE horizon (says text NOT NULL)`)
      await tx.run(sql`INSERT INTO horizon VALUES (${FAR})`)
      await tx.run(sql`CREATE SEQUENCE horizon_asked`)
    })
    // What is set: one transaction, or one for each odd question and another one for each even one.
    const oldestRunning = raw(
      `(SELECT split_part(says, ' ', CASE WHEN says LIKE '% %' AND nextval('horizon_asked') % 2 = 0 THEN 2 ELSE 1 END)::bigint FROM horizon)`,
    )
    store = { ...service.store, db: { ...db, dialect: { ...db.dialect, oldestRunning } } }
    start = (await followChanges(store, operator, { after: -2, limit: 1, filter: undefined })).cursor
    for (const title of ['One', 'Two', 'Three']) await service.make(table.type, { [table.f['title']!]: title })
    const { changes } = await followChanges(store, operator, { after: start, limit: 50, filter: undefined })
    assert.equal(changes.length, 3)
    ;[first, last] = [changes[0]!.id, changes[2]!.id]
  })
  after(() => service.close())

  it('who follows it gets what was kept back, and none is skipped', async () => {
    for (const says of [`${await keeping(last)} ${FAR}`, `${FAR} ${await keeping(last)}`]) {
      await set(says)
      const found = new Set<number>()
      for (let [at, tries] = [start, 0]; tries < 6; tries++) {
        const { changes, cursor } = await followChanges(store, operator, { after: at, limit: 50, filter: undefined })
        for (const { id } of changes) found.add(id)
        at = cursor
      }
      assert.equal(found.size, 3, says)
    }
  })

  it('a stream that begins where others have been told more gets it when it can be read', async () => {
    await set(FAR)
    const listeners = listenersOf(store, { form: ({ id }) => `${id} `, position: () => '' })
    const listen = () => {
      const listener = listeners.listen({ caller, tables: undefined, filterId: 0, after: start })!
      const heard = { text: '', end: () => listener.end() }
      const read = async () => {
        for (let part = await listener.next(); part; part = await listener.next()) heard.text += Buffer.from(part).toString()
      }
      void read()
      return heard
    }
    const one = listen()
    await until('what the first is told', () => one.text.includes(`${last} `))
    await set(await keeping(last))
    const other = listen()
    await until('what the second is told', () => other.text.includes(`${first} `))
    assert.ok(!other.text.includes(`${last} `))
    await set(FAR)
    await until('what was kept back', () => other.text.includes(`${last} `))
    assert.equal(other.text, one.text)
    one.end()
    other.end()
  })
})
