import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The grid on bad networks: what is done in it waits, survives a reload, and is done once. */

describe('the grid without a connection', () => {
  let scene: PagesScene
  let table: string
  const f: Record<string, string> = {}
  const ids: string[] = []

  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: 'Companies' })
    for (const name of ['Name', 'City', 'Notes']) f[name] = `f${await scene.make('field', { table_id: Number(table), field_name: name, field_type: 'text', max_length: 40 })}` // prettier-ignore
    for (let i = 1; i <= 12; i++) ids.push(await scene.make(`data${table}`, { [f['Name']!]: `Company ${i}`, [f['City']!]: 'Oslo' }))
  })
  after(() => scene?.close())

  const get = async (path: string) => (await scene.server.call(scene.token, 'GET', path)).body
  const value = async (row: number, name: string) => (await get(`data${table}/${ids[row - 1]}`)).data.attributes[f[name]!] as string
  /** What was changed, the oldest first. */
  const changes = async (row: number) =>
    (await get(`data${table}/${ids[row - 1]}/history`)).data
      .filter((one: { attributes: { action: string } }) => one.attributes.action === 'update')
      .map((one: { attributes: { changes: Record<string, { to: unknown }> } }) => Object.values(one.attributes.changes).map(({ to }) => to).join()) as string[] // prettier-ignore
  const holds = (row: number, name: string, expected: string) =>
    until(`${name} of ${row} to be ${expected}`, async () => (await value(row, name)) === expected)
  const columns = ['Name', 'City', 'Notes']
  const cell = (page: Page, row: number, name: string) =>
    page.locator(`[data-row='${row - 1}'] [aria-colindex='${columns.indexOf(name) + 2}']`)
  async function put(page: Page, row: number, name: string, text: string): Promise<void> {
    await cell(page, row, name).click({ position: { x: 140, y: 10 } })
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  async function paste(page: Page, row: number, name: string, text: string): Promise<void> {
    await cell(page, row, name).click({ position: { x: 140, y: 10 } })
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await page.keyboard.press('Control+v')
  }
  const waits = (page: Page, row: number, name: string) => cell(page, row, name).getByText('Waits for the connection').waitFor()
  const saved = (page: Page) => until('nothing to be kept', async () => (await kept(page)).length === 0)
  const kept = (page: Page) => page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('kartoteka.kept'))")
  async function open() {
    const opened = await scene.open()
    opened.page.setDefaultTimeout(15_000)
    opened.page.on('dialog', (dialog) => void dialog.accept())
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await scene.signIn(opened.page, `/t/${table}`)
    await opened.page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    return opened
  }

  it('keeps edits and pastes in their cells, over a reload, and each is one change; undo takes them back', async () => {
    const { page, context, faults } = await open()
    await context.setOffline(true)
    await page.getByText('The service does not answer. What you change is kept').waitFor()
    await put(page, 1, 'City', 'Bergen')
    await put(page, 1, 'Notes', 'north')
    await put(page, 2, 'City', 'Turku')
    await put(page, 2, 'City', 'Vaasa')
    await paste(page, 3, 'City', 'Riga\nTartu\n')
    await paste(page, 3, 'Notes', 'a\nb\n')
    await put(page, 4, 'Notes', 'c')
    for (const [row, name] of [[1, 'City'], [1, 'Notes'], [2, 'City'], [3, 'City'], [4, 'City'], [4, 'Notes']] as const) await waits(page, row, name) // prettier-ignore
    await page.locator('.foot').getByText('7 values wait for the connection').waitFor()
    await mustBeAccessible(page, 'the grid without a connection')
    assert.equal(await value(1, 'City'), 'Oslo')
    // While a page is left, setOffline lets some of its requests through.
    const start = await scene.kill()
    await page.reload().catch(() => undefined)
    await until('the page of the browser', () => page.url().startsWith('chrome-error:'))
    await context.setOffline(false)
    await start()
    await page.goto(scene.address(`/t/${table}`))
    await saved(page)
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map(changes)), [['Bergen', 'north'], ['Vaasa'], ['Riga', 'a'], ['Tartu', 'b', 'c']])
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    await cell(page, 4, 'City').getByText('Tartu').waitFor()
    await cell(page, 1, 'City').click({ position: { x: 140, y: 10 } })
    for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z')
    await until('all of it to be taken back', async () => (await Promise.all([1, 2, 3, 4].map((row) => value(row, 'City')))).join() === 'Oslo,Oslo,Oslo,Oslo') // prettier-ignore
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('takes back what waits without asking the service, and sends the rest', async () => {
    const { page, context } = await open()
    await context.setOffline(true)
    await page.getByText('The service does not answer').waitFor()
    await put(page, 5, 'City', 'wrong')
    await waits(page, 5, 'City')
    await page.keyboard.press('Control+z')
    await cell(page, 5, 'City').getByText('Oslo').waitFor()
    await put(page, 5, 'Notes', 'right')
    await context.setOffline(false)
    await holds(5, 'Notes', 'right')
    assert.deepEqual(await changes(5), ['right'])
    await context.close()
  })

  it('does once what the service had done before it was killed, and what it had not', async () => {
    const { page, context } = await open()
    let reached = 0
    let start: (() => Promise<void>) | undefined
    await page.route(`**/api/dev/data${table}`, async (route) => {
      if (route.request().method() !== 'PATCH' || reached++ > 0) return route.continue()
      // All of it is done, and nobody hears of it.
      await route.fetch()
      start = await scene.kill()
      return route.abort()
    })
    await paste(page, 6, 'City', 'Kiel\nBonn\n')
    await waits(page, 6, 'City')
    await paste(page, 7, 'Notes', 'x\ny\n')
    await waits(page, 7, 'Notes')
    await start!()
    await saved(page)
    assert.deepEqual(await Promise.all([6, 7, 8].map(changes)), [['Kiel'], ['Bonn', 'x'], ['y']])
    await context.close()
  })

  it('makes new records once, and moves to the trash once, though the answers were lost', async () => {
    const { page, context } = await open()
    const total = (await get(`data${table}`)).meta.total as number
    let lost = 0
    await page.route('**/api/dev/operations', async (route) => {
      if (lost++ % 2 > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await paste(page, 12, 'Name', 'Company 12\nNew one\nNew two\n')
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await page.getByRole('link', { name: 'New two' }).waitFor()
    await saved(page)
    assert.equal((await get(`data${table}`)).meta.total, total + 2)
    await cell(page, 13, 'City').click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+Backspace')
    await page.getByText('goes to the trash').first().waitFor()
    await page.getByRole('link', { name: 'New two' }).waitFor({ state: 'detached' })
    assert.equal((await get(`data${table}`)).meta.total, total)
    assert.equal((await get('trash')).meta.total, 2)
    assert.ok(lost >= 4)
    await context.close()
  })

  it('shows both values of a cell of a paste that others have changed meanwhile, and writes the rest', async () => {
    const { page, context } = await open()
    await context.setOffline(true)
    await page.getByText('The service does not answer').waitFor()
    await paste(page, 9, 'City', 'Pisa\nSiena\n')
    await waits(page, 10, 'City')
    const attributes = { [f['City']!]: 'Lucca' }
    await scene.server.call(scene.token, 'PATCH', `data${table}/${ids[9]}`, { data: { type: `data${table}`, id: ids[9], attributes } })
    await context.setOffline(false)
    await holds(9, 'City', 'Pisa')
    await page.getByRole('alert').getByText('Lucca').waitFor()
    assert.equal(await value(10, 'City'), 'Lucca')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await holds(10, 'City', 'Siena')
    await saved(page)
    await context.close()
  })

  it('lists what was refused when its page is not shown any more, to be tried again or discarded', async () => {
    const { page, context, faults } = await open()
    await page.route('**/api/**', (route) => route.abort())
    await put(page, 11, 'City', 'a city with a name')
    await paste(page, 11, 'Notes', 'some notes too long\nmore\n')
    await waits(page, 12, 'Notes')
    await page.getByRole('link', { name: 'Company 3', exact: true }).click()
    await page.getByRole('link', { name: 'Open as a page' }).click()
    await page.getByRole('grid').waitFor({ state: 'detached' })
    const limit = (name: string, max_length: number) => scene.server.call(scene.token, 'PATCH', `field/${f[name]!.slice(1)}`, { data: { type: 'field', id: f[name]!.slice(1), attributes: { max_length } } }) // prettier-ignore
    assert.equal((await limit('City', 10)).status, 200)
    assert.equal((await limit('Notes', 10)).status, 200)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByText('2 changes were not saved.').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const list = page.getByRole('dialog')
    await list.getByText('City: a city with a name').waitFor()
    await list.getByText('2 records changed').waitFor()
    await mustBeAccessible(page, 'what was not saved')
    await list.getByRole('button', { name: 'Discard' }).first().click()
    await list.getByText('City: a city with a name').waitFor({ state: 'detached' })
    await limit('Notes', 40)
    await list.getByRole('button', { name: 'Try again' }).click()
    await list.getByText('Everything is decided.').waitFor()
    await holds(12, 'Notes', 'more')
    await saved(page)
    assert.deepEqual([await value(11, 'City'), await changes(11)], ['Oslo', ['some notes too long']])
    assert.deepEqual(faults, [])
    await context.close()
  })
})
