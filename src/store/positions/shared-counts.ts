import { constant, sql, type Sql } from '../../sql/sql.ts'
import type { Reader } from '../ground/db.ts'
import { BLOCK } from '../ground/positions.ts'
import { setLast } from '../../memory/lru.ts'

/*
 * Positions of records in a database to which other processes write too. A process keeps the folded counts, which seldom change, and reads
 * the changes since then together with each page, as one short text. So it can compute the position of a page before it reads it, and
 * the answer shows whether the position was right.
 */

/** Blocks whose counts are folded together. */
export const REGION = 256
/** Tables whose counts are kept; the least recently used is forgotten. */
const TABLES = 100

/** Characters of that text from which on the changes are folded: about fifty changes. */
const UNFOLDED = 600

/** The counts in one snapshot. */
export interface Counted {
  readonly total: number
  /** The number of changes ever made to the live records of the table. Each state has another number. */
  readonly state: number
  /** The position of the record at an offset; undefined: behind the last one; 'unknown': counts have to be loaded. */
  at(offset: number): { readonly id: number; readonly skip: number } | 'unknown' | undefined
}

export interface SharedCounts {
  /** A query for one text: the sums of the folded counts, and each change since then. `learn` parses it. */
  query(tableId: number): Sql
  /** The counts of the last snapshot that was read. */
  known(tableId: number): Counted | undefined
  learn(tableId: number, text: string): Counted
  /** Loads all counts. */
  load(tableId: number, read: Reader['read']): Promise<Counted>
}

interface Region {
  readonly n: number
  readonly changes: number
  readonly blocks: Int32Array
}
/** The folded counts, and the number of changes in them. */
interface Folded {
  readonly changes: number
  readonly regions: ReadonlyMap<number, Region>
}
interface Known {
  readonly folded: Folded | undefined
  /** The answer that `counted` was read from. */
  readonly text: string
  readonly counted: Counted
}

/** `fold` is called whenever the text is too long: a call may do nothing because the last fold was just before. */
export function sharedCounts(fold: () => void): SharedCounts {
  const tables = new Map<number, Known>()
  function learn(tableId: number, text: string, folded = tables.get(tableId)?.folded): Counted {
    if (text.length > UNFOLDED) fold()
    const before = tables.get(tableId)
    if (before?.text === text && before.folded === folded) return before.counted
    const counted = countedBy(text, folded)
    setLast(tables, tableId, { folded, text, counted }, TABLES)
    return counted
  }
  return {
    query,
    known: (tableId) => tables.get(tableId)?.counted,
    learn: (tableId, text) => learn(tableId, text),
    async load(tableId, read) {
      const old = tables.get(tableId)?.folded?.regions ?? new Map<number, Region>()
      const [text, regions, blocks] = await read(query(tableId), regionsOf(tableId), blocksOf(tableId, old))
      const found = new Map<number, Region>()
      let changes = 0
      for (const [region, n, ofRegion] of regions!) {
        const before = old.get(Number(region))
        const isSame = before?.changes === Number(ofRegion)
        found.set(Number(region), isSame ? before : { n: Number(n), changes: Number(ofRegion), blocks: new Int32Array(REGION) })
        changes += Number(ofRegion)
      }
      for (const [block, n] of blocks!) found.get(regionOf(Number(block)))!.blocks[Number(block) % REGION] = Number(n)
      return learn(tableId, String(text![0]![0]), { changes, regions: found })
    },
  }
}

const regionOf = (block: number): number => Math.floor(block / REGION)

/** The folded sums of records and changes; then block, records and changes of each row that is not folded. */
const query = (tableId: number): Sql => sql`SELECT coalesce(sum(n), 0) || ' ' || coalesce(sum(changes), 0) ||
  coalesce((SELECT string_agg(' ' || block || ' ' || n || ' ' || changes, '') FROM block_changes WHERE table_id = ${tableId}), '') AS counts
  FROM region_counts WHERE table_id = ${tableId}`

const regionsOf = (tableId: number): Sql => sql`SELECT region, n, changes FROM region_counts WHERE table_id = ${tableId}`

/** The counts of blocks in regions that have changed. */
function blocksOf(tableId: number, old: ReadonlyMap<number, Region>): Sql {
  const list = (values: Iterable<number>) => sql`${`{${[...values].join(',')}}`}::bigint[]`
  const same = sql`SELECT 1 FROM unnest(${list(old.keys())}, ${list([...old.values()].map(({ changes }) => changes))}) AS old (region, changes)
    WHERE (old.region, old.changes) = (kept.region, kept.changes)`
  return sql`SELECT block, block_counts.n FROM region_counts AS kept JOIN block_counts ON block_counts.table_id = kept.table_id
    AND block >= region * ${constant(REGION)} AND block < (region + 1) * ${constant(REGION)}
    WHERE kept.table_id = ${tableId} AND NOT EXISTS (${same})`
}

function countedBy(text: string, folded: Folded | undefined): Counted {
  const numbers = text.split(' ').map(Number)
  let [total, state] = numbers as [number, number]
  const isKnown = folded?.changes === state
  const blocks = new Map<number, number>()
  const regions = new Map<number, number>()
  for (let i = 2; i < numbers.length; i += 3) {
    const [block, n, changes] = numbers.slice(i) as [number, number, number]
    total += n
    state += changes
    if (n === 0) continue
    blocks.set(block, (blocks.get(block) ?? 0) + n)
    regions.set(regionOf(block), (regions.get(regionOf(block)) ?? 0) + n)
  }
  let order: readonly number[] | undefined
  return {
    total,
    state,
    at(offset) {
      if (offset >= total) return undefined
      if (offset === 0) return { id: 0, skip: 0 }
      if (!folded || !isKnown) return 'unknown'
      order ??= [...new Set([...folded.regions.keys(), ...regions.keys()])].sort((a, b) => a - b)
      let rest = offset
      for (const region of order) {
        const before = folded.regions.get(region)
        const n = (before?.n ?? 0) + (regions.get(region) ?? 0)
        if (rest >= n) {
          rest -= n
          continue
        }
        for (let i = 0; i < REGION; i++) {
          const block = region * REGION + i
          const inBlock = (before?.blocks[i] ?? 0) + (blocks.get(block) ?? 0)
          if (rest < inBlock) return { id: block * BLOCK, skip: rest }
          rest -= inBlock
        }
      }
      throw new Error('The counts of a table do not add up.')
    },
  }
}
