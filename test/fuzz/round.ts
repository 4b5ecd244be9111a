import { behave, behaviours } from './crowd.ts'
import { differing, type Dump } from './dump.ts'
import { fault } from './judge.ts'
import { randomOf, type Random } from '../support/random.ts'
import { oddRequest, type Attempt } from './requests.ts'
import { bytesOf, wire, type Received } from './wire.ts'
import { makeWorld, type World } from './world.ts'

/** Requests to one installation; then there is a new one, so that a fault can be met again without all that went before. */
export const ROUND = 500

/** Requests for which writes of clients that went away may still come. */
const UNSURE = 40

/**
 * Milliseconds for which a password that nobody waits for any more may still be tried: those under way are, and then the attempt
 * is counted and told in the audit log, as with any that failed.
 */
const TRYING = 3_000

/** How often what was answered. */
export interface Tally {
  sent: number
  /** By status and code. */
  readonly answers: Map<string, number>
  /** By route, those that were taken and those that were refused. */
  readonly routes: Map<string, { taken: number; refused: number }>
}

export const newTally = (): Tally => ({ sent: 0, answers: new Map(), routes: new Map() })

/** What a refused request may leave behind, by path: failed sign-ins are counted and told in the audit log. */
const traces: readonly (readonly [path: RegExp, tables: readonly string[]])[] = [
  [/\/(token|invitation\/redeem|user\/\{id\})$/, ['login_failures', 'audit', 'sqlite_sequence']],
]
const tracesOf = (path: string): readonly string[] => traces.find(([of]) => of.test(path))?.[1] ?? []

/** What a password that is tried late, right or wrong, writes. */
const TRIED = ['login_failures', 'known_networks', 'audit', 'tokens', 'sqlite_sequence']

/** What was wrong with an answer, and the whole exchange. */
export interface Fault {
  readonly wrong: string
  readonly exchange: string
}

export interface Rounds {
  readonly make: () => Promise<World>
  /**
   * Every how many requests what was written is looked at whole; 1: after each. A request that was refused and yet committed
   * something is noticed in any case.
   */
  readonly every: number
  /** How many requests in a thousand come from clients that behave oddly (crowd.ts). */
  readonly crowds: number
  /** Makes the request of this number in the round; default: `oddRequest`. */
  readonly attempt?: (random: Random, world: World, i: number) => Attempt
  /** Told after each step what was sent, so that a stop of the server can be laid at its door. */
  readonly after?: (kind: string, attempts: readonly Attempt[]) => void
}

export const inProcess: Rounds = { make: makeWorld, every: 1, crowds: 5 }

/** So many requests to one installation, or fewer where it is of no more use. Returns the answers that were wrong. */
export async function runRound(seed: number, requests: number, tally: Tally, rounds: Rounds = inProcess): Promise<Fault[]> {
  const random = randomOf(seed)
  const world = await rounds.make()
  const client = wire(world.port)
  const faults: Fault[] = []
  try {
    let known: Known = { version: world.witness.version(), dump: world.witness.dump() }
    let trying = -Infinity
    for (let i = 0, lost = false, unsure = 0; i < requests && !lost; i++) {
      tally.sent++
      if (random.int(1_000) < rounds.crowds) {
        const how = random.pick(behaviours)
        const { wrong, attempts, answers } = await behave(random, world, how)
        const faulty = wrong ?? loggedFault(world)
        if (faulty !== undefined)
          faults.push({
            wrong: `${how}: ${faulty}`,
            exchange: told(
              seed,
              i,
              attempts[0]!,
              answers.filter((one) => one !== undefined),
            ),
          })
        add(tally.answers, `clients: ${how}`)
        rounds.after?.(how, attempts)
        // What they wrote is whatever comes through, some of it later than they went.
        unsure = i + UNSURE
        if (attempts.some(({ route }, n) => !answers[n] && tracesOf(route.path).length > 0)) trying = performance.now() + TRYING
        known = { version: world.witness.version(), dump: undefined }
        continue
      }
      const attempt = (rounds.attempt ?? oddRequest)(random, world, i)
      const answers = await client.exchange(attempt)
      const whole = i % rounds.every === 0
      if (i < unsure) known = { ...known, dump: undefined }
      const { wrong, now } =
        typeof answers === 'string'
          ? { wrong: answers, now: known }
          : judged(attempt, answers, world, known, whole, performance.now() < trying ? TRIED : [])
      known = now
      if (wrong !== undefined) faults.push({ wrong, exchange: told(seed, i, attempt, answers) })
      else count(tally, attempt, answers as readonly Received[])
      rounds.after?.(`${attempt.route.method} ${attempt.route.path}`, [attempt])
      // A request has taken the administrator's rights or token away: little is left that could be asked.
      lost = rounds.every > 1 && attempt.holder === 'administrator' && typeof answers !== 'string' && answers[0]?.status === 401
    }
    for (const wrong of await world.findings()) faults.push({ wrong, exchange: `seed ${seed}, after ${requests} requests` })
    return faults
  } finally {
    client.close()
    await world.close()
  }
}

