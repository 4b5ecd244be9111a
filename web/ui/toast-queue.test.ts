import assert from 'node:assert/strict'
import { beforeEach, it, mock } from 'node:test'
import { LEAST_SHOWN, SHOWN, ToastQueue } from './toast-queue.ts'

let queue: ToastQueue
let texts: () => string[]
beforeEach(() => {
  mock.timers.reset()
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  queue = new ToastQueue()
  texts = () => queue.visible().map(({ text }) => text)
})

it('a toast does not replace another: three are shown, and each goes in its time', () => {
  queue.put('one', () => undefined)
  mock.timers.tick(1_000)
  queue.put('two', () => undefined)
  assert.deepEqual(texts(), ['one', 'two'])
  mock.timers.tick(SHOWN - 1_000)
  assert.deepEqual(texts(), ['two'])
  mock.timers.tick(1_000)
  assert.deepEqual(texts(), [])
})

it('one without a way back goes when it could be read, a long one later', () => {
  queue.put('Undone')
  queue.put('A sentence that tells why something was not done. '.repeat(4))
  queue.put('In the trash', () => undefined)
  mock.timers.tick(LEAST_SHOWN)
  assert.equal(texts().length, 3)
  mock.timers.tick(1_000)
  assert.equal(texts().length, 2)
  mock.timers.tick(SHOWN - LEAST_SHOWN - 1_001)
  assert.equal(texts().length, 2)
  mock.timers.tick(1)
  assert.deepEqual(texts(), [])
})

it('one that tells why something was not done is shown as long as one with a way back', () => {
  queue.put('No.', undefined, { isRefusal: true })
  mock.timers.tick(SHOWN - 1)
  assert.deepEqual(texts(), ['No.'])
  mock.timers.tick(1)
  assert.deepEqual(texts(), [])
})

it('others wait until there is room; the oldest one goes as soon as it could be read', () => {
  for (const text of ['one', 'two', 'three', 'four', 'five']) queue.put(text)
  assert.deepEqual(texts(), ['one', 'two', 'three'])
  mock.timers.tick(LEAST_SHOWN - 1)
  assert.deepEqual(texts(), ['one', 'two', 'three'])
  mock.timers.tick(1)
  // The second has been shown as long, and one waits for its place.
  assert.deepEqual(texts(), ['three', 'four', 'five'])
  mock.timers.tick(SHOWN)
  assert.deepEqual(texts(), [])
})

it('the same words are shown anew, and not twice; with a way back each is an act of its own', () => {
  queue.put('nothing')
  queue.put('nothing')
  assert.deepEqual(texts(), ['nothing'])
  queue.put('moved', () => undefined)
  queue.put('moved', () => undefined)
  assert.deepEqual(texts(), ['nothing', 'moved', 'moved'])
})

it('none goes while somebody points at one, and one that is closed makes room', () => {
  for (const text of ['one', 'two', 'three', 'four']) queue.put(text, () => undefined)
  queue.hold(true)
  mock.timers.tick(10 * SHOWN)
  assert.deepEqual(texts(), ['one', 'two', 'three'])
  queue.close(queue.visible()[1]!.key)
  assert.deepEqual(texts(), ['one', 'three', 'four'])
  queue.hold(false)
  mock.timers.tick(SHOWN - 1)
  assert.deepEqual(texts(), ['one', 'three', 'four'])
  mock.timers.tick(1)
  assert.deepEqual(texts(), [])
})

it('nothing of what was said, or waits, is there for the next person', () => {
  for (const text of ['one', 'two', 'three', 'four']) queue.put(text, () => undefined)
  queue.hold(true)
  queue.clear()
  assert.deepEqual(texts(), [])
  queue.put('five', () => undefined)
  mock.timers.tick(SHOWN)
  assert.deepEqual(texts(), [])
})

it('one whose act has been taken back elsewhere says so, one that waits too', () => {
  const ways = Array.from({ length: 4 }, () => () => undefined)
  ways.forEach((way, i) => queue.put(`${i}`, way))
  const before = queue.visible()
  queue.mark((way) => way === ways[1] || way === ways[3], true)
  assert.deepEqual(queue.visible().map(({ isBack }) => isBack === true), [false, true, false]) // prettier-ignore
  assert.notEqual(queue.visible(), before)
  queue.close(queue.visible()[0]!.key)
  assert.deepEqual(queue.visible().map(({ isBack }) => isBack === true), [true, false, true]) // prettier-ignore
  queue.mark((way) => way === ways[1], false)
  assert.deepEqual(queue.visible().map(({ isBack }) => isBack === true), [false, false, true]) // prettier-ignore
})
