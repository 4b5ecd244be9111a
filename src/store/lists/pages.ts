import { ordering } from '../../filter/compile.ts'
import type { Pages } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import { labelsAhead } from '../records/long-keys.ts'
import { conditionOf, readShown } from '../records/read-records.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import type { ListReader } from './list-reader.ts'

/**
 * The implementation of `Pages`: makes a condition from the filter, asks the list reader, makes records from its rows. `reader` is for
 * tests.
 */
export const pages = <R extends ListReader>(store: Uses<'db' | 'context' | 'catalogue'>, reader: R): Pages & { readonly reader: R } => ({
  reader,
  async page(granted, { filter, ...query }) {
    if (granted.readFilter !== '') await labelsAhead(granted)
    const condition = filter && (await conditionOf(store, granted, filter))
    for (const { attribute } of query.sort) await inTurns(ordering(attribute), granted.caller.client)
    const { rows, total } = await reader.page({ granted, condition, ...query })
    return { records: rows.map((row) => readShown(row, granted.attributes)), total }
  },
  idle: reader.idle,
})
