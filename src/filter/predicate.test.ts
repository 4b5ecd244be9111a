import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { plain, type Attribute } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import { check } from './check.ts'
import { parse } from './parse.ts'
import { finder } from './piece-search.ts'
import { exactly, predicate, RecordInMemory, type Spend } from './predicate.ts'

/* test/filter/filter-oracle.test.ts compares predicates with SQL. Here is what it cannot see. */

const attribute = (name: string, typeName: string, settings = plain): Attribute => {
  const type = fieldType(typeName)!
  return { name, column: name, type, settings, ...(type.key && { keyColumn: `${name}k` }) }
}
const attributes = new Map([attribute('f1', 'longtext'), attribute('f2', 'integer'), attribute('f3', 'text')].map((one) => [one.name, one]))
const tested = (filter: string, record: RecordInMemory, spend?: Spend) =>
  predicate(check(parse(filter), { attributes, context: { timeZone: 'UTC' } }), spend)(record)

describe('a record in memory', () => {
  it('has a key made once for each attribute, and only where one is asked for', () => {
    let made = 0
    const { type } = attributes.get('f3')!
    const counted = { ...type, key: (...given: Parameters<NonNullable<typeof type.key>>) => (made++, type.key!(...given)) }
    const scope = {
      attributes: new Map([...attributes, ['f3', { ...attributes.get('f3')!, type: counted }]]),
      context: { timeZone: 'UTC' },
    }
    const [unkeyed, ...keyed] = ['or(eq(f2,1),eq(f3,1))', `and(eq(f3,'еж'),contains(f3,'ж'),not(is_empty(f3)))`, `ends_with(f3,'Ж')`].map(
      (filter) => predicate(check(parse(filter), scope)),
    )
    const values = [
      ['f2', 1],
      ['f3', 'ЁЖ'],
    ] as const
    const record = new RecordInMemory(7, new Map<string, string | number>(values))
    made = 0
    assert.ok(unkeyed!(record))
    assert.equal(made, 0)
    assert.ok(keyed.every((holds) => holds(record)))
    assert.equal(made, 1)
  })

  it('of which only a part is known decides nothing', () => assert.throws(() => tested('ne(f2,1)', new RecordInMemory(7, new Map())), /f2/))
})

describe('the work of a predicate', () => {
  it('is told before each function that looks through a long text, and can be ended', () => {
    const record = new RecordInMemory(
      7,
      new Map([
        ['f1', 'Ё'.repeat(5_000)],
        ['f3', 'x'],
      ]),
    )
    const units: number[] = []
    const filter = `or(contains(f3,'y'),contains(f1,'y'),ends_with(f1,'y'))`
    assert.equal(
      tested(filter, record, (more) => units.push(more)),
      false,
    )
    assert.deepEqual(units, [5_000, 5_000])
    const over = () => {
      throw new Error('too long')
    }
    assert.throws(() => tested(filter, record, over), /too long/)
  })

  it('finds long pieces as includes does', () => {
    const some = (size: number) => fc.string({ unit: fc.constantFrom('a', 'a', 'b'), maxLength: size })
    const periodic = fc.tuple(some(6), fc.nat(120), some(6), fc.nat(120), some(6)).map(([a, n, b, m, c]) => a.repeat(n) + b.repeat(m) + c)
    fc.assert(
      fc.property(periodic, periodic, fc.nat(300), fc.nat(700), (text, other, from, size) => {
        for (const piece of [other, text.slice(from, from + size), `${text.slice(from)}b`])
          assert.equal(finder(piece)(text), text.includes(piece))
      }),
      { numRuns: 1_000 },
    )
    assert.ok(!finder('a'.repeat(300))('a'.repeat(299)) && finder('a'.repeat(300))('a'.repeat(300)))
  })
})

describe('a number in memory', () => {
  it('is the same by === however an engine gives it', () => {
    const whole = fc.oneof(
      fc.bigInt({ min: -(10n ** 18n - 1n), max: 10n ** 18n - 1n }),
      fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
    )
    fc.assert(
      fc.property(whole, (number) => {
        assert.equal(exactly(String(number)), exactly(number))
        assert.equal(BigInt(exactly(number)), number)
        if (Number.isSafeInteger(Number(number))) assert.equal(exactly(Number(number)), exactly(number))
      }),
    )
  })
})
