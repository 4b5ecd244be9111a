/* Whether the service answers at all. Every request tells (client.ts). */

let isLost = false
const listeners = new Set<() => void>()

function put(next: boolean): void {
  if (next === isLost) return
  isLost = next
  for (const listener of listeners) listener()
}

export const tellLost = (): void => put(true)
export const tellBack = (): void => put(false)
export const isConnectionLost = (): boolean => isLost
/** Called whenever it is lost or comes back. Returns what takes the listener away. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
