import { Failure } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { TextIndex, TextIndexUpkeep } from '../../sql/dialect.ts'
import { ordering } from '../../filter/compile.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import { recordsOf } from '../model/catalogue.ts'
import { reportTo } from '../ground/fault.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import { indexKinds, type IndexKind } from '../ground/indexes.ts'
import { dropOf, planOf, suits, type Plan } from './index-plan.ts'
import type { IndexMemory } from './index-memory.ts'
import { failedFor, type IndexRow } from './index-rows.ts'
import type { Indexing } from './indexing.ts'

/*
 * Makes and drops indexes, one step at a time, in a thread or on a connection of its own: reads go on, writes wait for the step. The
 * next step follows from the rows of the system table and the structure alone, so the work can be interrupted anywhere.
 */

/** A step over the texts of a table takes about so long, in milliseconds. */
const STEP = 40
const FIRST = 256
const LARGEST = 20_000

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

/** Statements that bring a row and its index to the state that is wanted (`done`), or nearer to it. `full`: as many records as fit. */
type Step = { readonly row: IndexRow; readonly done: boolean; readonly statements: readonly Sql[]; readonly full?: boolean }

export function indexBuilder({ store, memory, writeNext }: Building): IndexBuilder {
  let running: Promise<void> | undefined
  let woken = false
  let stopped = false
  let size = FIRST

  async function work(): Promise<void> {
    while (woken && !stopped) {
      woken = false
      while (!stopped && ((await writeNext()) || (await nextStep(memory.isBehind)))) continue
    }
  }

  /** Does one step of what there is to do; false where there is nothing. */
  async function nextStep(isBehind: (row: IndexRow) => boolean): Promise<boolean> {
    const rows = await memory.reload()
    for (const one of rows) await ordersAhead(store, one)
    const row = rows.find((one) => isDue(store, one, isBehind))
    if (!row) return false
    let step: Step | undefined
    try {
      const milliseconds = await store.db.writeAside(async () => {
        // Whatever has changed meanwhile: from here on nobody writes.
        const now = (await memory.reload()).find((one) => one.id === row.id)
        if (!now || !isDue(store, now, isBehind)) return []
        step = await stepOf(store, now, size)
        return step.statements
      })
      if (step?.full) size = Math.round(Math.max(1, Math.min(LARGEST, 2 * size, (size * STEP) / (milliseconds + 1))))
      if (step?.done && step.row.kind === 'text') memory.covered(step.row)
    } catch (error) {
      store.onFault(`the index of table ${row.tableId} over ${row.attribute} (${row.kind}) was not made`, error)
      await store.db.write((tx) => tx.run(failedFor(error, row.id)))
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

/** What is wrong with the text indexes, a sentence each. */
async function* misfits(store: Indexing, memory: IndexMemory): AsyncGenerator<string> {
  const { upkeep } = store.db.dialect.indexes.texts
  if (!upkeep) return
  for (const row of await memory.reload()) {
    const attribute = row.kind === 'text' && row.state === 'ready' ? attributeOf(store, row) : undefined
    const fault = attribute && (await faultOf(store, upkeep, row, attribute))
    if (fault) yield `Table ${row.tableId}, ${row.attribute}: the index over its texts ${fault}; forbid and allow it to have it made anew.`
  }
}

/** Undefined where the field or its table is gone or in the trash. */
const attributeOf = (store: Indexing, { tableId, attribute }: IndexRow): Attribute | undefined =>
  store.catalogue().tables.get(tableId)?.attributes.get(attribute)

/** What an index over an order is made of, where it has not been worked out yet. */
async function ordersAhead(store: Indexing, row: IndexRow): Promise<void> {
  const attribute = row.kind === 'text' ? undefined : attributeOf(store, row)
  if (attribute) await inTurns(ordering(attribute))
}

const isKind = (kind: string): kind is IndexKind => indexKinds.some((one) => one === kind)

function isDue(store: Indexing, row: IndexRow, isBehind: (row: IndexRow) => boolean): boolean {
  if (row.state === 'failed') return false
  if (row.wish === '') return true
  if (row.wish === 'forbidden') return row.state !== 'none'
  if (!store.catalogue().tables.has(row.tableId)) return false
  const attribute = attributeOf(store, row)
  if (!attribute) return row.indexName !== ''
  return row.state !== 'ready' || isBehind(row) || planFor(store, row, attribute)?.madeOf !== row.madeOf
}

function planFor(store: Indexing, row: IndexRow, attribute: Attribute): Plan | undefined {
  const { kind } = row
  return isKind(kind) && suits(attribute, kind, store.db.dialect) ? planOf({ ...row, kind }, attribute, store.db.dialect) : undefined
}

/** The next step of a row that is due. */
async function stepOf(store: Indexing, row: IndexRow, size: number): Promise<Step> {
  const attribute = attributeOf(store, row)
  const plan = attribute && planFor(store, row, attribute)
  const isWanted = row.wish === 'auto' || row.wish === 'pinned'
  if (!isWanted || !plan) {
    const keepsWish = row.wish === 'forbidden' || (row.wish === 'pinned' && !attribute)
    return {
      row,
      done: true,
      statements: [...dropOld(store, row), keepsWish ? without(row) : sql`DELETE FROM indexes WHERE id = ${row.id}`],
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
  return cover(store, upkeep, row, plan, plan.text, size)
}

function dropOld({ db }: Indexing, { indexName, kind }: IndexRow): readonly Sql[] {
  return indexName === '' ? [] : dropOf(db.dialect, kind, indexName)
}

const without = ({ id, wish }: IndexRow): Sql =>
  sql`UPDATE indexes SET state = ${wish === 'forbidden' ? 'none' : 'waiting'}, index_name = '', made_of = '', made_at = '0000-00-00 00:00:00', covered = 0, bytes = 0
    WHERE id = ${id}`

const noted = ({ db, time }: Indexing, { id }: IndexRow, { index, madeOf }: Plan, ready: boolean): Sql =>
  sql`UPDATE indexes SET state = ${ready ? 'ready' : 'waiting'}, index_name = ${index}, made_of = ${madeOf}, made_at = ${time(0)},
    covered = CASE WHEN ${ready ? 1 : 0} = 1 THEN covered ELSE 0 END, bytes = (${db.dialect.indexes.bytes(index)}), failure = '', failurek = '' WHERE id = ${id}`

/** Takes the next so many records into a text index, first those that it knows as they were. */
async function cover(store: Indexing, upkeep: TextIndexUpkeep, row: IndexRow, plan: Plan, text: TextIndex, size: number): Promise<Step> {
  const old = await ends(store, upkeep.changed(text, size))
  const next = sql`SELECT id FROM ${name(recordsOf(row.tableId))} WHERE id > ${row.covered} ORDER BY id LIMIT ${size - old.count}`
  const { count, last } = await ends(store, next)
  const done = old.count + count < size
  const renewed = old.count === 0 ? [] : upkeep.renew(text, old.last)
  const taken = count === 0 ? [] : [upkeep.cover(text, last), sql`UPDATE indexes SET covered = ${last} WHERE id = ${row.id}`]
  const learns = row.state === 'ready' ? hasDoubled(row.covered, last) : done
  const learned = learns ? upkeep.learn(text) : []
  const statements = [...renewed, ...taken, ...learned, ...(done && row.state !== 'ready' ? [noted(store, row, plan, true)] : [])]
  return { row, done, statements, ...(!done && { full: true }) }
}

/** How many ids, and the last of them. */
async function ends({ db }: Indexing, ids: Sql): Promise<{ readonly count: number; readonly last: number }> {
  const [found] = await db.read(sql`SELECT count(*), coalesce(max(id), 0) FROM (${ids}) AS next`)
  const [count, last] = found![0]!.map(Number) as [number, number]
  return { count, last }
}

/** Whether a power of two lies between: so often something is done anew while a table grows. */
const hasDoubled = (before: number, after: number): boolean => Math.clz32(before) !== Math.clz32(Math.max(before, after))

/** What is wrong with a text index, as the end of a sentence; undefined where it is sound. @throws Failure where that cannot be found out */
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
