import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureChromium, ensureWeb, root } from '../../scripts/setup.mjs'
import type { Bench } from '../bench.ts'
import { table, verdict } from '../markdown.ts'
import { nocoTimes, type NocoTimes } from '../peers/nocodb-pages.ts'
import { ended, nocoVersion, startNoco } from '../peers/nocodb.ts'
import type { Question } from '../question.ts'
import { ask, command, startOurs, stop, type Ours } from '../servers.ts'
import { STATUSES } from '../seed.ts'
import { timesOf } from '../times.ts'

/** What is used of playwright-core, whose types are installed with the pages alone. */
interface Page {
  goto(address: string): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  locator(selector: string): { fill(text: string): Promise<void>; click(): Promise<void>; waitFor(): Promise<void> }
  keyboard: { press(keys: string): Promise<void>; type(text: string): Promise<void> }
  mouse: { move(x: number, y: number): Promise<void>; wheel(x: number, y: number): Promise<void> }
  context(): { newCDPSession(page: Page): Promise<{ send(method: string): Promise<{ metrics: { name: string; value: number }[] }> }> }
}
interface Browser {
  newContext(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>
  close(): Promise<void>
}

const PASSWORD = 'correct horse battery'
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
interface Figures extends NocoTimes {
  readonly switched: readonly number[]
  readonly bytes: number
  readonly scrolled: { readonly p95: number; readonly blank: number }
  readonly heap: number
}
interface Peer {
  readonly title: string
  readonly times: NocoTimes
}

/** The first record of the list is here. */
const FIRST = ".grid-rows [data-row='0'] .name-link"

export const pagesQuestion: Question = {
  name: 'pages',
  says: 'How fast are the web pages in a browser: the first rows, the middle of the table, a search, a filter, an edit, scrolling? With --peers, NocoDB beside',
  async measure(bench) {
    ensureWeb({ development: true })
    const require = createRequire(join(root, 'web', 'package.json'))
    const { chromium } = require('playwright-core') as { chromium: { launch(options: object): Promise<Browser> } }
    return bench.withData(bench.rows, async ({ data, token }) => {
      await command(data, 'user', 'passwd', 'admin', '--password', PASSWORD)
      const ours = await startOurs(data, token, { KARTOTEKA_PAGES: 'yes' })
      const browser = await chromium.launch({ executablePath: ensureChromium(), args: ARGS })
      try {
        await built(ours)
        const figures = await measured(bench, ours, browser)
        await stop(ours)
        return shown(bench, figures, await beside(bench, browser))
      } finally {
        await browser.close()
        await stop(ours)
      }
    })
  },
}

/** What is searched for: letters of names, so that each finds records (NocoDB asks for no rows where there are none). */
const SEARCHES = ['erg', 'cas', 'omb', 'rik', 'alk', 'rig', 'art', 'isa', 'jan', 'kow', 'lin', 'mor']
const searchOf = (round: number): string => SEARCHES[round % SEARCHES.length]!
const roundsOf = (bench: Bench): number => Math.max(5, bench.rounds)

/** The same acts on NocoDB, where a folder of peers is named: in the same browser, after ours has stopped. */
async function beside(bench: Bench, browser: Browser): Promise<Peer | undefined> {
  const peers = bench.peers ?? process.env['PEERS_DIR']
  if (peers === undefined) return undefined
  const title = `NocoDB ${nocoVersion(peers)}`
  const noco = await startNoco(peers, bench.keep ?? bench.folder, bench.folder, bench.rows)
  try {
    const rounds = roundsOf(bench)
    const searches = Array.from({ length: rounds }, (_, round) => searchOf(round))
    const pictures = process.env['BENCH_PICTURES']
    return { title, times: await nocoTimes(browser, noco, { rows: bench.rows, rounds, searches, options: STATUSES }, pictures) }
  } finally {
    await ended(noco.child)
  }
}

/** The pages are built beside the first start. */
async function built({ port }: Ours): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const page = await fetch(`http://127.0.0.1:${port}/t/1`, { headers: { Accept: 'text/html' } })
    if ((await page.text()).includes('/assets/')) return
    await new Promise((next) => setTimeout(next, 200))
  }
  throw new Error('The pages were not built.')
}

