import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { UsageError } from '../explain/explain.ts'
import type { Output, Stream } from '../terminal/output.ts'
import { write } from '../terminal/write.ts'
import { explain, Refused, type Explanation } from '../explain/explain.ts'
import { addressToBind, addressToConnect } from './socket-place.ts'

/*
 * How a command is passed to the server that has the data directory: HTTP over a Unix socket that only the operator can open. The
 * command is in a header, the bytes of its file in the body; its output comes back as one JSON object a line. The server sends no
 * paths: it writes to named streams, and the process in which the command was typed knows the file of each.
 */

// Not `import`, which would load the WebSocket client (http/connections/client-errors.ts).
const { createServer, request } = process.getBuiltinModule('node:http')

/** A command as it was typed. */
export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly inputSize: number
}

/** Runs a command and returns its exit code. `ended`: see Context. */
export type Perform = (call: Call, input: AsyncIterable<Uint8Array> | undefined, output: Output, ended?: AbortSignal) => Promise<number>

type Said =
  | { [K in keyof Texts]: { readonly say: K; readonly with: Parameters<Output[K]> } }[keyof Texts]
  | { readonly say: 'appendBytes'; readonly with: readonly [stream: Stream, base64: string] }
type Texts = Omit<Output, 'appendBytes'>
type Event = Said | { readonly exit: number } | { readonly refused: Explanation }

/** Milliseconds for which a server that stops waits for running commands, and then for those whose connection it has closed. */
const GRACE = 10_000

/** Serves commands on the socket of a data directory whose lock this process holds. Returns how to stop. */
export async function serveSocket(directory: string, perform: Perform, grace = GRACE): Promise<() => Promise<void>> {
  const { path, address, release } = addressToBind(directory)
  // This process has the lock, so a socket that exists was left by a process that died.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const server = createServer({ requestTimeout: 0, maxHeaderSize: limits.command.most }, (incoming, response) => {
    const answered = answer(incoming, response, perform, stopping.signal).finally(() => running.delete(answered))
    running.add(answered)
  })
  // This call creates the socket; no other user must be able to open it at any time.
  const before = process.umask(0o177)
  server.listen(address)
  process.umask(before)
  server.maxConnections = limits.commands.most
  server.once('close', release)
  await once(server, 'listening')
  return async () => {
    stopping.abort()
    server.close()
    server.closeIdleConnections()
    const patience = setTimeout(() => server.closeAllConnections(), grace)
    const bound = new AbortController()
    await Promise.race([allEnded(running), sleep(2 * grace, undefined, { signal: bound.signal }).catch(() => {})])
    bound.abort()
    clearTimeout(patience)
  }
}

async function allEnded(running: ReadonlySet<Promise<void>>): Promise<void> {
  while (running.size > 0) await Promise.all(running)
}

async function answer(incoming: IncomingMessage, response: ServerResponse, perform: Perform, stopping: AbortSignal): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const tell = async (event: Event) => {
    if (response.destroyed) throw new Error('Whoever typed the command has gone.')
    await write(response, `${JSON.stringify(event)}\n`)
  }
  const say = <K extends keyof Texts>(name: K) =>
    ((...said: Parameters<Output[K]>) => tell({ say: name, with: said } as Event)) as Output[K]
  const appendBytes: Output['appendBytes'] = (stream, bytes) =>
    tell({ say: 'appendBytes', with: [stream, Buffer.from(bytes).toString('base64')] })
  const output: Output = { line: say('line'), note: say('note'), progress: say('progress'), append: say('append'), appendBytes }
  try {
    const call = readCall(String(incoming.headers['x-command']))
    // A command that stops reading must not close the connection: what it says would be lost.
    const input = { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) }
    await tell({ exit: await perform(call, input, output, AbortSignal.any([stopping, gone.signal])) })
  } catch (error) {
    await tell({ refused: explain(error) }).catch(() => {})
  }
  // If the connection were closed while bytes of the file are unread, output would be lost; the client closes it after reading the output.
  incoming.resume()
  await finished(incoming).catch(() => {})
  response.end()
}

