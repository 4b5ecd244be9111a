import { sql, type Sql } from './sql.ts'

/** Characters of a value up to which strpos is used; for a longer one, comparing bytes is faster in the worst case. */
const SHORT = 16

/**
 * A long value in a long text is searched as bytes. strpos cannot be interrupted and compares character by character: the worst value of
 * 1,000 characters takes 5 s in a text of 1 MB. Comparing bytes (memcmp) takes 0.1 s for it, and up to five times as long as strpos for
 * an ordinary value. In UTF-8 both find the same.
 */
export function contains(text: Sql, part: Sql): Sql {
  const found = sql`strpos(${text}, ${part}) > 0`
  const isShort = part.chunks.every((chunk) => ('text' in chunk ? chunk.text === '' : String(chunk.param).length <= SHORT))
  if (isShort) return found
  const bytes = (of: Sql) => sql`convert_to(${of}, 'UTF8')`
  return sql`CASE WHEN octet_length(${text}) < 8192 THEN ${found} ELSE position(${bytes(part)} IN ${bytes(text)}) > 0 END`
}
