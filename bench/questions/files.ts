import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { memoryOf, peakMemory } from '../machine.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { command, program, start, stop, type Server } from '../servers.ts'

const MIB = 1 << 20
/** MiB of the file. */
const SIZE = 1_024
/** MiB after which the memory is noted. */
const NOTED = [0, 64, 256, 512, 768, SIZE]

export const filesQuestion: Question = {
  name: 'files',
  says: 'How fast do a file of 1 GiB and the server exchange it, and how much memory does the server hold meanwhile?',
  async measure(bench) {
    const server = await begun(bench)
    try {
      const up = await uploaded(server)
      const down = await downloaded(server)
      if (up.hash !== down.hash) throw new Error('The file that was read is not the one that was written.')
      const head = ['', 'MiB/s', ...NOTED.map((at) => `memory in MiB, at ${at} MiB of the file`), 'most memory in MiB']
      const line = (what: string, { seconds, memory, peak }: Passed) => [what, SIZE / seconds, ...memory, peak]
      return table(head, [line('upload (PUT)', up), line('download (GET)', down)])
    } finally {
      await stop(server)
    }
  },
}

interface Passed {
  readonly hash: string
  readonly seconds: number
  readonly memory: readonly number[]
  /** Since the start of the server. */
  readonly peak: number
}

async function begun(bench: Bench): Promise<Server> {
  const data = join(bench.folder, 'files')
  // Makes the installation.
  await stop(await start([program, 'serve'], /listens on \S+:(\d+)/, data))
  const { said } = await command(data, 'token', 'create', '--login', 'admin')
  const server = { ...(await start([program, 'serve'], /listens on \S+:(\d+)/, data)), token: said.trim() }
  await make(server, 'table', { table_name: 'Papers' })
  await make(server, 'field', { table_id: 1, field_name: 'Papers', field_type: 'file' })
  await make(server, 'data1', {})
  return server
}

async function make({ port, token }: Server, type: string, attributes: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/dev/${type}`, {
    method: 'POST',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type, attributes } }),
  })
  if (!answer.ok) throw new Error(`${type}: ${await answer.text()}`)
}

const opened = ({ port, token }: Server, method: string, headers: Record<string, string> = {}) =>
  request(`http://127.0.0.1:${port}/api/dev/file/1/f1/1/large.bin`, { method, headers: { 'X-Auth-Token': token, ...headers } })

/** Notes the memory of the server as the file passes. */
function noting({ child }: Server) {
  const memory: number[] = []
  const began = performance.now()
  return {
    passed(bytes: number) {
      while (memory.length < NOTED.length && bytes >= NOTED[memory.length]! * MIB) memory.push(memoryOf(child.pid!))
    },
    done: (hash: string): Passed => ({ hash, seconds: (performance.now() - began) / 1000, memory, peak: peakMemory(child.pid!) }),
  }
}

async function uploaded(server: Server): Promise<Passed> {
  const piece = randomBytes(MIB)
  const hash = createHash('sha256')
  const note = noting(server)
  const upload = opened(server, 'PUT', { 'Content-Length': String(SIZE * MIB) })
  const answered = once(upload, 'response')
  for (let sent = 0; sent < SIZE; sent++) {
    piece.writeUInt32BE(sent)
    hash.update(piece)
    note.passed(sent * MIB)
    if (!upload.write(Buffer.from(piece))) await once(upload, 'drain')
  }
  upload.end()
  const [answer] = (await answered) as [IncomingMessage]
  if (answer.statusCode !== 201) throw new Error(`The upload was answered ${answer.statusCode}.`)
  answer.resume()
  note.passed(SIZE * MIB)
  return note.done(hash.digest('hex'))
}

async function downloaded(server: Server): Promise<Passed> {
  const hash = createHash('sha256')
  const note = noting(server)
  const download = opened(server, 'GET').end()
  const [answer] = (await once(download, 'response')) as [IncomingMessage]
  let got = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    note.passed(got)
    hash.update(chunk)
    got += chunk.length
  }
  note.passed(got)
  return note.done(hash.digest('hex'))
}
