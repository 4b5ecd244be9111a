import type { Table } from '../../store/model/catalogue.ts'
import type { Uses } from '../../store/ground/store.ts'
import { UsageError } from '../explain/explain.ts'

/** A table by its id or its name. @throws UsageError if there is none, or if several have the name. */
export function findTable(store: Uses<'catalogue'>, named: string): Table {
  const tables = [...store.catalogue().tables.values()]
  const found = tables.filter((table) => String(table.id) === named)
  if (found.length === 0) found.push(...tables.filter((table) => table.title.toLowerCase() === named.toLowerCase()))
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new UsageError(`Several tables are called '${named}': ${found.map(({ id }) => id).join(', ')}. Name one by its id.`)
  throw new UsageError(`There is no table '${named}'.`)
}
