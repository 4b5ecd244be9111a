import { takesStep } from '../../filter/check.ts'
import { compile, idsOf } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import { sql } from '../../sql/sql.ts'
import type { Stretching } from '../ground/around.ts'
import type { Reader, Row } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { Abandoned } from '../model/asker.ts'
import { readCondition } from '../records/read-records.ts'
import { accessPath, numberIn, type AccessPath, type Counting, type Learned } from './access-path.ts'
import { consistentList } from './consistent-list.ts'
import type { GroupQuestion, ListReader, ListQuestion, ListWanted, PageRows, Selection, Walked } from './list-reader.ts'
import { IDS, listMemory, nothingKnown, withPage, type Ids, type KnownList, type ListMemory, type ListState } from './list-memory.ts'
import { countOf, groupStatement, keyOf, orderOf, sortedIds, source, whereOf, type List } from './list-statements.ts'
import { hasIndex } from './order.ts'
import { planPage, readPage } from './page-plan.ts'
import { walkFrom } from './walk.ts'
import type { WholePages } from './whole-pages.ts'

/** What lists are read with. */
export interface ListParts extends Uses<'db' | 'positions' | 'indexes' | 'context'> {
  readonly whole: WholePages
  readonly memory: ListMemory
}

/** Reads lists by statements of SQL. `parts` is there for tests. */
export const sqlListReader = (parts: ListParts): ListReader & { readonly parts: ListParts } => ({
  parts,
  groups: (question) => groupsOf(parts, question),
  page: (question) => (parts.db.dialect.keysApart ? consistentList(question, () => pageOf(parts, question)) : pageOf(parts, question)),
  walk: (wanted, stretching) => walk(parts, wanted, stretching),
  idle: parts.whole.idle,
})

/** Records of a table from which on filtered and sorted lists are read by other threads at once. */
const MANY = 1_000

async function pageOf(all: ListParts, question: ListQuestion): Promise<PageRows> {
  const { granted, sort, offset, limit } = question
  const parts = partsFor(question, all)
  const { whole } = parts
  const found = await selected(parts, question, sort)
  if (found.where.length === 0 && (sort.length === 0 || isById(sort[0]!))) return whole.byId(granted, offset, limit)
  if (found.where.length === 0 && sort.length === 1) {
    const page = await whole.sorted(granted, sort[0]!, offset, limit)
    if (page) return page
  }
  return pageOfList(parts, await listOf(parts, question, found), offset, limit)
}

/** Records behind a position. Each page is read by the same statements, wherever it is. */
async function walk(all: ListParts, wanted: ListWanted, stretching: Stretching): Promise<readonly Walked[]> {
  const parts = partsFor(wanted, all)
  const { db, indexes, memory, positions } = parts
  const list = await listOf(parts, wanted, await selected(parts, wanted, wanted.sort))
  const { table, caller } = list.granted
  const { readLittle, readAside } = db.forLists
  const read: Reader['read'] = (...queries) => (list.isLarge ? readAside(caller, ...queries) : readLittle(caller, ...queries))
  const at: ListState = { list: keyOf(list), version: table.version, changes: positions.state(table.id).number }
  const { asked } = await cheapest({ indexes, memory, positions }, read, list, at, 0, stretching.limit)
  return walkFrom(read, asked, stretching)
}

/** What is known of a list is right for one state of its table: a list that depends on another table is not remembered. */
const partsFor = (list: Pick<ListWanted, 'condition'>, parts: ListParts): ListParts =>
  isAlone(list) ? parts : { ...parts, memory: listMemory() }

const isAlone = ({ condition }: Pick<ListWanted, 'condition'>): boolean => !condition || !takesStep(condition)

type Conditions = Pick<List, 'where' | 'rights' | 'find'>

async function listOf({ db, indexes, positions }: ListParts, { granted, condition, sort }: ListWanted, found: Conditions): Promise<List> {
  const { id } = granted.table
  const matchingIds = found.where.length === 1 && sort.length === 0 ? idsOf(condition, found.find) : undefined
  await positions.ready(id)
  const isLarge = positions.locate(id, MANY) !== undefined
  const isOrdered = sort.length > 0 && hasIndex(indexes, id, sort[0]!)
  return { granted, condition, sort, dialect: db.dialect, ...found, matchingIds, isLarge, isOrdered }
}

/** The conditions of a list, and the text indexes that serve its filter. */
async function selected(parts: ListParts, { granted, condition }: Selection, sort: readonly SortKey[]) {
  const { db, indexes } = parts
  const { table } = granted
  indexes.wanted(table, condition, sort)
  const find = await indexes.pieces(table, condition)
  const wanted = condition && compile(condition, db.dialect, find)
  const rights = [readCondition(parts, granted, (rule) => indexes.wanted(table, rule, []))]
    .filter((one) => one !== undefined)
    .map((one) => sql`(${one})`)
  return { find, rights, where: [...rights, ...(wanted ? [sql`(${wanted})`] : [])] }
}

/** From one statement, so from one snapshot. Servers without a common snapshot may count a commit on one of them and not yet on another. */
async function groupsOf(parts: ListParts, { granted, condition, grouping, columns, most }: GroupQuestion): Promise<readonly Row[]> {
  const { db, positions } = parts
  const { dialect } = db
  const { where } = await selected(parts, { granted, condition }, [])
  await positions.ready(granted.table.id)
  const isLarge = positions.locate(granted.table.id, MANY) !== undefined
  const { readLittle, readAside } = db.forLists
  const query = groupStatement({ granted, where, dialect, isLarge }, grouping, columns, most)
  const [rows] = await (isLarge ? readAside : readLittle)(granted.caller, query)
  return rows!
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
  const known = { ...memory.of(at(state)), ...learned, ...(!isAlone(list) && { total: undefined }) }
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
