import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { fieldsOf, following, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Cards, board, calendar and chart while others change the table. */

describe('views while others work', () => {
  let scene: PagesScene
  let deals: string
  let view: (kind: string, more?: object) => Promise<string>
  const f: Record<string, string> = {}
  const month = new Date().toISOString().slice(0, 7)
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }] })
    await field('Amount', 'decimal', { scale: 2 })
    await field('Closes', 'date')
    for (let i = 1; i <= 4; i++) await add(`Deal ${i}`, 'New', `${i * 100}`, 10 + i)
    view = (kind, more = {}) => scene.make('view', { table_id: Number(deals), view_name: kind, kind, user_id: 0, ...more })
  })
  after(() => scene?.close())

  const add = (title: string, stage: string, amount: string, day: number) =>
    scene.make(`data${deals}`, { [f['Title']!]: title, [f['Stage']!]: stage, [f['Amount']!]: amount, [f['Closes']!]: `${month}-${day}` })
  /** By somebody else: not through the page. */
  const other = async (method: 'PATCH' | 'DELETE', id: number, attributes: Record<string, string> = {}) => {
    const named = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [f[name]!, value]))
    const body = method === 'PATCH' ? { data: { type: `data${deals}`, id: String(id), attributes: named } } : undefined
    const { status } = await scene.server.call(scene.token, method, `data${deals}/${id}`, body)
    assert.ok(status < 300, `${method} answered ${status}`)
  }
  const opened = async (path: string, ready: (page: Page) => Promise<void>) => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    await following(window.page, () => scene.signIn(window.page, path))
    await ready(window.page)
    return window
  }
  const fresh = (page: Page) => page.getByRole('button', { name: 'The list has changed: show it' })

  it('cards take values at once, and keep what left the filter in grey until they are read again', async () => {
    const { page, context, faults } = await opened(
      `/t/${deals}?kind=cards&filter=lt(${f['Amount']},250)`,
      async (page) => void (await page.getByText('1–2 of 2 records').waitFor()),
    )
    const card = (name: string) => page.locator('.card', { hasText: name })
    await other('PATCH', 1, { Title: 'Deal 1, renamed' })
    await card('Deal 1, renamed').waitFor()
    await other('PATCH', 2, { Amount: '900' })
    await card('Deal 2').locator('.tag', { hasText: 'left the filter' }).waitFor()
    await page.getByText('of 1 record').waitFor()
    await mustBeAccessible(page, 'cards with one that left')
    await page.setViewportSize({ width: 390, height: 844 })
    await fresh(page).waitFor()
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, 'on a phone too')
    await page.setViewportSize({ width: 1280, height: 800 })
    await fresh(page).click()
    await card('Deal 2').waitFor({ state: 'detached' })
    assert.equal(await fresh(page).count(), 0)
    await other('PATCH', 2, { Amount: '200' })
    await fresh(page).click()
    await card('Deal 2').waitFor()
    await other('PATCH', 1, { Title: 'Deal 1' })
    await card('Deal 1').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a board has live heads, and cards that went to another lane stay in grey', async () => {
    const id = await view('board')
    const { page, context, faults } = await opened(`/t/${deals}?view=${id}`, (page) => page.locator('.card').nth(3).waitFor())
    const lane = (name: string) => page.getByRole('region', { name, exact: true })
    await other('PATCH', 3, { Stage: 'Won' })
    await lane('New').locator('.card.gone', { hasText: 'Deal 3' }).getByText('now: Won').waitFor()
    await lane('Won').getByTitle('Sum: Amount 300').waitFor()
    await lane('New').locator('header').getByText('3', { exact: true }).waitFor()
    assert.equal(await lane('Won').locator('.card').count(), 0)
    await other('DELETE', 4)
    await lane('New').locator('.card.gone', { hasText: 'Deal 4' }).getByText('in the trash').waitFor()
    await mustBeAccessible(page, 'a board with cards that left')
    await fresh(page).click()
    await lane('Won').locator('.card', { hasText: 'Deal 3' }).waitFor()
    await lane('New').locator('.card', { hasText: 'Deal 4' }).waitFor({ state: 'detached' })
    await add('Deal 5', 'New', '500', 15)
    await fresh(page).click()
    await lane('New').locator('.card', { hasText: 'Deal 5' }).waitFor()
    // One's own move is shown at once, and leaves nothing to be read again.
    await page.getByRole('button', { name: 'Move record 1' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Won' }).press('Enter')
    await lane('Won').locator('.card:not(.gone)', { hasText: 'Deal 1' }).waitFor()
    await page.locator('.card.gone').waitFor({ state: 'detached' })
    await fresh(page).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a calendar keeps a record on its day until it is read again', async () => {
    const id = await view('calendar')
    const { page, context, faults } = await opened(`/t/${deals}?view=${id}`, (page) => page.locator('.day-item').first().waitFor())
    const day = (number: number) => page.locator('.day', { has: page.locator(`time[datetime="${month}-${number}"]`) })
    await other('PATCH', 1, { Closes: `${month}-20` })
    await day(11)
      .locator('.day-item.gone', { hasText: 'Deal 1' })
      .getByText(/^now: /)
      .waitFor()
    await fresh(page).click()
    await day(20).locator('.day-item:not(.gone)', { hasText: 'Deal 1' }).waitFor()
    assert.equal(await day(11).locator('.day-item').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a chart counts what others add', async () => {
    const id = await view('chart')
    const { page, context, faults } = await opened(
      `/t/${deals}?view=${id}`,
      async (page) => void (await page.getByRole('cell', { name: 'Won' }).waitFor()),
    )
    const before = (await scene.server.call(scene.token, 'GET', `data${deals}?filter=eq(${f['Stage']},'Won')`)).body.meta.total as number
    await page.getByRole('row', { name: `Won ${before}`, exact: true }).waitFor()
    await add('Deal 6', 'Won', '600', 16)
    await page.getByRole('row', { name: `Won ${before + 1}`, exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })
})
