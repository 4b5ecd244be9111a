import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { openAccount, useUntilKilled, verifyAccount, type Account } from './account.ts'
import { buildUntilKilled, verifyFields } from './architect.ts'
import { writeUntilKilled, type Client, type Storm } from './clients.ts'
import { startFollower, type Follower } from './follower.ts'
import { type Entry, type Shape } from './ledger.ts'
import { checkIsContent, verify, type Unanswered } from './verify.ts'
import { randomOf, type Random } from '../support/random.ts'

export const CLIENTS = 16
/** Writes after which a server is killed, at most, and milliseconds of grace, so that it may be at anything. */
const LIFE = 400
const GRACE = 8
/** One life of so many is so many times as long: its log is taken into the database file meanwhile. */
const LONG = 20
const LONGER = 6

/** A database beside the server that can be killed as well. */
export interface Database {
  kill(): Promise<void>
  restart(): Promise<void>
}

export interface Outcome {
  kills: number
  /** Of them, with the database. */
  databases: number
  /** Of them, while the server was starting. */
  early: number
  answered: number
  /** Unanswered writes that were done whole, and those of which nothing was there. */
  done: number
  undone: number
  /** Creations repeated with their key. */
  repeated: number
  /** Changes of which the follower made its copy, and how often it was killed. */
  followed: number
  followers: number
}

/** An installation, and what the answers of its servers said is in it. */
export interface Ledgers {
  readonly token: string
  readonly shape: Shape
  readonly clients: readonly Client[]
  /** Fields that come and go. */
  readonly fields: Entry[]
  readonly account: Account
}

/**
 * Kills a server again and again while clients write to it and a program follows the log, and looks each time at what is there then, and
 * whether the copy of the follower is the same. `tell` is told after each kill. `only` records: nobody changes the structure or signs in,
 * and `check` does not run. @throws where anything acknowledged is gone, or anything is half there.
 */
export async function killAgainAndAgain(
  kills: number,
  seed: number,
  tell: (outcome: Outcome) => void = () => {},
  settings: Readonly<Record<string, string>> = {},
  database?: Database,
  only?: 'records',
): Promise<Outcome> {
  const program = scratchProgram(settings)
  let follower: Follower | undefined
  try {
    const random = randomOf(seed)
    const ledgers = await openLedgers(program)
    const outcome: Outcome = { kills: 0, databases: 0, early: 0, answered: 0, done: 0, undone: 0, repeated: 0, followed: 0, followers: 0 }
    let server = await program.serve()
    follower = startFollower(program, ledgers.token)
    follower.at(server)
    /** Milliseconds that the last start took. */
    let birth = 0
    while (outcome.kills < kills) {
      const both = database && random.int(4) === 0 ? database : undefined
      const life = random.int(random.int(LONG) === 0 ? LONGER * LIFE : LIFE)
      const followerDies = random.int(3) === 0 ? follower.killSoon(random.int(500)) : undefined
      outcome.answered += await writeAndKill(server, ledgers, random, life, both, () => true, only)
      await followerDies
      if (both) outcome.databases++
      outcome.kills++
      if (birth > 0 && random.int(4) === 0 && outcome.kills < kills) {
        await killWhileStarting(program, random.int(birth))
        outcome.kills++
        outcome.early++
      }
      // Who opens the database first brings it in order: at times the check, at times the server.
      const checkFirst = random.int(2) === 0
      if (checkFirst && !only) await checkIsContent(program)
      const began = performance.now()
      server = await program.serve()
      birth = Math.ceil(performance.now() - began)
      follower.at(server)
      if (!checkFirst && !only) await checkIsContent(program)
      const { done, undone, repeated } = await compare(server, ledgers, random)
      await follower.mustAgree({ server, token: ledgers.token, shape: ledgers.shape, random })
      outcome.followed = follower.changes
      outcome.followers = follower.kills
      outcome.done += done
      outcome.undone += undone
      outcome.repeated += repeated
      tell(outcome)
    }
    await server.stop()
    await checkIsContent(program)
    return outcome
  } finally {
    await follower?.stop()
    await program.remove()
  }
}

export async function openLedgers(program: ScratchProgram): Promise<Ledgers> {
  const token = await program.token()
  const shape = await makeTable(program)
  const clients = Array.from({ length: CLIENTS }, (_, i) => ({ name: `c${i}`, entries: [], made: 0 }))
  return { token, shape, clients, fields: [], account: await openAccount(program) }
}

/** Kills the server after `life` writes, and not before `enough` is true; returns how many were acknowledged. */
export async function writeAndKill(
  server: Server,
  ledgers: Ledgers,
  random: Random,
  life: number,
  database?: Database,
  enough = () => true,
  only?: 'records',
): Promise<number> {
  const { token, shape, clients, fields, account } = ledgers
  const storm: Storm = { server, token, shape, random, killed: false, answered: 0 }
  const writing = Promise.all([
    ...clients.map((client) => writeUntilKilled(storm, client)),
    ...(only ? [] : [buildUntilKilled(storm, fields), useUntilKilled(storm, account)]),
  ])
  while (storm.answered <= life || !enough()) await Promise.race([sleep(1), writing])
  await sleep(random.int(GRACE))
  storm.killed = true
  await database?.kill()
  const { signal } = await server.stop('SIGKILL')
  assert.equal(signal, 'SIGKILL')
  await writing
  await database?.restart()
  return storm.answered
}

/** Compares what the server shows with the ledgers, which then say how it is. @throws where it may not be so. */
export async function compare(server: Server, { token, shape, clients, fields, account }: Ledgers, random: Random): Promise<Unanswered> {
  const calm = { server, token, shape, random }
  const unanswered = await verify(
    calm,
    clients.flatMap(({ entries }) => entries),
  )
  await verifyFields(calm, fields)
  await verifyAccount(calm, account)
  for (const entries of [...clients.map((client) => client.entries), fields, account.tokens, account.filters]) forget(entries)
  return unanswered
}

/** Records that are nowhere any more, so that a long run stays as quick as it began; their markers are never used again. */
function forget(entries: Entry[]): void {
  entries.splice(0, Infinity, ...entries.filter(({ known }) => known !== 'nowhere'))
}

async function killWhileStarting(program: ScratchProgram, after: number): Promise<void> {
  const { child, finished } = program.start(['serve'])
  await sleep(after)
  child.kill('SIGKILL')
  await finished
}

async function makeTable(program: ScratchProgram): Promise<Shape> {
  const table = Number(await program.ok('table', 'create', 'Storm'))
  const field = async (name: string, type: string, ...flags: string[]) =>
    (await program.ok('field', 'create', String(table), name, type, ...flags)).trim()
  return {
    type: `data${table}`,
    table,
    fields: {
      marker: await field('Marker', 'text', '--required'),
      name: await field('Name', 'text'),
      amount: await field('Amount', 'decimal'),
      story: await field('Story', 'longtext'),
      code: await field('Code', 'text', '--unique'),
      file: await field('File', 'file'),
      number: await field('Number', 'autonumber'),
    },
  }
}
