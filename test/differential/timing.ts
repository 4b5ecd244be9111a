import { sql } from '../../src/sql/sql.ts'
import { actions } from '../../src/store/changes/codes.ts'
import { randomOf, type Random } from '../support/random.ts'
import { ask, sideOf, type Side } from './round.ts'
import type { Question } from './questions.ts'
import { HIDDEN_EVERY, makeWorld, PASSWORD, RECORDS, type World } from './worlds.ts'

/*
 * Whether time tells what an answer does not: pairs of requests of which one meets something hidden and the other something that
 * never was, sent one right after the other in random order, all pairs in turn, and compared by rank.
 */

type Request = Omit<Question, 'kind' | 'headers' | 'body'> & Partial<Pick<Question, 'headers' | 'body'>>
interface Pair {
  readonly says: string
  /** What both would answer. */
  readonly status: number
  readonly hidden: (random: Random) => Request
  readonly absent: (random: Random) => Request
  /** A sign-in: the clock moves on after it, since failed ones are slowed down for an hour. */
  readonly signsIn?: boolean
}

export interface Timing {
  readonly says: string
  readonly repeats: number
  /** Lower quartiles in milliseconds: a busy machine makes times longer only, and these the least. */
  readonly hidden: number
  readonly absent: number
  /** The share of pairs in which what is hidden took longer: one half where nothing can be told. */
  readonly rank: number
  readonly tells: boolean
}

/** A difference counts where ranks are this far from a half and quartiles this far apart, in shares and in milliseconds. */
const FAR = { rank: 0.15, share: 0.15, milliseconds: 0.1 }
const REPEATS = 400
const SIGN_INS = 40
/** Requests of each pair that are not counted: code is compiled, statements are prepared. */
const UNCOUNTED = 20
const HOUR = 3_600_000
/** A position of the log that no change has. */
const NEVER = '900000000'

const get = (path: string, caller = 'lena', method = 'GET'): Request => ({ caller, method, path: `/api/dev/${path}` })
const send = (method: string, path: string, type: string, attributes: object, id?: string, caller = 'lena'): Request => ({
  caller,
  method,
  path: `/api/dev/${path}`,
  body: JSON.stringify({ data: { type, ...(id !== undefined && { id }), attributes } }),
})
const version = (path: string, change: string): Request => ({
  ...get(`${path}/restore?dryRun=true`, 'lena', 'POST'),
  body: JSON.stringify({ meta: { change } }),
})
const signIn = (login: string): Request => send('POST', 'token', 'token', { login, password: `${PASSWORD} not` }, undefined, 'stranger')

/** The path of a record that is hidden, or of one that never was. */
type Place = (random: Random) => string
const hiddenId: Place = (random) => String(3 * (2 + random.int(RECORDS / 3 - 1)))
const absentId: Place = (random) => String(400 + random.int(40))

const signIns = (says: string, login: string): Pair => ({
  says,
  status: 401,
  hidden: () => signIn(login),
  absent: () => signIn('nobody'),
  signsIn: true,
})

/** Positions of changes that are hidden from lena: of a record, and of a hidden field alone. */
async function hiddenChanges({ service: { store } }: World): Promise<{ ofRecord: string; ofField: string }> {
  const [ofRecord, ofField] = await store.db.read(
    sql`SELECT min(id) FROM changes WHERE table_id = 1 AND record_id = ${HIDDEN_EVERY * 2}`,
    sql`SELECT min(id) FROM changes WHERE table_id = 1 AND record_id = 4 AND action = ${actions.update}`,
  )
  return { ofRecord: String(ofRecord![0]![0]), ofField: String(ofField![0]![0]) }
}

