import { createHash } from 'node:crypto'
import type Database from 'better-sqlite3'
import { gramsOf } from '../../sql/grams.ts'
import { beginsWord, taggedWords } from '../../sql/words.ts'

/** Adds the SQL functions that statements of the dialect use, besides `in_time` (time-limit.ts). Every connection that runs such statements has them. */
export function addFunctions(connection: Database.Database): void {
  connection.function('grams', { deterministic: true, varargs: true }, (text, without = '') => gramsOf(String(text), String(without)))
  connection.function('words', { deterministic: true, varargs: true }, (content, without = '') =>
    taggedWords(String(content), String(without)),
  )
  connection.function('digest', { deterministic: true }, (text) => createHash('sha256').update(String(text)).digest('hex').slice(0, 32))
  connection.function('begins_word', { deterministic: true }, (text, word) => Number(beginsWord(String(text), String(word))))
}
