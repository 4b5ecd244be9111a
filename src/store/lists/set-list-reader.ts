import type { Condition } from '../../filter/check.ts'
import { mayBeLong } from '../../filter/patience.ts'
import type { SortKey } from '../../filter/sort.ts'
import { asTerm } from '../../filter/terms.ts'
import type { LocalDb } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import type { Uses } from '../ground/store.ts'
import { Stale } from '../model/stale.ts'
import { ruleOf, shownList } from '../records/read-records.ts'
import type { ListReader, ListWanted, PageRows } from './list-reader.ts'
import type { ListSets } from './list-sets.ts'
import { hasIndex } from './order.ts'
import { Diverged } from './present-records.ts'
import type { RecordOrder } from './record-order.ts'
import { rowsOf } from './rows-of.ts'
import { countedGroups, fewGroups, optionsCounted } from './group-sets.ts'
import type { Found, TableSets } from './table-sets.ts'
import { isEverything, type Term } from './term.ts'
import { canWalk, idsAlong, idsById, walkedRows } from './walk-sets.ts'

/*
 * Lists of SQLite from sets (list-sets.ts). In one turn of the event loop, sets and orders follow the changes of the table, the page is found
 * in them, and its records are read: so page and total are of one state.
 */

export interface SetListParts extends Uses<'positions' | 'indexes' | 'context' | 'catalogue'> {
  readonly db: LocalDb
  readonly sets: ListSets
  /** For small tables, and where the records change faster than sets follow. */
  readonly bySql: ListReader
  /** Records of a table from which on its lists are answered from sets. */
  readonly least: number
  readonly onFault: OnFault
}

/** How often a question begins anew, after what was missing has been read. */
const TRIES = 8
/** How often an order is read for one question, before SQL answers it. */
const ORDER_READS = 2
/** Records of an order that are looked through for a page, before those of each block are counted. */
const LOOKED_THROUGH = 4_000

/** `parts` is there for tests. */
export const setListReader = (parts: SetListParts): ListReader & { readonly parts: SetListParts } => ({
  parts,
  async page(question) {
    const answer = await answered(parts, question, { until: question.offset + question.limit }, (known) => pageNow(parts, known, question))
    return answer ?? parts.bySql.page(question)
  },
  async groups(question) {
    const counted = optionsCounted(question)
    const wanted = { granted: question.granted, condition: question.condition, sort: [] }
    const answer = await answered(parts, wanted, { groups: counted ?? [] }, ({ found, groups }) =>
      counted ? countedGroups(found, counted, groups) : fewGroups(parts.db, question, found),
    )
    return answer ?? parts.bySql.groups(question)
  },
  async walk(wanted, stretching) {
    const answer = canWalk(stretching)
      ? await answered(parts, wanted, { until: stretching.from ? Infinity : stretching.limit }, (known) => {
          const ids = known.order
            ? idsAlong(known.sets, known.sort, known.order, known.found, stretching, LOOKED_THROUGH)
            : idsById(known.found!.term.set, stretching, known.sort.length > 0)
          return walkedRows(parts.db, wanted, ids, stretching.limit)
        })
      : undefined
    return answer ?? parts.bySql.walk(wanted, stretching)
  },
  figures: () => parts.sets.figures(),
  verify: () => parts.sets.verify(),
  idle: () => Promise.all([parts.sets.idle(), parts.bySql.idle()]),
})

/** What a question asks of the sets of its table. */
interface Asked {
  readonly condition: Condition
  /** Without what an id before it decides; none: by id. */
  readonly sort: readonly SortKey[]
}

/** What is known of it in this turn. */
interface Known {
  readonly sets: TableSets
  readonly sort: readonly SortKey[]
  /** Undefined: every record of the table. */
  readonly found: Found | undefined
  /** Undefined: by id, or by id descending. */
  readonly order: RecordOrder | undefined
  /** The records of each group that is counted. */
  readonly groups: readonly Found[]
}

/** What a question needs besides its filter and its order. */
interface Needs {
  /** How many records from the beginning of the list are looked at. */
  readonly until?: number
  /** Conditions of groups; undefined: no aggregate is asked for. */
  readonly groups?: readonly Condition[]
}

/**
 * The answer from sets; undefined where SQL has to give it. Where sets are not what the records are, which is a fault of this program, they are
 * made anew.
 */
async function answered<T>(parts: SetListParts, wanted: ListWanted, needs: Needs, answer: (known: Known) => T): Promise<T | undefined> {
  const asked = await askedOf(parts, wanted, needs)
  if (!asked) return undefined
  try {
    return await whenKnown(parts, wanted, asked, needs, answer)
  } catch (error) {
    if (!(error instanceof Diverged)) throw error
    const { id } = wanted.granted.table
    parts.sets.forget(id)
    parts.onFault('the sets of a table were not those of its records', error)
    return undefined
  }
}

