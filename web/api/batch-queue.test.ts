import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { batchQueue, type Batch } from './batch-queue.ts'
import { ApiError, type Resource } from './client.ts'

/** A service with some records, whose answers may get lost, and a queue before it. */
function scene() {
  const held = new Map<string, Record<string, unknown>>([['1', { f1: 'a' }], ['2', { f1: 'b' }]]) // prettier-ignore
  const fates: ('lost' | 'answer lost' | 'refused')[] = []
  const log: string[] = []
  const kept = new Map<string, Batch>()
  const tried = new Set<string>()
  const clashes: string[] = []
  let isHeld = false
  const queue = batchQueue({
    async send({ changes, added }) {
      const fate = fates.shift()
      await Promise.resolve()
      if (fate === 'lost') throw new ApiError(0, 'network', '')
      if (fate === 'refused') throw new ApiError(422, 'field.invalid_value', 'No.')
      for (const { id, values } of changes) Object.assign(held.get(id)!, values)
      log.push(
        `${changes.map(({ id, values }) => `${id}:${Object.values(values).join()}`).join(' ')}${added.length > 0 ? ` +${added.length}` : ''}`,
      )
      if (fate === 'answer lost') throw new ApiError(0, 'network', '')
      return { data: [] as Resource[] }
    },
    read: async () => new Map(held),
    keep: (key, batch) => void (batch ? kept.set(key, batch) : kept.delete(key)),
    keepTried: (key, isTried) => void (isTried ? tried.add(key) : tried.delete(key)),
    isTurn: (batch) => !queue.entries().some((one) => one.at < batch.at && one.state.is !== 'refused'),
    isHeld: () => isHeld,
    hold: () => void (isHeld = true),
    onSignedOut: () => undefined,
    onSaved: () => undefined,
    onRefused: () => undefined,
    onClash: (_, { id }, theirs) => void clashes.push(`${id}:${theirs ? Object.values(theirs).join() : 'gone'}`),
    onChange: () => undefined,
  })
  let at = 0
  const batchOf = (values: Record<string, string>, group = ''): Batch => ({
    key: String(++at),
    at,
    table: 7,
    group: group || String(at),
    sentAs: String(at),
    changes: Object.entries(values).map(([id, value]) => ({ id, values: { f1: value }, expected: { f1: [held.get(id)?.['f1']] } })),
    added: [],
    removed: [],
  })
  async function go(): Promise<void> {
    isHeld = false
    for (let i = 0; i < 4; i++) {
      queue.pump()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
  }
  return { queue, held, fates, log, kept, tried, clashes, batchOf, go, states: () => queue.entries().map(({ state }) => state.is) }
}

describe('batches on their way', () => {
  it('are sent one after the other, once, and are not kept then', async () => {
    const { queue, batchOf, go, log, kept, tried } = scene()
    queue.add(batchOf({ 1: 'x', 2: 'y' }), false)
    queue.add(batchOf({ 1: 'z' }), false)
    assert.equal(kept.size, 2)
    await go()
    assert.deepEqual([log, kept.size, tried.size], [['1:x 2:y', '1:z'], 0, 0])
  })

  it('are done once where the answer was lost, also when others have changed the rest since', async () => {
    const { queue, batchOf, go, log, fates, states, held, clashes, kept } = scene()
    fates.push('answer lost')
    queue.add(batchOf({ 1: 'x', 2: 'y' }), false)
    await go()
    assert.deepEqual([states(), kept.size], [['waiting'], 1])
    held.set('2', { f1: 'theirs' })
    await go()
    assert.deepEqual([states(), log, clashes, held.get('2')], [[], ['1:x 2:y'], [], { f1: 'theirs' }])
  })

  it('lose the cells that others have changed while they waited, or whose records are gone, and write the others', async () => {
    const { queue, batchOf, go, log, fates, held, clashes } = scene()
    held.set('3', { f1: 'c' })
    fates.push('lost')
    queue.add({ ...batchOf({ 1: 'x', 2: 'y', 3: 'z' }), added: [{ f1: 'new' }] }, false)
    await go()
    held.set('2', { f1: 'theirs' })
    held.delete('3')
    await go()
    assert.deepEqual([log, clashes], [['1:x +1'], ['2:theirs', '3:gone']])
  })

  it('go where they are refused at once, and stay where they had waited', async () => {
    const { queue, batchOf, go, fates, states, log, kept } = scene()
    fates.push('refused')
    queue.add(batchOf({ 1: 'x' }, 'one paste'), false)
    queue.add(batchOf({ 2: 'y' }, 'one paste'), false)
    await go()
    assert.deepEqual([states(), log, kept.size], [[], [], 0])
    fates.push('refused')
    const late = batchOf({ 1: 'x', 2: 'y' })
    queue.add(late, true)
    await go()
    assert.deepEqual([states(), kept.size], [['refused'], 1])
    queue.drop(late.key, '1', 'f1')
    queue.retry(late.key)
    await go()
    assert.deepEqual([log, kept.size], [['2:y'], 0])
  })
})
