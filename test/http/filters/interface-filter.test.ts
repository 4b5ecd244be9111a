import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'
import { idsOf, makeTable, refused, type Table } from '../../support/scene.ts'

/*
 * docs/interface.md, chapter 8: the sixteen functions, each on text, number, date and several values, with its negative
 * form. The five records, by id:
 *
 *   id  name     count  price   met                  tags          partners   status
 *   1   Anna     5      10.00   2024-05-01 09:30:15  hot           -1-        0
 *   2   anna b   54     9.50    2024-05-02 00:00:00  hot, cold     -1-2-      1
 *   3   Ёлка     -7     -0.05   2023-12-31 23:59:59  cold          -12-       0
 *   4   O'Hara_% 100    100.00  2024-05-01 00:00:00  (none)        (none)     1
 *   5   (none)   0      0.00    (none)               (none)        (none)     0
 */

const FILTERS: readonly [title: string, filter: string, ids: string][] = [
  // eq
  ['eq finds a text', "eq(name,'Anna')", '1'],
  ['eq finds a text in any case', "eq(name,'aNNA')", '1'],
  ['eq takes ё for е', "eq(name,'ЕЛКА')", '3'],
  ['eq finds no part of a text', "eq(name,'Ann')", ''],
  ['eq finds the empty text', "eq(name,'')", '5'],
  ['eq takes % and _ as they are', "eq(name,'O''Hara_%')", '4'],
  ['eq finds a number without quotes', 'eq(count,54)', '2'],
  ['eq finds a number in quotes', "eq(count,'54')", '2'],
  ['eq finds a negative number', 'eq(count,-7)', '3'],
  ['eq compares decimals as numbers', 'eq(price,9.5)', '2'],
  ['eq finds the empty number, which is 0', 'eq(count,0)', '5'],
  ['eq finds a date-time', "eq(met,'2024-05-01 09:30:15')", '1'],
  ['eq takes a date alone for its midnight', "eq(met,'2024-05-01')", '4'],
  ['eq finds the empty date-time', "eq(met,'0000-00-00 00:00:00')", '5'],
  ['eq finds a reference to several', "eq(partners,'-1-2-')", '2'],
  ['eq finds several values as they are shown', "eq(tags,'hot\r\ncold')", '2'],
  ['eq finds a status', 'eq(status, 1)', '2 4'],
  ['eq finds an id', 'eq(id,3)', '3'],
  // ne
  ['ne is the rest of eq on a text', "ne(name,'anna')", '2 3 4 5'],
  ['ne is the rest of eq on the empty text', "ne(name,'')", '1 2 3 4'],
  ['ne is the rest of eq on a number', 'ne(count,0)', '1 2 3 4'],
  ['ne is the rest of eq on a date-time', "ne(met,'0000-00-00')", '1 2 3 4'],
  ['ne is the rest of eq on several values', "ne(tags,'')", '1 2 3'],
  // gt
  ['gt compares numbers as numbers', "gt(count,'54')", '4'],
  ['gt compares negative numbers', 'gt(count,-7)', '1 2 4 5'],
  ['gt compares decimals', 'gt(price,9.49)', '1 2 4'],
  ['gt compares date-times', "gt(met,'2024-05-01')", '1 2'],
  ['gt compares texts without case', "gt(name,'ANNA')", '2 3 4'],
  // gte
  ['gte compares numbers', 'gte(count,54)', '2 4'],
  ['gte compares decimals', "gte(price,'10')", '1 4'],
  ['gte compares date-times', "gte(met,'2024-05-01 09:30:15')", '1 2'],
  ['gte compares texts without case', "gte(name,'ANNA B')", '2 3 4'],
  // lt
  ['lt compares numbers', 'lt(count,5)', '3 5'],
  ['lt compares decimals', 'lt(price,0)', '3'],
  ['lt finds the empty date-time before all others', "lt(met,'2024-01-01')", '3 5'],
  ['lt finds the empty text before all others', "lt(name,'anna')", '5'],
  // lte
  ['lte compares numbers', 'lte(count,5)', '1 3 5'],
  ['lte compares decimals', 'lte(price,-0.05)', '3'],
  ['lte compares date-times', "lte(met,'2023-12-31 23:59:59')", '3 5'],
  ['lte compares texts without case', "lte(name,'ANNA')", '1 5'],
  // in
  ['in finds texts', "in(name,'anna','елка','nobody')", '1 3'],
  ['in finds the empty text', "in(name,'','Anna B')", '2 5'],
  ['in finds numbers', "in(count,5,'100',-7)", '1 3 4'],
  ['in finds decimals', 'in(price,10,0)', '1 5'],
  ['in finds date-times', "in(met,'2024-05-01','2024-05-02')", '2 4'],
  ['in takes one value', 'in(id,2)', '2'],
  // nin
  ['nin is the rest of in on texts', "nin(name,'anna','елка','nobody')", '2 4 5'],
  ['nin is the rest of in on the empty text', "nin(name,'','Anna B')", '1 3 4'],
  ['nin is the rest of in on numbers', "nin(count,5,'100',-7)", '2 5'],
  ['nin is the rest of in on date-times', "nin(met,'2024-05-01','2024-05-02')", '1 3 5'],
  ['a bare number is the text of its digits, for any type', 'starts_with(met,2024)', '1 2 4'],
  // starts_with
  ['starts_with finds a beginning in any case', "starts_with(name,'ANN')", '1 2'],
  ['starts_with takes % and _ as they are', "starts_with(name,'%')", ''],
  ['starts_with works on a number as it is shown', "starts_with(count,'5')", '1 2'],
  ['starts_with works on a decimal as it is shown', "starts_with(price,'10')", '1 4'],
  ['starts_with works on a date-time as it is shown', "starts_with(met,'2024-05-01')", '1 4'],
  ['starts_with works on a system attribute', "starts_with(add_time,'2024-05')", '1 2 3 4 5'],
  ['starts_with of nothing finds all', "starts_with(name,'')", '1 2 3 4 5'],
  // ends_with
  ['ends_with finds an end in any case', "ends_with(name,'NA')", '1'],
  ['ends_with takes % and _ as they are', "ends_with(name,'_%')", '4'],
  ['ends_with works on a number as it is shown', "ends_with(count,'0')", '4 5'],
  ['ends_with works on a decimal as it is shown', "ends_with(price,'.00')", '1 4 5'],
  ['ends_with works on several values', "ends_with(tags,'COLD')", '2 3'],
  ['ends_with of nothing finds all', "ends_with(name,'')", '1 2 3 4 5'],
  // contains
  ['contains finds a part in any case', "contains(name,'NN')", '1 2'],
  ['contains takes ё for е', "contains(name,'лк')", '3'],
  ['contains takes a quote doubled', "contains(name,'O''H')", '4'],
  ['contains takes % and _ as they are', "contains(name,'_')", '4'],
  ['contains works on a number as it is shown', "contains(count,'-')", '3'],
  ['contains works on a reference to several', "contains(partners,'-1-')", '1 2'],
  ['contains works on several values', "contains(tags,'hot')", '1 2'],
  ['contains of nothing finds all', "contains(name,'')", '1 2 3 4 5'],
  // between
  ['between includes both ends of numbers', 'between(count,5,54)', '1 2'],
  ['between takes negative bounds', 'between(count,-7,0)', '3 5'],
  ['between compares decimals', 'between(price,9.5,10)', '1 2'],
  ['between compares date-times', "between(met,'2024-05-01','2024-05-01 09:30:15')", '1 4'],
  ['between compares texts without case', "between(name,'ANNA','anna b')", '1 2'],
  ['between with its bounds the wrong way round finds nothing', 'between(count,54,5)', ''],
  // and, or, not
  ['and holds where all hold', "and(starts_with(name,'a'),gt(count,5))", '2'],
  ['and takes many', 'and(gte(id,2),lte(id,4),ne(id,3))', '2 4'],
  ['and takes one', 'and(eq(id,1))', '1'],
  ['or holds where at least one holds', "or(eq(count,5),eq(name,''),eq(count,5))", '1 5'],
  ['or takes one', 'or(eq(id,1))', '1'],
  ['not negates', "not(starts_with(name,'a'))", '3 4 5'],
  ['not of not is nothing', 'not(not(eq(id,1)))', '1'],
  ['they stand in each other', "or(and(eq(status,0),not(eq(name,''))),eq(id,2))", '1 2 3'],
  // spelling
  ['blanks may stand between tokens', ' and ( eq ( status , 0 ) , gt ( count , -1 ) ) ', '1 5'],
  ['function names are known in any case', "AND(EQ(status,0),Not(Starts_With(name,'a')))", '3 5'],
  ['dates are written in single quotes', "and(gte(add_time,'2024-05-01'),lt(add_time,'2024-05-02'))", '1 2 3 4 5'],
]

