import { Failure } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { TextIndex, TextIndexUpkeep } from '../../sql/dialect.ts'
import { ordering } from '../../filter/compile.ts'
import { constant, name, sql, type Sql } from '../../sql/sql.ts'
import { reportTo } from '../ground/fault.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import { indexKinds, type IndexKind } from '../ground/indexes.ts'
import { dropOf, everyAttribute, isOfTexts, planOf, suits, type Plan } from './index-plan.ts'
import type { IndexMemory } from './index-memory.ts'
import { firstPace, othersTime, paceAfter, type Did, type Pace } from './index-pace.ts'
import { failedFor, type IndexRow } from './index-rows.ts'
import type { Indexing } from './indexing.ts'

/*
 * Makes and drops indexes, one step at a time, in a thread or on a connection of its own. Reads go on; on SQLite, writes wait for the step.
 * The size of a step is bounded only for text indexes that need upkeep (SQLite); every other index is created in one step. The next step
 * follows from the rows of the system table and the structure alone, so the work can be interrupted anywhere.
 */

/** Segments of a text index that are left unmerged. */
const PARTS = 16
/** The cost of a record in a step besides its text, in bytes of text. */
const RECORD = 64

export interface Building {
  readonly store: Indexing
  readonly memory: IndexMemory
  /** Writes a row for an index that a list has requested; false where there is none. */
  writeNext(): Promise<boolean>
}

export interface IndexBuilder {
  wake(): void
  idle(): Promise<void>
  stop(): Promise<void>
  check(): AsyncGenerator<string>
}

/** Statements that bring a row and its index to the wanted state (`done`), or one step nearer. `did`: only if there is a pace. */
type Step = { readonly row: IndexRow; readonly done: boolean; readonly statements: readonly Sql[]; readonly did?: Did }

export function indexBuilder({ store, memory, writeNext }: Building): IndexBuilder {
  let running: Promise<void> | undefined
  let woken = false
  let stopped = false
  let pace = firstPace

  async function work(): Promise<void> {
    while (woken && !stopped) {
      woken = false
      while (!stopped && ((await writeNext()) || (await nextStep(memory.isBehind)))) continue
    }
  }

  /** Does the next step; false if there is nothing to do. */
  async function nextStep(isBehind: (row: IndexRow) => boolean): Promise<boolean> {
    const rows = await memory.reload()
    for (const one of rows) await ordersAhead(store, one)
    const row = rows.find((one) => isDue(store, one, isBehind))
    if (!row) return false
    let step: Step | undefined
    try {
      const isSampled = await sampled(store, row, () => stopped)
      const milliseconds = await store.db.writeAside(async () => {
        // Whatever has changed meanwhile: from here on nobody writes.
        const now = (await memory.reload()).find((one) => one.id === row.id)
        if (!now || !isDue(store, now, isBehind)) return []
        step = await stepOf(store, now, pace, isSampled)
        return step.statements
      })
      if (step?.did) pace = paceAfter(pace, step.did, milliseconds)
      if (step?.done && isOfTexts(step.row.kind)) memory.covered(step.row)
      await store.db.giveWay?.(othersTime(milliseconds, memory.behindBy(row)), () => stopped)
    } catch (error) {
      store.onFault(`the index of table ${row.tableId} over ${row.attribute} (${row.kind}) was not made`, error)
      await store.db.write((tx) => tx.run(failedFor(error, row.id)))
      await dropHalfMade(store, row, error)
    }
    await memory.reload()
    return true
  }

  function wake(): void {
    woken = true
    if (running || stopped) return
    // A fault of the database, such as a full disk, fails requests too, which report it. The next wake tries again.
    running = work()
      .catch(reportTo(store.onFault, 'the making of indexes stopped; it begins again when there is next something to make'))
      .finally(() => {
        running = undefined
        if (woken) wake()
      })
  }

  return {
    wake,
    async idle() {
      while (running) await running
    },
    async stop() {
      stopped = true
      await running
    },
    check: () => misfits(store, memory),
  }
}

/** One sentence for each fault of a text index. */
async function* misfits(store: Indexing, memory: IndexMemory): AsyncGenerator<string> {
  const { upkeep } = store.db.dialect.indexes.texts
  for (const row of await memory.reload()) {
    const attribute = isOfTexts(row.kind) && row.state === 'ready' ? attributeOf(store, row) : undefined
    const fault = attribute && (await (upkeep ? faultOf(store, upkeep, row, attribute) : misfitOf(store, row, attribute)))
    const of = row.kind === 'words' ? `the index over its words` : `${row.attribute}: the index over its texts`
    if (fault) yield `Table ${row.tableId}, ${of} ${fault}; forbid and allow it to have it made anew.`
  }
}

/** Undefined if the field or its table is erased or in the trash. */
function attributeOf(store: Indexing, { tableId, attribute, kind }: IndexRow): Attribute | undefined {
  const table = store.catalogue().tables.get(tableId)
  return kind === 'words' ? table && everyAttribute : table?.allAttributes.get(attribute)
}

