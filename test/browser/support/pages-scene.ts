import assert from 'node:assert/strict'
import { startChromium, type Chromium, type Locator, type Page, type Window } from '../../support/chromium.ts'
import { scratchProgram, type Server } from '../../support/scratch-program.ts'
import { tellOf } from './shown.ts'

/** A value or name that shows whether a page takes text for something else. */
export const HOSTILE = `<img src=x onerror="document.title='run'">&amp;"' {count, plural, one {#}} ${'long'.repeat(50)}`.slice(0, 255)

export const password = 'correct horse battery'

export interface PagesScene {
  readonly server: Server
  /** Of the administrator. */
  readonly token: string
  /** Makes a resource through the interface, and tells its id. */
  make(type: string, attributes: object): Promise<string>
  /** Adds records from a CSV file whose header names fields; much faster than a request each. */
  fill(tableName: string, csv: string): Promise<void>
  /** Of a path. */
  address(path: string): string
  open(options?: Parameters<Chromium['open']>[0]): Promise<Window>
  /** A window of the whole Chromium (`startChromium`). */
  openWhole(): Promise<Window>
  /** Signs in without the form, as the administrator unless told, and goes to a page. */
  signIn(page: Page, path?: string, login?: string, its?: string): Promise<void>
  /** Kills the service at once. What it returns starts it again at the same address. */
  kill(): Promise<(env?: Readonly<Record<string, string>>) => Promise<void>>
  close(): Promise<void>
}

/** The real program with its pages and a real browser. One for each file of tests: `before(async () => (scene = await pagesScene()))`. */
export async function pagesScene(environment: Readonly<Record<string, string>> = {}): Promise<PagesScene> {
  const program = scratchProgram({ KARTOTEKA_PAGES: 'yes', ...environment })
  let server = await program.serve()
  const token = await program.token()
  await program.ok('user', 'passwd', 'admin', '--password', password)
  const browsers = [await startChromium()]
  const address = (path: string) => `${server.url}${path}`
  return {
    get server() {
      return server
    },
    token,
    address,
    async make(type, attributes) {
      const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.id as string
    },
    async fill(tableName, csv) {
      await program.ok('import', tableName, program.file('fill.csv', csv))
    },
    open: (options = {}) => opened(browsers[0]!, options),
    async openWhole() {
      browsers[1] ??= await startChromium({ isWhole: true })
      return opened(browsers[1], {})
    },
    async signIn(page, path = '/', login = 'admin', its = password) {
      // What the pages send (web/api/session.ts).
      const data = { data: { type: 'session', attributes: { login, password: its, name: 'Chrome, Linux' } } }
      const headers = { 'Content-Type': 'application/vnd.api+json', 'X-Requested-With': 'kartoteka', 'Sec-Fetch-Site': 'same-origin' }
      const answer = await page.request.post(address('/api/dev/session'), { data, headers })
      assert.equal(answer.status(), 201, await answer.text())
      await page.goto(address(path))
      await page.locator('.app').waitFor()
    },
    async kill() {
      server.child.kill('SIGKILL')
      await server.finished
      return async (env = {}) => void (server = await program.serve({ env }, '--port', new URL(server.url).port))
    },
    async close() {
      await Promise.all(browsers.map((one) => one.close()))
      await program.remove()
    },
  }
}

/** By the form of the sign-in, which the page shows. */
export async function signInByForm(page: Page, login = 'admin', its = password): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(login)
  await page.locator('input[autocomplete=current-password]').fill(its)
  await page.keyboard.press('Enter')
}

async function opened(browser: Chromium, options: Parameters<Chromium['open']>[0]): Promise<Window> {
  const window = await browser.open(options)
  tellOf(window.page)
  window.context.on('page', tellOf)
  return window
}

/** Goes to a page, and waits until it is told of changes: what others have changed before is not told. */
export async function following(page: Page, go: () => Promise<unknown>): Promise<void> {
  const begun = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/dev/events')
  await go()
  await begun
}

/** Presses a button that tries again, unless the page has done so by itself just now, and waits for what comes of it. */
export async function tryAgain(button: Locator, done: Promise<unknown>): Promise<void> {
  await Promise.race([button.click(), done])
  await done
}

/** Makes fields of a table, whose attributes are then in `f` by their names. */
export const fieldsOf =
  (scene: PagesScene, table: string, f: Record<string, string>) =>
  async (field_name: string, field_type: string, more: object = {}): Promise<void> => {
    f[field_name] = `f${await scene.make('field', { table_id: Number(table), field_name, field_type, ...more })}`
  }
