import { fail } from '../../errors.ts'
import type { Attribute, FieldSettings, Stored } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { Written } from '../../fields/readers.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import { conversionColumns, keptOf, readConversion } from '../catalogue/conversions.ts'
import { endOfLog, GONE, horizonOf } from '../changes/follow-changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Store, Uses } from '../ground/store.ts'
import { recordsOf, trashOf, type Conversion, type Field } from '../model/catalogue.ts'
import { difference } from '../records/checksums.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import { dropUnique } from '../structure/columns.ts'
import { keyNow } from '../structure/convert-by-key.ts'
import { convertedOf, mustNotBeConverted, noteFormerColumn } from '../structure/convert-field.ts'
import { updateField } from '../structure/fields.ts'
import { addSecond, swapSecond } from '../structure/second-columns.ts'
import { bumpTable } from '../structure/tables.ts'
import { writeColumn } from '../structure/write-column.ts'
import { endUpkeep } from './convert-end.ts'
import { EXAMPLES, mustLoseNothing, together, type Losses } from './losses.ts'
import { dropIndexesOf } from '../indexes/index-drop.ts'

/*
 * What a job does that converts a field: it fills a second column (`fillSome`), does again what was changed meanwhile (`followSome`), makes it the
 * column of the field (`swap`), and settles the records (convert-end.ts). ARCHITECTURE.md, Jobs, says why each of them is right.
 */

/** The change of a field as PATCH takes it. */
export interface Wanted {
  readonly fieldId: number
  readonly changes: Parameters<typeof updateField>[3]
  readonly lossy: boolean
}

/** How values become those of the other type. */
export interface Converting {
  readonly lossy: boolean
  /** How the texts of the field are written (column-writing.ts), as it was found when the job began. */
  readonly writing?: Written | undefined
  /** The unique field by whose values they name records. It is looked up in each step, since it may change. */
  readonly referenceBy?: number | null | undefined
}

/** What the change would make of the field. */
class Planned extends Error {
  readonly before: Field
  readonly after: Field
  constructor(before: Field, after: Field) {
    super('The change is planned.')
    this.before = before
    this.after = after
  }
}

/** Finds the two columns by the change itself, which is undone. Undefined: it converts nothing. @throws what the change throws, `field.not_by_job` */
async function planned(store: Store, by: Administrator, { fieldId, changes, lossy }: Wanted): Promise<Planned> {
  try {
    await updateField(store, by, fieldId, changes, {
      lossy,
      takeOver: async (_, before, after) => {
        throw new Planned(before, after)
      },
    })
  } catch (error) {
    if (error instanceof Planned) return error
    throw error
  }
  throw fail('field.not_by_job', { why: 'This change converts no values, so it needs no job.' })
}

/** @throws `field.not_by_job` for what only one transaction can convert */
function mustSuit({ before, after }: Planned): void {
  const refuse = (why: string) => fail('field.not_by_job', { why })
  if (before.type.files || after.type.files) throw refuse('Fields of files are not converted by a job.')
  if (after.type.assigned) throw refuse('A field becomes an autonumber field in one transaction: send the change without asJob.')
  const known = new Set(before.settings.options?.map(({ id }) => id))
  if (after.settings.options?.some(({ id }) => !known.has(id))) throw refuse(NEW_OPTIONS)
}

/** What the change does to the field. @throws what the change would throw, `field.being_converted`, `field.not_by_job` */
export async function mustSuitJob(store: Store, by: Administrator, wanted: Wanted): Promise<Planned> {
  if (store.db.dialect.keysApart) throw fail('field.not_by_job', { why: 'Over a Citus cluster fields are not converted by a job.' })
  const { typeName, options } = wanted.changes
  const now = findById(store, wanted.fieldId)
  if (now && typeName !== undefined && fieldType(typeName)?.settings.includes('options') && !options && !now.settings.options)
    throw fail('field.not_by_job', { why: NEW_OPTIONS })
  const plan = await planned(store, by, wanted)
  mustSuit(plan)
  const [rows] = await store.db.read(sql`SELECT job_id FROM conversions WHERE field_id = ${wanted.fieldId}`)
  if (rows![0]) throw fail('field.being_converted', { job: Number(rows![0][0]) }, { attribute: 'typeName' })
  return plan
}

