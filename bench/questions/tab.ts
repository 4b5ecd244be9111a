import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { Bench } from '../bench.ts'
import { table, verdict } from '../markdown.ts'
import { barePage, type BarePage } from '../pages/bare-page.ts'
import { addressOf, withPages, type Browser } from '../pages/browser.ts'
import { writing } from '../pages/others.ts'
import type { Question } from '../question.ts'
import type { Ours } from '../servers.ts'

/** Turns of the wheel of an hour, one a second; 12 rows each. */
const TURNS = 3600
const SAMPLES = 4
/** Of a stretch in real time: turns and writes of somebody else a second. */
const PACE = 4
const WRITES = 60
/** Milliseconds of peace before memory is read. */
const PEACE = 1500

/** After a collection of garbage. */
interface Memory {
  readonly after: string
  /** Bytes of the heap of scripts, and what the process of the tab holds for itself alone. */
  readonly heap: number
  readonly own: number
  readonly nodes: number
  readonly detached: number
  readonly listeners: number
}

export const tabQuestion: Question = {
  name: 'tab',
  says: 'What does the tab hold after an hour of scrolling? With --seconds above 60, also after that time beside writes of somebody else',
  measure: (bench) =>
    withPages(bench, async (browser, ours) => {
      const page = await barePage(browser, `${addressOf(ours)}/t/1`)
      const pid = await pidOf(browser, page)
      const memory = [await memoryOf(page, pid, 'the first rows')]
      for (let sample = 1; sample <= SAMPLES; sample++) {
        for (let turn = 0; turn < TURNS / SAMPLES; turn++) await turned(page)
        memory.push(await memoryOf(page, pid, `${((TURNS * sample) / SAMPLES).toLocaleString('en-US')} turns`))
      }
      if (bench.seconds > 60) memory.push(await inRealTime(bench, ours, page, () => memoryOf(page, pid, `${bench.seconds} s more`)))
      return `${shown(memory)}\n\nLoad average of the machine at the end: ${loadavg()[0]!.toFixed(1)}.`
    }),
}

/** A turn, and the frame that shows it. */
async function turned(page: BarePage, pixels = 400): Promise<void> {
  await page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 700, y: 500, deltaX: 0, deltaY: pixels })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => done()))')
}

/** Some turns down and some up again, as people do, while somebody else writes. */
async function inRealTime(bench: Bench, ours: Ours, page: BarePage, read: () => Promise<Memory>): Promise<Memory> {
  const others = writing(ours, bench.rows, WRITES)
  try {
    const until = performance.now() + bench.seconds * 1000
    for (let turn = 0; performance.now() < until; turn++) {
      const next = performance.now() + 1000 / PACE
      await turned(page, turn % 5 === 4 ? -400 : 400)
      await new Promise((done) => setTimeout(done, Math.max(0, next - performance.now())))
    }
  } finally {
    await others.stop()
  }
  return read()
}

/** The process of the page: the one that is busy while the page is. */
async function pidOf(browser: Browser, page: BarePage): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const used = async () => {
    const { processInfo } = await session.send<{ processInfo: { type: string; id: number; cpuTime: number }[] }>(
      'SystemInfo.getProcessInfo',
    )
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await used()
  await page.evaluate('void (() => { for (const end = performance.now() + 1000; performance.now() < end; ); })()')
  const after = [...(await used())].map(([id, seconds]) => ({ id, seconds: seconds - (before.get(id) ?? 0) }))
  return after.toSorted((one, other) => other.seconds - one.seconds)[0]!.id
}

async function memoryOf(page: BarePage, pid: number, after: string): Promise<Memory> {
  await page.evaluate(`new Promise((done) => setTimeout(done, ${PEACE}))`)
  await page.send('HeapProfiler.collectGarbage')
  await page.send('HeapProfiler.collectGarbage')
  const { usedSize } = await page.send<{ usedSize: number }>('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await page.send<{ nodes: number; jsEventListeners: number }>('Memory.getDOMCounters')
  const { detachedNodes } = await page.send<{ detachedNodes: { treeNode: Node }[] }>('DOM.getDetachedDomNodes')
  const detached = detachedNodes.reduce((sum, { treeNode }) => sum + countOf(treeNode), 0)
  return { after, heap: usedSize, own: ownOf(pid), nodes, detached, listeners: jsEventListeners }
}

interface Node {
  readonly children?: readonly Node[]
}
const countOf = ({ children = [] }: Node): number => children.reduce((sum, one) => sum + countOf(one), 1)

/** Bytes of memory that belong to a process and to no file, also those that were put out of the way. */
function ownOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
  return of('RssAnon') + of('VmSwap')
}

function shown(memory: readonly Memory[]): string {
  const mib = (bytes: number) => bytes / 2 ** 20
  return table(
    ['after', 'heap of scripts, MiB', 'own memory of the tab’s process, MiB', 'nodes', 'of them detached', 'listeners', 'budget'],
    memory.map(({ after, heap, own, nodes, detached, listeners }, at) => [
      after,
      mib(heap),
      mib(own),
      nodes,
      detached,
      listeners,
      at === 0 ? '' : verdict('≤ 150 MB', own <= 150e6),
    ]),
  )
}
