import { LONGEST_NUMBER } from '../../fields/forms/numbers.ts'
import { LONGEST_TIME } from '../../fields/forms/times.ts'
import { columnGuess, type Written } from '../../fields/readers.ts'
import { constant, name, sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import { recordsOf, trashOf, type Conversion } from '../model/catalogue.ts'

/** Records of a step. */
const STEP = 1_000
/** A longer text is neither a date nor a number. */
const LONGEST = Math.max(LONGEST_NUMBER, LONGEST_TIME) + 1

/**
 * How the texts of a field are written that becomes one of dates or numbers, from all of them: beside 31/12/2024, 01/02/2024 is the first of
 * February, and beside 1.234,50, 1.234 is more than a thousand. Undefined: each tells by itself, or they contradict each other. `step`: called
 * before each of its steps.
 */
export async function columnWriting(
  { all }: Pick<Transaction, 'all'>,
  { tableId, from, to }: Pick<Conversion, 'tableId' | 'from' | 'to'>,
  step: () => Promise<unknown>,
): Promise<Written | undefined> {
  const guess = from.type.kind === 'text' ? columnGuess(to.type) : undefined
  if (!guess) return undefined
  const value = sql`substr(${name(from.column)}, 1, ${constant(LONGEST)})`
  for (const twin of [recordsOf(tableId), trashOf(tableId)])
    for (let last = 0, isMore = true; isMore;) {
      await step()
      const rows = await all(sql`SELECT id, ${value} FROM ${name(twin)} WHERE id > ${last} ORDER BY id LIMIT ${STEP}`)
      guess.take(rows.map(([, text]) => String(text)))
      last = Number(rows.at(-1)?.[0] ?? 0)
      isMore = rows.length === STEP
    }
  const written = guess.result()
  return typeof written === 'object' ? written : undefined
}