interface Known {
  readonly version: number
  /** Undefined: something was written since that was not looked at. */
  readonly dump: Dump | undefined
}

function loggedFault(world: World): string | undefined {
  const logged = world.takeLogged()
  return logged.length > 0 ? `logged ${JSON.stringify(logged)}` : undefined
}

function judged(
  attempt: Attempt,
  answers: readonly Received[],
  world: World,
  known: Known,
  whole: boolean,
  late: readonly string[],
): { wrong?: string; now: Known } {
  const wrong =
    answers.map((answer, i) => fault(i === 0 ? attempt : { ...attempt, method: '?' }, answer)).find((one) => one !== undefined) ??
    (answers.length === 0 && !attempt.cutShort ? 'no answer' : undefined) ??
    loggedFault(world)
  const version = world.witness.version()
  if (wrong !== undefined || version === known.version) return { ...(wrong !== undefined && { wrong }), now: known }
  const mayChange = answers.some(({ status }) => status < 300) && !['GET', 'HEAD', 'OPTIONS'].includes(attempt.method)
  if (mayChange && !whole) return { now: { version, dump: undefined } }
  const dump = world.witness.dump()
  const changed = known.dump ? differing(known.dump, dump) : []
  const allowed = [...tracesOf(attempt.route.path), ...late]
  const rest = mayChange ? [] : changed.filter((table) => !allowed.includes(table))
  return { ...(rest.length > 0 && { wrong: `refused, and yet changed ${rest.join(', ')}` }), now: { version, dump } }
}

function count({ answers, routes }: Tally, { route, method }: Attempt, received: readonly Received[]): void {
  const name = `${route.method} ${route.path}`
  const of = routes.get(name) ?? { taken: 0, refused: 0 }
  routes.set(name, of)
  if (received.length === 0) add(answers, 'none: the client went away')
  for (const { status, body } of received) {
    of[status < 400 ? 'taken' : 'refused']++
    const { errors } = status >= 400 && body.length > 0 ? (JSON.parse(body.toString()) as { errors: { code: string }[] }) : { errors: [] }
    const codes = [...new Set(errors.map(({ code }) => code))].sort()
    add(answers, [status, ...(status >= 400 && method === 'HEAD' ? ['HEAD'] : codes)].join(' '))
  }
}

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

function told(seed: number, at: number, attempt: Attempt, answers: readonly Received[] | string): string {
  const shown = (bytes: Buffer) =>
    bytes.length > 1_200 ? `${bytes.toString('latin1', 0, 1_200)} … (${bytes.length} bytes)` : bytes.toString('latin1')
  return [
    `seed ${seed}, request ${at}, sent by ${attempt.holder} for ${attempt.route.method} ${attempt.route.path}:`,
    shown(bytesOf(attempt)),
    ...(typeof answers === 'string' ? [] : answers.map(({ status, body }) => `answered ${status}: ${shown(body)}`)),
  ].join('\n')
}