/** @throws UsageError for a header that `callServer` does not send */
function readCall(header: string): Call {
  try {
    const { name, args, options, inputSize } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Call
    const fits = (value: unknown) => ['string', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every(isText))
    const values = [...Object.values(args).map((value) => [value]), ...Object.values(options)]
    if (isText(name) && values.every(fits) && Number.isSafeInteger(inputSize)) return { name, args, options, inputSize }
  } catch {
    // It is told below.
  }
  throw new UsageError('The running server does not understand the command. Is it another version?')
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether a server answers commands for the directory. */
export async function serverAnswers(directory: string): Promise<boolean> {
  const place = addressToConnect(directory)
  if (place === undefined) return false
  const socket = connect(place.address)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
    place.release()
  }
}

/** Lets the running server perform a command; undefined where no server answers. @throws Refused */
export async function callServer(
  directory: string,
  call: Call,
  input: () => Readable | undefined,
  output: Output,
): Promise<number | undefined> {
  const place = addressToConnect(directory)
  if (place === undefined) return undefined
  try {
    return await callAt(place.address, call, input, output)
  } finally {
    place.release()
  }
}

async function callAt(socketPath: string, call: Call, input: () => Readable | undefined, output: Output): Promise<number | undefined> {
  const sent = Buffer.from(JSON.stringify(call)).toString('base64url')
  if (sent.length > limits.command.most / 2) throw new UsageError('The command is too long for the running server.')
  const outgoing = request({
    socketPath,
    method: 'POST',
    path: '/',
    agent: false,
    headers: { 'X-Command': sent, 'Transfer-Encoding': 'chunked' },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  // The server may close the connection while the file is sent; the output until then counts.
  outgoing.on('error', () => {})
  let unreadable: Error | undefined
  outgoing.once('socket', (socket) =>
    socket.once('connect', () =>
      send(input(), outgoing, (error) => {
        unreadable = error
        outgoing.destroy()
      }),
    ),
  )
  try {
    const response = await answered.catch(connected)
    return response && (await obey(response[0], output))
  } catch (error) {
    throw unreadable ?? error
  } finally {
    outgoing.destroy()
  }
}

/** Whether the error means that no server listens. */
function connected(error: NodeJS.ErrnoException): undefined {
  const { code, syscall } = error
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'ECONNREFUSED')) return undefined
  if (syscall === 'connect' && code === 'EACCES')
    throw new Refused({ text: 'The running server accepts commands from its own user and root only.', usage: false })
  throw code === 'ECONNRESET' || code === 'EPIPE' ? gone() : error
}

const strange = () => new Refused({ text: 'The running server gave an unexpected answer. Is it another version?', usage: false })

const gone = () => new Refused({ text: 'The server stopped before the command was done.', usage: false })

function send(input: Readable | undefined, outgoing: ReturnType<typeof request>, failed: (error: Error) => void): void {
  if (!input) return void outgoing.end()
  input.on('error', failed)
  input.pipe(outgoing)
}

/** The messages that a server may send: text to print, or data for a stream that was named on the command line. */
const words = new Map<string, (output: Output) => (...said: never[]) => Promise<void>>([
  ['line', (output) => output.line],
  ['note', (output) => output.note],
  ['progress', (output) => output.progress],
  ['append', (output) => output.append],
  ['appendBytes', (output) => (stream: Stream, base64: string) => output.appendBytes(stream, Buffer.from(base64, 'base64'))],
])

/** @throws Refused for a message that `answer` does not send */
function readEvent(line: string): Event {
  try {
    const event = JSON.parse(line) as { exit?: unknown; refused?: Explanation; say?: string; with?: unknown[] }
    const fits =
      event.exit !== undefined
        ? [0, 1, 2, 3].includes(event.exit as number)
        : event.refused
          ? isText(event.refused.text)
          : words.has(event.say ?? '') && Array.isArray(event.with)
    if (fits) return event as Event
  } catch {
    // It is told below.
  }
  throw strange()
}

async function obey(response: IncomingMessage, output: Output): Promise<number> {
  let rest = ''
  response.setEncoding('utf8')
  for await (const chunk of untilBroken(response)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const event = readEvent(line)
      if ('exit' in event) return event.exit
      if ('refused' in event) throw new Refused(event.refused)
      await (words.get(event.say)!(output) as (...said: unknown[]) => Promise<void>)(...event.with)
    }
    if (rest.length > limits.commandAnswer.most) throw strange()
  }
  throw gone()
}

/** The text that arrives until the connection ends or breaks. */
async function* untilBroken(response: IncomingMessage): AsyncGenerator<string> {
  try {
    for await (const chunk of response) yield String(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}
