import { sql, type Sql } from './sql.ts'

/** Characters of a value; to look for a longer one in bytes is quicker in the worst case. */
const SHORT = 16

/**
 * A single strpos cannot be interrupted, and compares character by character: 5 s for the worst 1,000 characters in a text of 1 MB.
 * Bytes are compared by memcmp, which takes 0.1 s there, and at most five times as long as strpos for an ordinary value. In UTF-8
 * both find the same.
 */
export function contains(text: Sql, part: Sql): Sql {
  const found = sql`strpos(${text}, ${part}) > 0`
  const isShort = part.chunks.every((chunk) => ('text' in chunk ? chunk.text === '' : String(chunk.param).length <= SHORT))
  if (isShort) return found
  const bytes = (of: Sql) => sql`convert_to(${of}, 'UTF8')`
  return sql`CASE WHEN octet_length(${text}) < 8192 THEN ${found} ELSE position(${bytes(part)} IN ${bytes(text)}) > 0 END`
}
