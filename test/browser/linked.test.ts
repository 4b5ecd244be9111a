import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* Links of a record, both ways: small tables with what adds and takes away. */

describe('the links of a record', () => {
  let scene: PagesScene
  let companies: string
  let deals: string
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    companies = await scene.make('table', { table_name: 'Companies' })
    const company = fieldsOf(scene, companies, f)
    await company('Name', 'text')
    await company('City', 'text')
    for (let i = 1; i <= 7; i++) await scene.make(`data${companies}`, { [f['Name']!]: `Firm ${i}`, [f['City']!]: `City ${i}` })
    deals = await scene.make('table', { table_name: 'Deals' })
    const deal = fieldsOf(scene, deals, f)
    await deal('Title', 'text')
    await deal('Team', 'text')
    await deal('Partners', 'references', { reference_table_id: Number(companies) })
    await deal('Customer', 'reference', { reference_table_id: Number(companies) })
    await deal('Payers', 'references', { reference_table_id: Number(companies), required: true })
    for (let i = 1; i <= 4; i++)
      await scene.make(`data${deals}`, {
        [f['Title']!]: `Deal ${i}`,
        [f['Team']!]: i % 2 ? 'North' : 'South',
        [f['Partners']!]: i === 2 ? '-1-2-3-4-5-6-7-' : '-3-1-',
        [f['Payers']!]: '-1-',
      })
    const rights = { read: true, create: true, update: true, delete: true, bed: true, group_id: 3 }
    await scene.make('access', { ...rights, table_id: Number(companies) })
    await scene.make('access', { ...rights, table_id: Number(deals), write_filter: `eq(${f['Team']},'North')` })
    await scene.make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
  })
  after(() => scene?.close())

  const opened = async (path: string, login = 'admin') => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, path, login)
    return window
  }
  const held = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[f[name]!]

  it('of a field of several references are a table, in which one links and unlinks', async () => {
    const { page, context, faults } = await opened(`/t/${deals}/1`)
    const field = page.locator('.field').filter({ hasText: 'Partners' })
    const lines = () => field.locator('tbody tr').allInnerTexts()
    const told = (...wanted: readonly string[]) =>
      until(`the lines ${wanted.join()}`, async () => (await lines()).map((line) => line.trim().split(/\s*\t\s*/).join()).join('|') === wanted.join('|')) // prettier-ignore
    // In the order of the field.
    await told('Firm 3,City 3', 'Firm 1,City 1')
    await mustBeAccessible(page, 'linked records')
    await field.getByRole('button', { name: 'Unlink Firm 3' }).click()
    await told('Firm 1,City 1')
    await until('the value', async () => (await held(1, 'Partners')) === '-1-')
    await page.keyboard.press('Control+z')
    await told('Firm 3,City 3', 'Firm 1,City 1')
    await field.getByRole('button', { name: 'Link: Partners' }).click()
    await page.getByRole('option', { name: 'Firm 5' }).click()
    // The list stays where it is, and there is no box besides that of the words.
    assert.equal((await lines()).length, 2)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      assert.equal(await field.locator('.editor > .input').evaluate((its) => its.getBoundingClientRect().height), 0)
    }
    await page.keyboard.type('Newcomer')
    await page.getByRole('button', { name: /^Add “?Newcomer/ }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await told('Firm 3,City 3', 'Firm 1,City 1', 'Firm 5,City 5', 'Newcomer')
    await until('the value', async () => (await held(1, 'Partners')) === '-3-1-5-8-')
    // What is changed there is seen here.
    await scene.server.call(scene.token, 'PATCH', `data${companies}/5`, { data: { type: `data${companies}`, id: '5', attributes: { [f['City']!]: 'Porto' } } }) // prettier-ignore
    await told('Firm 3,City 3', 'Firm 1,City 1', 'Firm 5,Porto', 'Newcomer')
    // A field that must be filled in keeps its last one.
    const payers = page.locator('.field').filter({ hasText: 'Payers' })
    await payers.getByRole('link', { name: 'Firm 1' }).waitFor()
    assert.equal(await payers.getByRole('button', { name: 'Unlink Firm 1' }).count(), 0)
    await page.goto(scene.address(`/t/${deals}?record=2`))
    await field.getByRole('link', { name: 'Firm 5' }).waitFor()
    assert.equal(await field.getByRole('link', { name: 'Firm 7' }).count(), 0)
    await field.getByRole('button', { name: 'Show all 7' }).click()
    await field.getByRole('link', { name: 'Firm 7' }).click()
    await page.getByRole('heading', { name: 'Firm 7' }).first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('leave the button that ends their choice where it is while somebody looks for one', async () => {
    await scene.make(`data${companies}`, { [f['Name']!]: 'Lonely' })
    const { page, context } = await opened(`/t/${deals}/1`)
    await page.locator('.field').filter({ hasText: 'Partners' }).getByRole('button', { name: 'Link: Partners' }).click()
    await page.getByRole('option', { name: 'Firm 7' }).waitFor()
    const options = page.getByRole('option')
    const place = async () => (await page.getByRole('button', { name: 'Done' }).boundingBox())?.y
    const before = await place()
    // A number would be looked for in `add_time`, too.
    await page.keyboard.type('Lonely')
    await until('one is left', async () => (await options.count()) === 1)
    assert.equal(await place(), before)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.getByRole('option', { name: 'Firm 7' }).waitFor()
    assert.equal(await place(), before)
    await context.close()
  })

  it('are made by the form of a new one, which leads back', async () => {
    const { page, context, faults } = await opened(`/t/${deals}/3`)
    const field = page.locator('.field').filter({ hasText: 'Partners' })
    await field.getByRole('link', { name: 'Add: Partners' }).click()
    await page.getByText('Once it is saved, record 3 is linked to it.').waitFor()
    await page.getByRole('link', { name: 'Record 3' }).waitFor()
    await mustBeAccessible(page, 'a new linked record')
    await page.getByRole('textbox', { name: 'Name' }).fill('Made here')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'City' }).fill('Lund')
    await page.keyboard.press('Control+s')
    await page.waitForURL(new RegExp(`/t/${deals}/3$`))
    await field.getByRole('row').filter({ hasText: 'Made here' }).getByText('Lund').waitFor()
    await until('the value', async () => /^-3-1-\d+-$/.test(await held(3, 'Partners')))
    await page.locator('.toast').filter({ hasText: 'Linked' }).getByRole('button', { name: 'Undo' }).click()
    await until('the value as before', async () => (await held(3, 'Partners')) === '-3-1-')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are chosen among the first that are found, which says so and leads to the list of all', async () => {
    const towns = await scene.make('table', { table_name: 'Towns' })
    const town = fieldsOf(scene, towns, f)
    await town('Town', 'text')
    await town('Seen', 'datetime')
    await town('Left', 'datetime')
    await scene.fill('Towns', ['Town', ...Array.from({ length: 26 }, (_, i) => `Old town ${i}`)].join('\n'))
    const stop = fieldsOf(scene, deals, f)
    await stop('Stops', 'references', { reference_table_id: Number(towns) })
    const { page, context, faults } = await opened(`/t/${deals}/4`)
    await page.getByRole('button', { name: 'Link: Stops' }).click()
    const all = page.getByRole('link', { name: /^Show all/ })
    await all.getByText('Show all 26').waitFor()
    await page.keyboard.type('old 7')
    await page.getByRole('option', { name: 'Old town 7' }).waitFor()
    await all.waitFor({ state: 'detached' })
    await until('the only one', async () => (await page.getByRole('option').count()) === 1)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('old')
    await all.waitFor()
    const [list] = await Promise.all([context.waitForEvent('page'), all.click()])
    await list.getByText('26 records', { exact: true }).waitFor()
    // On a phone one field of such a record is shown beside its name, and a time there is not cut.
    const times = { [f['Seen']!]: '2026-11-26 18:30:00', [f['Left']!]: '2026-12-26 19:30:00' }
    await scene.server.call(scene.token, 'PATCH', `data${towns}/1`, { data: { type: `data${towns}`, id: '1', attributes: times } })
    await scene.server.call(scene.token, 'PATCH', `data${deals}/4`, { data: { type: `data${deals}`, id: '4', attributes: { [f['Stops']!]: '-1-' } } }) // prettier-ignore
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(scene.address(`/t/${deals}/4`))
    const cells = page.locator('.linked .mini td:has(time):visible')
    await cells.first().waitFor()
    assert.deepEqual(await cells.evaluateAll((all) => all.map((one) => one.scrollWidth <= one.clientWidth)), [true])
    assert.equal(await list.getByRole('searchbox', { name: 'Quick search' }).inputValue(), 'old')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are read by whom may not change the record, and offer the other way what may be changed', async () => {
    const { page, context, faults } = await opened(`/t/${deals}/2`, 'boris')
    const field = page.locator('.field').filter({ hasText: 'Partners' })
    await field.getByRole('link', { name: 'Firm 3' }).waitFor()
    assert.equal(await field.getByRole('button', { name: /Unlink|Link:/ }).count(), 0)
    await page.goto(scene.address(`/t/${companies}/6`))
    const part = page.locator('.part', { has: page.locator('.how', { hasText: 'Customer' }) })
    // Three fields of that table refer to it: each button is said with its own.
    await page.getByRole('link', { name: 'Add: Deals · Payers', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Link a record of Deals · Customer', exact: true }).click()
    const options = page.getByRole('option')
    await options.filter({ hasText: 'Deal 3' }).waitFor()
    assert.deepEqual((await options.allInnerTexts()).map((text) => /Deal \d/.exec(text)?.[0]).toSorted(), ['Deal 1', 'Deal 3'])
    await options.filter({ hasText: 'Deal 3' }).click()
    await part.getByRole('button', { name: 'Unlink Deal 3' }).waitFor()
    // One that was chosen before, and is another’s by now.
    await scene.server.call(scene.token, 'PATCH', `data${deals}/3`, { data: { type: `data${deals}`, id: '3', attributes: { [f['Team']!]: 'South' } } }) // prettier-ignore
    await until('no button', async () => (await part.getByRole('button', { name: 'Unlink Deal 3' }).count()) === 0)
    await page.reload()
    await part.getByRole('button', { name: 'Link a record of Deals' }).click()
    await options.filter({ hasText: 'Deal 1' }).waitFor()
    assert.equal(await options.count(), 1)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
