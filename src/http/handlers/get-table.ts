import { seeRow } from '../../store/ground/relation.ts'
import { fieldsOf } from '../../store/structure/fields.ts'
import { one } from '../answers/jsonapi.ts'
import { include } from '../routing/readers.ts'
import { field } from '../resources/field.ts'
import { chosenOf, mustExist, toResource } from '../resources/resource.ts'
import { table } from '../resources/table.ts'
import { route } from '../routing/route.ts'

export const getTable = route({
  method: 'GET',
  path: '/api/dev/table/{id}',
  says: 'Shows a table with what the caller may do with it; include=fields adds its fields.',
  token: 'tables',
  query: { include: include('fields') },
  sparseFields: true,

  async run(request) {
    const { store, caller, params, query } = request
    const chosen = chosenOf(request, table, field)
    const row = mustExist(table, params.id, await seeRow(store, table.relation, caller, params.id))
    const resource = toResource(table, request, row, chosen)
    if (!query.include.has('fields')) return one(resource)
    const included = (await fieldsOf(store, caller, params.id)).map((info) => toResource(field, request, info, chosen))
    const data = included.map(({ type, id }) => ({ type, id }))
    return one({ ...resource, relationships: { fields: { data } } }, { included })
  },
})
