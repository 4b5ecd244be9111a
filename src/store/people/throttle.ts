import { fail } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { limits } from '../../limits.ts'
import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import { networkOf } from '../ground/network.ts'
import type { Uses } from '../ground/store.ts'

/*
 * Failed attempts to sign in are counted per account and per network of the client. A network from which a user has lately signed in has a
 * separate count for that user. So others who guess the user's password, or share their address, do not lock them out.
 */

/** Failures without a wait; and the longest wait after more failures, in milliseconds. */
const rates = {
  login: { free: 10, longest: 60_000 },
  known: { free: 10, longest: 60_000 },
  token: { free: 10, longest: 60_000 },
  address: { free: 30, longest: 900_000 },
} as const
type Kind = keyof typeof rates
type Subject = readonly [kind: Kind, name: string]

/** Milliseconds after which failures are forgotten; and after which a network is, if the user has not signed in from it. */
const FORGOTTEN_AFTER = 3_600_000
const DAY = 86_400_000
const KNOWN_FOR = 90 * DAY

export interface Attempt {
  /** Checks the secret. Where it throws, nothing was checked (a full queue), and the attempt is not counted. A wrong secret does not throw. */
  tried<T>(secret: () => Promise<T>): Promise<T>
  /** Takes the count back. */
  succeeded(): Promise<void>
}

/**
 * Counts an attempt to sign in before the password is checked; otherwise a thousand attempts at once would all be checked.
 * `userId`: the user of the login; 0: there is none.
 * @throws `auth.too_many_attempts` with Retry-After. Refused attempts do not count.
 */
export async function attemptSignIn(store: Uses<'db' | 'environment'>, login: string, userId: number, address: string): Promise<Attempt> {
  const network = networkOf(address)
  const account: Subject = ['login', fold(login).slice(0, 255)]
  const counted = await store.db.write(async (tx) => {
    const known = userId > 0 && (await isKnownNetwork(store, tx, userId, network))
    return count(store, tx, known ? [['known', `${userId} ${network}`]] : [account, ['address', network]])
  })
  return {
    tried: trying(store, counted),
    succeeded: () =>
      store.db.write(async (tx) => {
        await takeBack(tx, counted)
        await remember(store, tx, userId, network)
      }),
  }
}

/** Counts a use of an invitation's code, per network. @throws `auth.too_many_attempts` */
export const attemptCode = (store: Uses<'db' | 'environment'>, address: string): Promise<Attempt> =>
  attempt(store, ['address', networkOf(address)])

/** Counts a guess at the password of the user who holds the token. @throws `auth.too_many_attempts` */
export const attemptByToken = (store: Uses<'db' | 'environment'>, tokenId: number): Promise<Attempt> =>
  attempt(store, ['token', String(tokenId)])

/** After a password was changed: forgets the user's known networks, except the one from which it was changed. */
export async function forgetNetworks(tx: Transaction, userId: number, exceptAddress?: string): Promise<void> {
  const kept = exceptAddress === undefined ? '' : networkOf(exceptAddress)
  await tx.run(sql`DELETE FROM known_networks WHERE user_id = ${userId} AND network <> ${kept}`)
}

async function attempt(store: Uses<'db' | 'environment'>, subject: Subject): Promise<Attempt> {
  const counted = await store.db.write((tx) => count(store, tx, [subject]))
  return { tried: trying(store, counted), succeeded: () => store.db.write((tx) => takeBack(tx, counted)) }
}

/** A subject whose count an attempt has raised; `until`: the next attempt is refused before this time, in Unix milliseconds. */
interface CountedSubject {
  readonly subject: Subject
  readonly until: number
}

const trying =
  (store: Uses<'db'>, counted: readonly CountedSubject[]): Attempt['tried'] =>
  async (secret) => {
    try {
      return await secret()
    } catch (error) {
      await store.db.write((tx) => uncount(tx, counted))
      throw error
    }
  }

const keyOf = ([kind, name]: Subject): string => `${kind}:${name}`

