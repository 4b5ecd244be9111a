import { grant, type Caller } from '../store/model/access.ts'
import { updateRecord } from '../store/records/write-records.ts'
import type { Uses } from '../store/ground/store.ts'
import { MOST, adaptiveSize, fixedSize } from './batch-size.ts'
import { again, importBatch, type Outcome } from './import-batch.ts'
import type { ImportCounts, Kept, Part } from './kept.ts'
import { growLists, type Grow } from './list-options.ts'
import { isWhole, valueOf, type Plan } from './plan.ts'
import type { CsvFile, Line } from './read-csv.ts'
import { namedByValue, wordsOf } from './named-values.ts'
import { lookUp, shown, type Later } from './read-line.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>

/** References to later lines that are filled in together. */
const LATER = 500
/** Batches that may wait to be written. They share a transaction, which ends after the current batch if other writes wait. */
const UNDER_WAY = 4
/** Milliseconds of a batch that changes records over PostgreSQL, where most other writes go on meanwhile. */
const CHANGING_SHARED = 100

/** A line that was not imported, or from which a value was left out. */
export interface BadLine {
  readonly line: number
  /** Header of the column at fault; '' for the whole line. */
  readonly column: string
  readonly reason: string
}

export type { ImportCounts } from './kept.ts'

const none = { read: 0, imported: 0, bad: 0, incomplete: 0 }

/**
 * Imports all lines. `report` is called for every bad one, `progress` after every batch. Where the import has to stop, the lines
 * imported before stay, and the result counts them.
 */
export async function importLines(
  store: Used,
  by: Caller,
  plan: Plan,
  file: CsvFile,
  report: (bad: BadLine) => Promise<void>,
  progress: (counts: ImportCounts, bytes: number) => Promise<void>,
  grow: Grow,
  kept?: Kept,
): Promise<ImportCounts> {
  const counts: ImportCounts = { ...(kept?.before ?? none) }
  const later: Later[] = []
  const underWay: Promise<Outcome>[] = []
  // Over PostgreSQL, other writes go on meanwhile, except those that take a number or a unique value that the batch has taken.
  const { shared } = store.db.dialect
  const changes = plan.updateBy !== undefined
  // Changes hold the records that they have written until the end of their batch.
  const size = !shared ? adaptiveSize() : changes ? adaptiveSize(CHANGING_SHARED) : fixedSize
  const finishOldest = async () => {
    for (const outcome of await underWay.shift()!) await account(outcome, counts, later, report)
    await progress(counts, file.read())
  }
  // A line may refer to an earlier one, which must be written before it.
  const most = plan.columns.some(({ reference }) => reference?.tableId === plan.tableId) ? 1 : UNDER_WAY
  try {
    for await (const all of file.batches()) {
      const lines = kept && kept.after > 0 ? all.filter(({ number }) => number > kept.after) : all
      let some: readonly Line[]
      let grown = 0
      for (let i = 0; i < lines.length; i += some.length) {
        while (underWay.length >= most) await finishOldest()
        some = size.next(lines, i)
        if (i + some.length > grown) {
          // New options are a change of structure: they are made for MOST lines at once, however small the batches are.
          const whole = lines.slice(grown, (grown += MOST)).filter((line) => isWhole(line, plan.width))
          await growLists(store, plan, (column) => whole.map((line) => valueOf(plan, line, column)), grow)
        }
        // Where writes run concurrently, a batch waits for those before it, so that records are in the order of the lines.
        const before = shared || kept || changes ? underWay.at(-1) : undefined
        const begun = importBatch(store, by, plan, some, size, before, kept, file.read())
        // An error is reported in the order of the lines, when its batch is awaited.
        begun.catch(() => {})
        underWay.push(begun)
      }
    }
    while (underWay.length > 0) await finishOldest()
  } catch (error) {
    counts.stopped = error
  }
  await windUp(underWay, (outcome) => account(outcome, counts, later, report))
  for (let i = 0; i < later.length; i += LATER) await fillIn(store, by, plan, later.slice(i, i + LATER), counts, report, kept)
  return counts
}

/** Counts the lines of batches that were being written when the import stopped, and were written. */
async function windUp(underWay: readonly Promise<Outcome>[], account: (outcome: Outcome[number]) => Promise<void>): Promise<void> {
  for (const one of await Promise.allSettled(underWay)) {
    if (one.status === 'fulfilled') for (const outcome of one.value) await account(outcome).catch(() => {})
  }
}

async function account(
  outcome: Outcome[number],
  counts: ImportCounts,
  later: Later[],
  report: (bad: BadLine) => Promise<void>,
): Promise<void> {
  counts.read++
  if ('id' in outcome) {
    counts.imported++
    if (outcome.updated) counts.updated = (counts.updated ?? 0) + 1
    for (const one of outcome.later) later.push({ ...one, id: outcome.id })
  } else {
    counts.bad++
    for (const fault of outcome.faults) await report({ line: outcome.line.number, ...fault })
  }
}

/** Sets the references to records of later lines. */
async function fillIn(
  store: Uses<'db' | 'files' | 'context' | 'catalogue'>,
  by: Caller,
  plan: Plan,
  waiting: readonly Later[],
  counts: ImportCounts,
  report: (bad: BadLine) => Promise<void>,
  kept: Kept | undefined,
): Promise<void> {
  if (kept?.isTrial) return
  for (const column of new Set(waiting.map((one) => one.column))) {
    const mine = waiting.filter((one) => one.column === column)
    const named = await lookUp(
      store,
      by,
      column.reference!,
      mine.flatMap(({ value }) => wordsOf(column, value)),
    )
    const read = mine.map(({ line, id, value }) => ({ line, id, value, other: namedByValue(column, named, value) }))
    const lost = read.flatMap(({ line, value, other }): BadLine[] => {
      if (other && 'sent' in other) return []
      return [{ line, column: column.header, reason: leftOut(column.reference!.title, value, other?.missing) }]
    })
    counts.incomplete += lost.length
    for (const one of lost) await report(one)
    if (kept && lost.length > 0) {
      await store.db.write((tx) => kept.keep(tx, incompletePart(lost)))
      kept.kept()
    }
    await Promise.all(
      read.flatMap(({ id, other }) => {
        if (!other || !('sent' in other)) return []
        const change = new Map([[column.attribute, other.sent]])
        return [again(() => updateRecord(store, grant('update', plan.tableId, by, store.catalogue()), id, change))]
      }),
    )
  }
}

function leftOut(title: string, value: string, missing: string | undefined): string {
  const reason = `'${shown(value)}' is one record by ${title}, and several where its commas part them; the line was imported without it.`
  if (missing === undefined) return reason
  return missingOf(title, missing)
}

function missingOf(title: string, missing: string): string {
  const reason = `No record has '${shown(missing)}' in ${title}; the line was imported without it.`
  return reason
}

const incompletePart = (lost: readonly BadLine[]): Part => ({
  last: 0,
  bytes: Number.MAX_SAFE_INTEGER,
  read: 0,
  imported: 0,
  bad: 0,
  incomplete: lost.length,
  refused: lost.map(({ line, column, reason }) => ({ line, values: [], faults: [{ column, reason }] })),
})
