import { trashItems, type TrashItem } from '../../store/structure/trash-entries.ts'
import { erase } from '../../store/structure/trash.ts'
import { whatReturns } from '../../store/structure/what-returns.ts'
import { sweepEntry } from '../../store/changes/sweep-erased.ts'
import { reportTo } from '../../store/ground/fault.ts'
import { asIs, integer, string } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

/** Milliseconds for which a request erases the changes of a table, or the values of a field in the log; the housekeeping goes on. */
const ERASING = 2_000

/** DELETE erases for good: what is in the trash is deleted already. */
export const trash = defineResource<TrashItem>({
  type: 'trash',
  token: 'tables',
  plural: 'the entries of the trash',
  relation: trashItems,
  members: {
    kind: { of: 'kind', form: string, set: 'never', says: '`record`, `field` or `table`.' },
    table_id: { of: 'tableId', form: integer, set: 'never', says: 'Its table.' },
    item_id: { of: 'itemId', form: integer, set: 'never', says: 'Its id.' },
    title: { of: 'title', form: string, set: 'never', says: 'The title of the record, or the name of the field or table.' },
    deleted: { of: 'deleted', form: string, set: 'never', says: 'Time of its deletion.' },
    user_id: { of: 'userId', form: integer, set: 'never', says: 'The user who deleted it; 0: the command line.' },
    brings_back: {
      of: 'bringsBack',
      form: asIs,
      set: 'never',
      ifAsked: true,
      says: 'Shown where `fields[trash]` names it. How much comes back with it: of a record its `files`, the records to which it refers (`links`), and those that refer to it (`referring`, at most 100 are counted), as far as the caller may see them, and `barred`: true where the write filter of their group keeps them from restoring it; of a field the records that hold a value in it (`values`; in a table of 50,000 records or more, those among its oldest 50,000, and `more` is true); of a table its `records`, `fields` and `files` (at most 1,000 are counted). Null: of a record or field whose table is in the trash. What takes too long to count is left out.',
    },
  },
  onDemand: {
    name: 'brings_back',
    async fill(store, caller, rows) {
      const found = await whatReturns(store, caller, rows)
      return rows.map((row) => ({ ...row, bringsBack: found.get(row.id) ?? null }))
    },
  },
  remove: administrators('erase for good', async (store, by, id) => {
    const entry = await erase(store, by, id)
    // It is erased whatever becomes of this: the housekeeping goes on.
    await sweepEntry(store, entry, ERASING).catch(reportTo(store.onFault, 'what is erased was not taken out of the log of changes'))
  }),
})