const NEW_OPTIONS = 'New options are made in one transaction: send the change without asJob.'

const findById = ({ catalogue }: Store, id: number): Field | undefined =>
  [...catalogue().tables.values()].flatMap(({ fields }) => fields).find((field) => field.id === id)

/** Adds the second column. @throws what the change would throw, `field.being_converted`, `field.not_by_job` */
export async function beginConversion(store: Store, by: Administrator, jobId: number, wanted: Wanted): Promise<void> {
  const { before: from, after: to } = await mustSuitJob(store, by, wanted)
  await endUpkeep(store, from.tableId)
  await store.restructure(async (tx) => {
    await mustNotBeConverted(tx, from)
    const [field] = await tx.all(sql`SELECT column_name FROM fields WHERE id = ${from.id} AND deleted = ''`)
    if (field?.[0] !== from.column) throw fail('field.changed_meanwhile')
    await addSecond(tx, store.db.dialect, { tableId: from.tableId, fieldId: from.id, jobId, from, to }, by)
    await bumpTable(tx, from.tableId)
  })
}

/** The conversion of a job; undefined: it has none, or its field or table is gone. */
export async function conversionOf({ db }: Uses<'db'>, jobId: number): Promise<Conversion | undefined> {
  const [rows] = await db.read(sql`SELECT ${conversionColumns} FROM conversions WHERE job_id = ${jobId}`)
  return rows![0] && readConversion(rows![0])
}

/** In a transaction of its step: whether its field and table have not been erased. */
export async function isThere(tx: Pick<Transaction, 'all'>, { id, phase }: Conversion): Promise<boolean> {
  const [row] = await tx.all(sql`SELECT phase FROM conversions WHERE id = ${id}`)
  return row?.[0] === phase
}

/** @throws `field.changed_meanwhile` */
export async function mustBeThere(tx: Pick<Transaction, 'all'>, conversion: Conversion): Promise<void> {
  if (!(await isThere(tx, conversion))) throw fail('field.changed_meanwhile')
}

/** The position of the log from which on `followSome` has to look. */
export const beginningOfLog = (store: Uses<'db'>): Promise<number> => endOfLog(store, async (query) => (await store.db.read(query))[0]!)

/** Records that are counted at once. */
const COUNTED = 10_000

/** Records of the table, and of its trash; counted in steps, since SQLite reads all pages of the table for it. */
export async function sizeOf({ db }: Uses<'db'>, { tableId }: Conversion): Promise<number> {
  let size = 0
  for (const twin of [recordsOf(tableId), trashOf(tableId)])
    for (let last = 0, isMore = true; isMore;) {
      const next = sql`SELECT id FROM ${name(twin)} WHERE id > ${last} ORDER BY id LIMIT ${COUNTED}`
      const [rows] = await db.read(sql`SELECT count(*), coalesce(max(id), 0) FROM (${next}) AS next`)
      const [count, end] = rows![0]!.map(Number) as [number, number]
      size += count
      last = end
      isMore = count === COUNTED
      await othersTurn()
    }
  return size
}

/** Fills the second column in the next records of a twin. `last`: 0 where there are none. */
export async function fillSome(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  conversion: Conversion,
  { lossy, writing, referenceBy }: Converting,
  {
    twin,
    most,
    ...of
  }: { readonly twin: string; readonly most: number } & ({ readonly after: number } | { readonly ids: readonly number[] }),
): Promise<Losses & { readonly last: number; readonly count: number }> {
  const { dialect } = store.db
  const { from, to } = conversion
  const which = 'ids' in of ? dialect.oneOf(sql`id`, of.ids) : sql`id > ${of.after}`
  const read = ({ column, type }: Attribute) => (type.exact ? dialect.integerText(name(column)) : name(column))
  const found = await tx.all(sql`SELECT id, ${read(from)}, ${read(to)} FROM ${name(twin)} WHERE ${which} ORDER BY id LIMIT ${most}`)
  const rows = found.map(([id, stored, filled]) => ({ id: Number(id), stored: stored as Stored, filled: filled as Stored }))
  const filledIn = new Map(rows.map(({ id, filled }) => [id, filled]))
  const converted = await convertedOf(store, tx, from, to, rows, { writing, key: keyNow(store.catalogue(), to, referenceBy) })
  const losing = converted.filter(({ lost }) => lost)
  const written = (lossy || losing.length === 0 ? converted : []).flatMap(({ id, value }) => {
    const filled = filledIn.get(id)!
    return String(value) === String(filled) ? [] : [{ id, after: value, delta: difference([[to.column, filled, value]]) }]
  })
  await writeColumn(store, tx, name(twin), to, written)
  return {
    last: rows.at(-1)?.id ?? 0,
    count: rows.length,
    lost: losing.length,
    examples: losing
      .slice(0, EXAMPLES)
      .map(({ id, stored }) => ({ record_id: String(id), value: from.type.format(stored, from.settings) })),
  }
}

