import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, pagesScene, signInByForm, type PagesScene } from './support/pages-scene.ts'

/* Ctrl+Z takes back whatever a person has done to records, wherever they did it. */

describe('what a person did to records', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }] })
    await field('Amount', 'integer')
    for (let i = 1; i <= 5; i++)
      await scene.make(`data${deals}`, { [f['Title']!]: `Deal ${i}`, [f['Stage']!]: 'New', [f['Amount']!]: `${i}` })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const read = (id: string) => scene.server.call(scene.token, 'GET', `data${deals}/${id}`)
  const holds = (id: string, name: string, expected: string) =>
    until(`${name} of ${id} to be ${expected}`, async () => (await read(id)).body.data?.attributes[f[name]!] === expected)
  const isThere = (id: string, status: 200 | 404) => until(`${status} for ${id}`, async () => (await read(id)).status === status)
  const change = (id: string, attributes: object) =>
    scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, { data: { type: `data${deals}`, id, attributes } })

  it('is taken back on a board, where no record is open', async () => {
    await scene.signIn(page, `/t/${deals}?kind=board`)
    await page.getByRole('button', { name: 'Move record 1' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Won' }).press('Enter')
    await holds('1', 'Stage', 'Won')
    await page.getByRole('region', { name: 'Won', exact: true }).getByText('Deal 1', { exact: true }).waitFor()
    // It tells of the move, until that is taken back.
    const told = page.locator('.toast').filter({ hasText: /Won/ })
    await told.getByRole('button', { name: 'Undo' }).waitFor()
    // It stays while the mouse is over it.
    await told.hover()
    await page.keyboard.press('Control+z')
    await holds('1', 'Stage', 'New')
    await told.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached', timeout: 5000 })
    assert.equal(await told.count(), 1)
    await page.keyboard.press('Control+Shift+z')
    await holds('1', 'Stage', 'Won')
    await told.getByRole('button', { name: 'Undo' }).waitFor()
  })

  it('is taken back by the toast that tells of it, also where other acts came after it', async () => {
    await scene.signIn(page, `/t/${deals}?kind=board`)
    const move = async (id: string) => {
      await page.getByRole('button', { name: `Move record ${id}` }).press('Enter')
      await page.getByRole('menuitem', { name: 'Won' }).press('Enter')
      await holds(id, 'Stage', 'Won')
      await page.getByRole('region', { name: 'Won', exact: true }).getByText(`Deal ${id}`, { exact: true }).waitFor()
    }
    await move('2')
    // They stay while the mouse is over one.
    await page.locator('.toast').hover()
    await move('3')
    const undos = page.locator('.toast').getByRole('button', { name: 'Undo' })
    await until('both toasts', async () => (await undos.count()) === 2)
    await undos.first().click()
    await page.locator('.toast').filter({ hasText: 'Deal 3' }).hover()
    await holds('2', 'Stage', 'New')
    await page.locator('.toast').getByText('Undone').waitFor()
    assert.equal((await read('3')).body.data.attributes[f['Stage']!], 'Won')
    // It is the undo of the batch, as that of the keyboard, and not a change of its own.
    const { body } = await scene.server.call(scene.token, 'GET', `data${deals}/2/history?sort=-id`)
    assert.equal(body.data[0].attributes.via, 'undo')
    await page.keyboard.press('Control+z')
    await holds('3', 'Stage', 'New')
    await page.locator('.toast').getByText('“Deal 3” moved to Won').waitFor()
    // What was done again, the toast takes back again; what the keyboard took back, it does not.
    await page.keyboard.press('Control+Shift+z')
    await holds('3', 'Stage', 'Won')
    await page.keyboard.press('Control+z')
    await holds('3', 'Stage', 'New')
    await page.keyboard.press('Control+Shift+z')
    await holds('3', 'Stage', 'Won')
    await undos.first().press('Enter')
    await holds('3', 'Stage', 'New')
    // The toast with the focus has gone; the card that had it before has it again, or the page.
    await until('a place of the focus', () => page.evaluate<boolean>('document.activeElement !== document.body'))
  })

  it('after the page was loaded anew, Ctrl+Z leads to where it is taken back', async () => {
    await scene.signIn(page, `/t/${deals}?kind=board`)
    const before = (await read('4')).body.data.attributes[f['Stage']!]
    const after = before === 'Won' ? 'New' : 'Won'
    await page.getByRole('button', { name: 'Move record 4' }).press('Enter')
    await page.getByRole('menuitem', { name: after }).press('Enter')
    await holds('4', 'Stage', after)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Deal 4', exact: true }).waitFor()
    await page.keyboard.press('Control+z')
    // Said once, however often the key is pressed.
    await page.keyboard.press('Control+z')
    await page.locator('.toast').getByText('Nothing to undo').waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Last changes' }).press('Enter')
    await page.waitForURL(/\/changes/)
    await page.getByRole('button', { name: /^Undo/ }).first().press('Enter')
    await holds('4', 'Stage', before)
  })

  it('is nothing that the next person at this browser takes back', async () => {
    await scene.signIn(page, `/t/${deals}?kind=board`)
    const before = (await read('5')).body.data.attributes[f['Stage']!]
    const after = before === 'Won' ? 'New' : 'Won'
    await page.getByRole('button', { name: 'Move record 5' }).press('Enter')
    await page.getByRole('menuitem', { name: after }).press('Enter')
    await holds('5', 'Stage', after)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in/)
    // The same page goes on, without being loaded again.
    await signInByForm(page)
    await page.getByRole('link', { name: 'Deals' }).first().click()
    await page.getByRole('link', { name: 'Deal 1', exact: true }).waitFor()
    assert.equal(await page.locator('.toast').count(), 0)
    await page.keyboard.press('Control+z')
    await page.getByText('Nothing to undo').waitFor()
    await holds('5', 'Stage', after)
  })

  it('is taken back where it made a record', async () => {
    await scene.signIn(page, `/t/${deals}/new`)
    await page.getByLabel('Title', { exact: true }).fill('By mistake')
    await page.keyboard.press('Control+s')
    await page.waitForURL(new RegExp(`/t/${deals}/\\d+$`))
    const [, id] = /(\d+)$/.exec(page.url())!
    await page.getByRole('heading', { name: 'By mistake' }).first().waitFor()
    await page.keyboard.press('Control+z')
    await isThere(id!, 404)
    await page.getByText('The record has been moved to the trash.').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await isThere(id!, 200)
    await page.getByText('The record has been moved to the trash.').waitFor({ state: 'detached' })
  })

  it('is taken back where it went back to an older version', async () => {
    await change('3', { [f['Amount']!]: '33', [f['Title']!]: 'Deal 3 again' })
    await scene.signIn(page, `/t/${deals}/3`)
    await page.getByRole('button', { name: 'Go back to this' }).last().click()
    await holds('3', 'Amount', '3')
    await page.getByText('Restored').waitFor()
    await page.keyboard.press('Control+z')
    await holds('3', 'Amount', '33')
    await holds('3', 'Title', 'Deal 3 again')
  })

  it('is taken back where the card threw a record away, and nothing before it', async () => {
    await scene.signIn(page, `/t/${deals}`)
    const cell = page.locator(`[data-row='3'] [data-col='2']`)
    await cell.click()
    await page.keyboard.type('444')
    await page.keyboard.press('Enter')
    await holds('4', 'Amount', '444')
    await page.getByRole('link', { name: 'Deal 5', exact: true }).click()
    const panel = page.locator('.record-panel')
    await panel.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'To the trash' }).click()
    await panel.waitFor({ state: 'detached' })
    await isThere('5', 404)
    await page.getByText('Moved to the trash').waitFor()
    await page.keyboard.press('Control+z')
    await isThere('5', 200)
    assert.equal((await read('4')).body.data.attributes[f['Amount']!], '444')
    await page.keyboard.press('Control+z')
    await holds('4', 'Amount', '4')
  })
})
