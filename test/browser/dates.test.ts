import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Dates are typed, or chosen in a month of days. */

describe('a date', () => {
  let scene: PagesScene
  let table: string
  let sold: string
  let called: string

  before(async () => {
    scene = await pagesScene()
    const field = async (field_name: string, field_type: string) =>
      `f${await scene.make('field', { table_id: Number(table), field_name, field_type })}`
    table = await scene.make('table', { table_name: 'Goods' })
    const name = await field('Name', 'text')
    sold = await field('Sold', 'date')
    called = await field('Called', 'datetime')
    for (const thing of ['Chair', 'Table', 'Lamp'])
      await scene.make(`data${table}`, { [name]: thing, [sold]: '2024-05-07', [called]: '2024-05-07 18:30:00' })
  })
  after(() => scene?.close())

  const valueOf = async (id: string, field: string) =>
    (await scene.server.call(scene.token, 'GET', `data${table}/${id}`)).body.data.attributes[field] as string
  const becomes = (id: string, field: string, value: string) =>
    until(`${field} of ${id} is ${value}`, async () => (await valueOf(id, field)) === value)
  const days = (page: Page) => page.locator('.day-picker')
  const inLine = (page: Page) =>
    until(
      'the line has the focus',
      async () =>
        (await page.locator('.editor input:focus').count()) === 1 &&
        (await page.locator('.day-button[aria-expanded="true"]').count()) === 0,
    )

  it('is chosen by mouse in the grid, and saved by Enter; Escape leaves it', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}`)
    const at = page.getByRole('gridcell', { name: '7 May 2024' }).first()
    await at.dblclick()
    await page.getByRole('button', { name: 'Choose a day' }).click()
    await days(page).getByText('23', { exact: true }).waitFor()
    await mustBeAccessible(page, 'the days of a month')
    await days(page).getByText('23', { exact: true }).click()
    await inLine(page)
    assert.equal(await page.locator('.editor input').inputValue(), '23/05/2024')
    assert.equal(await valueOf('1', sold), '2024-05-07', 'it is saved by Enter only')
    await page.keyboard.press('Enter')
    await becomes('1', sold, '2024-05-23')
    // Escape closes the days, and once more the editor.
    await page.getByRole('gridcell', { name: '7 May 2024' }).first().dblclick()
    await page.getByRole('button', { name: 'Choose a day' }).click()
    await days(page).waitFor()
    await page.keyboard.press('Escape')
    await inLine(page)
    await page.keyboard.press('Escape')
    await until('no editor', async () => (await page.locator('.editor').count()) === 0)
    assert.equal(await valueOf('2', sold), '2024-05-07')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is chosen by keyboard alone, in another year, and keeps its time of day', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}/2`)
    await page.getByRole('button', { name: 'Change Called', exact: true }).press('Enter')
    await page.locator('.editor input:focus').waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await page.locator('.day-picker-day:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    await inLine(page)
    assert.equal(await page.locator('.editor input').inputValue(), '14/06/2024 18:30')
    await page.keyboard.press('Alt+ArrowDown')
    await page.locator('.day-picker-day:focus').waitFor()
    await days(page).getByLabel('year').selectOption('1986')
    await days(page).getByText('14', { exact: true }).click()
    await inLine(page)
    await page.keyboard.press('Enter')
    await becomes('2', called, '1986-06-14 18:30:00')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is chosen on a phone in Russian, where weeks begin with Monday', async () => {
    const { page, context, faults } = await scene.open({ width: 390, locale: 'ru-RU' })
    await scene.signIn(page, `/t/${table}/3`)
    await page.getByRole('button', { name: 'Изменить «Sold»' }).click()
    await page.getByRole('button', { name: 'Выбрать день' }).click()
    await days(page).getByText('15', { exact: true }).waitFor()
    assert.equal((await days(page).locator('th').first().innerText()).toLowerCase(), 'пн')
    await mustBeAccessible(page, 'the days of a month on a phone')
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 390, `${width} px`)
    await days(page).getByRole('button', { name: 'Сегодня' }).click()
    await inLine(page)
    await page.keyboard.press('Enter')
    await becomes('3', sold, new Date().toISOString().slice(0, 10))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is typed where the days do not come', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${table}/3`)
    await page.route('**/day-picker*', async (route) => {
      await setTimeout(1000)
      await route.abort()
    })
    await page.getByRole('button', { name: 'Change Called', exact: true }).click()
    await page.getByRole('button', { name: 'Choose a day' }).click()
    await inLine(page)
    await page.locator('.editor input').fill('1.2.2024 9:05')
    await page.locator('.editor input').blur()
    await becomes('3', called, '2024-02-01 09:05:00')
    await context.close()
  })
})
