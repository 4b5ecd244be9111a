import type { Attribute } from '../../fields/field-type.ts'
import { stepsIn, type Condition } from '../../filter/check.ts'
import { compile, type FindPiece } from '../../filter/compile.ts'
import { wordsAsked } from '../../filter/search.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Answer, TextIndex } from '../../sql/dialect.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Table } from '../model/catalogue.ts'
import { reportTo } from '../ground/fault.ts'
import { indexStates, type Answered, type Indexes, type IndexState } from '../ground/indexes.ts'
import { indexBuilder } from './index-build.ts'
import { indexMemory, type IndexMemory } from './index-memory.ts'
import {
  asksTooMuch,
  everyAttribute,
  hasSearch,
  isOfTexts,
  needs,
  planOf,
  servedTerms,
  suits,
  textPieces,
  type Need,
} from './index-plan.ts'
import { insertRequested, type IndexRow } from './index-rows.ts'
import type { Indexing } from './indexing.ts'

/*
 * Indexes that come and go by use. The first list that filters or sorts a large table by a field requests the index that would have
 * served it. Indexes are made one after the other beside the running service, and dropped when no list has used them for KEPT days.
 * No answer depends on an index.
 */

/** Records from which on an index is worth having. */
const MANY = 1_000
/** The most indexes of one table with the wish `auto`. At the limit, the least recently used is replaced. */
const MOST = 24
/** Days after its last use until an index is dropped. */
const KEPT = 30

export function indexes(store: Indexing): Indexes {
  const memory = indexMemory(store)
  /** Indexes that lists have requested and that are not rows of the system table yet. */
  const requested = new Map<string, { readonly tableId: number; readonly need: Need }>()
  const noting = new Set<Promise<void>>()
  const builder = indexBuilder({ store, memory, writeNext })

  /** Writes a row for one requested index; false where there is none. */
  async function writeNext(): Promise<boolean> {
    const [first] = requested
    if (!first) return false
    requested.delete(first[0])
    await writeRequest(store, memory, first[1])
    return true
  }

  async function request(tableId: number, need: Need): Promise<void> {
    const { positions } = store
    await positions.ready(tableId)
    const key = `${tableId} ${need.attribute.name} ${need.kinds[0]}`
    if (memory.find(tableId, need) || requested.has(key) || !positions.locate(tableId, MANY)) return
    requested.set(key, { tableId, need })
    builder.wake()
  }

  const isThere =
    (table: Table) =>
    ({ attribute, kinds }: Need) =>
      kinds.some((kind) => memory.has(table.id, attribute.name, kind))

  function later(work: Promise<void>): void {
    const noted = work.catch(reportTo(store.onFault, 'the index that a list asked for was not noted')).finally(() => noting.delete(noted))
    noting.add(noted)
  }

  return {
    load: memory.reload,
    wanted(table, condition, sort, answered = 'by SQL') {
      for (const { tableId, need } of needsByTable(table.id, condition, sort, answered)) {
        if (!suits(need.attribute, need.kinds[0], store.db.dialect)) continue
        const row = memory.find(tableId, need)
        if (row) memory.use(row)
        else later(request(tableId, need))
      }
    },
    serving: (table, condition) => servedTerms(condition, isThere(table)),
    pieces: async (table, condition) =>
      condition && !asksTooMuch(condition) ? pieces(store, memory, table, condition, builder.wake) : undefined,
    has: memory.has,
    recheck: builder.wake,
    async keep() {
      await keep(store, memory)
      builder.wake()
    },
    async idle() {
      await Promise.all(noting)
      await builder.idle()
    },
    counts: () => counts(memory),
    stop: builder.stop,
    looks: () => looks(store, memory),
    check: builder.check,
  }
}

/** What would serve a list, in its table and in those to which its filter goes along references. */
function needsByTable(tableId: number, condition: Condition | undefined, sort: readonly SortKey[], answered: Answered) {
  const steps = condition ? stepsIn(condition).map(({ target, term }) => ({ tableId: target.tableId, some: needs(term, []) })) : []
  return [{ tableId, some: needs(condition, sort, answered) }, ...steps].flatMap(({ some, ...of }) => some.map((need) => ({ ...of, need })))
}

/** At the limit of a table, the least recently used index is replaced; where that was used today, the request is dropped. */
async function writeRequest(
  { db, time }: Indexing,
  memory: IndexMemory,
  { tableId, need }: { tableId: number; need: Need },
): Promise<void> {
  const today = time(0).slice(0, 10)
  const others = memory.rows().filter((row) => row.tableId === tableId && row.wish === 'auto')
  const [oldest] = others.sort((a, b) => (memory.lastUsed(a) < memory.lastUsed(b) ? -1 : 1))
  const replaced = others.length >= MOST ? oldest : undefined
  if (replaced && memory.lastUsed(replaced) >= today) return
  await db.write(async (tx) => {
    if (replaced) await tx.run(sql`UPDATE indexes SET wish = '' WHERE id = ${replaced.id}`)
    await insertRequested(tx, tableId, need.attribute.name, need.kinds[0], today)
  })
}

