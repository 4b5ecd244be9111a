import { Failure } from '../errors.ts'
import type { Expression } from '../filter/ast.ts'
import type { Store } from '../store/ground/store.ts'
import type { Granted } from '../store/model/access.ts'

/** How many records match; null: to count them takes longer than a list may. */
export async function countMatching({ pages }: Store, granted: Granted<'read'>, filter: Expression | undefined): Promise<number | null> {
  try {
    return (await pages.page(granted, { filter, sort: [], offset: 0, limit: 1 })).total
  } catch (error) {
    if (error instanceof Failure && error.status === 503) return null
    throw error
  }
}
