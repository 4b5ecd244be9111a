import { compile, idsOf } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import { sql } from '../../sql/sql.ts'
import { accessPath, numberIn, type AccessPath, type Counting } from './access-path.ts'
import type { Granted } from '../model/access.ts'
import { Abandoned } from '../model/asker.ts'
import type { Reader } from '../ground/db.ts'
import { IDS, nothingKnown, remember, type Ids, type Remembered } from './list-memory.ts'
import { countOf, gathered, keyOf, orderOf, source, whereOf, type List } from './list-statements.ts'
import { conditionOf, readShown, visible } from '../records/read-records.ts'
import { hasIndex } from './order.ts'
import { planPage, readPage } from './page-plan.ts'
import type { PageRows } from './whole-pages.ts'
import type { ListQuery, Page } from '../ground/pages.ts'
import type { ListStore } from './list-store.ts'

/** A page of what matches, and how many match in all, from one snapshot. */
export async function listRecords(store: ListStore, granted: Granted<'read'>, { filter, sort, offset, limit }: ListQuery): Promise<Page> {
  const { dialect } = store.db
  const condition = filter && (await conditionOf(store, granted, filter))
  store.indexes.wanted(granted.table, condition, sort)
  const find = await store.indexes.pieces(granted.table, condition)
  const wanted = condition && compile(condition, dialect, find)
  const shown = [visible(store, granted, (rule) => store.indexes.wanted(granted.table, rule, []))]
    .filter((one) => one !== undefined)
    .map((one) => sql`(${one})`)
  const where = [...shown, ...(wanted ? [sql`(${wanted})`] : [])]
  if (where.length === 0 && (sort.length === 0 || isById(sort[0]!)))
    return pageFrom(await store.whole.byId(granted, offset, limit), granted)
  if (where.length === 0 && sort.length === 1) {
    const found = await store.whole.sorted(granted, sort[0]!, offset, limit)
    if (found) return pageFrom(found, granted)
  }
  const held = where.length === 1 && sort.length === 0 ? idsOf(condition, find) : undefined
  await store.positions.ready(granted.table.id)
  const isLarge = store.positions.locate(granted.table.id, MANY) !== undefined
  const isOrdered = sort.length > 0 && hasIndex(store.indexes, granted.table.id, sort[0]!)
  return pageOf(store, { granted, where, condition, find, shown, sort, dialect, held, isLarge, isOrdered }, offset, limit)
}

const pageFrom = ({ rows, total }: PageRows, { attributes }: Granted<'read'>): Page => ({
  records: rows.map((row) => readShown(row, attributes)),
  total,
})

const isById = ({ attribute, descending }: SortKey): boolean => attribute.column === 'id' && !descending

/** Records from which on a filtered or sorted list is not tried by the thread that serves. */
const MANY = 1_000

/**
 * A page of a filtered or sorted list. Of many records it is read aside; where the table changed meanwhile, what was
 * remembered of it and the page may not fit together, and both are read anew from one snapshot.
 */
async function pageOf(store: ListStore, list: List, offset: number, limit: number): Promise<Page> {
  const { positions, db } = store
  const { table } = list.granted
  const { known, query, learn } = positions.state(table.id)
  const key = keyOf(list)
  const memoryOf = (state: number) => store.lists.of(key, `${table.version}/${state}`)
  const remembered = memoryOf(known)
  const { readLittle, readAside } = db.forLists
  const { caller } = list.granted
  const little: Reader['read'] = (...queries) => readLittle(caller, ...queries)
  const aside: Reader['read'] = list.isLarge ? (...queries) => readAside(caller, ...queries) : little
  const asked = await onItsWay(store, aside, list, remembered, offset, limit)
  const isFresh = remembered.total === undefined
  const beside = { total: positions.total(table.id), state: query }
  const read = async (memory: Remembered) => {
    const { state, start, ...page } = await readPage(
      memory.ids ? little : aside,
      asked,
      beside,
      planPage(asked, memory, offset, limit),
      offset,
    )
    const seen = query ? learn(state) : positions.state(table.id).known
    // Where no query tells the state, it is that of the page only if it is what it was before.
    if (seen === known) remember(remembered, page.total, start)
    else if (query) remember(memoryOf(seen), page.total, start)
    return { page: pageFrom(page, list.granted), seen }
  }
  const { page, seen } = await read(isFresh ? nothingKnown() : remembered)
  return isFresh || seen === known ? page : (await read(nothingKnown())).page
}

/** The list as it costs least to read. Of one that was read before, and is gathered, the ids of all that match are remembered. */
async function onItsWay(
  { indexes, lists, positions, db }: ListStore,
  read: Reader['read'],
  list: List,
  remembered: Remembered,
  offset: number,
  limit: number,
): Promise<List> {
  const { granted, condition, find, sort, dialect, shown } = list
  if (!condition || !db.dialect.indexes.countsFirst || remembered.ids) return list
  const again = remembered.total !== undefined
  const along = ({ where: wanted, gathers, isHeld }: AccessPath): List => {
    const where = wanted ? [...shown, sql`(${wanted})`] : list.where
    const held = isHeld ? sql`SELECT id FROM ${source(list)}${whereOf({ ...list, where })}` : undefined
    return { ...list, where, gathers, held: list.held ?? held }
  }
  const counting: Counting = {
    async upTo(wanted, most) {
      const counts = await read(
        ...wanted.map(
          (one) => sql`SELECT count(*) FROM (SELECT 1 FROM ${source(list)}${whereOf({ ...list, where: [one] })} LIMIT ${most}) AS some`,
        ),
      )
      return counts.map(numberIn)
    },
    all: async (path) => numberIn((await read(countOf(along(path))))[0]!),
    hasMore: (count) => positions.locate(granted.table.id, Math.floor(count)) !== undefined,
  }
  const question = { table: granted.table, condition, find, sort, dialect, remembered }
  const { path, learned } = await accessPath(indexes, question, counting, offset, limit)
  Object.assign(remembered, learned)
  const asked = along(path)
  if (again && asked.gathers && remembered.total! <= IDS) {
    remembered.gathering ??= gather(read, asked)
      .then((ids) => lists.keep(remembered, ids))
      .finally(() => (remembered.gathering = undefined))
    await remembered.gathering.catch((error: unknown) => {
      // Whoever had them gathered has gone; then this list is read as if nobody had.
      if (!(error instanceof Abandoned) || granted.caller.client?.isGone) throw error
    })
  }
  return asked
}

/** The ids of all that match, told as one text, which is cheaper to hand from thread to thread than so many rows. */
async function gather(read: Reader['read'], list: List): Promise<Ids> {
  const [[row] = []] = await read(
    sql`SELECT group_concat(id) FROM (${gathered(list, orderOf(list.sort, false, list.dialect))}) AS gathered`,
  )
  const ids = row?.[0] ? String(row[0]).split(',').map(Number) : []
  return ids.some((id) => id >= 2 ** 32) ? Float64Array.from(ids) : Uint32Array.from(ids)
}
