import type { Attribute } from '../fields/field-type.ts'
import type { Condition } from '../filter/check.ts'
import type { FindPiece, Holding } from '../filter/compile.ts'
import type { SortKey } from '../filter/sort.ts'
import { sql } from '../sql/sql.ts'
import type { Table } from './catalogue.ts'
import { localTime, nowText } from './clock.ts'
import { indexBuilder } from './index-build.ts'
import { asksTooMuch, findsUnordered, needs, planOf, type IndexKind, type Need } from './index-plan.ts'
import { readIndexRows, wishFor, type IndexRow } from './index-rows.ts'
import { committed } from './listing.ts'
import type { Store } from './store.ts'

/*
 * Indexes nobody had to ask for. The first list that filters or sorts a large table by a field wishes for the index that
 * would have served it; one after the other they are made beside the running service, and go again when nobody has used
 * them for a while. Without any of them every answer is the same.
 */

/** Records from which on an index is worth having. */
const MANY = 1_000
/** Indexes of one table, at most, of those that come and go by themselves. */
const MOST = 24
/** Days after which an index that nobody uses goes. */
const KEPT = 30
const DAY = 86_400_000
/** Changes of a table after which its text indexes are brought up to date. */
const BEHIND = 1_000

export interface Indexes {
  /** Before anything else. */
  load(): Promise<unknown>
  /** Says what a list asks for: counted as a use, and wished for where it is missing. */
  wanted(table: Table, condition: Condition | undefined, sort: readonly SortKey[]): void
  /** Whether indexes find what a filter selects, but not in the order of the ids. */
  findUnordered(table: Table, condition: Condition): boolean
  /** The text indexes that can be asked just now. */
  pieces(table: Table, condition: Condition | undefined): FindPiece | undefined
  /** Whether an index is there. */
  has(tableId: number, attribute: string, kind: IndexKind): boolean
  /** Structure or wishes have changed, or the service has started: what is missing is made and what is too much is dropped. */
  recheck(): void
  /** Writes down which were used, drops those that were not. Once in a while. */
  keep(): Promise<void>
  /** Resolves when nothing is left to be made. */
  idle(): Promise<void>
  /** Ends after the step that runs; the rest is done after the next start. */
  stop(): Promise<void>
  /** What is wrong with the text indexes, a sentence each. */
  check(): AsyncGenerator<string>
}

type Rows = Map<string, IndexRow>
const keyOf = (tableId: number, attribute: string, kind: string): string => `${tableId} ${attribute} ${kind}`

/** `store` is used when something is called, and may be incomplete before. */
export function indexes(store: () => Store): Indexes {
  const rows: Rows = new Map()
  /** Used since it was written down, by id. */
  const used = new Map<number, { times: number; day: string }>()
  const wishes = new Map<string, { readonly tableId: number; readonly need: Need }>()
  /** By text index, the changes of its table when it was brought up to date. */
  const upToDate = new Map<number, number>()
  const noting = new Set<Promise<void>>()
  const today = () => nowText(store()).slice(0, 10)
  const changes = (row: IndexRow) => store().positions.changes(row.tableId)
  const builder = indexBuilder({ store, reload, nextWish, isBehind, covered: (row) => void upToDate.set(row.id, changes(row)) })

  async function reload(): Promise<IndexRow[]> {
    const found = await readIndexRows(committed(store()))
    rows.clear()
    for (const row of found) rows.set(keyOf(row.tableId, row.attribute, row.kind), row)
    return found
  }

  function has(tableId: number, attribute: string, kind: IndexKind): boolean {
    const row = rows.get(keyOf(tableId, attribute, kind))
    return row?.state === 'ready' && row.wish !== 'forbidden'
  }

  function isBehind(row: IndexRow): boolean {
    const since = upToDate.get(row.id)
    return row.kind === 'text' && (since === undefined || changes(row) - since >= BEHIND)
  }

  function use({ id }: IndexRow): void {
    const before = used.get(id)
    used.set(id, { times: (before?.times ?? 0) + 1, day: today() })
  }

  /** Writes down one wish; false where there is none. */
  async function nextWish(): Promise<boolean> {
    const [wish] = wishes
    if (!wish) return false
    wishes.delete(wish[0])
    const { tableId, need } = wish[1]
    const others = [...rows.values()].filter((row) => row.tableId === tableId && row.wish === 'auto')
    const oldest = others.sort((a, b) => (a.lastUsed < b.lastUsed ? -1 : 1))[0]
    const full = others.length >= MOST
    if (full && oldest!.lastUsed >= today()) return true
    await store().db.write(async (tx) => {
      if (full) await tx.run(sql`UPDATE indexes SET wish = '' WHERE id = ${oldest!.id}`)
      await wishFor(tx, tableId, need.attribute.name, need.kinds[0], today())
    })
    return true
  }

  async function noteWish(tableId: number, need: Need): Promise<void> {
    const { positions } = store()
    await positions.ready(tableId)
    const key = keyOf(tableId, need.attribute.name, need.kinds[0])
    if (rows.has(key) || wishes.has(key) || !positions.locate(tableId, MANY)) return
    wishes.set(key, { tableId, need })
    builder.wake()
  }

  function piecesOf(table: Table, attribute: Attribute, piece: string): Holding | undefined {
    const row = rows.get(keyOf(table.id, attribute.name, 'text'))
    if (row?.state !== 'ready' || row.wish === 'forbidden') return undefined
    const { dialect } = store().db
    const plan = planOf({ ...row, kind: 'text' }, attribute, dialect)
    if (plan.madeOf !== row.madeOf) return undefined
    if (isBehind(row)) builder.wake()
    return { ids: dialect.indexes!.holding(plan.text!, piece), exact: dialect.indexes!.holdsExactly(piece) }
  }

  function later(work: Promise<void>): void {
    const noted = work.finally(() => noting.delete(noted))
    noting.add(noted)
  }

  return {
    load: reload,
    wanted(table, condition, sort) {
      if (!store().db.dialect.indexes) return
      for (const need of needs(condition, sort)) {
        const row = need.kinds.map((kind) => rows.get(keyOf(table.id, need.attribute.name, kind))).find((one) => one !== undefined)
        if (row) use(row)
        else later(noteWish(table.id, need))
      }
    },
    findUnordered: (table, condition) =>
      findsUnordered(condition, ({ attribute, kinds }) => kinds.some((kind) => has(table.id, attribute.name, kind))),
    pieces: (table, condition) => (condition && !asksTooMuch(condition) ? (attribute, piece) => piecesOf(table, attribute, piece) : undefined),
    has,
    recheck: builder.wake,
    async keep() {
      const uses = [...used]
      used.clear()
      const until = localTime(store().environment.now() - KEPT * DAY, store().settings.timeZone).slice(0, 10)
      await store().db.write(async (tx) => {
        for (const [id, { times, day }] of uses)
          await tx.run(sql`UPDATE indexes SET uses = uses + ${times}, last_used = ${day} WHERE id = ${id}`)
        await tx.run(sql`UPDATE indexes SET wish = '' WHERE wish = 'auto' AND last_used < ${until}`)
        await tx.run(sql`UPDATE indexes SET state = 'waiting' WHERE state = 'failed'`)
      })
      builder.wake()
    },
    async idle() {
      await Promise.all(noting)
      await builder.idle()
    },
    stop: builder.stop,
    check: () => builder.check(),
  }
}
