import { fold } from '../../fields/fold.ts'
import { allRows, committed } from '../../store/ground/relation.ts'
import type { Uses } from '../../store/ground/store.ts'
import { groups, type Group } from '../../store/people/groups.ts'
import { UsageError } from '../explain/explain.ts'

/** A group by its id or its name. @throws UsageError if there is none, or if several have the name. */
export async function findGroup(store: Uses<'db'>, named: string): Promise<Group> {
  const all = await allRows(committed(store), groups)
  const found = all.filter(({ id }) => String(id) === named)
  if (found.length === 0) found.push(...all.filter(({ title }) => fold(title) === fold(named)))
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new UsageError(`Several groups are called '${named}': ${found.map(({ id }) => id).join(', ')}. Name one by its id.`)
  throw new UsageError(`There is no group '${named}'.`)
}
