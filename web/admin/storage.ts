import type { Index } from '../api/indexes.ts'

/* What the page of the storage tells besides what the service says. */

/** Bytes: with less, somebody should see to it before the service is not ready any more, which is with 32 MiB left (/readyz). */
const LITTLE = 2 ** 30

export const isLittle = (free: number | null): free is number => free !== null && free < LITTLE

export interface OfTable<Table> {
  readonly table: Table
  /** Its indexes that there are, and their bytes. */
  readonly count: number
  readonly size: number
}

/** Tables in one list: the records of each are counted. */
const MOST_TABLES = 20

/** The tables with the largest indexes, the largest first. Of a table in the trash nothing is told. */
export function byTable<Table extends { readonly id: string }>(
  made: readonly { readonly attributes: Pick<Index, 'table_id' | 'size'> }[],
  tables: readonly Table[],
): readonly OfTable<Table>[] {
  const sums = new Map<string, { count: number; size: number }>()
  for (const { attributes } of made) {
    if (attributes.size === 0) continue
    const key = String(attributes.table_id)
    const { count, size } = sums.get(key) ?? { count: 0, size: 0 }
    sums.set(key, { count: count + 1, size: size + attributes.size })
  }
  return tables
    .flatMap((table) => {
      const sum = sums.get(table.id)
      return sum ? [{ table, ...sum }] : []
    })
    .sort((one, other) => other.size - one.size)
    .slice(0, MOST_TABLES)
}
