import { compare, holds, type Question, type Shown, type World } from '../support/oracle/answer.ts'
import type { Expected, Key } from './model.ts'

/* What is wrong with an answer: a sentence, or undefined. */

export interface Page {
  /** Undefined: a page by cursors, which tells none. */
  readonly total: number | undefined
  readonly rows: readonly Shown[]
}

/** Of a table that nobody writes to. `names`: the attributes that are shown. */
export function exact({ total, rows }: Page, expected: Expected, names: readonly string[]): string | undefined {
  if (total !== undefined && total !== expected.total) return `wrong total: ${total} instead of ${expected.total}`
  const [ids, wanted] = [rows, expected.rows].map((some) => some.map(({ id }) => id).join())
  if (ids !== wanted) return `wrong page: ${ids} instead of ${wanted}`
  for (const [i, row] of rows.entries())
    for (const name of names)
      if (row[name] !== expected.rows[i]![name])
        return `wrong page: ${name} of ${row['id']} is ${JSON.stringify(row[name])} instead of ${JSON.stringify(expected.rows[i]![name])}`
  return undefined
}

export interface Beside {
  readonly questions: readonly Question[]
  /** Of the reader, one of which held; none: all is seen. */
  readonly rules: readonly Question[]
  readonly keys: readonly Key[]
  readonly offset: number
  readonly limit: number
}

/** Of a table that others write to: what can be said of the answer by itself, as page and total are of one state. */
export function beside({ total, rows }: Page, asked: Beside, worlds: readonly World[]): string | undefined {
  const { questions, rules, keys, offset, limit } = asked
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) return 'wrong page: a record twice'
  if (total !== undefined && rows.length !== Math.max(0, Math.min(limit, total - offset)))
    return `wrong total: ${total}, and ${rows.length} records from ${offset} on of at most ${limit}`
  for (const row of rows) {
    const meets = (question: Question) => worlds.some((world) => holds(question, row, world))
    if (!questions.every(meets)) return `wrong page: ${row['id']} does not match: ${JSON.stringify(row)}`
    if (rules.length > 0 && !rules.some(meets)) return `wrong page: ${row['id']} is hidden: ${JSON.stringify(row)}`
  }
  for (let i = 1; i < rows.length; i++)
    if (inOrder(rows[i - 1]!, rows[i]!, keys, worlds[0]!) > 0) return `wrong page: ${rows[i - 1]!['id']} before ${rows[i]!['id']}`
  return undefined
}

function inOrder(one: Shown, other: Shown, keys: readonly Key[], world: World): number {
  for (const { column, descending } of keys) {
    const order = compare(column, one[column.name]!, other[column.name]!, world)
    if (order !== 0) return descending ? -order : order
  }
  return Number(one['id']) - Number(other['id'])
}

/** Of a list each of whose states is known: it is one of them, and not older than what was answered before it was asked for. */
export interface Seen {
  readonly from: number
  readonly total: number
  readonly ids: readonly string[]
  /** Newest first. */
  readonly descending: boolean
}

export function admissible({ from, total, ids, descending }: Seen, states: readonly (readonly string[])[]): string | undefined {
  const is = (state: readonly string[]) =>
    state.length === total && (descending ? state.toReversed() : state).slice(0, 20).join() === ids.join()
  if (states.slice(from).some(is)) return undefined
  const older = states.findLastIndex(is)
  return `wrong page: ${total} in all, ${ids.join()}: ${older < 0 ? 'never so' : `state ${older} of ${states.length}, asked for in ${from}`}`
}
