import { seeRow } from '../../store/ground/relation.ts'
import { mustBeRestorable, restore } from '../../store/structure/trash.ts'
import { done } from '../answers/jsonapi.ts'
import { mustAllow, mustExist } from '../resources/resource.ts'
import { trash } from '../resources/trash.ts'
import { route } from '../routing/route.ts'

export const restoreFromTrash = route({
  method: 'POST',
  path: '/api/dev/trash/{id}/restore',
  says: 'Restores a deleted record, field or table under its old id.',
  token: 'tables',
  allow: (asked) => mustAllow(trash, { allow: (caller, entry) => mustBeRestorable(caller, asked.catalogue, entry!) }, asked),
  query: {},

  async run({ store, caller, params }) {
    mustExist(trash, params.id, await seeRow(store, trash.relation, caller, params.id))
    const { kind, tableId, itemId } = await restore(store, caller, params.id)
    return done({ kind, table_id: String(tableId), item_id: String(itemId) })
  },
})
