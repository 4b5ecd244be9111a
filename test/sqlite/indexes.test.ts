import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { check } from '../../src/filter/check.ts'
import { compile } from '../../src/filter/compile.ts'
import { parse } from '../../src/filter/parse.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { restore } from '../../src/store/structure/trash.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { indexedTable, selected, type IndexedTable } from '../support/indexed-table.ts'
import * as fc from '../support/fast-check.ts'

const RECORDS = 5_000

/** What is asked, sorted how, and which index answers; the records themselves are never looked through. */
const requests: readonly (readonly [filter: string | undefined, sort: string, index: string])[] = [
  ["eq(title,'anna anna 0')", '', 'title order'],
  ["in(mail,'person7@example7.com','person9@example9.com')", '', 'mail order'],
  ['eq(count,13)', '', 'count order'],
  ['gt(amount,4999)', '', 'amount order'],
  ["between(due,'2012-01-01','2012-02-01')", '', 'due order'],
  ["lt(seen,'2024-01-11 10:30:00')", '', 'seen order'],
  ["starts_with(mail,'person77')", '', 'mail order'],
  ["starts_with(due,'2015-0')", '', 'due order'],
  ["eq(phone,'+7 900 101-11')", '', 'phone order'],
  ["eq(stage,'won')", '', 'stage value'],
  ["starts_with(stage,'wo')", '', 'stage value'],
  ['is_empty(due)', '', 'due order'],
  ['eq(user_id,5)', '', 'user_id order'],
  ["eq(tags,'Won')", '', 'tags order'],
  [undefined, 'amount', 'amount order'],
  [undefined, '-amount', 'amount order_desc'],
  [undefined, 'title', 'title order'],
  [undefined, '-mail', 'mail order_desc'],
  [undefined, 'stage', 'stage order'],
  [undefined, '-stage', 'stage order_desc'],
  ["contains(title,'ёлка')", '', 'title text'],
  ["ends_with(mail,'19.com')", '', 'mail text'],
  ["contains(phone,'900 101')", '', 'phone text'],
  ["has(tags,'deferred')", '', 'tags text'],
  ['has(owners,1)', '', 'owners text'],
  ["contains(notes,'Naïve')", '', 'notes text'],
]

describe('each kind of request is answered by an index that nobody asked for', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>

  before(async () => {
    // By SQL, which needs an index for each order.
    ;({ store, remove } = await scratchStore({ listedFrom: 1_000_000 }))
    table = await indexedTable(store, RECORDS)
    for (const [filter, sort] of requests) await table.list(filter, sort)
    await store.indexes.idle()
  })
  after(() => remove())

  it('made on first use', async () => {
    const wanted = new Set(requests.map(([, , index]) => table.named(index)))
    assert.deepEqual(new Set(await table.ready()), wanted)
  })

  for (const [filter, sort, index] of requests)
    for (const offset of sort === '' ? [0] : [0, RECORDS - 20])
      it(`${filter ?? 'all'} sorted by ${sort || 'id'} at ${offset} by ${index}`, async () => {
        const plan = await table.planOf(filter, sort, offset)
        const [attribute, kind] = table.named(index).split(' ')
        const steps = plan.filter(
          (step) => /^(SCAN|SEARCH) /.test(step) && !/SCAN (?:json_each|.subquery|matching|counted|page|one)/.test(step),
        )
        const served = new RegExp(
          kind === 'text'
            ? `SCAN data${table.id}_${attribute}_text VIRTUAL`
            : `USING (COVERING )?INDEX data${table.id}_${attribute}_${kind}${sort === '' ? '(_desc)?' : ''} ?\\b`,
        )
        assert.ok(
          steps.some((step) => served.test(step)),
          plan.join('\n'),
        )
        const scans = steps.filter((step) => step.startsWith('SCAN') && !/ USING | VIRTUAL /.test(step))
        assert.deepEqual(scans, [], plan.join('\n'))
        if (sort !== '')
          assert.deepEqual(
            plan.filter((step) => step.includes('TEMP B-TREE')),
            [],
            plan.join('\n'),
          )
      })
})

