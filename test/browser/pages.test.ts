import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible } from '../support/chromium.ts'
import type { Server } from '../support/scratch-program.ts'
import { until } from '../support/until.ts'
import { HOSTILE, pagesScene, password, tryAgain, signInByForm, type PagesScene } from './support/pages-scene.ts'

/* The web pages as people use them: the real program, a real browser. */

describe('the web pages', () => {
  let scene: PagesScene
  let server: Server
  let token: string
  let companies: string

  before(async () => {
    scene = await pagesScene()
    ;({ server, token } = scene)
    const make = scene.make
    const category_id = Number(await make('category', { category_name: 'Customers' }))
    companies = await make('table', { table_name: 'Companies', category_id })
    const field = (table: string, field_name: string, field_type: string, more: object = {}) =>
      make('field', { table_id: Number(table), field_name, field_type, ...more })
    const name = await field(companies, 'Name', 'text')
    const turnover = await field(companies, 'Turnover', 'decimal', { scale: 2 })
    const since = await field(companies, 'Customer since', 'date')
    const trade = await field(companies, 'Trade', 'list', { options: [{ label: 'Retail' }, { label: 'Food' }] })
    const people = await make('table', { table_name: HOSTILE.slice(0, 200), category_id })
    const title = await field(people, 'Full name', 'text')
    const company = await field(people, 'Company', 'reference', { reference_table_id: Number(companies) })
    for (let i = 1; i <= 120; i++)
      await make(`data${companies}`, {
        [`f${name}`]: `Company ${i}`,
        [`f${turnover}`]: `${i}234567.5`,
        [`f${since}`]: '2024-12-31',
        [`f${trade}`]: i % 2 ? 'Retail' : 'Food',
      })
    await make(`data${people}`, { [`f${title}`]: HOSTILE, [`f${company}`]: '7' })
  })
  after(() => scene?.close())

  const address: PagesScene['address'] = (path) => scene.address(path)
  const open: PagesScene['open'] = (options) => scene.open(options)
  const signIn: PagesScene['signIn'] = (...given) => scene.signIn(...given)

  it('refuse a wrong password in words, and lead on to the tables with the right one; a reload stays signed in', async () => {
    const { page, context, faults } = await open()
    await page.goto(address('/'))
    await page.waitForURL(/\/sign-in$/)
    await page.getByLabel('Login').fill('admin')
    await page.locator('input[autocomplete=current-password]').fill('wrong')
    await page.keyboard.press('Enter')
    assert.match(await page.getByRole('alert').innerText(), /Login and password do not match/)
    await page.locator('input[autocomplete=current-password]').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(new RegExp(`/t/${companies}$`))
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    assert.equal(await page.title(), 'Companies · Kartoteka')
    const [cookie] = (await context.cookies()).filter((one) => one.name === 'kartoteka_session')
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax'])
    await page.reload()
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('show something while they begin, and what the operator looks for where the service fails', async () => {
    const { page, context, faults } = await open()
    await signIn(page, '/profile')
    let go = () => {}
    const mayGo = new Promise<void>((resolve) => (go = resolve))
    await page.route('**/api/dev/me', async (route) => {
      await mayGo
      await route.continue()
    })
    await page.goto(address('/profile'))
    await page.locator('.starting').waitFor()
    assert.equal(await page.locator('#pages').innerHTML(), '')
    go()
    await page.getByRole('main').waitFor()
    await page.locator('.starting').waitFor({ state: 'hidden' })
    await page.route(`**/api/dev/data${companies}?**`, (route) =>
      route.fulfill({ status: 500, json: { errors: [{ id: 'the-id', status: '500', code: 'server.failed', detail: 'It failed.' }] } }),
    )
    await page.goto(address(`/t/${companies}`))
    const trouble = page.getByRole('alert').first()
    await trouble.getByText('The service cannot answer just now.').waitFor()
    assert.equal(await trouble.getByText('server.failed · the-id').isVisible(), false)
    await trouble.getByText('Details').click()
    await trouble.getByText('server.failed · the-id').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('lead from the first page to the table that was open last, in this browser', async () => {
    const { page, context, faults } = await open()
    const { page: other, context: elsewhere } = await open()
    const people = Number(companies) + 1
    await signIn(page, `/t/${people}`)
    await page.locator('.grid-sheet').waitFor()
    await page.goto(address('/help'))
    await page.goto(address('/'))
    await page.waitForURL(new RegExp(`/t/${people}$`))
    await page.goto(address(`/t/${companies}`))
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    await page.goto(address('/'))
    await page.waitForURL(new RegExp(`/t/${companies}$`))
    // One that is gone since does not lead astray.
    const gone = await scene.make('table', { table_name: 'Gone soon' })
    await page.goto(address(`/t/${gone}`))
    await page.getByRole('heading', { name: 'Gone soon' }).first().waitFor()
    assert.equal((await scene.server.call(scene.token, 'DELETE', `table/${gone}`)).status, 200)
    await page.goto(address('/'))
    await page.waitForURL(new RegExp(`/t/${companies}$`))
    // Another browser knows nothing of it.
    await signIn(other, '/')
    await other.waitForURL(new RegExp(`/t/${companies}$`))
    assert.deepEqual(faults, [])
    await elsewhere.close()
    await context.close()
  })

  it('show values as people write them, order and filter in the address', async () => {
    const { page, context, faults } = await open()
    await signIn(page)
    const row = page.getByRole('row', { name: /Company 1 / }).first()
    assert.match(await row.innerText(), /1,234,567\.50\s+31 Dec 2024\s+Retail/)
    await page.getByText('120 records', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Turnover', exact: true }).click()
    await page.getByRole('button', { name: 'Turnover', exact: true }).click()
    await page.getByRole('link', { name: 'Company 120', exact: true }).waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Turnover' }).getAttribute('aria-sort'), 'descending')
    await page.keyboard.press('/')
    await page.keyboard.type('company 117')
    await page.getByText('1 record', { exact: true }).waitFor()
    const link = page.url()
    const other = await open()
    await signIn(other.page, new URL(link).pathname + new URL(link).search)
    await other.page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Company 117', exact: true }).click()
    await page.waitForURL(/[?&]record=117$/)
    assert.match(await page.locator('dl').innerText(), /Turnover\s+117,234,567\.50/)
    assert.deepEqual([...faults, ...other.faults], [])
    await context.close()
    await other.context.close()
  })

  it('are cards in pages of 50 on a phone, the page in the address', async () => {
    const { page, context, faults } = await open({ width: 390, height: 844 })
    await signIn(page)
    assert.match(await page.getByText(/of 120 records/).innerText(), /^1–50 of 120 records$/)
    await page.getByRole('button', { name: 'Last page' }).click()
    await page.getByRole('link', { name: /Company 120/ }).waitFor()
    assert.match(page.url(), /\?page=3$/)
    await page.goBack()
    await page.getByRole('link', { name: /Company 1 / }).waitFor()
    await page.goto(address(`/t/${companies}?page=90`))
    await page.waitForURL(new RegExp(`/t/${companies}\\?page=3$`))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('tell what is wrong with a filter, and that nothing matches', async () => {
    const { page, context } = await open()
    await signIn(page, `/t/${companies}?filter=nonsense(`)
    assert.match(await page.getByRole('alert').innerText(), /^The filter is not understood: /)
    await page.getByRole('button', { name: 'Filter: nonsense(' }).waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('dialog', { name: 'Filter' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'Take the filter away' }).click()
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    // A colleague's list may be sorted by a field that one does not see.
    await page.goto(address(`/t/${companies}?filter=eq(f1,'Company 7')&sort=-f99999`))
    await page
      .getByRole('alert')
      .filter({ hasText: 'The field of this order is not here.' })
      .getByRole('button', { name: 'Do not sort' })
      .click()
    await page.getByRole('link', { name: 'Company 7', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Company 1', exact: true }).count(), 0)
    await page.goto(address(`/t/${companies}?filter=eq(f1,'nobody')`))
    await page.getByText('No record matches the filter').waitFor()
    await page.getByRole('button', { name: 'Take the filter away' }).first().click()
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    // Words that nothing has are no filter: each is taken away by itself.
    await page.goto(address(`/t/${companies}?q=zzz&filter=eq(f1,'Company 7')`))
    await page.getByRole('heading', { name: 'Nothing found for “zzz”' }).waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('link', { name: 'Company 7', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Company 1', exact: true }).count(), 0)
    await context.close()
  })

  it('show lines in the place of rows that take long to come', async () => {
    const { page, context } = await open()
    await signIn(page, '/profile')
    await page.route(`**/api/dev/data${companies}?*`, () => {})
    await page.goto(address(`/t/${companies}`))
    await page.getByText('Loading…').first().waitFor()
    await until('lines', async () => (await page.locator('.grid-wait .bone').count()) > 20)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    assert.equal(await page.locator('.grid-wait').count(), 0)
    await context.close()
  })

  for (const width of [1440, 390])
    it(`say that a list cannot be read while they go on asking for it, and show it when it comes: ${width} px`, async () => {
      const { page, context } = await open({ width, height: 844 })
      await signIn(page, '/profile')
      let asked = 0
      await page.route(`**/api/dev/data${companies}?*`, (route) => {
        if (/page(\[|%5B)limit(\]|%5D)=50/i.test(route.request().url())) asked++
        return route.abort()
      })
      await page.goto(address(`/t/${companies}`))
      await page.getByRole('alert').getByText('The service does not answer. Check the connection').waitFor()
      assert.ok(asked < 4, `after ${asked} attempts`)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
      await tryAgain(again, page.getByText('Company 1', { exact: true }).waitFor())
      await context.close()
    })

  it('are used with the keyboard alone: sign in, jump to a table, read a record, sign out', async () => {
    const { page, context } = await open()
    await page.goto(address('/'))
    await page.waitForURL(/\/sign-in$/)
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.autocomplete === 'username'"))
    await page.keyboard.type('admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('compan')
    await until('the table in the palette', async () => (await page.getByRole('option').first().innerText()) === 'Companies')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/t/${companies}$`))
    await page.keyboard.press('?')
    await page.waitForURL(/\/help\/keys$/)
    assert.match(await page.locator('.plain-table').first().innerText(), /Jump to…\s+Ctrl K/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign o')
    await until('the command in the palette', async () => (await page.getByRole('option').first().innerText()) === 'Sign out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in$/)
    assert.deepEqual(await context.cookies(), [])
    await context.close()
  })

  it('keep language, theme and density with the person, on another computer as well', async () => {
    const { page, context } = await open()
    await signIn(page, '/profile')
    await page.getByLabel('Dark').check()
    await page.getByLabel('Compact').check()
    await page.getByLabel('Русский').check()
    await page.getByRole('heading', { name: 'Профиль' }).first().waitFor()
    const kept = async () =>
      JSON.stringify((await server.call(token, 'GET', "setting?filter=eq(key,'web')")).body.data[0]?.attributes.value ?? {})
    await until('the setting', async () => (await kept()) === '{"language":"ru","theme":"dark","density":"compact"}')
    const other = await open()
    await signIn(other.page, '/profile')
    await other.page.getByRole('heading', { name: 'Профиль' }).first().waitFor()
    const root =
      'JSON.stringify([document.documentElement.lang, document.documentElement.dataset.theme, document.documentElement.dataset.density])'
    assert.equal(await other.page.evaluate(root), '["ru","dark","compact"]')
    await other.page.goto(address(`/t/${companies}`))
    await other.page.getByText('120 записей', { exact: true }).waitFor()
    // The reference, which is a page of its own, has the same language and theme.
    await other.page.goto(address('/reference'))
    await other.page.locator('summary').first().waitFor()
    await other.page.getByRole('link', { name: 'К страницам' }).waitFor()
    assert.equal(await other.page.title(), 'Картотека: справочник')
    assert.equal(await other.page.evaluate('JSON.stringify([document.documentElement.lang, document.documentElement.dataset.theme])'), '["ru","dark"]') // prettier-ignore
    await mustBeAccessible(other.page, 'the reference, in Russian and dark')
    // A tab of the browser is named by its record.
    await other.page.goto(address(`/t/${companies}/1`))
    await other.page.locator('.fields').waitFor()
    const heading = (await other.page.getByRole('heading', { level: 1 }).innerText()).trim()
    await until('the title of the record', async () => heading !== '' && (await other.page.title()) === `${heading} · Картотека`)
    await other.page.goto(address('/profile'))
    await other.page.getByLabel('English').check()
    await other.page.getByLabel('As the system').check()
    await until('the setting', async () => (await kept()) === '{"language":"en","theme":"system","density":"compact"}')
    await context.close()
    await other.context.close()
  })

  it('show names and values as text, whatever they are', async () => {
    const { page, context, faults } = await open()
    await signIn(page)
    await page.locator('.side-item').nth(1).click()
    await page.waitForURL(/\/t\/2$/)
    await page.locator('.name-link').first().waitFor()
    assert.equal((await page.locator('.name-link').first().innerText()).trim(), HOSTILE.trim())
    // The reference is shown by the title of its record.
    await page.getByText('Company 7', { exact: true }).waitFor()
    assert.match(await page.title(), /^<img src=x/)
    assert.equal(await page.locator('img').count(), 0)
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('notice the end of the session where nobody does anything', async () => {
    const { page, context } = await open()
    await signIn(page, `/t/${companies}`)
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'kartoteka_session')
    const who = await fetch(address('/api/dev/me'), { headers: { Cookie: `kartoteka_session=${cookie!.value}` } })
    const session = ((await who.json()) as { data: { attributes: { token: { id: number } } } }).data.attributes.token.id
    assert.equal((await server.call(token, 'DELETE', `token/${session}`)).status, 200)
    await page.waitForURL(/\/sign-in\?/)
    assert.match(await page.getByRole('status').innerText(), /Your session has ended/)
    await context.close()
  })

  it('lead back to the same page when the session ends under the hands', async () => {
    const { page, context } = await open()
    await signIn(page, `/t/${companies}?sort=-id`)
    await page.getByRole('link', { name: 'Company 120', exact: true }).waitFor()
    await page.locator('.grid-sheet').hover()
    await context.clearCookies()
    // A request of the frame may notice it before the list does: the grid may be gone by now.
    await page.keyboard.press('Control+End')
    await page.mouse.wheel(0, 3000)
    await page.waitForURL(/\/sign-in\?/)
    assert.match(await page.getByRole('status').innerText(), /Your session has ended/)
    await signInByForm(page)
    await page.waitForURL(new RegExp(`/t/${companies}\\?sort=-id$`))
    // Where the person was in the list: the keys may have come to the grid, or not any more.
    await page
      .getByRole('link', { name: /^Company \d+$/ })
      .first()
      .waitFor()
    await context.close()
  })

  it('let an invited person choose a password, once, and see what their group may see', async () => {
    const make = async (type: string, attributes: object) => (await server.call(token, 'POST', type, { data: { type, attributes } })).body
    const user_id = Number((await make('user', { login: 'anna', fio: 'Anna Orlova', group_id: 3 })).data.id)
    await make('access', { group_id: 3, table_id: Number(companies), read: true })
    const { code } = (await make('invitation', { user_id })).data.attributes
    const { page, context, faults } = await open()
    await page.goto(address(`/invite/${code}`))
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    assert.match(await page.getByRole('alert').innerText(), /A password has 8 to 1,000 characters/)
    await page.getByLabel('New password').fill('long enough by far')
    await page.keyboard.press('Enter')
    await page.getByText('you sign in with the login anna').waitFor()
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    assert.deepEqual(
      (await page.locator('.side-list .side-item').allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Companies'],
    )
    await page.goto(address('/t/2'))
    await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    await page.goto(address(`/invite/${code}`))
    await page.getByLabel('New password').fill('long enough again')
    await page.keyboard.press('Enter')
    assert.match(await page.getByRole('alert').innerText(), /^This link is unknown, used or too old/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('keep nothing of one person for the next at the same browser, and say where somebody is still signed in', async () => {
    const made = await server.call(token, 'POST', 'user', {
      data: { type: 'user', attributes: { login: 'boris', fio: 'Boris Petrov', group_id: 3, password: 'boris boris boris' } },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { page, context, faults } = await open()
    await signIn(page, '/profile')
    await page.getByLabel('Русский').check()
    await page.getByRole('heading', { name: 'Профиль' }).first().waitFor()
    await page.route('**/api/dev/session', (route) => route.abort())
    await page.getByRole('button', { name: 'Выйти' }).click()
    await page.getByRole('status').filter({ hasText: 'Вы всё ещё в системе' }).waitFor()
    await page.unroute('**/api/dev/session')
    await page.getByRole('button', { name: 'Выйти' }).click()
    await page.waitForURL(/\/sign-in$/)
    await signInByForm(page, 'boris', 'boris boris boris')
    await page.locator('.app').waitFor()
    await page.goto(address('/profile'))
    await page.getByText('Boris Petrov').first().waitFor()
    // Boris has chosen nothing: it is the language of the browser.
    await page.getByRole('heading', { name: 'Profile' }).first().waitFor()
    await page.getByLabel('Dark').check()
    const kept = async () => (await server.call(token, 'GET', "setting?filter=eq(key,'web')")).body.data[0]?.attributes.value
    assert.equal((await kept()).language, 'ru')
    await page.reload()
    await until('the theme', () => page.evaluate<boolean>("document.documentElement.dataset.theme === 'dark'"))
    assert.deepEqual(faults, [])
    await context.close()
    await server.call(token, 'DELETE', `setting/${(await server.call(token, 'GET', "setting?filter=eq(key,'web')")).body.data[0].id}`)
  })

  it('lead nowhere else after the sign-in: an address of another site is not followed', async () => {
    const { page, context } = await open()
    for (const next of ['//evil.example/', '/%09/evil.example/', '/%5Cevil.example', 'https://evil.example/', 'javascript:alert(1)']) {
      await context.clearCookies()
      await page.goto(address(`/sign-in?next=${next}`))
      await signInByForm(page)
      await page.waitForURL(new RegExp(`^${server.url}/t/${companies}$`))
    }
    await context.close()
  })

  it('say that the service does not answer, and go on when it does', async () => {
    const { page, context } = await open()
    await signIn(page)
    await page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    await page.route('**/api/dev/data*', (route) => route.abort())
    await page.getByRole('button', { name: 'Turnover', exact: true }).click()
    await until('the trouble', async () => (await page.getByRole('alert').count()) === 1)
    assert.match(await page.getByRole('alert').innerText(), /The service does not answer/)
    await page.unroute('**/api/dev/data*')
    const isBack = page.getByRole('link', { name: 'Company 1', exact: true }).waitFor()
    await tryAgain(page.getByRole('button', { name: 'Try again' }), isBack)
    await context.close()
  })

  it('tell of an address that leads nowhere', async () => {
    const { page, context } = await open()
    await signIn(page, '/t/999')
    await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    await context.close()
  })

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const [colorScheme, locale] of [
      ['light', 'en-GB'],
      ['dark', 'ru-RU'],
    ] as const)
      it(`have nothing that axe calls serious, and nothing too wide: ${width} px, ${colorScheme}, ${locale}`, async () => {
        const { page, context, faults } = await open({ width, height, locale })
        await page.emulateMedia({ colorScheme })
        const look = async (what: string) => {
          await mustBeAccessible(page, what)
          assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, `${what} is too wide`)
        }
        await page.goto(address('/sign-in'))
        await page.locator('form').waitFor()
        await look('sign-in')
        await signIn(page)
        for (const path of [`/t/${companies}`, `/t/${companies}/7`, '/t/2', '/profile', '/help', '/help/views', '/help/keys']) {
          await page.goto(address(path))
          await page
            .locator('.name-link, .cards .card, dl, .plain-table, .chapters, .manual article')
            .first()
            .waitFor({ state: 'attached' })
          await look(path)
        }
        if (width < 640) {
          await page.locator('.bottom button').first().click()
          await page.locator('.side').waitFor()
          await look('tables')
          await page.keyboard.press('Escape')
          await page.locator('.side').waitFor({ state: 'hidden' })
        }
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').waitFor()
        await look('palette')
        assert.deepEqual(faults, [])
        await context.close()
      })
})
