import { administrator } from '../../store/catalogue/administrator.ts'
import { updateField } from '../../store/structure/fields.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { showsOne, takesOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { oneOf, readDocument } from '../routing/readers.ts'
import { field } from '../resources/field.ts'
import { chosenOf, mustAllow, mustExist, pointed, readAttributes, shown, toResource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const updateFieldOfTable = route({
  method: 'PATCH',
  path: '/api/dev/field/{id}',
  says: 'Changes a field. Another type converts the values of all records; with convertMode=lossy also where values are lost.',
  token: 'unlimited',
  allow: (asked) => mustAllow(field, { allow: (caller) => administrator(caller, 'change fields') }, asked),
  takes: takesOne('field', 'Update'),
  answers: showsOne('field'),
  fails: ['field.name_taken', 'field.would_lose_data', 'field.has_duplicates', 'field.in_use', 'table.no_columns_left'],
  query: {
    convertMode: oneOf(
      '`safe` (default): refuse a change of type that loses values. `lossy`: change the type, and make values empty that cannot be converted.',
      'safe',
      'lossy',
    ),
  },
  sparseFields: true,

  async run(request) {
    const { store, caller, params, query } = request
    const chosen = chosenOf(request, field)
    const now = mustExist(field, params.id, await seeRow(store, field.relation, caller, params.id))
    const sent = readDocument(request, { type: 'field', id: params.id, creating: false })
    const changes = readAttributes<Parameters<typeof updateField>[3]>(field.members, sent, shown(field, request, now))
    const lossy = query.convertMode === 'lossy'
    if (Object.keys(changes).length > 0) {
      await pointed(field.members, () => updateField(store, administrator(caller, 'change fields'), params.id, changes, { lossy }))
    }
    const row = mustExist(field, params.id, await seeRow(store, field.relation, caller, params.id))
    return one(toResource(field, request, row, chosen))
  },
})
