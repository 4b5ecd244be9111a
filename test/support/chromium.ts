import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import assert from 'node:assert/strict'
import type { BrowserContext, BrowserType, Locator, Page } from '../../web/node_modules/playwright-core/index.js'

/* A real browser for the tests of the web pages. Its packages are those of web/, which a command may install after it has loaded this file. */

const load = createRequire(fileURLToPath(new URL('../../web/package.json', import.meta.url)))

export type { Locator, Page }

interface Axe {
  options(options: { resultTypes: readonly string[] }): Axe
  setLegacyMode(): Axe
  analyze(): Promise<Found>
}

interface Found {
  readonly violations: readonly { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** A window with cookies of its own. */
export interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong within the page: errors of scripts, and what its policy has blocked. */
  readonly faults: readonly string[]
}

export interface Chromium {
  /** With `touch`: of a phone, which has no pointer. */
  open(options?: { locale?: string; width?: number; height?: number; serviceWorkers?: 'allow' | 'block'; touch?: boolean }): Promise<Window>
  close(): Promise<void>
}

/** `isWhole`: chromium, which has windows that take the focus from each other, and a viewer of PDFs, and not chromium-headless-shell. */
export async function startChromium({ isWhole = false } = {}): Promise<Chromium> {
  const executablePath = (isWhole && process.env['KARTOTEKA_TEST_WHOLE_CHROMIUM']) || process.env['KARTOTEKA_TEST_CHROMIUM']
  assert.ok(executablePath, 'npm test names the browser in KARTOTEKA_TEST_CHROMIUM')
  const { chromium } = load('playwright-core') as { chromium: BrowserType }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] // prettier-ignore
  const browser = await chromium.launch({ executablePath, args, timeout: 120_000 })
  return {
    // What a service worker asks for is seen by no test that looks at requests.
    async open({ locale = 'en-GB', width = 1440, height = 900, serviceWorkers = 'block', touch = false } = {}) {
      // Nothing moves: each frame of what does takes processor time, of which tests have little.
      const context = await browser.newContext({
        locale,
        serviceWorkers,
        viewport: { width, height },
        hasTouch: touch,
        reducedMotion: 'reduce',
      })
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

/**
 * Refuses a page in which axe finds something serious. No page has frames of others, so axe needs no second page to join what it found
 * in each (the legacy mode), and only what it found wrong is told in full.
 */
export async function mustBeAccessible(page: Page, what: string): Promise<void> {
  const { AxeBuilder } = load('@axe-core/playwright') as { AxeBuilder: new (of: { page: Page }) => Axe }
  const look = async (): Promise<string[]> => {
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      .analyze()
    const found = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    return found.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }
  let found = await look()
  for (let again = 0; found.length > 0 && again < 3; again++) {
    // A list that changes just now names an item for a moment that is gone: what stays is a fault.
    await page.waitForTimeout(1_000)
    found = await look()
  }
  assert.deepEqual(found, [])
}
