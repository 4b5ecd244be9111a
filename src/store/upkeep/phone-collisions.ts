import { normalForm } from '../../fields/forms/phone-numbers.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import { recordsOf } from '../model/catalogue.ts'

/* Records of unique phone fields that would have the same number by the rules of a country. */

export interface PhoneField {
  readonly id: number
  readonly tableId: number
  readonly title: string
  readonly tableTitle: string
  readonly column: string
  /** Whether no two records may have the same number. */
  readonly unique: boolean
}

export interface Collision {
  readonly field: PhoneField
  /** Some of the records, with their numbers as they were typed. */
  readonly records: readonly { readonly id: number; readonly value: string }[]
}

/** Numbers that are named, and records of each; numbers that are counted. */
const [NAMED, MEMBERS, COUNTED] = [200, 5, 100_000]
/** Records read at once. */
const CHUNK = 2_000

/**
 * `count`: numbers that several records would have, up to COUNTED of a field; the first are named. Memory: eight bytes for each record of
 * a field, beside these.
 */
export async function collisionsIn(
  db: Pick<Db, 'read'>,
  fields: readonly PhoneField[],
  country: string,
): Promise<{ count: number; collisions: readonly Collision[] }> {
  let count = 0
  const collisions: Collision[] = []
  for (const field of fields.filter(({ unique }) => unique)) {
    const twice = await hashesHeldTwice(db, field, country)
    if (twice.size === 0) continue
    const byKey = new Map<string, { id: number; value: string }[]>()
    for await (const { id, value } of valuesOf(db, field)) {
      const key = normalForm(value, country)
      if (!twice.has(hashOf(key))) continue
      const records = byKey.get(key)
      if (!records && byKey.size < COUNTED) byKey.set(key, [{ id, value }])
      if (records && records.length < MEMBERS) records.push({ id, value })
    }
    // Other numbers may have the same hash.
    const found = [...byKey.values()].filter((records) => records.length > 1)
    count += found.length
    collisions.push(...found.slice(0, NAMED - collisions.length).map((records) => ({ field, records })))
  }
  return { count, collisions }
}

async function hashesHeldTwice(db: Pick<Db, 'read'>, field: PhoneField, country: string): Promise<ReadonlySet<number>> {
  let hashes = new Float64Array(1_024)
  let length = 0
  for await (const { value } of valuesOf(db, field)) {
    if (length === hashes.length) {
      const larger = new Float64Array(2 * length)
      larger.set(hashes)
      hashes = larger
    }
    hashes[length++] = hashOf(normalForm(value, country))
  }
  const sorted = hashes.subarray(0, length).sort()
  const twice = new Set<number>()
  for (let i = 1; i < length; i++) if (sorted[i] === sorted[i - 1]) twice.add(sorted[i]!)
  return twice
}

async function* valuesOf({ read }: Pick<Db, 'read'>, { tableId, column }: PhoneField): AsyncGenerator<{ id: number; value: string }> {
  for (let last = 0; ;) {
    const [rows] = await read(sql`SELECT id, ${name(column)} FROM ${name(recordsOf(tableId))}
      WHERE id > ${last} AND ${name(column)} <> '' ORDER BY id LIMIT ${CHUNK}`)
    for (const [id, value] of rows!) yield { id: Number(id), value: String(value) }
    if (rows!.length < CHUNK) return
    last = Number(rows!.at(-1)![0])
  }
}

/** 53 bits: two multiplications, as FNV-1a has one. Keys with the same hash are compared by a second look. */
function hashOf(key: string): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9]
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 15)
  }
  return (high >>> 0) * 0x200000 + (low >>> 11)
}