/** The text indexes that a filter can use, with what they need about its pieces. */
async function pieces(
  { db }: Indexing,
  { has, isBehind, reload }: IndexMemory,
  table: Table,
  condition: Condition,
  wake: () => void,
): Promise<FindPiece> {
  const all: { readonly key: string; readonly piece: string; readonly text: TextIndex; readonly row: IndexRow }[] = []
  const { texts } = db.dialect.indexes
  for (const { attribute, piece } of textPieces(condition)) {
    const row = has(table.id, attribute.name, 'text')
    const plan = row && planOf({ ...row, kind: 'text' }, attribute, table.attributes, db.dialect)
    if (!plan?.text || plan.madeOf !== row!.madeOf) continue
    if (isBehind(row!)) wake()
    all.push({ key: keyOf(attribute, piece), piece, text: plan.text, row: row! })
  }
  const there = await thereOf(
    { db },
    all.map(({ row }) => row),
  )
  const asked = all.filter(({ row }) => there.has(row.id))
  if (asked.length < all.length) await reload()
  const queries = texts.known(asked)
  const answers = queries.length > 0 ? await db.read(...queries) : []
  const found = new Map(asked.map(({ key, text }, i) => [key, { text, known: answers[i] ?? [] }]))
  const words = await wordIndex({ db }, { has, isBehind }, table, condition, wake)
  const by =
    <T>(find: ((text: TextIndex, piece: string, known: Answer) => T) | undefined) =>
    (attribute: Attribute, piece: string) => {
      const { text, known } = found.get(keyOf(attribute, piece)) ?? {}
      return text && known && find?.(text, piece, known)
    }
  return Object.assign(by(texts.holding), { apart: by(texts.holdingApart), perhaps: by(texts.perhapsHolding), ...(words && { words }) })
}

/** What finds the records of search() in a condition; undefined if the index is not there. */
async function wordIndex(
  { db }: Pick<Indexing, 'db'>,
  { has, isBehind }: Pick<IndexMemory, 'has' | 'isBehind'>,
  table: Table,
  condition: Condition,
  wake: () => void,
): Promise<FindPiece['words']> {
  const { dialect } = db
  const row = hasSearch(condition) ? has(table.id, everyAttribute.name, 'words') : undefined
  const text = row && planOf({ ...row, kind: 'words' }, everyAttribute, table.attributes, dialect)
  if (!row || !text?.text || text.madeOf !== row.madeOf) return undefined
  if (!(await thereOf({ db }, [row])).has(row.id)) return undefined
  if (isBehind(row)) wake()
  const index = text.text
  return (searched) => {
    const asked = wordsAsked(searched)
    return asked && dialect.indexes.texts.withWords(index, asked, compile(searched, dialect))
  }
}

/**
 * The ids of those that are there still. Another process may have dropped them: PostgreSQL would then divide the texts of all records into words, or have no
 * table for the grams.
 */
async function thereOf({ db }: Pick<Indexing, 'db'>, rows: readonly IndexRow[]): Promise<ReadonlySet<number>> {
  if (!db.dialect.shared || rows.length === 0) return new Set(rows.map(({ id }) => id))
  const known = db.dialect.given(
    ['known', 'form'],
    rows.map(({ id, madeOf }) => [id, madeOf]),
  )
  const [found] = await db.read(sql`SELECT id FROM indexes WHERE state = 'ready' AND wish IN ('auto', 'pinned')
    AND (id, made_of) IN (SELECT known, form FROM ${known} AS rows)`)
  return new Set(found!.map(([id]) => Number(id)))
}

const keyOf = ({ name }: Attribute, piece: string): string => `${name} ${piece}`

function counts(memory: IndexMemory): Record<IndexState, number> {
  const states = memory.rows().map(({ state }) => state)
  const of = (state: IndexState) => states.filter((one) => one === state).length
  return Object.fromEntries(indexStates.map((state) => [state, of(state)])) as Record<IndexState, number>
}

async function looks({ db }: Indexing, memory: IndexMemory): Promise<readonly Sql[]> {
  const { upkeep } = db.dialect.indexes.texts
  const texts = (await memory.reload()).filter(({ kind, indexName }) => isOfTexts(kind) && indexName !== '')
  return upkeep ? texts.map(({ indexName }) => upkeep.look(indexName)) : []
}

async function keep({ db, time }: Indexing, memory: IndexMemory): Promise<void> {
  const uses = memory.takeUses()
  await db.write(async (tx) => {
    for (const [id, { times, day }] of uses)
      await tx.run(sql`UPDATE indexes SET uses = uses + ${times}, last_used = ${day} WHERE id = ${id}`)
    await tx.run(sql`UPDATE indexes SET wish = '' WHERE wish = 'auto' AND last_used < ${time(KEPT).slice(0, 10)}`)
    await tx.run(sql`UPDATE indexes SET state = 'waiting' WHERE state = 'failed'`)
  })
}