/** Terms of one filter: what is read first, which the others are then tested for, if that is little. */
describe('terms that an index finds are read first', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, RECORDS)
    for (const filter of ['eq(count,13)', "eq(stage,'won')", "contains(mail,'person')"]) await table.list(filter)
    await store.indexes.idle()
  })
  after(() => remove())

  it('and what an index of text finds is not looked up in the table', async () => {
    const [plan] = await table.plansOf("contains(mail,'son77')")
    const [scan, search] = [`SCAN data${table.id}_${table.named('mail')}_text VIRTUAL`, `SEARCH data${table.id} `].map((step) =>
      plan!.findIndex((one) => one.startsWith(step)),
    )
    // Records that have changed since the index was told are not tested there.
    assert.ok(scan! >= 0 && search! < 0, plan!.join('\n'))
  })

  it('and the others are tested for the records that they leave', async () => {
    const plans = (await table.plansOf("and(contains(notes,'4'),eq(count,13),ne(amount,7))")).map((plan) => plan.join('\n'))
    assert.ok(plans.length >= 2, plans.join('\n\n'))
    assert.match(plans[0]!, new RegExp(`USING COVERING INDEX data${table.id}_${table.named('count')}_order`))
    assert.match(plans[1]!, /USING INTEGER PRIMARY KEY/)
    assert.doesNotMatch(plans.join('\n'), /^SCAN data\d+$/m)
  })

  it('each by its own index', async () => {
    const plans = (await table.plansOf("and(eq(stage,'won'),eq(count,13))", 'count', 40)).map((plan) => plan.join('\n'))
    assert.deepEqual(
      plans
        .slice(0, 3)
        .map((plan) => /INDEX (data\w+)/.exec(plan)![1])
        .sort(),
      ['stage_value', 'count_order', 'count_order']
        .map((one) => `data${table.id}_${table.named(one.split('_')[0]!)}_${one.split('_')[1]!}`)
        .sort(),
    )
  })
})

