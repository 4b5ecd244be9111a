import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { request as requestPlain, type ClientRequest, type RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { limits } from '../limits.ts'
import { hostOf, readAddress, type AddressRules } from './address.ts'
import { readRetryAfter } from './backoff.ts'
import type { FaultCode, Outcome } from './outcome.ts'
import { signatureHeaders, type Signed } from './sign.ts'

export interface Message extends Signed {
  readonly address: string
  readonly secrets: readonly string[]
}

export interface Sending {
  readonly rules: AddressRules
  /** Ends the attempt. */
  readonly signal?: AbortSignal
  /** The addresses of a host; it is asked once for each attempt. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>
}

class Fault extends Error {
  readonly code: FaultCode
  constructor(code: FaultCode, detail: string) {
    super(detail)
    this.code = code
  }
}

/** While which step an error of the connection means what. */
type Step = 'connecting' | 'securing' | 'sent'

export const systemResolve = (host: string): Promise<readonly LookupAddress[]> => lookup(host, { all: true, order: 'verbatim' })

/**
 * Sends one signed POST. The host is resolved once, each of its addresses is checked, and the connection is made to one of those.
 * Redirects are not followed, proxies of the environment are not used. Never throws for what a receiver, a network or DNS does.
 */
export async function send(message: Message, { rules, signal, resolve = systemResolve }: Sending): Promise<Outcome> {
  const read = readAddress(message.address, rules)
  if ('why' in read) return { fault: 'invalid_address', detail: read.why }
  const ending = new AbortController()
  const endAs = (code: FaultCode, detail: string) => (): void => ending.abort(new Fault(code, detail))
  const ended = new Promise<never>((_, refuse) => ending.signal.addEventListener('abort', () => refuse(ending.signal.reason)))
  const stop = endAs('stopped', 'The server stops.')
  const total = setTimeout(endAs('timed_out', 'No answer in time.'), limits.webhookTime.most)
  const connecting = setTimeout(endAs('timed_out', 'No connection in time.'), limits.webhookConnect.most)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    const addresses = await Promise.race([ended, addressesOf(hostOf(read.url), rules, resolve)])
    return await post(read.url, addresses, message, ending.signal, () => clearTimeout(connecting))
  } catch (error) {
    if (error instanceof Fault) return { fault: error.code, detail: error.message }
    throw error
  } finally {
    clearTimeout(total)
    clearTimeout(connecting)
    signal?.removeEventListener('abort', stop)
  }
}

/** All addresses of a host. If one of them may not be reached, none is: the next answer of DNS might put that one first. */
async function addressesOf(
  host: string,
  { isReachable }: AddressRules,
  resolve: NonNullable<Sending['resolve']>,
): Promise<LookupAddress[]> {
  const found = isIP(host) === 0 ? await resolve(host).catch(notFound) : [{ address: host, family: isIP(host) }]
  if (found.length === 0) throw new Fault('unknown_host', `${host} has no address.`)
  const refused = found.find(({ address }) => !isReachable(address))
  if (refused) throw new Fault('forbidden_network', `${host} has the address ${refused.address}.`)
  return [...found]
}

function notFound(error: unknown): never {
  if (codeOf(error) === undefined) throw error
  throw new Fault('unknown_host', String(error))
}

/** `connected` is called when a request can be sent: after the handshake, where there is one. */
function post(url: URL, addresses: LookupAddress[], message: Message, ending: AbortSignal, connected: () => void): Promise<Outcome> {
  const isSecure = url.protocol === 'https:'
  const body = Buffer.from(message.body)
  const request = (isSecure ? requestSecure : requestPlain)(url, {
    ...connectionOptions(addresses),
    method: 'POST',
    signal: ending,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'User-Agent': 'Kartoteka',
      ...signatureHeaders(message, message.secrets),
    },
  })
  let step: Step = 'connecting'
  request.once('socket', (socket) => {
    const next = isSecure ? 'securing' : 'sent'
    socket.once('connect', () => (step = next))
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      step = 'sent'
      connected()
    })
    bound(socket, request)
  })
  return new Promise((resolve, refuse) => {
    let answer: Outcome | undefined
    let fault: unknown = new Fault('invalid_answer', 'The connection ended without an answer.')
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      answer = {
        status,
        ...((status === 429 || status === 503) && { retryAfter: readRetryAfter(response.headers['retry-after'], message.at) }),
      }
      // The rest is read for receivers that work while they answer. It says nothing: the status has come.
      response.on('error', () => {}).resume()
    })
    request.on('error', (error) => (fault = ending.aborted ? ending.reason : faultAt(step, error)))
    request.once('close', () => (answer ? resolve(answer) : refuse(fault)))
    request.end(body)
  })
}

const connectionOptions = (addresses: LookupAddress[]): RequestOptions & ConnectOptions => ({
  // A connection for each attempt, which no other uses and no proxy is asked for.
  agent: false,
  // Node asks `lookup` for all addresses, and tries one after the other.
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: limits.webhookConnect.most / 4,
  lookup: (_host, _options, callback) => callback(null, addresses),
  maxHeaderSize: limits.webhookAnswer.most,
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  rejectUnauthorized: true,
})

/** Options of the connection, which Node passes on to it. */
type ConnectOptions = Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> &
  Pick<TlsOptions, 'rejectUnauthorized'>

/** Ends the request where more comes back than is read: headers, interim answers and body together. */
function bound(socket: Socket, request: ClientRequest): void {
  let read = 0
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > limits.webhookAnswer.most)
      request.destroy(new Fault('invalid_answer', `The answer is longer than ${limits.webhookAnswer.most} bytes.`))
  })
}

function faultAt(step: Step, error: Error): unknown {
  const code = codeOf(error)
  if (error instanceof Fault || code === undefined) return error
  const detail = error.message === '' ? code : error.message
  if (step === 'securing') return new Fault('tls_failed', detail)
  return new Fault(code.startsWith('HPE_') ? 'invalid_answer' : 'connection_failed', detail)
}

/** The code of an error that Node or the system named; an error without one is a fault of ours. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
