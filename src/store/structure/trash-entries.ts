import { fail } from '../../errors.ts'
import type { FieldType } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { storable } from '../../fields/value.ts'
import { anyOf, name, sql, type Sql } from '../../sql/sql.ts'
import { grant, rightsOn, type Caller, type Granted } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { trashOf } from '../model/catalogue.ts'
import { nowText } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { insertUnlogged, relation } from '../ground/relation.ts'
import { readCondition } from '../records/read-records.ts'
import type { Uses } from '../ground/store.ts'
import { hiddenFields, inList, nothing } from '../catalogue/visible.ts'

/** A deleted record, field or table, as it is listed. */
export interface TrashItem {
  readonly id: number
  readonly kind: string
  readonly tableId: number
  /** Id of the record, field or table. */
  readonly itemId: number
  /** The title when it was deleted. */
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
  name('trash'),
  { shownTo: withoutHidden, logging: false },
)

/**
 * The title is the value of the field that was the title field then. It is shown to users who may see that field now. Where that
 * field is gone, or an earlier version did not store which it was, only administrators see the title.
 */
function withoutHidden(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined {
  if (hasEveryRight(caller)) return undefined
  const hidden = inList(store.db.dialect, 'title_field_id', hiddenFields(store, caller))
  const told = sql`title_field_id IN (SELECT id FROM fields WHERE deleted = '') AND NOT (${hidden})`
  return sql`(SELECT id, kind, kindk, table_id, item_id, CASE WHEN ${told} THEN title ELSE '' END AS title,
    CASE WHEN ${told} THEN titlek ELSE '' END AS titlek, deleted, user_id FROM trash) AS shown`
}

/** Administrators see the whole trash. Other users see the records that they deleted themselves, if they could read them outside the trash. */
async function visibleTrash(store: Uses<'db' | 'context' | 'catalogue'>, caller: Caller): Promise<Sql | undefined> {
  if (caller.administrator) return undefined
  const catalogue = store.catalogue()
  const readable = [...catalogue.tables.values()].filter(({ id }) => rightsOn(id, caller, catalogue).has('read'))
  if (readable.length === 0) return nothing
  const whole: number[] = []
  const restricted: Granted<'read'>[] = []
  for (const { id } of readable) {
    const granted = grant('read', id, caller, catalogue)
    if (granted.readFilter === '') whole.push(id)
    else restricted.push(granted)
  }
  const entries = hasEveryRight(caller) ? sql`kind = 'record'` : sql`kind = 'record' AND user_id = ${caller.userId}`
  const inTrash = restricted.length > FEW && !hasEveryRight(caller) ? await tablesInTrash(store, caller) : undefined
  const filtered: Sql[] = []
  for (const granted of restricted) {
    const { id } = granted.table
    if (inTrash?.has(id) ?? true) filtered.push(recordsIn(id, entries, readCondition(store, granted)!))
  }
  return sql`${entries} AND ${anyOf([inList(store.db.dialect, 'table_id', whole), ...filtered])}`
}

/** If more tables than this have a read filter, a first query finds from which of them the caller deleted records. */
const FEW = 10

async function tablesInTrash(store: Uses<'db'>, caller: Caller): Promise<ReadonlySet<number>> {
  const [rows] = await store.db.readLittle(
    caller,
    sql`SELECT DISTINCT table_id FROM trash WHERE kind = 'record' AND user_id = ${caller.userId}`,
  )
  return new Set(rows!.map(([id]) => Number(id)))
}

/**
 * The deleted records of one table that its read filter would show if they were not deleted. Not by EXISTS: Citus refuses a subquery over
 * the distributed records that names the entry.
 */
const recordsIn = (id: number, entries: Sql, filter: Sql): Sql =>
  sql`(table_id = ${id} AND item_id IN (SELECT id FROM ${name(trashOf(id))}
    WHERE id IN (SELECT item_id FROM trash WHERE table_id = ${id} AND ${entries}) AND (${filter})))`

export async function putInTrash(
  store: Uses<'environment' | 'settings'>,
  tx: Transaction,
  by: Caller,
  item: Pick<TrashItem, 'kind' | 'tableId' | 'itemId' | 'title'>,
): Promise<void> {
  await insertUnlogged(tx, trashItems, { ...item, title: storable(item.title), deleted: nowText(store), userId: by.userId })
}

interface TrashedColumn {
  readonly column: string
  readonly type: FieldType
  readonly lastNumber: number
  readonly title: string
}

/** @throws `trash.not_found` */
export async function trashedColumn(tx: Transaction, { id, itemId }: Trashed): Promise<TrashedColumn> {
  const [row] = await tx.all(sql`SELECT column_name, type, number_next, title FROM fields WHERE id = ${itemId} AND deleted <> ''`)
  if (!row) throw fail('trash.not_found', { entry: id })
  return { column: String(row[0]), type: fieldType(String(row[1]))!, lastNumber: Number(row[2]), title: String(row[3]) }
}
