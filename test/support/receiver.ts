import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { selfSigned } from './self-signed.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A receiver of webhooks on loopback, in this process. */
export interface Receiver {
  readonly port: number
  /** Each request whose body has come, in order. */
  readonly received: readonly Received[]
  /** Connections there have been. */
  connections(): number
  /** Ends its connections and closes it. */
  close(): Promise<void>
}

export type Answer = (response: ServerResponse, request: Received) => void

/** Answers requests as `answer` does; `address`: where it listens. */
export const startReceiver = (answer: Answer, address = '127.0.0.1'): Promise<Receiver> =>
  listen((received) => createHttpServer(handler(answer, received)), address)

/** The same over TLS, with a certificate that signed itself. */
export const startTlsReceiver = (answer: Answer): Promise<Receiver> =>
  listen((received) => createHttpsServer(selfSigned, handler(answer, received)), '127.0.0.1')

/** Answers nothing by itself: `serve` has the bare connection. */
export const startBareReceiver = (serve: (socket: Socket) => void): Promise<Receiver> =>
  listen(() => createTcpServer((socket) => serve(socket.on('error', () => {}))), '127.0.0.1')

function handler(answer: Answer, received: Received[]) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
    received.push(one)
    answer(response, one)
  }
}

async function listen(make: (received: Received[]) => Server, address: string): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = make(received)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
