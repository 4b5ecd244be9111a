import { fail } from '../../errors.ts'
import type { Stored } from '../../fields/field-type.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, raw, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { difference } from '../records/checksums.ts'
import { addColumns, chunksOf, dropColumns } from './columns.ts'
import { convertValue, type Converted } from './convert-value.ts'
import type { Transaction } from '../ground/db.ts'
import { updated } from '../records/next-version.ts'
import { columnsOf } from '../records/present.ts'
import type { Uses } from '../ground/store.ts'
import { inList } from '../catalogue/visible.ts'
import { tellOfColumn } from './tell-ledgers.ts'

const EXAMPLES = 10

/** Whether the stored values have another meaning under the new type or settings, and must be converted. */
export const needsConversion = (from: Field, to: Field): boolean =>
  from.type !== to.type ||
  from.settings.referenceTableId !== to.settings.referenceTableId ||
  from.type.scale?.(from.settings) !== to.type.scale?.(to.settings)

/** The name of the next column of a field: f12, f12_2, f12_3 … Each conversion makes a new one. */
export function nextColumn(column: string): string {
  const [base, count = '1'] = column.split('_')
  return `${base}_${Number(count) + 1}`
}

/**
 * Fills the new column of a field from the old one and drops the old one. Reads go on meanwhile; writes wait. Where the field becomes a
 * list, its options exist already (`newOptions` in fields.ts).
 * @throws `field.would_lose_data` with a count and examples, unless losing is allowed.
 */
export async function convertField(
  store: Uses<'db' | 'context'>,
  tx: Transaction,
  from: Field,
  to: Field,
  { lossy, by }: { readonly lossy: boolean; readonly by: Caller },
): Promise<void> {
  const { dialect } = store.db
  const { tableId } = from
  await addColumns(tx, dialect, tableId, to.column, to.type)
  const examples: { record_id: string; value: string }[] = []
  let count = 0
  for await (const { twin, rows } of chunksOf(tx, dialect, tableId, from)) {
    const told: Changed[] = []
    const converted = rows.map(({ id, stored }) => ({ id, stored, ...convertValue(from, to, stored, store.context) }))
    for (const { id, stored, value, lost } of await withoutStrangers(tx, dialect, from, to, converted)) {
      if (lost) {
        count++
        if (examples.length < EXAMPLES) examples.push({ record_id: String(id), value: from.type.format(stored, from.settings) })
      }
      if ((isEmpty(to.type, value) && isEmpty(from.type, stored)) || (count > 0 && !lossy)) continue
      told.push({ id, before: stored, after: value })
    }
    await writeConverted(store, tx, twin, from, to, told)
    await tellOfColumn(tx, dialect, { tableId, act: 'convert', by, from, to }, told)
  }
  if (count > 0 && !lossy) throw fail('field.would_lose_data', { count }, { attribute: 'typeName', meta: { count, examples } })
  if (from.type.files && !to.type.files) await tx.run(sql`DELETE FROM files WHERE table_id = ${tableId} AND field_id = ${from.id}`)
  await dropColumns(tx, dialect, tableId, from.column, from.type)
  await tx.run(sql`INSERT INTO former_columns (table_id, field_id, column_name, type, settings)
    VALUES (${tableId}, ${from.id}, ${from.column}, ${from.type.name}, ${JSON.stringify(from.settings)})`)
}

interface Changed {
  readonly id: number
  readonly before: Stored
  readonly after: Stored
}

/** Characters of the values that one statement writes, about. */
const STATEMENT = 1_000_000

/** Fills the new column in these records, by as few statements as their length allows. */
async function writeConverted(
  { db: { dialect }, context }: Uses<'db' | 'context'>,
  tx: Transaction,
  twin: Sql,
  from: Field,
  to: Field,
  changed: readonly Changed[],
): Promise<void> {
  let rows: (string | number)[][] = []
  let length = 0
  const columns = columnsOf(to, to.type.empty).map(([column]) => column)
  const write = async () => {
    if (rows.length === 0) return
    const set = columns.map((column, i) => {
      const content = name(`c${i}`)
      return sql`${name(column)} = ${i === 0 ? sql`CAST(given.${content} AS ${raw(to.type.column[dialect.engine])})` : sql`given.${content}`}`
    })
    const given = dialect.given(['id', 'n', ...columns.map((_, i) => `c${i}`)], rows)
    await tx.run(sql`UPDATE ${twin} SET ${join(set, ', ')}, ${updated(context.now(), sql`given.n`)}
      FROM ${given} AS given WHERE given.id = ${twin}.id`)
    ;[rows, length] = [[], 0]
  }
  for (const { id, before, after } of changed) {
    const delta = difference([
      [from.column, before, from.type.empty],
      [to.column, to.type.empty, after],
    ])
    const contents = columnsOf(to, after).map(([, content]) => String(content))
    rows.push([id, delta, ...contents])
    length += contents.reduce((sum, content) => sum + content.length, 0)
    if (length >= STATEMENT) await write()
  }
  await write()
}

/** Empties values whose ids, taken from another type, do not exist. */
async function withoutStrangers<C extends Converted & { id: number; stored: Stored }>(
  tx: Transaction,
  dialect: Dialect,
  from: Field,
  to: Field,
  converted: readonly C[],
): Promise<readonly C[]> {
  const { target, ids } = to.type
  const same = from.type.target === target && from.settings.referenceTableId === to.settings.referenceTableId
  if (!target || !ids || same) return converted
  const table = target === 'record' ? recordsOf(to.settings.referenceTableId ?? 0) : `${target}s`
  const named = [...new Set(converted.flatMap(({ value }) => ids(value)))]
  const found = named.length === 0 ? [] : await tx.all(sql`SELECT id FROM ${name(table)} WHERE ${inList(dialect, 'id', named)}`)
  const known = new Set(found.map(([id]) => Number(id)))
  return converted.map((one) => (ids(one.value).every((id) => known.has(id)) ? one : { ...one, value: to.type.empty, lost: true }))
}

/** Writes the folded keys again if they depend on settings that changed, such as labels of options. */
export async function rewriteKeys(store: Uses<'db'>, tx: Transaction, field: Field): Promise<void> {
  if (!field.type.key) return
  for await (const { twin, rows } of chunksOf(tx, store.db.dialect, field.tableId, field)) {
    for (const { id, stored } of rows) {
      if (isEmpty(field.type, stored)) continue
      await tx.run(sql`UPDATE ${twin} SET ${name(field.keyColumn!)} = ${field.type.key(stored, field.settings)} WHERE id = ${id}`)
    }
  }
}
