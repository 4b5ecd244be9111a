import { limits } from '../limits.ts'
import type { Node } from '../filter/ast.ts'
import { parse } from '../filter/parse.ts'
import type { Caller } from './access.ts'
import type { Catalogue, SavedFilter } from './catalogue.ts'

const known = new WeakMap<SavedFilter, ReadonlySet<string>>()

/** Whether a saved filter tells of a field that is hidden from the caller; he must not learn that there is such a filter. */
export function namesHidden(saved: SavedFilter, caller: Caller, { access }: Catalogue): boolean {
  const hidden = caller.administrator ? undefined : access.get(caller.groupId)?.get(saved.tableId)?.hidden
  if (!hidden || hidden.size === 0) return false
  let names = known.get(saved)
  if (!names) known.set(saved, (names = new Set(namesIn(saved.expression))))
  return [...hidden].some((id) => names.has(`f${id}`))
}

/** What a filter names; one that cannot be read names nothing. */
function namesIn(text: string): string[] {
  const names = (node: Node): string[] => (node.is === 'call' ? node.args.flatMap(names) : node.is === 'name' ? [node.name] : [])
  try {
    return names(parse(text, limits.postedFilter.most))
  } catch {
    return []
  }
}
