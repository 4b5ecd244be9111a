import type Database from 'better-sqlite3'

/** There is no time left for a statement. */
export class Late extends Error {}

/** Runs work that may take so many milliseconds, and look through so many bytes of long texts. @throws Late */
export type Within = <T>(milliseconds: number, bytes: number, work: () => T) => T

/**
 * What the dialect's `patience` asks on a connection; outside of `Within` there is time without end. `isUnwanted`: whether
 * what runs is to end at once.
 */
export function keepTime(connection: Database.Database, isUnwanted: () => boolean = () => false): Within {
  let deadline = Infinity
  let left = Infinity
  connection.function('in_time', (bytes) => {
    left -= Number(bytes)
    if (left < 0 || performance.now() > deadline || isUnwanted()) throw new Late()
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
