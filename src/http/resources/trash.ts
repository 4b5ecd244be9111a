import { trashItems, type TrashItem } from '../../store/structure/trash-entries.ts'
import { erase } from '../../store/structure/trash.ts'
import { sweepErased } from '../../store/changes/sweep-erased.ts'
import { reportTo } from '../../store/ground/fault.ts'
import { integer, string } from './forms.ts'
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
    kind: { of: 'kind', form: string, set: 'never' },
    table_id: { of: 'tableId', form: integer, set: 'never' },
    item_id: { of: 'itemId', form: integer, set: 'never' },
    title: { of: 'title', form: string, set: 'never' },
    deleted: { of: 'deleted', form: string, set: 'never' },
    user_id: { of: 'userId', form: integer, set: 'never' },
  },
  remove: administrators('erase for good', async (store, by, id) => {
    const { kind } = await erase(store, by, id)
    // It is erased whatever becomes of this: the housekeeping goes on.
    if (kind !== 'record')
      await sweepErased(store, ERASING).catch(reportTo(store.onFault, 'what is erased was not taken out of the log of changes'))
  }),
})
