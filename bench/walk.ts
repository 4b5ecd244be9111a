/** Requests one after the other over one connection, each timed: for pages whose place depends on the answer before. */
import { Agent, request } from 'node:http'
import type { Server } from './servers.ts'

export interface Document {
  readonly data: readonly { readonly id: string }[]
  readonly links: { readonly next?: string; readonly last?: string }
  readonly meta: { readonly total: number }
}

export interface Walker {
  /** @throws where the answer is not 200 */
  get(path: string): Promise<{ milliseconds: number; document: Document }>
  close(): void
}

export function walker({ port, token }: Server): Walker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const sent = request({ agent, host: '127.0.0.1', port, path, headers: { 'x-auth-token': token } }, (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () => {
            const milliseconds = performance.now() - began
            const text = Buffer.concat(parts).toString()
            if (response.statusCode === 200) resolve({ milliseconds, document: JSON.parse(text) as Document })
            else reject(new Error(`${path}: ${response.statusCode} ${text}`))
          })
        })
        sent.on('error', reject)
        sent.end()
      }),
    close: () => agent.destroy(),
  }
}

/** The part of an address that a request line has. */
export const pathFrom = (link: string): string => link.replace(/^https?:\/\/[^/]+/, '')