/** Prepares the expression of an index over the labels of a list. */
async function ordersAhead(store: Indexing, row: IndexRow): Promise<void> {
  const attribute = isOfTexts(row.kind) ? undefined : attributeOf(store, row)
  if (attribute) await inTurns(ordering(attribute))
}

/** Takes away what a making has left that has failed: writes would go on keeping it. Where steps make an index, the next one goes on with it. */
async function dropHalfMade(store: Indexing, row: IndexRow, cause: unknown): Promise<void> {
  const attribute = attributeOf(store, row)
  const plan = attribute && planFor(store, row, attribute)
  if (!plan || (plan.text && store.db.dialect.indexes.texts.upkeep)) return
  const report = reportTo(store.onFault, 'what is left of an index that was not made was not dropped')
  // What kept the index from being made may keep it from being dropped, and is told already.
  await store.db.writeAside(async () => plan.drop()).catch((error) => String(error) !== String(cause) && report(error))
}

const isKind = (kind: string): kind is IndexKind => indexKinds.some((one) => one === kind)

function isDue(store: Indexing, row: IndexRow, isBehind: (row: IndexRow) => boolean): boolean {
  if (row.state === 'failed') return false
  // '': nobody wants it any more, it is to be dropped.
  if (row.wish === '') return true
  if (row.wish === 'forbidden') return row.state !== 'none'
  if (!store.catalogue().tables.has(row.tableId)) return false
  const attribute = attributeOf(store, row)
  if (!attribute) return row.indexName !== ''
  return row.state !== 'ready' || isBehind(row) || planFor(store, row, attribute)?.madeOf !== row.madeOf
}

function planFor(store: Indexing, row: IndexRow, attribute: Attribute): Plan | undefined {
  const { kind } = row
  const attributes = store.catalogue().tables.get(row.tableId)?.attributes
  if (!attributes || !isKind(kind) || !suits(attribute, kind, store.db.dialect)) return undefined
  return planOf({ ...row, kind }, attribute, attributes, store.db.dialect)
}

const isWanted = ({ wish }: IndexRow): boolean => wish === 'auto' || wish === 'pinned'

/** The next step of a row that is due. `isSampled`: its step copies the counts of the sample. */
async function stepOf(store: Indexing, row: IndexRow, pace: Pace, isSampled: boolean): Promise<Step> {
  const attribute = attributeOf(store, row)
  const plan = attribute && planFor(store, row, attribute)
  if (!isWanted(row) || !plan) {
    const keepsWish = row.wish === 'forbidden' || (row.wish === 'pinned' && !attribute)
    return {
      row,
      done: true,
      // Also what a making has left that was ended in the middle.
      statements: [
        unready(row),
        ...dropOld(store, row),
        ...(plan?.drop() ?? []),
        keepsWish ? without(row) : sql`DELETE FROM indexes WHERE id = ${row.id}`,
      ],
    }
  }
  const { upkeep } = store.db.dialect.indexes.texts
  const isWhole = !plan.text || !upkeep
  if (plan.madeOf !== row.madeOf)
    return {
      row,
      done: isWhole,
      statements: [...dropOld(store, row), ...plan.drop(), ...plan.make(), noted(store, row, plan, isWhole)],
    }
  if (isWhole) return { row, done: true, statements: [noted(store, row, plan, true)] }
  if (isSampled) return { row, done: false, statements: upkeep.learn(plan.text) }
  return cover(store, upkeep, row, plan, plan.text, pace)
}

function dropOld({ db }: Indexing, { indexName, kind }: IndexRow): readonly Sql[] {
  return indexName === '' ? [] : dropOf(db.dialect, kind, indexName)
}

/** Before its index is dropped, so that no other process asks for it. */
const unready = ({ id }: IndexRow): Sql => sql`UPDATE indexes SET state = 'waiting' WHERE id = ${id}`

const without = ({ id, wish }: IndexRow): Sql =>
  sql`UPDATE indexes SET state = ${wish === 'forbidden' ? 'none' : 'waiting'}, index_name = '', made_of = '', made_at = '0000-00-00 00:00:00', covered = 0, bytes = 0
    WHERE id = ${id}`

const noted = ({ db, time }: Indexing, { id }: IndexRow, { index, madeOf }: Plan, ready: boolean): Sql =>
  sql`UPDATE indexes SET state = ${ready ? 'ready' : 'waiting'}, index_name = ${index}, made_of = ${madeOf}, made_at = ${time(0)},
    covered = CASE WHEN ${ready ? 1 : 0} = 1 THEN covered ELSE 0 END, bytes = (${db.dialect.indexes.bytes(index)}), failure = '', failurek = '' WHERE id = ${id}`

