import { copyTable } from '../../documents/structure/copy-table.ts'
import { limits } from '../../limits.ts'
import { administrator } from '../../store/catalogue/administrator.ts'
import { seeRow } from '../../store/ground/relation.ts'
import type { OfFields, TableInfo } from '../../store/structure/tables.ts'
import { showsOne, takesOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { chosenOf, mustAllow, mustExist, pointed, readAttributes, toResource } from '../resources/resource.ts'
import { table } from '../resources/table.ts'
import { oneOf, readDocument } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const what = 'create tables'

export const copyTableRoute = route({
  method: 'POST',
  path: '/api/dev/table/{id}/copy',
  says: 'Copies a table with its fields and rules of access, and with its records if asked.',
  token: 'unlimited',
  allow: (asked) => mustAllow(table, { allow: (caller) => administrator(caller, what) }, asked),
  takes: takesOne('table', 'Create'),
  answers: showsOne('table', { status: 201 }),
  fails: ['table.too_many_records', 'table.too_many_fields', 'table.no_columns_left'],
  query: {
    withRecords: oneOf('`true`: the copy has the records too, under the same ids. Default: `false`.', 'false', 'true'),
    withViews: oneOf('`true`: the copy has the shared filters and views too. Default: `false`.', 'false', 'true'),
  },
  sparseFields: true,

  async run(request) {
    const { store, caller, params, query } = request
    const chosen = chosenOf(request, table)
    mustExist(table, params.id, await seeRow(store, table.relation, caller, params.id))
    const values = readAttributes<Partial<TableInfo & OfFields>>(table.members, readDocument(request, { type: 'table', creating: true }))
    const { id } = await pointed(table.members, () =>
      copyTable(store, administrator(caller, what), params.id, {
        values,
        withRecords: query.withRecords === 'true',
        withViews: query.withViews === 'true',
        most: limits.copiedRecords.most,
      }),
    )
    const row = mustExist(table, id, await seeRow(store, table.relation, caller, id))
    return one(toResource(table, request, row, chosen), { status: 201 })
  },
})
