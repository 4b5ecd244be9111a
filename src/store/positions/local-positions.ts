import { sql } from '../../sql/sql.ts'
import { BLOCK, type LocalPositions } from '../ground/positions.ts'
import { changesTable, type Tally } from '../ground/changes.ts'
import type { Reader, Transaction } from '../ground/db.ts'

/*
 * Finds any page of an unfiltered list as fast as the first. Records are counted per block of 256 ids: on disk, in the transaction that
 * changes them; and in memory, in a Fenwick tree for each table, which finds the block of an offset in a dozen steps. Then fewer than
 * 256 records have to be skipped.
 */

const nothing = sql``

export function localPositions(read: Reader['read']): LocalPositions {
  const trees = new Map<number, Tree>()
  const changes = new Map<number, number>()
  const loading = new Map<number, { readonly tree: Promise<Tree>; readonly meanwhile: Tally[] }>()
  /** Tables whose counts may be older than what other threads read, because another thread is committing. */
  const announced = new Set<number>()
  const change = (tableId: number) => void changes.set(tableId, (changes.get(tableId) ?? 0) + 1)
  return {
    beforeCommit,
    beforeOthersCommit(tallies) {
      for (const { tableId } of tallies) announced.add(tableId)
    },
    afterCommit(tallies) {
      announced.clear()
      for (const tally of tallies) {
        if (changesTable(tally)) change(tally.tableId)
        if (tally.change === 0) continue
        trees.get(tally.tableId)?.add(Math.floor(tally.recordId / BLOCK), tally.change)
        loading.get(tally.tableId)?.meanwhile.push(tally)
      }
    },
    total: (tableId) => sql`SELECT record_count FROM tables WHERE id = ${tableId}`,
    larger: (least) => sql`SELECT id, record_count FROM tables WHERE record_count >= ${least} ORDER BY record_count DESC`,
    inBlocks: (tableId) => sql`SELECT coalesce(sum(n), 0) FROM block_counts WHERE table_id = ${tableId}`,
    state(tableId) {
      if (announced.has(tableId)) change(tableId)
      const number = changes.get(tableId) ?? 0
      return { number, query: undefined, learn: () => number }
    },
    ready: (tableId) => (trees.has(tableId) ? undefined : load(tableId)),
    locate(tableId, offset) {
      const found = trees.get(tableId)?.find(offset)
      return found && { prelude: nothing, id: found.block * BLOCK, skip: found.rest }
    },
  }

  function load(tableId: number): Promise<Tree> {
    const begun = loading.get(tableId)
    if (begun) return begun.tree
    const meanwhile: Tally[] = []
    // The snapshot is taken when the query is sent. Later commits are collected in `meanwhile`.
    const tree = read(sql`SELECT block, n FROM block_counts WHERE table_id = ${tableId} ORDER BY block`)
      .then(([rows]) => {
        const loaded = new Tree()
        for (const [block, n] of rows!) loaded.add(Number(block), Number(n))
        for (const { recordId, change } of meanwhile) loaded.add(Math.floor(recordId / BLOCK), change)
        trees.set(tableId, loaded)
        return loaded
      })
      .finally(() => loading.delete(tableId))
    loading.set(tableId, { tree, meanwhile })
    return tree
  }
}

export async function beforeCommit(tx: Transaction, tallies: readonly Tally[]): Promise<void> {
  const totals = new Map<number, number>()
  const blocks = new Map<number, Map<number, number>>()
  for (const { tableId, recordId, change } of tallies) {
    if (change === 0) continue
    totals.set(tableId, (totals.get(tableId) ?? 0) + change)
    let ofTable = blocks.get(tableId)
    if (!ofTable) blocks.set(tableId, (ofTable = new Map()))
    const block = Math.floor(recordId / BLOCK)
    ofTable.set(block, (ofTable.get(block) ?? 0) + change)
  }
  for (const [tableId, change] of totals) {
    if (change !== 0) await tx.run(sql`UPDATE tables SET record_count = record_count + ${change} WHERE id = ${tableId}`)
  }
  for (const [tableId, ofTable] of blocks) {
    for (const [block, change] of ofTable) {
      if (change === 0) continue
      await tx.run(sql`INSERT INTO block_counts (table_id, block, n) VALUES (${tableId}, ${block}, ${change})
        ON CONFLICT (table_id, block) DO UPDATE SET n = block_counts.n + excluded.n`)
    }
  }
}

/** A Fenwick tree: prefix sums over a growing list of counts; each operation takes time in the logarithm of its length. */
class Tree {
  private sums = new Float64Array(64)

  add(index: number, change: number): void {
    while (index + 1 >= this.sums.length) this.grow()
    for (let i = index + 1; i < this.sums.length; i += i & -i) this.sums[i]! += change
  }

  /** The block of the record at an offset, and how many records of the block come before it. */
  find(offset: number): { block: number; rest: number } | undefined {
    let at = 0
    let rest = offset
    for (let step = this.sums.length / 2; step >= 1; step /= 2) {
      const next = at + step
      if (next < this.sums.length && this.sums[next]! <= rest) {
        at = next
        rest -= this.sums[next]!
      }
    }
    return at === this.sums.length - 1 ? undefined : { block: at, rest }
  }

  private grow(): void {
    const old = this.sums
    this.sums = new Float64Array(old.length * 2)
    this.sums.set(old)
    // The new node in the middle is the sum of all before it; the nodes after it are still 0.
    let total = 0
    for (let i = old.length - 1; i > 0; i -= i & -i) total += old[i]!
    this.sums[old.length] = total
  }
}
