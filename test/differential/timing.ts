import { randomOf } from '../fuzz/random.ts'
import { ask, sideOf, type Side } from './round.ts'
import type { Question } from './questions.ts'
import { makeWorld, type World } from './worlds.ts'

/*
 * Whether time tells what an answer does not: pairs of requests of which one meets something hidden and the other something that never was,
 * sent in random order, compared by rank.
 */

type Request = Omit<Question, 'kind' | 'headers' | 'body'> & { readonly body?: string }
interface Pair {
  readonly says: string
  readonly repeats: number
  /** What both would answer. */
  readonly status: number
  readonly hidden: Request
  readonly absent: Request
}

export interface Timing {
  readonly says: string
  readonly repeats: number
  /** Medians in milliseconds. */
  readonly hidden: number
  readonly absent: number
  /** The share of pairs in which what is hidden took longer: one half where nothing can be told. */
  readonly rank: number
  readonly tells: boolean
}

/** A difference counts where ranks are this far from a half and medians this far apart, in shares and in milliseconds. */
const FAR = { rank: 0.3, share: 0.2, milliseconds: 0.1 }

function pairs({ names: { seen, hidden } }: World): Pair[] {
  const get = (path: string, caller = 'lena'): Request => ({ caller, method: 'GET', path: `/api/dev/${path}` })
  const filter = (name: string) => get(`data1?filter=eq(${name},'1')`)
  const signIn = (login: string): Request => ({
    caller: 'stranger',
    method: 'POST',
    path: '/api/dev/token',
    body: JSON.stringify({ data: { type: 'token', attributes: { login, password: 'wrong' } } }),
  })
  const change = (id: number): Request => ({
    caller: 'lena',
    method: 'PATCH',
    path: `/api/dev/data1/${id}`,
    body: JSON.stringify({ data: { type: 'data1', id: String(id), attributes: { [seen['text']!]: 'x' } } }),
  })
  const of = (says: string, status: number, one: Request, other: Request, repeats = 600): Pair => ({
    says,
    status,
    hidden: one,
    absent: other,
    repeats,
  })
  return [
    of('a record', 404, get('data1/6'), get('data1/400')),
    of('a change of a record', 404, change(6), change(400)),
    of('a table', 404, get('data3'), get('data9')),
    of('a table, its page', 404, get('table/3'), get('table/9')),
    of('a field, its page', 404, get(`field/${hidden['code']!.slice(1)}`), get('field/999')),
    of('a filter by a field', 400, filter(hidden['code']!), filter('f999')),
    of('a sort by a field', 400, get(`data1?sort=${hidden['code']}`), get('data1?sort=f999')),
    of('a file of a record', 404, get(`file/1/${seen['file']}/6/a.txt`), get(`file/1/${seen['file']}/400/a.txt`)),
    of('a file of a field', 404, get(`file/1/${hidden['file']}/1/paper.txt`), get('file/1/f999/1/paper.txt')),
    of("a filter of somebody else's", 404, get('filter/4'), get('filter/99')),
    of('a saved filter that names a hidden field', 400, get('data1?filter=use_filter(2)'), get('data1?filter=use_filter(9)')),
    of("an entry of somebody else's in the trash", 404, get('trash/27'), get('trash/400')),
    of('a login', 401, signIn('otto'), signIn('nobody'), 40),
  ]
}

export async function measureTimings(seed: number): Promise<Timing[]> {
  const world = await makeWorld('hiding')
  const side = sideOf(world)
  const random = randomOf(seed)
  const timings: Timing[] = []
  try {
    for (const pair of pairs(world)) {
      const times = { hidden: [] as number[], absent: [] as number[] }
      for (let i = -5; i < pair.repeats; i++) {
        const order = random.percent(50) ? (['hidden', 'absent'] as const) : (['absent', 'hidden'] as const)
        for (const which of order) {
          const took = await timed(side, pair, which)
          if (i >= 0) times[which].push(took)
        }
        // Failed sign-ins of one address are slowed down for an hour: time passes.
        world.service.clock.now += 3_600_000
      }
      timings.push(judged(pair, times.hidden, times.absent))
    }
    return timings
  } finally {
    side.client.close()
    await world.service.close()
  }
}

async function timed(side: Side, pair: Pair, which: 'hidden' | 'absent'): Promise<number> {
  const began = performance.now()
  const { status } = await ask(side, { kind: '', headers: [], body: undefined, ...pair[which] })
  const took = performance.now() - began
  if (status !== pair.status) throw new Error(`${pair.says}, ${which}: ${status} instead of ${pair.status}`)
  return took
}

function judged({ says, repeats }: Pair, hidden: number[], absent: number[]): Timing {
  const [one, other] = [median(hidden), median(absent)]
  const sorted = absent.toSorted((a, b) => a - b)
  const rank = hidden.reduce((sum, time) => sum + sorted.filter((than) => than < time).length, 0) / (hidden.length * absent.length)
  const apart = Math.abs(one - other)
  const tells = Math.abs(rank - 0.5) > FAR.rank && apart > FAR.share * Math.min(one, other) && apart > FAR.milliseconds
  return { says, repeats, hidden: one, absent: other, rank, tells }
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!
