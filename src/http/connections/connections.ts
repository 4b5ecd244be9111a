import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net'
import { limits } from '../../limits.ts'
import { networkOf } from '../../store/ground/network.ts'
import { timeToArrive } from '../bodies/uploads.ts'
import { isClosing } from './closing.ts'
import type { Log } from './serving.ts'

/*
 * Connections: how many there are in all and of one address, the order of the requests on each, and whether its client still sends
 * and reads. A request is begun when the operating system has taken the answer before it on the same connection: so a client that
 * pipelines requests and does not read has one answer in memory.
 */

export interface Admission {
  readonly trustedProxies: readonly string[]
  /** Milliseconds without a byte after which a client that should send or read is disconnected. */
  readonly stall: number
  /** Milliseconds for a request to arrive; an upload has them for each part. */
  readonly arrival: number
  readonly log: Log
  /** Whether the body of a request is a file, which may take longer to arrive. */
  isUpload(request: IncomingMessage): boolean
  /** Whether the server is stopping, and waits only for its last answers to be read. */
  isStopping(): boolean
  /** Tells a client that there are too many connections; the socket ends. */
  refuse(socket: Socket): void
  /** Tells a client that its request took too long to arrive. */
  timeOut(socket: Socket): void
  /** Called every `LOOK` milliseconds. */
  everyLook(passed: number): void
}

/** Begins a request when those before it on the connection are answered. */
export type InTurn = (response: ServerResponse, work: () => void) => void

/** Milliseconds between checks of all connections; shorter where the time limit for clients is short. */
const LOOK = 1_000
/** Milliseconds after which a server that stops no longer waits for a client that reads nothing. */
const PARTING = 3_000
/** Requests that may wait on one connection; at this number, the server stops reading from it. */
const AHEAD = 16
/** Connections beyond the limit that get an error document; more of them are closed at once. */
const TOLD = 64
/** Milliseconds between lines of the log about connections that were refused. */
const QUIET = 10_000

interface Waiting {
  readonly response: ServerResponse
  readonly work: () => void
}

interface Line {
  active: ServerResponse | undefined
  readonly waiting: Waiting[]
  /** Bytes sent and received up to the last check, and the milliseconds for which this number has not changed. */
  moved: number
  still: number
  /** Milliseconds for which the active request has been arriving, and the bytes that the connection had received before. */
  arriving: number
  before: number
}

type Lines = Map<Socket, Line>

/** Starts to check the connections of a server. Returns the function that every request is passed to. */
export function keepConnections(server: Server, admission: Admission): InTurn {
  const lines: Lines = new Map()
  const turns = turnsOn(lines)
  const every = Math.min(LOOK, admission.stall / 4)
  const takeRefused = admit(server, lines, admission, turns.forget)
  let sinceLogged = QUIET
  const looking = setInterval(() => {
    for (const [socket, line] of lines) endIfStalled(admission, socket, line, every)
    admission.everyLook(every)
    sinceLogged += every
    const refused = sinceLogged >= QUIET ? takeRefused() : 0
    if (refused === 0) return
    admission.log.warn({ refused, connections: lines.size }, 'connections refused: there are too many')
    sinceLogged = 0
  }, every).unref()
  server.once('close', () => clearInterval(looking))
  return turns.inTurn
}

/** Counts connections, and refuses those beyond the limit. Returns a function that tells how many were refused since its last call. */
function admit(server: Server, lines: Lines, { trustedProxies, refuse }: Admission, forget: (line: Line) => void): () => number {
  const addresses = new Map<string, number>()
  const isProxy = networks(trustedProxies)
  let refused = 0
  server.maxConnections = limits.connections.most + TOLD
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const address = isProxy(remoteAddress) ? undefined : networkOf(remoteAddress)
    const already = address === undefined ? 0 : (addresses.get(address) ?? 0)
    if (lines.size >= limits.connections.most || already >= limits.connectionsOfAddress.most) {
      refused++
      return refuse(socket)
    }
    const line = { active: undefined, waiting: [], moved: 0, still: 0, arriving: 0, before: 0 }
    lines.set(socket, line)
    if (address !== undefined) addresses.set(address, already + 1)
    socket.once('close', () => {
      lines.delete(socket)
      forget(line)
      if (address === undefined) return
      const left = addresses.get(address)! - 1
      if (left > 0) addresses.set(address, left)
      else addresses.delete(address)
    })
  })
  return () => {
    const told = refused
    refused = 0
    return told
  }
}

/** Ends a connection whose client should have sent or read something, and has not for too long. */
function endIfStalled(admission: Admission, socket: Socket, line: Line, passed: number): void {
  const { stall, arrival, isUpload, isStopping, log, timeOut } = admission
  const { active } = line
  const mustRead = socket.writableLength > 0 || socket.writableEnded
  const mustSend = active !== undefined && !active.req.complete && !active.writableEnded
  // Browsers open connections before they need them; Node does not count those as idle.
  const isUnused = active === undefined && socket.bytesRead === 0 && isStopping()
  const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength
  line.still = (mustRead || mustSend || isUnused) && moved === line.moved ? line.still + passed : 0
  line.moved = moved
  line.arriving = mustSend ? line.arriving + passed : 0
  if (mustSend && line.arriving >= timeToArrive(arrival, isUpload(active.req), socket.bytesRead - line.before)) {
    line.arriving = 0
    return timeOut(socket)
  }
  if (line.still < ((mustRead || isUnused) && isStopping() ? Math.min(stall, PARTING) : stall)) return
  line.still = 0
  if (isUnused) return void socket.destroy()
  if (!mustRead) return timeOut(socket)
  log.info({ address: socket.remoteAddress, unread: socket.writableLength }, 'client does not read')
  socket.destroy()
}

/** Runs the requests of each connection in their order. `forget`: the connection has ended. */
function turnsOn(lines: Lines): { readonly inTurn: InTurn; forget(line: Line): void } {
  let waitingInAll = 0

  function begin(socket: Socket, line: Line, { response, work }: Waiting): void {
    line.active = response
    line.arriving = 0
    line.before = socket.bytesRead
    response.once('close', () => {
      line.active = undefined
      const next = socket.writable ? line.waiting.shift() : undefined
      if (!next) return
      waitingInAll--
      if (line.waiting.length === AHEAD - 1) socket.resume()
      begin(socket, line, next)
    })
    work()
  }

  return {
    inTurn(response, work) {
      const { socket } = response.req
      const line = lines.get(socket)
      // A refused connection, or one that is being closed, has had its answer.
      if (!line || isClosing(socket)) return void response.req.resume()
      if (!line.active) return begin(socket, line, { response, work })
      if (waitingInAll >= limits.pipelined.most) return void socket.destroy()
      waitingInAll++
      if (line.waiting.push({ response, work }) >= AHEAD) socket.pause()
    },
    forget(line) {
      waitingInAll -= line.waiting.splice(0).length
    },
  }
}

/** Whether an address is in one of the networks. */
export function networks(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of trusted) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = withoutPrefix(address)
    return isIPv4(plain) ? list.check(plain, 'ipv4') : isIPv6(plain) && list.check(plain, 'ipv6')
  }
}

const withoutPrefix = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
