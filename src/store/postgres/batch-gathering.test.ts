import assert from 'node:assert/strict'
import { it } from 'node:test'
import { batchGathering } from './batch-gathering.ts'

/** Two writers, and a count of the writes that wait. */
function scene() {
  let waiting = 0
  const together = batchGathering(2, () => waiting)
  return {
    came(count: number) {
      for (let i = 0; i < count; i++) {
        waiting++
        together.came()
      }
    },
    /** What a writer takes that asks now; undefined as long as it waits. */
    begins() {
      const took: { count?: number } = {}
      const done = together.enough().then((most) => {
        took.count = Math.min(waiting, most)
        waiting -= took.count
      })
      return { took, done }
    },
    left: (count: number) => together.left(count),
  }
}
const turn = () => new Promise((next) => setImmediate(next))

it('a writer begins at once where few write', async () => {
  const { came, begins, left } = scene()
  for (let i = 0; i < 20; i++) {
    came(1)
    const { took, done } = begins()
    await done
    assert.equal(took.count, 1)
    left(1)
  }
})

it('each writer gets its part of many', async () => {
  const { came, begins } = scene()
  came(40)
  const [one, other] = [begins(), begins()]
  await Promise.all([one.done, other.done])
  assert.deepEqual([one.took.count, other.took.count], [20, 20])
})

it('a writer waits for those who were answered together, and no longer than until its part is there', async () => {
  const { came, begins, left } = scene()
  came(40)
  await begins().done
  left(20)
  await begins().done
  came(5)
  const { took, done } = begins()
  await Promise.resolve()
  assert.equal(took.count, undefined)
  came(15)
  await done
  assert.ok(took.count! >= 18, `took ${took.count}`)
})

it('who comes alone after many waits a moment only, and soon not at all', async () => {
  const { came, begins, left } = scene()
  came(100)
  for (const _ of [0, 1]) {
    await begins().done
    left(50)
  }
  let waited = 0
  for (let i = 0; i < 60; i++) {
    came(1)
    const { took, done } = begins()
    await turn()
    if (took.count === undefined) waited++
    await done
    assert.equal(took.count, 1)
    left(1)
  }
  assert.ok(waited > 0 && waited < 40, `${waited} waited`)
})
