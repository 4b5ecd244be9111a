import type { Pages } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import { conditionOf, readShown } from '../records/read-records.ts'
import type { ListEngine } from './list-engine.ts'

/**
 * Lists of records as the rest of the store asks for them, answered by an engine: a filter becomes a condition, rows become records.
 * `engine` is there for tests.
 */
export const pages = <E extends ListEngine>(store: Uses<'db' | 'context' | 'catalogue'>, engine: E): Pages & { readonly engine: E } => ({
  engine,
  async page(granted, { filter, ...query }) {
    const condition = filter && (await conditionOf(store, granted, filter))
    const { rows, total } = await engine.page({ granted, condition, ...query })
    return { records: rows.map((row) => readShown(row, granted.attributes)), total }
  },
  idle: engine.idle,
})
