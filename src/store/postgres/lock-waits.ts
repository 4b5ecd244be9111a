import { fail, Failure } from '../../errors.ts'
import { postgres } from '../../sql/postgres.ts'
import { render, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import { Abandoned, type Asker, type Client } from '../model/asker.ts'

/*
 * Reads of a table that another session has locked, as VACUUM FULL and many forms of ALTER TABLE do. On its own connection a read waits
 * for a lock for a moment only, so that it holds up none of the reads behind it. After that, one connection waits for all reads
 * with the same statements, and when the lock is free, they begin again.
 */

/** Thrown by a read that met a lock. */
export class Locked extends Error {}

/** The user in whose name locks are waited for: together they have a turn as one user has. */
const LOCKS = -1

/** Resolves when no statement of the queries has to wait for a lock. Ends when the asker's client is gone. */
type AwaitLocks = (by: Asker, queries: readonly Sql[]) => Promise<unknown>

/** Does a read, again and again while it meets locks. @throws `server.query_timeout` after so many milliseconds of that, `server.busy`, Abandoned */
export type UnlessLocked = (by: Asker, milliseconds: number, queries: readonly Sql[], read: () => Promise<Row[][]>) => Promise<Row[][]>

/** What several reads wait for. */
interface Wait {
  /** Whether the lock is free; false: the time of the statement that waited is over. */
  readonly isFree: Promise<boolean>
  /** Counts one more read that waits. Returns how to leave; true: all have left, and the wait ends. */
  join(): () => boolean
}

export function lockWaits(awaitLocks: AwaitLocks): UnlessLocked {
  /** By the text of the statements. */
  const waits = new Map<string, Wait>()

  /** @throws what ended the wait of all, or `leaving` */
  async function wait(text: string, queries: readonly Sql[], leaving: Promise<never>): Promise<boolean> {
    const shared = waits.get(text) ?? begin((by) => awaitLocks(by, queries))
    waits.set(text, shared)
    const leave = shared.join()
    try {
      return await Promise.race([shared.isFree, leaving])
    } finally {
      if (leave() && waits.get(text) === shared) waits.delete(text)
    }
  }

  return async (by, milliseconds, queries, read) => {
    let isFree = waits.size === 0 || !waits.has(textOf(queries))
    let limited: ReturnType<typeof limitedTo> | undefined
    try {
      for (;;) {
        if (isFree) {
          try {
            return await read()
          } catch (error) {
            if (!(error instanceof Locked)) throw error
          }
        }
        limited ??= limitedTo(milliseconds, by)
        isFree = await wait(textOf(queries), queries, limited.leaving)
      }
    } finally {
      limited?.stop()
    }
  }
}

const textOf = (queries: readonly Sql[]): string => queries.map((query) => render(query, postgres.placeholder).text).join(';')

/** Rejects when the time of a read is over, or its client gone. */
function limitedTo(milliseconds: number, { client }: Asker): { readonly leaving: Promise<never>; stop(): void } {
  const { promise: leaving, reject } = Promise.withResolvers<never>()
  leaving.catch(() => undefined)
  const timer = setTimeout(() => reject(fail('server.query_timeout', { seconds: milliseconds / 1000 })), milliseconds)
  const forget = client?.whenGone(() => reject(new Abandoned()))
  return {
    leaving,
    stop() {
      clearTimeout(timer)
      forget?.()
    },
  }
}

function begin(awaitLocks: (by: Asker) => Promise<unknown>): Wait {
  let waiting = 0
  let isGone = false
  const ends = new Set<() => void>()
  const client: Client = {
    get isGone() {
      return isGone
    },
    whenGone(call) {
      ends.add(call)
      return () => ends.delete(call)
    },
  }
  const isFree = awaitLocks({ userId: LOCKS, client }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'server.query_timeout') return false
      throw error
    },
  )
  isFree.catch(() => undefined)
  return {
    isFree,
    join() {
      waiting++
      return () => {
        if (--waiting > 0) return false
        isGone = true
        for (const end of ends) end()
        return true
      }
    },
  }
}