/** Undefined: the list is answered by SQL. */
async function askedOf(
  { positions, context, indexes, least }: SetListParts,
  { granted, condition, sort: keys }: ListWanted,
  { groups }: Needs,
): Promise<Asked | undefined> {
  const { table } = granted
  const sort = sortOf(keys)
  const isWhole = !condition && granted.readFilter === ''
  if (isWhole && isById(sort) && !groups?.length) return undefined
  // An order keeps some of its keys.
  if (sort.some(({ attribute }) => mayBeLong(attribute))) return undefined
  // Options without an index would be read by a scan for each of them.
  if (groups?.some((group) => indexes.serving(table, group).length === 0)) return undefined
  await positions.ready(table.id)
  if (positions.locate(table.id, least - 1) === undefined) return undefined
  const rule = granted.readFilter === '' ? undefined : ruleOf({ context }, granted, granted.readFilter)
  if (granted.readFilter !== '' && !rule) return undefined
  indexes.wanted(table, condition, sort)
  if (rule) indexes.wanted(table, rule, [])
  return { condition: asTerm([rule, condition].filter((one) => one !== undefined)), sort }
}

/** The keys up to the id, which decides; ascending by id alone is no key. */
function sortOf(keys: readonly SortKey[]): readonly SortKey[] {
  const id = keys.findIndex(({ attribute }) => attribute.name === 'id')
  if (id < 0) return keys
  return keys.slice(0, keys[id]!.descending ? id + 1 : id)
}

/** Whether no order has to be kept for it: by id, or by id descending. */
const isById = (sort: readonly SortKey[]): boolean => sort.length === 0 || sort[0]!.attribute.name === 'id'

/** Reads what is missing, and answers in the turn in which all is there. Undefined: the records change faster than sets follow. */
async function whenKnown<T>(
  parts: SetListParts,
  { granted }: ListWanted,
  { condition, sort }: Asked,
  { until = Infinity, groups = [] }: Needs,
  answer: (known: Known) => T,
): Promise<T | undefined> {
  const { sets: all, indexes } = parts
  const { table, caller } = granted
  const own = new Map<string, Term>()
  let ownOrder: RecordOrder | undefined
  let before: TableSets | undefined
  let orderReads = 0
  for (let tries = 0; tries < TRIES; tries++) {
    const sets = all.of(table)
    if (!sets || parts.catalogue().tables.get(table.id)?.version !== table.version) throw new Stale()
    // What was read before the sets were forgotten follows a log that has ended.
    if (before !== sets) {
      own.clear()
      ownOrder = undefined
    }
    before = sets
    const found = isEverything(condition) ? undefined : sets.resolve(condition, own)
    const order = isById(sort) ? undefined : sets.ordered(sort, ownOrder)
    if (!isById(sort) && sets.isSparse) return undefined
    const parted = groups.map((group) => sets.resolve(group, own))
    const missing = [...(found ? [found] : []), ...parted].flatMap((one) => ('missing' in one ? one.missing : []))
    const isReady = missing.length === 0 && (order || isById(sort))
    if (isReady) return answer({ sets, sort, found: found as Found | undefined, order, groups: parted as Found[] })
    const reads = missing.map(async (one) => {
      const term = await all.read(table, sets, one, caller)
      if (term) own.set(term.key, term)
    })
    if (!order && !isById(sort)) {
      // Records that change faster than an order follows, as in an import, would have it read again and again.
      if (++orderReads > ORDER_READS) return undefined
      const read = all.readOrder(table, sets, sort, caller)
      // The first pages of a whole table are there at once where an index has its order.
      if (!found && until <= LOOKED_THROUGH && hasIndex(indexes, table.id, sort[0]!)) {
        read.catch(() => undefined)
        return undefined
      }
      reads.push(read.then((one) => void (ownOrder = one)))
    }
    await Promise.all(reads)
  }
  return undefined
}

function pageNow(
  { db }: SetListParts,
  { sets, sort, found, order }: Known,
  { granted, offset, limit }: { readonly offset: number; readonly limit: number } & ListWanted,
): PageRows {
  const select = shownList(granted.attributes, db.dialect)
  const rows = (ids: readonly number[]) => rowsOf(db, granted, ids, select)
  if (!found) return { rows: rows(order!.ids.page(offset, limit)), total: order!.ids.size }
  const { set } = found.term
  const total = set.size
  if (offset >= total) return { rows: [], total }
  if (!order) {
    const begin = Math.max(0, total - offset - limit)
    const ids = sort.length === 0 ? set.page(offset, limit) : set.page(begin, total - offset - begin).reverse()
    return { rows: rows(ids), total }
  }
  const isNear = ((offset + limit) * order.ids.size) / total <= LOOKED_THROUGH
  // The filter may leave out the beginning of the order.
  const near = isNear ? order.ids.pageWithin(2 * LOOKED_THROUGH, offset, limit, set) : undefined
  return { rows: rows(near ?? order.ids.page(offset, limit, set, sets.countsOf(found, order))), total }
}
