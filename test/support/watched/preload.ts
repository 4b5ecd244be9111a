import { createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { startBeats } from './beats.ts'

/*
 * node --import: the process tells about itself on the Unix socket that KARTOTEKA_TEST_WATCH names, a line for each line. Only servers that
 * tests start are given it (watched.ts).
 */

const path = process.env['KARTOTEKA_TEST_WATCH']
delete process.env['KARTOTEKA_TEST_WATCH']
if (isMainThread && path !== undefined) {
  const beats = startBeats()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) {
        if (line === 'collect') collect()
        socket.write(`${JSON.stringify({ ...beats.take(), ...beats.holding() })}\n`)
      }
    })
    socket.on('error', () => undefined)
  })
  server.listen(path).unref()
}
