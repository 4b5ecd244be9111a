import { afterEach, type TestContext } from 'node:test'
import type { Page } from '../../support/chromium.ts'

/*
 * Where a test fails, what its windows showed is told with it: a fault that comes once in many runs, on a machine that nobody can look at, leaves
 * nothing else (scripts/failures-reporter.mjs).
 */

/** Windows that are told, the newest first. */
const MOST_WINDOWS = 2
/** Lines of each. */
const MOST_LINES = 40
/** Milliseconds that a page has to say what it shows. */
const PATIENCE = 5_000

const pages: Page[] = []

/** What this page shows is told where a test fails, as long as it is open. */
export function tellOf(page: Page): void {
  pages.push(page)
  page.on('close', () => void pages.splice(pages.indexOf(page), 1))
}

/** Address, focus, what is kept in the browser, messages, and the tree that a screen reader is given. */
async function shownOn(page: Page): Promise<string> {
  if (page.url() === 'about:blank') return 'Page at about:blank'
  const state = page.evaluate<string>(`
    const focused = document.activeElement
    const kept = Object.keys(localStorage).filter((key) => key.startsWith('kartoteka.kept'))
    const messages = [...document.querySelectorAll('.toasts > *')].map((one) => one.innerText.replaceAll('\\n', ' '))
    'focus: ' + (focused?.cloneNode().outerHTML ?? 'none') + '; kept: ' + kept.join(', ') + '; messages: ' + messages.join(' | ')
  `)
  // What has come last is told first: dialogs, what stands beside a list, the page.
  const parts = await page.locator('[role=dialog], aside, #work, body:not(:has(#work))').all()
  const trees = parts.toReversed().map((one) => one.ariaSnapshot({ timeout: PATIENCE }))
  const told = (await Promise.all([state, ...trees])).join('\n').split('\n')
  const lines = told.filter((line) => !line.includes('- /url: ')).slice(0, MOST_LINES)
  return [`Page at ${page.url()}`, ...lines].join('\n')
}

const later = (text: string) => new Promise<string>((resolve) => setTimeout(resolve, 2 * PATIENCE, text).unref())

/** `passed`: of Node 24, which the types of Node 20 have not. */
async function tell(context: TestContext & { readonly passed?: boolean }): Promise<void> {
  if (context.passed !== false) return
  for (const page of pages.slice(-MOST_WINDOWS).toReversed())
    context.diagnostic(
      await Promise.race([shownOn(page), later(`Page at ${page.url()} says nothing.`)]).catch(
        (error: unknown) => `Page at ${page.url()}: ${String(error)}`,
      ),
    )
}

// The pictures of the pages are made with the same windows, by no test.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) afterEach((context) => tell(context as TestContext))
