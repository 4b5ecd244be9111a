import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listMemory, nothingKnown, withPage, type ListState } from './list-memory.ts'

const at = (list: number | string, changes = 1, version = 1): ListState => ({ list: `list ${list}`, version, changes })
const ids = (count: number) => () => Promise.resolve(new Uint32Array(count))

it('ids of lists are kept up to a number of bytes; those learned first go first, and as many records have to be read again', async () => {
  const memory = listMemory()
  const lists = Array.from({ length: 30 }, (_, i) => at(i))
  for (const list of lists) {
    memory.learn(list, (known) => ({ ...known, readAlong: 7 }))
    await memory.learnIds(list, ids(50_000))
  }
  const kept = () => lists.filter((list) => memory.of(list).ids)
  assert.deepEqual(kept(), lists.slice(-20))
  assert.deepEqual(
    lists.map((list) => memory.of(list).readAlong),
    [...Array<number>(10).fill(0), ...Array<number>(20).fill(7)],
  )
  await memory.learnIds(lists[29]!, ids(10))
  await memory.learnIds(lists[0]!, ids(50_000))
  assert.equal(kept().length, 21)
})

it('a thousand lists are kept, those used last; and of each the latest state of its table', async () => {
  const memory = listMemory()
  for (let i = 0; i < 1_500; i++) {
    memory.learn(at(i), (known) => ({ ...known, total: i }))
    memory.of(at(0))
  }
  const kept = Array.from({ length: 1_500 }, (_, i) => i).filter((i) => memory.of(at(i)).total !== undefined)
  assert.deepEqual(kept, [0, ...Array.from({ length: 999 }, (_, i) => i + 501)])
  for (let i = 0; i < 1_000; i++) await memory.learnIds(at('changing', i), ids(10_000))
  assert.equal(memory.of(at('changing', 999)).ids?.length, 10_000)
  assert.equal(memory.of(at('changing', 998)), nothingKnown)
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

it('what is learned late of an earlier state leaves what is known of a later one', async () => {
  const memory = listMemory()
  const learn = (total: number, changes: number, version = 1) => memory.learn(at('one', changes, version), (known) => ({ ...known, total }))
  const total = (changes: number, version = 1) => memory.of(at('one', changes, version)).total
  const late = Promise.withResolvers<Uint32Array>()
  learn(60, 5)
  const slow = memory.learnIds(at('one', 5), () => late.promise)
  learn(61, 6)
  learn(60, 5)
  late.resolve(new Uint32Array(60))
  await slow
  assert.deepEqual([total(5), total(6), memory.of(at('one', 6)).ids], [undefined, 61, undefined])
  learn(62, 3, 2)
  learn(61, 7)
  assert.deepEqual([total(7), total(3, 2)], [undefined, 62])
})

it('ids that several ask for at once are read once; after a failure they are read again', async () => {
  const memory = listMemory()
  let reads = 0
  const read = (fails: boolean) => async () => {
    reads++
    await Promise.resolve()
    if (fails) throw new Error('no ids')
    return new Uint32Array(3)
  }
  const failed = await Promise.allSettled([memory.learnIds(at('one'), read(true)), memory.learnIds(at('one'), read(true))])
  assert.deepEqual([reads, failed.map(({ status }) => status)], [1, ['rejected', 'rejected']])
  await Promise.all([memory.learnIds(at('one'), read(false)), memory.learnIds(at('one'), read(false))])
  assert.deepEqual([reads, memory.of(at('one')).ids?.length], [2, 3])
})
