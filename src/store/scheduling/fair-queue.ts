import { fail } from '../../errors.ts'

/** A queue in which users take turns, however many entries each of them has. */
export interface FairQueue<T> {
  /** @throws `server.busy` where too many entries wait, of this user or of all */
  add(userId: number, one: T): void
  /** Takes the first entry of the next user for whom the function is true. */
  take(may?: (userId: number) => boolean): T | undefined
  /** Removes an entry; false where it is not in the queue any more. */
  remove(userId: number, one: T): boolean
  /** How many entries there are. */
  waiting(): number
  /** Empties the queue. */
  clear(): T[]
}

/** `most`: entries in all, and of one user. */
export function fairQueue<T>(most: number, mostOfUser: number): FairQueue<T> {
  // Users in the order of their turns.
  const users = new Map<number, T[]>()
  let waiting = 0
  return {
    add(userId, one) {
      const own = users.get(userId) ?? []
      if (waiting >= most || own.length >= mostOfUser) throw fail('server.busy')
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
    waiting: () => waiting,
    clear() {
      const all = [...users.values()].flat()
      users.clear()
      waiting = 0
      return all
    },
  }
}
