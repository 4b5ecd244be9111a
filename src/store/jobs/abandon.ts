import { constant, sql } from '../../sql/sql.ts'
import { conversionColumns, readConversion } from '../catalogue/conversions.ts'
import type { Store, Uses } from '../ground/store.ts'
import { recordsOf, trashOf, type Conversion } from '../model/catalogue.ts'
import { emptySome, endConversion, settleSome } from './convert-end.ts'
import { beginningOfLog, conversionOf } from './convert-steps.ts'

/* How conversions end that do not come about, and those whose job is not there any more. */

/** How many records a step writes: as many as take a moment. */
export interface StepSize {
  readonly most: number
  /** How long the step took. */
  took(milliseconds: number): void
}

/** Milliseconds of a step, about; others write between two steps. */
const MOMENT = 25
const FEWEST = 10
const FIRST = 100
const MOST = 1_000

export function conversionSize({ db: { dialect } }: Uses<'db'>): StepSize {
  let most = dialect.shared ? 2 * FIRST : FIRST
  return {
    get most() {
      return most
    },
    took(milliseconds) {
      const fits = Math.min(2, Math.max(0.25, MOMENT / Math.max(milliseconds, 1)))
      most = Math.floor(Math.min(MOST, Math.max(FEWEST, most * fits)))
    },
  }
}

/** Takes away the second column of a job that fills one. `isToStop`: asked before each step; then `sweepConversions` does the rest. */
export async function abandon(store: Store, jobId: number, isToStop: () => boolean): Promise<void> {
  const conversion = await conversionOf(store, jobId)
  if (conversion?.phase === 'fill') await end(store, conversion, isToStop)
}

async function end(store: Store, conversion: Conversion, isToStop: () => boolean): Promise<void> {
  const size = conversionSize(store)
  const since = conversion.phase === 'fill' ? await beginningOfLog(store) : undefined
  for (const twin of [recordsOf(conversion.tableId), trashOf(conversion.tableId)])
    for (let after = 0, isMore = true; isMore;) {
      if (isToStop()) return
      const place = { twin, after, most: size.most }
      const step = await store.db.write(async (tx) => {
        // Its field was erased meanwhile.
        if ((await tx.all(sql`SELECT id FROM conversions WHERE id = ${conversion.id}`)).length === 0) return { last: after, isMore: false }
        const began = store.environment.now()
        const done = await (conversion.phase === 'fill' ? emptySome : settleSome)(store, tx, conversion, place)
        size.took(store.environment.now() - began)
        return done
      })
      after = step.last
      isMore = step.isMore
    }
  await endConversion(store, conversion, since)
}

/** Ends the conversions whose jobs have ended: those that were not swapped go, the others are settled. */
export async function sweepConversions(store: Store): Promise<void> {
  const works = sql`SELECT 1 FROM jobs WHERE jobs.id = conversions.job_id AND state IN (${constant('queued')}, ${constant('running')})`
  const [rows] = await store.db.read(sql`SELECT ${conversionColumns} FROM conversions WHERE NOT EXISTS (${works}) ORDER BY id`)
  for (const row of rows!) await end(store, readConversion(row), () => false)
}
