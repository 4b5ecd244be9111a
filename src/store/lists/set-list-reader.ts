import { mayBeLong } from '../../filter/patience.ts'
import type { SortKey } from '../../filter/sort.ts'
import { asTerm } from '../../filter/terms.ts'
import { limits } from '../../limits.ts'
import { setLast } from '../../memory/lru.ts'
import type { Db, Row } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import type { Answered } from '../ground/indexes.ts'
import type { Uses } from '../ground/store.ts'
import { Stale } from '../model/stale.ts'
import { nothingOf, ruleOf, shownList } from '../records/read-records.ts'
import type { ListReader, ListWanted, PageRows } from './list-reader.ts'
import type { ListSets } from '../sets/list-sets.ts'
import { Unread } from '../sets/record-reads.ts'
import { orderText } from '../sets/record-order.ts'
import { plannedRows } from '../sets/rows-of.ts'
import { groupsByIds, measuredGroups, mostByColumns, mostByIds } from './group-sets.ts'
import type { Fresh, Planned } from '../sets/set-source.ts'
import { isById, LOOKED_THROUGH, Search, type Asked, type Known, type Needs } from './set-search.ts'
import type { TableSets } from '../sets/table-sets.ts'
import { canWalk, idsAlong, idsById, walkedRows } from './walk-sets.ts'

/*
 * Lists from sets (list-sets.ts). In one turn of the event loop, sets and orders follow the changes of the table, and the page is found in
 * them. Its records are read in the same turn where the database is in this process; else the answer holds if the sets, brought to the state of which
 * the records were read, still say the same. So page and total are of one state.
 */

export interface SetListParts extends Uses<'indexes' | 'context' | 'catalogue'> {
  readonly db: Pick<Db, 'dialect'>
  readonly sets: ListSets
  /** For small tables, and where the records change faster than sets follow. */
  readonly bySql: ListReader
  readonly onFault: OnFault
  /** By table and order, how many lists SQL answered in place of sets, one after the other. */
  readonly instead: Map<string, number>
}

/** The rows of a page are kept if it ends so near to the beginning of its list: people look there first. */
const FIRST = 2_000
/** How often a question begins anew, after what was missing has been read. */
const TRIES = 8
/** The same where records that sets compare have to be read first. */
const FETCHES = 40

/** `parts` is there for tests. */
export const setListReader = (parts: SetListParts): ListReader & { readonly parts: SetListParts } => ({
  parts,
  async page(question) {
    const needs = { until: question.offset + question.limit, byBeginning: true }
    const answer = await fromSets(parts, question, needs, (known, reads) => pageNow(parts, known, question, reads))
    return 'given' in answer ? answer.given : parts.bySql.page({ ...question, ...answer })
  },
  async groups(question) {
    const { granted, condition, grouping, measured } = question
    const columns = [...(grouping ? [grouping.attribute] : []), ...measured]
    const needs = { columns, few: mostByIds(parts.db), most: mostByColumns(question) }
    const answer = await fromSets(parts, { granted, condition, sort: [] }, needs, ({ found, columns: known }) =>
      known ? measuredGroups(question, found?.set.toSet(), known) : groupsByIds(parts.db, question, found!.set.toSet()),
    )
    return 'given' in answer ? answer.given : parts.bySql.groups({ ...question, ...answer })
  },
  async walk(wanted, stretching) {
    const answer = canWalk(stretching)
      ? await fromSets(parts, wanted, { until: stretching.from ? Infinity : stretching.limit }, (known) => {
          const ids = known.order
            ? idsAlong(known.sets, known.sort, known.order, known.found, stretching, LOOKED_THROUGH)
            : idsById(known.found!.set.toSet(), stretching, known.sort.length > 0)
          return walkedRows(parts.db, wanted, ids, stretching.limit)
        })
      : {}
    return 'given' in answer ? answer.given : parts.bySql.walk({ ...wanted, ...answer }, stretching)
  },
  figures: () => parts.sets.figures(),
  verify: () => parts.sets.verify(),
  startAhead: () => parts.sets.source.startAhead(),
  idle: () => Promise.all([parts.sets.idle(), parts.bySql.idle()]),
})

