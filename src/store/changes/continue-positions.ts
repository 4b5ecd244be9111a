import { constant, sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { MOST_IN_TRANSACTION } from './change-log.ts'
import { GONE, LOST } from './follow-changes.ts'

/*
 * Positions of the log where the database comes to another place. A program that follows the log has a cursor, and every later change must
 * lie behind it. Over PostgreSQL positions are made of the ids of transactions, which begin anew in another cluster: `base` is raised. Where
 * a copy was restored, changes that were made after the copy are lost, and with them the cursors of those who have read them.
 */

/** Transactions that may have been done since a copy was made, at most. Positions have room for a thousand such leaps. */
const LEAP = 2 ** 28

/** The ids of cluster, database and table, by which a database knows that it is a copy; '' where the role may not ask for them. */
async function placeOf(db: Db): Promise<string> {
  const [[granted]] = (await db.read(sql`SELECT has_function_privilege('pg_control_system()', 'execute')::integer`)) as [number[][]]
  if (Number(granted![0]) !== 1) return ''
  const [rows] =
    await db.read(sql`SELECT concat_ws(' ', system_identifier, pg_database.oid, 'change_log'::regclass::oid) FROM pg_control_system(), pg_database
    WHERE datname = current_database()`)
  return String(rows![0]![0])
}

interface State {
  readonly place: string
  readonly base: number
  /** The id of the next transaction, or a larger one. */
  readonly next: number
  /** The newest position in the log. */
  readonly newest: number
}

async function stateOf(all: Transaction['all']): Promise<State> {
  const [row] = await all(sql`SELECT place, base, pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    greatest((SELECT max(id) FROM changes), (SELECT value::bigint FROM meta WHERE name = ${GONE}), 0) FROM change_log`)
  const [place, base, next, newest] = row!
  return { place: String(place), base: Number(base), next: Number(next), newest: Number(newest) }
}

const isBehind = ({ base, next, newest }: State): boolean => (base + next) * MOST_IN_TRANSACTION <= newest

/**
 * When a database of several processes is opened: if it was copied from another place, or its ids of transactions are behind those in the
 * log, positions go on far behind all that were given there. Cursors of changes that this copy has stay valid.
 */
export async function continuePositions(db: Db): Promise<void> {
  const place = await placeOf(db)
  const isSettled = (state: State) => (place === '' || state.place === place) && !isBehind(state)
  if (isSettled(await stateOf(async (query) => (await db.read(query))[0]!))) return
  await db.write(
    async (tx) => {
      const state = await stateOf(tx.all)
      if (isSettled(state)) return
      if (isBehind(state) || state.place !== '') {
        const to = Math.max(Math.ceil((state.newest + 1) / MOST_IN_TRANSACTION), state.base + state.next) + LEAP
        await tx.run(sql`UPDATE change_log SET base = ${to - state.next}`)
        await noteLost(tx, state.newest, to * MOST_IN_TRANSACTION)
      }
      if (place !== '') await tx.run(sql`UPDATE change_log SET place = ${place}`)
    },
    { alone: true },
  )
}

/** Cursors between these positions are of changes that are not in the log. */
async function noteLost(tx: Transaction, after: number, before: number): Promise<void> {
  const [row] = await tx.all(sql`SELECT value FROM meta WHERE name = ${LOST}`)
  const spans = [...(row ? [String(row[0])] : []), `${after}-${before}`].join(' ')
  await tx.run(sql`INSERT INTO meta (name, value) VALUES (${LOST}, ${spans}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
}

/** No position that was given until now is larger. */
export async function reachedIn(tx: Transaction, dialect: Dialect): Promise<number> {
  if (!dialect.shared) return Number((await tx.all(dialect.lastId('changes')[0]!))[0]![0])
  const { base, next, newest } = await stateOf(tx.all)
  return Math.max((base + next) * MOST_IN_TRANSACTION, newest)
}

/** Later positions are larger than this one, which was reached in another store. */
export async function continueFrom(tx: Transaction, dialect: Dialect, reached: number): Promise<void> {
  if (!dialect.shared) {
    await Promise.all(dialect.setLastId('changes', reached).map((one) => tx.run(one)))
    return
  }
  const { base, next } = await stateOf(tx.all)
  const needed = Math.ceil((reached + 1) / MOST_IN_TRANSACTION) - next
  await tx.run(sql`UPDATE change_log SET base = ${constant(Math.max(base, needed))}`)
}
