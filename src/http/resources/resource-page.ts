import { checking, type Condition } from '../../filter/check.ts'
import { parseSort } from '../../filter/sort.ts'
import { wordsFor } from '../../store/ground/clock.ts'
import { listRows, rowsAround } from '../../store/ground/list-rows.ts'
import type { Identified } from '../../store/ground/relation.ts'
import { inTurns } from '../../store/scheduling/others-turn.ts'
import { limits } from '../../limits.ts'
import { around, list } from '../answers/jsonapi.ts'
import { aroundOf, cursorText, END, isAround, pageAt, type numberedPages, type pages } from '../routing/paging.ts'
import { wanted } from '../routing/readers.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { chosenOf, toResource, withDemanded, type Resource } from './resource.ts'

type Asking = Pick<Incoming, 'store' | 'caller' | 'pairs'>

/** The filter of a request for a list; undefined: everything. Others have their turn while a long one is checked. */
export async function filterOf<T extends Identified, X extends object>(
  request: Asking & Parameters<typeof wanted>[0],
  { attributes }: Resource<T, X>,
): Promise<Condition | undefined> {
  const { store, caller } = request
  const expression = wanted(request)
  const scope = { attributes, context: store.context, words: wordsFor(caller, store) }
  return expression && inTurns(checking(expression, scope), caller.client)
}

type Read<Readers> = { readonly [N in keyof Readers]: Readers[N] extends (raw: string | undefined) => infer T ? T : never }
/** The query parameters of a page; some lists have no cursors. */
type Paging = { readonly sort: string } & Read<typeof numberedPages> & {
    readonly 'page[after]'?: unknown
    readonly 'page[before]'?: unknown
  }

/** A page of the resources that match a filter, with how many there are. */
export async function answerPage<T extends Identified, X extends object>(
  request: Asking & Pick<Incoming, 'origin' | 'path' | 'parameters'> & { readonly query: Paging },
  resource: Resource<T, X>,
  filter: Condition | undefined,
): Promise<Reply> {
  const { store, caller, query } = request
  const { attributes, relation } = resource
  const chosen = chosenOf(request, resource)
  const sort = parseSort(query.sort, attributes)
  const shown = async (rows: readonly T[]) =>
    (await withDemanded(resource, request, rows, chosen)).map((row) => toResource(resource, request, row, chosen))
  if (hasCursors(request) && isAround(request)) {
    const asked = aroundOf(request, sort, limits.pageSize.most)
    const { rows, positions, more } = await rowsAround(store, relation, caller, { filter, sort }, asked)
    const { 'page[after]': after, 'page[before]': before } = request.query
    const cursors = positions.map((position) => cursorText(sort, position))
    return around(request, await shown(rows), { after, before, size: asked.size, cursors, more, end: END })
  }
  const page = pageAt(request)
  const { rows, total } = await listRows(store, relation, caller, { filter, sort, offset: page.offset, limit: page.limit })
  return list(request, await shown(rows), page, total)
}

const hasCursors = <R extends { readonly query: object }>(request: R): request is R & { readonly query: Read<typeof pages> } =>
  'page[before]' in request.query
