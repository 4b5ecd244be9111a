import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { fieldsOf, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What a thumb meets on a phone: 44 pixels of each control, buttons of one height, inputs for which no phone enlarges the page. */

describe('a thumb on a phone', () => {
  let scene: PagesScene
  let window: Window
  let page: Page
  let deals: string
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    const people = await scene.make('table', { table_name: 'People' })
    const own: Record<string, string> = {}
    for (const name of ['Name', 'Company']) await fieldsOf(scene, people, own)(name, 'text')
    await scene.make(`data${people}`, { [own['Name']!]: 'Ines', [own['Company']!]: 'Heron' })
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: ['New', 'Won'] })
    await field('Closes', 'date')
    await field('Who', 'references', { reference_table_id: Number(people) })
    await field('Offer', 'file')
    for (let i = 0; i < 5; i++)
      await scene.make(`data${deals}`, {
        [f['Title']!]: `Deal ${i}`,
        [f['Stage']!]: 'New',
        [f['Closes']!]: '2026-11-05',
        [f['Who']!]: '1',
      })
    await scene.make('webhook', { url: 'https://receiver.example/hook', table_id: Number(deals) })
    const doomed = await scene.make(`data${deals}`, { [f['Title']!]: 'Doomed' })
    assert.equal((await scene.server.call(scene.token, 'DELETE', `data${deals}/${doomed}`)).status, 200)
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open({ width: 390, height: 780, touch: true })
    page = window.page
    page.setDefaultTimeout(15_000)
    await scene.signIn(page, '/profile')
  })
  afterEach(async () => {
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, 'too wide')
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  /** Controls in sight that a thumb misses 21 pixels above or below their middle. */
  const missed = () =>
    page.evaluate<string[]>(`[
      ...document.querySelectorAll('.button, .tab, .select, .input, .menu-item, .admin-open, .day-item a, .mini a, label, .tick:not(label *)'),
    ].flatMap((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      const [across, down] = [x + width / 2, y + height / 2]
      const at = (by) => document.elementsFromPoint(across, down + by)
      const isInSight = down > 22 && down < innerHeight - 56 - 22 && one.contains(at(0)[0])
      return isInSight && ![-21, 21].every((by) => at(by).some((found) => one.contains(found))) ? [one.className + ' ' + one.textContent + ' ' + height] : []
    })`)
  const shown = async (path: string, ready: string) => {
    await page.goto(scene.address(path))
    await page.locator(ready).first().waitFor()
  }
  it('finds what is there at a table, in each of its views, and at a record', async () => {
    for (const [path, ready] of [
      ['', '.cards .card'],
      ['?kind=board', '.lane .card'],
      ['?kind=calendar&day=2026-11-05', '.day-item'],
      ['/1', '.field .mini a'],
      ['/new', '.record-form .field'],
    ] as const) {
      await shown(`/t/${deals}${path}`, ready)
      assert.deepEqual(await missed(), [], path)
    }
  })

  it('the month of the calendar takes one line', async () => {
    for (const span of ['', '&span=week']) {
      await shown(`/t/${deals}?kind=calendar&day=2026-11-05${span}`, '.day-item')
      const { height } = (await page.locator('.calendar h2').boundingBox())!
      assert.ok(height < 30, `${span} ${height}`)
    }
  })

  it('buttons are wider than high, whatever they stand in, and as high as others', async () => {
    await shown('/trash', '.trash-list .button')
    const { width, height } = (await page.locator('.trash-list .button').first().boundingBox())!
    assert.ok(height === 36 && width > height, `${width} × ${height}`)
  })

  it('what is typed into has letters of 16 pixels', async () => {
    await shown(`/t/${deals}`, '.cards .card')
    await page.getByRole('button', { name: 'Filter' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'As an expression' }).click()
    await dialog.locator('textarea').waitFor()
    const small = "[...document.querySelectorAll('input, select, textarea')].filter((one) => one.getClientRects().length > 0 && parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.outerHTML)" // prettier-ignore
    assert.deepEqual(await page.evaluate<string[]>(small), [])
  })

  it('a form of a record has the edges of the page', async () => {
    await shown(`/t/${deals}/new`, '.record-form .field')
    const [title, box, label] = await Promise.all(
      ['.head h1', '.record-form .field dd', '.record-form .field dt .ico'].map(
        async (one) => (await page.locator(one).first().boundingBox())!.x,
      ),
    )
    assert.deepEqual([title, box], [label, label])
  })

  it('a date is not broken', async () => {
    await shown(`/t/${deals}/1`, '.history time')
    const lines = await page.evaluate<number[]>("[...document.querySelectorAll('.history time, .made > span')].map((one) => one.getClientRects().length)") // prettier-ignore
    assert.ok(lines.length > 1 && lines.every((one) => one === 1), lines.join())
  })

  it('finds what is there in the trash, the changes, the profile and the administration', async () => {
    for (const [path, ready] of [
      ['/trash', '.trash-list .button'],
      ['/changes', '.change-line .button'],
      ['/profile', '.sessions'],
      ['/admin/tables', '.admin-tables'],
      ['/admin/users', '.people'],
      ['/admin/webhooks?webhook=new', '.ticks'],
      ['/admin/webhooks', '.ledger .tick'],
    ] as const) {
      await shown(path, ready)
      assert.deepEqual(await missed(), [], path)
    }
  })
})
