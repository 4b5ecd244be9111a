import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The order of a list, chosen in its tools, whatever shows the list and on whatever screen. */

describe('the order of a list', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  const month = new Date().toISOString().slice(0, 7)
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    for (const [name, type, more] of [
      ['Title', 'text', {}],
      ['Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }] }],
      ['Amount', 'integer', {}],
      ['Closes', 'date', {}],
    ] as const)
      f[name] = `f${await scene.make('field', { table_id: Number(deals), field_name: name, field_type: type, ...more })}`
    for (const [title, amount] of [
      ['Alder', 2],
      ['Birch', 3],
      ['Cedar', 1],
      ['Elder', 3],
    ] as const)
      // prettier-ignore
      await scene.make(`data${deals}`, { [f['Title']!]: title, [f['Stage']!]: 'New', [f['Amount']!]: amount, [f['Closes']!]: `${month}-15` })
  })
  after(() => scene?.close())

  const opened = async (kind: string, size: object = {}) => {
    const window = await scene.open(size)
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, `/t/${deals}${kind && `?kind=${kind}`}`)
    await window.page.getByText('Alder').first().waitFor()
    return window
  }
  const shows = (page: Page, each: string, names: readonly string[]) => {
    const found = () => page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(each)})].map((one) => /[A-Z][a-z]+/.exec(one.innerText)?.[0])`) // prettier-ignore
    return until(`${names.join()} in ${each}`, async () => (await found()).join() === names.join())
  }
  const sortIs = (page: Page, sort: string | null) => until(`the order ${sort}`, async () => new URL(page.url()).searchParams.get('sort') === sort) // prettier-ignore
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Order' })

  it('is chosen on a phone, by several fields', async () => {
    const { page, context, faults } = await opened('', { width: 390, height: 844 })
    await shows(page, '.card h2', ['Alder', 'Birch', 'Cedar', 'Elder'])
    await page.getByRole('button', { name: 'Order', exact: true }).click()
    await dialog(page).getByLabel('Sort by', { exact: true }).selectOption({ label: 'Amount' })
    await shows(page, '.card h2', ['Cedar', 'Alder', 'Birch', 'Elder'])
    await dialog(page).getByLabel('Direction').selectOption({ label: 'descending' })
    await dialog(page).getByLabel('Then by').selectOption({ label: 'Title' })
    await dialog(page).getByRole('group', { name: 'Title' }).getByLabel('Direction').selectOption({ label: 'descending' })
    await sortIs(page, `-${f['Amount']},-${f['Title']}`)
    await shows(page, '.card h2', ['Elder', 'Birch', 'Alder', 'Cedar'])
    await mustBeAccessible(page, 'the order on a phone')
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Order: Amount, Title' }).click()
    await dialog(page).getByRole('button', { name: 'Do not sort by Amount' }).click()
    await sortIs(page, `-${f['Title']}`)
    await dialog(page).getByLabel('Sort by', { exact: true }).selectOption({ label: 'Amount' })
    await sortIs(page, `-${f['Amount']}`)
    await dialog(page).getByRole('button', { name: 'Do not sort by Amount' }).click()
    await sortIs(page, null)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is chosen by keyboard: the focus stays where it is, and one step back leads to the order before', async () => {
    const { page, context, faults } = await opened('cards')
    await page.getByRole('button', { name: 'Order', exact: true }).press('Enter')
    const first = dialog(page).getByLabel('Sort by', { exact: true })
    await first.focus()
    await page.keyboard.press('ArrowDown')
    await sortIs(page, f['Title']!)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await sortIs(page, f['Amount']!)
    assert.equal(await first.evaluate('document.activeElement === document.querySelector(".order-dialog select")'), true)
    await dialog(page).getByRole('button', { name: 'Do not sort by Amount' }).press('Enter')
    await sortIs(page, null)
    await until('the focus in the dialog', () => page.evaluate<boolean>('document.activeElement?.matches(".order-dialog select") ?? false'))
    await page.keyboard.press('ArrowDown')
    await sortIs(page, f['Title']!)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.goBack()
    await sortIs(page, null)
    assert.match(page.url(), new RegExp(`/t/${deals}`))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is chosen from the palette for cards, a board, a calendar and the grid; a chart has none', async () => {
    for (const [kind, each] of [
      ['cards', '.card h2'],
      ['board', '.lane:first-child .card'],
      ['calendar', '.day-item'],
      ['grid', '.cell[aria-colindex="2"]'],
    ] as const) {
      const { page, context, faults } = await opened(kind)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('order')
      await page.getByRole('option', { name: 'Order', exact: true }).click()
      await dialog(page).getByLabel('Sort by', { exact: true }).selectOption({ label: 'Amount' })
      await dialog(page).getByLabel('Direction').selectOption({ label: 'descending' })
      await sortIs(page, `-${f['Amount']}`)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      // A day of a calendar shows the first three.
      const names = ['Birch', 'Elder', 'Alder', ...(kind === 'calendar' ? [] : ['Cedar'])]
      await shows(page, each, names)
      assert.deepEqual(faults, [])
      await context.close()
    }
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${deals}?kind=chart`)
    await page.getByRole('cell', { name: 'New' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Order', exact: true }).count(), 0)
    await context.close()
  })
})
