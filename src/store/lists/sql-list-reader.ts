import { compile, idsOf } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import { sql } from '../../sql/sql.ts'
import type { Reader } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { Abandoned } from '../model/asker.ts'
import { readCondition } from '../records/read-records.ts'
import { accessPath, numberIn, type AccessPath, type Counting, type Learned } from './access-path.ts'
import { consistentList } from './consistent-list.ts'
import type { ListReader, ListQuestion, PageRows } from './list-reader.ts'
import { IDS, nothingKnown, withPage, type Ids, type KnownList, type ListMemory, type ListState } from './list-memory.ts'
import { countOf, keyOf, orderOf, sortedIds, source, whereOf, type List } from './list-statements.ts'
import { hasIndex } from './order.ts'
import { planPage, readPage } from './page-plan.ts'
import type { WholePages } from './whole-pages.ts'

/** What lists are read with. */
export interface ListParts extends Uses<'db' | 'positions' | 'indexes' | 'context'> {
  readonly whole: WholePages
  readonly memory: ListMemory
}

/** Reads lists by statements of SQL. `parts` is there for tests. */
export const sqlListReader = (parts: ListParts): ListReader & { readonly parts: ListParts } => ({
  parts,
  page: (question) => (parts.db.dialect.keysApart ? consistentList(question, () => pageOf(parts, question)) : pageOf(parts, question)),
  idle: parts.whole.idle,
})

/** Records of a table from which on filtered and sorted lists are read by other threads at once. */
const MANY = 1_000

async function pageOf(parts: ListParts, { granted, condition, sort, offset, limit }: ListQuestion): Promise<PageRows> {
  const { db, indexes, positions, whole } = parts
  const { dialect } = db
  const { table } = granted
  indexes.wanted(table, condition, sort)
  const find = await indexes.pieces(table, condition)
  const wanted = condition && compile(condition, dialect, find)
  const rights = [readCondition(parts, granted, (rule) => indexes.wanted(table, rule, []))]
    .filter((one) => one !== undefined)
    .map((one) => sql`(${one})`)
  const where = [...rights, ...(wanted ? [sql`(${wanted})`] : [])]
  if (where.length === 0 && (sort.length === 0 || isById(sort[0]!))) return whole.byId(granted, offset, limit)
  if (where.length === 0 && sort.length === 1) {
    const found = await whole.sorted(granted, sort[0]!, offset, limit)
    if (found) return found
  }
  const matchingIds = where.length === 1 && sort.length === 0 ? idsOf(condition, find) : undefined
  await positions.ready(table.id)
  const isLarge = positions.locate(table.id, MANY) !== undefined
  const isOrdered = sort.length > 0 && hasIndex(indexes, table.id, sort[0]!)
  return pageOfList(parts, { granted, where, condition, find, rights, sort, dialect, matchingIds, isLarge, isOrdered }, offset, limit)
}

const isById = ({ attribute, descending }: SortKey): boolean => attribute.column === 'id' && !descending

/**
 * A page of a filtered or sorted list. If the table changes during the read, the page may not match what was known of the list. Then page
 * and total are read again from one snapshot.
 */
async function pageOfList({ positions, db, memory, indexes }: ListParts, list: List, offset: number, limit: number): Promise<PageRows> {
  const { table, caller } = list.granted
  const { number: state, query, learn } = positions.state(table.id)
  const text = keyOf(list)
  const at = (changes: number): ListState => ({ list: text, version: table.version, changes })
  const { readLittle, readAside } = db.forLists
  const little: Reader['read'] = (...queries) => readLittle(caller, ...queries)
  const aside: Reader['read'] = list.isLarge ? (...queries) => readAside(caller, ...queries) : little
  const { asked, learned } = await cheapest({ indexes, positions, memory }, aside, list, at(state), offset, limit)
  const ofTable = { total: positions.total(table.id), state: query }
  const read = async (known: KnownList) => {
    const plan = planPage(asked, known, offset, limit)
    const { state: answer, next, ...page } = await readPage(known.ids ? little : aside, asked, ofTable, plan, offset)
    const seen = query ? learn(answer) : positions.state(table.id).number
    // The page is remembered only if the state of the table did not change while it was read; or, in a shared database, if the page brought
    // its own state (`query`) and was planned without a total of another one.
    if (seen === state || (query && known.total === undefined)) memory.learn(at(seen), (before) => withPage(before, page.total, next))
    return { page, seen }
  }
  // If the list is too long as text to be remembered, or the table has changed, only what was learned now is known.
  const known = { ...memory.of(at(state)), ...learned }
  const { page, seen } = await read(known)
  return known.total === undefined || seen === state ? page : (await read(nothingKnown)).page
}

/**
 * The list by its cheapest access path, and what was learned in choosing it. If all matches must be sorted for each page, their ids are
 * kept from the second page on.
 */
async function cheapest(
  { indexes, memory, positions }: Pick<ListParts, 'indexes' | 'memory' | 'positions'>,
  read: Reader['read'],
  list: List,
  at: ListState,
  offset: number,
  limit: number,
): Promise<{ readonly asked: List; readonly learned: Learned }> {
  const { granted, condition, find, sort, dialect } = list
  const known = memory.of(at)
  if (!condition || !dialect.indexes.countsFirst || known.ids) return { asked: list, learned: {} }
  const counting: Counting = {
    async upTo(wanted, most) {
      const counts = await read(
        ...wanted.map(
          (one) => sql`SELECT count(*) FROM (SELECT 1 FROM ${source(list)}${whereOf({ ...list, where: [one] })} LIMIT ${most}) AS some`,
        ),
      )
      return counts.map(numberIn)
    },
    all: async (path) => numberIn((await read(countOf(along(list, path))))[0]!),
    hasMore: (count) => positions.locate(granted.table.id, Math.floor(count)) !== undefined,
  }
  const question = { table: granted.table, condition, find, sort, dialect, known }
  const { path, learned } = await accessPath(indexes, question, counting, offset, limit)
  memory.learn(at, (before) => ({ ...before, ...learned }))
  const asked = along(list, path)
  if (asked.sortsMatches && known.total !== undefined && known.total <= IDS)
    await memory
      .learnIds(at, () => readIds(read, asked))
      .catch((error: unknown) => {
        // The client for whom they were read has gone; this list is then read as if nobody had asked for them.
        if (!(error instanceof Abandoned) || granted.caller.client?.isGone) throw error
      })
  return { asked, learned }
}

/** The list by an access path. */
function along(list: List, { by, where: wanted }: AccessPath): List {
  const where = wanted ? [...list.rights, sql`(${wanted})`] : list.where
  const found = by === 'ids' ? sql`SELECT id FROM ${source(list)}${whereOf({ ...list, where })}` : undefined
  return { ...list, where, sortsMatches: by === 'sort', matchingIds: list.matchingIds ?? found }
}

/** Reads the ids of all matches as one text, which passes from thread to thread faster than rows. */
async function readIds(read: Reader['read'], list: List): Promise<Ids> {
  const [[row] = []] = await read(sql`SELECT group_concat(id) FROM (${sortedIds(list, orderOf(list.sort, false, list.dialect))}) AS sorted`)
  const ids = row?.[0] ? String(row[0]).split(',').map(Number) : []
  return ids.some((id) => id >= 2 ** 32) ? Float64Array.from(ids) : Uint32Array.from(ids)
}
