import { seeRow, type Identified } from '../../store/ground/relation.ts'
import { done } from '../answers/jsonapi.ts'
import { mustAllow, mustExist, type Resource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const deleteResource = <T extends Identified, X extends object>(
  resource: Resource<T, X>,
  remove: NonNullable<Resource<T, X>['remove']>,
) =>
  route({
    method: 'DELETE',
    path: `/api/dev/${resource.type}/{id}`,
    says: `Deletes one of ${resource.plural}.`,
    token: remove.token ?? resource.token,
    allow: (asked) => mustAllow(resource, remove, asked),
    query: {},

    async run({ store, caller, params }) {
      mustExist(resource, params.id, await seeRow(store, resource.relation, caller, params.id))
      await remove.run(store, caller, params.id)
      return done()
    },
  })
