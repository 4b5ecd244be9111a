import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { isDamage } from './damage.ts'
import type { Row } from '../ground/db.ts'
import { inSnapshot, readAll, statements, type Rendered } from './connection.ts'
import { addFunctions } from './functions.ts'
import { setsWith } from './piece-scan.ts'
import { GONE, OTHERS_WAIT } from './reading-signal.ts'
import { keepTime, TimeLimitReached } from './time-limit.ts'
import { packed, type PackedSet } from '../../sets/packed-set.ts'
import { packedColumn, type PackedColumn } from '../../sets/number-column.ts'
import { packedOrder, type PackedOrder } from '../../sets/order-parts.ts'
import { Stale } from '../model/stale.ts'

/* A thread that reads (store/sqlite/reading-threads.ts): one question at a time, each from its own snapshot and with its own deadline. */

export interface Question {
  readonly queries: readonly Rendered[]
  /** Milliseconds; and those for which it may go on while others wait, if these are fewer. */
  readonly limit: number
  readonly moment?: number
  /** What is made of the text that the query gives (`asText` of database.ts), instead of rows; of a set, a second one may give ids that are not tested. */
  readonly as?: 'set' | 'order' | 'column'
  /** What the two statements of a scan look for: a set of each is made instead. */
  readonly pieces?: readonly string[]
}

export type ReadingAnswer =
  | { readonly set: PackedSet; readonly untested?: Uint32Array | undefined; readonly milliseconds: number }
  | { readonly sets: readonly PackedSet[]; readonly milliseconds: number }
  | { readonly order: PackedOrder | undefined; readonly milliseconds: number }
  | { readonly column: PackedColumn | undefined; readonly milliseconds: number }
  | { readonly rows: Row[][]; readonly milliseconds: number }
  | { readonly failed: 'timeout' | 'stale' | 'full' | 'damaged' }
  | { readonly failed: Error }

export interface ThreadData {
  readonly file: string
  /** One of reading-signal.ts. */
  readonly signal: Int32Array
}

const { file, signal } = workerData as ThreadData
const connection = new Database(file, { readonly: true })
connection.pragma('cache_size = -4000')
// A sort may need more than fits into memory.
connection.pragma('temp_store = FILE')
addFunctions(connection)
const prepare = statements(connection)
/** When the moment of the question is over. */
let momentEnds = Infinity
const within = keepTime(connection, () => {
  const told = Atomics.load(signal, 0)
  return told === GONE || (told === OTHERS_WAIT && performance.now() > momentEnds)
})

function answer({ queries, limit, moment = Infinity, as, pieces }: Question): ReadingAnswer {
  const began = performance.now()
  momentEnds = began + moment
  try {
    if (pieces) {
      const sets = within(limit, Infinity, () => inSnapshot(connection, () => setsWith(prepare, queries, pieces)))
      return { sets, milliseconds: performance.now() - began }
    }
    const rows = within(limit, Infinity, () => readAll(connection, prepare, queries))
    const milliseconds = performance.now() - began
    if (!as) return { rows, milliseconds }
    const textOf = (answer: readonly Row[]) => (answer[0]![0] ?? new Uint8Array(0)) as Uint8Array
    const text = textOf(rows[0]!)
    if (as === 'column') return { column: columnOf(text), milliseconds }
    const ids = idsOf(text)
    if (as === 'order') return { order: packedOrder(ids), milliseconds }
    return { set: packed(ids), untested: rows[1] && idsOf(textOf(rows[1])), milliseconds }
  } catch (error) {
    if (error instanceof TimeLimitReached) return { failed: 'timeout' }
    if (error instanceof Stale) return { failed: 'stale' }
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_FULL') return { failed: 'full' }
    // A message between threads would lose the code of this error.
    if (isDamage(error)) return { failed: 'damaged' }
    return { failed: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Code is slow until it has run for a while: whoever asks first would wait up to 30 ms longer. */
function warmUp(): void {
  for (const as of ['set', 'order', 'set', 'order'] as const) answer({ queries: [{ text: SOME_IDS, params: [] }], limit: 1_000, as })
}

const SOME_IDS = `WITH RECURSIVE some (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM some WHERE id < 20000)
  SELECT CAST(group_concat(id) AS BLOB) FROM some`

/** Ids in decimal, with commas between them. */
function idsOf(text: Uint8Array): Uint32Array {
  if (text.length === 0) return new Uint32Array(0)
  // Of what is not used the operating system makes no memory.
  const ids = new Uint32Array(Math.ceil((text.length + 1) / 2))
  let [at, id] = [0, 0]
  // `for … of` takes five times as long.
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]!
    if (byte !== COMMA) id = id * 10 + byte - ZERO
    else {
      ids[at++] = id
      id = 0
    }
  }
  ids[at] = id
  return ids.subarray(0, at + 1)
}

/** Pairs of an id and a whole number with a space between them. A number of more than 15 digits is not exact, and too wide for a column. */
function columnOf(text: Uint8Array): PackedColumn | undefined {
  if (text.length === 0) return packedColumn(new Uint32Array(0), new Float64Array(0))
  const most = Math.ceil((text.length + 1) / 4)
  const [ids, values] = [new Uint32Array(most), new Float64Array(most)]
  let [at, number, sign] = [0, 0, 1]
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]!
    if (byte === SPACE) {
      ids[at] = number
      number = 0
    } else if (byte === MINUS) sign = -1
    else if (byte === COMMA) {
      values[at++] = sign * number
      number = 0
      sign = 1
    } else number = number * 10 + byte - ZERO
  }
  values[at] = sign * number
  return packedColumn(ids.subarray(0, at + 1), values.subarray(0, at + 1))
}

const SPACE = 32
const COMMA = 44
const MINUS = 45
const ZERO = 48

/** The memory of an answer that passes to the thread that asked, and is not copied: orders and columns of large tables have some megabytes. */
function passed(answer: ReadingAnswer): ArrayBuffer[] {
  const order = 'order' in answer ? answer.order : undefined
  const column = 'column' in answer ? answer.column : undefined
  const arrays = order ? [order.places, order.sizes, order.blockOf] : column ? [column.numbers] : []
  return arrays.map(({ buffer }) => buffer as ArrayBuffer)
}

parentPort!.on('message', (question: Question) => {
  const told = answer(question)
  parentPort!.postMessage(told, passed(told))
})
warmUp()
parentPort!.postMessage('ready')
