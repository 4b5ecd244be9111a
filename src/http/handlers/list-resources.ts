import type { Identified } from '../../store/ground/relation.ts'
import { showsPage } from '../answers/described.ts'
import { answerPage, filterOf } from '../resources/resource-page.ts'
import type { Resource } from '../resources/resource.ts'
import { pages } from '../routing/paging.ts'
import { filter, sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const listResources = <T extends Identified, X extends object>(resource: Resource<T, X>) =>
  route({
    method: 'GET',
    path: `/api/dev/${resource.type}`,
    says: `Lists ${resource.plural}: those that the caller may see and that match a filter, a page at a time.`,
    token: resource.token,
    answers: showsPage(resource.type),
    query: { filter, sort, ...pages },
    legacyFilter: true,
    sparseFields: true,

    run: async (request) => answerPage(request, resource, await filterOf(request, resource)),
  })
