import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { hueAt } from './hues.ts'

describe('the colours of options', () => {
  const tokens = readFileSync(new URL('../ui/tokens.css', import.meta.url), 'utf8')
  const hues = new Map(
    [...tokens.matchAll(/\[data-hue='(\d+)'\] \{\n {2}--hue: (\d+);/g)].map(([, name, hue]) => [Number(name), Number(hue)]),
  )

  it('are all used before one comes again', () => {
    assert.equal(new Set(Array.from({ length: 12 }, (_, place) => hueAt(place))).size, 12)
    assert.deepEqual([hueAt(-1), hueAt(12)], [0, hueAt(0)])
  })

  it('of neighbours are told apart', () => {
    for (let place = 0; place < 12; place++) {
      const [one, next] = [hues.get(hueAt(place))!, hues.get(hueAt(place + 1))!]
      const apart = Math.abs(one - next)
      assert.ok(Math.min(apart, 360 - apart) >= 80, `${one} beside ${next}`)
    }
  })
})
