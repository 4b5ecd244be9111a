import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../errors.ts'
import { fairQueue } from './fair-queue.ts'

const isBusy = (error: unknown): boolean => error instanceof Failure && error.code === 'server.busy'

describe('a queue in which users take turns', () => {
  it('gives each user their turn, and each of them their entries in order', () => {
    const queue = fairQueue<string>(10, 5)
    for (const one of ['a1', 'a2', 'a3']) queue.add(1, one)
    queue.add(2, 'b1')
    queue.add(3, 'c1')
    assert.deepEqual([queue.take(), queue.take((id) => id !== 3), queue.take(), queue.take()], ['a1', 'b1', 'c1', 'a2'])
    assert.equal(queue.waiting(), 1)
    assert.deepEqual(queue.clear(), ['a3'])
    assert.equal(queue.take(), undefined)
  })

  it('refuses more questions than it may have, of one user and of all, and takes others when some have gone', () => {
    const queue = fairQueue<string>(3, 2)
    queue.add(1, 'a1')
    queue.add(1, 'a2')
    assert.throws(() => queue.add(1, 'a3'), isBusy)
    queue.add(2, 'b1')
    assert.throws(() => queue.add(3, 'c1'), isBusy)
    assert.equal(queue.remove(1, 'a1'), true)
    assert.equal(queue.remove(1, 'a1'), false)
    queue.add(3, 'c1')
    assert.throws(() => queue.add(2, 'b2'), isBusy)
    assert.deepEqual(queue.clear().sort(), ['a2', 'b1', 'c1'])
    for (const one of ['d1', 'd2']) queue.add(4, one)
    assert.equal(queue.waiting(), 2)
  })

  it('counts the parts of a question once, until the last one has gone', () => {
    const queue = fairQueue<string>(2, 1)
    const question = {}
    for (const one of ['a1', 'a2', 'a3']) queue.add(1, one, question)
    assert.equal(queue.waiting(), 3)
    assert.throws(() => queue.add(1, 'a4', {}), isBusy)
    queue.add(2, 'b1')
    assert.throws(() => queue.add(3, 'c1'), isBusy)
    assert.deepEqual([queue.take(), queue.take()], ['a1', 'b1'])
    queue.remove(1, 'a3')
    assert.throws(() => queue.add(1, 'a4', {}), isBusy)
    assert.equal(queue.take(), 'a2')
    queue.add(1, 'a4', {})
    queue.add(3, 'c1')
    assert.throws(() => queue.add(4, 'd1'), isBusy)
  })

  it('has no question of any number of parts', () => {
    const queue = fairQueue<number>(10, 2)
    const question = {}
    for (let i = 0; i < 32; i++) queue.add(1, i, question)
    assert.throws(() => queue.add(1, 32, question), isBusy)
    for (let i = 0; i < 16; i++) assert.equal(queue.take(), i)
    queue.add(1, 32, {})
    assert.throws(() => queue.add(1, 33, {}), isBusy)
  })
})
