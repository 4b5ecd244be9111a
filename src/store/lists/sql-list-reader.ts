import { takesStep } from '../../filter/check.ts'
import { compile, idsOf } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import { sql } from '../../sql/sql.ts'
import type { Stretching } from '../ground/around.ts'
import type { Reader, Row } from '../ground/db.ts'
import { hasIndex } from '../ground/indexes.ts'
import type { Uses } from '../ground/store.ts'
import { readCondition } from '../records/read-records.ts'
import { consistentList } from './consistent-list.ts'
import type { GroupQuestion, ListReader, ListQuestion, ListWanted, PageRows, Selection, Walked } from './list-reader.ts'
import { listMemory, nothingKnown, withPage, type KnownList, type ListMemory, type ListState } from './list-memory.ts'
import { groupStatement, keyOf, type List } from './list-statements.ts'
import { planPage, readPage } from './page-plan.ts'
import { walkFrom } from './walk.ts'
import type { WholePages } from './whole-pages.ts'

/** What lists are read with. */
export interface ListParts extends Uses<'db' | 'positions' | 'indexes' | 'context'> {
  readonly whole: WholePages
  readonly memory: ListMemory
}

export type SqlListReader = ListReader & { readonly parts: ListParts }

/** Reads lists by statements of SQL. `parts` is there for tests. */
export const sqlListReader = (parts: ListParts): SqlListReader => ({
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
  const { db } = parts
  const list = await listOf(parts, wanted, await selected(parts, wanted, wanted.sort))
  const { caller } = list.granted
  const { readLittle, readAside } = db.forLists
  const read: Reader['read'] = (...queries) => (list.isLarge ? readAside(caller, ...queries) : readLittle(caller, ...queries))
  return walkFrom(read, list, stretching)
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
async function selected(parts: ListParts, { granted, condition, answered }: Selection, sort: readonly SortKey[]) {
  const { db, indexes } = parts
  const { table } = granted
  indexes.wanted(table, condition, sort, answered)
  const find = await indexes.pieces(table, condition)
  const wanted = condition && compile(condition, db.dialect, find)
  const rights = [readCondition(parts, granted, (rule) => indexes.wanted(table, rule, [], answered))]
    .filter((one) => one !== undefined)
    .map((one) => sql`(${one})`)
  return { find, rights, where: [...rights, ...(wanted ? [sql`(${wanted})`] : [])] }
}

/** From one statement, so from one snapshot. Servers without a common snapshot may count a commit on one of them and not yet on another. */
async function groupsOf(
  parts: ListParts,
  { granted, condition, answered, grouping, columns, most }: GroupQuestion,
): Promise<readonly Row[]> {
  const { db, positions } = parts
  const { dialect } = db
  const { where } = await selected(parts, { granted, condition, ...(answered && { answered }) }, [])
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
async function pageOfList({ positions, db, memory }: ListParts, list: List, offset: number, limit: number): Promise<PageRows> {
  const { table, caller } = list.granted
  const { number: state, query, learn } = positions.state(table.id)
  const text = keyOf(list)
  const at = (changes: number): ListState => ({ list: text, version: table.version, changes })
  const { readLittle, readAside } = db.forLists
  const aside: Reader['read'] = (...queries) => (list.isLarge ? readAside(caller, ...queries) : readLittle(caller, ...queries))
  const ofTable = { total: positions.total(table.id), state: query }
  const read = async (known: KnownList) => {
    const plan = planPage(list, known, offset, limit)
    const { state: answer, next, ...page } = await readPage(aside, list, ofTable, plan, offset)
    const seen = query ? learn(answer) : positions.state(table.id).number
    // The page is remembered only if the state of the table did not change while it was read; or, in a shared database, if the page brought
    // its own state (`query`) and was planned without a total of another one.
    if (seen === state || (query && known.total === undefined)) memory.learn(at(seen), (before) => withPage(before, page.total, next))
    return { page, seen }
  }
  const known = memory.of(at(state))
  const { page, seen } = await read(known)
  return known.total === undefined || seen === state ? page : (await read(nothingKnown)).page
}