/** Adds texts to a text index, changed records first; or merges its segments if there are many. */
async function cover(store: Indexing, upkeep: TextIndexUpkeep, row: IndexRow, plan: Plan, text: TextIndex, pace: Pace): Promise<Step> {
  const [counted] = await store.db.read(upkeep.parts(plan.index))
  if (Number(counted![0]![0]) > PARTS)
    return { row, done: false, statements: [upkeep.merge(plan.index, pace.pages)], did: { pages: pace.pages, full: true } }
  const most = Math.ceil(pace.bytes / RECORD) + 1
  const old = await within(store, upkeep.changed(text, most), pace.bytes, true)
  const left = pace.bytes - old.bytes
  const next = await within(store, upkeep.later(text, most), left, old.count === 0)
  const done = old.count === old.of && next.count === next.of && Math.max(old.of, next.of) < most
  const renewed = old.count === 0 ? [] : upkeep.renew(text, old.last)
  const taken = next.count === 0 ? [] : [upkeep.cover(text, next.last), sql`UPDATE indexes SET covered = ${next.last} WHERE id = ${row.id}`]
  const statements = [...renewed, ...taken, ...(done && row.state !== 'ready' ? [noted(store, row, plan, true)] : [])]
  return { row, done, statements, did: { bytes: old.bytes + next.bytes, full: !done } }
}

/**
 * Counts the grams of a sample of the records, while others write: once, and again when the table has doubled. False if that is not due, or
 * if the index has changed meanwhile.
 */
async function sampled(store: Indexing, row: IndexRow, isStopped: () => boolean): Promise<boolean> {
  const { db } = store
  const { upkeep } = db.dialect.indexes.texts
  const attribute = attributeOf(store, row)
  const plan = attribute && planFor(store, row, attribute)
  if (!upkeep || !db.prepareAside || !isWanted(row) || !plan?.text || plan.text.words || plan.madeOf !== row.madeOf) return false
  try {
    const [newest, learned] = (await db.read(upkeep.lastLearned(plan.text)))[0]![0]!
    if (learned !== null && !hasDoubled(Number(learned), Number(newest))) return false
    for (const statements of upkeep.sample(plan.text)) {
      if (isStopped()) return false
      await db.prepareAside(statements)
    }
    return true
  } catch (error) {
    const [rows] = await db.read(sql`SELECT made_of FROM indexes WHERE id = ${row.id}`)
    const now = attributeOf(store, row)
    if (now && planFor(store, row, now)?.madeOf === row.madeOf && rows![0]?.[0] === row.madeOf) throw error
    return false
  }
}

/** How many of these records, in the order of their ids, have at most `bytes` together, and the last id of them. `some`: at least one. */
async function within({ db }: Indexing, records: Sql, bytes: number, some: boolean) {
  const [found] = await db.read(sql`WITH summed AS (
      SELECT id, sum(bytes + ${constant(RECORD)}) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes, row_number() OVER (ORDER BY id) AS n
      FROM (${records}) AS one)
    SELECT count(*), coalesce(max(id), 0), coalesce(max(bytes), 0), (SELECT count(*) FROM summed) FROM summed
    WHERE bytes <= ${bytes} OR n <= ${some ? 1 : 0}`)
  const [count, last, taken, of] = found![0]!.map(Number) as [number, number, number, number]
  return { count, last, bytes: taken, of }
}

/** Whether a power of two lies between the numbers, so that work is repeated each time a table has doubled. */
const hasDoubled = (before: number, after: number): boolean => Math.clz32(before) !== Math.clz32(Math.max(before, after))

/** The fault of a text index that writes update, as the end of a sentence; undefined if there is none. */
async function misfitOf(store: Indexing, row: IndexRow, attribute: Attribute): Promise<string | undefined> {
  const plan = planFor(store, row, attribute)
  const query = plan?.text && plan.madeOf === row.madeOf ? store.db.dialect.indexes.texts.misfits?.(plan.text) : undefined
  if (!query) return undefined
  const [[counted]] = (await store.db.read(query)) as [[[number]]]
  return Number(counted[0]) > 0 ? 'does not fit them' : undefined
}

/** The fault of a text index, as the end of a sentence; undefined if there is none. @throws Failure if that cannot be found out */
async function faultOf(store: Indexing, upkeep: TextIndexUpkeep, row: IndexRow, attribute: Attribute): Promise<string | undefined> {
  const plan = planFor(store, row, attribute)
  if (!plan?.text || plan.madeOf !== row.madeOf) return undefined
  const { text } = plan
  try {
    await store.db.writeAside(async () => {
      const [newest] = (await store.db.read(sql`SELECT coalesce(max(id), 0) FROM ${name(text.table)}`))[0]!
      const last = Number(newest![0])
      return [
        ...upkeep.renew(text, Number.MAX_SAFE_INTEGER),
        upkeep.cover(text, last),
        sql`UPDATE indexes SET covered = CASE WHEN covered < ${last} THEN ${last} ELSE covered END WHERE id = ${row.id}`,
        upkeep.sound(text),
      ]
    })
    return undefined
  } catch (error) {
    if (error instanceof Failure && error.code === 'database.damaged') return 'does not fit them'
    if (error instanceof Failure || !(error instanceof Error)) throw error
    return `cannot be read (${error.message})`
  }
}
