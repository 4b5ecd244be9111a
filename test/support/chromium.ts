import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import assert from 'node:assert/strict'

/* A real browser for the tests of the web pages. Its packages are those of web/, which the test command installs. */

const load = createRequire(fileURLToPath(new URL('../../web/package.json', import.meta.url)))
const { chromium } = load('playwright-core') as { chromium: { launch(options: object): Promise<Browser> } }
const { AxeBuilder } = load('@axe-core/playwright') as { AxeBuilder: new (of: { page: Page }) => { analyze(): Promise<Found> } }

interface Found {
  readonly violations: readonly { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** What is used of Playwright, whose types are those of web/. */
interface Browser {
  newContext(options: object): Promise<Context>
  close(): Promise<void>
}
interface Context {
  newPage(): Promise<Page>
  clearCookies(): Promise<void>
  cookies(): Promise<readonly { name: string; httpOnly: boolean; sameSite: string }[]>
  close(): Promise<void>
}
export interface Locator {
  click(): Promise<void>
  fill(text: string): Promise<void>
  check(): Promise<void>
  waitFor(how?: { state?: 'visible' | 'hidden' | 'attached' }): Promise<void>
  first(): Locator
  nth(index: number): Locator
  count(): Promise<number>
  innerText(): Promise<string>
  allInnerTexts(): Promise<string[]>
  getAttribute(name: string): Promise<string | null>
  inputValue(): Promise<string>
}
export interface Page {
  readonly keyboard: { press(keys: string): Promise<void>; type(text: string): Promise<void> }
  goto(url: string): Promise<{ headers(): Record<string, string> } | null>
  reload(): Promise<unknown>
  goBack(): Promise<unknown>
  url(): string
  title(): Promise<string>
  locator(selector: string): Locator
  getByRole(role: string, how?: { name?: string | RegExp; exact?: boolean }): Locator
  getByLabel(text: string, how?: { exact?: boolean }): Locator
  getByText(text: string | RegExp, how?: { exact?: boolean }): Locator
  waitForURL(url: RegExp): Promise<void>
  evaluate<Result>(script: string): Promise<Result>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  emulateMedia(media: { colorScheme?: 'light' | 'dark' }): Promise<void>
  route(url: string, handler: (route: { abort(): Promise<void> }) => Promise<void>): Promise<void>
  unroute(url: string): Promise<void>
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void
  on(event: 'pageerror', listener: (error: Error) => void): void
}

/** A window with cookies of its own. */
export interface Window {
  readonly page: Page
  readonly context: Context
  /** What went wrong within the page: errors of scripts, and what its policy has blocked. */
  readonly faults: readonly string[]
}

export interface Chromium {
  open(options?: { locale?: string; width?: number; height?: number }): Promise<Window>
  close(): Promise<void>
}

export async function startChromium(): Promise<Chromium> {
  const executablePath = process.env['KARTOTEKA_TEST_CHROMIUM']
  assert.ok(executablePath, 'npm test names the browser in KARTOTEKA_TEST_CHROMIUM')
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] // prettier-ignore
  const browser = await chromium.launch({ executablePath, args, timeout: 120_000 })
  return {
    async open({ locale = 'en-GB', width = 1440, height = 900 } = {}) {
      const context = await browser.newContext({ locale, viewport: { width, height } })
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => void faults.push(error.message))
      page.on('console', (message) => {
        // The browser tells of each refused request; what the page says then is what tests look at.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
      })
      return { page, context, faults }
    },
    close: () => browser.close(),
  }
}

/** Refuses a page in which axe finds something serious. */
export async function mustBeAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    found.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
    [],
  )
}
