import { nobody } from '../model/asker.ts'
import type { Table } from '../model/catalogue.ts'
import { NumberColumn } from '../../sets/number-column.ts'
import { TextColumn } from '../../sets/text-column.ts'
import type { ChangeLog } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import { RecordColumn } from './record-column.ts'
import { RecordOrder } from './record-order.ts'
import { Unread } from './record-reads.ts'
import { idsInOrder, idsThat } from './set-queries.ts'
import { learned, type SetSource } from './set-source.ts'
import type { TableSets } from './table-sets.ts'
import { Term } from './term.ts'

/** What is compared with the database now and then. */
type Verified = Term | RecordOrder | RecordColumn

/** Blocks of an order that are brought into order for one comparison, at most. */
const SORTED = 40

/** Reads of records before something is compared, at most. */
const TRIES = 50

interface Place {
  readonly table: Table
  readonly sets: TableSets
  readonly source: SetSource
  readonly parts: Parameters<typeof idsThat>[2]
}

/** Whether what is kept is what the database has; undefined: this cannot be told now. @throws Diverged, and as `readAside` */
export async function isStill(kept: Verified, place: Place): Promise<boolean | undefined> {
  const { sets, source } = place
  const fresh = await readAgain(kept, place)
  return fresh && areSame(sets, kept, fresh, (unread) => source.fetch!(sets, nobody, unread))
}

function readAgain(kept: Verified, { table, sets, source, parts }: Place): Promise<Verified | undefined> {
  if (kept instanceof RecordOrder)
    return learned(
      sets,
      () => source.order(sets, nobody, idsInOrder(table, kept.sort, parts.db.dialect)),
      (order, seen) => order && sets.readOrder(kept.sort, order, seen),
    )
  if (kept instanceof RecordColumn)
    return learned(
      sets,
      () => source.column(sets, nobody, table, kept.attribute, Infinity),
      (column, seen) => sets.columns.read(kept.attribute, column, seen),
    )
  const { condition } = kept
  return learned(
    sets,
    () => source.set(sets, nobody, idsThat(table, { condition }, parts, 'plainly')),
    ({ set }, seen) => sets.read(condition, set, seen),
  )
}

/** Whether what was read now is the kept one; undefined: this cannot be told, since too much has changed. `fetch`: reads records that are missing. */
async function areSame(
  { log, records }: { readonly log: ChangeLog; readonly records: PresentRecords },
  kept: Verified,
  fresh: Verified,
  fetch: (unread: Unread) => Promise<void>,
): Promise<boolean | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return isSame(log, records, kept, fresh)
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      await fetch(error)
    }
  }
  return undefined
}

function isSame(log: ChangeLog, records: PresentRecords, kept: Verified, fresh: Verified): boolean | undefined {
  for (const one of [kept, fresh]) if (!one.follow(log, records)) return undefined
  if (kept instanceof Term) return kept.set.equals((fresh as Term).set)
  if (kept instanceof RecordColumn) return areEqual(kept.values, (fresh as RecordColumn).values)
  for (const one of [kept, fresh as RecordOrder]) if (!one.ids.sort(SORTED)) return undefined
  const ids: number[] = []
  kept.ids.each((id) => void ids.push(id))
  let at = 0
  let isSame = true
  const { ids: read } = fresh as RecordOrder
  read.each((id) => (isSame &&= ids[at++] === id))
  return isSame && at === ids.length
}

const areEqual = (one: RecordColumn['values'], other: RecordColumn['values']): boolean =>
  one instanceof TextColumn ? other instanceof TextColumn && one.equals(other) : other instanceof NumberColumn && one.equals(other)
