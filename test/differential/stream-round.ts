import { randomOf, type Random } from '../support/random.ts'
import { leaks } from './compare.ts'
import { newest } from './hidden-writes.ts'
import { listen } from './listeners.ts'
import { followed, positionOf } from './log-questions.ts'
import { Positions } from './positions.ts'
import { callers } from './questions.ts'
import { add, askBoth, sideOf, told, type Difference, type Side, type Tally } from './round.ts'
import { CANARY, HIDDEN_EVERY, makeWorld, must, RECORDS, userId, type World } from './worlds.ts'

/*
 * Records that leave the read filters and come back. In both worlds the same things are hidden and the same is written, but what records hold
 * while they are outside, and hidden fields, have other values: who follows the log must see the same in both. (Lists and histories show
 * what a record held outside as soon as its reader may read it again: DECISIONS K3.)
 */

/** Of a hundred requests, before how many something is written. */
const WRITTEN = 35

/** Which world: it stands in all values that nobody may see. */
type Variant = 0 | 1
type Act = (world: World, variant: Variant) => Promise<void>

/** Leaves the filter of every group, and is in that of every group. */
const outside = userId('otto')
const owners = [userId('anna'), userId('lena'), userId('mona')]

function acts(random: Random, { seen, hidden }: World['names']) {
  const away = new Set<number>()
  let count = 0
  const secret = (variant: Variant) => `${CANARY} ${variant} ${count}`
  /** What nobody may see of a record outside. */
  const unseen = (variant: Variant) => ({
    [seen['text']!]: secret(variant),
    [seen['decimal']!]: `${1000 + 2 * count + variant}`,
    [seen['list']!]: ['new', 'old'][(count + variant) % 2],
    [hidden['secret']!]: secret(variant),
  })
  const back = (owner: number) => ({
    user_id: owner,
    [hidden['flag']!]: false,
    [seen['text']!]: `back ${count}`,
    [seen['decimal']!]: `${count}`,
    [seen['list']!]: 'new',
  })
  const patch =
    (n: number, attributes: (variant: Variant) => object): Act =>
    (world, variant) =>
      must(world.service.change('data1', String(n), attributes(variant)))
  const toTrash =
    (n: number): Act =>
    async ({ service: { call, get, remove } }) => {
      await must(remove(`data1/${n}`))
      const entry = (await get('trash?sort=-id&page[limit]=1')).json.data[0].id as string
      await must(call('POST', `trash/${entry}/restore`))
    }

  /** What is written next. */
  return (): Act => {
    count++
    const n = 4 + random.int(RECORDS - 4)
    if (n % HIDDEN_EVERY === 0) return patch(n, unseen)
    if (away.has(n)) {
      if (random.percent(50)) return random.percent(70) ? patch(n, unseen) : toTrash(n)
      away.delete(n)
      const owner = random.pick(owners)
      return patch(n, (variant) => ({ ...back(owner), [hidden['secret']!]: secret(variant) }))
    }
    if (random.percent(30)) return patch(n, (variant) => ({ [hidden['secret']!]: secret(variant) }))
    if (random.percent(30)) return patch(n, (variant) => ({ [hidden['secret']!]: secret(variant), [seen['decimal']!]: `${count}` }))
    if (random.percent(15)) return toTrash(n)
    away.add(n)
    const leaving = { user_id: outside, [hidden['flag']!]: true }
    return patch(n, (variant) => ({ ...leaving, ...(count % 2 === 0 && unseen(variant)) }))
  }
}

/** Pages of the log with a cursor, from two worlds whose hidden values differ. */
export async function runStreamRound(seed: number, requests: number, tally: Tally): Promise<Difference | undefined> {
  const worlds = await Promise.all([makeWorld('hiding'), makeWorld('hiding')])
  const [one, other] = worlds.map(sideOf) as [Side, Side]
  const random = randomOf(seed)
  const next = acts(random, worlds[0].names)
  const listening = await listen(worlds)
  try {
    const positions = new Positions(worlds[0].service.store.db.dialect.shared, await newest(worlds[0]))
    for (let i = 0; i < requests; i++) {
      if (random.percent(WRITTEN)) {
        const act = next()
        await Promise.all([act(worlds[0], 0), act(worlds[1], 1)])
        positions.add(await newest(worlds[0]), await newest(worlds[1]))
      }
      const asked = {
        caller: random.pick(callers),
        headers: [],
        body: undefined,
        ...followed(random, worlds[0].names, positionOf(random, positions.count)),
      }
      tally.sent++
      const answers = await askBoth(one, other, asked, positions, true)
      const shown = `seed ${seed}, request ${i + 1}\n${told(asked)}\n\nwithout anything hidden: ${answers.texts[0]}\n\nwith: ${answers.texts[1]}`
      if (leaks(answers.plain) || leaks(answers.hiding)) return { after: i + 1, shown: `a hidden value is told\n${shown}` }
      if (answers.texts[0] !== answers.texts[1]) return { after: i + 1, shown }
      add(tally.answers, `${asked.kind}, crossing ${answers.plain.status}`)
    }
    const shown = await listening.difference(positions)
    return shown === undefined ? undefined : { after: requests, shown: `seed ${seed}\n${shown}` }
  } finally {
    listening.close()
    for (const { client } of [one, other]) client.close()
    await Promise.all(worlds.map(({ service }) => service.close()))
  }
}
