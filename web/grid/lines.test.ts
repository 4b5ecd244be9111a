import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linesOf, spansOf, type Head } from './lines.ts'

const heads = (...groups: readonly (readonly [count: number, isFolded?: boolean])[]): Head[] => {
  let from = 0
  return groups.map(([count, isFolded = false], i) => {
    const head = { value: String(i), label: `Group ${i}`, from, count, isFolded }
    from += count
    return head
  })
}

describe('the lines of a grid', () => {
  it('are the records where there are no groups', () => {
    const lines = linesOf(3)
    assert.deepEqual([lines.count, lines.at(2), lines.lineOf(2), lines.lineOf(3)], [3, { place: 2 }, 2, undefined])
    assert.deepEqual([lines.nearest(7, 1), linesOf(0).nearest(0, 1)], [2, undefined])
  })

  // Each line is one head or one record, in order, whatever is folded; the oracle writes them all down.
  it('are those of a plain list of them, for any groups', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let turn = 0; turn < 300; turn++) {
      const given = heads(...Array.from({ length: 1 + random(6) }, () => [1 + random(5), random(3) === 0] as const))
      const sum = given.reduce((all, { count }) => all + count, 0)
      const rows = Math.max(1, sum + random(3) - 1)
      const lines = linesOf(rows, given)
      const plain: (string | number)[] = []
      given.forEach((head, i) => {
        if (head.from >= rows) return
        plain.push(head.label)
        const end = given[i + 1] && given[i + 1]!.from < rows ? given[i + 1]!.from : rows
        if (!head.isFolded) for (let place = head.from; place < end; place++) plain.push(place)
      })
      const shown = Array.from({ length: lines.count }, (_, line) => lines.at(line))
      assert.deepEqual(
        shown.map((line) => ('head' in line ? line.head.label : line.place)),
        plain,
      )
      const places = plain.filter((one) => typeof one === 'number')
      for (let place = 0; place < rows; place++) {
        const line = plain.indexOf(place)
        assert.equal(lines.lineOf(place), line < 0 ? undefined : line)
        assert.equal(
          lines.nearest(place, 1),
          places.find((one) => one >= place),
        )
        assert.equal(
          lines.nearest(place, -1),
          places.findLast((one) => one <= place),
        )
      }
      const from = random(lines.count)
      const to = from + random(8)
      assert.deepEqual(
        spansOf(lines, from, to).flatMap((span) => Array.from({ length: span.to - span.from + 1 }, (_, i) => span.from + i)),
        plain.slice(from, to + 1).filter((one) => typeof one === 'number'),
      )
    }
  })
})
