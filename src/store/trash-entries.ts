import { sql, type Sql } from '../sql/sql.ts'
import { rightsOn, type Caller } from './access.ts'
import { nowText } from './clock.ts'
import type { Transaction } from './db.ts'
import { insertRow, relation } from './listing.ts'
import type { Store } from './store.ts'
import { inList } from './visible.ts'

/** One thing in the trash, as it is listed. */
export interface TrashItem {
  readonly id: number
  readonly kind: string
  readonly tableId: number
  /** Id of the record, field or table. */
  readonly itemId: number
  /** What people knew it by. */
  readonly title: string
  readonly deleted: string
  /** Who deleted it. */
  readonly userId: number
}

/** What a field or table in the trash is found by. */
export type Trashed = Pick<TrashItem, 'id' | 'tableId' | 'itemId'>

export const trashItems = relation<TrashItem>(
  'trash',
  {
    id: ['id', 'integer'],
    kind: ['kind', 'text'],
    tableId: ['table_id', 'integer'],
    itemId: ['item_id', 'integer'],
    title: ['title', 'text'],
    deleted: ['deleted', 'datetime'],
    userId: ['user_id', 'integer'],
  },
  visibleTrash,
)

/**
 * Administrators see all of it, the rest the records they deleted themselves, in tables they may read and whose title
 * field is not hidden from them: the title shows here.
 */
function visibleTrash(store: Store, caller: Caller): Sql | undefined {
  if (caller.administrator && !caller.tables) return undefined
  const catalogue = store.catalogue()
  const readable = [...catalogue.tables.values()].filter(({ id, titleFieldId }) => {
    const hidden = caller.administrator ? undefined : catalogue.access.get(caller.groupId)?.get(id)?.hidden
    return rightsOn(id, caller, catalogue).has('read') && !hidden?.has(titleFieldId)
  })
  const mine = sql`kind = 'record' AND ${inList(
    store.db.dialect,
    'table_id',
    readable.map((table) => table.id),
  )}`
  return caller.administrator ? mine : sql`${mine} AND user_id = ${caller.userId}`
}

export async function putInTrash(
  store: Store,
  tx: Transaction,
  by: Caller,
  item: Pick<TrashItem, 'kind' | 'tableId' | 'itemId' | 'title'>,
): Promise<void> {
  await insertRow(tx, trashItems, { ...item, deleted: nowText(store), userId: by.userId })
}
