import type { Asker } from '../../src/store/model/asker.ts'

/** A user whose client can go. */
export function leavingUser(userId: number): Asker & { leave(): void } {
  const calls = new Set<() => void>()
  const client = {
    isGone: false,
    whenGone(call: () => void) {
      calls.add(call)
      return () => void calls.delete(call)
    },
  }
  return {
    userId,
    client,
    leave() {
      client.isGone = true
      for (const call of calls) call()
    },
  }
}
