import { fail } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Written } from '../../fields/readers.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { difference } from '../records/checksums.ts'
import { addColumns, chunksOf, dropColumns } from './columns.ts'
import { columnWriting } from './column-writing.ts'
import { convertByKey } from './convert-by-key.ts'
import { convertValue, type Converted } from './convert-value.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { inList } from '../catalogue/visible.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import { tellOfColumn } from './tell-ledgers.ts'
import { writeColumn } from './write-column.ts'

const EXAMPLES = 10

/** Whether the stored values have another meaning under the new type or settings, and must be converted. */
export const needsConversion = (from: Field, to: Field): boolean =>
  from.type !== to.type ||
  from.settings.referenceTableId !== to.settings.referenceTableId ||
  from.type.scale?.(from.settings) !== to.type.scale?.(to.settings)

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
  { lossy, by, key }: { readonly lossy: boolean; readonly by: Caller; readonly key: Field | undefined },
): Promise<void> {
  const { dialect } = store.db
  const { tableId } = from
  await mustNotBeConverted(tx, from)
  await addColumns(tx, dialect, tableId, to.column, to.type)
  const writing = await columnWriting(tx, { tableId, from, to }, othersTurn)
  const examples: { record_id: string; value: string }[] = []
  let count = 0
  for await (const { twin, rows } of chunksOf(tx, dialect, tableId, from)) {
    const told: { readonly id: number; readonly before: Stored; readonly after: Stored }[] = []
    for (const { id, stored, value, lost } of await convertedOf(store, tx, from, to, rows, { writing, key })) {
      if (lost) {
        count++
        if (examples.length < EXAMPLES) examples.push({ record_id: String(id), value: from.type.format(stored, from.settings) })
      }
      if ((isEmpty(to.type, value) && isEmpty(from.type, stored)) || (count > 0 && !lossy)) continue
      told.push({ id, before: stored, after: value })
    }
    const written = told.map(({ id, before, after }) => ({
      id,
      after,
      delta: difference([
        [from.column, before, from.type.empty],
        [to.column, to.type.empty, after],
      ]),
    }))
    await writeColumn(store, tx, twin, to, written, store.context.now())
    await tellOfColumn(tx, dialect, { tableId, act: 'convert', by, from, to }, told)
  }
  if (count > 0 && !lossy) throw fail('field.would_lose_data', { count }, { attribute: 'typeName', meta: { count, examples } })
  if (from.type.files && !to.type.files) await tx.run(sql`DELETE FROM files WHERE table_id = ${tableId} AND field_id = ${from.id}`)
  await dropColumns(tx, dialect, tableId, from.column, from.type)
  await noteFormerColumn(tx, from, key)
}

/** So that the log shows what the column held, and by which field it named records. */
export const noteFormerColumn = (
  tx: Transaction,
  { tableId, id, column, type, settings }: Field,
  key: Pick<Field, 'id'> | undefined,
): Promise<number> =>
  tx.run(sql`INSERT INTO former_columns (table_id, field_id, column_name, type, settings)
    VALUES (${tableId}, ${id}, ${column}, ${type.name}, ${JSON.stringify({ ...settings, ...(key && { namesBy: key.id }) })})`)

/** What the new values depend on besides the old ones. */
export interface Reading {
  /** How the texts of the field are written (column-writing.ts). */
  readonly writing?: Written | undefined
  /** The unique field by whose values the field refers to records from now on; undefined: by their ids. */
  readonly key?: Field | undefined
}

/** The new values of some records. */
export const convertedOf = async (
  store: Uses<'db' | 'context'>,
  tx: Pick<Transaction, 'all'>,
  from: Attribute,
  to: Attribute,
  rows: readonly { readonly id: number; readonly stored: Stored }[],
  { writing, key }: Reading,
): Promise<readonly (Converted & { readonly id: number; readonly stored: Stored })[]> =>
  key
    ? convertByKey(store, tx, { from, to, key }, rows)
    : withoutStrangers(
        tx,
        store.db.dialect,
        from,
        to,
        rows.map(({ id, stored }) => ({ id, stored, ...convertValue(from, to, stored, store.context, writing) })),
      )

/** @throws `field.being_converted` while a job converts the field */
export async function mustNotBeConverted(tx: Pick<Transaction, 'all'>, { id }: Pick<Field, 'id'>): Promise<void> {
  const [row] = await tx.all(sql`SELECT job_id FROM conversions WHERE field_id = ${id}`)
  if (row) throw fail('field.being_converted', { job: Number(row[0]) }, { attribute: 'typeName' })
}

/** Empties values whose ids, taken from another type, do not exist. */
async function withoutStrangers<C extends Converted & { id: number; stored: Stored }>(
  tx: Pick<Transaction, 'all'>,
  dialect: Dialect,
  from: Attribute,
  to: Attribute,
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