/** Lists that SQL answered in place of sets, one after the other of the same order, from which on it does so as a rule; and the orders for which that is counted. */
const OFTEN = 20
const COUNTED = 1_000
/** Orders of a table that were read, in its present structure, from which on they want indexes. */
const MANY_ORDERS = 30

/**
 * The answer from sets; or where SQL has to give it, what answers such lists as a rule. Where sets are not what the records are, which is a fault of this
 * program, they are made anew.
 */
async function fromSets<T>(
  parts: SetListParts,
  wanted: ListWanted,
  needs: Needs,
  answer: (known: Known, reads: number) => Planned<T> | undefined,
): Promise<{ readonly given: T } | { readonly answered?: Answered }> {
  const asked = await askedOf(parts, wanted, needs)
  const { answered: counted } = parts.sets
  const { table } = wanted.granted
  if (!asked || asked === 'for once') {
    counted.sql++
    return asked ? { answered: 'by sets of a table that is not large' } : {}
  }
  const key = `${table.id} ${needs.columns ? 'figures' : orderText(asked.sort)}`
  try {
    const given = await whenKnown(parts, wanted, asked, needs, answer)
    counted[given === undefined ? 'sql' : 'sets']++
    if (given !== undefined) {
      parts.instead.delete(key)
      return { given }
    }
  } catch (error) {
    parts.sets.diverged({ tableId: table.id }, error)
  }
  const count = (parts.instead.get(key) ?? 0) + 1
  setLast(parts.instead, key, count, COUNTED)
  return count < OFTEN && !parts.sets.of(table)?.isLeftToSql(asked.sort) ? { answered: asked.answered } : {}
}

/** Undefined: the list is answered by SQL; 'for once': for the time being. */
async function askedOf(
  { sets, context, indexes }: SetListParts,
  { granted, condition, sort: keys }: ListWanted,
  { columns = [] }: Needs,
): Promise<Asked | 'for once' | undefined> {
  const { table } = granted
  const sort = sortOf(keys)
  const isWhole = !condition && granted.readFilter === ''
  if (isWhole && isById(sort) && columns.length === 0) return undefined
  // An order keeps some of its keys.
  if (sort.some(({ attribute }) => mayBeLong(attribute))) return undefined
  const bySize = await sets.source.answered(table)
  if (bySize === 'by SQL') return undefined
  if (bySize === 'by SQL for once') return 'for once'
  // Where memory has no room for an order, it is read again and again.
  const answered = sets.ordersRead(table.id) >= MANY_ORDERS ? 'by sets' : bySize
  const rule = granted.readFilter === '' ? undefined : ruleOf({ context }, granted, granted.readFilter)
  if (granted.readFilter !== '' && !rule) return undefined
  indexes.wanted(table, condition, sort, answered)
  if (rule) indexes.wanted(table, rule, [], answered)
  return { condition: asTerm([rule, condition].filter((one) => one !== undefined)), sort, answered }
}

/** The keys up to the id, which decides; ascending by id alone is no key. */
function sortOf(keys: readonly SortKey[]): readonly SortKey[] {
  const id = keys.findIndex(({ attribute }) => attribute.name === 'id')
  if (id < 0) return keys
  return keys.slice(0, keys[id]!.descending ? id + 1 : id)
}

/** Rows that were read, and of which state. */
interface Read extends Fresh<readonly Row[]> {
  readonly sets: TableSets
  readonly ids: ReadonlySet<number>
}

