import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setLast } from './lru.ts'
import { memo } from './memo.ts'

describe('memo', () => {
  it('makes once for each object, also what is falsy', () => {
    let made = 0
    const nothing = memo((_: object) => {
      made++
      return ''
    })
    const [one, other] = [{}, {}]
    assert.deepEqual([nothing(one), nothing(one), nothing(other)], ['', '', ''])
    assert.equal(made, 2)
  })

  it('hands on what the making takes besides', () => {
    const sum = memo(({ n }: { n: number }, more: number) => n + more)
    const two = { n: 2 }
    assert.deepEqual([sum(two, 3), sum({ n: 4 }, 3)], [5, 7])
  })

  it('keeps nothing of what failed', () => {
    let tries = 0
    const second = memo((_: object) => {
      if (++tries === 1) throw new Error('not yet')
      return tries
    })
    const key = {}
    assert.throws(() => second(key))
    assert.equal(second(key), 2)
  })
})

describe('setLast', () => {
  it('has the least recently set go, one at a time', () => {
    const map = new Map<string, number>()
    assert.equal(setLast(map, 'a', 1, 2), undefined)
    assert.equal(setLast(map, 'b', 2, 2), undefined)
    assert.equal(setLast(map, 'a', 3, 2), undefined)
    assert.deepEqual(setLast(map, 'c', 4, 2), ['b', 2])
    assert.deepEqual(
      [...map],
      [
        ['a', 3],
        ['c', 4],
      ],
    )
  })
})
