import type Database from 'better-sqlite3'

/** Thrown within a statement whose time or bytes are used up. */
export class TimeLimitReached extends Error {}

/** Runs work with a limit of milliseconds, and of bytes of long texts that it reads. @throws TimeLimitReached */
export type Within = <T>(milliseconds: number, bytes: number, work: () => T) => T

/**
 * Adds the SQL function `in_time` to a connection, which `patience` of the dialect puts into statements. Outside of `Within` there is no
 * limit. `isUnwanted`: whether the running statement must end at once.
 */
export function keepTime(connection: Database.Database, isUnwanted: () => boolean = () => false): Within {
  let deadline = Infinity
  let left = Infinity
  connection.function('in_time', (bytes) => {
    left -= Number(bytes)
    if (left < 0 || performance.now() > deadline || isUnwanted()) throw new TimeLimitReached()
    return 1
  })
  return (milliseconds, bytes, work) => {
    deadline = performance.now() + milliseconds
    left = bytes
    try {
      return work()
    } finally {
      deadline = Infinity
      left = Infinity
    }
  }
}
