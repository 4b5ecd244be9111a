import { checking, type Condition } from '../../filter/check.ts'
import { parseSort } from '../../filter/sort.ts'
import { listRows } from '../../store/ground/list-rows.ts'
import type { Identified } from '../../store/ground/relation.ts'
import { inTurns } from '../../store/scheduling/others-turn.ts'
import { list } from '../answers/jsonapi.ts'
import { wanted } from '../routing/readers.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { chosenOf, toResource, type Resource } from './resource.ts'

type Asking = Pick<Incoming, 'store' | 'caller' | 'pairs'>

/** The filter of a request for a list; undefined: everything. Others have their turn while a long one is checked. */
export async function filterOf<T extends Identified, X extends object>(
  request: Asking & Parameters<typeof wanted>[0],
  { attributes }: Resource<T, X>,
): Promise<Condition | undefined> {
  const { store, caller } = request
  const expression = wanted(request)
  return expression && inTurns(checking(expression, { attributes, context: store.context }), caller.client)
}

/** The query parameters of a page. */
interface Paging {
  readonly sort: string
  readonly 'page[offset]': number
  readonly 'page[limit]': number
}

/** A page of the resources that match a filter, with how many there are. */
export async function answerPage<T extends Identified, X extends object>(
  request: Asking & Pick<Incoming, 'origin' | 'path'> & { readonly query: Paging },
  resource: Resource<T, X>,
  filter: Condition | undefined,
): Promise<Reply> {
  const { store, caller, query } = request
  const { attributes, relation } = resource
  const chosen = chosenOf(request, resource)
  const page = { offset: query['page[offset]'], limit: query['page[limit]'] }
  const { rows, total } = await listRows(store, relation, caller, { filter, sort: parseSort(query.sort, attributes), ...page })
  return list(
    request,
    rows.map((row) => toResource(resource, request, row, chosen)),
    page,
    total,
  )
}
