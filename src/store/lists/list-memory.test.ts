import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listMemory, nothingKnown, withPage, type ListState } from './list-memory.ts'

const at = (list: number | string, changes = 1, version = 1): ListState => ({ list: `list ${list}`, version, changes })

it('a thousand lists are kept, those used last; and of each the latest state of its table', () => {
  const memory = listMemory()
  for (let i = 0; i < 1_500; i++) {
    memory.learn(at(i), (known) => ({ ...known, total: i }))
    memory.of(at(0))
  }
  const kept = Array.from({ length: 1_500 }, (_, i) => i).filter((i) => memory.of(at(i)).total !== undefined)
  assert.deepEqual(kept, [0, ...Array.from({ length: 999 }, (_, i) => i + 501)])
  for (let i = 0; i < 1_000; i++) memory.learn(at('changing', i), (known) => ({ ...known, total: i }))
  assert.deepEqual([memory.of(at('changing', 999)).total, memory.of(at('changing', 998))], [999, nothingKnown])
})

it('what was handed out stays as it was; what two learn at once is all known', () => {
  const memory = listMemory()
  const before = memory.of(at('one'))
  memory.learn(at('one'), (known) => withPage(known, 100, { offset: 20, last: [7] }))
  const between = memory.of(at('one'))
  memory.learn(at('one'), (known) => withPage(known, 100, { offset: 40, last: [9] }))
  assert.deepEqual([before, [...between.starts.keys()]], [nothingKnown, [20]])
  assert.deepEqual([...memory.of(at('one')).starts.keys()], [20, 40])
})

it('what is learned late of an earlier state leaves what is known of a later one', () => {
  const memory = listMemory()
  const learn = (total: number, changes: number, version = 1) => memory.learn(at('one', changes, version), (known) => ({ ...known, total }))
  const total = (changes: number, version = 1) => memory.of(at('one', changes, version)).total
  learn(60, 5)
  learn(61, 6)
  learn(60, 5)
  assert.deepEqual([total(5), total(6)], [undefined, 61])
  learn(62, 3, 2)
  learn(61, 7)
  assert.deepEqual([total(7), total(3, 2)], [undefined, 62])
})
