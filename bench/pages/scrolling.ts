/** Wheels through the grid, and through a page of plain elements as the floor: what this browser needs on this machine for any page. */
import { timesOf } from '../times.ts'
import { VIEWPORT, type Browser, type Page } from './browser.ts'

export interface Scrolled {
  /** Milliseconds between frames. */
  readonly frames: readonly number[]
  /** Turns of the wheel, 400 pixels each. */
  readonly turns: number
  /** The longest time in milliseconds for which rows in sight had no values. */
  readonly blank: number
  /** Milliseconds of processor time of the page's main thread: all, and what of that scripts, styles and layout took. */
  readonly cpu: Readonly<Record<'all' | 'script' | 'style' | 'layout', number>>
}

const TURN = 400
/** Pixels of a row, and how many the floor has: more than are passed in a stretch of ten seconds. */
const ROW = 33
const ROWS = 4000

/** A page with the box of the grid and rows of as many plain cells, all of them there from the beginning. */
export async function floorPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage()
  const cell = (row: number, col: number) => `<div>value ${row * 9 + col}</div>`
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `<div class=r>${Array.from({ length: 9 }, (_, col) => cell(row, col)).join('')}</div>`,
  )
  await page.setContent(`<!doctype html><style>
    body { margin: 0; font: 13px sans-serif }
    #box { position: absolute; inset: 100px 0 36px 216px; overflow: auto }
    .r { display: grid; grid-template-columns: 68px repeat(7, 150px) 1fr; height: ${ROW}px }
    .r > div { overflow: clip; white-space: nowrap; border: solid #eee; border-width: 0 1px 1px 0 }
  </style><div id=box>${rows.join('')}</div>`)
  return page
}

/** Turns the wheel as fast as the page takes it for so many seconds; `box`: what is scrolled. Begins at the top. */
export async function scroll(page: Page, box: string, seconds: number): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.evaluate(`void (document.querySelector('${box}').scrollTop = 0)`)
  await page.evaluate('new Promise((done) => setTimeout(done, 1000))')
  await page.mouse.move(700, 500)
  await page.evaluate(`void (window.stopped_ = false, window.frames_ = [], window.blank_ = 0, (function watch(last, since) {
    requestAnimationFrame((now) => {
      frames_.push(now - last)
      const bones = document.querySelectorAll('.bone')
      const box = bones.length > 0 && document.querySelector('${box}').getBoundingClientRect()
      const isBlank = [...bones].some((one) => { const r = one.getBoundingClientRect(); return r.bottom > box.top + 33 && r.top < box.bottom })
      if (isBlank) blank_ = Math.max(blank_, now - (since ?? now))
      if (!window.stopped_) watch(now, isBlank ? (since ?? now) : undefined)
    })
  })(performance.now(), undefined))`)
  const before = await cpuOf(session)
  const until = performance.now() + seconds * 1000
  let turns = 0
  for (; performance.now() < until; turns++) await page.mouse.wheel(0, TURN)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const after = await cpuOf(session)
  const { frames, blank } = await page.evaluate<{ frames: number[]; blank: number }>(
    '(window.stopped_ = true, { frames: frames_.slice(2), blank: blank_ })',
  )
  const cpu = (name: keyof Scrolled['cpu']) => after[name] - before[name]
  return { frames, turns, blank, cpu: { all: cpu('all'), script: cpu('script'), style: cpu('style'), layout: cpu('layout') } }
}

async function cpuOf(session: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>): Promise<Scrolled['cpu']> {
  const { metrics } = await session.send<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics')
  const of = (name: string) => (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1000
  return { all: of('TaskDuration'), script: of('ScriptDuration'), style: of('RecalcStyleDuration'), layout: of('LayoutDuration') }
}

/** Several stretches as one. */
export function together(stretches: readonly Scrolled[]): Scrolled & { readonly p95: number; readonly each: Scrolled['cpu'] } {
  const sum = (of: (one: Scrolled) => number) => stretches.reduce((total, one) => total + of(one), 0)
  const turns = sum((one) => one.turns)
  const cpu = (name: keyof Scrolled['cpu']) => sum((one) => one.cpu[name])
  const all = { all: cpu('all'), script: cpu('script'), style: cpu('style'), layout: cpu('layout') }
  const frames = stretches.flatMap((one) => one.frames)
  return {
    frames,
    turns,
    blank: Math.max(...stretches.map((one) => one.blank)),
    cpu: all,
    p95: timesOf(frames).p95,
    each: { all: all.all / turns, script: all.script / turns, style: all.style / turns, layout: all.layout / turns },
  }
}
