/** The browser of the questions about the web pages, and Kartoteka with its pages. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureChromium, ensureWeb, root } from '../../scripts/setup.mjs'
import type { Bench } from '../bench.ts'
import { command, startOurs, stop, type Ours } from '../servers.ts'

/** What is used of playwright-core, whose types are installed with the pages alone. */
export interface Page {
  goto(address: string): Promise<unknown>
  setContent(html: string): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  locator(selector: string): { fill(text: string): Promise<void>; click(): Promise<void>; waitFor(): Promise<void> }
  keyboard: { press(keys: string): Promise<void>; type(text: string): Promise<void> }
  mouse: { move(x: number, y: number): Promise<void>; wheel(x: number, y: number): Promise<void> }
  context(): Context
  close(): Promise<void>
}
interface Context {
  newPage(): Promise<Page>
  newCDPSession(page: Page): Promise<Session>
  close(): Promise<void>
}
/** Of the protocol of Chromium's tools. */
export interface Session {
  send<T>(method: string, parameters?: object): Promise<T>
  on(event: 'Target.receivedMessageFromTarget', listener: (what: { message: string }) => void): unknown
}
export interface Browser {
  newContext(options: object): Promise<Context>
  newBrowserCDPSession(): Promise<Session>
  close(): Promise<void>
}

export const PASSWORD = 'correct horse battery'
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
export const VIEWPORT = { width: 1440, height: 900 }

/** The first record of the list is here. */
export const FIRST = ".grid-rows [data-row='0'] .name-link"

/** Runs the work with a browser and Kartoteka over so many records. The work may end Kartoteka before. */
export async function withPages<T>(bench: Bench, work: (browser: Browser, ours: Ours) => Promise<T>): Promise<T> {
  ensureWeb({ development: true })
  const require = createRequire(join(root, 'web', 'package.json'))
  const { chromium } = require('playwright-core') as { chromium: { launch(options: object): Promise<Browser> } }
  return bench.withData(bench.rows, async ({ data, token }) => {
    await command(data, 'user', 'passwd', 'admin', '--password', PASSWORD)
    const ours = await startOurs(data, token, { KARTOTEKA_PAGES: 'yes' })
    const browser = await chromium.launch({ executablePath: ensureChromium(), args: ARGS })
    try {
      await built(ours)
      return await work(browser, ours)
    } finally {
      await browser.close()
      await stop(ours)
    }
  })
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

export const addressOf = ({ port }: Ours): string => `http://127.0.0.1:${port}`

/** A new page of a person who has signed in and sees the table. */
export async function signedIn(browser: Browser, ours: Ours): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${addressOf(ours)}/t/1`)
  await page.locator('input[autocomplete=username]').fill('admin')
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.locator(FIRST).waitFor()
  return page
}

/** Waits for a condition, frame by frame. The policy of the page allows no script that is text, so the browser is asked. */
export const comes = (page: Page, condition: string): Promise<unknown> =>
  page.evaluate(
    `new Promise((done, fail) => (setTimeout(() => fail(new Error(${JSON.stringify(`It never came: ${condition}`)})), 60_000), function look() { ${condition} ? done() : requestAnimationFrame(look) })())`,
  )
