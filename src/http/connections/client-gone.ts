import type { Socket } from 'node:net'
import type { Client } from '../../store/model/asker.ts'

/** Functions to call when a connection ends; one listener serves all requests on it. */
const waiting = new WeakMap<Socket, Set<() => void>>()

/** The client of a request. It listens for the end of the connection only while somebody waits for that. */
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
