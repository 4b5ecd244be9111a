import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* What a person may not do is not offered to them, and nothing that they do ends in a refusal (DECISIONS V38, V39). */

describe('a person', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  let window: Window
  let page: Page
  let refused: string[]

  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Name', 'text')
    await field('Notes', 'text')
    await field('More', 'text')
    await field('Stage', 'list', { options: ['New', 'Won'] })
    await field('Team', 'text')
    await field('Due', 'date')
    const today = new Date().toISOString().slice(0, 10)
    const lines = Array.from({ length: 8 }, (_, i) => `Deal ${i + 1},note ${i + 1},,New,${i % 2 ? 'South' : 'North'},${i < 2 ? today : ''}`)
    await scene.fill('Deals', ['Name,Notes,More,Stage,Team,Due', ...lines].join('\n'))
    const rights = { table_id: Number(deals), read: true, create: true, update: true, delete: true }
    await scene.make('access', { ...rights, group_id: 3, bed: true, write_filter: `eq(${f['Team']},'North')` })
    await scene.make('access', { ...rights, group_id: 2 })
    await scene.make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
    await scene.make('user', { login: 'vera', fio: 'Vera Ivanova', group_id: 2, password })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(15_000)
    refused = []
    page.on('response', (answer) => void (answer.status() === 403 && refused.push(`${answer.request().method()} ${answer.url()}`)))
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterEach(async () => {
    assert.deepEqual([window.faults, refused], [[], []])
    await window.context.close()
  })

  const columns = ['Name', 'Notes', 'More', 'Stage', 'Team']
  const cell = (row: number, name: string) => page.locator(`[data-row='${row}'] [data-col='${columns.indexOf(name)}']`)
  const number = (row: number) => page.locator(`[data-row='${row}'] [data-col='-1']`)
  const place = { position: { x: 3, y: 5 } }
  const inGrid = async (login: string, query = '') => {
    await scene.signIn(page, `/t/${deals}${query}`, login)
    await cell(0, 'Notes').waitFor()
  }
  const value = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[f[name]!]
  const hold = (name: string, wanted: readonly string[]) =>
    until(`${name}: ${wanted.join()}`, async () =>
      (await Promise.all(wanted.map(async (one, i) => (await value(i + 1, name)) === one))).every(Boolean),
    )
  const change = (id: number, name: string, to: string) =>
    scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, { data: { type: `data${deals}`, id: String(id), attributes: { [f[name]!]: to } } }) // prettier-ignore
  const paste = async (text: string) => {
    await page.evaluate('((text) => navigator.clipboard.writeText(text))(' + JSON.stringify(text) + ')')
    await page.keyboard.press('Control+v')
  }
  const readOnly = (row: number, name: string) => cell(row, name).getAttribute('aria-readonly')

  it('reads the records that their group may not write, and acts on several leave these out', async () => {
    await inGrid('boris')
    assert.deepEqual([await readOnly(0, 'Notes'), await readOnly(1, 'Notes')], ['false', 'true'])
    await cell(1, 'Notes').click()
    const why = page.getByText('You may not change this')
    const noted = async () => {
      await why.waitFor()
      await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
      await why.waitFor({ state: 'detached' })
    }
    await page.keyboard.press('F2')
    await noted()
    await cell(1, 'Notes').dblclick()
    await noted()
    await cell(1, 'Notes').click()
    await page.keyboard.type('x')
    await why.waitFor()
    assert.equal(await page.locator('.cell.edit').count(), 0)
    await page.keyboard.press('Delete')

    await cell(0, 'Notes').click()
    await cell(3, 'Notes').click({ modifiers: ['Shift'] })
    await page.keyboard.press('Control+d')
    await page.getByText('2 records are left out: your rights do not allow it').waitFor()
    await hold('Notes', ['note 1', 'note 2', 'note 1', 'note 4'])

    await cell(0, 'More').click()
    await paste('a\nb\nc\n')
    await page.getByText('1 record is left out').waitFor()
    await hold('More', ['a', '', 'c'])

    await number(1).click(place)
    const chosen = page.locator('.chosen')
    await chosen.getByRole('button', { name: 'Duplicate' }).waitFor()
    assert.deepEqual(await chosen.getByRole('button').allInnerTexts(), ['Duplicate'])
    await number(4).click({ ...place, modifiers: ['Shift'] })
    await chosen.getByRole('button', { name: 'To the trash' }).click()
    await page.getByText('2 records are in the trash. 2 records are left out').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone').waitFor()
  })

  it('sees a record become theirs, and no more theirs, while they look', async () => {
    await inGrid('boris')
    await until('theirs', async () => (await readOnly(6, 'Notes')) === 'false')
    await change(7, 'Team', 'South')
    await until('no more theirs', async () => (await readOnly(6, 'Notes')) === 'true')
    await change(7, 'Team', 'North')
    await until('theirs again', async () => (await readOnly(6, 'Notes')) === 'false')
    await page.goto(scene.address(`/t/${deals}/7`))
    await page.getByRole('button', { name: 'Change Notes' }).waitFor()
    await change(7, 'Team', 'South')
    await page.getByRole('button', { name: 'Change Notes' }).waitFor({ state: 'detached' })
    await change(7, 'Team', 'North')
    await page.getByRole('button', { name: 'Change Notes' }).waitFor()
  })

  it('is told that their own change has hidden a record from them, and which columns a paste has passed over', async () => {
    const group = Number(await scene.make('group', { group_name: 'Readers' }))
    const fields = { [f['Notes']!]: 'read_only' }
    const rights = { group_id: group, table_id: Number(deals), read: true, update: true, bed: true }
    await scene.make('access', { ...rights, fields, read_filter: `eq(${f['Stage']},'New')` })
    await scene.make('user', { login: 'olga', fio: 'Olga Orlova', group_id: group, password })
    await inGrid('olga')
    await cell(5, 'Notes').click()
    await paste('x\tpasted')
    await page.getByText('Not pasted, since it cannot be changed here: Notes').waitFor()
    await until('the other column', async () => (await value(6, 'More')) === 'pasted')
    await cell(5, 'Stage').click()
    await page.keyboard.type('Won')
    await page.keyboard.press('Enter')
    await page.locator("[data-row='5'].gone").getByText('hidden from you now').waitFor()
    const told = page.locator('.toast').filter({ hasText: 'Not undone: what was changed is hidden from you now, or not there any more.' })
    await page.keyboard.press('Control+z')
    await told.waitFor()
    assert.equal(await value(6, 'Stage'), 'Won')
    // Several at once, of which nothing can be seen any more.
    await cell(3, 'Stage').click()
    await paste('Won\nWon')
    await page.locator("[data-row='4'].gone").getByText('hidden from you now').waitFor()
    await told.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await told.waitFor()
    assert.deepEqual([await value(4, 'Stage'), await value(5, 'Stage')], ['Won', 'Won'])
    for (const id of [4, 5]) assert.equal((await change(id, 'Stage', 'New')).status, 200)
    assert.equal((await change(6, 'Stage', 'New')).status, 200)
    // What was taken back, and is hidden since, is not done again.
    await page.reload()
    await cell(5, 'More').click()
    await page.keyboard.type('once more')
    await page.keyboard.press('Enter')
    await until('the value', async () => (await value(6, 'More')) === 'once more')
    await page.keyboard.press('Control+z')
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.equal((await change(6, 'Stage', 'Won')).status, 200)
    await page.locator("[data-row='5'].gone").waitFor()
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Not done again: what was changed is hidden from you now, or not there any more.').waitFor()
    assert.equal(await value(6, 'More'), 'pasted')
    assert.equal((await change(6, 'Stage', 'New')).status, 200)
  })

  it('gets neither editors nor the trash on the page of such a record, and no moves of its card', async () => {
    await scene.signIn(page, `/t/${deals}/1`, 'boris')
    await page.getByRole('button', { name: 'Change Notes' }).waitFor()
    await page.getByRole('button', { name: 'To the trash' }).waitFor()
    await page.goto(scene.address(`/t/${deals}/2`))
    await page.getByText('note 2', { exact: true }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: /^Change / }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'To the trash' }).count(), 0)

    await page.goto(scene.address(`/t/${deals}?kind=board`))
    const card = (name: string) => page.locator('.card', { has: page.getByText(name, { exact: true }) })
    await card('Deal 1').waitFor()
    assert.deepEqual([await card('Deal 1').getAttribute('draggable'), await card('Deal 2').getAttribute('draggable')], ['true', 'false'])
    assert.deepEqual([await card('Deal 1').getByRole('button').count(), await card('Deal 2').getByRole('button').count()], [1, 0])
    await change(1, 'Team', 'South')
    await until('no more theirs', async () => (await card('Deal 1').getAttribute('draggable')) === 'false')
    await change(1, 'Team', 'North')

    await page.goto(scene.address(`/t/${deals}?kind=calendar`))
    const item = (name: string) => page.locator('.day-item', { hasText: name })
    await item('Deal 1').waitFor()
    assert.deepEqual([await item('Deal 1').getAttribute('draggable'), await item('Deal 2').getAttribute('draggable')], ['true', 'false'])
    assert.deepEqual([await item('Deal 1').getByRole('button').count(), await item('Deal 2').getByRole('button').count()], [1, 0])
  })

  it('keeps the links of such records to another one, and takes others away', async () => {
    const firms = await scene.make('table', { table_name: 'Firms' })
    const name = `f${await scene.make('field', { table_id: Number(firms), field_name: 'Firm', field_type: 'text' })}`
    const firm = await scene.make(`data${firms}`, { [name]: 'Heron' })
    await fieldsOf(scene, deals, f)('Of', 'reference', { reference_table_id: Number(firms) })
    for (const id of [1, 2]) assert.equal((await change(id, 'Of', firm)).status, 200)
    await scene.make('access', { group_id: 3, table_id: Number(firms), read: true })
    await scene.signIn(page, `/t/${firms}/${firm}`, 'boris')
    await page.getByRole('button', { name: 'Unlink Deal 1' }).waitFor()
    await page.getByRole('link', { name: 'Deal 2', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Unlink / }).count(), 1)
  })

  it('is told at the form that a record would not be theirs, and is not offered to restore one that is theirs no more', async () => {
    await scene.signIn(page, `/t/${deals}/new?${f['Team']}=South&${f['Name']}=Foreign`, 'boris')
    await page.keyboard.press('Control+s')
    await page.getByText('your rights are for some records of this table only').waitFor()
    assert.equal(await page.getByText(/access\.denied|may not write/).count(), 0)
    assert.equal(refused.length, 1)
    refused.length = 0
    // What was typed is there, and is put right.
    await page.getByRole('button', { name: 'Change Team' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('North')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Foreign' }).first().waitFor()
    const record = Number(new URL(page.url()).pathname.split('/').at(-1))
    await page.getByRole('button', { name: 'To the trash' }).click()
    await page.getByText('Moved to the trash').waitFor()
    await page.goto(scene.address('/trash'))
    const restore = page.getByRole('button', { name: 'Restore Foreign' })
    await restore.waitFor()
    // Their rights are for others by now.
    const [rule] = (await scene.server.call(scene.token, 'GET', `access?filter=and(eq(group_id,3),eq(table_id,${deals}))`)).body.data
    const put = (write_filter: string) => scene.server.call(scene.token, 'PATCH', `access/${rule.id}`, { data: { type: 'access', id: rule.id, attributes: { write_filter } } }) // prettier-ignore
    await put(`eq(${f['Team']},'East')`)
    await page.reload()
    await page.getByRole('row', { name: /Foreign/ }).waitFor()
    assert.equal(await restore.count(), 0)
    await put(`eq(${f['Team']},'North')`)
    await page.reload()
    await restore.click()
    await until('the record', async () => (await value(record, 'Team')) === 'North')
    await scene.server.call(scene.token, 'DELETE', `data${deals}/${record}`)
  })

  it('without the right to write in bulk changes several values of one record, and is offered no more', async () => {
    await inGrid('vera')
    await cell(0, 'Notes').click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Control+r')
    await until('filled to the right', async () => (await value(1, 'More')) === (await value(1, 'Notes')))
    await page.locator('.foot [role=status]').filter({ hasText: 'All changes saved' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone').waitFor()
    await number(0).click(place)
    const chosen = page.locator('.chosen')
    await chosen.getByRole('button', { name: 'Change a field' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field').selectOption({ label: 'Team' })
    await dialog.getByRole('button', { name: 'Team: Value' }).click()
    await page.keyboard.type('East')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await until('one record', async () => (await value(1, 'Team')) === 'East')

    await cell(0, 'Notes').click()
    const handle = page.locator('[data-handle]')
    await handle.waitFor()
    const [from, to] = [(await handle.boundingBox())!, (await cell(2, 'Notes').boundingBox())!]
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 })
    await page.mouse.up()
    assert.equal(await page.locator('[aria-selected=true]').count(), 1, 'nothing is filled downwards')
    await cell(2, 'Notes').click({ modifiers: ['Shift'] })
    await handle.waitFor({ state: 'detached' })
    await cell(5, 'Notes').click()
    await paste('one\ntwo\n')
    await page.getByText('Your rights do not allow to change several records at once').waitFor()
    await cell(7, 'Notes').click()
    await paste('one\ntwo\n')
    await until('still none', async () => (await page.getByText('Your rights do not allow').count()) > 0)
    assert.equal(await page.locator('.paste-note').count(), 0, 'nothing is asked that cannot be done')
    assert.deepEqual([await value(6, 'Notes'), await value(8, 'Notes')], ['note 6', 'note 8'])
  })

  it('sees the records of a table that they may not read as numbers: no links, and nothing is asked of that table', async () => {
    const secrets = await scene.make('table', { table_name: 'Secrets' })
    const name = `f${await scene.make('field', { table_id: Number(secrets), field_name: 'Secret', field_type: 'text' })}`
    for (const secret of ['one', 'two']) await scene.make(`data${secrets}`, { [name]: secret })
    const field = fieldsOf(scene, deals, f)
    await field('Secret', 'reference', { reference_table_id: Number(secrets) })
    await field('Secrets', 'references', { reference_table_id: Number(secrets) })
    assert.equal((await change(1, 'Secret', '2')).status, 200)
    assert.equal((await change(1, 'Secrets', '-1-2-')).status, 200)
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes(`/data${secrets}`) && asked.push(request.url())))
    await scene.signIn(page, `/t/${deals}/1`, 'boris')
    const shown = (title: string) => page.locator('.field', { has: page.getByText(title, { exact: true }) }).locator('dd')
    await shown('Secrets').getByText('#2', { exact: true }).waitFor()
    await shown('Secret').getByText('#2', { exact: true }).waitFor()
    assert.deepEqual([await shown('Secret').getByRole('link').count(), await shown('Secrets').getByRole('link').count()], [0, 0])
    await page.goto(scene.address(`/t/${deals}?columns=${f['Name']},${f['Secrets']}`))
    await page.locator("[data-row='0'] [data-col='1']").getByText('#2', { exact: true }).waitFor()
    assert.deepEqual([await page.locator("[data-row='0'] [data-col='1'] a").count(), asked], [0, []])
  })

  it('is told by a list whose filter or order names a field that they do not see, in words', async () => {
    const gone = await scene.make('field', { table_id: Number(deals), field_name: 'Budget', field_type: 'integer' })
    assert.equal((await change(1, 'Name', 'Deal 1')).status, 200)
    await scene.server.call(scene.token, 'PATCH', `data${deals}/1`, { data: { type: `data${deals}`, id: '1', attributes: { [`f${gone}`]: '5' } } }) // prettier-ignore
    await scene.server.call(scene.token, 'DELETE', `field/${gone}`)
    await scene.signIn(page, `/t/${deals}?filter=gt(f${gone},1)`, 'boris')
    await page.getByRole('alert').getByText('The filter names a field that is not here.').waitFor()
    await page.goto(scene.address(`/t/${deals}?sort=f${gone}`))
    await page.getByRole('alert').getByText('The field of this order is not here.').waitFor()
    await page.getByRole('button', { name: 'Do not sort' }).click()
    await cell(0, 'Notes').waitFor()
    const { page: other, context } = await scene.open()
    await scene.signIn(other, `/t/${deals}/1`)
    await other.locator('.history').getByText('in a field that is not here').waitFor()
    await context.close()
  })
})