async function count(store: Uses<'db' | 'environment'>, tx: Transaction, subjects: readonly Subject[]): Promise<CountedSubject[]> {
  const now = store.environment.now()
  const done: CountedSubject[] = []
  for (const subject of subjects) {
    const key = keyOf(subject)
    // The row is written before it is read, so that concurrent attempts wait for it.
    const isNew = (await tx.run(newRow(key, now))) > 0
    const [row] = await tx.all(sql`SELECT failures, until, last FROM login_failures WHERE subject = ${key}${store.db.dialect.forUpdate}`)
    const [failures, until, last] = row!.map(Number) as [number, number, number]
    // A time beyond the longest wait was set while the clock was ahead.
    if (until > now && until <= now + rates[subject[0]].longest) throw tooMany(until - now)
    const counted = now - last > FORGOTTEN_AFTER ? 1 : failures + 1
    const next = now + wait(subject[0], counted)
    await tx.run(sql`UPDATE login_failures SET failures = ${counted}, until = ${next}, last = ${now} WHERE subject = ${key}`)
    if (isNew) await makeRoom(tx, now, subjects)
    done.push({ subject, until: next })
  }
  return done
}

const newRow = (key: string, now: number) =>
  sql`INSERT INTO login_failures (subject, failures, until, last) VALUES (${key}, 0, 0, ${now}) ON CONFLICT (subject) DO NOTHING`

/** Deletes old rows and, where there are still too many, rows that make nobody wait yet. */
async function makeRoom(tx: Transaction, now: number, subjects: readonly Subject[]): Promise<void> {
  await tx.run(sql`DELETE FROM login_failures WHERE last < ${now - FORGOTTEN_AFTER} OR last > ${now + DAY}`)
  const { most } = limits.signInCounts
  const [row] = await tx.all(sql`SELECT count(*) FROM login_failures`)
  if (Number(row![0]) <= most) return
  const [first = '', second = first] = subjects.map(keyOf)
  await tx.run(sql`DELETE FROM login_failures WHERE subject IN (SELECT subject FROM login_failures
    WHERE subject <> ${first} AND subject <> ${second} ORDER BY failures, last LIMIT ${Math.ceil(most / 10)})`)
}

/** Restores the count from before the attempt. The time stays if a later attempt has set it. */
async function uncount(tx: Transaction, counted: readonly CountedSubject[]): Promise<void> {
  for (const { subject, until } of counted)
    await tx.run(sql`UPDATE login_failures SET failures = failures - 1, until = CASE WHEN until = ${until} THEN 0 ELSE until END
      WHERE subject = ${keyOf(subject)} AND failures > 0`)
}

async function takeBack(tx: Transaction, counted: readonly CountedSubject[]): Promise<void> {
  for (const { subject } of counted) {
    const key = keyOf(subject)
    if (subject[0] === 'address') await tx.run(sql`UPDATE login_failures SET failures = failures - 1, until = 0 WHERE subject = ${key}`)
    else await tx.run(sql`DELETE FROM login_failures WHERE subject = ${key}`)
  }
}

async function isKnownNetwork(store: Uses<'environment'>, tx: Transaction, userId: number, network: string): Promise<boolean> {
  const oldest = store.environment.now() - KNOWN_FOR
  const found = await tx.all(sql`SELECT 1 FROM known_networks WHERE user_id = ${userId} AND network = ${network} AND last > ${oldest}`)
  return found.length > 0
}

/** Stores the network as known, at most once a day. */
async function remember(store: Uses<'environment'>, tx: Transaction, userId: number, network: string): Promise<void> {
  if (network === '') return
  const now = store.environment.now()
  const added = await tx.run(sql`INSERT INTO known_networks (user_id, network, last) VALUES (${userId}, ${network}, ${now})
    ON CONFLICT (user_id, network) DO UPDATE SET last = ${now}
    WHERE known_networks.last < ${now - DAY} OR known_networks.last > ${now}`)
  if (added === 0) return
  await tx.run(sql`DELETE FROM known_networks WHERE user_id = ${userId} AND (last <= ${now - KNOWN_FOR} OR network IN (
    SELECT network FROM known_networks WHERE user_id = ${userId} AND network <> ${network} ORDER BY last DESC
    LIMIT ${limits.knownNetworks.most} OFFSET ${limits.knownNetworks.most - 1}))`)
}

/** The wait, which doubles with every failure beyond the free ones. */
function wait(kind: Kind, failures: number): number {
  const { free, longest } = rates[kind]
  return failures < free ? 0 : Math.min(longest, 1000 * 2 ** Math.min(failures - free, 20))
}

function tooMany(milliseconds: number) {
  const seconds = Math.ceil(milliseconds / 1000)
  return fail('auth.too_many_attempts', { seconds })
}