/**
 * Converts again what the log has after a position: records that were written since. `last`: up to where it looked. With `isAlone`, nobody else
 * writes, and the end of the log is that of what is committed.
 * @throws `field.changed_meanwhile` where the log has erased, by age, what was written since
 */
export async function followSome(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  conversion: Conversion,
  how: Converting,
  since: number,
  { most, isAlone = false }: { readonly most: number; readonly isAlone?: boolean },
): Promise<Losses & { readonly last: number; readonly isMore: boolean }> {
  const { tableId } = conversion
  const before = isAlone ? sql`` : sql` AND id < ${horizonOf(store)}`
  const rows = await tx.all(
    sql`SELECT id, record_id FROM changes WHERE id > ${since} AND table_id = ${tableId}${before} ORDER BY id LIMIT ${most}`,
  )
  // Read after the changes: up to where they go is committed before they go.
  const [gone] = await tx.all(sql`SELECT value FROM meta WHERE name = ${GONE}`)
  if (since < Number(gone?.[0] ?? 0)) throw fail('field.changed_meanwhile')
  const ids = [...new Set(rows.map(([, record]) => Number(record)))]
  let losses: Losses = { lost: 0, examples: [] }
  if (ids.length > 0)
    for (const twin of [recordsOf(tableId), trashOf(tableId)]) {
      const filled = await fillSome(store, tx, conversion, how, { twin, ids, most })
      losses = together(losses, filled)
    }
  return { ...losses, last: rows.length > 0 ? Number(rows.at(-1)![0]) : since, isMore: rows.length === most }
}

/** Makes the second column that of the field, in one transaction in which nobody else writes. @throws as the change, `field.changed_meanwhile` */
export const swap = (
  store: Store,
  by: Administrator,
  conversion: Conversion,
  { fieldId, changes, lossy, writing }: Wanted & Converting,
  since: number,
  lastly: (tx: Transaction) => Promise<void>,
): Promise<void> =>
  updateField(store, by, fieldId, changes, {
    lossy,
    takeOver: async (tx, before, after) => {
      // Where the transaction is run again, the batch that it began does not hold.
      by.batch?.id.fill(0)
      await mustBeThere(tx, conversion)
      if (!isSame(conversion.from, before) || !isSame(conversion.to, after)) throw fail('field.changed_meanwhile')
      for (let at = since; ;) {
        const how = { lossy, writing, referenceBy: changes.referenceBy }
        const { last, isMore, ...losses } = await followSome(store, tx, conversion, how, at, { most: 500, isAlone: true })
        mustLoseNothing(losses, lossy)
        at = last
        if (!isMore) break
      }
      await dropUnique(tx, store.db.dialect, before.tableId, before.column)
      await dropIndexesOf(tx, store.db.dialect, before.tableId, before.column)
      await noteFormerColumn(tx, before, keyNow(store.catalogue(), after, changes.referenceBy))
      await swapSecond(tx, conversion)
      await lastly(tx)
    },
  }).catch((error: unknown) => {
    // The change itself refuses it in other words.
    keyNow(store.catalogue(), conversion.to, changes.referenceBy)
    throw error
  })

/** Whether values mean the same in both. What only concerns new values does not matter. */
function isSame(one: Attribute, other: Attribute): boolean {
  const parts = (of: Attribute): string => {
    const {
      required: _,
      unique: __,
      defaultValue: ___,
      hint: ____,
      ...settings
    } = (JSON.parse(keptOf(of)) as { settings: FieldSettings }).settings
    return JSON.stringify([of.column, of.type.name, Object.entries(settings).sort()])
  }
  return parts(one) === parts(other)
}
