import type { Expression } from '../filter/ast.ts'
import { check } from '../filter/check.ts'
import { compile } from '../filter/compile.ts'
import { join, name, sql } from '../sql/sql.ts'
import type { Granted } from './access.ts'
import { recordsOf } from './catalogue.ts'
import { readRecord, scopeOf, selectList, visible, type RecordRow } from './read-records.ts'
import type { Store } from './store.ts'

const PAGE = 500

/** Every record that matches, by id, a few hundred at a time: each batch is a snapshot of its own, the memory constant. */
export async function* walkRecords(store: Store, granted: Granted<'read'>, filter?: Expression): AsyncGenerator<readonly RecordRow[]> {
  const { table, attributes } = granted
  const { dialect } = store.db
  const wanted = filter && compile(check(filter, scopeOf(store, granted, attributes)), dialect)
  const limits = [visible(store, granted), wanted].filter((one) => one !== undefined).map((one) => sql`(${one})`)
  let last = 0
  for (;;) {
    const where = join([sql`id > ${last}`, ...limits], ' AND ')
    const [rows] = await store.db.read(
      sql`SELECT ${selectList(attributes, dialect)} FROM ${name(recordsOf(table.id))} WHERE ${where} ORDER BY id LIMIT ${PAGE}`,
    )
    if (rows!.length === 0) return
    const records = rows!.map((row) => readRecord(row, attributes))
    yield records
    last = records.at(-1)!.id
  }
}
