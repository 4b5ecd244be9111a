import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Locator, Page, Window } from '../support/chromium.ts'
import { fieldsOf, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What can be read on a window of 390 pixels. */

const LONG = 'When the customer has last written to the people of the support'
const GROUP = 'Department of support and of technical services'
const PERSON = 'Maria Constantinopolskaya'

describe('on a phone', () => {
  let scene: PagesScene
  let window: Window
  let page: Page
  let deals: string
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    const people = await scene.make('table', { table_name: 'People' })
    const own: Record<string, string> = {}
    for (const name of ['Name', 'Company', 'Position']) await fieldsOf(scene, people, own)(name, 'text')
    await scene.make(`data${people}`, { [own['Name']!]: 'Ines', [own['Company']!]: 'Heron', [own['Position']!]: 'Secretary' })
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field(LONG, 'text')
    await field('Who', 'references', { reference_table_id: Number(people) })
    await scene.make(`data${deals}`, {
      [f['Title']!]: 'Accounting software for a group of companies',
      [f[LONG]!]: 'in May',
      [f['Who']!]: '1',
    })
    const group = await scene.make('group', { group_name: GROUP })
    await scene.make('user', { fio: PERSON, login: 'maria', group_id: Number(group) })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open({ width: 390, height: 780 })
    page = window.page
    page.setDefaultTimeout(15_000)
    await scene.signIn(page, '/profile')
  })
  afterEach(async () => {
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, 'too wide')
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const place = async (one: Locator) => {
    await one.waitFor()
    return (await one.boundingBox())!
  }
  const isCut = (what: string) =>
    page.evaluate<boolean>(`(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(${JSON.stringify(what)}))`)

  it('the choice beside the title of a page stands in its line and does not cut it', async () => {
    await page.goto(scene.address('/changes'))
    const [title, choice] = [await place(page.locator('.head h1')), await place(page.locator('.head .one-of'))]
    assert.ok(choice.y < title.y + title.height, 'in one line')
    assert.equal(await isCut('.head h1 .cut'), false)
  })

  it('an address that leads nowhere has the way to the tables', async () => {
    await page.goto(scene.address('/admin/nothing'))
    await page.locator('.head').getByRole('button', { name: 'There is nothing here' }).waitFor()
  })

  it('a card shows the value of a field with a long name, and all of its own name', async () => {
    await page.goto(scene.address(`/t/${deals}`))
    const [card, value] = [await place(page.locator('.cards .card')), await place(page.locator('.cards .card').getByText('in May'))]
    assert.ok(value.x + value.width <= card.x + card.width, `${value.x + value.width}`)
    assert.equal(await isCut('.cards .card h2'), false)
  })

  it('the records of a field have two columns', async () => {
    await page.goto(scene.address(`/t/${deals}/1`))
    await page.locator('.field .mini').getByText('Heron').waitFor()
    assert.equal(await page.locator('.field .mini').getByText('Secretary').isVisible(), false)
  })

  it('a person has a line for the name, and one for the group', async () => {
    await page.goto(scene.address('/admin/users'))
    const line = page.locator('.people li', { hasText: PERSON })
    assert.ok((await place(line.locator('b'))).height < 30, 'the name takes one line')
    await place(line.getByText(GROUP))
    const { x, width } = await place(line)
    const group = await place(line.locator('.pill.calm'))
    assert.ok(group.width > width * 0.7 && group.x + group.width <= x + width, `${group.width} of ${width}`)
  })
})
