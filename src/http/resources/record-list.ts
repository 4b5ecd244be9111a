import type { SortKey } from '../../filter/sort.ts'
import type { Expression } from '../../filter/ast.ts'
import { limits } from '../../limits.ts'
import type { Granted } from '../../store/model/access.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import { around, list } from '../answers/jsonapi.ts'
import { complete } from '../answers/long-answer.ts'
import { aroundOf, cursorText, END, isAround, pageAt, type pages } from '../routing/paging.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { showAll, type Shown, type Wanted } from './compound.ts'
import { withAccess } from './record-access.ts'
import { typeOf } from './record.ts'

type Asking = Omit<Incoming, 'query' | 'params'> & {
  readonly query: { readonly [N in keyof typeof pages]: ReturnType<(typeof pages)[N]> } & { readonly recordAccess: boolean }
}

/** How many records a page by cursors may have: fewer of a table with many fields. */
export const mostAround = ({ attributes }: Granted<'read'>): number =>
  Math.min(limits.pageSize.most, Math.max(limits.page.most, Math.floor(limits.pageValues.most / attributes.size)))

/** A page of the records that a filter selects, in the style that the request asks for. */
export async function recordList(
  request: Asking,
  granted: Granted<'read'>,
  wanted: Wanted,
  selection: { readonly filter: Expression | undefined; readonly sort: readonly SortKey[] },
): Promise<Reply> {
  const { store, query } = request
  const fields = wanted.fields.get(typeOf(granted))
  const finish = async (records: readonly ShownRecord[], reply: (shown: Pick<Shown, 'data' | 'included'>) => Reply) => {
    const { data, included } = await showAll(request, granted, records, wanted)
    const shown = { data: await withAccess(request, granted, data), ...(included && { included }) }
    return complete(request, granted, records, fields, reply(shown))
  }
  if (!isAround(request)) {
    const at = pageAt(request)
    const { records, total } = await store.pages.page(granted, { ...selection, offset: at.offset, limit: at.limit })
    return finish(records, ({ data, included }) => list(request, data, at, total, included))
  }
  const asked = aroundOf(request, selection.sort, mostAround(granted))
  const { records, positions, more } = await store.pages.around(granted, selection, asked)
  const page = {
    after: query['page[after]'],
    before: query['page[before]'],
    size: asked.size,
    cursors: positions.map((position) => cursorText(selection.sort, position)),
    more,
    end: END,
  }
  return finish(records, ({ data, included }) => around(request, data, page, included))
}