async function measured(bench: Bench, ours: Ours, browser: Browser): Promise<Figures> {
  const { name, status } = ours.fields
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  const page = await context.newPage()
  const at = `http://127.0.0.1:${ours.port}`
  const other = await copyOf(ours)
  await page.goto(`${at}/t/1`)
  await page.locator('input[autocomplete=username]').fill('admin')
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.locator(FIRST).waitFor()

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

  const open = await times(() => took(async () => (await page.goto(`${at}/t/1`), page.locator(FIRST).waitFor())))
  const bytes = await page.evaluate<number>(
    "performance.getEntriesByType('resource').filter((one) => one.name.includes('/assets/')).reduce((sum, one) => sum + one.encodedBodySize, 0)",
  )
  const switched = await times(async () => {
    await within(`/t/${other}`)
    await comes(page, "!document.querySelector('.name-link')")
    return took(async () => (await within('/t/1'), page.locator(FIRST).waitFor()))
  })
  const middle = await times((round) =>
    took(async () => {
      const share = 0.4 + round / 50
      await page.evaluate(
        `(box => box.scrollTop = ${share} * (box.scrollHeight - box.clientHeight))(document.querySelector('.grid-sheet'))`,
      )
      await comes(
        page,
        `[...document.querySelectorAll('.grid-rows [role=row] .place')].some((one) => Math.abs(Number(one.textContent) - ${share * bench.rows}) < ${bench.rows / 100}) && !document.querySelector('.bone')`,
      )
    }),
  )
  const filtered = async (filter: string) => {
    await within('/t/1')
    await comes(page, `document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '${bench.rows + 1}'`)
    return took(async () => {
      await within(`/t/1?filter=${encodeURIComponent(filter)}`)
      await comes(
        page,
        `(document.querySelector('.empty h2') || (document.querySelector('.grid-rows .name-link') && !document.querySelector('.grid-sheet .bone') && document.querySelector('[role=grid]').getAttribute('aria-rowcount') !== '${bench.rows + 1}')` +
          ')',
      )
    })
  }
  const search = await times((round) => filtered(`contains(${name},'${searchOf(round)}')`))
  const statuses = ((await ask(ours, `/api/dev/data1/aggregate?groupBy=${status}`)) as { meta: { groups: { value: string }[] } }).meta
    .groups
  const byList = await times((round) => filtered(`eq(${status},'${statuses[round % statuses.length]!.value}')`))
  await page.goto(`${at}/t/1`)
  await page.locator(FIRST).waitFor()
  await page.locator("[data-row='2'] [data-col='1']").click()
  const edits = await times((round) => edit(page, round))
  const scrolled = await scroll(page, bench.seconds)
  const heap = await heapOf(page)
  await context.close()

  return { open, switched, middle, search, byList, edits, bytes, scrolled, heap }
}

function shown(bench: Bench, ours: Figures, peer: Peer | undefined): string {
  const p = (all: readonly number[]) => timesOf(all).p50
  const line = (says: string, all: readonly number[], bar: number | undefined, its?: readonly number[]) => [
    says,
    p(all),
    Math.max(...all),
    bar === undefined ? '' : verdict(`≤ ${bar} ms`, p(all) <= bar),
    ...(peer === undefined ? [] : its === undefined ? ['–', '–'] : [p(its), Math.max(...its)]),
  ]
  const acts = table(
    ['act', 'ms, median', 'longest', 'budget', ...(peer === undefined ? [] : [`${peer.title}: ms, median`, 'longest'])],
    [
      line('open the table: from the address to the first rows', ours.open, 1000, peer?.times.open),
      line('switch to it from another table', ours.switched, 300),
      line('drag the bar to the middle', ours.middle, 200, peer?.times.middle),
      line('a text is searched for (`contains`), not asked before', ours.search, undefined, peer?.times.search),
      line('filter by a list', ours.byList, undefined, peer?.times.byList),
      line('edit a cell: confirmed', ours.edits, 100, peer?.times.edits),
    ],
  )
  const { bytes, scrolled, heap } = ours
  const rest = table(
    ['', '', 'budget'],
    [
      ['script and styles of the page, compressed, KiB', bytes / 1024, verdict('≤ 350 KiB', bytes <= 350 * 1024)],
      [`wheel, ${bench.seconds} s: frame p95, ms`, scrolled.p95, verdict('≤ 17 ms', scrolled.p95 <= 17)],
      ['rows in sight without values, longest, ms', scrolled.blank, verdict('≤ 200 ms', scrolled.blank <= 200)],
      ['heap of the page after it, MiB', heap / 2 ** 20, verdict('≤ 150 MB', heap <= 150e6)],
    ],
  )
  return `${acts}\n\n${rest}`
}

/** Waits for a condition, frame by frame. The policy of the page allows no script that is text, so the browser is asked. */
const comes = (page: Page, condition: string): Promise<unknown> =>
  page.evaluate(
    `new Promise((done, fail) => (setTimeout(() => fail(new Error(${JSON.stringify(`It never came: ${condition}`)})), 60_000), function look() { ${condition} ? done() : requestAnimationFrame(look) })())`,
  )

/** A table with the same fields and no records. */
async function copyOf(ours: Ours): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${ours.port}/api/dev/table/1/copy`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ours.token, 'Content-Type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'table', attributes: { table_name: 'empty' } } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data: { id: string } }).data.id
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

/** Wheels through the table; milliseconds of frames, and how long rows in sight had no values. */
async function scroll(page: Page, seconds: number): Promise<{ p95: number; blank: number }> {
  await page.mouse.move(700, 500)
  await page.evaluate(`window.frames_ = [], window.blank_ = 0, (function watch(last, since) {
    requestAnimationFrame((now) => {
      frames_.push(now - last)
      const box = document.querySelector('.grid-sheet').getBoundingClientRect()
      const isBlank = [...document.querySelectorAll('.bone')].some((one) => { const r = one.getBoundingClientRect(); return r.bottom > box.top + 33 && r.top < box.bottom })
      if (isBlank) blank_ = Math.max(blank_, now - (since ?? now))
      if (!window.stopped_) watch(now, isBlank ? (since ?? now) : undefined)
    })
  })(performance.now(), undefined)`)
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) await page.mouse.wheel(0, 400)
  await page.evaluate('new Promise((done) => setTimeout(done, 1000))')
  const { frames, blank } = await page.evaluate<{ frames: number[]; blank: number }>(
    '(window.stopped_ = true, { frames: frames_.slice(2), blank: blank_ })',
  )
  return { p95: timesOf(frames).p95, blank }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}
