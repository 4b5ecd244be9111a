import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { name, sql, type Sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import type { Tally } from '../../src/store/ground/changes.ts'
import { MAY_COMMIT, OTHERS_WAIT, pack, type FromWriter } from '../../src/store/sqlite/write-lease.ts'
import { createField, deleteField } from '../../src/store/structure/fields.ts'
import { createRecord, deleteRecord } from '../../src/store/records/write-records.ts'
import { allRows, committed } from '../../src/store/ground/relation.ts'
import { trashItems } from '../../src/store/structure/trash-entries.ts'
import { erase } from '../../src/store/structure/trash.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { scratchInstallation, scratchStore } from '../support/scratch-store.ts'
import { setPartsOf } from '../support/list-parts.ts'
import type { WriterTask } from '../support/import-writer-thread.ts'
import { allTold, makeTold, toldLedger } from '../support/told-ledger.ts'

describe('an import writer', () => {
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  let table: number
  let title: string
  /** What a test that failed has left open. */
  const ends: (() => unknown)[] = []
  beforeEach(async () => {
    scratch = await scratchStore()
    table = await createTable(scratch.store, operator, { title: 'Companies' })
    title = `f${await createField(scratch.store, operator, { tableId: table, title: 'Name', typeName: 'text' })}`
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    await scratch.remove()
  })

  const may = <R extends 'read' | 'create' | 'delete'>(right: R) => grant(right, table, operator, scratch.store.catalogue())
  const add = (text: string) => createRecord(scratch.store, may('create'), new Map([[title, text]]))
  const page = (offset: number, filter = {}) => scratch.store.pages.page(may('read'), { sort: [], offset, limit: 20, ...filter })

  function start(
    batch: number,
    tells = false,
  ): { worker: Worker; written(): number; atLeast(count: number): Promise<void>; stop(): Promise<number> } {
    const { store } = scratch
    const { access, ended } = store.admitWriter!()
    const workerData: WriterTask = { access, settings: store.settings, tableId: table, field: title, batch, tells }
    const worker = new Worker(new URL('../support/import-writer-thread.ts', import.meta.url), { workerData, transferList: [access.port] })
    ends.push(() => worker.terminate())
    let written = 0
    worker.on('message', (count: number) => (written = count))
    return {
      worker,
      written: () => written,
      async atLeast(count) {
        while (written < count) await once(worker, 'message')
      },
      async stop() {
        worker.postMessage('stop')
        await once(worker, 'exit')
        await ended
        return written
      },
    }
  }

  it('leaves every page with its exact total, while others write too', async () => {
    const writer = start(300)
    let own = 0
    for (let round = 0; writer.written() < 6_000; round++) {
      const { id } = await add(`own ${round}`)
      own++
      if (round % 3 === 0) {
        await deleteRecord(scratch.store, may('delete'), id)
        own--
      }
      const { total } = await page(0)
      for (const offset of [0, Math.floor(total / 2), Math.max(0, total - 5), total + 100]) {
        const found = await page(offset)
        assert.equal(found.records.length, Math.max(0, Math.min(20, found.total - offset)), `offset ${offset} of ${found.total}`)
      }
    }
    const total = own + (await writer.stop())
    assert.equal((await page(0)).total, total)
    assert.equal((await page(total - 1)).records.length, 1)
    for await (const problem of checkIntegrity(scratch.store)) assert.fail(problem)
  })

  it('is over when all it has written is known here, however late this thread hears of it', async () => {
    let total = 0
    for (let round = 0; round < 5; round++) {
      const writer = start(50)
      await writer.atLeast(50)
      const busy = setInterval(() => {
        for (const end = performance.now() + 30; performance.now() < end;);
      }, 1)
      ends.push(() => clearInterval(busy))
      total += await writer.stop()
      assert.equal((await page(0)).total, total)
      clearInterval(busy)
    }
  })

  it('shows what it has committed when this thread knows of it, and not before', async () => {
    for (let i = 0; i < 5; i++) await add(`own ${i}`)
    const { file, port, flags } = scratch.store.admitWriter!().access
    ends.push(() => port.close())
    const send = (message: FromWriter) => port.postMessage(message)
    const turnOfEvents = () => new Promise((next) => setImmediate(next))
    const connection = new Database(file)
    const turn = async (tallies: Tally[], end: 'COMMIT' | 'ROLLBACK') => {
      const begun = once(port, 'message')
      send({ asks: true })
      await begun
      connection.exec('BEGIN IMMEDIATE')
      for (const { recordId } of tallies) connection.exec(`INSERT INTO data${table} (id) VALUES (${recordId})`)
      connection.exec(`UPDATE tables SET record_count = record_count + ${tallies.length}`)
      send({ tallies: pack(tallies) })
      while (Atomics.exchange(flags, MAY_COMMIT, 0) === 0) await turnOfEvents()
      connection.exec(end)
    }
    const last = async () => {
      const { total } = await page(0)
      return [total, (await page(total - 1)).records[0]?.id]
    }
    const tallies = (ids: number[]) => ids.map((recordId): Tally => ({ tableId: table, recordId, change: 1 }))
    const changes = () => scratch.store.positions.state(table).number
    assert.deepEqual(await last(), [5, 5])
    await turn(tallies([300, 301, 900]), 'COMMIT')
    assert.deepEqual(await last(), [5, 5])
    assert.notEqual(changes(), changes(), 'nothing is remembered of what others may see otherwise')
    assert.equal(Atomics.load(flags, OTHERS_WAIT), 0)
    const waited = add('waits')
    await turnOfEvents()
    assert.equal(Atomics.load(flags, OTHERS_WAIT), 1, 'the import writer is told that somebody waits')
    send({ returns: true })
    assert.equal((await waited).id, 901)
    assert.deepEqual(await last(), [9, 901])
    assert.equal(changes(), changes())
    await turn(tallies([1000]), 'ROLLBACK')
    send({ returns: true })
    while (changes() !== changes()) await turnOfEvents()
    assert.deepEqual(await last(), [9, 901])
    connection.close()
  })

  it('has sets and orders of lists follow what it writes', async () => {
    const { store } = scratch
    for (let i = 0; i < 50; i++) await add(`${i * 31} own`)
    const key = sql`${name(`${title}k`)}`
    const records = name(recordsOf(table))
    const compare = async (offset: number, filter: string | undefined, condition: Sql) => {
      const sort = parseSort(title, may('read').attributes)
      const { records: found, total } = await page(offset, { sort, filter: filter && parse(filter) })
      // In the turn of the answer nothing else was committed.
      const [want, all] = setPartsOf(store).db.readNow(
        sql`SELECT id FROM ${records} WHERE ${condition} ORDER BY ${key}, id LIMIT 20 OFFSET ${offset}`,
        sql`SELECT count(*) FROM ${records} WHERE ${condition}`,
      )
      return { found: [found.map(({ id }) => id), total], want: [want!.map(([id]) => Number(id)), Number(all![0]![0])] }
    }
    const writer = start(100)
    for (let round = 0; writer.written() < 1_500; round++) {
      for (const part of [0, 0.3, 0.7, 1]) {
        const offset = Math.floor(writer.written() * part)
        for (const { found, want } of [
          await compare(offset, undefined, sql`1 = 1`),
          await compare(offset, `contains(${title},'3')`, sql`instr(${key}, '3') > 0`),
        ])
          // The import may commit between the two reads: then the next turn shows it.
          assert.ok(found[1]! <= want[1]!, `${found[1]} ${want[1]}`)
      }
      if (round % 5 === 0) await add(`${round * 3} own`)
    }
    await writer.stop()
    for (let offset = 0; offset < 1_600; offset += 97) {
      const whole = await compare(offset, undefined, sql`1 = 1`)
      assert.deepEqual(whole.found, whole.want)
      const some = await compare(offset, `not(contains(${title},'3'))`, sql`instr(${key}, '3') = 0`)
      assert.deepEqual(some.found, some.want)
    }
  })

  it('goes on where the structure changes', async () => {
    const { store } = scratch
    const other = await createField(store, operator, { tableId: table, title: 'Other', typeName: 'text' })
    await page(0, { sort: parseSort(`f${other}`, may('read').attributes) })
    const writer = start(50)
    await writer.atLeast(100)
    await deleteField(store, operator, other)
    const [entry] = await allRows(committed(store), trashItems)
    await erase(store, operator, entry!.id)
    await createField(store, operator, { tableId: table, title: 'More', typeName: 'integer' })
    await writer.atLeast(writer.written() + 200)
    const written = await writer.stop()
    assert.equal((await page(0)).total, written)
  })

  it('has ledgers of its own, and this thread tells its own after each commit', async () => {
    const told = toldLedger('server')
    await scratch.remove()
    const installation = await scratchInstallation({}, { engine: 'sqlite', ledgers: [told] })
    const store = await installation.open()
    scratch = { ...installation, store, remove: () => store.close().then(installation.remove) }
    await makeTold(store.db)
    table = await createTable(store, operator, { title: 'Companies' })
    title = `f${await createField(store, operator, { tableId: table, title: 'Name', typeName: 'text' })}`
    const writer = start(100, true)
    let own = 0
    for (; writer.written() < 1_000; own++) await add(`own ${own}`)
    const written = await writer.stop()
    const all = await allTold(store.db)
    const by = (thread: string) => all.filter(({ act, batch }) => act === 'create' && batch.startsWith(thread)).length
    assert.deepEqual([by('import'), by('server'), all.length], [written, own, written + own])
    const ids = all.map(({ recordId }) => recordId).sort((a, b) => a - b)
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(
      told.committed.toSorted((a, b) => a - b),
      ids,
    )
    assert.equal((await page(0)).total, ids.length)
  })

  it('keeps nobody from writing when it ends without a word', async () => {
    for (let round = 0; round < 5; round++) {
      const writer = start(200)
      await writer.atLeast(200 * (round + 1))
      await writer.worker.terminate()
      await add('after it')
    }
    const { total } = await page(0)
    assert.equal((await page(total - 1)).records.length, 1)
    for await (const problem of checkIntegrity(scratch.store)) assert.fail(problem)
  })
})
