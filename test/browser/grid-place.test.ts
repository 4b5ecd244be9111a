import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Who comes back to a list is where they were in it. */

const ROWS = 3000

describe('the place in a list', () => {
  let scene: PagesScene
  let people: string
  let firms: string
  let kind: string
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    const field = (table: string, field_name: string, field_type: string, more: object = {}) =>
      scene.make('field', { table_id: Number(table), field_name, field_type, ...more })
    firms = await scene.make('table', { table_name: 'Firms' })
    await field(firms, 'Firm', 'text')
    await scene.fill('Firms', 'Firm\nAcme')
    people = await scene.make('table', { table_name: 'People' })
    await field(people, 'Name', 'text')
    await field(people, 'Works for', 'reference', { reference_table_id: Number(firms) })
    kind = `f${await field(people, 'Kind', 'list', { options: [{ label: 'Friend' }, { label: 'Stranger' }] })}`
    for (let i = 0; i < 12; i++) await field(people, `Note ${i}`, 'text')
    const lines = Array.from({ length: ROWS }, (_, i) => `Person ${i + 1},1,${i % 2 ? 'Friend' : 'Stranger'}`)
    await scene.fill('People', ['Name,Works for,Kind', ...lines].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${people}`)
    await row(1).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const row = (number: number) => page.getByRole('link', { name: `Person ${number}`, exact: true })
  const cell = (number: number, column: number) => page.locator(`[data-row='${number - 1}'] [aria-colindex='${column}']`)
  /** The first row in sight, and the cell that Tab leads to. */
  const place = async () => {
    const top = await page.evaluate<string>(
      "(() => { const b = document.querySelector('.grid-sheet').getBoundingClientRect(); return document.elementsFromPoint(b.left + 10, b.top + 60).find((e) => e.closest('[data-row]'))?.closest('[data-row]').dataset.row })()",
    )
    const chosen = page.locator('.grid-rows .cell[tabindex="0"]')
    return `${top} ${await chosen.locator('xpath=ancestor::*[@data-row]').getAttribute('data-row')}:${await chosen.getAttribute('aria-colindex')}`
  }
  /** To the middle of the list; the cell of row 1500 is chosen. */
  const toMiddle = async () => {
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill('1500')
    await page.keyboard.press('Enter')
    await row(1500).waitFor()
    await cell(1500, 3).click({ position: { x: 90, y: 10 } })
    // Not in the middle of what is in sight, where going to a row would put it.
    const top = () => page.locator('.grid-sheet').evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop)
    const before = await top()
    await page.mouse.wheel(0, 150)
    await until('the wheel', async () => (await top()) === before + 150)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    return place()
  }
  const isAt = async (expected: string) => {
    let last = ''
    await until(`the place ${expected}`, async () => (last = await place().catch(() => 'none')) === expected).catch((error: unknown) => {
      throw new Error(`The place is ${last}`, { cause: error })
    })
    await row(1500).waitFor()
  }

  it('is the same one after Back from a link, from a record that was made, and after a reload', async () => {
    const before = await toMiddle()
    await cell(1500, 3).getByRole('link', { name: 'Acme' }).click()
    await page.waitForURL(new RegExp(`/t/${firms}[/?]`))
    await page.goBack()
    await isAt(before)
    await page.reload()
    await isAt(before)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/new/)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('One more')
    await page.keyboard.press('Control+s')
    await page.waitForURL(new RegExp(`/t/${people}/${ROWS + 1}`))
    await page.goBack()
    if (page.url().includes('new')) await page.goBack()
    await isAt(before)
  })

  it('is that of each list: another filter begins at the first row, and Back is where one was', async () => {
    const before = await toMiddle()
    await page.getByRole('searchbox').first().fill('Person 77')
    await row(77).waitFor()
    await page.goBack()
    await isAt(before)
    await page
      .getByRole('link', { name: /^Firms/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Acme', exact: true }).waitFor()
    await page
      .getByRole('link', { name: /^People/ })
      .first()
      .click()
    await isAt(before)
  })

  it('keeps hundreds of groups folded away, and those that are not', async () => {
    const codes = await scene.make('table', { table_name: 'Codes' })
    const field = (field_name: string, field_type: string, more: object = {}) =>
      scene.make('field', { table_id: Number(codes), field_name, field_type, ...more })
    await field('Name', 'text')
    const GROUPS = 600
    const code = `f${await field('Code', 'list', { options: Array.from({ length: GROUPS }, (_, i) => `C${1000 + i}`) })}`
    const lines = Array.from({ length: GROUPS * 2 }, (_, i) => `Part ${i + 1},C${1000 + Math.floor(i / 2)}`)
    await scene.fill('Codes', ['Name,Code', ...lines].join('\n'))
    await page.goto(scene.address(`/t/${codes}?group=${code}`))
    await page.getByRole('link', { name: 'Part 1', exact: true }).waitFor()
    const rows = async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1
    assert.equal(await rows(), GROUPS * 3)
    await page.getByRole('button', { name: /^Groups:/ }).click()
    await page.getByRole('menuitem', { name: 'Fold all groups' }).click()
    await until('all folded', async () => (await rows()) === GROUPS)
    const sheet = page.locator('.grid-sheet')
    await sheet.evaluate((element) => ((element as unknown as { scrollTop: number }).scrollTop = 33 * 450))
    const head = (name: string) => page.locator('.group-head button').filter({ hasText: name })
    await head('C1452').click()
    await until('one open', async () => (await rows()) === GROUPS + 2)
    await page.getByRole('link', { name: 'Part 905', exact: true }).waitFor()
    const top = async () => (await head('C1452').boundingBox())!.y
    const before = await top()
    await page.reload()
    await page.getByRole('link', { name: 'Part 905', exact: true }).waitFor()
    assert.equal(await rows(), GROUPS + 2)
    assert.equal(await head('C1451').getAttribute('aria-expanded'), 'false')
    await until('where it was', async () => Math.abs((await top()) - before) < 2)
  })

  it('keeps what is folded away and what is scrolled sideways', async () => {
    await page.goto(scene.address(`/t/${people}?group=${kind}`))
    const head = page.locator('.group-head button').filter({ hasText: 'Friend' })
    await head.click()
    await until('folded', async () => (await head.getAttribute('aria-expanded')) === 'false')
    await row(1).waitFor()
    const sheet = () => page.locator('.grid-sheet').evaluate((element) => (element as unknown as { scrollLeft: number }).scrollLeft)
    await page.locator('.grid-sheet').hover()
    await page.mouse.wheel(300, 0)
    await until('sideways', async () => (await sheet()) === 300)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.reload()
    await row(1).waitFor()
    assert.equal(await head.getAttribute('aria-expanded'), 'false')
    await until('sideways again', async () => (await sheet()) === 300)
  })
})
