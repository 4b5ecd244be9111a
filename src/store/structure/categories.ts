import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import { audit } from '../people/audit.ts'
import { findRow, relation } from '../ground/relation.ts'
import { changing, deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'
import { tables } from './tables.ts'
import { nothing, visibleTables } from '../catalogue/visible.ts'

/** A heading in the list of tables. */
export interface Category {
  readonly id: number
  readonly title: string
  readonly sequence: number
}

export const categories = relation<Category>(
  'categories',
  {
    id: ['id', 'integer'],
    title: ['title', 'text'],
    sequence: ['sequence', 'integer'],
  },
  visibleCategories,
)

/** Users see the categories of the tables that they see. */
function visibleCategories(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined {
  if (caller.administrator) return undefined
  const seen = visibleTables(store, caller, 'id')
  return seen === nothing ? nothing : sql`id IN (SELECT category_id FROM tables WHERE ${seen})`
}

export const createCategory = (
  store: Uses<'db' | 'environment' | 'settings'>,
  by: Administrator,
  values: Partial<Category>,
): Promise<number> =>
  store.db.write(async (tx) => {
    await mustHaveRoom(store, tx, limits.categories, { table: 'categories' })
    const id = await insertRow(tx, by, categories, values)
    await audit(store, tx, by, 'category_created', `category ${id}`, values.title)
    return id
  })

export const updateCategory = (
  store: Uses<'db' | 'environment' | 'settings'>,
  by: Administrator,
  id: number,
  changes: Partial<Category>,
): Promise<void> =>
  store.db.write(async (tx) => {
    if (!(await findRow((query) => tx.all(query), categories, id))) throw fail('resource.not_found', { type: 'category', id })
    await updateRow(tx, by, categories, id, changes)
    await audit(store, tx, by, 'category_changed', `category ${id}`)
  })

/** Its tables stay, without a category. */
export const deleteCategory = (store: Uses<'environment' | 'settings' | 'restructure'>, by: Administrator, id: number): Promise<void> =>
  store.restructure(async (tx) => {
    const gone = await deleteRows(tx, by, categories, sql`id = ${id}`)
    if (gone === 0) throw fail('resource.not_found', { type: 'category', id })
    const its = sql`category_id = ${id}`
    await changing(tx, by, tables, its, () => tx.run(sql`UPDATE tables SET category_id = 0, version = version + 1 WHERE ${its}`))
    await audit(store, tx, by, 'category_deleted', `category ${id}`)
  })
