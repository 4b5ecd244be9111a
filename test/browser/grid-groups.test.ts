import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page, type Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { following, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* A list under the heads of groups. */

const ROWS = 400

describe('a grouped grid', () => {
  let scene: PagesScene
  let goods: string
  let many: string
  const f: Record<string, string> = {}
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    const field = async (table: string, field_name: string, field_type: string, more: object = {}) =>
      `f${await scene.make('field', { table_id: Number(table), field_name, field_type, ...more })}`
    goods = await scene.make('table', { table_name: 'Goods' })
    f['Name'] = await field(goods, 'Name', 'text')
    f['Kind'] = await field(goods, 'Kind', 'list', { options: [{ label: 'Food' }, { label: 'Tools' }] })
    f['Made'] = await field(goods, 'Made', 'date')
    f['Good'] = await field(goods, 'Good', 'boolean')
    // Every tenth has no kind; of the others a third is food, and the rest are tools.
    const lines = Array.from({ length: ROWS }, (_, i) => {
      const kind = i % 10 === 9 ? '' : i % 3 ? 'Tools' : 'Food'
      return `Thing ${i + 1},${kind},2024-${String(1 + (i % 12)).padStart(2, '0')}-0${1 + (i % 5)},${i % 2}`
    })
    await scene.fill('Goods', ['Name,Kind,Made,Good', ...lines].join('\n'))
    many = await scene.make('table', { table_name: 'Many' })
    f['Day'] = await field(many, 'Day', 'date')
    const days = Array.from({ length: 1100 }, (_, i) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10))
    await scene.fill('Many', ['Day', ...days].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${goods}`)
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const menu = async (column: string, item: string) => {
    await page.getByRole('columnheader', { name: column }).hover()
    await page.getByRole('button', { name: `Menu of the column ${column}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const head = (name: string) => page.locator('.group-head button').filter({ hasText: name })
  /** In sight: names and counts. */
  const heads = () => page.locator('.group-head button > .num :not(.said), .group-head button > b').allTextContents()
  const grouped = async (...expected: string[]) => {
    let last = ''
    await until(`groups: ${expected}`, async () => (last = `${await heads()}`) === `${expected}`).catch((error: unknown) => {
      throw new Error(`There is ${last}`, { cause: error })
    })
  }
  const row = (text: string) => page.locator('[role=row]').filter({ has: page.getByRole('link', { name: text, exact: true }) })
  const of = async (text: string, attribute: string) => await row(text).getAttribute(attribute)
  const exists = async (record: number) => (await scene.server.call(scene.token, 'GET', `data${goods}/${record}`)).status === 200

  it('has the records of each group below its head, which folds them away', async () => {
    await menu('Kind', 'Group by this column')
    await head('No value').waitFor()
    await page.waitForURL(/group=f\d+/)
    const counts = await Promise.all(
      ['', 'Food', 'Tools'].map(async (kind) => {
        const { body } = await scene.server.call(scene.token, 'GET', `data${goods}?page[limit]=1&filter=eq(${f['Kind']},'${kind}')`)
        return body.meta.total as number
      }),
    )
    assert.equal(
      counts.reduce((sum, one) => sum + one),
      ROWS,
    )
    const [none, tools, food] = counts.map(String)
    await grouped('No value', none!)
    assert.equal(await head('No value').getAttribute('aria-expanded'), 'true')
    await head('No value').click()
    await grouped('No value', none!, 'Food', tools!)
    assert.equal(await head('No value').getAttribute('aria-expanded'), 'false')
    await row('Thing 1').waitFor()
    // Line 1 has the names of the columns; its place in the list stays.
    assert.deepEqual([await of('Thing 1', 'aria-rowindex'), await of('Thing 1', 'data-row')], ['4', none])
    await head('Food').click()
    await grouped('No value', none!, 'Food', tools!, 'Tools', food!)
    await row('Thing 2').waitFor()
    assert.equal(await of('Thing 2', 'aria-rowindex'), '5')
    await page.reload()
    await head('No value').waitFor()
    await page.getByRole('button', { name: 'Groups: Kind' }).click()
    await page.getByRole('menuitem', { name: 'Fold all groups' }).click()
    await grouped('No value', none!, 'Food', tools!, 'Tools', food!)
    await until('no rows', async () => (await page.locator('.grid-rows [data-row]').count()) === 0)
    await page.getByRole('button', { name: 'Groups: Kind' }).click()
    await page.getByRole('menuitem', { name: 'Do not group' }).click()
    await until('no heads', async () => (await heads()).length === 0)
    await row('Thing 2').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('group'), null)
  })

  it('never acts on what is folded away', async () => {
    await page.goto(scene.address(`/t/${goods}?group=${f['Good']}`))
    await head('No').waitFor()
    await grouped('No', String(ROWS / 2))
    await row('Thing 1').locator('[data-col="1"]').click()
    await head('No').click()
    // Thing 2 is the first of the others.
    await until('the next group', async () => (await page.locator('.cell.at').getAttribute('aria-selected')) === 'true')
    await row('Thing 2').waitFor()
    await row('Thing 2').locator('[data-col="1"].at').waitFor()
    await page.locator('.grid-rows .cell.at').focus()
    await page.keyboard.press('ArrowDown')
    await row('Thing 4').locator('.at').waitFor()
    await page.keyboard.press('ArrowUp')
    await row('Thing 2').locator('.at').waitFor()
    await page.keyboard.press('Control+Backspace')
    await page.getByText('1 record is in the trash').waitFor()
    assert.deepEqual([await exists(1), await exists(2)], [true, false])
    await page.keyboard.press('Control+z')
    await until('it is back', () => exists(2))
    // A range opens what it goes over.
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+Home')
    await until('it is open', async () => (await head('No').getAttribute('aria-expanded')) === 'true')
  })

  it('goes by months, in the direction of the order, and to any row', async () => {
    await menu('Made', 'Group by month')
    await head('January 2024').waitFor()
    await page.goto(scene.address(`/t/${goods}?group=${f['Made']}:month&sort=-${f['Made']}`))
    await head('December 2024').waitFor()
    assert.equal((await heads())[0]!.startsWith('December 2024'), true)
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill('400')
    await page.keyboard.press('Enter')
    await until('the last row', async () => (await page.locator('[data-row="399"] .at').count()) === 1)
    assert.equal(await page.locator('[data-row="399"]').getAttribute('aria-rowindex'), String(400 + 12 + 1))
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), String(400 + 12 + 1))
  })

  it('leaves a record whose group changes where it is, and says that the list has changed', async () => {
    await following(page, () => page.goto(scene.address(`/t/${goods}?group=${f['Kind']}&filter=lte(id,6)`)))
    await grouped('Food', '2', 'Tools', '4')
    await scene.server.call(scene.token, 'PATCH', `data${goods}/1`, { data: { type: `data${goods}`, id: '1', attributes: { [f['Kind']!]: 'Tools' } } }) // prettier-ignore
    await page.getByRole('button', { name: 'The list has changed: show it' }).click()
    await grouped('Food', '1', 'Tools', '5')
    await scene.server.call(scene.token, 'PATCH', `data${goods}/1`, { data: { type: `data${goods}`, id: '1', attributes: { [f['Kind']!]: 'Food' } } }) // prettier-ignore
  })

  it('is without heads where there are more than the service counts, and says so', async () => {
    await page.goto(scene.address(`/t/${many}?group=${f['Day']}:day`))
    await page.getByText(/^No groups: .*1,?000/).waitFor()
    await page.locator('[data-row="20"]').waitFor()
    assert.deepEqual(await heads(), [])
  })

  for (const [colorScheme, locale] of [
    ['light', 'ru-RU'],
    ['dark', 'en-GB'],
  ] as const)
    it(`has nothing that axe calls serious: ${colorScheme}, ${locale}`, async () => {
      const other = await scene.open({ locale })
      await other.page.emulateMedia({ colorScheme })
      await scene.signIn(other.page, `/t/${goods}?group=${f['Kind']}`)
      await other.page.locator('.group-head').first().waitFor()
      await mustBeAccessible(other.page, 'a grouped grid')
      assert.deepEqual(other.faults, [])
      await other.context.close()
    })
})
