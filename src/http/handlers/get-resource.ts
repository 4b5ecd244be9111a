import { seeRow, type Identified } from '../../store/ground/relation.ts'
import { showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { chosenOf, mustExist, toResource, withDemanded, type Resource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const getResource = <T extends Identified, X extends object>(resource: Resource<T, X>) =>
  route({
    method: 'GET',
    path: `/api/dev/${resource.type}/{id}`,
    says: `Shows one of ${resource.plural}.`,
    token: resource.token,
    answers: showsOne(resource.type),
    query: {},
    sparseFields: true,

    async run(request) {
      const { store, caller, params } = request
      const chosen = chosenOf(request, resource)
      const row = mustExist(resource, params.id, await seeRow(store, resource.relation, caller, params.id))
      const [whole] = await withDemanded(resource, request, [row], chosen)
      return one(toResource(resource, request, whole!, chosen))
    },
  })
