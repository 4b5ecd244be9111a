import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from './judge.ts'
import type { Random } from '../support/random.ts'
import { oddRequest, type Attempt } from './requests.ts'
import { bytesOf, read, wire, type Received } from './wire.ts'
import type { World } from './world.ts'

/* Clients that behave oddly: slow ones, such as go away, many at once, and several requests on one connection without waiting. */

export type Behaviour = 'many at once' | 'pipelined' | 'slow writer' | 'slow reader' | 'abandoned'
export const behaviours: readonly Behaviour[] = ['many at once', 'pipelined', 'slow writer', 'slow reader', 'abandoned']

export interface Met {
  readonly attempts: readonly Attempt[]
  /** By attempt, as far as answers came. */
  readonly answers: readonly (Received | undefined)[]
  readonly wrong: string | undefined
}

const MOST = 24

export async function behave(random: Random, world: World, how: Behaviour): Promise<Met> {
  const attempts = Array.from({ length: how === 'slow reader' ? 4 : 2 + random.int(MOST) }, () => plainRequest(random, world))
  const met = await conduct[how](random, world, attempts)
  const answers = met.map((one) => (typeof one === 'string' ? undefined : one))
  const wrong = attempts
    .map((attempt, i) => {
      const answer = met[i]
      if (typeof answer !== 'string') return answer && fault(attempt, answer)
      return how === 'many at once' || how === 'slow writer' ? `no answer: ${answer}` : undefined
    })
    .find((one) => one !== undefined)
  return { attempts, answers, wrong }
}

/** One where both sides know where the message ends. */
function plainRequest(random: Random, world: World): Attempt {
  for (;;) {
    const attempt = oddRequest(random, world)
    if (!attempt.oddlyFramed && !attempt.cutShort && !['HEAD', 'CONNECT', 'DELETE'].includes(attempt.method)) return attempt
  }
}

/** The answers by attempt; a sentence: why there is none. */
type Conduct = (random: Random, world: World, attempts: readonly Attempt[]) => Promise<(Received | string | undefined)[]>

const conduct: Readonly<Record<Behaviour, Conduct>> = {
  'many at once': (_, { port }, attempts) => Promise.all(attempts.map((attempt) => alone(port, attempt))),

  pipelined: async (_, { port }, attempts) => (await read(await open(port), Buffer.concat(attempts.map(bytesOf)), attempts.length)).answers,

  'slow writer': (random, { port }, attempts) =>
    Promise.all(
      attempts.map(async (attempt) => {
        const socket = await open(port)
        const bytes = bytesOf(attempt)
        const pieces = 2 + random.int(6)
        const answer = read(socket, undefined, 1)
        for (let i = 0; i < pieces && socket.writable; i++) {
          socket.write(bytes.subarray(Math.floor((i * bytes.length) / pieces), Math.floor(((i + 1) * bytes.length) / pieces)))
          await sleep(1)
        }
        const { answers, why } = await answer
        return answers[0] ?? why
      }),
    ),

  'slow reader': (_, { port }, attempts) =>
    Promise.all(
      attempts.map(async (attempt) => {
        const socket = await open(port)
        socket.pause()
        for (let i = 0; i < 20; i++) socket.write(bytesOf(attempt))
        await sleep(15)
        socket.destroy()
        return undefined
      }),
    ),

  abandoned: (random, { port }, attempts) =>
    Promise.all(
      attempts.map(async (attempt) => {
        const socket = await open(port)
        const bytes = bytesOf(attempt)
        socket.write(random.percent(50) ? bytes : bytes.subarray(0, random.int(bytes.length)))
        await sleep(random.int(4))
        if (random.percent(50)) socket.resetAndDestroy()
        else socket.destroy()
        return undefined
      }),
    ),
}

async function alone(port: number, attempt: Attempt): Promise<Received | string> {
  const client = wire(port)
  try {
    const answers = await client.exchange(attempt)
    return typeof answers === 'string' ? answers : (answers[0] ?? 'the server ended the connection')
  } finally {
    client.close()
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}
