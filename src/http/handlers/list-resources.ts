import { checking } from '../../filter/check.ts'
import { parseSort } from '../../filter/sort.ts'
import { listRows, type Identified } from '../../store/ground/relation.ts'
import { inTurns } from '../../store/scheduling/others-turn.ts'
import { list } from '../answers/jsonapi.ts'
import { filter, pageLimit, pageOffset, sort, wanted } from '../routing/readers.ts'
import { chosenOf, toResource, type Resource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const listResources = <T extends Identified, X extends object>(resource: Resource<T, X>) =>
  route({
    method: 'GET',
    path: `/api/dev/${resource.type}`,
    says: `Lists ${resource.plural}: those that the caller may see and that match a filter, a page at a time.`,
    token: resource.token,
    query: { filter, sort, 'page[offset]': pageOffset, 'page[limit]': pageLimit },
    legacyFilter: true,
    sparseFields: true,

    async run(request) {
      const { store, caller, query } = request
      const { attributes, relation } = resource
      const chosen = chosenOf(request, resource)
      const expression = wanted(request)
      const page = { offset: query['page[offset]'], limit: query['page[limit]'] }
      const condition = expression && (await inTurns(checking(expression, { attributes, context: store.context }), caller.client))
      const { rows, total } = await listRows(store, relation, caller, {
        filter: condition,
        sort: parseSort(query.sort, attributes),
        ...page,
      })
      return list(
        request,
        rows.map((row) => toResource(resource, request, row, chosen)),
        page,
        total,
      )
    },
  })
