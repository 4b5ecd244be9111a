import type { Expression } from '../filter/ast.ts'
import { compile } from '../filter/compile.ts'
import { inTimeOf } from '../filter/patience.ts'
import { join, name, sql } from '../sql/sql.ts'
import type { Granted } from './access.ts'
import { recordsOf } from './catalogue.ts'
import { conditionOf, readRecord, selectList, visible, type RecordRow } from './read-records.ts'
import type { Store } from './store.ts'

/** Records of a batch, at most, and ids among which they are looked for at a time, so that no statement takes long. */
const PAGE = 500
const SPAN = 5_000

/** Every record that matches, by id, a few hundred at a time: each batch is a snapshot of its own, the memory constant. */
export async function* walkRecords(store: Store, granted: Granted<'read'>, filter?: Expression): AsyncGenerator<readonly RecordRow[]> {
  const { table, attributes } = granted
  const { dialect, read, readAside } = store.db
  const wanted = filter && compile(await conditionOf(store, granted, filter), dialect)
  const limits = [visible(store, granted), wanted].filter((one) => one !== undefined).map((one) => sql`(${one})`)
  const reading: typeof read = limits.length > 0 ? (...queries) => readAside(granted.caller, ...queries) : read
  const inTime = limits.length > 0 ? inTimeOf(table.attributes, limits, dialect, true) : undefined
  const from = name(recordsOf(table.id))
  for (let last = 0; ;) {
    const where = join([sql`id > ${last}`, sql`id <= ${last + SPAN}`, ...(inTime ? [inTime] : []), ...limits], ' AND ')
    const [rows, ends] = await reading(
      sql`SELECT ${selectList(attributes, dialect)} FROM ${from} WHERE ${where} ORDER BY id LIMIT ${PAGE}`,
      sql`SELECT coalesce(max(id), 0) FROM ${from}`,
    )
    const records = rows!.map((row) => readRecord(row, attributes))
    if (records.length > 0) yield records
    last = records.length === PAGE ? records.at(-1)!.id : last + SPAN
    if (last >= Number(ends![0]![0])) return
  }
}