function pairs({ names: { seen, hidden, deletedByOthers } }: World, changes: Awaited<ReturnType<typeof hiddenChanges>>): Pair[] {
  const of = (says: string, status: number, request: (place: string) => Request, one: string, other: string): Pair => ({
    says,
    status,
    hidden: () => request(one),
    absent: () => request(other),
  })
  const ofRecord = (says: string, request: (id: string) => Request): Pair => ({
    says,
    status: 404,
    hidden: (random) => request(hiddenId(random)),
    absent: (random) => request(absentId(random)),
  })
  const idOf = (name: string) => name.slice(1)
  const file = `file/1/${seen['file']}`
  return [
    {
      ...ofRecord('**none hidden**: two records that never were', (id) => get(`data1/${id}`)),
      hidden: (random) => get(`data1/${absentId(random)}`),
    },
    ofRecord('a record', (id) => get(`data1/${id}`)),
    ofRecord('a record, with HEAD', (id) => get(`data1/${id}`, 'lena', 'HEAD')),
    ofRecord('a record, with If-None-Match', (id) => ({ ...get(`data1/${id}`), headers: [['If-None-Match', '"1-x-y"']] })),
    ofRecord('a change of a record', (id) => send('PATCH', `data1/${id}`, 'data1', { [seen['text']!]: 'x' }, id)),
    ofRecord('a change of a record, with If-Match', (id) => ({
      ...send('PATCH', `data1/${id}`, 'data1', { [seen['text']!]: 'x' }, id),
      headers: [['If-Match', '"9-x-y"']],
    })),
    ofRecord('the deletion of a record', (id) => get(`data1/${id}`, 'lena', 'DELETE')),
    ofRecord('a file of a record', (id) => get(`${file}/${id}/a.txt`)),
    of(
      'a reference to a record',
      422,
      (id) => send('POST', 'data1', 'data1', { [seen['text']!]: 'x', [seen['reference']!]: id }),
      '4',
      '400',
    ),
    of('a table', 404, (id) => get(`data${id}`), '3', '9'),
    of('a table that a token is not for', 404, (id) => get(`data${id}`, 'narrowed'), '1', '9'),
    of('a table, its page', 404, (id) => get(`table/${id}`), '3', '9'),
    of('a field, its page', 404, (id) => get(`field/${id}`), idOf(hidden['code']!), '999'),
    of('a filter by a field', 400, (name) => get(`data1?filter=eq(${name},'1')`), hidden['code']!, 'f999'),
    of('a sort by a field', 400, (name) => get(`data1?sort=${name}`), hidden['code']!, 'f999'),
    of('a value of a field', 400, (name) => send('POST', 'data1', 'data1', { [seen['text']!]: 'x', [name]: 'x' }), hidden['code']!, 'f999'),
    of('a file of a field', 404, (name) => get(`file/1/${name}/1/paper.txt`), hidden['file']!, 'f999'),
    of("a filter of somebody else's", 404, (id) => get(`filter/${id}`), '4', '99'),
    of('a saved filter that names a hidden field', 400, (id) => get(`data1?filter=use_filter(${id})`), '2', '99'),
    of("an entry of somebody else's in the trash", 404, (id) => get(`trash/${id}`), String(deletedByOthers), '400'),
    of('one of a record that is hidden', 404, (id) => get(`trash/${id}`), '2', '400'),
    of("the restoring of somebody else's", 404, (id) => get(`trash/${id}/restore`, 'lena', 'POST'), String(deletedByOthers), '400'),
    of('a change of a record that is hidden', 404, (id) => get(`change/${id}`), changes.ofRecord, NEVER),
    of('a change of a hidden field alone', 404, (id) => get(`change/${id}`), changes.ofField, NEVER),
    of('a file of a change', 404, (id) => get(`change/${id}/file/${hidden['file']}/to/paper.txt`), changes.ofRecord, NEVER),
    ofRecord('the history of a record', (id) => get(`data1/${id}/history`)),
    { ...ofRecord('changes of a record', (id) => get(`change?filter=and(eq(table_id,1),eq(record_id,${id}))`)), status: 200 },
    of('changes of a table', 200, (id) => get(`change?filter=eq(table_id,${id})`), '3', '9'),
    ofRecord('an older version of a record', (id) => version(`data1/${id}`, changes.ofField)),
    of('an older version, by a change of something hidden', 404, (id) => version('data1/4', id), changes.ofRecord, NEVER),
    of("somebody else's batch", 404, (id) => get(`batch/${id}`), changes.ofRecord, NEVER),
    of("the undo of somebody else's batch", 404, (id) => get(`batch/${id}/undo`, 'lena', 'POST'), changes.ofRecord, NEVER),
    of('a user', 404, (id) => get(`user/${id}`), '2', '99'),
    signIns('a login', 'anna'),
    signIns('a login without a password', 'otto'),
  ]
}

/** What looks as if it told something is measured once more: what a busy machine did does not happen twice the same way. */
export async function measureTimings(seed: number): Promise<Timing[]> {
  const world = await makeWorld('hiding')
  const side = sideOf(world)
  const random = randomOf(seed)
  try {
    const all = pairs(world, await hiddenChanges(world))
    const first = await measure(side, all, random, 1)
    const suspected = all.filter((_, i) => first[i]!.tells)
    const again = suspected.length > 0 ? await measure(side, suspected, random, 2) : []
    return first.map((timing) => again.find(({ says }) => says === timing.says) ?? timing)
  } finally {
    side.client.close()
    await world.service.close()
  }
}

async function measure(side: Side, all: readonly Pair[], random: Random, times: number): Promise<Timing[]> {
  const measured = all.map((pair) => ({ pair, hidden: [] as number[], absent: [] as number[] }))
  for (let i = -UNCOUNTED; i < times * REPEATS; i++) {
    for (const { pair, ...taken } of measured) {
      if (pair.signsIn && (i < 0 || i >= times * SIGN_INS)) continue
      for (const which of random.percent(50) ? (['hidden', 'absent'] as const) : (['absent', 'hidden'] as const)) {
        const took = await timed(side, pair, which, random)
        if (i >= 0) taken[which].push(took)
      }
      if (pair.signsIn) side.world.service.clock.now += HOUR + 1
    }
  }
  return measured.map(({ pair, hidden, absent }) => judged(pair, hidden, absent))
}

async function timed(side: Side, pair: Pair, which: 'hidden' | 'absent', random: Random): Promise<number> {
  const request = { kind: '', headers: [], body: undefined, ...pair[which](random) }
  const began = performance.now()
  const { status } = await ask(side, request)
  const took = performance.now() - began
  if (status !== pair.status) throw new Error(`${pair.says}, ${which}: ${status} instead of ${pair.status}`)
  return took
}

function judged({ says }: Pair, hidden: readonly number[], absent: readonly number[]): Timing {
  const [one, other] = [quartile(hidden), quartile(absent)]
  const rank = hidden.filter((time, i) => time > absent[i]!).length / hidden.length
  const apart = Math.abs(one - other)
  const tells = Math.abs(rank - 0.5) > FAR.rank && apart > FAR.share * Math.min(one, other) && apart > FAR.milliseconds
  return { says, repeats: hidden.length, hidden: one, absent: other, rank, tells }
}

const quartile = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 2]!
