/** Somebody else who writes while a page is measured. */
import { Agent, request } from 'node:http'
import type { Ours } from '../servers.ts'
import { customer, random } from '../seed.ts'

export interface Others {
  /** Writes a second that were answered so far. */
  rate(): number
  /** @throws where a write was refused */
  stop(): Promise<void>
}

/** Changes phone and balance of random records, so many times a second, over one connection as long as the service keeps up. */
export function writing({ port, token, fields }: Ours, rows: number, perSecond: number): Others {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const next = random(11)
  const began = performance.now()
  const underWay = new Set<Promise<void>>()
  let sent = 0
  let answered = 0
  let failure: Error | undefined
  const write = () =>
    new Promise<void>((done) => {
      const id = 1 + Math.floor(next() * rows)
      const { phone, balance } = customer(1 + Math.floor(next() * 1e6))
      const body = JSON.stringify({
        data: { type: 'data1', id: String(id), attributes: { [fields.phone]: phone, [fields.balance]: balance } },
      })
      const headers = { 'x-auth-token': token, 'content-type': 'application/vnd.api+json', 'content-length': Buffer.byteLength(body) }
      const to = request({ agent, host: '127.0.0.1', port, path: `/api/dev/data1/${id}`, method: 'PATCH', headers }, (answer) => {
        answer.resume()
        answer.on('end', () => {
          if (answer.statusCode === 200) answered++
          else failure ??= new Error(`A write was answered with ${answer.statusCode}.`)
          done()
        })
      })
      to.on('error', (error) => ((failure ??= error), done()))
      to.end(body)
    })
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    // What the machine had no time for is not made up for in one go.
    if (due - sent > perSecond) sent = due
    for (; sent < due && underWay.size < 4; sent++) {
      const one = write().finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }, 5)
  return {
    rate: () => (answered * 1000) / (performance.now() - began),
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      agent.destroy()
      if (failure) throw failure
    },
  }
}
