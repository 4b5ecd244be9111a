import assert from 'node:assert/strict'
import { after, before, beforeEach, afterEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, following, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Small things on the way of a hand in the grid: links in cells, what is searched for, columns out of sight. */

describe('the grid under the hand', () => {
  let scene: PagesScene
  let goods: string
  let makers: string
  let window: Window
  let page: Page
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    makers = await scene.make('table', { table_name: 'Makers' })
    f['Maker name'] = `f${await scene.make('field', { table_id: Number(makers), field_name: 'Name', field_type: 'text' })}`
    for (const name of ['Northgate', 'Southgate']) await scene.make(`data${makers}`, { [f['Maker name']!]: name })
    goods = await scene.make('table', { table_name: 'Goods' })
    const field = fieldsOf(scene, goods, f)
    await field('Name', 'text')
    await field('Phone', 'phone')
    await field('Maker', 'reference', { reference_table_id: Number(makers) })
    await field('Pieces in the store', 'integer')
    for (let i = 1; i <= 10; i++) await field(`Note ${i}`, 'text')
    for (let i = 1; i <= 60; i++)
      await scene.make(`data${goods}`, { [f['Name']!]: `Thing ${i}`, [f['Phone']!]: `555 01${i}`, [f['Maker']!]: '1', [f['Note 1']!]: i === 41 ? 'rare bird' : '' }) // prettier-ignore
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await following(page, () => scene.signIn(page, `/t/${goods}`))
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const cell = (row: number, col: number) => page.locator(`[data-row='${row}'] [data-col='${col}']`)
  const focused = () =>
    page.evaluate<string>("`${document.activeElement?.closest('[data-row]')?.dataset.row}:${document.activeElement?.closest('[data-col]')?.dataset.col}`") // prettier-ignore
  const left = () => page.evaluate<number>("document.querySelector('.grid-sheet').scrollLeft")

  it('the first key after the page was loaded goes to the cell that is drawn as chosen, and letters replace nothing', async () => {
    assert.equal(await page.evaluate('document.activeElement === document.body'), true)
    await page.keyboard.type('x')
    await page.keyboard.press('ArrowDown')
    await until('the cell below', async () => (await focused()) === '1:0')
    await page.keyboard.press('Space')
    await page.getByRole('heading', { name: 'Thing 2' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Thing 1', exact: true }).count(), 1)
  })

  it('a click with the right button on the head of a column opens its menu', async () => {
    await page.getByRole('columnheader', { name: /^Phone/ }).click({ button: 'right' })
    const menu = page.getByRole('menu', { name: 'Menu of the column Phone' })
    await menu.getByRole('menuitem', { name: 'Sort descending' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    // The button opens the same.
    await page.getByRole('button', { name: 'Menu of the column Phone' }).click()
    await menu.getByRole('menuitem', { name: 'Sort descending' }).click()
    await page.waitForURL(/sort=-/)
    await page.getByRole('columnheader', { name: /^Name/ }).click({ button: 'right' })
    await page.getByRole('menu', { name: 'Menu of the column Name' }).getByRole('menuitem', { name: 'Sort ascending' }).click()
    await page.waitForURL(new RegExp(`sort=${f['Name']}`))
  })

  it('a click on a link chooses its cell, the next one follows it, two edit the value', async () => {
    const link = cell(1, 2).getByRole('link', { name: 'Northgate' })
    await link.click()
    await until('the cell', async () => (await focused()) === '1:2')
    assert.equal(new URL(page.url()).pathname, `/t/${goods}`)
    // A telephone number is not called by the one who wants to mend it.
    await cell(3, 1).getByRole('link').dblclick()
    await cell(3, 1).getByRole('textbox').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('9')
    await page.keyboard.press('Enter')
    await cell(3, 1).getByText('555 0149', { exact: true }).waitFor()
    await link.click()
    await until('the cell again', async () => (await focused()) === '1:2')
    // Slower than two clicks that belong together.
    await page.mouse.move(5, 5)
    await link.dispatchEvent('pointerdown', { button: 0, bubbles: true })
    await link.dispatchEvent('click', { button: 0, bubbles: true, detail: 1 })
    await page.getByRole('heading', { name: 'Northgate' }).first().waitFor()
  })

  it('Tab and Enter among records wait for what the words find, and lose nothing that is typed', async () => {
    let gate = Promise.withResolvers<void>()
    let asked = 0
    await page.route(`**/api/dev/data${makers}?*`, async (route) => {
      asked++
      await gate.promise
      await route.continue()
    })
    const words = page.getByRole('dialog').getByRole('searchbox')
    const isIn = (row: number, col: number) => until(`the cell ${row}:${col}`, async () => (await focused()) === `${row}:${col}`)
    // Without words there is nothing to wait for.
    await cell(4, 2).click({ position: { x: 130, y: 10 } })
    await page.keyboard.press('F2')
    await words.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await isIn(4, 3)
    assert.equal(await cell(4, 2).innerText(), 'Northgate')
    asked = 0
    for (const [row, typed, key, next] of [
      [5, 'south', 'Tab', [5, 3]],
      [6, 'southg', 'Enter', [7, 2]],
      [8, 'southga', 'Shift+Tab', [8, 1]],
    ] as const) {
      await cell(row, 2).click({ position: { x: 130, y: 10 } })
      await page.keyboard.type(typed)
      await page.keyboard.press(key)
      assert.equal(await words.inputValue(), typed)
      await until('a search', () => asked > 0)
      gate.resolve()
      await isIn(next[0], next[1])
      await cell(row, 2).getByText('Southgate', { exact: true }).waitFor()
      gate = Promise.withResolvers()
      asked = 0
    }
    // Who types on means other words.
    await cell(9, 2).click({ position: { x: 130, y: 10 } })
    await page.keyboard.type('no')
    await page.keyboard.press('Tab')
    await page.keyboard.type('thing')
    gate.resolve()
    await page.getByRole('dialog').getByText('Nothing matches').waitFor()
    assert.equal(await words.inputValue(), 'nothing')
    await page.keyboard.press('Escape')
    await isIn(9, 2)
    assert.equal(await cell(9, 2).innerText(), 'Northgate')
  })

  it('keys among records may be faster than the answers, and who has left an editor chooses nothing by it', async () => {
    let reads = Promise.withResolvers<void>()
    const writes = Promise.withResolvers<void>()
    let asked = 0
    let made = 0
    await page.route(`**/api/dev/data${makers}?*`, async (route) => {
      asked++
      await reads.promise
      await route.continue()
    })
    await page.route(`**/api/dev/data${makers}`, async (route) => {
      made++
      await writes.promise
      await route.continue()
    })
    const begin = async (row: number, text: string) => {
      await cell(row, 2).click({ position: { x: 130, y: 10 } })
      await page.keyboard.type(text)
    }
    const dialog = page.getByRole('dialog')
    // What arrows have marked is taken, though the words that were typed before them find something else.
    reads.resolve()
    await cell(10, 2).click({ position: { x: 130, y: 10 } })
    await page.keyboard.press('F2')
    await dialog.getByRole('option', { name: 'Southgate' }).waitFor()
    reads = Promise.withResolvers()
    asked = 0
    await dialog.getByRole('searchbox').fill('north')
    await until('a search', () => asked > 0)
    const marked = dialog.locator('[role=option][data-focused]')
    for (let i = 0; i < 3 && (await marked.allInnerTexts()).join() !== 'Southgate'; i++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    reads.resolve()
    await cell(10, 2).getByText('Southgate', { exact: true }).waitFor()
    // Escape while a record is made: it is there, and no cell has it.
    await begin(11, 'Eastgate')
    await dialog.getByRole('button', { name: /Eastgate/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await until('a record under way', () => made === 1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await cell(12, 3).click()
    await page.keyboard.type('5')
    const read = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith(`/data${makers}`))
    writes.resolve()
    await read
    await cell(12, 3).getByRole('textbox').press('6')
    await page.keyboard.press('Enter')
    await cell(12, 3).getByText('56', { exact: true }).waitFor()
    assert.equal(await cell(11, 2).innerText(), 'Northgate')
    // What is asked to be made while its name is looked for, is made when that is not found.
    reads = Promise.withResolvers()
    asked = 0
    await begin(13, 'Westgate')
    await page.keyboard.press('Control+Enter')
    await until('a search', () => asked > 0)
    reads.resolve()
    await cell(13, 2).getByText('Westgate', { exact: true }).waitFor()
  })

  it('what is typed in a cell goes to the record for which it was opened, also where the list has another one there by now', async () => {
    await following(page, () => page.goto(scene.address(`/t/${goods}?sort=-${f['Note 2']},id`)))
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    await cell(3, 3).click()
    await page.keyboard.type('77')
    for (const id of ['58', '59', '60']) {
      const attributes = { [f['Note 2']!]: 'z' }
      await scene.server.call(scene.token, 'PATCH', `data${goods}/${id}`, { data: { type: `data${goods}`, id, attributes } })
    }
    const show = page.getByRole('button', { name: 'The list has changed: show it' })
    await show.waitFor()
    // The list is read anew by something else than a click, which would leave the editor.
    await page.evaluate(
      "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('The list has changed')).click()",
    )
    await cell(0, 0).getByText('Thing 58', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    const count = async (id: number) => (await scene.server.call(scene.token, 'GET', `data${goods}/${id}`)).body.data.attributes[f['Pieces in the store']!] // prettier-ignore
    await until('the record that was opened', async () => (await count(4)) === '77')
    assert.notEqual(await count(1), '77')
  })

  it('a click on a title opens the record, and the columns stay where they are', async () => {
    await cell(0, 1).click({ position: { x: 140, y: 10 } })
    await page.keyboard.press('End')
    await until('the last column', async () => (await left()) > 300)
    await page.keyboard.press('Home')
    await until('the first column', async () => (await left()) === 0)
    await page.keyboard.press('End')
    await until('the last column', async () => (await left()) > 300)
    await page.keyboard.press('Control+Home')
    await until('the first column and row', async () => (await left()) === 0 && (await focused()) === '0:0')
    // A cell of a frozen column stands below its head, also when it is chosen.
    const shift = "(([head, cell]) => cell.getBoundingClientRect().left - head.getBoundingClientRect().left)(['-1', '0'].map((row) => document.querySelector(`[data-row='${row}'] [data-col='0']`)))" // prettier-ignore
    await until('the cell below its head', async () => Math.abs(await page.evaluate<number>(shift)) < 2)
    await cell(0, 3).click()
    await page.getByRole('link', { name: 'Thing 5', exact: true }).click()
    await page.locator('aside').getByRole('heading', { name: 'Thing 5' }).waitFor()
    assert.equal(await cell(4, 0).getAttribute('aria-selected'), 'true')
    assert.equal(await left(), 0)
  })

  it('Ctrl+F searches in the table; Enter and Arrow down lead to what was found', async () => {
    await cell(0, 0).press('Control+f')
    await page.keyboard.type('rare')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Thing 41', exact: true }).waitFor()
    await until('the first record found', async () => (await focused()) === '0:0')
    // Also where the list has been asked for and has not come when Enter is pressed.
    await page.keyboard.press('Control+f')
    const answer = Promise.withResolvers<void>()
    await page.route(/thing(%20|\+)41/i, async (route) => {
      await answer.promise
      await route.continue()
    })
    const asked = page.waitForRequest(/thing(%20|\+)41/i)
    await page.keyboard.type('thing 41')
    await asked
    await page.locator('.grid-rows .cell').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    answer.resolve()
    await until('the record found later', async () => (await focused()) === '0:0')
    await page.unroute(/thing(%20|\+)41/i)
    // Escape leaves it for the cell.
    await page.keyboard.press('Control+f')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    await cell(2, 3).click()
    await page.keyboard.press('Control+f')
    await page.keyboard.press('Escape')
    await until('the cell', async () => (await focused()) === '2:3')
    await page.keyboard.press('/')
    await page.keyboard.type('nothing like it')
    await page.getByRole('heading', { name: 'Nothing found for “nothing like it”' }).waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    assert.equal(await page.getByRole('searchbox', { name: 'Quick search' }).inputValue(), '')
  })

  it('a toast that is closed gives the focus back to what had it just before, and to nothing older', async () => {
    const search = page.getByRole('searchbox', { name: 'Quick search' })
    const isAt = (what: string) => until(`the focus in ${what}`, () => page.evaluate<boolean>(`document.activeElement?.matches('${what}') === true`)) // prettier-ignore
    await search.focus()
    await page.keyboard.press('Control+s')
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    await page.locator('.toast').waitFor({ state: 'detached' })
    await isAt('input[type=search]')
    await page.evaluate('document.activeElement.blur()')
    await isAt('body')
    await page.keyboard.press('Control+s')
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    await page.locator('.toast').waitFor({ state: 'detached' })
    await isAt('#work')
  })

  it('a toast that comes where the mouse rests goes in its time: nobody points at it', async () => {
    await page.getByRole('searchbox', { name: 'Quick search' }).focus()
    const told = page.locator('.toast')
    await page.keyboard.press('Control+s')
    const { x, y } = (await told.boundingBox())!
    await told.waitFor({ state: 'detached' })
    await page.mouse.move(x + 20, y + 15)
    await page.keyboard.press('Control+s')
    await told.waitFor()
    await told.waitFor({ state: 'detached' })
  })

  it('a column is wide enough for its name, and shows by which way it is sorted', async () => {
    const head = page.getByRole('columnheader', { name: 'Pieces in the store' })
    const HEAD = `document.querySelector('[data-row="-1"] [data-col="3"]')`
    assert.equal(
      await page.evaluate<boolean>(`${HEAD}.querySelector('.cut').scrollWidth <= ${HEAD}.querySelector('.cut').clientWidth`),
      true,
    )
    await head.getByRole('button', { name: 'Pieces in the store', exact: true }).click()
    await page.waitForURL(/sort=/)
    // The button of the menu, which is there under the mouse, does not lie over the arrow.
    await until(
      'the arrow beside the menu',
      () =>
      page.evaluate<boolean>(`(([arrow, menu]) => arrow && menu && menu.getBoundingClientRect().width > 0 && arrow.getBoundingClientRect().right <= menu.getBoundingClientRect().left)(['.i-arrow-up', '.open'].map((part) => ${HEAD}.querySelector(part)))`), // prettier-ignore
    )
  })

  it('whole rows and columns, and all, are chosen without a move of what is in sight', async () => {
    const place = () =>
      page.evaluate<number[]>("(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])(document.querySelector('.grid-sheet'))")
    await cell(2, 1).click()
    for (const keys of ['Shift+Space', 'Control+Space', 'Control+a']) {
      await page.keyboard.press(keys)
      const isChosen = cell(keys === 'Shift+Space' ? 2 : 3, keys === 'Control+Space' ? 1 : 2).and(page.locator("[aria-selected='true']"))
      await isChosen.waitFor()
      // Where the grid moves, it does so with the selection.
      assert.deepEqual(await place(), [0, 0], keys)
      if (keys !== 'Control+a') await cell(2, 1).click()
    }
  })

  it('references that are pasted, and those that others write, get their titles as they appear', async () => {
    const made = []
    for (const name of ['Eastgate', 'Westgate']) made.push(await scene.make(`data${makers}`, { [f['Maker name']!]: name }))
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await cell(5, 2).click()
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(`#${made[0]}\n#${made[0]}`)})`)
    await page.keyboard.press('Control+v')
    for (const row of [5, 6]) await cell(row, 2).getByRole('link', { name: 'Eastgate' }).waitFor()
    const data = { type: `data${goods}`, id: '9', attributes: { [f['Maker']!]: made[1] } }
    assert.equal((await scene.server.call(scene.token, 'PATCH', `data${goods}/9`, { data })).status, 200)
    await cell(8, 2).getByRole('link', { name: 'Westgate' }).waitFor()
  })
})
