import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, password, pagesScene, signInByForm, type PagesScene } from './support/pages-scene.ts'

/* What an administrator does with people and their rights, without the command line. */

describe('people and rights', () => {
  let scene: PagesScene
  let sales: string
  let anna: string
  let things: string
  let deals: string
  before(async () => {
    scene = await pagesScene()
    sales = await scene.make('group', { group_name: 'Sales' })
    anna = await scene.make('user', { login: 'anna', fio: 'Anna Berg', e_mail: 'anna@example.com', password, group_id: Number(sales) })
    things = await scene.make('table', { table_name: 'Things' })
    await scene.make('user', { login: 'boris', fio: 'Boris Lang', password, group_id: 3 })
    await scene.make('user', { login: 'strange', fio: HOSTILE, password, group_id: Number(sales) })
  })
  after(() => scene?.close())

  const call = async (method: string, path: string, body?: unknown, token = scene.token) =>
    (await scene.server.call(token, method, path, body)).body
  const user = async (id: string) => (await call('GET', `user/${id}`)).data.attributes
  const panel = (page: Page) => page.getByRole('complementary')
  async function menu(page: Page, of: string, item: string): Promise<void> {
    await page.getByRole('button', { name: `More about ${of}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  it('somebody is invited by a link, which lets them choose a password; the link of later works too', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/tables')
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    await panel(page).getByLabel('Full name').fill('Clara Holm')
    await panel(page).getByRole('button', { name: 'Make the link' }).click()
    await panel(page).getByText('Type a login: they sign in with it.').waitFor()
    assert.equal(await panel(page).locator('input:focus').getAttribute('aria-invalid'), 'true')
    await panel(page).getByLabel('E-mail').fill('anna@example.com')
    await panel(page).getByText('Type a login: they sign in with it.').waitFor({ state: 'hidden' })
    await panel(page).getByLabel('Group').selectOption('Sales')
    await panel(page).getByRole('button', { name: 'Make the link' }).click()
    await panel(page).getByText('Somebody has this login already.').waitFor()
    await panel(page).getByLabel('E-mail').fill('Clara.Holm@example.com')
    await panel(page).getByRole('button', { name: 'Make the link' }).click()
    const link = await panel(page).getByLabel('Link for Clara Holm').first().getByRole('textbox').inputValue()
    assert.match(link, /^http:.*\/invite\/[A-Za-z0-9]{48}$/)
    const guest = await scene.open()
    await guest.page.goto(link)
    await guest.page.getByLabel('New password').fill('nine yellow tricycles')
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('heading', { name: 'No tables yet' }).first().waitFor()
    await panel(page).getByRole('button', { name: 'I have kept it' }).click()
    await panel(page).getByRole('button', { name: 'New link for a password' }).click()
    const next = await panel(page).getByLabel('Link for Clara Holm').first().getByRole('textbox').inputValue()
    assert.notEqual(next, link)
    await panel(page).getByRole('button', { name: 'I have kept it' }).click()
    await panel(page).getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText('The link of Clara Holm no longer works.').waitFor()
    await page.reload()
    // Where they are signed in is seen, and ended: the next thing that they do leads to the page to sign in.
    await panel(page).getByRole('button', { name: /^End / }).click()
    await panel(page).getByText('Nowhere').waitFor()
    await guest.page.goto(scene.address('/profile'))
    await guest.page.locator('input[autocomplete=username]').waitFor()
    assert.deepEqual(faults, [])
    await guest.context.close()
    await context.close()
  })

  it('who has forgotten their password gets a link; the one of before ends with it, and so do their other browsers', async () => {
    const { page, context, faults } = await scene.open()
    const there = await scene.open()
    const id = await scene.make('user', { login: 'vera', fio: 'Vera Roth', password, group_id: 3 })
    await scene.signIn(there.page, '/profile', 'vera')
    await scene.signIn(page, `/admin/users?user=${id}`)
    await panel(page).getByRole('button', { name: 'New link for a password' }).click()
    const link = await panel(page).getByLabel('Link for Vera Roth').first().getByRole('textbox').inputValue()
    const guest = await scene.open()
    await guest.page.goto(link)
    await guest.page.getByLabel('New password').fill('nine yellow tricycles')
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('heading', { name: 'No tables yet' }).first().waitFor()
    // It is no longer told that the link waits, and they are where they are now.
    await panel(page).getByRole('button', { name: 'I have kept it' }).click()
    await panel(page).getByRole('button', { name: 'New link for a password' }).waitFor()
    await panel(page).getByRole('button', { name: 'Withdraw it' }).waitFor({ state: 'detached' })
    await until('one browser', async () => (await panel(page).getByRole('button', { name: /^End / }).count()) === 1)
    await there.page.goto(scene.address('/profile'))
    await signInByForm(there.page, 'vera')
    await there.page.getByText('Login and password do not match.').waitFor()
    await there.page.locator('input[autocomplete=current-password]').fill('nine yellow tricycles')
    await there.page.keyboard.press('Enter')
    await there.page.locator('.app').waitFor()
    assert.deepEqual(faults, [])
    for (const one of [there.context, guest.context, context]) await one.close()
  })

  it('people are found, moved to another group, archived and taken back', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/users')
    await page.getByRole('searchbox').fill('berg ANNA')
    await page.getByText('1 person').waitFor()
    await page.getByRole('link', { name: /Anna Berg/ }).click()
    await panel(page).getByLabel('Group').selectOption('Managers')
    await page.getByText('Anna Berg is now in Managers.').waitFor()
    assert.equal((await user(anna)).group_id, 2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('the group of before', async () => (await user(anna)).group_id === Number(sales))
    await panel(page).getByLabel('Login').fill('boris')
    await page.keyboard.press('Enter')
    await panel(page).getByText('Somebody has this login already.').waitFor()
    await page.keyboard.press('Escape')
    await panel(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Anna Berg is archived and signed out everywhere.').waitFor()
    await page.getByText('Nobody matches').waitFor()
    await page.getByRole('radio', { name: 'Archived' }).check()
    await page.getByRole('link', { name: /Anna Berg/ }).waitFor()
    await panel(page).getByRole('button', { name: 'Take back' }).click()
    await until('their return', async () => (await user(anna)).arc === 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('groups are made, named, copied with their rights, and deleted when nobody is in them', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/groups')
    await page.getByRole('button', { name: 'New group' }).click()
    await page.keyboard.type('Partners')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^Partners/ }).waitFor()
    const [partners] = (await call('GET', "group?filter=eq(group_name,'Partners')")).data
    const rule = { table_id: Number(things), read: true, create: true, read_filter: 'eq(user_id,current_user)', fields: { allow: {} } }
    await scene.make('access', { ...rule, group_id: Number(partners.id) })
    await page.reload()
    await page.getByRole('link', { name: /^Partners.*Reaches: 1 table/ }).waitFor()
    await menu(page, 'Partners', 'Copy with its rights')
    await page.getByLabel('Name of the group').press('Enter')
    await page.getByRole('link', { name: /^Partners, copy.*Reaches: 1 table/ }).waitFor()
    const [copy] = (await call('GET', "group?filter=eq(group_name,'Partners, copy')")).data
    const [copied] = (await call('GET', `access?filter=eq(group_id,${copy.id})`)).data
    for (const [name, value] of Object.entries(rule)) assert.deepEqual(copied.attributes[name], value, name)
    await menu(page, 'Partners, copy', 'Rename')
    await page.getByLabel('Name of Partners, copy').fill('Friends')
    await page.keyboard.press('Enter')
    await menu(page, 'Friends', 'Delete')
    await page.getByText('Its rights on 1 table go with it. This cannot be undone.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The group Friends is gone.').waitFor()
    await menu(page, 'Sales', 'Delete')
    await page.getByText(/people are in Sales/).waitFor()
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByRole('link', { name: /Anna Berg/ }).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('rights are given in the matrix, by single rights, filters and fields, and each change is taken back', async () => {
    deals = await scene.make('table', { table_name: 'Deals' })
    const title = await scene.make('field', { table_id: Number(deals), field_name: 'Title', field_type: 'text' })
    const owner = await scene.make('field', { table_id: Number(deals), field_name: 'Owner', field_type: 'user' })
    await scene.make('field', { table_id: Number(deals), field_name: HOSTILE, field_type: 'text' })
    await scene.make(`data${deals}`, { [`f${title}`]: 'Boat', [`f${owner}`]: anna })
    await scene.make(`data${deals}`, { [`f${title}`]: 'Car' })
    const rule = async () => (await call('GET', `access?filter=and(eq(group_id,${sales}),eq(table_id,${deals}))`)).data[0]?.attributes
    const ruleId = async () => (await call('GET', `access?filter=and(eq(group_id,${sales}),eq(table_id,${deals}))`)).data[0].id
    const becomes = (what: string, holds: (now: Awaited<ReturnType<typeof rule>>) => boolean) =>
      until(what, async () => holds(await rule()))
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/rights')
    const cell = page.getByRole('button', { name: /^Sales in Deals/ })
    await cell.click()
    const preset = (name: string) => panel(page).getByRole('radio', { name, exact: true })
    await preset('Reads').check()
    await becomes('the rule', (now) => now?.read === true && !now.create)
    await page.getByRole('button', { name: 'Undo' }).click()
    await becomes('no rule', (now) => now === undefined)
    await preset('Works').check()
    await becomes('the rule', (now) => now?.update === true && !now.bed)
    await panel(page).getByLabel('Many at once').check()
    await becomes('the right', (now) => now.bed === true)
    await panel(page).getByText('Own mix').waitFor()
    await panel(page).getByRole('combobox', { name: 'Sees' }).selectOption('only where Owner is the person signed in')
    await becomes('the filter', (now) => now.read_filter === `eq(f${owner},current_user)`)
    await panel(page).getByRole('combobox', { name: 'Changes', exact: true }).selectOption('only what a filter selects')
    const changes = panel(page).getByRole('group', { name: 'Changes', exact: true })
    const use = changes.getByRole('button', { name: 'Use this filter' })
    await changes.getByRole('button', { name: 'As an expression' }).click()
    await changes.getByLabel('Expression').fill('eq(nothing,1)')
    await use.click()
    await changes
      .getByRole('alert')
      .getByText(/no attribute 'nothing'/)
      .waitFor()
    assert.equal((await rule()).write_filter, '')
    // What the rows cannot draw stays as it is written.
    const strange = `ne(lower(f${title}),'ship')`
    await changes.getByLabel('Expression').fill(strange)
    await changes.getByRole('button', { name: 'As conditions' }).click()
    await changes.getByRole('code').getByText(strange).waitFor()
    await changes.getByRole('button', { name: 'Take the condition away' }).click()
    await changes.getByRole('button', { name: 'Condition', exact: true }).click()
    await changes.getByLabel('Field').selectOption('Title')
    await changes.getByLabel('Comparison').selectOption('is not')
    await changes.getByRole('button', { name: 'Title: Value' }).click()
    await page.keyboard.type('Ship')
    await page.keyboard.press('Enter')
    await closeToasts(page)
    await use.click()
    await becomes('the filter', (now) => now.write_filter === `ne(f${title},'Ship')`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await becomes('no filter', (now) => now.write_filter === '')
    await changes.locator('.says').getByText('All records').waitFor()
    await call('PATCH', `access/${await ruleId()}`, {
      data: { type: 'access', id: await ruleId(), attributes: { write_filter: `ne(f${title},'Ship')` } },
    })
    await page.reload()
    await changes.getByText('Title is not Ship').waitFor()
    await panel(page).getByLabel('Owner: Read-only').check()
    await becomes('the field', (now) => now.fields[`f${owner}`] === 'read_only')
    await page.locator('.toast').waitFor()
    await closeToasts(page)
    await panel(page).getByRole('radio', { name: 'hidden', exact: true }).check()
    await becomes('the list', (now) => now.fields.allow?.[`f${title}`] === 'writable' && now.fields.allow[`f${owner}`] === 'read_only')
    await page.getByRole('button', { name: 'Undo' }).click()
    await becomes('the list of before', (now) => now.fields[`f${owner}`] === 'read_only')
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: /^Sales in Deals: Own mix.*only some records$/ }).waitFor()
    const token = (await call('POST', 'token', { data: { type: 'token', attributes: { login: 'anna', password } } }, '')).data.attributes
      .token
    const seen = await call('GET', `data${deals}`, undefined, token)
    assert.deepEqual(
      seen.data.map((one: { attributes: Record<string, string> }) => one.attributes[`f${title}`]),
      ['Boat'],
    )
    // By the keyboard: Tab into the matrix, the arrows in it.
    await cell.focus()
    await page.keyboard.press('ArrowLeft')
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^Clients in Deals/)
    await page.keyboard.press('Enter')
    await panel(page).getByRole('heading', { name: 'Clients in Deals' }).waitFor()
    await page.goto(scene.address('/admin/rights?ask=true'))
    await panel(page).getByLabel('Who').selectOption('Anna Berg')
    await panel(page).getByLabel('Table').selectOption('Deals')
    for (const [record, answer] of [
      ['1', /Anna Berg sees the record 1, and may change it/],
      ['2', /the filter of the group Sales leaves it out/],
      ['99', /There is no record 99/],
    ] as const) {
      await panel(page).getByLabel('Number of the record').fill(record)
      await page.keyboard.press('Enter')
      await panel(page).getByText(answer).waitFor()
    }
    await panel(page).getByRole('link', { name: 'Open the rights of the group' }).click()
    await panel(page).getByRole('heading', { name: 'Sales in Deals' }).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a filter of a rule that the service refuses goes on in its expression, where Enter in a condition has sent it', async () => {
    const tasks = await scene.make('table', { table_name: 'Tasks' })
    const due = await scene.make('field', { table_id: Number(tasks), field_name: 'Due', field_type: 'date' })
    const filter = `between(f${due},today-6,today)`
    await scene.make('access', { group_id: Number(sales), table_id: Number(tasks), read: true, read_filter: filter })
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(10_000)
    const refusal = { errors: [{ id: 'r', status: '400', code: 'filter.syntax', title: 'Invalid filter', detail: 'Expected a function.' }] }
    await page.route('**/api/dev/access/**', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, contentType: 'application/vnd.api+json', body: JSON.stringify(refusal) })
        : route.continue(),
    )
    await scene.signIn(page, `/admin/rights?group=${sales}&table=${tasks}`)
    const sees = panel(page).getByRole('group', { name: 'Sees', exact: true })
    await sees.getByLabel('Due: days').fill('9')
    await page.keyboard.press('Enter')
    const expression = sees.getByLabel('Expression')
    await expression.waitFor()
    const isIn = () =>
      expression.evaluate((its) => {
        const said = its.ownerDocument.getElementById(its.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
        return its === its.ownerDocument.activeElement && said.startsWith('The filter is not understood: expected a function.')
      })
    await until('the focus, with what is wrong', isIn)
    assert.equal(await expression.inputValue(), `between(f${due},today-8,today)`)
    // By the button too, which cannot be pressed while it is asked.
    await sees.getByRole('button', { name: 'Use this filter' }).press('Enter')
    await until('the focus once more', isIn)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a preset is given for all tables of a group, or of a category, and taken back', async () => {
    const group = await scene.make('group', { group_name: 'Porters' })
    const category = await scene.make('category', { category_name: 'Harbour' })
    const ships = await scene.make('table', { table_name: 'Ships', category_id: Number(category) })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/rights')
    const rules = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await call('GET', `access?filter=eq(group_id,${group})`)).data.map(
          ({ attributes: its }: { attributes: Record<string, unknown> }) => [String(its['table_id']), `${its['read']} ${its['create']}`],
        ),
      )
    await page.getByRole('button', { name: 'Porters in Harbour', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Works', exact: true }).click()
    await page.getByText('Porters, Harbour: 1 table changed').waitFor()
    assert.deepEqual(await rules(), { [ships]: 'true true' })
    await page.getByRole('button', { name: 'Porters in all tables', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Reads' }).click()
    await page.getByText(/^Porters, all tables: \d+ tables changed$/).waitFor()
    const all = await rules()
    assert.ok(Object.keys(all).length > 1)
    assert.ok(Object.values(all).every((one) => one === 'true false'))
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until('the rights as before', async () => JSON.stringify(await rules()) === JSON.stringify({ [ships]: 'true true' }))
    assert.deepEqual(faults, [])
    await context.close()
    for (const [type, id] of [['table', ships], ['category', category], ['group', group]]) await call('DELETE', `${type}/${id}`) // prettier-ignore
  })

  it('with twenty groups a group is found by its name, and chosen on a phone', async () => {
    for (let i = 1; i <= 20; i++) await scene.make('group', { group_name: `Office ${i}` })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/rights')
    await page.getByRole('searchbox').fill('office 17')
    await page.getByRole('columnheader', { name: 'Office 16' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Office 17 in Deals/ }).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByLabel('Group', { exact: true }).selectOption('Office 18')
    await page.getByRole('button', { name: /^Deals Nothing/ }).click()
    await panel(page).getByRole('heading', { name: 'Office 18 in Deals' }).waitFor()
    // What the columns of the fields mean stays in sight while they are scrolled.
    await panel(page).getByRole('radio', { name: 'Reads' }).check({ force: true })
    await page.setViewportSize({ width: 390, height: 400 })
    await panel(page)
      .getByRole('row', { name: /^Archived or not/ })
      .scrollIntoViewIfNeeded()
    const heads = panel(page).getByRole('columnheader', { name: 'Hidden' })
    const [head, last] = [
      await heads.boundingBox(),
      await panel(page)
        .getByRole('row', { name: /^Archived or not/ })
        .boundingBox(),
    ]
    const above = await panel(page).locator('.design-body').boundingBox()
    assert.ok(head!.y >= above!.y && head!.y < last!.y, JSON.stringify({ head, last, above }))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are not there for anybody else', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/profile', 'boris')
    for (const path of ['/admin/users', '/admin/groups', '/admin/rights']) {
      await page.goto(scene.address(path))
      await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    }
    await context.close()
  })

  it('have nothing serious for axe, in both themes, languages and sizes', async () => {
    const cell = [`/admin/rights?group=${sales}&table=${deals}`, '.tri'] as const
    const both = [[`/admin/users?user=${anna}`, '.design-panel h3'] as const, cell]
    for (const [locale, width, colorScheme, pages] of [
      ['en-GB', 1440, 'light', [...both, ['/admin/users?user=new', '.admin-form'], ['/admin/rights?ask=true', '.design-panel form']]],
      ['ru-RU', 390, 'dark', [...both, ['/admin/users', '.people'], ['/admin/groups', '.people'], ['/admin/rights', '.legend']]],
    ] as const) {
      const { page, context } = await scene.open({ locale, width })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, '/admin/users')
      for (const [path, ready] of pages) {
        await page.goto(scene.address(path))
        await page.locator(ready).first().waitFor()
        await mustBeAccessible(page, `${path} ${locale}`)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(overflow, 0, `${path} ${locale}`)
        const shots = process.env['SHOTS']
        if (shots) await page.screenshot({ path: `${shots}/${path.replaceAll(/[^a-z]+/g, '-')}${locale}.png` })
      }
      await context.close()
    }
  })
})

/** So that the next one stands alone: three are shown at once, and further ones wait. */
async function closeToasts(page: Page): Promise<void> {
  await until('no toast', () =>
    page.evaluate<boolean>(
      `(document.querySelectorAll('.toast > button:last-child').forEach((close) => close.click()), !document.querySelector('.toast'))`,
    ),
  )
}
