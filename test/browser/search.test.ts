import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* One box over all tables. */

describe('the search over all tables', () => {
  let scene: PagesScene
  let companies: string
  let people: string
  let secrets: string
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    const { make } = scene
    companies = await make('table', { table_name: 'Companies' })
    people = await make('table', { table_name: HOSTILE })
    secrets = await make('table', { table_name: 'Secrets' })
    const field = async (table: string, key: string, field_type: string, more: object = {}) => {
      f[key] = `f${await make('field', { table_id: Number(table), field_name: key, field_type, ...more })}`
    }
    await field(companies, 'Name', 'text')
    await field(companies, 'Phone', 'phone')
    await field(companies, 'Notes', 'longtext')
    await field(companies, 'Trade', 'list', { options: ['Retail', 'Food'] })
    await field(people, 'Full name', 'text')
    await field(people, 'Employer', 'reference', { reference_table_id: Number(companies) })
    await field(secrets, 'Codeword', 'text')
    await scene.fill('Companies', `Name,Phone,Notes,Trade\nNorth Wind,+7 (900) 123-45-67,${'filler '.repeat(60)}bicycles and ${'more '.repeat(60)},Retail\nSouth Wind,+7 900 7654321,,Food\n${'Windmill,,,\n'.repeat(7)}`) // prettier-ignore
    await make(`data${people}`, { [f['Full name']!]: `${HOSTILE.slice(0, 200)} windy`, [f['Employer']!]: '1' })
    await make(`data${secrets}`, { [f['Codeword']!]: 'Windfall' })
    await make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
    await make('access', { group_id: 3, table_id: Number(companies), read: true, fields: { [f['Notes']!]: 'hidden' } })
  })
  after(() => scene?.close())

  const box = (page: Page) => page.getByRole('searchbox', { name: 'Search all tables' })
  const group = (page: Page, name: string) => page.locator('.found', { has: page.getByRole('heading', { name }) })

  it('shows by tables what was found, with the words marked, and leads to records and to all of a table', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/search?q=wind')
    await page.getByText('11 records in 3 tables').waitFor()
    const some = group(page, 'Companies')
    assert.equal(await some.locator('.hit').count(), 5)
    assert.deepEqual(await some.locator('.hit').first().locator('mark').allInnerTexts(), ['Wind'])
    // Short values beside them tell records of one title apart; those that have none, or the same, are numbered.
    const titles = async () => (await some.locator('.hit-title').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    await until('what stands beside the titles', async () => (await titles()).includes('North Wind +7 (900) 123-45-67 · Retail'))
    assert.ok((await titles()).includes('Windmill #3'), (await titles()).join())
    await some.getByRole('link', { name: 'Show all 9' }).click()
    await page.waitForURL(new RegExp(`/t/${companies}\\?q=wind`))
    await page.locator('.foot').getByText('9 records', { exact: true }).waitFor()
    await page.goBack()
    // A long text is shown where the word stands in it; a number is found by its digits.
    await box(page).fill('bicy')
    await page.waitForURL(/q=bicy/)
    const note = page.locator('.hit-field', { hasText: 'Notes' })
    await note.locator('mark').waitFor()
    assert.equal(await note.locator('mark').innerText(), 'bicy')
    assert.match(await note.innerText(), /^Notes: ….{30,50}bicycles and .*…$/)
    await box(page).fill('7900 123')
    const phone = page.locator('.hit-field', { hasText: 'Phone' })
    await phone.locator('mark').waitFor()
    assert.equal(await phone.locator('mark').innerText(), '7 (900) 123')
    // By keyboard alone: down to the hit, Enter, and back to what was typed.
    await box(page).press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/t/${companies}/1$`))
    await page.getByRole('heading', { name: 'North Wind' }).first().waitFor()
    await page.goBack()
    await until('the words', async () => (await box(page).inputValue()) === '7900 123')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('says when there is nothing, nothing to look for, and when the service does not answer', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/search')
    await page.getByText('Type the beginnings of words').waitFor()
    await box(page).fill('zebra')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await box(page).fill('?!')
    await page.getByText('There is no letter and no digit to look for.').waitFor()
    await page.route('**/api/dev/search?*', (route) => route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify({ errors: [{ code: 'filter.invalid_value', detail: 'Too many words.' }] }) })) // prettier-ignore
    await box(page).fill('one two')
    assert.match(await page.getByRole('alert').innerText(), /: too many words\./)
    await page.unroute('**/api/dev/search?*')
    await page.route('**/api/dev/search?*', (route) => route.fulfill({ json: { data: [{ type: 'search_result', id: companies, attributes: { table_id: 1, table_name: 'Companies', total: null, complete: false, hits: [] } }], meta: { total: 1 } } })) // prettier-ignore
    await box(page).fill('slow')
    await page.getByText('too large to be looked through in time').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Open the table' }).getAttribute('href'), '/t/1?q=slow')
    await context.close()
  })

  it('asks once for what is typed in one go, and shows nothing of words before', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/search')
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/dev/search') asked.push(searchParams.get('text')!)
    })
    // Without a moment between two letters, however slow the machine is.
    await box(page).focus()
    await page.evaluate("for (const letter of 'north wind') document.execCommand('insertText', false, letter)")
    await page.getByText('1 record in 1 table').waitFor()
    assert.deepEqual(asked, ['north wind'])
    await context.close()
  })

  it('shows readers only what they may read', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/search?q=wind', 'boris')
    await page.getByText('9 records in 1 table').waitFor()
    assert.equal(await page.getByText('Windfall').count(), 0)
    await box(page).fill('bicycles')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('windfall')
    await page.getByRole('option', { name: 'Search all tables for “windfall”' }).waitFor()
    assert.equal(await page.getByRole('option').count(), 1)
    await page.locator('.palette .nothing', { hasText: 'Nothing' }).waitFor()
    await context.close()
  })

  it('tells tables and records of one name apart in the palette', async () => {
    const category = await scene.make('category', { category_name: 'Archive' })
    const twins = [
      await scene.make('table', { table_name: 'Twins' }),
      await scene.make('table', { table_name: 'Twins', category_id: Number(category) }),
    ]
    const name = await scene.make('field', { table_id: Number(twins[0]), field_name: 'Name', field_type: 'text' })
    const same = [
      await scene.make(`data${twins[0]}`, { [`f${name}`]: 'Pollux' }),
      await scene.make(`data${twins[0]}`, { [`f${name}`]: 'Pollux' }),
    ]
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/profile')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Twins')
    await page.getByRole('option', { name: 'Twins Archive' }).waitFor()
    await page.getByRole('option', { name: 'Twins Other tables' }).waitFor()
    await page.locator('[role=combobox]').fill('Pollux')
    for (const id of same) await page.getByRole('option', { name: new RegExp(`Pollux.*Twins, .*${id}$`) }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
    for (const id of twins) await scene.server.call(scene.token, 'DELETE', `table/${id}`)
  })

  it('finds records in the palette as one types, with arrows and Enter', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/profile')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('wind')
    const items = page.getByRole('option')
    await items.filter({ hasText: 'South Wind' }).waitFor()
    assert.equal(await items.filter({ hasText: 'Companies' }).count(), 3)
    await mustBeAccessible(page, 'the palette with records')
    // The first is chosen as it comes; down leads to the next.
    await until('the first record', () => page.evaluate<boolean>("/North Wind/.test(document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent)")) // prettier-ignore
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/t/${companies}/2$`))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('windy')
    await items.filter({ hasText: 'windy' }).first().waitFor()
    assert.equal(await page.locator('[role=dialog] img').count(), 0)
    await items.filter({ hasText: 'Search all tables' }).click()
    await page.waitForURL(/\/search\?q=windy/)
    await page.getByText('1 record in 1 table').waitFor()
    // Enter before the service has answered opens the page.
    let go = () => {}
    const late = new Promise<void>((resolve) => (go = resolve))
    await page.route('**/api/dev/search?*', async (route) => (await late, route.continue()))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('windfall')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=windfall/)
    go()
    await page.getByRole('link', { name: 'Windfall' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  for (const [width, colorScheme, locale] of [
    [1440, 'dark', 'en-GB'],
    [390, 'light', 'ru-RU'],
  ] as const)
    // prettier-ignore
    it(`has nothing that axe calls serious, and nothing too wide: ${width} px, ${colorScheme}, ${locale}`, async () => {
      const { page, context, faults } = await scene.open({ width, height: 844, locale })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, '/search?q=wind')
      await page.locator('.hit').nth(6).waitFor()
      await mustBeAccessible(page, 'what was found')
      assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
      assert.equal(await page.locator('.found img').count(), 0)
      await page.goto(scene.address('/search?q=zebra'))
      await page.locator('.empty').waitFor()
      await mustBeAccessible(page, 'nothing found')
      assert.deepEqual(faults, [])
      await context.close()
    })
})
