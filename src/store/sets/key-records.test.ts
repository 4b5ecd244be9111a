import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attribute } from '../../fields/field-type.ts'
import { sql } from '../../sql/sql.ts'
import type { KeyColumns } from './column-keys.ts'
import { KeyRecords } from './key-records.ts'
import { placed, PresentRecord, Unread } from './record-reads.ts'

const amount = { name: 'f1' } as Attribute
const note = { name: 'f2' } as Attribute
const places = placed([amount, note])

/** Records as they are now, and the keys of an order by the amount. */
function set(columns?: KeyColumns) {
  const now = new Map<number, PresentRecord>()
  const keys = new KeyRecords(1, { of: (id) => now.get(id) }, () => sql`SELECT 1`, [amount], columns)
  const pending = new Set<number>()
  keys.later.pending = () => pending
  const change = (id: number, ...values: [amount: string, note: string]) => {
    now.set(id, new PresentRecord([id, ...values], places))
    pending.add(id)
  }
  /** As an order does. */
  const follow = (): readonly number[] => {
    const moved = [...keys.later.moved(pending)]
    keys.later.renew(pending)
    pending.clear()
    now.clear()
    return moved
  }
  return { keys, change, follow }
}

describe('keys that have to be waited for', () => {
  it('are asked for together, and known then', () => {
    const { keys } = set()
    assert.equal(keys.later.has([3, 4]), false)
    assert.throws(
      () => keys.later.demand(),
      (error: Unread) => String(error.ids) === '3,4',
    )
    keys.learn([3, 4], [[3, '5']])
    assert.equal(keys.later.has([3, 4]), true)
    assert.equal(keys.of(3).value(amount), '5')
    assert.throws(() => keys.of(4), /no record 4/)
  })

  it('move a record only where its key is another one', () => {
    const { keys, change, follow } = set()
    keys.learn(
      [1, 2, 3],
      [
        [1, '5'],
        [2, '6'],
        [3, '7'],
      ],
    )
    change(1, '5', 'another note')
    change(2, '60', 'x')
    change(9, '1', 'a new record')
    assert.deepEqual(follow(), [2, 9])
    assert.equal(keys.of(2).value(amount), '60')
    change(2, '60', 'y')
    assert.deepEqual(follow(), [])
  })

  it('that are read while a change waits to be followed are not those of the places', () => {
    const { keys, change, follow } = set()
    keys.learn([1], [[1, '5']])
    change(1, '50', 'x')
    change(2, '70', 'x')
    keys.learn(
      [1, 2],
      [
        [1, '50'],
        [2, '70'],
      ],
    )
    assert.deepEqual(follow(), [1, 2])
  })

  it('are those of a column, which is wanted after many were read, as long as it is there', () => {
    const amounts = new Map([
      [1, '5'],
      [2, '6'],
    ])
    const wanted: string[] = []
    const users: (() => void)[] = []
    let isThere = false
    const { keys } = set({
      of: () => (isThere ? { stored: (id) => amounts.get(id), usedBy: (forget) => void users.push(forget) } : undefined),
      want: (attributes) => void wanted.push(...attributes.map(({ name }) => name)),
    })
    const { later } = keys
    const ask = (count: number, times = 1) => {
      for (let i = 0; i < times; i++) {
        later.has(Array.from({ length: count }, (_, at) => at + 1))
        assert.throws(() => later.demand(), Unread)
      }
    }
    // As of an order that is new: this is not asked again.
    ask(5_000)
    ask(10, 94)
    assert.deepEqual(wanted, [])
    ask(10)
    assert.deepEqual(wanted, ['f1'])

    keys.learn([1], [[1, '50']])
    isThere = true
    keys.columns.follow(1_000)
    assert.equal(later.has([1, 2]), true)
    assert.deepEqual(
      [1, 2].map((id) => keys.of(id).value(amount)),
      ['5', '6'],
    )
    assert.throws(() => keys.of(3), /no record 3/)

    later.forget()
    assert.equal(later.has([1]), true)
    // The column has to go.
    for (const forget of users) forget()
    assert.equal(later.has([1]), false)

    keys.columns.follow(1_000_000)
    for (const forget of users) forget()
    assert.throws(() => later.demand(), Unread)
    ask(10, 199)
    assert.deepEqual(wanted, ['f1'])
    ask(10)
    assert.deepEqual(wanted, ['f1', 'f1'])
  })

  it('of records that are gone are forgotten', () => {
    const { keys, change, follow } = set()
    keys.learn([1], [[1, '5']])
    const { later } = keys
    assert.deepEqual([...later.moved(new Set([1]))], [1])
    later.renew(new Set([1]))
    assert.throws(() => keys.of(1), Unread)
    change(1, '5', 'restored')
    assert.deepEqual(follow(), [1])
  })
})
