import { Failure } from '../../errors.ts'
import type { Condition } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { parseSort } from '../../filter/sort.ts'
import { limits } from '../../limits.ts'
import { sql } from '../../sql/sql.ts'
import { operator } from '../catalogue/administrator.ts'
import { allRows, committed } from '../ground/relation.ts'
import type { AskedList } from '../ground/pages.ts'
import type { Uses } from '../ground/store.ts'
import { grant } from '../model/access.ts'
import { Stale } from '../model/stale.ts'
import { savedViews } from '../people/saved-views.ts'

/** Records of a table from which on the first list takes long enough to be asked for ahead. */
const LARGE = 20_000
/** Records by which a table has grown much: of so many changes, what lists had is read anew. */
const GROWN = 20_000
/** Lists that are asked for, at most; and those of them that are remembered because they were asked most. */
const MOST = 200
const REMEMBERED = 50
/** Under which name of `meta`. */
const ASKED = 'asked_lists'

/** Remembers the lists that were asked most, for the next start. Those of several processes are those of the one that did so last. */
export async function rememberLists({ db, pages }: Uses<'db' | 'pages'>): Promise<void> {
  const asked = pages.asked(REMEMBERED)
  if (asked.length === 0) return
  const value = JSON.stringify(asked)
  await db.write((tx) =>
    tx.run(sql`INSERT INTO meta (name, value) VALUES (${ASKED}, ${value}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`),
  )
}

/**
 * After a start, nothing is known of lists. Asks for those that were asked most before, those of the saved views of large tables, and for what the
 * filters of groups show, one after the other, so that people find them read. Ends where the half of the memory of lists is used. Returns how many were asked for.
 * `only`: for lists of these tables.
 */
export async function warmLists(
  store: Uses<'db' | 'pages' | 'positions' | 'catalogue'>,
  isStopped: () => boolean = () => false,
  only?: ReadonlySet<number>,
): Promise<number> {
  const hasRoom = () => {
    const figures = store.pages.figures()
    return figures !== undefined && figures.bytes < figures.most / 2
  }
  let count = 0
  for (const asked of await wanted(store)) {
    if (only?.has(asked.tableId) === false) continue
    if (isStopped() || !hasRoom() || count === MOST) break
    // What is asked twice is kept as what people ask again.
    if ((await ask(store, asked)) && (await ask(store, asked))) count++
  }
  return count
}

/**
 * What people will ask of a table that has become large, or much larger, as by an import: the index of its words is made, and its lists are read, before anybody
 * asks. Called once in a while; the first time also for large tables of which nothing was ever asked.
 */
export function grownTables(
  store: Uses<'db' | 'pages' | 'positions' | 'catalogue' | 'indexes'>,
  isStopped: () => boolean = () => false,
): () => Promise<readonly number[]> {
  /** How many records each of the large tables had when it was prepared, or has left of these. */
  let known: Map<number, number> | undefined
  return async () => {
    const [rows, indexed] = await store.db.read(store.positions.larger(LARGE), sql`SELECT DISTINCT table_id FROM indexes`)
    const now = new Map(rows!.map(([id, records]) => [Number(id), Number(records)]))
    const asked = new Set(indexed!.map(([id]) => Number(id)))
    const before = known ?? new Map(Array.from(now).filter(([id]) => asked.has(id)))
    const { tables } = store.catalogue()
    const grown = Array.from(now.keys()).filter((id) => tables.has(id) && now.get(id)! >= (before.get(id) ?? 0) + GROWN)
    known = new Map(Array.from(now, ([id, records]) => [id, grown.includes(id) ? records : Math.min(records, before.get(id) ?? records)]))
    for (const id of grown) store.indexes.wanted(tables.get(id)!, words, [])
    if (grown.length > 0) await warmLists(store, isStopped, new Set(grown))
    return grown
  }
}

/** Asks for the index of words; no list is read. */
const words: Condition = { is: 'search', attributes: [], words: [], digits: '' }

/** What was asked most; then, of the largest table first, shared views before those of one person. */
async function wanted(store: Uses<'db' | 'positions' | 'catalogue'>): Promise<readonly AskedList[]> {
  const [rows, remembered] = await store.db.read(store.positions.larger(LARGE), sql`SELECT value FROM meta WHERE name = ${ASKED}`)
  const views = (await allRows(committed(store), savedViews)).sort((one, other) => one.userId - other.userId)
  const { tables, access } = store.catalogue()
  const large = new Set(rows!.map(([id]) => Number(id)))
  const before = remembered![0] ? (JSON.parse(String(remembered![0][0])) as AskedList[]) : []
  const ofTables = rows!.flatMap(([id]): AskedList[] => {
    const tableId = Number(id)
    if (!tables.has(tableId)) return []
    const rules = Array.from(access.values()).flatMap((ofGroup) => ofGroup.get(tableId)?.readFilter || [])
    // What depends on who asks cannot be known ahead.
    const common = [...new Set(rules)].filter((rule) => !/\bcurrent_user\b/.test(rule))
    return [...views.filter((view) => view.tableId === tableId), ...common.map((filter) => ({ tableId, filter, sort: '' }))]
  })
  return [...before.filter(({ tableId }) => large.has(tableId)), ...ofTables]
}

/** Returns false where it is no list any more, or nobody can answer it now. */
async function ask({ pages, catalogue }: Uses<'pages' | 'catalogue'>, { tableId, filter, sort }: AskedList): Promise<boolean> {
  try {
    const granted = grant('read', tableId, operator, catalogue())
    const query = {
      filter: filter === '' ? undefined : parse(filter, limits.postedFilter.most),
      sort: parseSort(sort, granted.allAttributes),
    }
    await pages.page(granted, { ...query, offset: 0, limit: 1 })
    return true
  } catch (error) {
    if (error instanceof Failure || error instanceof Stale) return false
    throw error
  }
}
