import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, following, HOSTILE, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* A record beside its list: opened, walked along the list, changed, closed. */

const ROWS = 130

describe('a record beside its list', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Amount', 'integer')
    await field('Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }] })
    await field('Closes', 'date')
    await field('Parent', 'reference', { reference_table_id: Number(deals) })
    const day = new Date().toISOString().slice(0, 8)
    const lines = Array.from({ length: ROWS }, (_, i) => `Deal ${i + 1},${ROWS - i},${i % 2 ? 'Won' : 'New'},${i < 3 ? `${day}1${i}` : '2001-01-01'}`) // prettier-ignore
    await scene.fill('Deals', ['Title,Amount,Stage,Closes', ...lines].join('\n'))
    await scene.server.call(scene.token, 'PATCH', `data${deals}/5`, { data: { type: `data${deals}`, id: '5', attributes: { [f['Title']!]: HOSTILE, [f['Parent']!]: '1' } } }) // prettier-ignore
  })
  after(() => scene?.close())

  const opened = async (path = `/t/${deals}`, options: Parameters<PagesScene['open']>[0] = {}) => {
    const window = await scene.open(options)
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, path)
    return window
  }
  const panel = (page: Page) => page.getByRole('complementary')
  const isOpen = (page: Page, title: string) => panel(page).getByRole('heading', { name: title, exact: true }).waitFor()
  const cell = (page: Page, row: number, col: number) => page.locator(`[data-row='${row - 1}'] [aria-colindex='${col}']`)
  const value = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[f[name]!]
  const hasFocus = (page: Page, selector: string) => page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)})`)

  it('opens by a key, tells the address, goes on with J and K, and gives the focus back to the cell', async () => {
    const { page, context, faults } = await opened()
    await cell(page, 2, 3).click()
    await page.keyboard.press('Space')
    await isOpen(page, 'Deal 2')
    assert.equal(new URL(page.url()).search, '?record=2')
    await until('the focus in the panel', () => hasFocus(page, '.record-panel *'))
    await panel(page).getByText(`2 of ${ROWS}`, { exact: true }).waitFor()
    await page.keyboard.press('j')
    await isOpen(page, 'Deal 3')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await isOpen(page, 'Deal 1')
    assert.equal(await panel(page).getByRole('button', { name: 'Previous record' }).isDisabled(), true)
    await page.keyboard.press('j')
    await isOpen(page, 'Deal 2')
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await until('the focus in the cell', () => hasFocus(page, "[data-row='1'] [aria-colindex='3']"))
    assert.equal(new URL(page.url()).search, '')
    await page.goBack()
    await isOpen(page, 'Deal 2')
    await page.goForward()
    await panel(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Deal 4', exact: true }).click()
    await isOpen(page, 'Deal 4')
    await panel(page).getByRole('link', { name: 'Open as a page' }).click()
    await page.waitForURL(new RegExp(`/t/${deals}/4$`))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('goes on over the pages of a sorted and filtered list, also after a reload', async () => {
    const { page, context, faults } = await opened(`/t/${deals}?filter=gt(${f['Amount']},3)&sort=${f['Amount']}`)
    await page.getByRole('link', { name: 'Deal 127', exact: true }).waitFor()
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill('100')
    await page.keyboard.press('Enter')
    await cell(page, 100, 2).getByRole('link', { name: 'Deal 28', exact: true }).click()
    await isOpen(page, 'Deal 28')
    await page.keyboard.press('j')
    await isOpen(page, 'Deal 27')
    await panel(page).getByText('101 of 127', { exact: true }).waitFor()
    await page.reload()
    await isOpen(page, 'Deal 27')
    await panel(page).getByText('101 of 127', { exact: true }).waitFor()
    await cell(page, 101, 2).waitFor()
    // Pressed faster than records come.
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await isOpen(page, 'Deal 25')
    await panel(page).getByText('103 of 127', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('keeps the focus where the list ends, and says the place in it', async () => {
    const { page, context, faults } = await opened(`/t/${deals}?filter=lt(${f['Amount']},3)&sort=${f['Amount']}`)
    await cell(page, 1, 3).click()
    await page.keyboard.press('Space')
    const next = panel(page).getByRole('button', { name: 'Next record' })
    const place = panel(page)
      .getByRole('status')
      .filter({ hasText: /^\d+ of \d+$/ })
    await place.waitFor()
    const [, total] = (await place.innerText()).split(' of ')
    await next.focus()
    for (let i = 2; i <= Number(total); i++) {
      await page.keyboard.press('Enter')
      await panel(page).getByText(`${i} of ${total}`, { exact: true }).waitFor()
    }
    assert.equal(await next.isDisabled(), true)
    assert.equal(await hasFocus(page, "[aria-label='Next record']"), true)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('goes on along the list as a page too, also after a reload, and has undo', async () => {
    const { page, context, faults } = await opened(`/t/${deals}?sort=${f['Amount']}`)
    await cell(page, 1, 3).click()
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill('49')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Deal 82', exact: true }).waitFor()
    await cell(page, 49, 3).click()
    await page.keyboard.press('Space')
    await isOpen(page, 'Deal 82')
    await panel(page).getByRole('link', { name: 'Open as a page' }).click()
    await page.waitForURL(/\/t\/\d+\/82$/)
    // The address is there before the page is, and the place stands in the panel too.
    await page.locator('.record-panel').waitFor({ state: 'detached' })
    await page.getByText(`49 of ${ROWS}`, { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.waitForURL(/\/81$/)
    await page.getByRole('button', { name: 'Next record' }).click()
    await page.waitForURL(/\/80$/)
    await page.getByText(`51 of ${ROWS}`, { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Deal 80', exact: true }).first().waitFor()
    await page.reload()
    await page.getByText(`51 of ${ROWS}`, { exact: true }).waitFor()
    await page.keyboard.press('k')
    await page.waitForURL(/\/81$/)
    await page.getByRole('heading', { name: 'Deal 81', exact: true }).first().waitFor()
    // On a phone, the place in the list has room: what is done with the record is in the menu.
    await page.setViewportSize({ width: 390, height: 844 })
    const isCut = "(() => { const place = document.querySelector('.place'); return place.scrollWidth > place.clientWidth })()"
    assert.equal(await page.evaluate<boolean>(isCut), false)
    await page.getByRole('button', { name: 'More' }).click()
    for (const name of ['Undo', 'Duplicate', 'Print', 'To the trash']) await page.getByRole('menuitem', { name }).waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Change Amount' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('5000')
    await page.keyboard.press('Enter')
    await until('saved', async () => (await value(81, 'Amount')) === '5000')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Undo' }).click()
    await until('undone', async () => (await value(81, 'Amount')) === '50')
    await page.goBack()
    await page.getByRole('grid').waitFor()
    assert.match(page.url(), /sort=/)
    await page.goto(scene.address(`/t/${deals}/7`))
    await page.getByRole('heading', { name: 'Deal 7', exact: true }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Next record' }).count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('leads along its list only: not from a record of another table that has an id of this one', async () => {
    const notes = await scene.make('table', { table_name: 'Remarks' })
    const n: Record<string, string> = {}
    await fieldsOf(scene, notes, n)('Remark', 'text')
    await fieldsOf(scene, notes, n)('Deal', 'reference', { reference_table_id: Number(deals) })
    await scene.fill('Remarks', ['Remark,Deal', ...Array.from({ length: 40 }, (_, i) => `Remark ${i + 1},${i === 29 ? 20 : 1}`)].join('\n'))
    const { page, context, faults } = await opened(`/t/${deals}`)
    await cell(page, 20, 3).click()
    await page.keyboard.press('Space')
    await isOpen(page, 'Deal 20')
    await panel(page).getByRole('link', { name: 'Open as a page' }).click()
    await page.getByRole('button', { name: 'Next record' }).waitFor()
    await page.getByRole('link', { name: 'Remark 30' }).click()
    await page.getByRole('heading', { name: 'Remark 30', exact: true }).first().waitFor()
    await page.waitForURL(new RegExp(`/t/${notes}/30$`))
    assert.equal(await page.getByRole('button', { name: 'Next record' }).count(), 0)
    await page.keyboard.press('j')
    await page.goBack()
    await page.getByRole('heading', { name: 'Deal 20', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Next record' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is changed without a letter for the grid, and the grid without one for it; undo is for both', async () => {
    const { page, context, faults } = await opened()
    await cell(page, 7, 3).click()
    await page.keyboard.press('Space')
    await isOpen(page, 'Deal 7')
    await panel(page).getByRole('button', { name: 'Change Title' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('jack k')
    // A word, and not the record.
    await page.keyboard.press('Control+Backspace')
    await page.keyboard.press('Enter')
    await isOpen(page, 'jack')
    await cell(page, 7, 2).getByText('jack', { exact: true }).waitFor()
    await until('the title', async () => (await value(7, 'Title')).trim() === 'jack')
    await panel(page).getByText('Saved').waitFor()
    await page.keyboard.press('Control+z')
    await isOpen(page, 'Deal 7')
    assert.equal(await value(7, 'Title'), 'Deal 7')

    await cell(page, 8, 3).click()
    await page.keyboard.type('77')
    await page.keyboard.press('Enter')
    await until('the amount', async () => (await value(8, 'Amount')) === '77')
    await isOpen(page, 'Deal 7')
    // The keys are those of the grid again: the record of the cell goes, and not the one that is open, also after that was drawn anew.
    await page.keyboard.press('ArrowUp')
    await scene.server.call(scene.token, 'PATCH', `data${deals}/7`, { data: { type: `data${deals}`, id: '7', attributes: { [f['Amount']!]: '4321' } } }) // prettier-ignore
    await panel(page)
      .getByText(/^4,?321/)
      .waitFor()
    await page.keyboard.press('Control+Backspace')
    await page.getByText('1 record is in the trash').waitFor()
    await until('the record is gone', async () => (await scene.server.call(scene.token, 'GET', `data${deals}/8`)).status === 404)
    await isOpen(page, 'Deal 7')
    await page.keyboard.press('Control+z')
    await until('it is back', async () => (await scene.server.call(scene.token, 'GET', `data${deals}/8`)).status === 200)

    await panel(page).getByRole('heading', { name: 'Deal 7' }).click()
    await page.keyboard.press('Control+Backspace')
    await panel(page).waitFor({ state: 'detached' })
    await until('the open record is gone', async () => (await scene.server.call(scene.token, 'GET', `data${deals}/7`)).status === 404)
    await page.locator('.toast').filter({ hasText: 'Moved to the trash' }).getByRole('button', { name: 'Undo' }).click()
    await until('it is back', async () => (await scene.server.call(scene.token, 'GET', `data${deals}/7`)).status === 200)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('shows at once what somebody else changes', async () => {
    const { page, context, faults } = await opened()
    await following(page, () => page.goto(scene.address(`/t/${deals}?record=9`)))
    await isOpen(page, 'Deal 9')
    await cell(page, 9, 2).waitFor()
    await scene.server.call(scene.token, 'PATCH', `data${deals}/9`, { data: { type: `data${deals}`, id: '9', attributes: { [f['Title']!]: 'Theirs' } } }) // prettier-ignore
    await cell(page, 9, 2).getByText('Theirs', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('stands beside cards, a board and a calendar, and walks what they show', async () => {
    const { page, context, faults } = await opened(`/t/${deals}?kind=cards`)
    await page.getByRole('link', { name: /^Deal 50/ }).click()
    await isOpen(page, 'Deal 50')
    await page.keyboard.press('j')
    await isOpen(page, 'Deal 51')
    await page.keyboard.press('k')
    await isOpen(page, 'Deal 50')
    await page.keyboard.press('Escape')
    await until('the focus on the card', () => hasFocus(page, '[data-record="50"]'))

    await page.goto(scene.address(`/t/${deals}?kind=board`))
    await page.getByRole('link', { name: 'Deal 2', exact: true }).click()
    await isOpen(page, 'Deal 2')
    await page.keyboard.press('j')
    await isOpen(page, 'Deal 4')

    await page.goto(scene.address(`/t/${deals}?kind=calendar`))
    await page.getByRole('link', { name: 'Deal 1', exact: true }).click()
    await isOpen(page, 'Deal 1')
    await panel(page).getByText('1 of 3', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await isOpen(page, 'Deal 2')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has the width that the person gave it', async () => {
    const { page, context } = await opened(`/t/${deals}?record=3`)
    await isOpen(page, 'Deal 3')
    const width = async () => Math.round((await panel(page).boundingBox())!.width)
    assert.equal(await width(), 560)
    const edge = page.getByRole('separator', { name: 'Width of the record' })
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    await until('wider', async () => (await width()) === 576)
    const { x, y } = (await edge.boundingBox())!
    await page.mouse.move(x + 2, y + 200)
    await page.mouse.down()
    await page.mouse.move(x - 98, y + 200)
    await page.mouse.up()
    await until('wider still', async () => Math.abs((await width()) - 676) < 4)
    const kept = await width()
    await page.reload()
    await isOpen(page, 'Deal 3')
    await until('kept', async () => (await width()) === kept)
    await context.close()
  })

  it('is not there where it is not for the person', async () => {
    const { page, context } = await opened(`/t/${deals}?record=99999`)
    await panel(page).getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await page.locator('a.name-link', { hasText: 'Deal 1' }).first().waitFor()
    await context.close()
  })

  for (const width of [1440, 390])
    for (const [colorScheme, locale] of [
      ['light', 'ru-RU'],
      ['dark', 'en-GB'],
    ] as const)
      // prettier-ignore
      it(`has nothing that axe calls serious, and nothing too wide: ${width} px, ${colorScheme}, ${locale}`, async () => {
        const { page, context, faults } = await opened(`/t/${deals}`, { width, height: 844, locale })
        await page.emulateMedia({ colorScheme })
        await page.locator('[data-record="5"]').last().click()
        await page.locator('.record-panel .field').first().waitFor()
        const look = async (what: string) => {
          await mustBeAccessible(page, what)
          assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, `${what} is too wide`)
        }
        await look('the panel')
        assert.equal(await page.locator('.record-panel img').count(), 0)
        await page.getByRole('tab').last().click()
        await page.locator('.history li').first().waitFor()
        await look('the history')
        if (width === 390) {
          await page.locator('.panel-bar .only-phone').click()
          await panel(page).waitFor({ state: 'detached' })
          await page.locator('.card').first().waitFor()
        }
        assert.deepEqual(faults, [])
        await context.close()
      })
})
