import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attribute } from '../../fields/field-type.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import type { Row } from '../ground/db.ts'
import { PresentRecords } from './present-records.ts'

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
})
