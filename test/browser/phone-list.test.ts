import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page, type Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What the grid does on a wide window, with a thumb: several records at once, groups, totals. */

const ROWS = 120

describe('a list on a phone', () => {
  let scene: PagesScene
  let deals: string
  let window: Window
  let page: Page
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: ['New', 'Won', 'Lost'] })
    await field('Amount', 'integer')
    await field('Closes', 'date')
    const lines = Array.from({ length: ROWS }, (_, i) => `Deal ${i + 1},${['New', 'Won', ''][i % 3]},${i + 1},2026-0${(i % 4) + 1}-10`)
    await scene.fill('Deals', ['Title,Stage,Amount,Closes', ...lines].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open({ width: 390, height: 780 })
    page = window.page
    page.setDefaultTimeout(15_000)
    await scene.signIn(page, `/t/${deals}`)
    await card('Deal 1').waitFor()
  })
  afterEach(async () => {
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, 'too wide')
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const card = (name: string) => page.locator('.gallery').getByText(name, { exact: true })
  const pick = (name: string) => page.getByRole('checkbox', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const count = async (filter: string) =>
    (await scene.server.call(scene.token, 'GET', `data${deals}?page[limit]=1&filter=${encodeURIComponent(filter)}`)).body.meta.total
  const heads = async () => (await page.locator('.card-group').allInnerTexts()).map((one) => one.replaceAll(/\s+/g, ' ').trim())

  it('several records, of several pages, get one value, are copied, and go to the trash, with undo', async () => {
    await button('Choose').click()
    await pick('Deal 1').check()
    await pick('Deal 2').check()
    await button('Next page').click()
    await pick('Deal 51').check()
    const acts = page.getByRole('group', { name: '3 records chosen' })
    await acts.waitFor()
    await mustBeAccessible(page, 'records chosen on a phone')
    const dialog = page.getByRole('dialog', { name: 'One value for 3 records' })
    const give = async (option: string) => {
      await acts.getByRole('button', { name: 'Change a field' }).click()
      await dialog.getByLabel('Field').selectOption({ label: 'Stage' })
      await dialog.getByRole('button', { name: /^Stage: / }).click()
      await page.getByRole('option', { name: option }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    await give('Lost')
    await until('the value', async () => (await count(`eq(${f['Stage']},'Lost')`)) === 3)
    // Once more, of what they hold by now.
    await give('Won')
    await until('the other value', async () => (await count(`eq(${f['Stage']},'Won')`)) === 42)
    await acts.getByRole('button', { name: 'To the trash' }).click()
    await until('the trash', async () => (await count('gt(id,0)')) === ROWS - 3)
    await pick('Deal 51').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until('all are back', async () => (await count('gt(id,0)')) === ROWS)
    for (const id of [1, 2, 51]) await scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, { data: { type: `data${deals}`, id: String(id), attributes: { [f['Stage']!]: ['New', 'Won', ''][(id - 1) % 3] } } }) // prettier-ignore
  })

  it('all of a filter are chosen by one touch', async () => {
    await page.goto(scene.address(`/t/${deals}?filter=eq(${f['Stage']},'Won')`))
    await card('Deal 2').waitFor()
    await button('Choose').click()
    await button('All 40').click()
    const acts = page.getByRole('group', { name: '40 records chosen' })
    await acts.getByRole('button', { name: 'Change a field' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').first().selectOption({ label: 'Closes' })
    await dialog.getByRole('button', { name: 'Empty the field' }).click()
    await until('the value', async () => (await count(`and(eq(${f['Stage']},'Won'),is_empty(${f['Closes']}))`)) === 40)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).last().click()
    await until('as before', async () => (await count(`is_empty(${f['Closes']})`)) === 0)
    await button('Done').click()
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await card('Deal 2').click()
    await page.locator('.record-panel').waitFor()
  })

  it('it is grouped, each group folds, and all do', async () => {
    await page.getByRole('combobox', { name: 'By which field' }).selectOption({ label: 'Stage' })
    await until(
      'the first head',
      async () => (await heads()).join() === 'none 40 40 records,New 40 40 records' || (await heads()).length === 2,
    )
    const first = page.locator('.card-group button').first()
    const before = await page.locator('.gallery .card').count()
    assert.equal(before + (await heads()).length, 50)
    await first.click()
    await until('folded', async () => (await first.getAttribute('aria-expanded')) === 'false')
    await until('the groups after it', async () => (await heads()).length === 2 || (await heads()).length === 3)
    await mustBeAccessible(page, 'groups on a phone')
    await button('Fold all groups').click()
    await until('no cards', async () => (await page.locator('.gallery .card').count()) === 0)
    assert.deepEqual(
      (await heads()).map((one) => one.split(' ')[0]).sort(),
      [...new Set((await heads()).map((one) => one.split(' ')[0]))].sort(),
    )
    assert.equal((await heads()).length, 3)
    await page.locator('.card-group').filter({ hasText: 'Won' }).getByRole('button').click()
    await card('Deal 5').waitFor()
    assert.equal(await page.locator('.gallery .card').count(), 40)
    await page.getByRole('combobox', { name: 'By which field' }).selectOption({ label: 'Closes: by month' })
    await until('months', async () => (await heads())[0]?.startsWith('January 2026') === true)
    await page.getByRole('combobox', { name: 'By which field' }).selectOption({ label: 'Not grouped' })
    await until('no heads', async () => (await heads()).length === 0)
  })

  it('totals are chosen, and stay', async () => {
    await button('Totals').click()
    await mustBeAccessible(page, 'totals on a phone')
    await page.getByRole('combobox', { name: 'Total of Amount' }).selectOption({ label: 'Sum' })
    await page.keyboard.press('Escape')
    const { meta } = (await scene.server.call(scene.token, 'GET', `data${deals}/aggregate?function=sum:${f['Amount']}`)).body
    const sum = Number(meta.all.sum[f['Amount']!]).toLocaleString('en-GB')
    await page.locator('.card-totals').getByText(sum, { exact: true }).waitFor()
    await page.goto(scene.address(`/t/${deals}`))
    await page.locator('.card-totals').getByText(sum, { exact: true }).waitFor()
    await button('Totals').click()
    await page.getByRole('combobox', { name: 'Total of Amount' }).selectOption({ label: '–' })
    await page.locator('.card-totals').waitFor({ state: 'detached' })
  })

  it('cards have the fields that the list shows', async () => {
    const first = page.locator('.gallery .card', { hasText: 'Deal 1' }).first()
    await first.getByText('Amount:').waitFor()
    await button('Columns').click()
    await page.getByRole('menuitemcheckbox', { name: 'Amount' }).click()
    await page.keyboard.press('Escape')
    await first.getByText('Amount:').waitFor({ state: 'detached' })
    await button('1 column hidden').click()
    await page.getByRole('menuitemcheckbox', { name: 'Amount' }).click()
    await page.keyboard.press('Escape')
    await first.getByText('Amount:').waitFor()
  })

  it('nothing is offered that a reader may not do', async () => {
    const group = await scene.make('group', { group_name: 'Readers' })
    await scene.make('access', { group_id: Number(group), table_id: Number(deals), read: true })
    await scene.make('user', { fio: 'Rita', login: 'rita', password: 'correct horse battery', group_id: Number(group) })
    const other = await scene.open({ width: 390, height: 780 })
    await scene.signIn(other.page, `/t/${deals}`, 'rita', 'correct horse battery')
    await other.page.getByText('Deal 1', { exact: true }).waitFor()
    await other.page.getByRole('button', { name: 'Totals' }).waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Choose', exact: true }).count(), 0)
    await other.context.close()
  })
})
