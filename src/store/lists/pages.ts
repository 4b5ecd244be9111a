import { ordering } from '../../filter/compile.ts'
import type { Pages } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import { labelsAhead } from '../records/long-keys.ts'
import { conditionOf, readShown } from '../records/read-records.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import type { ListEngine } from './list-engine.ts'

/**
 * Lists of records as the rest of the store asks for them, answered by an engine: a filter becomes a condition, rows become records.
 * `engine` is there for tests.
 */
export const pages = <E extends ListEngine>(store: Uses<'db' | 'context' | 'catalogue'>, engine: E): Pages & { readonly engine: E } => ({
  engine,
  async page(granted, { filter, ...query }) {
    if (granted.readFilter !== '') await labelsAhead(granted)
    const condition = filter && (await conditionOf(store, granted, filter))
    for (const { attribute } of query.sort) await inTurns(ordering(attribute), granted.caller.client)
    const { rows, total } = await engine.page({ granted, condition, ...query })
    return { records: rows.map((row) => readShown(row, granted.attributes)), total }
  },
  idle: engine.idle,
})
