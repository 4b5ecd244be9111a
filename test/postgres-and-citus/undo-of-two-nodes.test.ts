import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import type { Caller } from '../../src/store/model/access.ts'
import { authenticate } from '../../src/store/people/authenticate.ts'
import { undoBatch, type Undone } from '../../src/store/undo/undo-batch.ts'
import { actBy } from '../support/act.ts'
import { makeTable, type Table } from '../support/scene.ts'
import { startNodes, type Service } from '../support/service.ts'

/** More than the first steps of an undo take. */
const RECORDS = 260

describe('an undo that two nodes work on at the same time', () => {
  let close: () => Promise<void>
  let here: Service
  let there: Service
  let table: Table
  let field: string
  let ids: readonly number[]
  /** The batch that gives each record its second value. */
  let batch: number
  before(async () => {
    const started = await startNodes(2)
    ;[here, there] = started.nodes as [Service, Service]
    close = started.close
  })
  after(() => close?.())

  beforeEach(async () => {
    table = await makeTable(here, 'Deals', { title: 'text' })
    field = table.f['title']!
    const all = Array.from({ length: RECORDS }, (_, i) => i)
    const create = all.map((i) => ({ does: 'create' as const, table: table.id, values: { [field]: `first ${i}` } }))
    ids = await actBy(here.store, { ...(await callerOf(here)) }, create)
    const update = ids.map((record) => ({ does: 'update' as const, table: table.id, record, values: { [field]: 'second' } }))
    await actBy(here.store, { ...(await callerOf(here)) }, update)
    batch = Number((await rows(sql`SELECT max(batch_id) FROM changes WHERE table_id = ${table.id}`))[0]![0])
    await there.store.catchUp?.()
  })

  const callerOf = async (node: Service): Promise<Caller> => (await authenticate(node.store, here.token, ''))!
  const rows = async (query: ReturnType<typeof sql>) => (await here.store.db.read(query))[0]!
  const undo = async (node: Service, id: number, options: Parameters<typeof undoBatch>[3] = {}): Promise<Undone> =>
    undoBatch(node.store, await callerOf(node), id, options)
  const undoneBy = async (id: number) => Number((await rows(sql`SELECT undone_by FROM batches WHERE id = ${id}`))[0]![0])
  const changesOf = async (id: number) =>
    (await rows(sql`SELECT count(*), count(DISTINCT record_id) FROM changes WHERE table_id = ${table.id} AND batch_id = ${id}`))[0]!.map(
      Number,
    )
  const titles = async () =>
    (await rows(sql`SELECT content FROM changes WHERE table_id = ${table.id} ORDER BY id DESC LIMIT ${RECORDS}`)).map(
      ([content]) => Object.values(JSON.parse(String(content)) as Record<string, [string, string]>)[0]![1],
    )
  const first = (some: readonly number[]) => some.map((_, i) => `first ${i}`)

  it('takes back each change once, and both are told the whole of it', async () => {
    const [one, other] = await Promise.all(
      [here, there].map((node) => node.send('POST', `/api/dev/batch/${batch}/undo`, { token: here.token })),
    )
    const answers = [one!, other!]
    const done = answers.filter(({ status }) => status === 200)
    // Who comes when all of it is done is told so.
    for (const { status, json } of answers) if (status !== 200) assert.deepEqual([status, json.errors[0].code], [409, 'batch.undone'])
    assert.ok(done.length > 0)
    const by = await undoneBy(batch)
    for (const { json } of done) assert.deepEqual([json.meta.batch_id, json.meta.done, json.meta.records], [by, true, RECORDS])
    assert.deepEqual(await changesOf(by), [RECORDS, RECORDS])
    assert.deepEqual((await titles()).toSorted(), first(ids).toSorted())
  })

  it('tells the one that worked on it what came of it when the other one ends it', async () => {
    let ended: Undone | undefined
    const late = await undo(here, batch, { onStep: async () => void (ended ??= await undo(there, batch)) })
    assert.deepEqual([ended!.done, ended!.records], [true, RECORDS])
    assert.deepEqual([late.done, late.batch, late.records, late.conflicts], [true, ended!.batch, RECORDS, 0])
    assert.deepEqual(await changesOf(late.batch!), [RECORDS, RECORDS])
    await assert.rejects(undo(here, batch), { code: 'batch.undone' })
  })

  it('leaves alone an undo that was begun anew after the other one ended it, and it was undone itself', async () => {
    let again: Undone | undefined
    const late = await undo(here, batch, {
      async onStep() {
        if (again) return
        const { batch: ended } = await undo(there, batch)
        await undo(there, ended!)
        again = await undo(there, batch, { time: 0 })
      },
    })
    assert.deepEqual([late.done, late.records > 0], [true, true])
    assert.notEqual(late.batch, again!.batch)
    assert.equal(again!.done, false)
    assert.deepEqual([await undoneBy(batch), (await undoneBy(late.batch!)) > 0], [0, true])
    // Nothing came into the first undo any more, nor did it move the second one.
    assert.deepEqual(await changesOf(late.batch!), [RECORDS, RECORDS])
    assert.deepEqual(await changesOf(again!.batch!), [again!.records, again!.records])
    const end = await undo(there, batch)
    assert.deepEqual([end.done, end.batch, end.records], [true, again!.batch, RECORDS])
    assert.equal(await undoneBy(batch), again!.batch)
    assert.deepEqual((await titles()).toSorted(), first(ids).toSorted())
  })
})
