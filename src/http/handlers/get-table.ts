import { seeRow } from '../../store/ground/relation.ts'
import { fieldsOf } from '../../store/structure/fields.ts'
import { showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { include } from '../routing/readers.ts'
import { field } from '../resources/field.ts'
import { chosenOf, mustExist, toResource } from '../resources/resource.ts'
import { fieldsLinkage, table } from '../resources/table.ts'
import { route } from '../routing/route.ts'

export const getTable = route({
  method: 'GET',
  path: '/api/dev/table/{id}',
  says: 'Shows a table with what the caller may do with it; include=fields adds its fields.',
  token: 'tables',
  answers: showsOne('table', { included: ['field'] }),
  query: { include: include('`fields` adds the fields of the table as `included`.', 'fields') },
  sparseFields: true,

  async run(request) {
    const { store, caller, params, query } = request
    const chosen = chosenOf(request, table, field)
    const row = mustExist(table, params.id, await seeRow(store, table.relation, caller, params.id))
    const resource = toResource(table, request, row, chosen)
    if (!query.include.has('fields')) return one(resource)
    const fields = await fieldsOf(store, caller, params.id)
    const included = fields.map((info) => toResource(field, request, info, chosen))
    return one({ ...resource, relationships: { fields: fieldsLinkage(fields) } }, { included })
  },
})
