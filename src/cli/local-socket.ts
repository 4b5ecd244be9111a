import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Output } from './command.ts'

/*
 * How a command reaches the server that holds the data directory: HTTP over a socket that only the operator can open. The
 * command travels in a header, the bytes of its file in the body; what it says comes back as one JSON object a line.
 */

/** A command as it was typed. */
export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly inputSize: number
}

type Said = { [K in keyof Output]: { readonly say: K; readonly with: Parameters<Output[K]> } }[keyof Output]
type Event = Said | { readonly exit: number } | { readonly refused: string; readonly usage: boolean }

/** A path of at most about 100 bytes fits a Unix socket; a longer one is replaced by its hash. */
export function socketPath(directory: string): string {
  const whole = resolve(directory)
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\kartoteka-${hash}`
  const path = join(whole, 'kartoteka.sock')
  return Buffer.byteLength(path) <= 100 ? path : join(tmpdir(), `kartoteka-${hash}.sock`)
}

export type Perform = (call: Call, input: Readable, output: Output) => Promise<number>

/** Serves commands on the socket of a data directory whose lock this process holds. Returns how to stop. */
export async function serveSocket(directory: string, perform: Perform, explain: (error: unknown) => { text: string; usage: boolean }): Promise<() => Promise<void>> {
  const path = socketPath(directory)
  // Whoever holds the lock is alone, so a socket that lies there was left by a process that died.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const server = createServer({ requestTimeout: 0 }, (incoming, response) => void answer(incoming, response, perform, explain))
  server.listen(path)
  await once(server, 'listening')
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return async () => {
    server.close()
    server.closeIdleConnections()
    await once(server, 'close')
  }
}

async function answer(incoming: IncomingMessage, response: ServerResponse, perform: Perform, explain: (error: unknown) => { text: string; usage: boolean }): Promise<void> {
  const tell = async (event: Event) => {
    if (!response.write(`${JSON.stringify(event)}\n`) && !response.destroyed) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  const say = <K extends keyof Output>(name: K) => ((...said: Parameters<Output[K]>) => tell({ say: name, with: said } as Event)) as Output[K]
  const output: Output = { line: say('line'), note: say('note'), progress: say('progress'), append: say('append') }
  try {
    const call = JSON.parse(Buffer.from(String(incoming.headers['x-command']), 'base64url').toString()) as Call
    await tell({ exit: await perform(call, incoming, output) })
  } catch (error) {
    const { text, usage } = explain(error)
    await tell({ refused: text, usage })
  }
  response.end()
}

/** A refusal that came over the socket. */
export class Refused extends Error {
  readonly usage: boolean
  constructor(text: string, usage: boolean) {
    super(text)
    this.usage = usage
  }
}

/** Has the running server perform a command; undefined where no server answers. @throws Refused */
export async function callServer(directory: string, call: Call, input: Readable | undefined, output: Output): Promise<number | undefined> {
  const outgoing = request({
    socketPath: socketPath(directory), method: 'POST', path: '/', agent: false,
    headers: { 'X-Command': Buffer.from(JSON.stringify(call)).toString('base64url') },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  if (input) {
    outgoing.on('socket', (socket) => socket.on('connect', () => input.pipe(outgoing)))
  } else outgoing.end()
  let response: IncomingMessage
  try {
    ;[response] = await answered
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  // The server may answer before it has read all of a file that it refuses.
  outgoing.on('error', () => {})
  return obey(response, output)
}

async function obey(response: IncomingMessage, output: Output): Promise<number> {
  let rest = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const event = JSON.parse(line) as Event
      if ('exit' in event) return event.exit
      if ('refused' in event) throw new Refused(event.refused, event.usage)
      await (output[event.say] as (...said: unknown[]) => Promise<void>)(...event.with)
    }
  }
  throw new Refused('The server went away before the command was done.', false)
}