describe('the interface: filter expressions', () => {
  let service: Service
  let table: Table

  before(async () => {
    service = await startService()
    const other = await makeTable(service, 'Partners', { name: 'text' })
    for (let i = 0; i < 12; i++) await service.make(other.type, {})
    table = await makeTable(service, 'Things', {
      name: 'text',
      count: 'integer',
      price: 'decimal',
      met: 'datetime',
      tags: { field_type: 'multilist', options: ['hot', 'cold'] },
      partners: { field_type: 'references', reference_table_id: other.id },
    })
    for (const [name, count, price, met, tags, partners, status] of [
      ['Anna', '5', '10', '2024-05-01 09:30:15', 'hot', '-1-', '0'],
      ['anna b', '54', '9.5', '2024-05-02', 'hot\r\ncold', '-1-2-', '1'],
      ['Ёлка', '-7', '-0.05', '2023-12-31 23:59:59', 'cold', '-12-', '0'],
      ["O'Hara_%", '100', '100', '2024-05-01', '', '', '1'],
      ['', '', '', '', '', '', '0'],
    ]) {
      const { f } = table
      const values = { [f['name']!]: name, [f['count']!]: count, [f['price']!]: price, [f['met']!]: met }
      await service.make(table.type, { ...values, [f['tags']!]: tags, [f['partners']!]: partners, status })
    }
  })
  after(() => service.close())

  /** With the names of fields in place of f<field_id>. */
  const named = (filter: string) => filter.replace(/(?<=\(\s*)(name|count|price|met|tags|partners)\b/g, (name) => table.f[name]!)
  const get = (filter: string) => service.send('GET', `${table.path}?filter=${encodeURIComponent(named(filter))}`)

  for (const [title, filter, ids] of FILTERS) {
    it(title, async () => {
      const answer = await get(filter)
      assert.equal(idsOf(answer).join(' '), ids)
      assert.equal(answer.json.meta.total, answer.json.data.length)
      const rest = idsOf(await get(`not(${filter})`))
      assert.deepEqual([...idsOf(answer), ...rest].sort(), ['1', '2', '3', '4', '5'], 'not() selects the rest')
    })
  }

  it('each of the sixteen functions is among these', () => {
    const used = new Set(FILTERS.flatMap(([, filter]) => [...filter.matchAll(/([A-Za-z_]+)\s*\(/g)].map(([, name]) => name!.toLowerCase())))
    const functions = 'eq ne gt gte lt lte in nin starts_with ends_with contains between and or not'.split(' ')
    assert.deepEqual([...used].sort(), functions.sort())
  })

  describe('use_filter, the sixteenth', () => {
    const save = (expression: string, of = table) =>
      service.make('filter', { table_id: of.id, filter_name: 'Saved', expression: named(expression) })

    it('applies a saved filter of the table by its numeric id', async () => {
      const id = await save("and(eq(status,0),starts_with(name,'a'))")
      for (const filter of [`use_filter(${id})`, `use_filter('${id}')`, ` USE_FILTER ( ${id} ) `])
        assert.deepEqual(idsOf(await get(filter)), ['1'], filter)
    })

    it('cannot be combined with any other function', async () => {
      const id = await save('eq(status,0)')
      for (const filter of [
        `and(use_filter(${id}),eq(status,0))`,
        `or(eq(status,0),use_filter(${id}))`,
        `not(use_filter(${id}))`,
        `and(use_filter(${id}))`,
        `and(or(not(use_filter(${id}))))`,
      ])
        refused(await get(filter), '400 filter.saved_filter_alone filter')
      for (const filter of [`use_filter(${id}),eq(status,0)`, `use_filter(${id}) use_filter(${id})`])
        refused(await get(filter), '400 filter.syntax filter')
    })

    it('takes an id and nothing else', async () => {
      refused(await get('use_filter()'), '400 filter.syntax filter')
      refused(await get("use_filter('x')"), '400 filter.syntax filter')
      refused(await get('use_filter(-1)'), '400 filter.syntax filter')
      refused(await get('use_filter(name)'), '400 filter.syntax filter')
      refused(await get('use_filter(1,2)'), '400 filter.wrong_arity filter')
    })

    it('refuses an id that is unknown or of another table', async () => {
      const other = await makeTable(service, 'Others', { name: 'text' })
      const id = await save('eq(status,0)', other)
      for (const filter of [`use_filter(${id})`, 'use_filter(9999)', 'use_filter(0)'])
        refused(await get(filter), '400 filter.unknown_saved_filter filter')
    })
  })

  it('conditions refer to attributes, with their names bare', async () => {
    for (const filter of ["eq(table_name,'x')", "eq(attributes,'x')", "eq(links,'x')", 'eq(type,1)', 'eq(f999,1)', 'eq(F1,1)'])
      refused(await get(filter), '400 filter.unknown_attribute filter')
    refused(await get("eq('status',0)"), '400 filter.syntax filter')
  })

  it('the same functions work on endpoint 7', async () => {
    for (const [filter, total] of [
      ['eq(group_id,1)', 1],
      ['ne(group_id,1)', 0],
      ['gt(id,0)', 1],
      ['gte(id,1)', 1],
      ['lt(id,1)', 0],
      ['lte(arc,0)', 1],
      ['in(group_id,1,2)', 1],
      ['nin(group_id,1,2)', 0],
      ["starts_with(login,'AD')", 1],
      ["ends_with(fio,'tor')", 1],
      ["contains(login,'dmi')", 1],
      ['between(group_id,1,2)', 1],
      ["and(eq(e_mail,''),eq(arc,0))", 1],
      ['or(eq(arc,1),eq(id,1))', 1],
      ['not(eq(arc,1))', 1],
      ["eq(fio,'nobody')", 0],
    ] as const)
      assert.equal((await service.get(`user?filter=${encodeURIComponent(filter)}`)).json.meta.total, total, filter)
    for (const attribute of ['fio', 'e_mail', 'login', 'group_id', 'arc'])
      for (const fn of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'starts_with', 'ends_with', 'contains', 'between'])
        assert.equal(
          (await service.get(`user?filter=${fn}(${attribute},${fn === 'between' ? '0,1' : '1'})`)).status,
          200,
          `${fn} ${attribute}`,
        )
    refused(await service.get('user?filter=use_filter(1)'), '400 filter.unknown_saved_filter filter')
  })
})
