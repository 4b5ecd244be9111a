import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page, type Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* What is done with chosen rows, and with columns by hand. */

describe('rows and columns that are chosen', () => {
  let scene: PagesScene
  let goods: string
  const f: Record<string, string> = {}
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    goods = await scene.make('table', { table_name: 'Goods' })
    const field = fieldsOf(scene, goods, f)
    await field('Name', 'text')
    await field('Kind', 'list', { options: [{ label: 'Food' }, { label: 'Tools' }] })
    await field('Count', 'integer')
    await field('More', 'integer')
    await field('Made', 'date')
    const lines = Array.from({ length: 30 }, (_, i) => `Thing ${i + 1},Food,${i + 1},${100 - i},2024-01-0${(i % 9) + 1}`)
    await scene.fill('Goods', ['Name,Kind,Count,More,Made', ...lines].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const open = async (path = '', login = 'admin') => {
    await scene.signIn(page, `/t/${goods}${path}`, login)
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
  }
  const cell = (row: number, col: number) => page.locator(`[data-row='${row}'] [data-col='${col}']`)
  const value = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${goods}/${id}`)).body.data?.attributes[f[name]!]
  const holds = (id: number, name: string, expected: string) =>
    until(`${name} of ${id} to be ${expected}`, async () => (await value(id, name)) === expected)
  const records = (count: number) => page.getByText(`${count} records`, { exact: true }).waitFor()
  const columns = async () => (await page.getByRole('columnheader').allInnerTexts()).map((one) => one.trim()).slice(1)

  it('get one value together, are copied, and go to the trash, each by one click and one undo', async () => {
    await open()
    assert.equal(await page.locator('.chosen').count(), 0)
    await cell(2, -1).click({ position: { x: 3, y: 5 } })
    await cell(4, -1).click({ position: { x: 3, y: 5 }, modifiers: ['Shift'] })
    const bar = page.getByRole('group', { name: '3 records chosen' })
    await bar.waitFor()
    await bar.getByRole('button', { name: 'Change a field' }).click()
    const dialog = page.getByRole('dialog', { name: 'One value for 3 records' })
    await dialog.getByLabel('Field').selectOption({ label: 'Made' })
    // A word that stands for a day is for filters.
    assert.equal(await dialog.locator('.words').count(), 0)
    await dialog.getByLabel('Field').selectOption({ label: 'Kind' })
    await dialog.getByRole('button', { name: /^Kind: / }).click()
    await page.getByRole('option', { name: 'Tools' }).click()
    await mustBeAccessible(page, 'one value for several records')
    await dialog.getByRole('button', { name: 'Save' }).click()
    for (const id of [3, 4, 5]) await holds(id, 'Kind', 'Tools')
    const isInGrid = () => page.evaluate<boolean>("document.activeElement.closest('.grid-sheet') !== null")
    await until('the focus is in the grid', isInGrid)
    assert.equal(await value(6, 'Kind'), 'Food')
    await page.getByText('3 records are changed').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    for (const id of [3, 4, 5]) await holds(id, 'Kind', 'Food')

    await bar.getByRole('button', { name: 'Duplicate' }).click()
    await records(33)
    await page.getByRole('button', { name: 'Undo' }).click()
    await records(30)
    await bar.getByRole('button', { name: 'To the trash' }).click()
    await records(27)
    // Others stand there now, whom nobody has chosen.
    await page.locator('.chosen').waitFor({ state: 'detached' })
    assert.deepEqual([await page.locator('[aria-selected=true]').count(), await isInGrid()], [1, true])
    await page.getByRole('button', { name: 'Undo' }).click()
    await records(30)
  })

  it('are emptied in one field; one record is copied by its form', async () => {
    await open()
    await cell(7, 1).click()
    await page.keyboard.press('Shift+Space')
    await page.keyboard.press('Shift+ArrowDown')
    const bar = page.getByRole('group', { name: '2 records chosen' })
    await bar.getByRole('button', { name: 'Change a field' }).click()
    await page.getByRole('dialog').getByLabel('Field').selectOption({ label: 'Made' })
    await page.getByRole('dialog').getByRole('button', { name: 'Empty the field' }).click()
    await holds(8, 'Made', '0000-00-00')
    await holds(9, 'Made', '0000-00-00')
    await cell(1, 2).click()
    await page.keyboard.press('Control+Shift+d')
    await page.waitForURL(new RegExp(`/t/${goods}/new`))
    await page.keyboard.press('Escape')
    await page.locator('.field', { hasText: 'Count' }).getByText('2', { exact: true }).waitFor()
  })

  it('offer nothing that the person may not do', async () => {
    await scene.make('user', { login: 'rita', fio: 'Rita', group_id: 3, password })
    await scene.make('access', { group_id: 3, table_id: Number(goods), read: true, update: true })
    await open('', 'rita')
    await cell(2, 1).click()
    await page.keyboard.press('Shift+Space')
    const bar = page.getByRole('group', { name: '1 record chosen' })
    await bar.getByRole('button', { name: 'Change a field' }).waitFor()
    assert.equal(await bar.getByRole('button').count(), 1)
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('group', { name: '2 records chosen' }).waitFor()
    assert.equal(await page.locator('.chosen button').count(), 0)
  })

  it('are all, a column or a row by keys; filled to the right, cut and pasted', async () => {
    await open()
    const chosen = () => page.locator('.grid-rows [aria-selected=true]').count()
    await cell(3, 2).click()
    await page.keyboard.press('Control+Space')
    await until('a column', async () => (await cell(0, 2).getAttribute('aria-selected')) === 'true' && (await cell(0, 1).getAttribute('aria-selected')) === 'false') // prettier-ignore
    await cell(3, 2).click()
    await page.keyboard.press('Shift+Space')
    await until('a row', async () => (await chosen()) === 5)
    await page.keyboard.press('Control+a')
    await page.getByRole('group', { name: '30 records chosen' }).waitFor()
    await cell(20, 2).click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Control+r')
    await holds(21, 'More', '21')
    await cell(21, 2).click()
    await page.keyboard.press('Control+x')
    await holds(22, 'Count', '0')
    await cell(22, 3).click()
    await page.keyboard.press('Control+v')
    await holds(23, 'More', '22')
  })

  it('are put in another order and made wider by hand, and sorted by two', async () => {
    await open()
    const head = (name: string) => page.getByRole('columnheader', { name })
    await head('More').dragTo(head('Kind'))
    await until('the order', async () => (await columns()).join() === 'Name,More,Kind,Count,Made')
    const width = async (name: string) => (await head(name).boundingBox())!.width
    const before = await width('Kind')
    const edge = async () => {
      const box = (await head('Kind').locator('.col-edge').boundingBox())!
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    }
    await page.mouse.move(...(await edge()))
    await page.mouse.down()
    const [x, y] = await edge()
    await page.mouse.move(x + 100, y, { steps: 5 })
    await page.mouse.up()
    await until('a wider column', async () => Math.abs((await width('Kind')) - before - 100) < 4)
    await page.mouse.dblclick(...(await edge()))
    await until('as wide as its values', async () => (await width('Kind')) < before + 50)
    await head('Kind').getByRole('button', { name: 'Kind', exact: true }).click()
    await head('Count')
      .getByRole('button', { name: 'Count', exact: true })
      .click({ modifiers: ['Shift'] })
    await until('two keys', async () => new URL(page.url()).searchParams.get('sort') === `${f['Kind']},${f['Count']}`)
    await head('Count')
      .getByRole('button', { name: 'Count', exact: true })
      .click({ modifiers: ['Shift'] })
    await until('the other way', async () => new URL(page.url()).searchParams.get('sort') === `${f['Kind']},-${f['Count']}`)
  })
})
