import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { at, move, rangeOf, within, type Key, type Selection } from './selection.ts'

const bounds = { rows: 1000, cols: 12, screen: 20 }
const press = (from: Selection, ...keys: string[]): Selection =>
  keys.reduce((selection, name) => {
    const parts = name.split('+')
    const key: Key = { key: parts.at(-1)!, shift: parts.includes('Shift'), mod: parts.includes('Mod') }
    return move(selection, key, bounds) ?? selection
  }, from)

describe('the keys of the grid', () => {
  const start = at(500, 5)
  for (const [keys, row, col] of [
    ['ArrowDown', 501, 5],
    ['ArrowUp', 499, 5],
    ['ArrowLeft', 500, 4],
    ['ArrowRight', 500, 6],
    ['Mod+ArrowDown', 999, 5],
    ['Mod+ArrowUp', 0, 5],
    ['Mod+ArrowLeft', 500, 0],
    ['Mod+ArrowRight', 500, 11],
    ['PageDown', 520, 5],
    ['PageUp', 480, 5],
    ['Home', 500, 0],
    ['End', 500, 11],
    ['Mod+Home', 0, 0],
    ['Mod+End', 999, 11],
  ] as const)
    it(`${keys} moves, and with Shift selects up to there`, () => {
      assert.deepEqual(press(start, keys), at(row, col))
      const selected = press(start, `Shift+${keys}`)
      assert.deepEqual(selected.at, { row: 500, col: 5 })
      assert.deepEqual(selected.to, { row, col })
    })

  it('select all, columns and rows', () => {
    assert.deepEqual(rangeOf(press(start, 'Mod+a')), { top: 0, bottom: 999, left: 0, right: 11 })
    assert.deepEqual(rangeOf(press(start, 'Mod+ ')), { top: 0, bottom: 999, left: 5, right: 5 })
    assert.deepEqual(rangeOf(press(start, 'Shift+ArrowDown', 'Shift+ ')), { top: 500, bottom: 501, left: 0, right: 11 })
  })

  it('stay within the table; the head is reached by an arrow alone', () => {
    assert.deepEqual(press(at(0, 0), 'ArrowLeft'), at(0, 0))
    assert.deepEqual(press(at(999, 11), 'ArrowDown', 'ArrowRight', 'PageDown'), at(999, 11))
    assert.deepEqual(press(at(0, 3), 'ArrowUp'), at(-1, 3))
    assert.deepEqual(press(at(-1, 3), 'ArrowRight', 'ArrowDown'), at(0, 4))
    assert.deepEqual(press(at(0, 3), 'Shift+ArrowUp'), at(0, 3))
    assert.deepEqual(press(at(3, 3), 'PageUp', 'Mod+ArrowUp'), at(0, 3))
    assert.deepEqual(within(at(700, 11), { rows: 10, cols: 3, screen: 5 }), at(9, 2))
    assert.equal(move(at(0, 0), { key: 'x', shift: false, mod: false }, bounds), undefined)
  })
})
