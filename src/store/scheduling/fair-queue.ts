import { fail } from '../../errors.ts'

/** A queue in which users take turns, however many entries each of them has. Up to PARTS entries of one question count as one. */
export interface FairQueue<T> {
  /**
   * `question`: what the entry is a part of; by default it is one by itself.
   * @throws `server.busy` where too many questions wait, of this user or of all
   */
  add(userId: number, one: T, question?: object): void
  /** Takes the first entry of the next user for whom the function is true. */
  take(may?: (userId: number) => boolean): T | undefined
  /** Removes an entry; false where it is not in the queue any more. */
  remove(userId: number, one: T): boolean
  /** How many entries there are. */
  waiting(): number
  /** Whether an entry is a part of another question. */
  othersWait(question: object | undefined): boolean
  /** Empties the queue. */
  clear(): T[]
}

interface Entry<T> {
  readonly one: T
  readonly question: object
}

/** Entries of a question that count as one; so many more count as another question. */
const PARTS = 16

/** The entries of a user, and how many each of their questions has. */
interface Own<T> {
  readonly entries: Entry<T>[]
  /** As what they count. */
  count: number
  readonly questions: Map<object, number>
}

/** `most`: questions in all, and of one user. */
export function fairQueue<T>(most: number, mostOfUser: number): FairQueue<T> {
  // Users in the order of their turns.
  const users = new Map<number, Own<T>>()
  let questions = 0

  /** Takes the entry at a place away. */
  function out(userId: number, own: Own<T>, at: number): T {
    const { one, question } = own.entries.splice(at, 1)[0]!
    const left = own.questions.get(question)! - 1
    if (left > 0) own.questions.set(question, left)
    else own.questions.delete(question)
    if (left % PARTS === 0) {
      own.count--
      questions--
    }
    if (own.entries.length === 0) users.delete(userId)
    return one
  }

  return {
    add(userId, one, question = {}) {
      const own = users.get(userId) ?? { entries: [], count: 0, questions: new Map<object, number>() }
      const parts = own.questions.get(question) ?? 0
      const isOneMore = parts % PARTS === 0
      if (isOneMore && (questions >= most || own.count >= mostOfUser)) throw fail('server.busy')
      users.set(userId, own)
      own.entries.push({ one, question })
      own.questions.set(question, parts + 1)
      if (isOneMore) {
        own.count++
        questions++
      }
    },
    take(may = () => true) {
      for (const [userId, own] of users) {
        if (!may(userId)) continue
        // The last one is next when all others have had their turn.
        users.delete(userId)
        users.set(userId, own)
        return out(userId, own, 0)
      }
      return undefined
    },
    remove(userId, one) {
      const own = users.get(userId)
      const at = own?.entries.findIndex((entry) => entry.one === one) ?? -1
      if (at < 0) return false
      out(userId, own!, at)
      return true
    },
    othersWait: (question) => [...users.values()].some((own) => own.questions.size > (question && own.questions.has(question) ? 1 : 0)),
    waiting: () => [...users.values()].reduce((sum, { entries }) => sum + entries.length, 0),
    clear() {
      const all = [...users.values()].flatMap(({ entries }) => entries.map(({ one }) => one))
      users.clear()
      questions = 0
      return all
    },
  }
}
