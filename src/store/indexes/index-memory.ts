import { allIndexes, readIndexRow, type IndexRow } from './index-rows.ts'
import type { IndexKind } from '../ground/indexes.ts'
import { isOfTexts, type Need } from './index-plan.ts'
import type { Indexing } from './indexing.ts'

/** Changes of a table after which its text indexes are brought up to date. */
const BEHIND = 1_000

/** The rows of the system table as they were last read, and uses that are not written yet. */
export interface IndexMemory {
  reload(): Promise<readonly IndexRow[]>
  rows(): IndexRow[]
  /** The row of an index that serves a need, even if the index is not ready or forbidden. */
  find(tableId: number, need: Need): IndexRow | undefined
  /** An index that is ready. */
  has(tableId: number, attribute: string, kind: IndexKind): IndexRow | undefined
  use(row: IndexRow): void
  /** The day of the last use, also of one that is not written yet. */
  lastUsed(row: IndexRow): string
  /** Returns by id the uses that are not written yet, and forgets them. */
  takeUses(): readonly (readonly [id: number, use: Use])[]
  /** Whether records came or changed since a text index was brought up to date. */
  isBehind(row: IndexRow): boolean
  /** How many, as far as this process knows. */
  behindBy(row: IndexRow): number
  covered(row: IndexRow): void
}

interface Use {
  readonly times: number
  readonly day: string
}

export function indexMemory({ db, positions, time }: Indexing): IndexMemory {
  const rows = new Map<string, IndexRow>()
  const used = new Map<number, Use>()
  /** By text index, the number of changes of its table at its last update. */
  const upToDate = new Map<number, number>()
  const behindBy = ({ id, tableId }: IndexRow) => positions.state(tableId).number - (upToDate.get(id) ?? 0)
  const keyOf = (tableId: number, attribute: string, kind: string) => `${tableId} ${attribute} ${kind}`

  return {
    async reload() {
      const [found] = await db.read(allIndexes)
      rows.clear()
      for (const row of found!.map(readIndexRow)) rows.set(keyOf(row.tableId, row.attribute, row.kind), row)
      return [...rows.values()]
    },
    rows: () => [...rows.values()],
    find: (tableId, { attribute, kinds }) =>
      kinds.map((kind) => rows.get(keyOf(tableId, attribute.name, kind))).find((row) => row !== undefined),
    has(tableId, attribute, kind) {
      const row = rows.get(keyOf(tableId, attribute, kind))
      return row?.state === 'ready' && row.wish !== 'forbidden' ? row : undefined
    },
    use({ id }) {
      used.set(id, { times: (used.get(id)?.times ?? 0) + 1, day: time(0).slice(0, 10) })
    },
    lastUsed: (row) => used.get(row.id)?.day ?? row.lastUsed,
    takeUses() {
      const taken = [...used]
      used.clear()
      return taken
    },
    isBehind: (row) =>
      db.dialect.indexes.texts.upkeep !== undefined && isOfTexts(row.kind) && (!upToDate.has(row.id) || behindBy(row) >= BEHIND),
    behindBy,
    covered: ({ id, tableId }) => void upToDate.set(id, positions.state(tableId).number),
  }
}
