import { plain, type Attribute, type FieldSettings, type Stored } from '../../fields/field-type.ts'
import { fail } from '../../errors.ts'
import { fieldType } from '../../fields/index.ts'
import { limits } from '../../limits.ts'
import { anyOf, constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import { nothing } from '../catalogue/visible.ts'
import type { Row } from '../ground/db.ts'
import { committed, relation } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { rightsOn, view, type Caller, type View } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { recordsOf, trashOf, type Table } from '../model/catalogue.ts'
import { memo } from '../../memory/memo.ts'
import { and, readCondition } from '../records/read-records.ts'
import { actions, ways } from './codes.ts'
import type { Content, Side } from './content.ts'
import { hiddenOrigin, origin } from './hidden-origin.ts'
import { resourceType, seesResourceChanges } from './resource-changes.ts'

/** A change of a record or of a resource, as a caller sees it. */
export interface Change {
  /** Its position in the order in which changes were committed. */
  readonly id: number
  /** 0: a change of structure, rights or users. */
  readonly tableId: number
  readonly recordId: number
  /** With the table 0; '' for records. */
  readonly resourceType: string
  readonly action: string
  /** 0: the operator at the command line, or the service. */
  readonly userId: number
  readonly tokenId: number
  readonly via: string
  /** The position of the first change of the same request, import or command. */
  readonly batchId: number
  /** In the instance's zone. */
  readonly madeAt: string
  /** null in lists where it is long (limits.changeInList). */
  readonly changes: Shown | null
}

/** By attribute, its text before and after; null: the record was not there, or the attribute. Of a resource: by column, its values in JSON. */
export type Shown = Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>

type Used = Uses<'db' | 'catalogue' | 'context'>

/** The text for a number of the log. */
export const named = (column: string, codes: Readonly<Record<string, number>>): Sql =>
  sql`CASE ${name(column)} ${join(
    Object.entries(codes).map(([word, code]) => sql`WHEN ${constant(code)} THEN ${constant(word)}`),
    ' ',
  )} END`

const columnsBeside = ({ userId, tokenId, madeAt }: typeof origin) => sql`id, ${userId} AS user_id, ${tokenId} AS token_id, batch_id,
  ${madeAt} AS made_at, touched, ${resourceType} AS resource_type, ${resourceType} AS resource_typek,
  ${named('action', actions)} AS action, ${named('action', actions)} AS actionk, ${named('via', ways)} AS via, ${named('via', ways)} AS viak`
const otherColumns = columnsBeside(origin)
const shownColumns = sql`table_id, record_id, ${otherColumns}`
const shortContent = sql`CASE WHEN length(content) > ${constant(limits.changeInList.most)} THEN '' ELSE content END AS content`

const shownTo =
  (content: Sql) =>
  (store: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined => {
    const hidden = hiddenOrigin(store, caller)
    return hidden && sql`(SELECT table_id, record_id, ${columnsBeside(hidden)}, ${content} FROM changes) AS shown`
  }

export const changes = relation<Change>(
  'changes',
  {
    id: ['id', 'integer'],
    tableId: ['table_id', 'integer'],
    recordId: ['record_id', 'integer'],
    resourceType: ['resource_type', 'text'],
    action: ['action', 'text'],
    userId: ['user_id', 'integer'],
    tokenId: ['token_id', 'integer'],
    via: ['via', 'text'],
    batchId: ['batch_id', 'integer'],
    madeAt: ['made_at', 'datetime'],
    changes: ['content', 'json'],
  },
  visible,
  sql`(SELECT ${shownColumns}, ${shortContent} FROM changes) AS shown`,
  {
    shownTo: shownTo(shortContent),
    complete: async (store, caller, rows) => showChanges(store as Used, caller, await withSeenOfLong(store as Used, caller, rows)),
    logging: false,
  },
)

/** The same with contents of any length: for one change, and where a page is bounded by bytes. */
export const wholeChanges: typeof changes = {
  ...changes,
  from: sql`(SELECT ${shownColumns}, content FROM changes) AS shown`,
  shownTo: shownTo(sql`content`),
}

/** `+`: the log is read in its order until a page is full, not all changes of a table by the index over records. */
const inOrder: Sql = sql`+table_id`

/** The same to be read in their order only, whatever a filter asks. */
export const changesInOrder: Sql = sql`(SELECT ${inOrder} AS table_id, +record_id AS record_id, ${otherColumns}, content FROM changes) AS shown`

/**
 * Of a page of the log in its order, the changes up to so many bytes of contents, at least one. The page is `changesInOrder` with what
 * follows there. Contents after the end are not read: SQLite would copy those of the whole page for the sum. PostgreSQL has long ones
 * apart from their rows.
 */
export function upToBytes({ db: { dialect } }: Uses<'db'>, bytes: number, page: Sql): Sql {
  const others = Object.values<readonly [string, string]>(wholeChanges.columns).flatMap(([column]) =>
    column === 'content' ? [] : [name(column)],
  )
  const carried = join(dialect.shared ? [...others, sql`content`] : others, ', ')
  const content = dialect.shared ? sql`content` : sql`(SELECT content FROM changes AS one WHERE one.id = summed.id)`
  return sql`SELECT ${join([...others, content], ', ')} FROM (SELECT ${carried}, sum(size) OVER (ORDER BY id) - size AS before
    FROM (SELECT ${carried}, ${dialect.bytesOf(sql`content`)} AS size FROM ${changesInOrder} ${page}) AS page) AS summed
    WHERE before < ${bytes} ORDER BY id`
}

/** The changes of one record: its read filter is applied to that record alone. */
export const changesOf = (tableId: number, recordId: number): typeof changes => ({
  ...changes,
  visible: (store, caller) => visibleChanges(store, caller, { record: { tableId, recordId } }),
})

/** Of one change, too, the read filter is applied to its record alone. */
async function visible(store: Uses<'db' | 'catalogue'>, caller: Caller, id?: number): Promise<Sql> {
  if (id === undefined || hasEveryRight(caller)) return visibleChanges(store, caller)
  const [rows] = await store.db.readLittle(caller, sql`SELECT table_id, record_id FROM changes WHERE id = ${id}`)
  const [tableId, recordId] = (rows![0] ?? [0, 0]).map(Number) as [number, number]
  return visibleChanges(store, caller, { record: { tableId, recordId } })
}

interface OfRecord {
  readonly tableId: number
  readonly recordId: number
}

/**
 * The changes of records that the caller may read by today's rights; not those that touched only fields that are hidden from them.
 * `candidates`: also those of records that a read filter hides, of which stream-view.ts decides. `record`: only those of this record.
 */
export function visibleChanges(
  store: Uses<'db' | 'catalogue'>,
  caller: Caller,
  { candidates = false, record }: { readonly candidates?: boolean; readonly record?: OfRecord } = {},
): Sql {
  const catalogue = store.catalogue()
  const tables = [...catalogue.tables.keys()].filter((id) => rightsOn(id, caller, catalogue).has('read'))
  const seen = seesResourceChanges(caller) ? [0, ...tables] : tables
  if (hasEveryRight(caller) && seen.length > 0) return store.db.dialect.oneOf(inOrder, seen)
  const asked = record ? tables.filter((id) => id === record.tableId) : tables
  const conditions = asked.map((id) => ofTable(store as Used, view(catalogue.tables.get(id)!, caller, catalogue), candidates, record))
  return conditions.length === 0 ? nothing : anyOf(conditions)
}

function ofTable(store: Used, granted: View, candidates: boolean, record: OfRecord | undefined): Sql {
  const { id } = granted.table
  const own = record ? sql`${inOrder} = ${id} AND record_id = ${record.recordId}` : sql`${inOrder} = ${id}`
  const only = record ? sql`id = ${record.recordId} AND ` : sql``
  // A record may leave a filter, or come into it, by a field that is hidden.
  if (candidates && granted.readFilter !== '') return sql`(${own})`
  const condition = readCondition(store, granted)
  const records = condition
    ? sql` AND record_id IN (${join(
        [recordsOf(id), trashOf(id)].map((twin) => sql`SELECT id FROM ${name(twin)} WHERE ${only}(${condition})`),
        ' UNION ALL ',
      )})`
    : sql``
  // Not by what is hidden: a field that is erased is not known any more, nor from whom it was hidden.
  const { contains } = store.db.dialect
  const seen = anyOf([...granted.attributes.keys()].map((attribute) => contains(sql`touched`, constant(`|${attribute}|`))))
  return sql`(${own}${records} AND (touched = '' OR ${seen}) AND NOT (action = 'convert' AND content = '{}'))`
}

/** The contents of rows as texts, without what is hidden from the caller. */
export async function showChanges(store: Used, caller: Caller, rows: readonly Change[]): Promise<Change[]> {
  const catalogue = store.catalogue()
  const tables = new Set(rows.map(({ tableId }) => tableId))
  const columns = new Map<number, ReadonlyMap<string, Attribute>>()
  for (const id of tables) {
    const table = catalogue.tables.get(id)
    if (table) columns.set(id, await columnsOf(store, view(table, caller, catalogue)))
  }
  return rows.map((row) => {
    const content = row.changes as unknown as Content | null
    if (content === null) return row
    return { ...row, changes: row.tableId === 0 ? sides(content) : shown(row.action, content, columns.get(row.tableId) ?? new Map()) }
  })
}

/** What is hidden does not make a change long: of those that are, the content that the caller sees, where that alone is not. */
async function withSeenOfLong(store: Used, caller: Caller, rows: readonly Change[]): Promise<readonly Change[]> {
  if (hasEveryRight(caller)) return rows
  const catalogue = store.catalogue()
  const { dialect } = store.db
  const long = Map.groupBy(
    rows.filter(({ changes }) => changes === null),
    ({ tableId }) => tableId,
  )
  const queries: Sql[] = []
  for (const [tableId, ofTable] of long) {
    const table = catalogue.tables.get(tableId)
    if (!table) continue
    const columns = [...(await columnsOf(store, view(table, caller, catalogue))).keys()]
    const ids = dialect.oneOf(
      sql`id`,
      ofTable.map(({ id }) => id),
    )
    // An engine may write JSON with more blanks.
    queries.push(sql`SELECT id, content FROM (SELECT id, ${dialect.members(sql`content`, columns)} AS content FROM changes WHERE ${ids}) AS seen
      WHERE length(content) <= ${2 * limits.changeInList.most}`)
  }
  if (queries.length === 0) return rows
  const seen = new Map(
    (await store.db.readLittle(caller, ...queries)).flat().map(([id, content]) => [Number(id), contentIn(String(content))]),
  )
  return rows.map((row) => ({ ...row, changes: row.changes ?? seen.get(row.id) ?? null }))
}

function contentIn(text: string): Shown | null {
  const content = JSON.parse(text) as Shown
  return [...JSON.stringify(content)].length > limits.changeInList.most ? null : content
}

/** `namesBy`: where it is a column of a former type, the unique field by whose values it named records when it became a reference. */
export interface HeldAttribute extends Attribute {
  readonly namesBy?: number | undefined
}

/** By column, the attribute that it holds or held: those that the caller sees. */
export async function columnsOf(store: Uses<'db'>, { table, attributes }: View): Promise<ReadonlyMap<string, HeldAttribute>> {
  const columns = new Map<string, HeldAttribute>([...attributes.values()].map((attribute) => [attribute.column, attribute]))
  for (const [fieldId, column, type, settings] of await formerColumns(store, table)) {
    const attribute = attributes.get(`f${Number(fieldId)}`)
    const known = fieldType(String(type))
    if (!attribute || !known) continue
    const { namesBy, ...held } = JSON.parse(String(settings)) as Partial<FieldSettings> & { readonly namesBy?: number }
    columns.set(String(column), { name: attribute.name, column: String(column), type: known, settings: { ...plain, ...held }, namesBy })
  }
  return columns
}

/** Read once for each version of a table: a conversion gives it another one. */
async function formerColumns(store: Uses<'db'>, table: Table): Promise<readonly Row[]> {
  const known = formerKnown(table)
  return (known.rows ??= await committed(store)(
    sql`SELECT field_id, column_name, type, settings FROM former_columns WHERE table_id = ${table.id} ORDER BY id`,
  ))
}

const formerKnown = memo((_: Table): { rows?: readonly Row[] } => ({}))

/** Of a resource: its columns, and the values that it has, which are no texts. */
const sides = (content: Content): Shown =>
  Object.fromEntries(Object.entries(content).map(([column, [from, to]]) => [column, { from, to }])) as unknown as Shown

/** Of a field that got another type, one column tells what it held before, and another one what it holds after. */
function shown(action: string, content: Content, columns: ReadonlyMap<string, Attribute>): Shown {
  const stays = action === 'update' || action === 'convert'
  const texts: Record<string, { from: string | null; to: string | null }> = {}
  for (const [column, [from, to]] of Object.entries(content)) {
    const attribute = columns.get(column)
    if (!attribute) continue
    const known = texts[attribute.name]
    const empty = stays ? textOf(attribute, attribute.type.empty as Side) : null
    const text = (side: Side, otherwise: string | null | undefined) => textOf(attribute, side) ?? otherwise ?? empty
    texts[attribute.name] = { from: text(from, known?.from), to: text(to, known?.to) }
  }
  return texts
}

/** The text of a value in responses; null for nothing. */
export const textOf = ({ type, settings }: Attribute, side: Side): string | null =>
  side === null ? null : type.format(typeof side === 'object' ? side.value : (side as Stored), settings)

/** @throws `record.not_found` where the caller may not read the record, or where it is erased; it may be in the trash, if they see it there. */
export async function seeRecord(store: Uses<'db' | 'context'>, granted: View, id: number): Promise<void> {
  const { table, caller } = granted
  const readable = and(readCondition(store, granted))
  const own = hasEveryRight(caller)
    ? sql``
    : sql` AND id IN (SELECT item_id FROM trash WHERE kind = 'record' AND table_id = ${table.id} AND item_id = ${id} AND user_id = ${caller.userId})`
  const [rows] = await store.db.readLittle(
    caller,
    sql`SELECT id FROM ${name(recordsOf(table.id))} WHERE id = ${id}${readable}
      UNION ALL SELECT id FROM ${name(trashOf(table.id))} WHERE id = ${id}${readable}${own}`,
  )
  if (rows!.length === 0) throw fail('record.not_found', { table: table.id, record: id })
}
