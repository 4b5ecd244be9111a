import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain, type Attribute, type FieldType, type Option } from '../../fields/field-type.ts'
import { datetime } from '../../fields/datetime.ts'
import { list } from '../../fields/list.ts'
import { multilist } from '../../fields/multilist.ts'
import { references } from '../../fields/references.ts'
import { text } from '../../fields/text.ts'
import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { limits } from '../../limits.ts'
import type { Granted } from '../model/access.ts'
import { Abandoned } from '../model/asker.ts'
import { conditionOf } from './read-records.ts'
import { turnsDuring } from '../../../test/support/turns.ts'

type Store = Parameters<typeof conditionOf>[0]

const attribute = (name: string, type: FieldType, options: readonly Option[] = []): [string, Attribute] => [
  name,
  { name, column: name, ...(type.key && { keyColumn: `${name}k` }), type, settings: { ...plain, options } },
]
const options = (): Option[] =>
  Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, label: `${'Ё\u0323'.repeat(100)}${i}`, removed: i >= 1_000 }))
const made = () =>
  new Map([
    attribute('text', text),
    attribute('time', datetime),
    attribute('ids', references),
    attribute('list', list, options()),
    attribute('multilist', multilist, options()),
  ])
const context = { timeZone: 'Europe/Berlin' }
const store = { context } as unknown as Store
const granted = (attributes: ReadonlyMap<string, Attribute>, client?: object) =>
  ({ table: { id: 1 }, caller: { client }, attributes, allAttributes: attributes }) as unknown as Granted<'read'>
const read = (filter: string) => parse(filter, limits.postedFilter.most)
const tenThousand = (field: string, value: (n: number) => string) =>
  `or(${Array.from({ length: 10 }, (_, k) => `in(${field},${Array.from({ length: 1_000 }, (__, n) => `'${value(1_000 * k + n)}'`).join()})`).join()})`

describe('a long filter is checked while others have their turn', () => {
  for (const [of, filter, least] of [
    ['texts', tenThousand('text', (n) => `${n}${'ё\u0308'.repeat(23)}`), 15],
    ['date-times with an offset', tenThousand('time', (n) => `${1_000 + (n % 2_000)}-05-01T01:10:00+03:00`), 10],
    ['ids', tenThousand('ids', () => `-${'1-'.repeat(48)}`), 15],
    ['a list with many options, when it is first asked', `eq(list,'${'ё\u0323'.repeat(100)}7')`, 40],
    ['options, one function after the other', `or(${Array(9).fill("contains(list,'7')").join()})`, 45],
    ['a multilist, when it is first asked', `has(multilist,'${'ё\u0323'.repeat(100)}7')`, 40],
  ] as const)
    it(of, async () => {
      const attributes = made()
      const turns = await turnsDuring(() => conditionOf(store, granted(attributes), read(filter)))
      assert.ok(turns >= least, `${turns} turns`)
      const [slowly, atOnce] = [await conditionOf(store, granted(attributes), read(filter)), check(read(filter), { attributes, context })]
      assert.deepEqual(slowly, atOnce)
    })

  it('and no longer than its client waits', async () => {
    const client = { isGone: true, whenGone: () => () => undefined }
    await assert.rejects(conditionOf(store, granted(made(), client), read(tenThousand('text', (n) => `${n}${'ё'.repeat(40)}`))), Abandoned)
  })

  it('a short one at once', async () =>
    assert.equal(await turnsDuring(() => conditionOf(store, granted(made()), read(`in(text,'a','b')`))), 0))
})
