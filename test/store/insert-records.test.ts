import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Failures } from '../../src/errors.ts'
import { sql, type Sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Transaction } from '../../src/store/ground/db.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { findByKey } from '../../src/store/records/find-by-key.ts'
import { createRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { getRecord } from '../../src/store/records/read-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { cluster } from '../support/scratch-database.ts'
import { scratchStore } from '../support/scratch-store.ts'
import * as fc from '../support/fast-check.ts'

type Rows = readonly ReadonlyMap<string, string>[]

const fields = [
  { title: 'Code', typeName: 'text', unique: true },
  { title: 'Amount', typeName: 'decimal', unique: true },
  { title: 'Name', typeName: 'text', required: true },
  { title: 'Stage', typeName: 'list', options: [{ label: 'New' }, { label: 'Won' }], defaultValue: 'New' },
  { title: 'Number', typeName: 'autonumber' },
  { title: 'Phone', typeName: 'phone' },
] as const

async function makeTable(store: Store, title: string): Promise<{ id: number; names: readonly string[] }> {
  const id = await createTable(store, operator, { title })
  const names: string[] = []
  for (const field of fields) names.push(`f${await createField(store, operator, { tableId: id, ...field })}`)
  names.push(`f${await createField(store, operator, { tableId: id, title: 'Above', typeName: 'reference', referenceTableId: id })}`)
  return { id, names }
}

const may = (store: Store, tableId: number) => grant(['create', 'bulk', 'read', 'update'], tableId, operator, store.catalogue())

/** What was wrong with a row, with the places of fields instead of their names. */
const told = ({ names }: { names: readonly string[] }, { failures }: Failures) =>
  failures.map(({ code, where, message }) => {
    const place = names.findIndex((one) => where.attribute === one)
    return [code, place, message.replaceAll(names[place] ?? '', 'f'), where.meta]
  })

/** Of a record that is there, and of those that come next. */
const ids = (records: number): Record<string, string> => ({
  last: String(records),
  first: String(records + 1),
  second: String(records + 2),
  tenth: String(records + 10),
})

/** Values that fit, do not fit, collide with each other, or refer to what may not be there. */
const cells = [
  fc.constantFrom('', 'a', 'A', 'b', 'c', 'ё', 'Е', 'two\nlines'),
  fc.constantFrom('', '0', '1', '1.0', '2.50', '123456789012345.12', '9999999999999999.99', 'x', '1.234'),
  fc.constantFrom('', 'Anna', 'Борис', 'x'.repeat(256)),
  fc.constantFrom('', 'New', 'won', 'Lost'),
  fc.constantFrom('', '0', '7'),
  fc.constantFrom('', '+49 30', 'none'),
  fc.constantFrom('', '0', 'x', 'last', 'first', 'second', 'tenth'),
]

describe('many new records at once', () => {
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  before(async () => {
    scratch = await scratchStore()
  })
  after(() => scratch.remove())

  it('come to what they would come to one by one', async () => {
    const { store } = scratch
    const [together, alone] = [await makeTable(store, 'Together'), await makeTable(store, 'Alone')]
    let round = 0
    let records = 0
    const row = fc.tuple(...cells.map((cell) => fc.option(cell, { nil: undefined, freq: 3 })))
    const plain = fc.tuple(fc.nat(60), fc.nat(60)).map(([code, amount]) => [String(code), `${amount}.5`, 'Anna'])
    const rows = fc.array(fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: row }), { maxLength: 12 })
    // So that there are some whatever the random ones are.
    const many = Array.from({ length: 201 }, (_, i): (string | undefined)[] => [String(i), `${i}.5`, 'Anna'])
    await fc.assert(
      fc.asyncProperty(rows as fc.Arbitrary<(string | undefined)[][]>, async (given) => {
        round++
        const fresh = given.map(([code, amount, name, stage, number, phone, above]) => [
          code && `${round}${code}`,
          amount && (/^\d+\.5$/.test(amount) ? `${round}${amount}` : amount),
          name,
          stage,
          number,
          phone,
          above === undefined ? undefined : (ids(records)[above] ?? above),
        ])
        const sent = ({ names }: typeof alone): Rows =>
          fresh.map((row) => new Map(row.flatMap((value, i) => (value === undefined ? [] : [[names[i]!, value]]))))
        const got: unknown[] = []
        for (const result of await insertRecords(store, may(store, together.id), sent(together)))
          got.push(typeof result === 'number' ? await show(store, together, result) : told(together, result))
        const want: unknown[] = []
        for (const one of sent(alone)) want.push(await oneByOne(store, alone, one))
        assert.deepEqual(got, want)
        const [one, other] = await store.db.read(store.positions.total(together.id), store.positions.total(alone.id))
        assert.equal(one![0]![0], other![0]![0])
        records = Number(one![0]![0])
      }),
      { numRuns: 150, examples: [[many]] },
    )
    assert.ok(records > 200, String(records))
  })

  it('find what they must not repeat by the index of the field', async () => {
    const { store } = scratch
    const { id, names } = await makeTable(store, 'Planned')
    const asked: Sql[] = []
    const watched: Store = { ...store, db: watch(store, asked) }
    const granted = may(store, id)
    const row = (code: string) =>
      new Map([
        [names[0]!, code],
        [names[1]!, '5.00'],
        [names[2]!, 'Anna'],
      ])
    await insertRecords(watched, granted, [row('a')])
    await assert.rejects(createRecord(watched, granted, row('a')), Failures)
    await updateRecord(watched, granted, 1, new Map([[names[0]!, 'b']]))
    await findByKey(watched, granted, granted.table.fields[0]!, ['b'])
    await findByKey(watched, granted, granted.table.fields[1]!, ['5.00'])
    const uniques = asked.filter(({ chunks }) => chunks.some((chunk) => 'text' in chunk && /<>|unique_keys WHERE/.test(chunk.text)))
    assert.equal(uniques.length, 7)
    for (const query of uniques) {
      // PostgreSQL reads a table of one record whole, whatever indexes there are.
      if (cluster !== undefined) continue
      const [plan] = await store.db.read(sql`EXPLAIN QUERY PLAN ${query}`)
      const steps = plan!.map((step) => String(step[3]))
      assert.ok(
        steps.some((step) => /^SEARCH data\d+ USING (COVERING )?INDEX data\d+_f\d+_unique /.test(step)),
        steps.join('; '),
      )
    }
  })

  async function oneByOne(
    store: Store,
    table: { id: number; names: readonly string[] },
    row: ReadonlyMap<string, string>,
  ): Promise<unknown> {
    try {
      return await show(store, table, (await createRecord(store, may(store, table.id), row)).id)
    } catch (error) {
      return told(table, error as Failures)
    }
  }

  async function show(store: Store, { id, names }: { id: number; names: readonly string[] }, record: number): Promise<unknown> {
    const { attributes, version } = await getRecord(store, may(store, id), record)
    return [record, version, attributes['add_time'], attributes['user_id'], ...names.map((one) => attributes[one])]
  }
})

/** Notes every question asked. */
function watch({ db }: Store, asked: Sql[]): Store['db'] {
  const note =
    <T>(ask: (query: Sql) => T) =>
    (query: Sql) => {
      asked.push(query)
      return ask(query)
    }
  const watched = (tx: Transaction): Transaction => ({ ...tx, all: note(tx.all) })
  return {
    ...db,
    read: (...queries) => {
      asked.push(...queries)
      return db.read(...queries)
    },
    readLittle: (by, ...queries) => {
      asked.push(...queries)
      return db.readLittle(by, ...queries)
    },
    write: (work, options) => db.write((tx) => work(watched(tx)), options),
  }
}
