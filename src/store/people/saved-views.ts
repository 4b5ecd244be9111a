import { Failure, fail } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { parseFigures, parseGrouping } from '../../filter/aggregate.ts'
import { parseSort } from '../../filter/sort.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { grant, view, type Caller } from '../model/access.ts'
import { writer } from '../catalogue/administrator.ts'
import type { Transaction } from '../ground/db.ts'
import { forgetNames, noteNames, ofViews, tellingNothing } from '../catalogue/hidden-names.ts'
import { findRow, relation } from '../ground/relation.ts'
import { deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'
import { nothing, visibleTables } from '../catalogue/visible.ts'
import { mustBeOwner, mustFitTable } from './saved-filters.ts'

export const viewKinds = ['grid', 'cards', 'board', 'calendar', 'chart'] as const

/** What a page may compute below a column of all records that the view selects. */
export const columnFigures = ['sum', 'avg', 'min', 'max', 'filled', 'empty', 'distinct'] as const

/** How much of time a calendar shows. */
const spans = ['month', 'week'] as const

interface Column {
  /** `*`: those that are not named are shown too. */
  readonly attribute: string
  /** Pixels. */
  readonly width?: number
  /** Long values in several lines. */
  readonly wrap?: boolean
  /** It stays while the others scroll. */
  readonly frozen?: boolean
  /** What a page computes below it of all records. */
  readonly figure?: string
  /** Beside `*`: it is not shown. */
  readonly hidden?: boolean
  /** Beside `*`: the attribute behind which it stands, '' for the first place; without it, where the table has it. */
  readonly after?: string
}

/** How a page shows a table. It has no rights of its own: what it selects is read with those of its reader. */
export interface SavedView {
  readonly id: number
  readonly tableId: number
  readonly title: string
  readonly kind: string
  /** '' for none, as the others. */
  readonly filter: string
  readonly sort: string
  readonly columns: readonly Column[]
  readonly groupBy: string
  /** Of a chart: one function of aggregates; without one the count. */
  readonly figure: string
  /** Of a calendar; without one a month. */
  readonly span: string
  /** The owner; 0: shared with all who may read the table. */
  readonly userId: number
}

export const savedViews = relation<SavedView>(
  'saved_views',
  {
    id: ['id', 'integer'],
    tableId: ['table_id', 'integer'],
    title: ['title', 'text'],
    kind: ['kind', 'text'],
    // No text of attributes is filtered by: it would tell what `complete` leaves out.
    filter: ['filter', 'json'],
    sort: ['sort', 'json'],
    columns: ['columns', 'json'],
    groupBy: ['group_by', 'json'],
    figure: ['figure', 'json'],
    span: ['span', 'json'],
    userId: ['user_id', 'integer'],
  },
  visibleViews,
  undefined,
  { logging: { type: 'view' }, complete: async (store, caller, rows) => rows.map((row) => withoutHidden(store, caller, row)) },
)

/**
 * Users see shared views and their own, of tables that they may read. A view whose filter names a hidden attribute does not exist for them:
 * without the filter it would be another one. Administrators see all.
 */
function visibleViews(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql {
  const tables = visibleTables(store, caller, 'table_id', 'read')
  if (caller.administrator || tables === nothing) return tables
  const silent = tellingNothing(store, caller, ofViews)
  return sql`${tables} AND user_id IN (0, ${caller.userId})${silent ? sql` AND ${silent}` : sql``}`
}

/** The view without columns, keys, grouping and figure by attributes that do not exist for the caller. */
function withoutHidden(store: Uses<'catalogue'>, caller: Caller, row: SavedView): SavedView {
  const catalogue = store.catalogue()
  const table = catalogue.tables.get(row.tableId)
  const seen = table ? view(table, caller, catalogue).allAttributes : new Map<string, Attribute>()
  const exists = (name: string) => name === 'id' || seen.has(name)
  const [, summed] = row.figure.split(':')
  return {
    ...row,
    sort: row.sort
      .split(',')
      .filter((key) => exists(key.replace(/^-/, '')))
      .join(','),
    columns: row.columns.flatMap(({ after, ...column }) =>
      column.attribute === '*' || exists(column.attribute)
        ? [{ ...column, ...(after !== undefined && (after === '' || exists(after)) && { after }) }]
        : [],
    ),
    groupBy: exists(row.groupBy.split(':')[0]!) ? row.groupBy : '',
    figure: summed === undefined || exists(summed) ? row.figure : '',
  }
}

type Used = Uses<'db' | 'context' | 'catalogue'>

/** Where no owner is sent, a view of an administrator is shared, and that of another user is their own. */
export function createView(store: Used, caller: Caller, values: Partial<SavedView>): Promise<number> {
  const { tableId = 0, kind = 'grid', filter = '', sort = '', columns = [], groupBy = '', figure = '', span = '' } = values
  const { userId = caller.administrator ? 0 : caller.userId } = values
  const whole = { ...values, kind, filter, sort, columns, groupBy, figure, span, userId }
  return store.db.write(async (tx) => {
    await mustBeOwner(tx, caller, userId, WHAT)
    await mustFit(store, caller, tableId, whole)
    await ownerMustHaveRoom(store, tx, userId)
    const id = await insertRow(tx, caller, savedViews, whole)
    await noteNames(tx, id, filter, ofViews)
    return id
  })
}

export function updateView(store: Used, caller: Caller, id: number, changes: Partial<SavedView>): Promise<void> {
  return store.db.write(async (tx) => {
    const now = await findRow((query) => tx.all(query), savedViews, id, visibleViews(store, caller))
    if (!now) throw fail('resource.not_found', { type: 'view', id })
    mayWriteView(caller, now)
    const { userId = now.userId, filter } = changes
    if (changes.userId !== undefined) await mustBeOwner(tx, caller, userId, WHAT)
    if (userId !== now.userId) await ownerMustHaveRoom(store, tx, userId)
    await mustFit(store, caller, now.tableId, changes)
    await updateRow(tx, caller, savedViews, id, changes)
    if (filter !== undefined) await noteNames(tx, id, filter, ofViews)
  })
}

export function deleteView(store: Uses<'db' | 'catalogue'>, caller: Caller, id: number): Promise<void> {
  return store.db.write(async (tx) => {
    const now = await findRow((query) => tx.all(query), savedViews, id, visibleViews(store, caller))
    if (!now) throw fail('resource.not_found', { type: 'view', id })
    mayWriteView(caller, now)
    await deleteRows(tx, caller, savedViews, sql`id = ${id}`)
    await forgetNames(tx, id, ofViews)
  })
}

const WHAT = 'write the views of others'

/** @throws `access.denied` for views of others, and for a token that may only read. */
export function mayWriteView(caller: Caller, saved: SavedView | undefined): void {
  writer(caller, 'write views')
  if (saved?.userId !== caller.userId && !caller.administrator) throw fail('access.denied', { what: WHAT })
}

const ownerMustHaveRoom = (store: Uses<'db'>, tx: Transaction, owner: number): Promise<void> =>
  mustHaveRoom(store, tx, owner === 0 ? limits.sharedViews : limits.viewsPerUser, {
    table: 'saved_views',
    which: sql`user_id = ${owner}`,
    owner,
  })

type Shown = Partial<Pick<SavedView, 'kind' | 'filter' | 'sort' | 'columns' | 'groupBy' | 'figure' | 'span'>>

/** Checks what is set, with the rights of the user who saves it. */
async function mustFit(store: Used, caller: Caller, tableId: number, shown: Shown): Promise<void> {
  const { kind, filter, sort, columns, groupBy, figure, span } = shown
  await mustFitTable(store, caller, tableId, { filter: filter || undefined, attribute: 'filter' })
  const { allAttributes: attributes } = grant('read', tableId, caller, store.catalogue())
  const refuse = (attribute: keyof Shown, why: string) => fail('field.invalid_value', { why }, { attribute })
  if (kind !== undefined && !viewKinds.some((one) => one === kind)) throw refuse('kind', `A view is one of ${viewKinds.join(', ')}.`)
  if (sort) within('sort', () => parseSort(sort, attributes))
  if (groupBy) within('groupBy', () => parseGrouping(groupBy, attributes))
  if (figure?.includes(',')) throw refuse('figure', 'A chart shows one figure.')
  if (figure) within('figure', () => parseFigures(figure, attributes))
  if (span && !spans.some((one) => one === span)) throw refuse('span', `A calendar shows one of ${spans.join(', ')}.`)
  const names = columns?.map(({ attribute }) => attribute) ?? []
  const isKnown = (name: string) => name === 'id' || attributes.has(name)
  const behind = columns?.flatMap(({ after }) => (after ? [after] : [])) ?? []
  const unknown = names.find((name) => name !== '*' && !isKnown(name)) ?? behind.find((name) => !isKnown(name))
  if (unknown !== undefined) throw refuse('columns', `There is no attribute '${unknown.slice(0, 100)}'.`)
  if (new Set(names).size < names.length) throw refuse('columns', 'An attribute is a column once.')
}

/** What is wrong with a text is wrong with the attribute that has it. */
function within(attribute: keyof Shown, work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw fail('field.invalid_value', { why: error.message }, { attribute, meta: { ...error.where.meta, code: error.code } })
  }
}
