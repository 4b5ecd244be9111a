import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, HOSTILE, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/* Saved views, and the ways to show records besides the grid. */

describe('views', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  const month = new Date().toISOString().slice(0, 7)
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: [{ label: 'New' }, { label: HOSTILE.slice(0, 100).trim() }, { label: 'Won' }] })
    await field('Amount', 'decimal', { scale: 2 })
    await field('Closes', 'date')
    for (let i = 1; i <= 12; i++)
      await scene.make(`data${deals}`, {
        [f['Title']!]: i === 12 ? HOSTILE : `Deal ${i}`,
        [f['Stage']!]: i % 3 === 0 ? 'Won' : i % 3 === 1 ? 'New' : '',
        [f['Amount']!]: `${i * 100}`,
        [f['Closes']!]: `${month}-${String(i + 4).padStart(2, '0')}`,
      })
  })
  after(() => scene?.close())

  const opened = async (options: Parameters<PagesScene['open']>[0] = {}) => {
    const window = await scene.open(options)
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, `/t/${deals}`)
    return window
  }
  const add = async (page: Page, kind: string, name: string) => {
    await page.getByRole('button', { name: 'Add a view' }).click()
    await page.getByRole('menuitem', { name: kind, exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name, exact: true }).waitFor()
    await page.waitForURL(/[?&]view=\d/)
  }
  const value = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[f[name]!]
  const menu = async (page: Page, view: string, item: string) => {
    await page.getByRole('button', { name: `Menu of the view ${view}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const look = async (page: Page, what: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await mustBeAccessible(page, `${what}, ${colorScheme}`)
    }
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, `${what} is too wide`)
  }

  it('keep filter, order and columns; changes are shown, saved or taken back', async () => {
    const { page, context, faults } = await opened()
    await page.goto(scene.address(`/t/${deals}?filter=gt(${f['Amount']},600)&sort=-${f['Amount']}`))
    await page.getByText('6 records', { exact: true }).waitFor()
    await add(page, 'Grid', 'Large ones')
    await page.getByRole('link', { name: 'All records' }).click()
    await page.getByText('12 records', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Large ones' }).click()
    await page.getByText('6 records', { exact: true }).waitFor()
    assert.deepEqual(await page.locator('.tabs [aria-current=page]').allInnerTexts(), ['Large ones'])
    const id = new URL(page.url()).searchParams.get('view')
    await page.getByRole('button', { name: 'Take the filter away' }).first().click()
    await page.getByText('12 records', { exact: true }).waitFor()
    await page.getByRole('img', { name: 'changed, not saved' }).waitFor()
    await menu(page, 'Large ones', 'As it was saved')
    await page.getByText('6 records', { exact: true }).waitFor()
    // A link that names the view alone, from somebody else.
    await page.goto(scene.address(`/t/${deals}?view=${id}&record=3`))
    await page.getByText('6 records', { exact: true }).waitFor()
    await page.locator('.record-panel').getByRole('heading', { name: 'Deal 3' }).waitFor()
    await page.locator('.record-panel').getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Amount', exact: true }).click()
    await menu(page, 'Large ones', 'Save')
    const order = async () => (await scene.server.call(scene.token, 'GET', `view/${id}`)).body.data.attributes.sort
    await until('the order', async () => (await order()) === '')
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('the order as before', async () => (await order()) === `-${f['Amount']}`)
    await menu(page, 'Large ones', 'Delete the view')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Large ones' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are saved, renamed, shared and put back by the keyboard alone, from the palette', async () => {
    const { page, context, faults } = await opened()
    const order = async (words: string, title: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type(words)
      await until(title, async () => (await page.getByRole('option').first().innerText()) === title)
      await page.keyboard.press('Enter')
      await page.getByRole('option').waitFor({ state: 'detached' })
    }
    await page.goto(scene.address(`/t/${deals}?filter=gt(${f['Amount']},900)`))
    await page.getByText('3 records', { exact: true }).waitFor()
    await order('save as a', 'Save as a view')
    await page.getByRole('textbox', { name: 'Name of the view' }).waitFor()
    await page.keyboard.type('The largest')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'The largest', exact: true }).waitFor()
    await page.waitForURL(/[?&]view=\d/)
    const id = new URL(page.url()).searchParams.get('view')
    const saved = async () => (await scene.server.call(scene.token, 'GET', `view/${id}`)).body.data.attributes
    await order('take the filter', 'Take the filter away')
    await page.getByText('12 records', { exact: true }).waitFor()
    await order('put the view', 'Put the view back as it was saved')
    await page.getByText('3 records', { exact: true }).waitFor()
    await order('take the filter', 'Take the filter away')
    await order('save the ch', 'Save the changes of the view')
    await until('no filter', async () => (await saved()).filter === '')
    await order('rename the v', 'Rename the view')
    await page.getByRole('textbox', { name: 'Name of the view' }).waitFor()
    await page.keyboard.type('All of them')
    await page.keyboard.press('Enter')
    await until('the name', async () => (await saved()).view_name === 'All of them')
    // Also one of an administrator is their own until they share it.
    assert.equal((await saved()).user_id, 1)
    await order('publish', 'Share with everybody')
    await page.locator('.toast').getByText('The view is there for everybody now').waitFor()
    await until('for all', async () => (await saved()).user_id === 0)
    await order('stop sh', 'Stop sharing: for me alone')
    await until('for one alone', async () => (await saved()).user_id === 1)
    await order('delete the v', 'Delete the view')
    await page.getByRole('link', { name: 'All of them', exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a link to a view that is not there for the person says so', async () => {
    const { page, context, faults } = await opened()
    await page.goto(scene.address(`/t/${deals}?view=99999`))
    await page.getByText('There is no such view, or it is for somebody else alone: all records are shown').waitFor()
    await page.getByText('12 records', { exact: true }).waitFor()
    await until('no view in the address', async () => new URL(page.url()).search === '')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a board moves cards between options by mouse and by menu, and back', async () => {
    const { page, context, faults } = await opened()
    await add(page, 'Board', 'By stage')
    const lane = (name: string) => page.getByRole('region', { name, exact: true })
    await lane('Won').getByText('Deal 3', { exact: true }).waitFor()
    await until('the count', async () => /^New\s+4\s/.test(await lane('New').innerText()))
    // The head adds up the amounts, as the service does.
    const { meta } = (
      await scene.server.call(scene.token, 'GET', `data${deals}/aggregate?groupBy=${f['Stage']}&function=sum:${f['Amount']}`)
    ).body
    const sum = (meta.groups as { value: string; sum: Record<string, string> }[]).find((one) => one.value === 'New')!.sum[f['Amount']!]
    await lane('New')
      .getByTitle(`Sum: Amount ${Number(sum).toLocaleString('en-GB')}`)
      .waitFor()
    await look(page, 'board')
    await lane('New').getByRole('listitem').filter({ hasText: 'Deal 1' }).first().dragTo(lane('Won'))
    await until('the option', async () => (await value(1, 'Stage')) === 'Won')
    await page.locator('.toast').filter({ hasText: 'Won' }).getByRole('button', { name: 'Undo' }).click()
    await until('the option as before', async () => (await value(1, 'Stage')) === 'New')
    await page.getByRole('button', { name: 'Move record 4' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Won' }).press('Enter')
    await until('the option', async () => (await value(4, 'Stage')) === 'Won')
    await lane('Won').getByText('Deal 4', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a calendar shows the month, and moves records to other days', async () => {
    const { page, context, faults } = await opened()
    await add(page, 'Calendar', 'When')
    await page.getByRole('link', { name: 'Deal 5', exact: true }).waitFor()
    await look(page, 'calendar')
    await page.getByRole('button', { name: 'Move record 5' }).click()
    await page.locator('.day-picker').getByText('20', { exact: true }).click()
    await until('the day', async () => (await value(5, 'Closes')) === `${month}-20`)
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('link', { name: 'Deal 7', exact: true }).waitFor({ state: 'detached' })
    // A month without records leads to those that there are.
    await page.getByText('No records here.').waitFor()
    await page.getByRole('button', { name: 'Next month' }).click()
    assert.equal(await page.getByRole('button', { name: /^The next: / }).count(), 0)
    await look(page, 'a month of the calendar without records')
    await page.getByRole('button', { name: /^The last before: / }).click()
    await page.getByRole('link', { name: 'Deal 7', exact: true }).waitFor()
    assert.equal(await page.getByText('No records here.').count(), 0)
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('link', { name: 'Deal 7', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'Deal 7', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Week')
    const days = () => page.evaluate<string[]>("[...document.querySelectorAll('.day > time')].map(({ dateTime }) => dateTime)")
    await until('seven days', async () => (await days()).length === 7)
    const [monday] = await days()
    assert.equal(new Date(monday!).getUTCDay(), 1)
    await look(page, 'a week of the calendar')
    await page.getByRole('button', { name: 'Next week' }).click()
    await until('the week after', async () => Date.parse((await days())[0]!) - Date.parse(monday!) === 7 * 86_400_000)
    await page.getByRole('button', { name: 'Week before' }).click()
    await until('the week before', async () => (await days())[0] === monday)
    // The view keeps that it is a week.
    await menu(page, 'When', 'Save')
    await page.getByRole('img', { name: 'changed, not saved' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All records' }).click()
    await page.getByRole('link', { name: 'When', exact: true }).click()
    await until('seven days', async () => (await days()).length === 7)
    // All of that is in the address.
    await page.getByRole('button', { name: 'Next week' }).click()
    await until('the week after', async () => Date.parse((await days())[0]!) - Date.parse(monday!) === 7 * 86_400_000)
    await page.reload()
    await until('the same week', async () => Date.parse((await days())[0] ?? '') - Date.parse(monday!) === 7 * 86_400_000)
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Month')
    await menu(page, 'When', 'Save')
    await page.getByRole('img', { name: 'changed, not saved' }).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a calendar shows lines in the place of records that take long to come', async () => {
    const { page, context } = await opened()
    await page.route(`**/api/dev/data${deals}?*`, () => {})
    await page.goto(scene.address(`/t/${deals}?kind=calendar`))
    await until('lines', async () => (await page.locator('.day .wait').count()) > 20)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('.calendar').getByRole('status', { name: 'Loading…' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await page.getByRole('link', { name: 'Deal 7', exact: true }).waitFor()
    assert.equal(await page.locator('.day .wait').count(), 0)
    await context.close()
  })

  it('a view for which a field is missing leads those who may add one there', async () => {
    const { page, context, faults } = await scene.open()
    const plain = await scene.make('table', { table_name: 'Plain' })
    await scene.make('field', { table_id: Number(plain), field_name: 'Title', field_type: 'text' })
    await scene.signIn(page, `/t/${plain}?kind=calendar`)
    await page.getByRole('heading', { name: 'A calendar needs a field with a date' }).waitFor()
    await page.goto(scene.address(`/t/${plain}?kind=board`))
    await page.getByRole('link', { name: 'New field' }).waitFor()
    await page.getByRole('link', { name: 'New field' }).click()
    await page.waitForURL(new RegExp(`/admin/tables/${plain}\\?field=new$`))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a chart counts and adds up, and says the same as a table', async () => {
    const { page, context, faults } = await opened()
    await add(page, 'Chart', 'Figures')
    await page.getByRole('cell', { name: 'Won' }).waitFor()
    await page.getByLabel('Figure', { exact: true }).selectOption({ label: 'Sum: Amount' })
    const { meta } = (
      await scene.server.call(scene.token, 'GET', `data${deals}/aggregate?groupBy=${f['Stage']}&function=sum:${f['Amount']}`)
    ).body
    const won = meta.groups.find(({ value: one }: { value: string }) => one === 'Won').sum[f['Amount']!]
    await page
      .getByRole('cell', { name: Number(won).toLocaleString('en-GB', { minimumFractionDigits: 2 }) })
      .first()
      .waitFor()
    await page.getByLabel('By which field').selectOption({ label: 'Closes: by month' })
    await until('one month', async () => (await page.locator('.mini tbody tr').count()) === 1)
    const called = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00Z`))
    assert.equal(await page.locator('.mini tbody td').first().innerText(), called)
    await look(page, 'chart')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Sum: Amount' }).waitFor()
    await menu(page, 'Figures', 'Save')
    await page.getByRole('img', { name: 'changed, not saved' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All records' }).click()
    await page.getByRole('link', { name: 'Figures', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Sum: Amount' }).waitFor()
    const paddings = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.bars .bar-row > :nth-child(2)')].map((bar) => getComputedStyle(bar).padding)",
    )
    assert.ok(paddings.length > 0 && paddings.every((padding) => padding === '0px'), paddings.join())
    // What is refused as it is asked is refused again.
    const body = JSON.stringify({ errors: [{ status: '400', code: 'aggregate.too_many_groups', title: 'Too many groups', detail: 'There are too many groups.' }] }) // prettier-ignore
    await page.route('**/aggregate?*', (route) => route.fulfill({ status: 400, contentType: 'application/vnd.api+json', body }))
    await page.reload()
    await page.getByRole('alert').getByText('There are too many groups.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a chart counts by people; cards have a picture where there is one', async () => {
    const table = await scene.make('table', { table_name: 'Boats' })
    const field = async (field_name: string, field_type: string) =>
      `f${await scene.make('field', { table_id: Number(table), field_name, field_type })}`
    const [name, owner, photo] = [await field('Name', 'text'), await field('Owner', 'user'), await field('Photo', 'image')]
    const anna = await scene.make('user', { login: 'anna', fio: 'Anna Berg', group_id: 3, password })
    for (const [boat, whose] of [
      ['Heron', anna],
      ['Stork', anna],
      ['Gull', ''],
    ])
      await scene.make(`data${table}`, { [name]: boat, [owner]: whose })
    const kept = await fetch(scene.address(`/api/dev/file/${table}/${photo.slice(1)}/1/heron.png`), {
      method: 'PUT',
      headers: { 'X-Auth-Token': scene.token, 'Content-Type': 'image/png' },
      body: Buffer.from(PNG, 'base64'),
    })
    assert.ok(kept.ok, await kept.text())
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}?kind=chart`)
    await page.getByLabel('By which field').selectOption({ label: 'Owner' })
    const lines = page.locator('.mini tbody tr')
    await until('a line for Anna, one for nobody', async () => (await lines.count()) === 2)
    assert.match((await lines.filter({ hasText: 'Anna Berg' }).innerText()).replace(/\s+/g, ' '), /^Anna Berg 2/)
    await look(page, 'a chart by people')
    await page.goto(scene.address(`/t/${table}?kind=cards`))
    const cards = page.locator('.gallery .card')
    await until('three cards', async () => (await cards.count()) === 3)
    await until('the picture is drawn', () => page.evaluate<boolean>("document.querySelector('.gallery .card img')?.naturalWidth > 0"))
    assert.equal(await cards.filter({ hasText: 'Heron' }).locator('img').count(), 1)
    assert.equal(await cards.locator('img').count(), 1)
    await look(page, 'cards with a picture')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('leave room for the title of the table on a phone, also for who may not add records', async () => {
    await scene.make('user', { login: 'reader', fio: 'Reader', group_id: 3, password })
    await scene.make('access', { group_id: 3, table_id: Number(deals), read: true })
    for (const login of ['admin', 'reader']) {
      const { page, context, faults } = await scene.open({ width: 390, height: 844 })
      await scene.signIn(page, `/t/${deals}`, login)
      await page.getByRole('navigation', { name: 'Views' }).waitFor()
      const title = (await page.locator('.head h1').boundingBox())!
      const tabs = (await page.locator('.tabs').boundingBox())!
      assert.ok(title.width > 200, `for ${login} the title of the table is ${title.width} px wide`)
      assert.ok(tabs.y >= title.y + title.height, `for ${login} the tabs stand below the title`)
      assert.deepEqual(faults, [])
      await context.close()
    }
  })

  it('are used with a thumb, in Russian', async () => {
    const { page, context, faults } = await opened({ width: 390, height: 844, locale: 'ru-RU' })
    for (const [name, ready] of [
      ['By stage', '.lane'],
      ['When', '.day-item'],
      ['Figures', '.mini'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.locator(ready).first().waitFor()
      await look(page, `${name} on a phone`)
    }
    assert.deepEqual(faults, [])
    await context.close()
  })
})
