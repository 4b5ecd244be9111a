import type { Socket } from 'node:net'
import type { Client } from '../../store/model/asker.ts'

/** What is to be called when a connection ends: any number of requests on it may wait for that, with one listener. */
const waiting = new WeakMap<Socket, Set<() => void>>()

/** The connection of a request. Costs nothing until somebody waits for its end. */
export const clientOf = (socket: Socket): Client => ({
  get isGone() {
    return socket.destroyed
  },
  whenGone(call) {
    let calls = waiting.get(socket)
    if (!calls) {
      const all = (calls = new Set())
      waiting.set(socket, all)
      socket.once('close', () => {
        for (const one of all) one()
      })
    }
    calls.add(call)
    return () => void calls.delete(call)
  },
})
