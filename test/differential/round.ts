import { randomOf } from '../support/random.ts'
import { bytesOf, wire, type Received } from '../fuzz/wire.ts'
import { exception, leaks, plainText } from './compare.ts'
import { question, type Question } from './questions.ts'
import { makeWorld, type World } from './worlds.ts'

/** Requests to one pair of worlds; then there is a new one. */
export const ROUND = 1_000

export interface Difference {
  /** How many requests of the round were sent before it was found, itself included. */
  readonly after: number
  readonly shown: string
}

export interface Tally {
  sent: number
  /** By kind of request and status. */
  readonly answers: Map<string, number>
  readonly exceptions: Map<string, number>
}

export const newTally = (): Tally => ({ sent: 0, answers: new Map(), exceptions: new Map() })

export interface Side {
  readonly world: World
  readonly client: ReturnType<typeof wire>
  /** Entity tags by path, as this side told them. */
  readonly tags: Map<string, string>
}

export const sideOf = (world: World): Side => ({ world, client: wire(world.port), tags: new Map() })

/** The same requests to both worlds, one after another, until an answer differs. A documented exception ends a round early. */
export async function runRound(seed: number, requests: number, tally: Tally): Promise<Difference | undefined> {
  const worlds = await Promise.all([makeWorld('plain'), makeWorld('hiding')])
  const sides = worlds.map(sideOf)
  const random = randomOf(seed)
  try {
    for (let i = 0; i < requests; i++) {
      const asked = question(random, worlds[0].names)
      tally.sent++
      const [plain, hiding] = await Promise.all(sides.map((side) => ask(side, asked)))
      const shown = () =>
        `seed ${seed}, request ${i + 1}\n${told(asked)}\n\nwithout anything hidden: ${plainText(plain!)}\n\nwith: ${plainText(hiding!)}`
      if (leaks(hiding!)) return { after: i + 1, shown: `a hidden value is told\n${shown()}` }
      const known = exception(plain!, hiding!)
      if (known !== undefined) {
        add(tally.exceptions, known)
        return undefined
      }
      if (plainText(plain!) !== plainText(hiding!)) return { after: i + 1, shown: shown() }
      add(tally.answers, `${asked.kind} ${plain!.status}`)
    }
    return undefined
  } finally {
    for (const { client } of sides) client.close()
    await Promise.all(worlds.map(({ service }) => service.close()))
  }
}

export async function ask({ world, client, tags }: Side, { caller, method, path, headers, body }: Question): Promise<Received> {
  const [plainPath] = path.split('?', 1)
  const content = body === undefined ? undefined : Buffer.from(body)
  const answers = await client.exchange({
    method,
    target: path.replace(/[^\x21-\x7e]/g, encodeURIComponent),
    headers: [
      ['Host', '127.0.0.1'],
      ['X-Auth-Token', world.tokens[caller]!],
      ...(content ? [['Content-Type', 'application/vnd.api+json'] as const, ['Content-Length', String(content.length)] as const] : []),
      ...headers.map(([name, value]) => [name, value === 'TAG' ? (tags.get(plainPath!) ?? '"1-x-y"') : value] as const),
    ],
    body: content,
    content,
    oddlyFramed: false,
    cutShort: false,
  })
  if (typeof answers === 'string') throw new Error(`${answers}: ${method} ${path}`)
  const [answer] = answers
  if (!answer) throw new Error(`No answer to ${method} ${path}`)
  const tag = answer.headers.get('etag')
  if (tag !== undefined) tags.set(plainPath!, tag)
  return answer
}

const told = ({ caller, method, path, headers, body }: Question): string =>
  `${caller}: ${bytesOf({ method, target: decodeURIComponent(path), headers, body: body === undefined ? undefined : Buffer.from(body) }).toString('utf8')}`

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
