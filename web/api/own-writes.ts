/*
 * Which records this page has written. A record that a change hides from its reader is told of as one that was deleted (docs/changes.md): where this
 * page has made the change, it knows better.
 */

/** Records that are remembered, those that were written last. */
const MOST = 1_000

const written = new Set<string>()
const key = (table: number, record: string): string => `${table} ${record}`

/** They are on their way to the service. `isRemoved`: into the trash. */
export function noteWrites(table: number, records: readonly string[], isRemoved = false): void {
  for (const record of records) {
    written.delete(key(table, record))
    if (!isRemoved) written.add(key(table, record))
  }
  for (const one of written) {
    if (written.size <= MOST) break
    written.delete(one)
  }
}

/** Why a record has gone by a change of this person that is told of as a deletion; of others it says no more. */
export const goneBy = (isMine: boolean, table: number, record: string): 'deleted' | 'unseen' =>
  isMine && written.has(key(table, record)) ? 'unseen' : 'deleted'
