import { fail } from '../../errors.ts'

/** What waits, by user: each has their turn, whoever else has how much. */
export interface FairQueue<T> {
  /** @throws `server.busy` where too much waits, of this user or of all. */
  add(userId: number, one: T): void
  /** The first of the user whose turn it is, and who may. */
  take(may?: (userId: number) => boolean): T | undefined
  /** False where it does not wait any more. */
  remove(userId: number, one: T): boolean
  /** Empties the queue. */
  clear(): T[]
}

/** `most`: that may wait in all, and of one user. */
export function fairQueue<T>(most: number, mostOfUser: number): FairQueue<T> {
  // In the order of their turns.
  const users = new Map<number, T[]>()
  let waiting = 0
  return {
    add(userId, one) {
      const own = users.get(userId) ?? []
      if (waiting >= most || own.length >= mostOfUser) throw fail('server.busy', undefined, { headers: { 'Retry-After': '5' } })
      users.set(userId, own)
      own.push(one)
      waiting++
    },
    take(may = () => true) {
      for (const [userId, own] of users) {
        if (!may(userId)) continue
        const one = own.shift()!
        users.delete(userId)
        if (own.length > 0) users.set(userId, own)
        waiting--
        return one
      }
      return undefined
    },
    remove(userId, one) {
      const own = users.get(userId)
      const at = own?.indexOf(one) ?? -1
      if (at < 0) return false
      own!.splice(at, 1)
      if (own!.length === 0) users.delete(userId)
      waiting--
      return true
    },
    clear() {
      const all = [...users.values()].flat()
      users.clear()
      waiting = 0
      return all
    },
  }
}
