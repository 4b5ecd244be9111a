import { connect, type Socket } from 'node:net'

/* A client that sends whatever bytes it is given, and reads what comes back as RFC 9112 says. */

/** A request, byte for byte as it is sent. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  /** The body without what frames it. */
  readonly content: Buffer | undefined
  /** Where the message ends is not told rightly: it goes on a connection of its own, which is then ended. */
  readonly oddlyFramed: boolean
  /** The client goes away before all is sent, or before anybody could know: no answer is needed. */
  readonly cutShort: boolean
}

export interface Received {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** A server that gives no answer in this time hangs. */
const PATIENCE = 20_000

export const bytesOf = ({ method, target, headers, body }: Pick<Sent, 'method' | 'target' | 'headers' | 'body'>): Buffer =>
  Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ])

/** Sends one request after another; connections are kept where both sides know where a message ends. */
export function wire(port: number) {
  let kept: Socket | undefined
  return {
    /** All answers that came: one, or of a message that was framed oddly any number. A sentence: why there is none. */
    async exchange(sent: Sent): Promise<Received[] | string> {
      const fresh = sent.oddlyFramed || !kept?.writable
      const socket = fresh ? await open(port) : kept!
      if (!sent.oddlyFramed) kept = socket
      const answers = await transfer(socket, sent)
      if (typeof answers === 'string' || sent.oddlyFramed || answers.some(({ headers }) => headers.get('connection') === 'close'))
        socket.destroy()
      return answers
    },
    close: () => kept?.destroy(),
  }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })

function transfer(socket: Socket, sent: Sent): Promise<Received[] | string> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    let answers: Received[] = []
    const timer = setTimeout(() => finish('no answer: the server hangs'), PATIENCE)
    const finish = (wrong?: string) => {
      clearTimeout(timer)
      for (const event of ['data', 'end', 'error', 'close']) socket.removeAllListeners(event)
      socket.on('error', () => undefined)
      resolve(wrong ?? answers)
    }
    const read = (ended: boolean) => {
      // Only the first answer is that to the request; what follows is to what was taken for another one.
      const { found, rest } = responses(bytes, answers.length === 0 ? sent.method : 'GET', ended)
      answers = [...answers, ...found]
      bytes = rest
    }
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data])
      read(false)
      if (answers.length === 0) return
      if (sent.oddlyFramed) socket.end()
      else finish()
    })
    const ended = () => {
      read(true)
      finish()
    }
    socket.on('end', ended).on('close', ended).on('error', ended)
    socket.write(bytesOf(sent))
    if (sent.cutShort) socket.end()
  })
}

/** The answers that came, and where they are too few, why. */
export interface Read {
  readonly answers: Received[]
  readonly why: string | undefined
}

/** Sends bytes, if any, and reads so many answers, or as many as come until the connection ends. None of them may be to HEAD. */
export function read(socket: Socket, bytes: Buffer | undefined, count: number): Promise<Read> {
  return new Promise((resolve) => {
    let rest: Buffer = Buffer.alloc(0)
    const answers: Received[] = []
    const finish = (why?: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers, why: why && `${why}, after ${rest.length} bytes of an answer` })
    }
    const timer = setTimeout(() => finish(`nothing more in ${PATIENCE} ms`), PATIENCE)
    socket.on('data', (data) => {
      const { found, rest: left } = responses(Buffer.concat([rest, data]), 'GET', false)
      rest = left
      answers.push(...found)
      if (answers.length >= count) finish()
    })
    socket.on('error', (error: Error & { code?: string }) => finish(error.code ?? error.message))
    socket.on('close', () => finish('the server ended the connection'))
    if (bytes) socket.write(bytes)
  })
}

/** The whole responses at the beginning of what was received, interim ones left out. */
function responses(bytes: Buffer, method: string, ended: boolean): { found: Received[]; rest: Buffer } {
  const found: Received[] = []
  let rest = bytes
  for (;;) {
    const one = response(rest, found.length === 0 ? method : 'GET', ended)
    if (!one) return { found, rest }
    if (one.status >= 200) found.push(one)
    rest = one.rest
  }
}

function response(bytes: Buffer, method: string, ended: boolean): (Received & { rest: Buffer }) | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (!status) throw new Error(`no response: ${first}`)
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const after = bytes.subarray(end + 4)
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return { status, headers, body: Buffer.alloc(0), rest: after }
  if (headers.get('transfer-encoding') === 'chunked') return chunked({ status, headers }, after)
  const length = headers.has('content-length') ? Number(headers.get('content-length')) : ended ? after.length : Infinity
  return after.length < length ? undefined : { status, headers, body: after.subarray(0, length), rest: after.subarray(length) }
}

function chunked(head: Pick<Received, 'status' | 'headers'>, bytes: Buffer): (Received & { rest: Buffer }) | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    // No chunk: the body never ends.
    if (Number.isNaN(size)) return undefined
    if (bytes.length < line + 2 + size + 2) return undefined
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
    if (size === 0) return { ...head, body: Buffer.concat(parts), rest: bytes.subarray(at) }
  }
}
