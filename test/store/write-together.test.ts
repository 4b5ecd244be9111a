import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Failures } from '../../src/errors.ts'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import type { Right } from '../../src/store/model/rights.ts'
import type { Sent } from '../../src/store/model/sent.ts'
import { createRecord, prepareCreate, prepareDelete, prepareUpdate, writeTogether } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { scratchStore } from '../support/scratch-store.ts'

describe('several writes in one transaction', () => {
  let store: Store
  let remove: () => Promise<void>
  let table: number
  let code: string
  let paper: string
  const may = <R extends Right>(right: R) => grant(right, table, operator, store.catalogue())
  const named = (value: string) => new Map([[code, value]])
  const add = async (value: string) => (await createRecord(store, may('create'), named(value))).id
  /** Of the whole table, with the total. */
  const codes = async () => {
    const { records, total } = await store.pages.page(may('read'), { sort: [], offset: 0, limit: 50 })
    assert.equal(total, records.length)
    return records.map(({ attributes }) => attributes[code])
  }
  const kept = async () => {
    const [files, trash] = await store.db.read(sql`SELECT count(*) FROM files`, sql`SELECT count(*) FROM trash`)
    return [Number(files![0]![0]), Number(trash![0]![0])]
  }
  const mustBeSound = async () => {
    for await (const problem of checkIntegrity(store)) assert.fail(problem)
  }

  beforeEach(async () => {
    ;({ store, remove } = await scratchStore())
    table = await createTable(store, operator, { title: 'Companies' })
    code = `f${await createField(store, operator, { tableId: table, title: 'Code', typeName: 'text', unique: true })}`
    paper = `f${await createField(store, operator, { tableId: table, title: 'Paper', typeName: 'file' })}`
  })
  afterEach(() => remove())

  /** Two creates, a change and a delete; each meets what those before it have done. */
  const four = async (changed: number, deleted: number, last: string) => {
    const withFile = new Map<string, Sent>(named('gone')).set(paper, [{ fileName: 'a.txt', content: 'hello', binary: false }])
    return [
      prepareDelete(store, may('delete'), deleted),
      await prepareCreate(store, may('create'), withFile),
      await prepareUpdate(store, may('update'), changed, named('was taken')),
      await prepareCreate(store, may('create'), named(last)),
    ] as const
  }

  it('are all done, each after those before it', async () => {
    const [changed, deleted] = [await add('kept'), await add('gone')]
    const [none, first, second, third] = await writeTogether(store, await four(changed, deleted, 'kept'))
    assert.equal(none, undefined)
    assert.deepEqual([first.attributes[code], second.id, second.version, third.id], ['gone', changed, 2, first.id + 1])
    assert.deepEqual(await codes(), ['was taken', 'gone', 'kept'])
    assert.deepEqual(await kept(), [1, 1])
    await mustBeSound()
  })

  it('are none of them done where one fails, also while others write', async () => {
    const [changed, deleted] = [await add('kept'), await add('gone')]
    const writes = await four(changed, deleted, 'Was taken')
    const [refused] = await Promise.allSettled([writeTogether(store, writes), ...Array.from({ length: 20 }, (_, i) => add(`other ${i}`))])
    assert.ok(refused.status === 'rejected' && refused.reason instanceof Failures)
    assert.deepEqual(
      refused.reason.failures.map(({ code: found }) => found),
      ['field.not_unique'],
    )
    assert.deepEqual((await codes()).slice(0, 2), ['kept', 'gone'])
    assert.equal((await codes()).length, 22)
    assert.deepEqual(await kept(), [0, 0])
    await add('was taken')
    await mustBeSound()
  })
})
