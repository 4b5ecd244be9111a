import { ordering } from '../../filter/compile.ts'
import { pageAround } from '../ground/around.ts'
import type { Pages, Selection } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { labelsAhead } from '../records/long-keys.ts'
import { conditionOf, readShown } from '../records/read-records.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import { aggregate } from './aggregates.ts'
import { askedLists } from './asked-lists.ts'
import type { ListReader, ListWanted } from './list-reader.ts'

/**
 * The implementation of `Pages`: makes a condition from the filter, asks the list reader, makes records from its rows. `reader` is for
 * tests.
 */
export const pages = <R extends ListReader>(store: Uses<'db' | 'context' | 'catalogue'>, reader: R): Pages & { readonly reader: R } => {
  const asked = askedLists()
  return {
    reader,
    async page(granted, { offset, limit, ...selection }) {
      const wanted = await wantedBy(store, granted, selection)
      asked.note(granted.table.id, selection.filter, wanted.condition, wanted.sort)
      const { rows, total } = await reader.page({ ...wanted, offset, limit })
      return { records: rows.map((row) => readShown(row, granted.attributes)), total }
    },
    async aggregate(granted, { filter, ...query }) {
      if (granted.readFilter !== '') await labelsAhead(granted)
      const condition = filter && (await conditionOf(store, granted, filter))
      return aggregate(store, reader, granted, condition, query)
    },
    async around(granted, selection, around) {
      const wanted = await wantedBy(store, granted, selection)
      const { rows, more } = await pageAround(around, (stretching) => reader.walk(wanted, stretching))
      return { records: rows.map(({ row }) => readShown(row, granted.attributes)), positions: rows.map(({ position }) => position), more }
    },
    asked: asked.most,
    figures: () => reader.figures?.(),
    startAhead: async () => reader.startAhead?.().catch(() => undefined),
    async verify() {
      await reader.verify?.()
    },
    idle: reader.idle,
  }
}

/** What a selection means for this caller; what takes long is done in steps. */
async function wantedBy(
  store: Uses<'db' | 'context' | 'catalogue'>,
  granted: Granted<'read'>,
  { filter, sort }: Selection,
): Promise<ListWanted> {
  if (granted.readFilter !== '') await labelsAhead(granted)
  const condition = filter && (await conditionOf(store, granted, filter))
  for (const { attribute } of sort) await inTurns(ordering(attribute), granted.caller.client)
  return { granted, condition, sort }
}
