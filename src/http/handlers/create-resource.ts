import { seeRow, type Identified } from '../../store/ground/relation.ts'
import { showsOne, takesOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { readDocument } from '../routing/readers.ts'
import { chosenOf, mustExist, pointed, readAttributes, toResource, type Resource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const createResource = <T extends Identified, X extends object>(
  resource: Resource<T, X>,
  create: NonNullable<Resource<T, X>['create']>,
) =>
  route({
    method: 'POST',
    path: `/api/dev/${resource.type}`,
    says: `Creates one of ${resource.plural}.`,
    token: create.token ?? resource.token,
    allow: ({ caller }) => create.allow(caller, undefined),
    takes: takesOne(resource.type, 'Create'),
    answers: showsOne(resource.type, { status: 201 }),
    fails: create.fails ?? [],
    query: {},
    sparseFields: true,

    async run(request) {
      const { store, caller } = request
      const { type, members, relation } = resource
      const chosen = chosenOf(request, resource)
      const values = readAttributes<Partial<T> & X>(members, readDocument(request, { type, creating: true }))
      const id = await pointed(members, () => create.run(store, caller, values))
      const row = mustExist(resource, id, await seeRow(store, relation, caller, id))
      return one(toResource(resource, request, row, chosen), { status: 201 })
    },
  })
