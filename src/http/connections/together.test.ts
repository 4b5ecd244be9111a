import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { answersTogether } from './together.ts'

/** Answers of which each has a connection of its own, unless one is given. */
function answers(now: () => number) {
  const [written, errors]: [string[], unknown[]] = [[], []]
  const together = answersTogether(now, (error) => errors.push(error))
  const begin = (name: string, socket = {}, end = () => void written.push(name)) => {
    const response = { req: { socket }, end, destroy: () => void written.push(`${name} destroyed`) } as unknown as ServerResponse
    together.begins(response)
    return response
  }
  return { written, errors, together, begin, end: (response: ServerResponse) => together.end(response, 'body') }
}

it('answers of one turn are written at its end, in their order', async () => {
  const { written, begin, end } = answers(() => 0)
  for (const name of ['one', 'two', 'three']) end(begin(name))
  assert.deepEqual(written, [])
  await turn()
  assert.deepEqual(written, ['one', 'two', 'three'])
  await turn()
  assert.deepEqual(written, ['one', 'two', 'three'])
})

it('an answer does not wait for request after request', async () => {
  let now = 1
  const { written, begin, end } = answers(() => now)
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => begin(name))
  end(one!)
  now += 0.003
  begin('another')
  assert.deepEqual(written, ['one'])
  end(two!)
  now += 0.003
  end(three!)
  assert.deepEqual(written, ['one', 'two', 'three'])
  end(four!)
  begin('another')
  assert.deepEqual(written, ['one', 'two', 'three'])
  await turn()
  assert.deepEqual(written, ['one', 'two', 'three', 'four'])
})

it('an answer for which the next request of its connection waits is written at once', async () => {
  const { written, begin, end } = answers(() => 0)
  const socket = {}
  const [one, two] = ['one', 'two'].map((name) => begin(name, socket))
  end(one!)
  assert.deepEqual(written, ['one'])
  end(two!)
  assert.deepEqual(written, ['one'])
  await turn()
  assert.deepEqual(written, ['one', 'two'])
})

it('an answer that cannot be written keeps no other from being written', async () => {
  const { written, errors, begin, end } = answers(() => 0)
  end(begin('one'))
  const fails = () => {
    throw new Error('The socket is broken.')
  }
  end(begin('two', {}, fails))
  end(begin('three'))
  await turn()
  assert.deepEqual(written, ['one', 'two destroyed', 'three'])
  assert.equal(errors.length, 1)
})
