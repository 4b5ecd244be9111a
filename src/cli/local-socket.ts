import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Output } from './command.ts'
import { explain, Refused, type Explanation } from './explain.ts'

/*
 * How a command reaches the server that holds the data directory: HTTP over a socket that only the operator can open. The
 * command travels in a header, the bytes of its file in the body; what it says comes back as one JSON object a line.
 */

// An import would bring the WebSocket client along (http/client-errors.ts).
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

/** A filter of the longest kind has to fit, in any script. */
const HEADERS_MOST = 1 << 20
/** Milliseconds that commands still running get when the server stops. */
const GRACE = 10_000
/** What fits the address of a Unix socket everywhere, in bytes. */
const PATH_MOST = 100

/** In the data directory, or under a hash of its name where that path is too long. */
export function socketPath(directory: string): string {
  const whole = real(directory)
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\kartoteka-${hash}`
  const path = join(whole, 'kartoteka.sock')
  return Buffer.byteLength(path) <= PATH_MOST ? path : join(tmpdir(), `kartoteka-${hash}.sock`)
}

/** Serves commands on the socket of a data directory whose lock this process holds. Returns how to stop. */
export async function serveSocket(directory: string, perform: Perform): Promise<() => Promise<void>> {
  const path = socketPath(directory)
  // Whoever holds the lock is alone, so a socket that lies there was left by a process that died.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const running = new Set<Promise<void>>()
  const server = createServer({ requestTimeout: 0, maxHeaderSize: HEADERS_MOST }, (incoming, response) => {
    const answered = answer(incoming, response, perform).finally(() => running.delete(answered))
    running.add(answered)
  })
  // The socket is made in this very call, and must never have been anybody else's to open.
  const before = process.umask(0o177)
  server.listen(path)
  process.umask(before)
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
    const call = JSON.parse(Buffer.from(String(incoming.headers['x-command']), 'base64url').toString()) as Call
    await tell({ exit: await perform(call, incoming, output) })
  } catch (error) {
    await tell({ refused: explain(error) }).catch(() => {})
  }
  // A connection that ends while bytes of the file are unread takes with it what was said; the caller hangs up when he knows.
  incoming.resume()
  await finished(incoming).catch(() => {})
  response.end()
}

/** Whether a server answers commands for the directory. */
export async function serverAnswers(directory: string): Promise<boolean> {
  const path = trusted(directory)
  if (path === undefined) return false
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Has the running server perform a command; undefined where no server answers. @throws Refused */
export async function callServer(
  directory: string,
  call: Call,
  input: () => Readable | undefined,
  output: Output,
): Promise<number | undefined> {
  const path = trusted(directory)
  if (path === undefined) return undefined
  const outgoing = request({
    socketPath: path,
    method: 'POST',
    path: '/',
    agent: false,
    maxHeaderSize: HEADERS_MOST,
    headers: { 'X-Command': Buffer.from(JSON.stringify(call)).toString('base64url'), 'Transfer-Encoding': 'chunked' },
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
  }
}

/** Where nobody listens, there is no answer and no fault. */
function connected(error: NodeJS.ErrnoException): undefined {
  const { code, syscall } = error
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'ECONNREFUSED')) return undefined
  throw code === 'ECONNRESET' || code === 'EPIPE' ? gone() : error
}

const gone = () => new Refused({ text: 'The server went away before the command was done.', usage: false })

function send(input: Readable | undefined, outgoing: ReturnType<typeof request>, failed: (error: Error) => void): void {
  if (!input) return void outgoing.end()
  input.on('error', failed)
  input.pipe(outgoing)
}

async function obey(response: IncomingMessage, output: Output): Promise<number> {
  let rest = ''
  response.setEncoding('utf8')
  for await (const chunk of untilBroken(response)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const event = JSON.parse(line) as Event
      if ('exit' in event) return event.exit
      if ('refused' in event) throw new Refused(event.refused)
      await (output[event.say] as (...said: unknown[]) => Promise<void>)(...event.with)
    }
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

/** The socket, unless somebody else has put his where all may write. */
function trusted(directory: string): string | undefined {
  const path = socketPath(directory)
  if (process.platform === 'win32') return path
  try {
    const mine = [process.getuid!(), 0, statSync(directory).uid]
    return mine.includes(statSync(path).uid) ? path : undefined
  } catch {
    return undefined
  }
}

/** The same name for the same directory, however it is reached. */
function real(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}
