import { Failure, fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { checking } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { grant, type Caller } from '../model/access.ts'
import { writer } from '../catalogue/administrator.ts'
import { targetOf, viewAcross } from '../catalogue/across.ts'
import { wordsFor } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { forgetNames, noteNames, tellingNothing } from '../catalogue/hidden-names.ts'
import { findRow, relation } from '../ground/relation.ts'
import { deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import type { Uses } from '../ground/store.ts'
import { nothing, visibleTables } from '../catalogue/visible.ts'

/** A filter with a name, for `use_filter`. It runs with the rights of the user who uses it. */
export interface NamedFilter {
  readonly id: number
  readonly tableId: number
  readonly title: string
  readonly expression: string
  /** The owner; 0: shared with all who may read the table. */
  readonly userId: number
}

export const savedFilters = relation<NamedFilter>(
  'saved_filters',
  {
    id: ['id', 'integer'],
    tableId: ['table_id', 'integer'],
    title: ['title', 'text'],
    expression: ['expression', 'longtext'],
    userId: ['user_id', 'integer'],
  },
  visibleFilters,
  undefined,
  { logging: { type: 'filter' } },
)

/** Users see shared filters and their own, of tables that they may read, without filters that name a hidden field; administrators see all. */
function visibleFilters(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql {
  const tables = visibleTables(store, caller, 'table_id', 'read')
  return caller.administrator || tables === nothing ? tables : sql`${tables} AND ${usable(store, caller)}`
}

/** Users use shared filters and their own that name no hidden field; administrators use all. */
function usable(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql {
  if (caller.administrator) return sql`1 = 1`
  const silent = tellingNothing(store, caller)
  return sql`user_id IN (0, ${caller.userId})${silent ? sql` AND ${silent}` : sql``}`
}

/** The text of a filter that the caller may use for the table. */
export async function usableExpression(
  store: Uses<'db' | 'catalogue'>,
  caller: Caller,
  tableId: number,
  id: number,
): Promise<string | undefined> {
  const [rows] = await store.db.read(
    sql`SELECT expression FROM saved_filters WHERE id = ${id} AND table_id = ${tableId} AND ${usable(store, caller)}`,
  )
  return rows![0] && String(rows![0][0])
}

/** Where no owner is sent, a filter of an administrator is shared, and that of another user is their own. */
export function createFilter(store: Uses<'db' | 'context' | 'catalogue'>, caller: Caller, values: Partial<NamedFilter>): Promise<number> {
  const { tableId = 0, expression = '', userId = caller.administrator ? 0 : caller.userId } = values
  return store.db.write(async (tx) => {
    await mustBeOwner(tx, caller, userId, WHAT)
    await mustFitTable(store, caller, tableId, { filter: expression, attribute: 'expression' })
    await ownerMustHaveRoom(store, tx, userId)
    const id = await insertRow(tx, caller, savedFilters, { ...values, userId })
    await noteNames(tx, id, expression)
    return id
  })
}

export function updateFilter(
  store: Uses<'db' | 'context' | 'catalogue'>,
  caller: Caller,
  id: number,
  changes: Partial<NamedFilter>,
): Promise<void> {
  return store.db.write(async (tx) => {
    const now = await findRow((query) => tx.all(query), savedFilters, id, visibleFilters(store, caller))
    if (!now) throw fail('resource.not_found', { type: 'filter', id })
    mustOwn(caller, now)
    const { userId = now.userId, expression = now.expression } = changes
    if (changes.userId !== undefined) await mustBeOwner(tx, caller, userId, WHAT)
    if (userId !== now.userId) await ownerMustHaveRoom(store, tx, userId)
    if (expression !== now.expression) await mustFitTable(store, caller, now.tableId, { filter: expression, attribute: 'expression' })
    await updateRow(tx, caller, savedFilters, id, changes)
    if (expression !== now.expression) await noteNames(tx, id, expression)
  })
}

export function deleteFilter(store: Uses<'db' | 'catalogue'>, caller: Caller, id: number): Promise<void> {
  return store.db.write(async (tx) => {
    const now = await findRow((query) => tx.all(query), savedFilters, id, visibleFilters(store, caller))
    if (!now) throw fail('resource.not_found', { type: 'filter', id })
    mustOwn(caller, now)
    await deleteRows(tx, caller, savedFilters, sql`id = ${id}`)
    await forgetNames(tx, id)
  })
}

const ownerMustHaveRoom = (store: Uses<'db'>, tx: Transaction, owner: number): Promise<void> =>
  mustHaveRoom(store, tx, owner === 0 ? limits.sharedFilters : limits.filtersPerUser, {
    table: 'saved_filters',
    which: sql`user_id = ${owner}`,
    owner,
  })

/** @throws `access.denied` for filters of others, and for a token that may only read. */
export function mustOwn(caller: Caller, filter: NamedFilter | undefined): void {
  writer(caller, 'write filters')
  if (filter?.userId !== caller.userId && !caller.administrator) throw fail('access.denied', { what: WHAT })
}

const WHAT = 'write the filters of others'

/** Whether the caller may make this user the owner of what is saved; 0: share it. `what` they may not do otherwise. */
export async function mustBeOwner(tx: Transaction, caller: Caller, userId: number, what: string): Promise<void> {
  if (userId === caller.userId || (userId === 0 && caller.administrator)) return
  if (!caller.administrator) throw fail('access.denied', { what }, { attribute: 'userId' })
  const [user] = await tx.all(sql`SELECT id FROM users WHERE id = ${userId}`)
  if (!user) throw fail('field.invalid_value', { why: `There is no user ${userId}.` }, { attribute: 'userId' })
}

/**
 * Checks a table and a filter of it with the rights of the user who saves it; `attribute` holds the filter. Without `savedFilter` in the scope,
 * `use_filter` is refused.
 */
export async function mustFitTable(
  store: Uses<'context' | 'catalogue'>,
  caller: Caller,
  tableId: number,
  { filter, attribute }: { readonly filter: string | undefined; readonly attribute: string },
): Promise<void> {
  const catalogue = store.catalogue()
  if (!catalogue.tables.has(tableId)) throw fail('field.invalid_value', { why: `There is no table ${tableId}.` }, { attribute: 'tableId' })
  try {
    const { allAttributes: attributes } = grant('read', tableId, caller, catalogue)
    const across = (reference: Attribute) => {
      const there = viewAcross(reference, caller, catalogue)
      return there && targetOf(there, undefined)
    }
    if (filter !== undefined)
      await inTurns(checking(parse(filter), { attributes, context: store.context, words: wordsFor(caller, store), across }))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'table.not_found')
      throw fail('field.invalid_value', { why: `There is no table ${tableId}.` }, { attribute: 'tableId' })
    if (error.code === 'access.denied') throw error
    throw fail('field.invalid_value', { why: error.message }, { attribute, meta: { ...error.where.meta, code: error.code } })
  }
}
