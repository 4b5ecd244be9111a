import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page, type Window } from '../support/chromium.ts'
import { fieldsOf, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What a board shows is chosen; new records are made where they belong. */

describe('a board and a calendar', () => {
  let scene: PagesScene
  let deals: string
  let window: Window
  let page: Page
  const f: Record<string, string> = {}
  const month = new Date().toISOString().slice(0, 7)
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: ['New', 'Won'] })
    await field('Amount', 'decimal', { scale: 2 })
    await field('Pieces', 'integer')
    await field('Closes', 'date')
    await field('Meeting', 'datetime')
    await field('Note', 'text')
    for (let i = 1; i <= 4; i++)
      await scene.make(`data${deals}`, {
        [f['Title']!]: `Deal ${i}`,
        [f['Stage']!]: i % 2 ? 'New' : 'Won',
        [f['Amount']!]: `${i * 100}`,
        [f['Pieces']!]: `${i}`,
        [f['Closes']!]: `${month}-10`,
        [f['Note']!]: `Note of ${i}`,
      })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(15_000)
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const lane = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string) => lane('New').locator('.card', { hasText: name })
  const newest = async () => (await scene.server.call(scene.token, 'GET', `data${deals}?sort=-id&page[size]=1`)).body.data[0].attributes

  it('has the figure of its heads and the fields of its cards in the view', async () => {
    await scene.signIn(page, `/t/${deals}`)
    await page.getByRole('button', { name: 'Add a view' }).click()
    await page.getByRole('menuitem', { name: 'Board', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).press('Escape')
    await lane('New').getByTitle('Sum: Amount 400').waitFor()
    const figure = page.getByRole('combobox', { name: 'Figure' })
    await figure.selectOption({ label: 'Average: Pieces' })
    await lane('New').getByTitle('Average: Pieces 2').waitFor()
    await card('Deal 1').getByText('Amount:').waitFor()
    assert.equal(await card('Deal 1').getByText('Note of 1').count(), 0)
    const fields = page.getByRole('button', { name: 'Fields of the cards' })
    await fields.click()
    await page.getByRole('menuitemcheckbox', { name: 'Note' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Closes' }).click()
    await mustBeAccessible(page, 'the fields of the cards')
    await page.keyboard.press('Escape')
    await card('Deal 1').getByText('Note of 1').waitFor()
    assert.equal(await card('Deal 1').getByText('Amount:').count(), 0)
    await page.getByRole('button', { name: 'Menu of the view Board' }).click()
    await page.getByRole('menuitem', { name: 'Save', exact: true }).click()
    await page.getByText('The view is saved').waitFor()
    const id = new URL(page.url()).searchParams.get('view')
    const { columns, figure: kept } = (await scene.server.call(scene.token, 'GET', `view/${id}`)).body.data.attributes
    assert.equal(kept, `avg:${f['Pieces']}`)
    assert.deepEqual(columns, [{ attribute: f['Title'] }, { attribute: f['Note'] }, { attribute: f['Closes'] }])
    // Only the number of records, and the fields as at first.
    await figure.selectOption({ label: 'Records' })
    await lane('New').getByTitle('Average: Pieces 2').waitFor({ state: 'detached' })
    assert.equal(await lane('New').locator('header .push').count(), 0)
    await fields.click()
    await page.getByRole('menuitemcheckbox', { name: 'The first that are filled in' }).click()
    await page.keyboard.press('Escape')
    await card('Deal 1').getByText('Amount:').waitFor()
    await page.goto(scene.address(`/t/${deals}?view=${id}`))
    await lane('New').getByTitle('Average: Pieces 2').waitFor()
    await card('Deal 1').getByText('Note of 1').waitFor()
  })

  it('cards of a gallery show the fields that are chosen', async () => {
    await scene.signIn(page, `/t/${deals}?kind=cards`)
    const one = page.locator('.gallery .card', { hasText: 'Deal 1' })
    await one.getByText('Amount:').waitFor()
    await page.getByRole('button', { name: 'Fields of the cards' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Note' }).click()
    await page.keyboard.press('Escape')
    await one.getByText('Note of 1').waitFor()
    assert.equal(await one.getByText('Amount:').count(), 0)
  })

  it('a new record of a lane has its option', async () => {
    await scene.signIn(page, `/t/${deals}?kind=board`)
    await lane('Won').getByRole('link', { name: 'New record: Won' }).click()
    await page.waitForURL(/\/new\?/)
    await page.getByRole('textbox', { name: 'Title' }).fill('Of the lane')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Of the lane' }).waitFor()
    assert.deepEqual([(await newest())[f['Title']!], (await newest())[f['Stage']!]], ['Of the lane', 'Won'])
    await page.goBack()
    await lane('Won').getByText('Of the lane', { exact: true }).waitFor()
    await mustBeAccessible(page, 'a board with buttons for new records')
  })

  it('a new record of a day has its date, and a time where there is one', async () => {
    await scene.signIn(page, `/t/${deals}?kind=calendar&group=${f['Closes']}`)
    const day = page.locator(`.day:has(time[datetime='${month}-17'])`)
    await day.hover()
    await day.getByRole('link', { name: /^New record: / }).click()
    await page.waitForURL(/\/new\?/)
    await page.getByRole('textbox', { name: 'Title' }).fill('Of the day')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Of the day' }).waitFor()
    assert.equal((await newest())[f['Closes']!], `${month}-17`)
    await page.goto(scene.address(`/t/${deals}?kind=calendar&group=${f['Meeting']}`))
    await day.hover()
    await day.getByRole('link', { name: /^New record: / }).click()
    await page.waitForURL(/\/new\?/)
    assert.equal(new URL(page.url()).searchParams.get(f['Meeting']!), `${month}-17 09:00:00`)
    await mustBeAccessible(page, 'a new record of a day')
  })

  it('a new record of a day is made with a thumb, also of a day without records', async () => {
    await page.setViewportSize({ width: 390, height: 780 })
    await scene.signIn(page, `/t/${deals}?kind=calendar&group=${f['Closes']}`)
    await page.getByRole('button', { name: 'New record on a day' }).click()
    await page.locator('.day-picker').getByText('21', { exact: true }).click()
    await page.waitForURL(/\/new\?/)
    assert.equal(new URL(page.url()).searchParams.get(f['Closes']!), `${month}-21`)
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
  })

  it('offers no new record to those who may make none', async () => {
    const group = await scene.make('group', { group_name: 'Readers' })
    await scene.make('access', { group_id: Number(group), table_id: Number(deals), read: true })
    await scene.make('user', { fio: 'Rita', login: 'rita', password: 'correct horse battery', group_id: Number(group) })
    await scene.signIn(page, `/t/${deals}?kind=board`, 'rita', 'correct horse battery')
    await lane('New').getByText('Deal 1', { exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^New record/ }).count(), 0)
    await page.goto(scene.address(`/t/${deals}?kind=calendar&group=${f['Closes']}`))
    await page.getByText('Deal 1', { exact: true }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: /^New record/ }).count(), 0)
  })
})
