/**
 * The acts of the question `pages` on the pages of NocoDB. Its grid is a canvas, so rows count as shown two frames after the answer
 * with them has come. What an answer holds is checked: an act that did not happen fails.
 */
import { ADMIN, type Noco } from './nocodb.ts'

interface Response {
  url(): string
  finished(): Promise<unknown>
  json(): Promise<{ list: Record<string, unknown>[] } & Record<string, unknown>>
  request(): { method(): string }
}
interface Locator {
  first(): Locator
  last(): Locator
  fill(text: string): Promise<void>
  click(): Promise<void>
  waitFor(): Promise<void>
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>
}
/** What is used of playwright-core here. */
interface Page {
  goto(address: string): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  locator(selector: string): Locator
  waitForResponse(which: (response: Response) => boolean): Promise<Response>
  screenshot(options: { path: string }): Promise<unknown>
  keyboard: { press(keys: string): Promise<void>; type(text: string): Promise<void> }
  mouse: {
    move(x: number, y: number): Promise<void>
    wheel(x: number, y: number): Promise<void>
    click(x: number, y: number): Promise<void>
    dblclick(x: number, y: number): Promise<void>
  }
}
interface Browser {
  newContext(options: object): Promise<{ newPage(): Promise<unknown>; close(): Promise<void> }>
}

/** Milliseconds of each round. */
export interface NocoTimes {
  readonly open: readonly number[]
  readonly middle: readonly number[]
  readonly search: readonly number[]
  readonly byList: readonly number[]
  readonly edits: readonly number[]
}

/** Pixels of the grid: a row, and where the first row begins within the canvas. */
const ROW = 32
const HEAD = 32
/** How many records the grid asks for at once. */
const CHUNK = 100
/** NocoDB asks for counts and comments after an act, and searches again half a second after a key: none of it may reach the next act. */
const CALM = 2000

const calm = (): Promise<void> => new Promise((next) => setTimeout(next, CALM))

/** Measures each act so many times; with a folder of pictures, leaves one after each. */
export async function nocoTimes(
  browser: Browser,
  noco: Noco,
  { rows, rounds, searches, options }: { rows: number; rounds: number; searches: readonly string[]; options: readonly string[] },
  pictures?: string,
): Promise<NocoTimes> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  const page = (await context.newPage()) as Page
  const records = (is: (address: URL) => boolean) => (response: Response) => {
    const address = new URL(response.url())
    return /\/views\/[^/]+$/.test(address.pathname) && response.request().method() === 'GET' && is(address)
  }
  const first = (address: URL) => address.searchParams.get('offset') === '0'
  /** From the act until two frames after its answer; then checks the answer. */
  const took = async (
    which: (response: Response) => boolean,
    act: () => Promise<unknown>,
    isRight: (answer: Awaited<ReturnType<Response['json']>>) => boolean,
  ): Promise<number> => {
    const comes = page.waitForResponse(which)
    const began = performance.now()
    const [response] = await Promise.all([comes, act()])
    await response.finished()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const ms = performance.now() - began
    if (!isRight(await response.json())) throw new Error(`NocoDB answered something else: ${response.url()}`)
    await calm()
    return ms
  }
  const times = async (name: string, work: (round: number) => Promise<number>): Promise<number[]> => {
    const all: number[] = []
    for (let round = 0; round < rounds; round++) all.push(await work(round))
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/nocodb-${name}.png` })
    return all
  }
  const fresh = async () => {
    // The address differs behind its # alone, so that another page has to come between.
    await page.goto('about:blank')
    return took(
      records(first),
      () => page.goto(noco.at + noco.table),
      ({ list }) => list.length === Math.min(CHUNK, rows),
    )
  }

  await page.goto(`${noco.at}/dashboard/#/signin`)
  await page.locator('input[type=email], [data-testid=nc-form-signin__email]').first().fill(ADMIN.email)
  await page.locator('input[type=password]').first().fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.locator('[data-testid=nc-onboarding-flow-skip-button]').click()
  await calm()
  await fresh()

  const open = await times('open', fresh)
  const middle = await times('middle', async (round) => {
    await page.mouse.move(800, 500)
    await page.mouse.wheel(0, -rows * ROW)
    await calm()
    const row = Math.floor((0.4 + round / 50) * rows)
    const isNear = (place: number) => Math.abs(place - row) <= rows / 100
    return took(
      records((address) => isNear(Number(address.searchParams.get('offset')))),
      () => page.mouse.wheel(0, row * ROW),
      ({ list }) => isNear(Number(list[0]?.['Id'])),
    )
  })
  await fresh()
  const canvas = (await page.locator('[data-testid=nc-grid-wrapper] canvas').first().boundingBox())!
  const edits = await times('edit', async (round) => {
    // The second column, whose name is email: right of the text, which is a link.
    for (let attempt = 0; attempt < 5; attempt++) {
      await page.mouse.dblclick(canvas.x + 473, canvas.y + HEAD + ROW * (round + 1.5))
      await calm()
      // The editor comes late the first time; letters typed before it has the focus are lost.
      if (await page.evaluate<boolean>("document.activeElement?.tagName === 'INPUT'")) break
    }
    await page.keyboard.press('Control+a')
    const email = `edited@${round}.example`
    await page.keyboard.type(email)
    return took(
      (response) => response.request().method() === 'PATCH',
      () => page.keyboard.press('Enter'),
      (answer) => answer['email'] === email,
    )
  })
  await fresh()
  await page.locator('[data-testid=nc-global-search-show-input]').click()
  const box = page.locator('[data-testid=search-data-input]')
  await box.waitFor()
  const search = await times('search', async (round) => {
    const text = searches[round % searches.length]!
    await box.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    return took(
      records((address) => first(address) && (address.searchParams.get('where') ?? '').includes(text)),
      () => page.keyboard.press('Enter'),
      ({ list }) => list.length > 0 && list.every((one) => String(one['name']).toLowerCase().includes(text)),
    )
  })
  await fresh()
  await page.locator('.nc-filter-menu-btn').first().click()
  await calm()
  await page.locator('[data-testid=add-filter]').click()
  await page.locator('.nc-filter-field-select').first().click()
  await calm()
  await page.keyboard.type('status')
  await calm()
  await page.keyboard.press('Enter')
  await calm()
  const byList = await times('filter', async (round) => {
    const option = options[round % options.length]!
    await page.locator('.nc-filter-value-select').first().click()
    await calm()
    const { x, y, width, height } = (await page
      .locator(`.nc-dropdown-single-select-cell .ant-select-item-option:has-text("${option}")`)
      .last()
      .boundingBox())!
    return took(
      records(first),
      () => page.mouse.click(x + width / 2, y + height / 2),
      ({ list }) => list.length > 0 && list.every((one) => one['status'] === option),
    )
  })
  await context.close()
  return { open, middle, search, byList, edits }
}
