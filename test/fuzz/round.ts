import { differing, type Dump } from './dump.ts'
import { fault } from './judge.ts'
import { randomOf } from './random.ts'
import { oddRequest, type Attempt } from './requests.ts'
import { bytesOf, wire, type Received } from './wire.ts'
import { makeWorld, type World } from './world.ts'

/** Requests to one installation; then there is a new one, so that a fault can be met again without all that went before. */
export const ROUND = 500

/** How often what was answered. */
export interface Tally {
  /** By status and code. */
  readonly answers: Map<string, number>
  /** By route, those that were taken and those that were refused. */
  readonly routes: Map<string, { taken: number; refused: number }>
}

export const newTally = (): Tally => ({ answers: new Map(), routes: new Map() })

/** What a refused request may leave behind, by path: failed sign-ins are counted and told in the audit log. */
const traces: readonly (readonly [path: RegExp, tables: readonly string[]])[] = [
  [/\/(token|invitation\/redeem|user\/\{id\})$/, ['login_failures', 'audit', 'sqlite_sequence']],
]

/** What was wrong with an answer, and the whole exchange. */
export interface Fault {
  readonly wrong: string
  readonly exchange: string
}

/** So many requests, one after another. Returns the answers that were wrong. */
export async function runRound(seed: number, requests: number, tally: Tally): Promise<Fault[]> {
  const random = randomOf(seed)
  const world = await makeWorld()
  const client = wire(Number(new URL(world.service.url).port))
  const faults: Fault[] = []
  try {
    let known = { version: world.witness.version(), dump: world.witness.dump() }
    for (let i = 0; i < requests; i++) {
      const attempt = oddRequest(random, world)
      const answers = await client.exchange(attempt)
      const { wrong, now } = typeof answers === 'string' ? { wrong: answers, now: known } : judged(attempt, answers, world, known)
      known = now
      if (wrong !== undefined) faults.push({ wrong, exchange: told(seed, i, attempt, answers) })
      else count(tally, attempt, answers as readonly Received[])
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
  readonly dump: Dump
}

function judged(attempt: Attempt, answers: readonly Received[], { service, witness }: World, known: Known): { wrong?: string; now: Known } {
  const logged = service.logged.splice(0).filter(({ level }) => level !== 'info')
  const wrong =
    answers.map((answer, i) => fault(i === 0 ? attempt : { ...attempt, method: '?' }, answer)).find((one) => one !== undefined) ??
    (answers.length === 0 && !attempt.cutShort ? 'no answer' : undefined) ??
    (logged.length > 0 ? `logged ${JSON.stringify(logged)}` : undefined)
  const version = witness.version()
  if (wrong !== undefined || version === known.version) return { ...(wrong !== undefined && { wrong }), now: known }
  const dump = witness.dump()
  const changed = differing(known.dump, dump)
  const mayChange = answers.some(({ status }) => status < 300) && !['GET', 'HEAD', 'OPTIONS'].includes(attempt.method)
  const allowed = traces.find(([path]) => path.test(attempt.route.path))?.[1] ?? []
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
