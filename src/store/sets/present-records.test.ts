import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Attribute } from '../../fields/field-type.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import type { Row } from '../ground/db.ts'
import { PresentRecords } from './present-records.ts'
import { setMemory } from './set-memory.ts'

describe('PresentRecords', () => {
  it('does not take a record for gone that it could not read', () => {
    let fails = true
    const records = new PresentRecords(1, {
      dialect: sqlite,
      readNow: () => {
        if (fails) throw new Error('The disk does not answer.')
        return [[[7]]]
      },
    })
    assert.throws(() => records.read(new Set([7])), /The disk/)
    fails = false
    assert.equal(records.read(new Set([7])), true)
    assert.notEqual(records.of(7), undefined)
  })

  it('reads the keys of an order without what filters compare', () => {
    const asked: string[] = []
    const attribute = (name: string) => ({ name, column: name, type: { kind: 'text' } }) as Attribute
    const records = new PresentRecords(1, {
      dialect: sqlite,
      readNow: (query) => {
        asked.push(render(query!, sqlite.placeholder).text)
        return [[[7, 'short']]]
      },
    })
    records.follow([attribute('long'), attribute('short')])
    assert.equal(
      records
        .only([attribute('short')])
        .of(7)
        .value(attribute('short')),
      'short',
    )
    assert.equal(asked.length, 1)
    assert.match(asked[0]!, /short/)
    assert.doesNotMatch(asked[0]!, /long/)
  })

  it('keeps a bounded number of characters', () => {
    const long = 'x'.repeat(1_000_000)
    let reads = 0
    const readNow = (): Row[][] => [[[++reads, long]]]
    const records = new PresentRecords(1, { dialect: sqlite, readNow })
    for (let id = 1; id <= 40; id++) assert.equal(records.read(new Set([id])), true)
    const kept = Array.from({ length: 40 }, (_, i) => records.of(i + 1)).filter((one) => one !== undefined)
    assert.ok(kept.length < 20, `${kept.length}`)
    assert.notEqual(records.of(40), undefined)
  })

  it('count what they take, and go where that is more than a share of the memory, or where others need it', async () => {
    const memory = setMemory(32_000)
    let reads = 0
    const records = new PresentRecords(
      1,
      {
        dialect: sqlite,
        readNow: (query) => {
          reads++
          const { params } = render(query, sqlite.placeholder)
          return [(JSON.parse(String(params[0])) as number[]).map((id): Row => [id, 'x'.repeat(100)])]
        },
      },
      memory,
    )
    const title = { name: 'f1', column: 'f1', keyColumn: 'f1k', type: { kind: 'text' } } as Attribute
    records.follow([title])
    const read = (from: number, to: number): void => {
      assert.ok(records.read(new Set(Array.from({ length: to - from }, (_, i) => from + i))))
      records.count()
    }
    const { bytes: nothing } = memory.figures()
    read(1, 4)
    assert.ok(memory.figures().bytes >= nothing + 3 * 200)
    assert.equal(memory.figures().kept.changed, 1)
    assert.ok(records.of(1))
    read(4, 10)
    assert.equal(records.of(1), undefined)
    assert.equal(records.bytes, 0)
    read(1, 4)
    assert.equal(reads, 3)
    memory.add('order', { bytes: 31_900, drop: () => undefined }, () => undefined)
    assert.equal(memory.figures().kept.changed, 0)
    // Not in this turn, in which a set may follow.
    assert.ok(records.of(1))
    await turn()
    assert.equal(records.of(1), undefined)
    read(1, 4)
    records.end()
    assert.equal(memory.figures().kept.changed, 0)
  })
})