describe('answers are the same with and without indexes', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  const hostile = [
    'ёлка',
    'Ёл',
    '"',
    'o"hara',
    `d'arc`,
    '%',
    '100%',
    '*',
    'a*b',
    '😀',
    '😀😀😀',
    '\u0301',
    'e\u0301te',
    'AND',
    'NEAR(',
    '-',
    '',
    'line 4',
    '\r\n',
    'x'.repeat(90),
    'again x',
    '\u0001\t\u007f "a"',
    '漢字かな交じり',
    'ab漢字12345',
    'line 4\r\nё',
    'o"hara ёлка',
    '@example1',
    '.com',
  ]
  const needle = fc.oneof(
    fc.constantFrom(...hostile),
    fc.constantFrom('abababababab', 'aaaaaaaaaa', 'ab ab ab ab ab ab'),
    fc.string({ unit: fc.constantFrom(...'anë01 "*%😀'), maxLength: 12 }),
  )
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  const texts = fc.constantFrom('title', 'notes', 'mail', 'tags', 'owners')
  const term: fc.Arbitrary<string> = fc.oneof(
    fc
      .tuple(fc.constantFrom('contains', 'ends_with', 'starts_with'), texts, needle)
      .map(([fn, field, part]) => `${fn}(${field},${quoted(part)})`),
    fc
      .tuple(fc.constantFrom('eq', 'gt', 'lte', 'ne'), fc.constantFrom('title', 'mail'), needle)
      .map(([fn, field, value]) => `${fn}(${field},${quoted(value)})`),
    fc.tuple(fc.constantFrom('eq', 'gt', 'lt'), fc.integer({ min: -5, max: 720 })).map(([fn, value]) => `${fn}(count,${value})`),
    fc.constantFrom(
      "has(tags,'Won')",
      "has(tags,'on hold')",
      'is_empty(due)',
      'is_empty(tags)',
      "in(stage,'won','lost')",
      "ne(stage,'open')",
    ),
    fc.tuple(fc.nat(700), fc.nat(50)).map(([low, span]) => `between(count,${low},${low + span})`),
    fc.array(fc.nat(700), { minLength: 1, maxLength: 12 }).map((values) => `in(count,${values.join(',')})`),
  )
  /** What stands in a record, of any length. */
  const piece = fc.record({
    fn: fc.constantFrom('contains', 'ends_with'),
    field: texts,
    of: fc.nat(),
    from: fc.nat(25),
    length: fc.nat(25),
  })
  const filter = fc.oneof(
    { weight: 3, arbitrary: term },
    fc.tuple(fc.constantFrom('and', 'or'), term, term).map(([fn, one, other]) => `${fn}(${one},${other})`),
    term.map((one) => `not(${one})`),
  )

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, 2_000)
    for (const field of ['title', 'notes', 'mail', 'tags', 'owners']) {
      await table.list(`contains(${field},'abc')`)
      await table.list(`eq(${field},'${field === 'owners' ? '-1-' : field === 'tags' ? 'Won' : 'a'}')`, `-${field}`)
    }
    for (const field of ['count', 'due', 'stage', 'amount'])
      for (const sign of ['', '-']) await table.list(`is_empty(${field})`, sign + field)
    await store.indexes.idle()
  })
  after(() => remove())

  /** Page by page with indexes, at once without. */
  async function same(text: string, sort: string): Promise<void> {
    const attributes = table.may('read').attributes
    const condition = compile(check(parse(table.named(text)), { attributes, context: store.context }), store.db.dialect)
    const wanted = await selected(store, table.id, condition)
    const found: number[] = []
    const first = await table.list(text, sort)
    for (let offset = 0; offset < Math.min(first.total, 100); offset += 20) found.push(...(await table.list(text, sort, offset)).ids)
    const last = Math.max(0, Math.ceil(first.total / 20) - 1) * 20
    const end = (await table.list(text, sort, last)).ids
    assert.equal(first.total, wanted.length, text)
    if (sort === '') {
      assert.deepEqual(found, wanted.slice(0, found.length), text)
      assert.deepEqual(end, wanted.slice(last, last + 20), text)
    } else assert.ok([...found, ...end].every((id) => wanted.includes(id)) && new Set(found).size === found.length, text)
  }

  async function withPiece({ fn, field, of, from, length }: typeof piece extends fc.Arbitrary<infer P> ? P : never): Promise<string> {
    const column = name(table.named(field))
    const [rows] = await store.db.read(sql`SELECT ${column} FROM ${name(recordsOf(table.id))} WHERE id >= ${1 + (of % 2000)} LIMIT 1`)
    const text = [...String(rows![0]?.[0] ?? '')]
    return `${fn}(${field},${quoted((fn === 'contains' ? text.slice(from, from + length) : text.slice(-length)).join(''))})`
  }

  const questions = fc.record({
    filters: fc.array(filter, { minLength: 4, maxLength: 8 }),
    pieces: fc.array(piece, { minLength: 2, maxLength: 4 }),
  })

  it('whatever is asked while records come, change, go and come back', () =>
    fc.assert(
      fc.asyncProperty(questions, fc.nat(), needle, async ({ filters, pieces }, chance, text) => {
        const { title, notes } = { title: table.named('title'), notes: table.named('notes') }
        const oneLine = text.replaceAll('\r\n', ' ')
        const { id } = await createRecord(
          store,
          table.may('create'),
          new Map([
            [title, oneLine],
            [notes, text],
          ]),
        )
        await updateRecord(store, table.may('update'), 1 + (chance % 1000), new Map([[title, `${oneLine}!`]]))
        await updateRecord(store, table.may('update'), id, new Map([[title, `again ${oneLine}`]]))
        if (chance % 2 === 0) {
          await deleteRecord(store, table.may('delete'), 1001 + (chance % 900)).catch(() => undefined)
          await deleteRecord(store, table.may('delete'), id)
          const [rows] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'record' ORDER BY id LIMIT 1`)
          await restore(store, operator, Number(rows![0]![0]))
        }
        if (chance % 5 === 0) await table.fill(300)
        for (const one of filters) await same(one, ['', '', 'title', '-count', 'stage'][chance % 5]!)
        for (const one of pieces) await same(await withPiece(one), '')
        if (chance % 4 === 0) assert.deepEqual(await findings(), [])
      }),
      { numRuns: 40 },
    ))

  it('whatever has all pieces of a text but not the text', async () => {
    const may = table.may('update')
    const title = table.named('title')
    for (const [id, text] of Object.entries({ 11: 'abcdefg bcdefgh', 12: '- abcdefgh', 13: 'cdefghi abcdefghi', 14: 'ab abcdefg' }))
      await updateRecord(store, may, Number(id), new Map([[title, text]]))
    const found = async (filter: string) => (await table.list(filter)).ids
    assert.deepEqual(await found("contains(title,'abcdefg')"), [11, 12, 13, 14])
    assert.deepEqual(await found("contains(title,'abcdefgh')"), [12, 13])
    assert.deepEqual(await found("ends_with(title,'abcdefgh')"), [12])
    assert.deepEqual(await found("and(contains(title,'abcdefgh'),not(contains(title,'abcdefghi')))"), [12])
    assert.deepEqual(await found("contains(title,'CDE')"), [11, 12, 13, 14])
  })

  /** Brings the indexes over texts up to date, too. */
  async function findings(): Promise<string[]> {
    const all: string[] = []
    for await (const finding of checkIntegrity(store)) all.push(finding)
    return all
  }

  it('of records that change more than once, go and come back, in one transaction or several, before the index is told', async () => {
    const [may, mayDelete, title] = [table.may('update'), table.may('delete'), table.named('title')]
    const change = (id: number, text: string) => updateRecord(store, may, id, new Map([[title, text]]))
    const remove = (id: number) => deleteRecord(store, mayDelete, id)
    const bringBack = async (id: number) => {
      const [rows] = await store.db.read(sql`SELECT id FROM trash WHERE kind = 'record' AND item_id = ${id}`)
      await restore(store, operator, Number(rows![0]![0]))
    }
    const found = async (text: string) => (await table.list(`contains(title,'${text}')`)).ids
    await Promise.all([21, 22, 23, 24, 25, 26].map((id) => change(id, `before zebra ${id}`)))
    assert.deepEqual(await findings(), [])
    const rounds: readonly (readonly [work: () => Promise<unknown>, before: readonly number[], after: readonly number[]])[] = [
      [() => Promise.all([change(21, 'x'), change(21, 'between zebra'), change(21, 'after zebra')]), [22, 23, 24, 25, 26], [21]],
      [() => change(22, 'after zebra').then(() => remove(22)), [23, 24, 25, 26], [21]],
      [() => bringBack(22), [23, 24, 25, 26], [21, 22]],
      [() => Promise.all([change(23, 'gone'), change(23, 'before zebra 23'), remove(24)]), [23, 25, 26], [21, 22]],
      [() => bringBack(24), [23, 24, 25, 26], [21, 22]],
      [() => Promise.all([change(24, 'after zebra'), change(25, '')]), [23, 26], [21, 22, 24]],
      [() => remove(26), [23], [21, 22, 24]],
      [() => bringBack(26).then(() => change(26, 'before zebra 26 after zebra')), [23, 26], [21, 22, 24, 26]],
    ]
    for (const isTold of [false, true]) {
      for (const [work, before, after] of rounds) {
        await work()
        if (isTold) assert.deepEqual(await findings(), [])
        assert.deepEqual([await found('before zebra'), await found('after zebra')], [before, after])
      }
      assert.deepEqual(await findings(), [])
      await Promise.all([21, 22, 23, 24, 25, 26].map((id) => change(id, `before zebra ${id}`)))
      assert.deepEqual([await found('before zebra'), await found('after zebra')], [[21, 22, 23, 24, 25, 26], []])
    }
  })

  it('the indexes over texts fit the records, and say where they do not', async () => {
    await store.indexes.idle()
    assert.deepEqual(await findings(), [])
    const [rows] = await store.db.read(sql`SELECT index_name FROM indexes WHERE kind = 'text' AND attribute = ${table.named('title')}`)
    const index = name(String(rows![0]![0]))
    await store.db.write((tx) => tx.run(sql`INSERT INTO ${index} (rowid, grams) VALUES (1, 'not what it is')`))
    assert.match((await findings()).join('\n'), /the index over its texts does not fit them/)
  })
})
