import { sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'

/*
 * A clock that leaps forward by a month must not empty the trash. Data is erased by its age only while the clock agrees with the uptime of
 * the machine. After a leap, erasing waits for a day, so that the operator can correct the clock.
 */

const HOUR = 3_600_000
const DAY = 86_400_000
/** After a longer time off, a server cannot distinguish that time from a leap. */
const OFF = 10 * DAY

/** The times of both clocks, in milliseconds. `up`: since the machine started, sleep included. */
export interface Look {
  readonly now: number
  readonly up: number
}

export interface Leaps {
  /** Whether old data may be erased now. Called before each round of housekeeping. */
  mayErase(look: Look): Promise<boolean>
}

/** `warn`: called once for each leap. */
export function leaps(store: Uses<'db'>, warn: (details: object, message: string) => void): Leaps {
  let last: Look | undefined
  // Other processes over the same database, whose clocks are right, write that nothing is to wait.
  let own = 0
  return {
    async mayErase(look) {
      const kept = await readKept(store)
      const leapt = last
        ? look.now - last.now - (look.up - last.up) > HOUR
        : kept.seen > 0 && look.now - kept.seen > Math.max(OFF, look.up + HOUR)
      last = look
      // For a day at most, also if the clock is set back meanwhile.
      const held = [own, kept.until].find((until) => until > look.now && until <= look.now + DAY)
      const until = leapt ? look.now + DAY : (held ?? 0)
      own = until
      if (leapt)
        warn(
          { clock: new Date(look.now).toISOString() },
          'The clock leapt forward, or the server was off for long: for a day nothing is erased by its age. Look whether the clock is right.',
        )
      await writeKept(store, { seen: look.now, until })
      return until === 0
    },
  }
}

/** `seen`: the clock at the last round; `until`: before this time nothing is erased. 0: not set. */
interface Kept {
  readonly seen: number
  readonly until: number
}

async function readKept({ db }: Uses<'db'>): Promise<Kept> {
  const [rows] = await db.read(sql`SELECT value FROM meta WHERE name = 'last_round'`)
  const [seen = 0, until = 0] = String(rows![0]?.[0] ?? '')
    .split(' ')
    .map(Number)
  return { seen, until }
}

const writeKept = ({ db }: Uses<'db'>, { seen, until }: Kept): Promise<unknown> =>
  db.write((tx) =>
    tx.run(sql`INSERT INTO meta (name, value) VALUES ('last_round', ${`${seen} ${until}`})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`),
  )
