import { seeRow } from '../../store/ground/relation.ts'
import { mustBeRestorable, restore } from '../../store/structure/trash.ts'
import { showsMeta } from '../answers/described.ts'
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
  takes: null,
  answers: showsMeta({ kind: { type: 'string' }, table_id: { type: 'string' }, item_id: { type: 'string' } }),
  fails: ['trash.conflict', 'field.name_taken', 'field.not_unique', 'table.not_found'],
  query: {},

  async run({ store, caller, params }) {
    mustExist(trash, params.id, await seeRow(store, trash.relation, caller, params.id))
    const { kind, tableId, itemId } = await restore(store, caller, params.id)
    return done({ kind, table_id: String(tableId), item_id: String(itemId) })
  },
})
