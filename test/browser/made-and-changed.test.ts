import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, following, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* Who made a record, when, and when it was changed last: as columns, in filters, orders and files, and on the card. */

describe('who made a record and when it was changed', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Name', 'text')
    await field('Stage', 'text')
    await scene.fill('Deals', ['Name,Stage', ...Array.from({ length: 5 }, (_, i) => `Deal ${i + 1},new`)].join('\n'))
    const rights = { table_id: Number(deals), read: true, create: true, update: true, delete: true, bed: true }
    await scene.make('access', { ...rights, group_id: 3, fields: { add_time: 'hidden', user_id: 'hidden' } })
    await scene.make('access', { ...rights, group_id: 2 })
    await scene.make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
    const vera = await scene.make('user', { login: 'vera', fio: 'Vera Ivanova', group_id: 2, password })
    await scene.make(`data${deals}`, { [f['Name']!]: 'Mine', user_id: Number(vera) })
  })
  after(() => scene?.close())

  const opened = async (login = 'admin', path = '') => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, `/t/${deals}${path}`, login)
    await window.page.getByText(/^\d+ records?$/).waitFor()
    return window
  }
  const heads = (page: Page) => page.locator('.grid-head .col-name').allInnerTexts()
  const cellOf = (page: Page, row: number, col: number) => page.locator(`.grid-rows [data-row='${row}'] [data-col='${col}']`)
  const partOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
  const change = (id: number, to: string) =>
    scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, { data: { type: `data${deals}`, id: String(id), attributes: { [f['Stage']!]: to } } }) // prettier-ignore
  const updated = async (id: number): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}?fields[data${deals}]=update_time`)).body.data.attributes.update_time

  it('are columns that one chooses, which follow what is changed', async () => {
    const { page, context, faults } = await opened('vera')
    assert.deepEqual(await heads(page), ['Name', 'Stage'])
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Made by', 'Changed at', 'Made at']) await page.getByRole('menuitemcheckbox', { name }).click()
    await page.keyboard.press('Escape')
    assert.deepEqual(await heads(page), ['Name', 'Stage', 'Made at', 'Made by', 'Changed at'])
    await until('the time of the change', async () => (await cellOf(page, 0, 4).innerText()) !== '')
    assert.equal(partOf(page, 'columns'), `*,add_time>${f['Stage']},user_id>add_time,update_time>user_id`)
    await mustBeAccessible(page, 'columns of every record')
    const time = await cellOf(page, 0, 4).locator('time').getAttribute('datetime')
    assert.equal(time, await updated(1))
    await following(page, () => page.reload())
    await cellOf(page, 0, 4).locator('time').waitFor()
    await until('another second', async () => new Date().toISOString().slice(0, 19).replace('T', ' ') > time!)
    await change(1, 'won')
    await until('what another did', async () => (await cellOf(page, 0, 4).locator('time').getAttribute('datetime')) === (await updated(1)))
    assert.notEqual(await updated(1), time)
    // One's own change too. Nobody sets the time itself.
    await cellOf(page, 1, 1).click()
    await page.keyboard.type('lost')
    await page.keyboard.press('Enter')
    await until('one’s own', async () => {
      const now = await updated(2)
      return now !== time && (await cellOf(page, 1, 4).locator('time').getAttribute('datetime')) === now
    })
    assert.equal(await cellOf(page, 1, 4).getAttribute('aria-readonly'), 'true')
    await cellOf(page, 1, 2).click()
    await page.keyboard.press('F2')
    assert.equal(await page.locator('.cell.edit').count(), 0)
    await page.goto(scene.address(`/t/${deals}?columns=${f['Name']},user_id&filter=eq(user_id,current_user)`))
    await page.getByText('1 record', { exact: true }).waitFor()
    await until('the name', async () => (await cellOf(page, 0, 1).innerText()) === 'Vera Ivanova')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are in the filter, in the order and in a saved view', async () => {
    const { page, context, faults } = await opened()
    await page.keyboard.press('Control+Shift+F')
    const rule = page.locator('.filter-builder .rule').first()
    await rule.getByLabel('Field').selectOption({ label: 'Changed at' })
    await rule.getByLabel('Comparison').selectOption({ label: 'falls within' })
    await page.locator('.filter-builder .says').getByText('Changed at falls within this week', { exact: true }).waitFor()
    await rule.getByLabel('Field').selectOption({ label: 'Made by' })
    await rule.getByRole('button', { name: 'Made by: Value' }).click()
    await page.getByRole('option', { name: 'Vera Ivanova' }).click()
    await page.locator('.filter-builder .says').getByText('Made by is Vera Ivanova', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take the filter away' }).click()
    await page.getByText('6 records', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Order', exact: true }).click()
    await page.getByLabel('Sort by', { exact: true }).selectOption({ label: 'Changed at' })
    await page.getByLabel('Direction').selectOption({ label: 'descending' })
    await page.keyboard.press('Escape')
    await until('the order', async () => partOf(page, 'sort') === '-update_time')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Changed at' }).click()
    await page.keyboard.press('Escape')
    const view = await scene.make('view', {
      table_id: Number(deals),
      view_name: 'Lately',
      sort: '-update_time',
      columns: [{ attribute: f['Name'] }, { attribute: 'update_time', width: 200 }],
    })
    await page.goto(scene.address(`/t/${deals}?view=${view}`))
    await until('the columns of the view', async () => (await heads(page)).join() === 'Name,Changed at')
    await cellOf(page, 0, 1).locator('time').waitFor()
    // It is not another view by being looked at.
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('make groups of the grid, on a phone too, and bars of a chart', async () => {
    const { page, context, faults } = await opened('vera', `?columns=*,user_id>${f['Stage']}`)
    await page.getByRole('columnheader', { name: 'Made by' }).hover()
    await page.getByRole('button', { name: 'Menu of the column Made by' }).click()
    await page.getByRole('menuitem', { name: 'Group by this column' }).click()
    await until('the group', async () => partOf(page, 'group') === 'user_id')
    const rows = page.locator('.grid-rows .group-head')
    await rows.filter({ hasText: 'Vera Ivanova' }).waitFor()
    assert.equal(await rows.count(), 2)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('By which field').selectOption({ label: 'Made at: by month' })
    await until('the other group', async () => partOf(page, 'group') === 'add_time:month')
    const month = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date())
    await page.getByText(month).first().waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(scene.address(`/t/${deals}?kind=chart`))
    // Without a list, a reference or a date of its own, the chart begins with the months.
    const lines = page.locator('.mini tbody tr')
    await lines.filter({ hasText: month }).getByText('6', { exact: true }).waitFor()
    await page.getByLabel('By which field').selectOption({ label: 'Made by' })
    await lines.filter({ hasText: 'Vera Ivanova' }).getByText('1', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are told on the card, with who changed it as the history knows it', async () => {
    const { page, context, faults } = await opened()
    await change(3, 'lost')
    await page.goto(scene.address(`/t/${deals}/3`))
    await page.getByText(/^Made .+ · Changed .+ by .+/).waitFor()
    await page.goto(scene.address(`/t/${deals}/4`))
    await page.getByText(/^Made [^·]+$/).waitFor()
    await page.goto(scene.address(`/t/${deals}?record=6`))
    await page.getByText(/^Made .+ by Vera Ivanova/).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are not offered to whom a rule hides them', async () => {
    const { page, context, faults } = await opened('boris')
    await page.getByRole('button', { name: 'Columns' }).click()
    assert.deepEqual(await page.getByRole('menuitemcheckbox').allInnerTexts(), ['Name', 'Stage'])
    // Nor is a new field, to those who may make none.
    assert.equal(await page.getByRole('menuitem').count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Shift+F')
    const options = page.locator('.filter-builder .rule').first().getByLabel('Field').locator('option')
    assert.deepEqual(await options.allInnerTexts(), ['Name', 'Stage'])
    await page.goto(scene.address(`/t/${deals}/3`))
    await page.getByRole('button', { name: 'Change Name' }).waitFor()
    assert.equal(await page.locator('.made').count(), 0)
    // A link of somebody who sees them shows the rest.
    await page.goto(scene.address(`/t/${deals}?columns=${f['Name']},update_time,${f['Stage']}`))
    await cellOf(page, 0, 1).waitFor()
    assert.deepEqual(await heads(page), ['Name', 'Stage'])
    assert.deepEqual(faults, [])
    await context.close()
  })
})
