import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { answersTogether } from './together.ts'

/** Answers of which each has a connection of its own, unless one is given. */
function answers(now: () => number) {
  const [written, errors]: [string[], unknown[]] = [[], []]
  const together = answersTogether(now, (error) => errors.push(error))
  const begin = (name: string, socket = new EventEmitter(), end = () => void written.push(name)) => {
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
  const socket = new EventEmitter()
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
  end(begin('two', new EventEmitter(), fails))
  end(begin('three'))
  await turn()
  assert.deepEqual(written, ['one', 'two destroyed', 'three'])
  assert.equal(errors.length, 1)
})

it('an answer that waits when its client sends no more is written before Node closes the connection', async () => {
  const together = answersTogether(
    () => 0,
    (error) => assert.fail(String(error)),
  )
  const server = createServer((request, response) => {
    together.begins(response)
    // The answer is ready in the turn in which the end is read, so that it waits while Node takes the end.
    request.socket.prependListener('end', () => together.end(response, 'Here it is.'))
    client.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const answer = await text(client)
  server.close()
  assert.match(answer, /^HTTP\/1\.1 200 OK[^]*Here it is\.$/)
})
