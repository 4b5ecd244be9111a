import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { TextColumn } from './text-column.ts'

describe('TextColumn', () => {
  it('has the text of each record, whatever came, changed and went', () => {
    const change = fc.record({
      id: fc.oneof(fc.nat(40), fc.nat(5_000)),
      text: fc.option(fc.oneof(fc.constantFrom('', 'ёлка', '😀', 'ｆ'), fc.string({ unit: 'binary', maxLength: 300 })), {
        freq: 4,
        nil: undefined,
      }),
    })
    fc.assert(
      fc.property(fc.nat(30), fc.array(change, { maxLength: 200 }), (count, changes) => {
        const column = new TextColumn(count)
        const texts = new Map<number, string>()
        for (const { id, text } of changes) {
          column.assign(id, text)
          if (text === undefined) texts.delete(id)
          else texts.set(id, text)
        }
        assert.equal(column.size, texts.size)
        for (let id = 0; id <= 5_001; id++) assert.equal(column.of(id), texts.get(id))
        const other = new TextColumn(0)
        for (const [id, text] of texts) other.put(id, Buffer.from(text))
        assert.ok(column.equals(other) && other.equals(column))
        const [first] = texts.keys()
        if (first === undefined) return
        other.assign(first, `${texts.get(first)}!`)
        assert.ok(!column.equals(other) && !other.equals(column))
      }),
    )
  })

  it('takes no more memory the longer it lives', () => {
    const column = new TextColumn(1_000)
    for (let id = 1; id <= 1_000; id++) column.assign(id, `a text of thirty letters ${id}`)
    const before = column.bytes
    for (let i = 0; i < 100_000; i++) column.assign(1 + (i % 1_000), `a text of thirty letters ${i}`)
    assert.ok(column.bytes < 3 * before, `${column.bytes} of ${before}`)
    assert.equal(column.of(7), 'a text of thirty letters 99006')
  })
})
