import { constant, sql } from '../../sql/sql.ts'
import { ERASED_FIELD } from '../ground/erased-fields.ts'
import type { Uses } from '../ground/store.ts'
import type { Content } from './content.ts'
import { inSteps } from './steps.ts'

/** Bytes of the contents that a step reads, about. */
const BYTES = 2_097_152

type Used = Uses<'db' | 'environment'>

/**
 * Takes the values of erased fields out of the log, or of one of them, and the files that changes named in these fields, in steps, until a time
 * is over.
 */
export async function stripErasedFields(store: Used, until: number, field?: number): Promise<void> {
  const named = field === undefined ? sql`name LIKE ${constant(`${ERASED_FIELD}%`)}` : sql`name = ${`${ERASED_FIELD}${field}`}`
  const [marks] = await store.db.read(sql`SELECT name, value FROM meta WHERE ${named} ORDER BY name`)
  for (const [mark, value] of marks!) {
    await strip(store, Number(String(mark).slice(ERASED_FIELD.length)), String(value), until)
    if (store.environment.now() >= until) return
  }
}

async function strip({ db, environment }: Used, field: number, mark: string, until: number): Promise<void> {
  const name = `${ERASED_FIELD}${field}`
  const [table, ...begin] = mark.split(' ').map(Number) as [table: number, record: number, change: number]
  let [record, change] = begin
  const { bytesOf, oneOf } = db.dialect
  await inSteps(async (size) => {
    const place = sql`(record_id, id)`
    const after = sql`table_id = ${table} AND ${place} > (${record}, ${change})`
    // Their contents are not read before it is known how long they are.
    const [next] = await db.read(
      sql`SELECT record_id, id, ${bytesOf(sql`content`)} FROM changes WHERE ${after} ORDER BY record_id, id LIMIT ${size}`,
    )
    let bytes = 0
    const some = next!.filter(([, , length], i) => (bytes += Number(length)) <= BYTES || i === 0)
    const last = some.at(-1)
    if (!last) {
      await db.write((tx) => tx.run(sql`DELETE FROM meta WHERE name = ${name}`))
      return { erased: 0, milliseconds: 0, isEnd: true }
    }
    const end = last.slice(0, 2).map(Number) as [record: number, change: number]
    ;[record, change] = end
    const began = environment.now()
    await db.write(async (tx) => {
      // Another sweep may take another field out of the same changes.
      const rows = await tx.all(
        sql`SELECT id, content FROM changes WHERE ${after} AND ${place} <= (${end[0]}, ${end[1]}) AND content LIKE ${constant(`%"f${field}%`)}
          ORDER BY record_id, id${db.dialect.forUpdate}`,
      )
      const stripped = rows.flatMap(([id, content]) => {
        const rest = without(field, String(content))
        return rest === undefined ? [] : [{ id: Number(id), content: rest }]
      })
      const ids = stripped.map(({ id }) => id)
      if (ids.length > 0) await tx.run(sql`DELETE FROM change_files WHERE field_id = ${field} AND ${oneOf(sql`change_id`, ids)}`)
      await Promise.all(stripped.map(({ id, content }) => tx.run(sql`UPDATE changes SET content = ${content} WHERE id = ${id}`)))
      await tx.run(sql`UPDATE meta SET value = ${`${table} ${record} ${change}`} WHERE name = ${name}`)
    })
    const now = environment.now()
    return { erased: some.length, milliseconds: now - began, isEnd: now >= until }
  })
}

/** A content without the columns that the field has or had; undefined: it has none of them. */
function without(field: number, text: string): string | undefined {
  const content = JSON.parse(text) as Content
  const kept = Object.entries(content).filter(([column]) => column !== `f${field}` && !column.startsWith(`f${field}_`))
  return kept.length === Object.keys(content).length ? undefined : JSON.stringify(Object.fromEntries(kept))
}
