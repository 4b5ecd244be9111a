import { seeRow, type Identified } from '../../store/ground/relation.ts'
import { showsOne, takesOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { readDocument } from '../routing/readers.ts'
import {
  chosenOf,
  mustAllow,
  mustExist,
  mustRelateAsShown,
  pointed,
  readAttributes,
  shown,
  toResource,
  type Resource,
} from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const updateResource = <T extends Identified, X extends object>(
  resource: Resource<T, X>,
  update: NonNullable<Resource<T, X>['update']>,
) =>
  route({
    method: 'PATCH',
    path: `/api/dev/${resource.type}/{id}`,
    says: `Changes one of ${resource.plural}.`,
    token: update.token ?? resource.token,
    allow: (asked) => mustAllow(resource, update, asked),
    takes: takesOne(resource.type, 'Update'),
    answers: showsOne(resource.type),
    fails: update.fails ?? [],
    query: {},
    sparseFields: true,

    async run(request) {
      const { store, caller, params } = request
      const { type, members, relation } = resource
      const chosen = chosenOf(request, resource)
      const now = mustExist(resource, params.id, await seeRow(store, relation, caller, params.id))
      const sent = readDocument(request, { type, id: params.id, creating: false, relates: true })
      await mustRelateAsShown(resource, request, now)
      const changes = readAttributes<Partial<T> & X>(members, sent, shown(resource, request, now))
      if (Object.keys(changes).length > 0) await pointed(members, () => update.run(store, caller, params.id, changes))
      const row = mustExist(resource, params.id, await seeRow(store, relation, caller, params.id))
      return one(toResource(resource, request, row, chosen))
    },
  })
