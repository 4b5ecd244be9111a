import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listMemory, nothingKnown } from './list-memory.ts'

it('ids of lists are kept as long as there is room; what was kept longest goes first, and has to be walked as far again', () => {
  const memory = listMemory()
  const lists = Array.from({ length: 30 }, () => ({ ...nothingKnown(), stepped: 7 }))
  for (const one of lists) memory.keep(one, new Uint32Array(50_000))
  const kept = lists.filter((one) => 'ids' in one && one.ids !== undefined)
  assert.deepEqual(kept, lists.slice(-20))
  assert.deepEqual(
    lists.map(({ stepped }) => stepped),
    [...Array<number>(10).fill(0), ...Array<number>(20).fill(7)],
  )
  memory.keep(lists[29]!, new Uint32Array(10))
  memory.keep(lists[0]!, new Uint32Array(50_000))
  assert.equal(lists.filter((one) => 'ids' in one && one.ids !== undefined).length, 21)
})

it('short lists are not kept without end either, though their ids take next to no room', () => {
  const memory = listMemory()
  const lists = Array.from({ length: 3_000 }, (_, state) => memory.of('the same list', String(state)))
  for (const one of lists) memory.keep(one, new Uint32Array(0))
  assert.equal(lists.filter(({ ids }) => ids).length, 1_000)
})
