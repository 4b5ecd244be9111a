import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from './language.ts'
import { operatorsOf } from './operators.ts'
import { firstDay, periodsFor, weekWord } from './periods.ts'
import { conditionAt, readFilter, writeFilter, type Condition, type Group, type Item } from './tree.ts'

const types = ['text', 'longtext', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'list', 'multilist', 'reference', 'references', 'user', 'users', 'group', 'file', 'phone'] // prettier-ignore
const fields = types.map((type, i) => ({ name: `f${i + 1}`, type }))

/** Numbers that look random and are the same each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

const VALUES = [
  'a',
  "it's",
  "''",
  'a,b',
  '(x)',
  ' ',
  'ж',
  '7',
  '-1.50',
  'today',
  'today-30',
  'month',
  'week_sunday-2',
  'current_user',
  "'),eq(f1,'",
  '\\',
  '"',
]

const PERIODS = [...periodsFor('en-US'), ...periodsFor('ru'), 'week_saturday', 'week_friday+1']

function condition(next: (below: number) => number): Condition {
  const field = fields[next(fields.length)]!
  const all = operatorsOf(field)
  const operator = all[next(all.length)]!
  const count = { none: 0, one: 1, two: 2, many: 1 + next(3), days: 1, period: 1 }[operator.values]
  const value = () => {
    if (operator.values === 'days') return String(1 + next(400))
    const some = operator.values === 'period' ? PERIODS : VALUES
    return some[next(some.length)]!
  }
  const values = Array.from({ length: count }, value)
  // The same expression as the days before or after the present one, as which it is read.
  if (operator.name === 'between' && values.every((one) => one.startsWith('today'))) values[0] = '2026-01-01'
  return { is: 'condition', attribute: field.name, operator: operator.name, values }
}

function group(next: (below: number) => number, depth: number): Group {
  const items = Array.from({ length: 2 + next(3) }, (): Item =>
    next(4) === 0 && depth < 3
      ? group(next, depth + 1)
      : next(8) === 0
        ? { is: 'verbatim', text: `eq(f10.f3,'x${next(9)}')` }
        : condition(next),
  )
  return { is: 'group', join: (['all', 'any', 'none'] as const)[next(3)]!, items }
}

describe('the filter builder', () => {
  it('reads back what it writes', () => {
    const next = numbers(11)
    for (let round = 0; round < 3000; round++) {
      const built = group(next, 0)
      const text = writeFilter(built, fields)!
      assert.deepEqual(readFilter(text, fields), built, text)
      assert.equal(writeFilter(readFilter(text, fields)!, fields), text)
    }
  })

  for (const text of [
    "eq(f10.f3,'Porto')",
    "search('anna')",
    'use_filter(5)',
    "eq(nobody,'x')",
    "eq(f1,'today')",
    "eq(f6,'today')",
    "and(eq(f10.f3,'Porto'),not(search('x')))",
    "contains(f3,'1')",
    "in(f1,'a','b')",
    'between(f6,today-30,today+30)',
    'between(f6,today-030,today)',
    "between(f6,'today-30','today')",
    'not(between(f6,today-30,today))',
    'between(f6,now-30,now)',
    'between(f6,today-30)',
    'gte(f6,month)',
    'and(gte(f6,month),lt(f6,month+2))',
    'and(gte(f6,month),lte(f6,month+1))',
    'and(gte(f6,month-2),lt(f6,month-1))',
    'and(gte(f6,month),lt(f7,month+1))',
    "and(gte(f6,'month'),lt(f6,month+1))",
    'and(gte(f1,month),lt(f1,month+1))',
    'and(lt(f6,month+1),gte(f6,month))',
    'not(and(gte(f6,week),lt(f6,week+1)))',
    "or(and(gte(f6,week),lt(f6,week+1)),and(gte(f6,year-1),lt(f6,year),eq(f5,'1')))",
  ])
    it(`keeps ${text} as it is`, () => {
      assert.equal(writeFilter(readFilter(text, fields)!, fields), text)
    })

  it('reads expressions as people write them', () => {
    assert.deepEqual(readFilter(" and( eq(f8, 'new') , gt(f4,100) )", fields), {
      is: 'group',
      join: 'all',
      items: [
        { is: 'condition', attribute: 'f8', operator: 'is', values: ['new'] },
        { is: 'condition', attribute: 'f4', operator: 'above', values: ['100'] },
      ],
    })
    for (const text of ['nonsense(', "eq(f1,'x'", 'eq(f1,)', 'f1', "'x'", "eq(f1,'x') and", '('.repeat(100), 'not('.repeat(100)])
      assert.equal(readFilter(text, fields), undefined, text)
  })

  it('has days before and after the present one', () => {
    for (const [text, operator] of [
      ['between(f6,today-44,today)', 'lastDays'],
      ['between(f6,today,today+44)', 'nextDays'],
      ['between(f7,now-45,now)', 'lastDays'],
      ['between(f7,now,now+45)', 'nextDays'],
    ] as const) {
      const read = readFilter(text, fields)!
      assert.deepEqual(read.items, [{ is: 'condition', attribute: text.slice(8, 10), operator, values: ['45'] }])
      assert.equal(writeFilter(read, fields), text)
    }
    // The present day is one of them.
    const one = { is: 'condition', attribute: 'f6', operator: 'lastDays', values: ['1'] } as const
    assert.equal(writeFilter(one, fields), 'between(f6,today,today)')
    assert.deepEqual(readFilter('between(f6,today,today)', fields)!.items, [one])
    for (const days of ['', '0', '1.5', '-3', '100000'])
      assert.equal(writeFilter({ is: 'condition', attribute: 'f6', operator: 'lastDays', values: [days] }, fields), undefined)
  })

  it('has weeks, months and years', () => {
    for (const [text, period] of [
      ['and(gte(f6,week),lt(f6,week+1))', 'week'],
      ['and(gte(f7,week_sunday-1),lt(f7,week_sunday))', 'week_sunday-1'],
      ['and(gte(f6,month+1),lt(f6,month+2))', 'month+1'],
      ['and(gte(f6,year-1),lt(f6,year))', 'year-1'],
    ] as const) {
      const read = readFilter(text, fields)!
      assert.deepEqual(read.items, [{ is: 'condition', attribute: text.slice(8, 10), operator: 'within', values: [period] }])
      assert.equal(writeFilter(read, fields), text)
    }
    assert.deepEqual(readFilter('and( gte(f6, month) , lt(f6,month+1) )', fields), readFilter('and(gte(f6,month),lt(f6,month+1))', fields))
    for (const values of [[], [''], ['today'], ['month+2'], ['week', 'week']])
      assert.equal(writeFilter({ is: 'condition', attribute: 'f6', operator: 'within', values }, fields), undefined)
  })

  it('has their first days as values of a row', () => {
    for (const [text, operator, values] of [
      ['gte(f6,month)', 'from', ['month']],
      ['lt(f7,week_sunday+12)', 'below', ['week_sunday+12']],
      ['between(f6,year-1,month)', 'between', ['year-1', 'month']],
    ] as const) {
      const read = readFilter(text, fields)!
      assert.deepEqual(read.items, [{ is: 'condition', attribute: text.includes('f7') ? 'f7' : 'f6', operator, values }])
      assert.equal(writeFilter(read, fields), text)
    }
    // Of other types they are texts.
    assert.deepEqual(readFilter("eq(f1,'month')", fields)!.items, [{ is: 'condition', attribute: 'f1', operator: 'is', values: ['month'] }])
    assert.equal(readFilter("gte(f6,'month')", fields)!.items[0]!.is, 'verbatim')
  })

  it('lets weeks begin as they do where the person is', () => {
    assert.deepEqual(['ru', 'en-GB', 'de', 'en-US', 'en-EG', 'en-MV', 'en-IL'].map(firstDay), [1, 1, 1, 0, 6, 5, 0])
    assert.deepEqual(['ru', 'en-US', 'en-EG', 'en-MV'].map(weekWord), ['week', 'week_sunday', 'week_saturday', 'week_friday'])
  })

  it('makes of a cell the condition that it meets', () => {
    const made = (type: string, value: string) =>
      writeFilter(
        conditionAt(
          fields.find((one) => one.type === type)!,
          value,
        ),
        fields,
      )
    assert.deepEqual(
      [
        made('text', "O'Hara"),
        made('text', ''),
        made('boolean', '1'),
        made('multilist', 'a\r\nb'),
        made('references', '-7-8-'),
        made('date', '0000-00-00'),
        made('reference', '0'),
        made('user', '7'),
        made('integer', '0'),
      ],
      [
        "eq(f1,'O''Hara')",
        'is_empty(f1)',
        "eq(f5,'1')",
        "has(f9,'a')",
        "has(f11,'7')",
        'is_empty(f6)',
        'is_empty(f10)',
        "eq(f12,'7')",
        "eq(f3,'0')",
      ],
    )
  })

  it('reads 500 terms and a megabyte of brackets in no time', () => {
    const many = `or(${Array.from({ length: 500 }, (_, i) => `eq(f1,'${i}')`).join(',')})`
    assert.equal(readFilter(many, fields)?.items.length, 500)
    const began = performance.now()
    parse('and('.repeat(49_000))
    parse(`${"'".repeat(199_999)}`)
    assert.equal(performance.now() - began < 2000, true)
  })
})
