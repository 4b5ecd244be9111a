import { packedOrder } from '../../sets/order-parts.ts'
import { packed } from '../../sets/packed-set.ts'
import { sql, type Sql } from '../../sql/sql.ts'

/* How PostgreSQL gives ids and numbers of many rows at once: as bytes in hexadecimal digits. */

/** Bytes of all rows as one text: a row for each would cost ten times as much. */
export const asHex = (query: Sql, told: Sql): Sql => sql`SELECT encode(string_agg(${told}, ''), 'hex') FROM (${query}) AS found`

/** Ids from 0 to 2^32 - 1. */
export const ID = sql`int4send((id - 2147483648)::integer)`
export const ID_BYTES = 4
/** An id and a number of 8 bytes, named `value`. */
export const PAIR = sql`${ID} || int8send(value)`
export const PAIR_BYTES = 12

/** The ids with which entries of so many bytes begin. */
export function idsIn(bytes: Buffer, step: number): Uint32Array {
  const ids = new Uint32Array(bytes.length / step)
  for (let i = 0; i < ids.length; i++) ids[i] = idOf(bytes, step * i)
  return ids
}

export const idOf = (bytes: Buffer, at: number): number => (bytes.readInt32BE(at) + 2_147_483_648) >>> 0

/** Those beyond 2^53 are not exact, and too wide for a column. */
export function valuesIn(bytes: Buffer): Float64Array {
  const values = new Float64Array(bytes.length / PAIR_BYTES)
  for (let i = 0; i < values.length; i++) {
    const at = PAIR_BYTES * i + ID_BYTES
    values[i] = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
  }
  return values
}

/** Read before anybody asks, for `warmUp`. */
export const SOME_IDS = sql`SELECT generate_series(1, 20000) AS id`
const TIMES = 3

/** Until the code for ids has run for a while, it is so slow that whoever asks first would wait some 10 ms longer. */
export function warmUp(hex: string): void {
  for (let i = 0; i < TIMES; i++) {
    const ids = idsIn(Buffer.from(hex, 'hex'), ID_BYTES)
    packed(ids)
    packedOrder(ids)
  }
}
