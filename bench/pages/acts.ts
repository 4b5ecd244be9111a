/** What people do in a table, timed. */
import type { Bench } from '../bench.ts'
import { customer } from '../seed.ts'
import { ask, type Ours } from '../servers.ts'
import { addressOf, comes, FIRST, type Page } from './browser.ts'

/** Milliseconds of each round. */
export interface Acts {
  readonly open: readonly number[]
  readonly switched: readonly number[]
  readonly middle: readonly number[]
  readonly search: readonly number[]
  /** With the pause after the last key. */
  readonly quick: readonly number[]
  readonly byList: readonly number[]
  readonly edits: readonly number[]
}

/** What is searched for: letters of names, so that each finds records (NocoDB asks for no rows where there are none). */
const SEARCHES = ['erg', 'cas', 'omb', 'rik', 'alk', 'rig', 'art', 'isa', 'jan', 'kow', 'lin', 'mor', 'ova', 'ers', 'uar', 'ose', 'and', 'tar', 'ulv', 'van'] // prettier-ignore
export const searchOf = (round: number): string => SEARCHES[round % SEARCHES.length]!
export const roundsOf = (bench: Bench): number => Math.max(5, bench.rounds)

/** `other`: a table without records. `first`: how many searches were made before, so that none is made again. */
export async function actsOf(bench: Bench, ours: Ours, page: Page, other: string, first = 0): Promise<Acts> {
  const { name, status } = ours.fields
  const at = addressOf(ours)
  const took = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const times = async (work: (round: number) => Promise<number>): Promise<number[]> => {
    const all: number[] = []
    for (let round = 0; round < roundsOf(bench); round++) all.push(await work(round))
    return all
  }
  /** Goes to an address within the page, as a click on a link does. */
  const within = (path: string) =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate'))`)

  /** Loads the table from its first row: the pages remember in each tab where the person was. */
  const load = async (): Promise<void> => {
    await page.evaluate("addEventListener('pagehide', () => sessionStorage.clear())")
    await page.goto(`${at}/t/1`)
    await page.locator(FIRST).waitFor()
  }
  const open = await times(() => took(load))
  const switched = await times(async () => {
    await within(`/t/${other}`)
    await comes(page, "!document.querySelector('.name-link')")
    return took(async () => (await within('/t/1'), page.locator(FIRST).waitFor()))
  })
  const middle = await times((round) =>
    took(async () => {
      const share = 0.4 + (first + round) / 50
      await page.evaluate(
        `(box => box.scrollTop = ${share} * (box.scrollHeight - box.clientHeight))(document.querySelector('.grid-sheet'))`,
      )
      await comes(
        page,
        `[...document.querySelectorAll('.grid-rows [role=row] .place')].some((one) => Math.abs(Number(one.textContent) - ${share * bench.rows}) < ${bench.rows / 100}) && !document.querySelector('.bone')`,
      )
    }),
  )
  /** All records are counted. */
  const all = `document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${bench.rows + 1}'`
  const filtered = async (filter: string) => {
    await within('/t/1')
    await comes(page, all)
    return took(async () => {
      await within(`/t/1?filter=${encodeURIComponent(filter)}`)
      await comes(
        page,
        `(document.querySelector('.empty h2') || (document.querySelector('.grid-rows .name-link') && !document.querySelector('.grid-sheet .bone') && document.querySelector('[role=grid]').getAttribute('aria-rowcount') !== '${bench.rows + 1}')` +
          ')',
      )
    })
  }
  const quick = await times(async (round) => {
    const [last, called] = customer(1 + (((first + round) * 7919) % bench.rows))
      .name.toLowerCase()
      .split(' ')
    const words = `${last!.slice(0, 5)} ${called!}`
    await within('/t/1')
    await comes(page, all)
    await page.locator('.find input[type=search]').click()
    await page.keyboard.type(words.slice(0, -1))
    await page.evaluate(`void (window.sought = new Promise((done) =>
      addEventListener('keydown', () => {
        const began = performance.now()
        const isThere = () => location.search.includes('q=') && document.querySelector('.grid-rows .name-link') && !document.querySelector('.grid-sheet .bone') && !(${all})
        const look = () => (isThere() ? done(performance.now() - began) : requestAnimationFrame(look))
        look()
      }, { once: true, capture: true })))`)
    await page.keyboard.press(words.at(-1)!)
    return page.evaluate<number>('window.sought')
  })
  const search = await times((round) => filtered(`contains(${name},'${searchOf(first + round)}')`))
  const statuses = ((await ask(ours, `/api/dev/data1/aggregate?groupBy=${status}`)) as { meta: { groups: { value: string }[] } }).meta
    .groups
  const byList = await times((round) => filtered(`eq(${status},'${statuses[round % statuses.length]!.value}')`))
  await load()
  await page.locator("[data-row='2'] [data-col='1']").click()
  const edits = await times((round) => edit(page, first + round))
  return { open, switched, middle, search, quick, byList, edits }
}

/** From Enter to the answer of the service, as the page shows it. */
async function edit(page: Page, round: number): Promise<number> {
  await page.keyboard.press('F2')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`edited@${round}.example`)
  await page.evaluate(`void (window.confirmed = new Promise((done) => {
    const observer = new MutationObserver(() => {
      if (!window.isSaving && document.querySelector('.cell.saving')) window.isSaving = true
      if (window.isSaving && !document.querySelector('.cell.saving')) { window.isSaving = false; observer.disconnect(); done(performance.now() - window.began) }
    })
    observer.observe(document.querySelector('.grid-rows'), { subtree: true, childList: true, attributes: true })
    addEventListener('keydown', () => (window.began = performance.now()), { once: true, capture: true })
  }))`)
  await page.keyboard.press('Enter')
  const ms = await page.evaluate<number>('window.confirmed')
  await page.keyboard.press('ArrowUp')
  return ms
}

/** A table with the same fields and no records. */
export async function copyOf(ours: Ours): Promise<string> {
  const answer = await fetch(`${addressOf(ours)}/api/dev/table/1/copy`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ours.token, 'Content-Type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'table', attributes: { table_name: 'empty' } } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data: { id: string } }).data.id
}