/** Reads what is missing, and answers in the turn in which all is there. Undefined: the records change faster than sets follow. */
async function whenKnown<T>(
  parts: SetListParts,
  { granted }: ListWanted,
  asked: Asked,
  needs: Needs,
  answer: (known: Known, reads: number) => Planned<T> | undefined,
): Promise<T | undefined> {
  const { sets: all } = parts
  const { table, caller } = granted
  const search = new Search(all, parts.indexes, table, caller, asked, needs)
  let read: Read | undefined
  for (let [tries, fetches, reads] = [0, 0, 0]; tries < TRIES && fetches < FETCHES; tries++) {
    const sets = all.of(table)
    if (!sets || parts.catalogue().tables.get(table.id)?.version !== table.version) throw new Stale()
    const begun = all.source.begun(sets)
    if (begun) {
      if (!(await begun)) return undefined
      continue
    }
    try {
      // In the same turn where nothing has to be waited for.
      const found = search.known(sets)
      const known = found instanceof Promise ? await found : found
      if (known === 'by SQL') return undefined
      if (known === 'again') continue
      const plan = answer(known, reads)
      if (!plan) return undefined
      if (read?.sets === sets && stands(sets, read, plan)) return plan.give(read.answer)
      const { end } = sets.log
      const ids = plan.around ?? plan.ids
      const rows = all.source.rows(sets, plan, ids)
      if (!(rows instanceof Promise)) {
        const given = plan.give(rows)
        known.found?.made?.release()
        return given
      }
      const fresh = await rows
      reads++
      if (fresh && sets.log.end === end) return plan.give(fresh.answer)
      read = fresh && { ...fresh, sets, ids: new Set(ids) }
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      tries--
      fetches++
      await all.source.fetch!(all.of(table) ?? sets, caller, error)
    }
  }
  return undefined
}

/** Whether what was read is what a plan needs, as it is now. Figures of groups are made of all records that were read for them. */
function stands({ log }: TableSets, { ids: read, seen }: Read, { ids, shown }: Planned<unknown>): boolean {
  const changed = log.since(seen)
  return changed !== undefined && (shown !== undefined || ids.length === read.size) && ids.every((id) => read.has(id) && !changed.has(id))
}

/** Records on either side of a page that are read with it, for each read before: others come and go meanwhile. */
const AROUND = 3

/** `reads`: of rows for the same question, which are no answer any more. */
function pageNow(
  { db }: SetListParts,
  known: Known,
  { granted, offset, limit }: { readonly offset: number; readonly limit: number } & ListWanted,
  reads: number,
): Planned<PageRows> {
  const { found, order } = known
  const total = found ? found.set.size : order!.ids.size
  // No more than a page may have.
  const more = Math.max(0, Math.min(AROUND * reads, Math.floor((limits.page.most - limit) / 2)))
  const before = Math.min(offset, more)
  const around = idsAt(known, offset - before, before + limit + more)
  const ids = around.slice(before, before + limit)
  const select = shownList(granted.attributes, db.dialect)
  const how = { nothing: nothingOf(granted.attributes), areKept: offset + limit <= FIRST, around }
  return plannedRows(db.dialect, granted.table, ids, select, (rows) => ({ rows, total }), how)
}

function idsAt({ sets, sort, found, order, beginning }: Known, offset: number, limit: number): readonly number[] {
  if (!found) return order!.ids.page(offset, limit)
  const { set } = found
  const total = set.size
  if (offset >= total) return []
  if (beginning) return beginning.filter((id) => set.has(id)).slice(offset, offset + limit)
  if (!order) {
    const begin = Math.max(0, total - offset - limit)
    return sort.length === 0 ? set.page(offset, limit) : set.page(begin, total - offset - begin).reverse()
  }
  const isNear = ((offset + limit) * order.ids.size) / total <= LOOKED_THROUGH
  // The filter may leave out the beginning of the order.
  const near = isNear ? order.ids.pageWithin(2 * LOOKED_THROUGH, offset, limit, set) : undefined
  return near ?? order.ids.page(offset, limit, set, sets.countsOf(found, order))
}
