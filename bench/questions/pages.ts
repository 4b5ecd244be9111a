import { request } from 'node:http'
import { loadavg } from 'node:os'
import type { Bench } from '../bench.ts'
import { table, verdict } from '../markdown.ts'
import { actsOf, copyOf, roundsOf, searchOf, type Acts } from '../pages/acts.ts'
import { addressOf, signedIn, withPages, type Browser, type Page } from '../pages/browser.ts'
import { writing } from '../pages/others.ts'
import { floorPage, scroll, together, type Scrolled } from '../pages/scrolling.ts'
import { nocoTimes, type NocoTimes } from '../peers/nocodb-pages.ts'
import { ended, nocoVersion, startNoco } from '../peers/nocodb.ts'
import type { Question } from '../question.ts'
import { stop, type Ours } from '../servers.ts'
import { STATUSES } from '../seed.ts'
import { timesOf } from '../times.ts'

/** Writes of somebody else, a second. */
const WRITES = 60

interface Figures {
  readonly alone: Acts
  /** Beside writes of somebody else, and how many a second there were. */
  readonly beside: Acts
  readonly rate: number
  readonly bytes: { readonly script: number; readonly all: number }
  readonly scrolled: ReturnType<typeof together>
  readonly scrolledBeside: ReturnType<typeof together>
  readonly floor: ReturnType<typeof together>
}
interface Peer {
  readonly title: string
  readonly times: NocoTimes
}

export const pagesQuestion: Question = {
  name: 'pages',
  says: 'How fast are the web pages in a browser, alone and beside writes of others: the first rows, the middle of the table, a search, a filter, an edit, scrolling? With --peers, NocoDB beside',
  measure: (bench) =>
    withPages(bench, async (browser, ours) => {
      const others = `Load average of the machine at the beginning: ${loadavg()[0]!.toFixed(1)}.`
      const figures = await measured(bench, ours, browser)
      await stop(ours)
      return `${shown(bench, figures, await peerOf(bench, browser))}\n\n${others}`
    }),
}

async function measured(bench: Bench, ours: Ours, browser: Browser): Promise<Figures> {
  const page = await signedIn(browser, ours)
  const bytes = await bytesOf(page, ours)
  const other = await copyOf(ours)
  const alone = await actsOf(bench, ours, page, other)
  const { scrolled, floor } = await scrolling(bench, browser, page)
  const others = writing(ours, bench.rows, WRITES)
  let beside
  let scrolledBeside
  let rate
  try {
    beside = await actsOf(bench, ours, page, other, roundsOf(bench))
    scrolledBeside = together([await scroll(page, '.grid-sheet', bench.seconds)])
    rate = others.rate()
  } finally {
    await others.stop()
  }
  await page.context().close()
  return { alone, beside, rate, bytes, scrolled, scrolledBeside, floor }
}

/** The grid and the floor in turns: what else the machine does meanwhile meets both. */
async function scrolling(bench: Bench, browser: Browser, page: Page) {
  const floor = await floorPage(browser)
  const all: Scrolled[] = []
  const its: Scrolled[] = []
  for (let round = 0; round < bench.rounds; round++) {
    all.push(await scroll(page, '.grid-sheet', bench.seconds))
    its.push(await scroll(floor, '#box', bench.seconds))
  }
  await floor.context().close()
  return { scrolled: together(all), floor: together(its) }
}

/** The parts of the pages that have come until the first rows are there, compressed. The service worker's copies are not, so the service is asked. */
async function bytesOf(page: Page, ours: Ours): Promise<Figures['bytes']> {
  const names = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((one) => one.startsWith('/assets/'))",
  )
  const sizes = await Promise.all([...new Set(names)].map(async (name) => [name, await bytesAt(`${addressOf(ours)}${name}`)] as const))
  const sum = (which: (name: string) => boolean) => sizes.reduce((total, [name, size]) => (which(name) ? total + size : total), 0)
  return { script: sum((name) => name.endsWith('.js')), all: sum(() => true) }
}

const bytesAt = (address: string): Promise<number> =>
  new Promise((done, fail) => {
    request(address, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      let bytes = 0
      answer.on('data', (part: Buffer) => (bytes += part.length))
      answer.on('end', () => done(bytes))
    })
      .on('error', fail)
      .end()
  })

/** The same acts on NocoDB, where a folder of peers is named: in the same browser, after ours has stopped. */
async function peerOf(bench: Bench, browser: Browser): Promise<Peer | undefined> {
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

function shown(bench: Bench, { alone, beside, rate, bytes, scrolled, scrolledBeside, floor }: Figures, peer: Peer | undefined): string {
  const p = (all: readonly number[]) => timesOf(all).p50
  const line = (says: string, of: (acts: Acts) => readonly number[], bar: number | undefined, its?: readonly number[]) => [
    says,
    p(of(alone)),
    Math.max(...of(alone)),
    p(of(beside)),
    bar === undefined ? '' : verdict(`≤ ${bar} ms`, p(of(alone)) <= bar && p(of(beside)) <= bar),
    ...(peer === undefined ? [] : its === undefined ? ['–', '–'] : [p(its), Math.max(...its)]),
  ]
  const acts = table(
    [
      'act',
      'ms, median',
      'longest',
      `beside ${Math.round(rate)} writes/s: median`,
      'budget',
      ...(peer === undefined ? [] : [`${peer.title}, alone: median`, 'longest']),
    ],
    [
      line('open the table: from the address to the first rows', ({ open }) => open, 1000, peer?.times.open),
      line('switch to it from another table', ({ switched }) => switched, 300),
      line('drag the bar to the middle', ({ middle }) => middle, 200, peer?.times.middle),
      line('a text is searched for (`contains`), not asked before', ({ search }) => search, undefined, peer?.times.search),
      line('words are typed into the quick search: from the last key, with its pause of 150 ms', ({ quick }) => quick, undefined),
      line('filter by a list', ({ byList }) => byList, undefined, peer?.times.byList),
      line('edit a cell: confirmed', ({ edits }) => edits, 100, peer?.times.edits),
    ],
  )
  const wheel = table(
    [
      'wheel',
      'frame p95, ms',
      'turns/s',
      'processor, ms a turn',
      'of that script',
      'style',
      'layout',
      'rows in sight without values, longest, ms',
    ],
    [
      ['the grid', ...rowOf(bench.seconds * bench.rounds, scrolled), scrolled.blank],
      ['the grid, beside the writes', ...rowOf(bench.seconds, scrolledBeside), scrolledBeside.blank],
      ['the floor: as many plain cells, all there from the beginning', ...rowOf(bench.seconds * bench.rounds, floor), '–'],
    ],
  )
  const rest = table(
    ['', '', 'budget'],
    [
      ['script of the first page, compressed, KiB', bytes.script / 1024, verdict('≤ 350 KiB', bytes.script <= 350 * 1024)],
      ['all of the first page, compressed, KiB', bytes.all / 1024, ''],
      ['frame p95, ms', scrolled.p95, verdict('≤ 17 ms', scrolled.p95 <= 17)],
      ['frame p95, of that of the floor', scrolled.p95 / floor.p95, ''],
      ['rows in sight without values, longest, ms', scrolled.blank, verdict('≤ 200 ms', scrolled.blank <= 200)],
    ],
  )
  return `${acts}\n\n${wheel}\n\n${rest}`
}

const rowOf = (seconds: number, { p95, turns, each }: ReturnType<typeof together>): number[] => [
  p95,
  turns / seconds,
  each.all,
  each.script,
  each.style,
  each.layout,
]
