import { plain } from '../../fields/field-type.ts'
import { phone } from '../../fields/phone.ts'
import { name, sql } from '../../sql/sql.ts'
import {
  forgetComing,
  phoneCountryIn,
  readComing,
  readPhoneCountry,
  setComing,
  setPhoneCountry,
  type Coming,
} from '../catalogue/phone-country.ts'
import { recordsOf, trashOf } from '../model/catalogue.ts'
import type { Db, Row, Transaction } from '../ground/db.ts'
import { dropIndexesOf } from '../indexes/index-drop.ts'
import { tellProcesses } from '../schema/standing.ts'
import { createUnique, dropUnique } from '../structure/columns.ts'
import { bumpTable } from '../structure/tables.ts'
import { collisionsIn, type Collision, type PhoneField } from './phone-collisions.ts'

/*
 * Writes the keys of all phone fields by the rules of another country: in short transactions, each of which also writes how far it is, so
 * that an interrupted conversion goes on where it was. Until it is finished, nothing else opens the installation. Fields in the trash
 * have keys too.
 */

export type Converted =
  | { readonly is: 'same' }
  | { readonly is: 'refused'; readonly count: number; readonly collisions: readonly Collision[] }
  | { readonly is: 'done'; readonly fields: number; readonly keys: number }

type Progress = (done: number) => Promise<void>

/** Changes nothing where records of a unique field would have the same number. */
export async function convertPhones(db: Db, country: string, progress: Progress): Promise<Converted> {
  const [kept, coming] = await db.read(readPhoneCountry, readComing)
  const now = coming![0] === undefined ? undefined : (JSON.parse(String(coming![0][0])) as Coming)
  if (now === undefined && phoneCountryIn(kept!) === country) return { is: 'same' }
  const fields = await phoneFields(db)
  if (now?.to !== country) {
    const { count, collisions } = await collisionsIn(db, fields, country)
    if (count > 0) return { is: 'refused', count, collisions }
  }
  const begun = now?.to === country ? now : await begin(db, fields, country)
  const keys = await convertFields(db, fields, begun, progress)
  await db.write((tx) => finish(tx, db, fields, country), { alone: true })
  return { is: 'done', fields: fields.length, keys }
}

async function phoneFields(db: Db): Promise<PhoneField[]> {
  const [rows, tables] = await db.read(
    sql`SELECT id, table_id, title, column_name, is_unique, deleted FROM fields WHERE type = ${phone.name} ORDER BY id`,
    sql`SELECT id, title FROM tables`,
  )
  const titles = new Map(tables!.map(([id, title]) => [Number(id), String(title)]))
  return rows!.map(([id, tableId, title, column, unique, deleted]) => ({
    id: Number(id),
    tableId: Number(tableId),
    title: String(title),
    tableTitle: titles.get(Number(tableId)) ?? '',
    column: String(column),
    unique: unique === 1 && deleted === '',
  }))
}

/** Unique indexes are made again when all keys of a field are written: meanwhile two of them may be the same. Indexes for lists are made by use. */
function begin(db: Db, fields: readonly PhoneField[], to: string): Promise<Coming> {
  return db.write(
    async (tx) => {
      for (const { tableId, column } of fields) {
        await dropUnique(tx, db.dialect, tableId, column)
        await dropIndexesOf(tx, db.dialect, tableId, column)
      }
      const coming: Coming = { to, fields: [], twin: 0, last: 0 }
      await setComing(tx, coming)
      await tellProcesses(tx, db.dialect.shared)
      return coming
    },
    { alone: true },
  )
}

/** Records of one step. */
const STEP = 1_000

/** The number of keys that were changed. */
async function convertFields(db: Db, fields: readonly PhoneField[], begun: Coming, progress: Progress): Promise<number> {
  let coming = begun
  let [keys, done] = [0, 0]
  for (const field of fields.filter(({ id }) => !begun.fields.includes(id))) {
    while (coming.twin < 2) {
      const step = await convertStep(db, field, coming)
      ;[coming, keys, done] = [step.coming, keys + step.keys, done + step.records]
      await progress(done)
    }
    coming = { to: coming.to, fields: [...coming.fields, field.id], twin: 0, last: 0 }
    await db.write((tx) => endField(tx, db, field, coming), { alone: true })
  }
  return keys
}

function convertStep(db: Db, { tableId, column }: PhoneField, coming: Coming) {
  const twin = name(coming.twin === 0 ? recordsOf(tableId) : trashOf(tableId))
  const keyColumn = name(`${column}k`)
  const settings = { ...plain, phoneCountry: coming.to }
  return db.write(
    async (tx) => {
      const rows = await tx.all(sql`SELECT id, ${name(column)}, ${keyColumn} FROM ${twin}
        WHERE id > ${coming.last} AND ${name(column)} <> '' ORDER BY id LIMIT ${STEP}`)
      const changed = rows.flatMap(([id, value, before]): Row[] => {
        const key = phone.key!(String(value), settings)
        return key === before ? [] : [[Number(id), key]]
      })
      await Promise.all(changed.map(([id, key]) => tx.run(sql`UPDATE ${twin} SET ${keyColumn} = ${key!} WHERE id = ${id!}`)))
      const isEnd = rows.length < STEP
      const next: Coming = { ...coming, twin: coming.twin + (isEnd ? 1 : 0), last: isEnd ? 0 : Number(rows.at(-1)![0]) }
      await setComing(tx, next)
      return { coming: next, keys: changed.length, records: rows.length }
    },
    { alone: true },
  )
}

async function endField(tx: Transaction, { dialect }: Db, { id, tableId, column, unique }: PhoneField, coming: Coming): Promise<void> {
  const settings = { ...plain, phoneCountry: coming.to }
  if (unique) await createUnique(tx, dialect, tableId, { name: `f${id}`, column, keyColumn: `${column}k`, type: phone, settings })
  await setComing(tx, coming)
}

async function finish(tx: Transaction, { dialect }: Db, fields: readonly PhoneField[], country: string): Promise<void> {
  await setPhoneCountry(tx, country)
  await forgetComing(tx)
  for (const id of new Set(fields.map(({ tableId }) => tableId))) await bumpTable(tx, id)
  await tellProcesses(tx, dialect.shared)
}
