import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { limits } from '../../limits.ts'
import { UsageError } from '../explain/explain.ts'
import type { Output } from '../terminal/output.ts'
import { explain, Refused, type Explanation } from '../explain/explain.ts'
import { addressToBind, addressToConnect } from './socket-place.ts'

/*
 * How a command reaches the server that holds the data directory: HTTP over a socket that only the operator can open. The
 * command travels in a header, the bytes of its file in the body; what it says comes back as one JSON object a line. The
 * server names no path to the command: what belongs into a file goes to a stream by its name, and where that is, the
 * command knows from what was typed.
 */

// An import would bring the WebSocket client along (http/connections/client-errors.ts).
const { createServer, request } = process.getBuiltinModule('node:http')

/** A command as it was typed. */
export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly inputSize: number
}

/** Runs a command for whoever typed it; the exit code. */
export type Perform = (call: Call, input: Readable | undefined, output: Output) => Promise<number>

type Said = { [K in keyof Output]: { readonly say: K; readonly with: Parameters<Output[K]> } }[keyof Output]
type Event = Said | { readonly exit: number } | { readonly refused: Explanation }

/** Milliseconds that commands still running get when the server stops. */
const GRACE = 10_000

/** Serves commands on the socket of a data directory whose lock this process holds. Returns how to stop. */
export async function serveSocket(directory: string, perform: Perform): Promise<() => Promise<void>> {
  const { path, address, release } = addressToBind(directory)
  // Whoever holds the lock is alone, so a socket that lies there was left by a process that died.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const running = new Set<Promise<void>>()
  const server = createServer({ requestTimeout: 0, maxHeaderSize: limits.command.most }, (incoming, response) => {
    const answered = answer(incoming, response, perform).finally(() => running.delete(answered))
    running.add(answered)
  })
  // The socket is made in this very call, and must never have been anybody else's to open.
  const before = process.umask(0o177)
  server.listen(address)
  process.umask(before)
  server.maxConnections = limits.commands.most
  server.once('close', release)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeIdleConnections()
    const patience = setTimeout(() => server.closeAllConnections(), GRACE)
    while (running.size > 0) await Promise.all(running)
    clearTimeout(patience)
  }
}

async function answer(incoming: IncomingMessage, response: ServerResponse, perform: Perform): Promise<void> {
  const tell = async (event: Event) => {
    if (response.destroyed) throw new Error('Whoever typed the command has gone.')
    if (!response.write(`${JSON.stringify(event)}\n`)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  const say = <K extends keyof Output>(name: K) =>
    ((...said: Parameters<Output[K]>) => tell({ say: name, with: said } as Event)) as Output[K]
  const output: Output = { line: say('line'), note: say('note'), progress: say('progress'), append: say('append') }
  try {
    await tell({ exit: await perform(readCall(String(incoming.headers['x-command'])), incoming, output) })
  } catch (error) {
    await tell({ refused: explain(error) }).catch(() => {})
  }
  // A connection that ends while bytes of the file are unread takes with it what was said; the caller hangs up after that.
  incoming.resume()
  await finished(incoming).catch(() => {})
  response.end()
}

/** @throws UsageError where it is not what `callServer` sends. */
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

/** Has the running server perform a command; undefined where no server answers. @throws Refused */
export async function callServer(
  directory: string,
  call: Call,
  input: () => Readable | undefined,
  output: Output,
): Promise<number | undefined> {
  const place = addressToConnect(directory)
  if (place === undefined) return undefined
  const sent = Buffer.from(JSON.stringify(call)).toString('base64url')
  if (sent.length > limits.command.most / 2) throw new UsageError('The command is too long for the running server.')
  const outgoing = request({
    socketPath: place.address,
    method: 'POST',
    path: '/',
    agent: false,
    headers: { 'X-Command': sent, 'Transfer-Encoding': 'chunked' },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  // The server may hang up while it is told of the file; what it said until then is obeyed.
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
    place.release()
  }
}

/** Where nobody listens, there is no answer and no fault. */
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

/** All that a server may ask for: to say something, or to write into what was typed. */
const words = new Map<string, (output: Output) => Output[keyof Output]>([
  ['line', (output) => output.line],
  ['note', (output) => output.note],
  ['progress', (output) => output.progress],
  ['append', (output) => output.append],
])

/** @throws Refused where it is nothing that `answer` sends. */
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

/** What arrives until the connection ends, in whichever way. */
async function* untilBroken(response: IncomingMessage): AsyncGenerator<string> {
  try {
    for await (const chunk of response) yield String(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}
