import { fail } from '../errors.ts'
import { fold } from '../fields/fold.ts'
import { sql } from '../sql/sql.ts'
import type { Store } from './store.ts'

/** Attempts that cost nothing, and the longest wait after more, in milliseconds. */
const limits = {
  login: { free: 10, longest: 60_000 },
  address: { free: 30, longest: 900_000 },
} as const
type Subject = keyof typeof limits

/** Failures older than this are forgotten. */
const FORGOTTEN_AFTER = 3_600_000

/**
 * Counts an attempt to sign in before it is tried, so that a thousand at once are no way round; `succeeded` takes it back.
 * @throws `auth.too_many_attempts` with Retry-After, per account and per address. Refused attempts do not count.
 */
export async function attempt(store: Store, login: string, address: string): Promise<{ succeeded(): Promise<void> }> {
  const subjects = [
    ['login', fold(login).slice(0, 255)],
    ['address', address],
  ] as const
  const known = subjects.filter(([, name]) => name !== '')
  await store.db.write(async (tx) => {
    const now = store.environment.now()
    for (const [subject, name] of known) {
      const key = `${subject}:${name}`
      const [row] = await tx.all(sql`SELECT failures, until, last FROM login_failures WHERE subject = ${key}${store.db.dialect.forUpdate}`)
      const [failures, until, last] = row ? (row.map(Number) as [number, number, number]) : [0, 0, 0]
      if (until > now) throw tooMany(until - now)
      const counted = now - last > FORGOTTEN_AFTER ? 1 : failures + 1
      const next = now + wait(subject, counted)
      if (row) await tx.run(sql`UPDATE login_failures SET failures = ${counted}, until = ${next}, last = ${now} WHERE subject = ${key}`)
      else await tx.run(sql`INSERT INTO login_failures (subject, failures, until, last) VALUES (${key}, ${counted}, ${next}, ${now})`)
    }
    await tx.run(sql`DELETE FROM login_failures WHERE last < ${now - FORGOTTEN_AFTER}`)
  })
  return {
    async succeeded() {
      await store.db.write(async (tx) => {
        await tx.run(sql`DELETE FROM login_failures WHERE subject = ${`login:${subjects[0][1]}`}`)
        await tx.run(sql`UPDATE login_failures SET failures = failures - 1, until = 0 WHERE subject = ${`address:${address}`}`)
      })
    },
  }
}

/** Doubles with every failure beyond the free ones. */
function wait(subject: Subject, failures: number): number {
  const { free, longest } = limits[subject]
  return failures < free ? 0 : Math.min(longest, 1000 * 2 ** Math.min(failures - free, 20))
}

function tooMany(milliseconds: number) {
  const seconds = Math.ceil(milliseconds / 1000)
  return fail('auth.too_many_attempts', { seconds }, { headers: { 'Retry-After': String(seconds) } })
}
