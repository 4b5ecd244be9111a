import { setTimeout } from 'node:timers/promises'
import { randomOf } from '../support/random.ts'
import { bytesOf, wire, type Received } from '../fuzz/wire.ts'
import { exception, leaks } from './compare.ts'
import { makeEven, newest, writeHidden } from './hidden-writes.ts'
import { Positions } from './positions.ts'
import { question, type Question } from './questions.ts'
import { makeWorld, type World } from './worlds.ts'

/** Requests to one pair of worlds; then there is a new one. */
export const ROUND = 1_000
/** Of a hundred requests, before how many something hidden is written. */
const WRITTEN = 8
/** Milliseconds until followers see the same over PostgreSQL. */
const PATIENCE = 10_000

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

/**
 * The same requests to both worlds, one after another, until an answer differs. A documented exception ends a round early. In every second
 * round, something hidden is written between them.
 */
export async function runRound(seed: number, requests: number, tally: Tally): Promise<Difference | undefined> {
  const worlds = await Promise.all([makeWorld('plain'), makeWorld('hiding')])
  const [plain, hiding] = worlds.map(sideOf) as [Side, Side]
  const random = randomOf(seed)
  const writes = seed % 2 === 1
  try {
    await makeEven(...worlds)
    const { shared } = worlds[0].service.store.db.dialect
    const positions = new Positions(shared, await newest(worlds[0]))
    for (let i = 0; i < requests; i++) {
      if (writes && random.percent(WRITTEN)) {
        const paths = await writeHidden(random, positions, ...worlds)
        for (const { tags } of [plain, hiding]) for (const path of paths) tags.delete(path)
      }
      const asked = question(random, worlds[0].names, positions.count)
      tally.sent++
      const answers = await askBoth(plain, hiding, asked, positions, writes)
      const shown = () =>
        `seed ${seed}, request ${i + 1}\n${told(asked)}\n\nwithout anything hidden: ${answers.texts[0]}\n\nwith: ${answers.texts[1]}`
      if (leaks(answers.hiding)) return { after: i + 1, shown: `a hidden value is told\n${shown()}` }
      const known = exception(answers.plain, answers.hiding)
      if (known !== undefined) {
        add(tally.exceptions, known)
        return undefined
      }
      if (answers.texts[0] !== answers.texts[1]) return { after: i + 1, shown: shown() }
      add(tally.answers, `${asked.kind} ${answers.plain.status}`)
    }
    return undefined
  } finally {
    for (const { client } of [plain, hiding]) client.close()
    await Promise.all(worlds.map(({ service }) => service.close()))
  }
}

/** Over PostgreSQL a transaction of another test holds back what followers see: then both are asked again. */
export async function askBoth(plain: Side, hiding: Side, asked: Question, positions: Positions, masked: boolean) {
  for (const end = Date.now() + PATIENCE; ; await setTimeout(50)) {
    const both = await Promise.all([plain, hiding].map((side, i) => ask(side, resolved(asked, positions, i as 0 | 1))))
    const [one, other] = both as [Received, Received]
    const texts = positions.compared(one, other, masked)
    const isFinal = texts[0] === texts[1] || !asked.path.includes('page%5Bafter%5D') || !plain.world.service.store.db.dialect.shared
    if (isFinal || Date.now() > end) return { plain: one, hiding: other, texts }
  }
}

const resolved = (asked: Question, positions: Positions, side: 0 | 1): Question => ({
  ...asked,
  path: positions.resolve(asked.path, side),
  body: asked.body && positions.resolve(asked.body, side),
})

export async function ask({ world, client, tags }: Side, { caller, method, path, headers, body }: Question): Promise<Received> {
  const [plainPath] = path.split('?', 1)
  const content = body === undefined ? undefined : Buffer.from(body)
  const answers = await client.exchange({
    method,
    target: path.replace(/[^\x21-\x7e]/g, encodeURIComponent),
    headers: [
      ['Host', '127.0.0.1'],
      ['X-Auth-Token', world.tokens[caller]!],
      ...(content && !headers.some(([name]) => name === 'Content-Type') ? [['Content-Type', 'application/vnd.api+json'] as const] : []),
      ...(content ? [['Content-Length', String(content.length)] as const] : []),
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

export const told = ({ caller, method, path, headers, body }: Question): string =>
  `${caller}: ${bytesOf({ method, target: decodeURIComponent(path), headers, body: body === undefined ? undefined : Buffer.from(body) }).toString('utf8')}`

export const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
