import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What an administrator does with tables and their fields, without the command line. */

describe('tables and fields', () => {
  let scene: PagesScene
  let companies: string
  let name: string
  let staff: string
  before(async () => {
    scene = await pagesScene()
    companies = await scene.make('table', { table_name: 'Companies' })
    name = await scene.make('field', { table_id: Number(companies), field_name: 'Name', field_type: 'text' })
    staff = await scene.make('field', { table_id: Number(companies), field_name: 'Staff', field_type: 'text' })
    await scene.make('field', { table_id: Number(companies), field_name: HOSTILE, field_type: 'text' })
    for (const [one, number] of [
      ['Heron', '12'],
      ['Heron', 'about 40'],
      ['Stork', '7'],
    ])
      await scene.make(`data${companies}`, { [`f${name}`]: one, [`f${staff}`]: number })
    const columns = [name, staff].map((id) => ({ attribute: `f${id}` }))
    await scene.make('view', { table_id: Number(companies), view_name: 'By staff', columns })
  })
  after(() => scene?.close())

  const call = async (method: string, path: string, body?: unknown) => (await scene.server.call(scene.token, method, path, body)).body
  const field = async (id: string) => (await call('GET', `field/${id}`)).data.attributes
  const order = async (): Promise<string[]> =>
    (await call('GET', `field?filter=eq(table_id,${companies})&sort=sequence_number`)).data.map(({ id }: { id: string }) => id)
  const panel = (page: Page) => page.getByRole('complementary')
  async function menu(page: Page, of: string, item: string): Promise<void> {
    await page.getByRole('button', { name: `More about ${of}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  it('a table is made with a list, named, moved to a category, thrown away with what is lost named, and taken back', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/')
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('button', { name: 'New category' }).click()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Sales')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Sales' }).getByText('No table here yet').waitFor()
    await page.locator('button:focus', { hasText: 'New category' }).waitFor()
    await page.getByRole('button', { name: 'New table' }).click()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Deals')
    await page.keyboard.press('Enter')
    await panel(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Stage')
    await panel(page)
      .getByRole('radio', { name: /^List One of some words/ })
      .check()
    await panel(page).getByLabel('Options').fill('new\nwon\n\nwon')
    await panel(page).getByRole('button', { name: 'Make' }).click()
    await panel(page).getByRole('heading', { name: 'Stage' }).waitFor()
    const [made] = (await call('GET', "table?filter=eq(table_name,'Deals')")).data
    const [stage] = (await call('GET', `field?filter=eq(table_id,${made.id})`)).data
    assert.deepEqual(
      stage.attributes.options.map(({ label }: { label: string }) => label),
      ['new', 'won'],
    )
    await page.getByRole('main').getByRole('link', { name: 'Tables and fields' }).click()
    await menu(page, 'Deals', 'Rename')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Orders')
    await page.keyboard.press('Enter')
    // What had the focus goes away; the focus stays on the page.
    await page.locator('a:focus', { hasText: 'Orders' }).waitFor()
    await menu(page, 'Orders', 'Move to Sales')
    await page.getByRole('region', { name: 'Sales' }).getByRole('link', { name: 'Orders' }).waitFor()
    await page.locator('#work :focus').waitFor()
    await menu(page, 'Companies', 'To the trash')
    await page.getByText('Companies is in the trash: 3 records, 0 files.').waitFor()
    await page.locator('#work :focus, #work:focus').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('region', { name: 'Other tables' }).getByRole('link', { name: 'Companies' }).waitFor()
    await menu(page, 'Sales', 'Take the category away')
    await page.getByRole('region', { name: 'Tables', exact: true }).getByRole('link', { name: 'Orders' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('tables are put elsewhere by keyboard and by mouse, within and between categories, and copied', async () => {
    const north = Number(await scene.make('category', { category_name: 'North' }))
    const made: Record<string, string> = {}
    for (const one of ['Ash', 'Birch', 'Cedar'])
      made[one] = await scene.make('table', { table_name: one, category_id: one === 'Cedar' ? 0 : north })
    const note = await scene.make('field', { table_id: Number(made['Birch']), field_name: 'Note', field_type: 'text' })
    for (const text of ['one', 'two']) await scene.make(`data${made['Birch']}`, { [`f${note}`]: text })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/tables')
    const inside = (category: string) =>
      page.getByRole('region', { name: category, exact: true }).locator('.admin-open .cut').allInnerTexts()
    const kept = async (): Promise<string[]> =>
      (await call('GET', `table?filter=eq(category_id,${north})&sort=category_sequence_number`)).data.map(
        ({ attributes }: { attributes: { table_name: string } }) => attributes.table_name,
      )
    await page.getByRole('link', { name: /^Birch/ }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await until('the order', async () => (await kept()).join() === 'Birch,Ash')
    await page.locator('a:focus', { hasText: 'Birch' }).waitFor()
    assert.deepEqual(await inside('North'), ['Birch', 'Ash'])
    await page.getByRole('link', { name: /^Ash/ }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await until('the category', async () => (await kept()).join() === 'Birch')
    await page.locator('a:focus', { hasText: 'Ash' }).waitFor()
    assert.equal((await inside('Other tables'))[0], 'Ash')
    const line = (name: string) => page.locator('.admin-tables > li', { hasText: name })
    await line('Cedar').dragTo(line('Birch'))
    await until('the place', async () => (await kept()).join() === 'Cedar,Birch')
    await mustBeAccessible(page, 'the list of tables')
    await menu(page, 'Birch', 'Copy')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Birch too')
    await page.getByLabel('with its 2 records').check()
    await page.getByRole('button', { name: 'Make the copy' }).click()
    await page.getByText('Birch too is there, with the same fields and rights.').waitFor()
    const [copy] = (await call('GET', "table?filter=eq(table_name,'Birch too')")).data
    assert.equal((await call('GET', `data${copy.id}`)).meta.total, 2)
    await page.getByRole('region', { name: 'North', exact: true }).getByRole('link', { name: 'Birch too' }).waitFor()
    for (const one of Object.values(made)) await scene.server.call(scene.token, 'DELETE', `table/${one}`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('fields are ordered by the keyboard alone', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${companies}`)
    const before = await order()
    await page.getByRole('row', { name: /^Name/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Move Staff')
    await page.keyboard.press('Enter')
    await until('a place to drop', async () => (await page.locator('[data-drop-target]').count()) > 0)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await until('the new order', async () => (await order())[0] === staff)
    assert.deepEqual(await order(), [staff, ...before.filter((id) => id !== staff)])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('fields are ordered by the mouse, at their handles', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${companies}`)
    const before = await order()
    const [first, second] = await Promise.all(before.slice(0, 2).map(async (id) => String((await field(id)).field_name)))
    const lower = page.getByRole('row', { name: second! })
    await page
      .getByRole('button', { name: `Move ${first}` })
      .dragTo(lower, { targetPosition: { x: 60, y: (await lower.boundingBox())!.height - 3 } })
    await until('the new order', async () => (await order())[0] === before[1])
    assert.deepEqual(await order(), [before[1], before[0], ...before.slice(2)])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a field tells where it is used; a refusal stands at its setting', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${companies}?field=${name}`)
    await panel(page).getByText('Filled in: 3 of 3 records').waitFor()
    await panel(page).getByText('view By staff').waitFor()
    await panel(page).getByLabel('No two alike').click()
    await panel(page).getByText('1 value stands in several records: Heron').waitFor()
    const theirs = await panel(page).getByRole('link', { name: 'Heron' }).getAttribute('href')
    assert.equal(new URL(theirs!, scene.server.url).searchParams.get('filter'), `eq(f${name},'Heron')`)
    assert.equal((await field(name)).unique, false)
    await panel(page).getByLabel('Characters at most').fill('many')
    await page.keyboard.press('Enter')
    await panel(page).locator('[aria-invalid=true]').waitFor()
    await panel(page).getByLabel('Characters at most').fill('80')
    await page.keyboard.press('Enter')
    await until('the setting', async () => (await field(name)).max_length === 80)
    await panel(page).getByText('Saved', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a name that another field of the table has is told, in the form of a new field and in the settings', async () => {
    const { page, context, faults } = await scene.open()
    const table = Number(await scene.make('table', { table_name: 'Letters' }))
    await scene.make('field', { table_id: table, field_name: 'City', field_type: 'text' })
    await scene.signIn(page, `/admin/tables/${table}?field=new`)
    const same = panel(page).getByText('Another field of this table has this name: people cannot tell them apart.')
    const called = panel(page).getByRole('textbox', { name: /^Name/ })
    await called.fill('Citys')
    assert.equal(await same.count(), 0)
    await called.fill(' city')
    await same.waitFor()
    await panel(page).getByRole('button', { name: 'Make' }).click()
    await panel(page).getByRole('heading', { name: 'city' }).waitFor()
    await same.waitFor()
    await called.fill('Town')
    await page.keyboard.press('Enter')
    await same.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('the rules of access that compare a field are named before it gets another type, and while they keep it', async () => {
    const { page, context, faults } = await scene.open()
    const table = Number(await scene.make('table', { table_name: 'Orders' }))
    const of = (field_name: string) => scene.make('field', { table_id: table, field_name, field_type: 'text' })
    const [state, note] = [await of('State'), await of('Note')]
    const more = { read_filter: `ne(f${state},'9')`, write_filter: `eq(f${state},'1')`, fields: { [`f${note}`]: 'hidden' } }
    await scene.make('access', { group_id: 2, table_id: table, read: true, update: true, ...more })
    await scene.signIn(page, `/admin/tables/${table}?field=${note}`)
    await panel(page).getByText('rule of Managers (its right on this field)').waitFor()
    await panel(page).getByLabel('Type now').selectOption('integer')
    await panel(page).getByRole('button', { name: 'Change to Whole number', disabled: false }).waitFor()
    assert.equal(await panel(page).locator('.rules-by').count(), 0)
    await panel(page).getByRole('button', { name: 'Put the field into the trash', disabled: false }).waitFor()
    await page.getByRole('rowheader', { name: 'State' }).click()
    await panel(page).getByRole('heading', { name: 'State' }).waitFor()
    const kept = panel(page).getByRole('note').getByText('The field stays out of the trash while rules of access compare it.')
    await kept.waitFor()
    assert.equal(await panel(page).getByRole('button', { name: 'Put the field into the trash' }).count(), 0)
    await panel(page).getByLabel('Type now').selectOption('integer')
    const warned = panel(page).getByRole('alert').filter({ hasText: 'Rules of access compare this field.' })
    await warned.getByText('rule of Managers (which records it sees, which records it changes)').waitFor()
    await panel(page).getByLabel('becomes').selectOption('date')
    await panel(page).getByRole('button', { name: 'Change to Date' }).click()
    // With this type the filters would make no sense.
    await panel(page).getByRole('alert').getByText('The type stays: with the other one, a filter of these rules').waitFor()
    assert.equal(await panel(page).getByRole('alert').count(), 1)
    assert.equal((await field(state)).field_type, 'text')
    await panel(page).getByLabel('becomes').selectOption('integer')
    await warned.waitFor()
    await panel(page).getByRole('button', { name: 'Change to Whole number' }).click()
    await until('the other type', async () => (await field(state)).field_type === 'integer')
    await panel(page).getByRole('note').getByRole('link', { name: 'rule of Managers' }).click()
    await panel(page).getByRole('heading', { name: 'Managers in Orders' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('what another type would lose is shown before; to leave it changes nothing', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${companies}?field=${staff}`)
    const choose = () => panel(page).getByLabel('Type now').selectOption('integer')
    await choose()
    await panel(page).getByRole('button', { name: 'Change to Whole number' }).click()
    await panel(page).getByRole('heading', { name: '1 value would be lost' }).waitFor()
    await panel(page).getByRole('row', { name: 'about 40 2' }).waitFor()
    await panel(page).getByRole('button', { name: 'Leave as Text' }).click()
    assert.equal((await field(staff)).field_type, 'text')
    await choose()
    await panel(page).getByRole('button', { name: 'Change to Whole number' }).click()
    await panel(page).getByRole('button', { name: 'Change and lose 1 value' }).click()
    await panel(page).getByLabel('Type now').waitFor()
    assert.equal((await field(staff)).field_type, 'integer')
    // What is lost does not come back.
    const told = page.locator('.toasts > *', { hasText: 'The type of Staff is changed; 1 value is lost.' })
    await told.waitFor()
    assert.equal(await told.getByRole('button', { name: 'Undo' }).count(), 0)
    const deletions: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && deletions.push(new URL(request.url()).search))
    await panel(page).getByRole('button', { name: 'Put the field into the trash' }).click()
    await page.getByText('Staff is in the trash; it was filled in in 2 records.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('row', { name: /Staff/ }).waitFor()
    // What is gone is not asked what else would go.
    assert.deepEqual(deletions, ['?dryRun=true', ''])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a text becomes a link by a unique field: what meets a record and what does not is shown before, by the keyboard alone', async () => {
    const clients = await scene.make('table', { table_name: 'Clients' })
    const title = await scene.make('field', { table_id: Number(clients), field_name: 'Title', field_type: 'text' })
    const code = await scene.make('field', { table_id: Number(clients), field_name: 'Code', field_type: 'text', unique: true })
    const ids: string[] = []
    for (const [one, two] of [
      ['Blue Heron', 'H-1'],
      ['Stork', 'S-1'],
    ])
      ids.push(await scene.make(`data${clients}`, { [`f${title}`]: one, [`f${code}`]: two }))
    const orders = await scene.make('table', { table_name: 'Orders of clients' })
    const client = await scene.make('field', { table_id: Number(orders), field_name: 'Client', field_type: 'text' })
    for (const value of ['h-1', 'S-1', '', 'X-9', 'X-9', HOSTILE]) await scene.make(`data${orders}`, { [`f${client}`]: value })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${orders}?field=${client}`)
    await panel(page).getByLabel('Type now').focus()
    let look = () => undefined as void
    const mayLook = new Promise<void>((resolve) => (look = resolve))
    await page.route(`**/api/dev/field/${client}?dryRun=true`, async (route) => (await mayLook, route.continue()))
    await page.keyboard.type('Link')
    // Nothing is changed before it is known what would be lost.
    const change = panel(page).getByRole('button', { name: 'Change to Link' })
    await panel(page).getByText('Looking for the records…').waitFor()
    assert.equal(await panel(page).getByLabel('Find them by').inputValue(), code)
    assert.equal(await change.isDisabled(), true)
    look()
    // The name of the field is that of the table, and its one unique field is offered.
    await panel(page).getByText('In 2 records the value meets one of Clients.').waitFor()
    const missed = panel(page).getByRole('group', { name: 'In 3 records the value meets none, and would be lost' })
    assert.deepEqual(await missed.getByRole('rowheader').allInnerTexts(), ['X-9', HOSTILE])
    await missed.getByText('Each value stands here once').waitFor()
    await mustBeAccessible(page, 'a text that becomes a link')
    await panel(page).getByLabel('Find them by').focus()
    await page.keyboard.press('ArrowDown')
    await panel(page).getByText('In no record the value meets one of Clients.').waitFor()
    await page.keyboard.press('ArrowUp')
    await panel(page).getByText('In 2 records the value meets one of Clients.').waitFor()
    assert.equal((await field(client)).field_type, 'text', 'nothing is changed by looking')
    const shots = process.env['SHOTS']
    if (shots)
      for (const [colorScheme, width] of [
        ['light', 1440],
        ['dark', 1440],
        ['light', 390],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await page.screenshot({ path: `${shots}/link-${colorScheme}-${width}.png` })
      }
    // What was shown may be old: the service is asked without loss first, and the button that loses values is another one, without the focus.
    await scene.make(`data${orders}`, { [`f${client}`]: 'X-10' })
    await change.press('Enter')
    const lose = panel(page).getByRole('button', { name: 'Change and lose 4 values' })
    await lose.waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await lose.evaluate((its) => its.contains(its.ownerDocument.activeElement)), false)
    assert.equal((await field(client)).field_type, 'text', 'nothing is lost by a second Enter')
    await lose.press('Enter')
    await panel(page).getByLabel('Type now').waitFor()
    const now = await field(client)
    assert.deepEqual([now.field_type, now.reference_table_id], ['reference', Number(clients)])
    assert.deepEqual(
      (await call('GET', `data${orders}?sort=id`)).data.map(
        ({ attributes }: { attributes: Record<string, string> }) => attributes[`f${client}`],
      ),
      [ids[0], ids[1], '0', '0', '0', '0', '0'],
    )
    // Where no field is unique, values are numbers of records, and the way to make one unique is named.
    await page.goto(scene.address(`/admin/tables/${clients}?field=${title}`))
    await panel(page).getByLabel('Type now').selectOption('reference')
    await panel(page).getByLabel('Links to records of').selectOption(companies)
    await panel(page).getByText('tick “No two alike” in that field').waitFor()
    assert.equal(
      await panel(page).getByRole('link', { name: 'To the fields of Companies' }).getAttribute('href'),
      `/admin/tables/${companies}`,
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a link that the service refuses, since others have changed what finds the records, leaves the focus with the reason', async () => {
    const keys = await scene.make('table', { table_name: 'Keys' })
    const code = await scene.make('field', { table_id: Number(keys), field_name: 'Code', field_type: 'text', unique: true })
    await scene.make(`data${keys}`, { [`f${code}`]: 'K-1' })
    const locks = await scene.make('table', { table_name: 'Locks' })
    const key = await scene.make('field', { table_id: Number(locks), field_name: 'Key', field_type: 'text' })
    await scene.make(`data${locks}`, { [`f${key}`]: 'K-1' })
    const { page, context } = await scene.open()
    await scene.signIn(page, `/admin/tables/${locks}?field=${key}`)
    await panel(page).getByLabel('Type now').focus()
    await page.keyboard.type('Link')
    await panel(page).getByText('In 1 record the value meets one of Keys.').waitFor()
    const set = (unique: boolean) => call('PATCH', `field/${code}`, { data: { type: 'field', id: code, attributes: { unique } } })
    await set(false)
    const change = panel(page).getByRole('button', { name: 'Change to Link' })
    await change.press('Enter')
    const why = panel(page).getByRole('alert').filter({ hasText: "The field 'Code' is not unique" })
    await why.waitFor()
    await until('the focus', () => page.evaluate<boolean>("/not unique/.test(document.activeElement.innerText) && document.activeElement.tagName === 'DIV'")) // prettier-ignore
    // What is offered is what there is now.
    await panel(page).getByText('In no record the value meets one of Keys.').waitFor()
    await panel(page).getByText('tick “No two alike” in that field').waitFor()
    assert.equal((await field(key)).field_type, 'text')
    await panel(page).getByRole('button', { name: 'Leave as Text' }).press('Enter')
    await why.waitFor({ state: 'detached' })
    await context.close()
    for (const id of [locks, keys]) await call('DELETE', `table/${id}`)
  })

  it('of many records, a job changes the type: its progress is shown, also after a reload, and it is stopped', async () => {
    const table = Number(await scene.make('table', { table_name: 'Readings' }))
    const code = await scene.make('field', { table_id: table, field_name: 'Code', field_type: 'text' })
    await scene.fill('Readings', `Code\nabout 9\n${Array.from({ length: 20_000 }, (_, i) => i).join('\n')}\n`)
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${table}?field=${code}`)
    const [runs, change] = [
      panel(page).getByRole('heading', { name: 'The type is being changed' }),
      panel(page).getByRole('button', { name: 'Change to Whole number' }),
    ]
    const begin = async () => {
      await panel(page).getByText('Filled in: 20,001 of 20,001 records').waitFor()
      await panel(page).getByLabel('Type now').selectOption('integer')
      await change.click()
    }
    await begin()
    await panel(page).getByRole('heading', { name: '1 value would be lost' }).waitFor()
    await panel(page).getByRole('row', { name: 'about 9 1' }).waitFor()
    assert.equal((await field(code)).field_type, 'text')
    // The service is not asked how far the job is while its end is awaited here, so it cannot come first.
    let isHeld = true
    const running = { state: 'running', cancel_asked: false, done: 10_000, total: 40_002, end_time: '' }
    await page.route('**/api/dev/job/*', async (route) => {
      if (!isHeld || route.request().method() !== 'GET') return route.continue()
      const answer = await route.fetch()
      const document = await answer.json()
      return route.fulfill({
        response: answer,
        json: { ...document, data: { ...document.data, attributes: { ...document.data.attributes, ...running } } },
      })
    })
    await panel(page).getByRole('button', { name: 'Change and lose 1 value' }).click()
    await runs.waitFor()
    await panel(page).getByText('24 %').waitFor()
    await page.reload()
    await runs.waitFor()
    await mustBeAccessible(page, 'a conversion')
    const shots = process.env['SHOTS']
    if (shots) await page.screenshot({ path: `${shots}/conversion.png` })
    isHeld = false
    await page.getByText('The type of Code is changed; 1 value is lost.').waitFor()
    await panel(page).getByLabel('Type now').waitFor()
    assert.equal((await field(code)).field_type, 'integer')
    const [{ attributes }] = (await call('GET', 'job?sort=-id&page[limit]=1')).data
    assert.deepEqual([attributes.kind, attributes.state], ['convert', 'done'])
    // Stopped: the same, with a job that takes its time to run and to stop.
    Object.assign(running, { done: 30_000 })
    isHeld = true
    await page.route('**/api/dev/job/*', (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      Object.assign(running, { state: 'cancelled', cancel_asked: true })
      return route.fulfill({ json: { meta: {} } })
    })
    await panel(page).getByLabel('Type now').selectOption('text')
    await panel(page).getByRole('button', { name: 'Change to Text' }).click()
    await panel(page).getByText('74 %').waitFor()
    await panel(page).getByRole('button', { name: 'Stop' }).click()
    await page.getByText('The type stays as it was.').waitFor()
    await panel(page).getByLabel('Type now').waitFor()
    await page.goto(scene.address('/jobs'))
    await page.getByText('Another type for a field of Readings').first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('in the form of a new field, the button and what the type asks for are in sight', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${companies}?field=new`)
    const isSeen = async (what: ReturnType<Page['locator']>) => {
      const box = (await what.boundingBox())!
      const at = [box.x + box.width / 2, box.y + box.height / 2].join()
      return what.evaluate((its, [x, y]) => its.contains(its.ownerDocument.elementFromPoint(x!, y!)), at.split(',').map(Number))
    }
    const make = panel(page).getByRole('button', { name: 'Make' })
    await make.waitFor()
    assert.equal(await isSeen(make), true)
    for (const [type, asked] of [
      [/^List One of some words/, panel(page).getByLabel('Options')],
      [/^Link A record/, panel(page).getByLabel('Links to records of')],
    ] as const) {
      await panel(page).getByRole('radio', { name: type }).check()
      await until('what the type asks for is seen', () => isSeen(asked))
      assert.equal(await isSeen(make), true)
    }
    await panel(page).getByRole('radio', { name: /^Date A day/ }).check() // prettier-ignore
    assert.equal(await isSeen(make), true)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('options are renamed, ordered, pasted and taken away', async () => {
    const rating = await scene.make('field', {
      table_id: Number(companies),
      field_name: 'Rating',
      field_type: 'list',
      options: ['cold', 'hot'],
    })
    const labels = async () => (await field(rating)).options.map(({ label }: { label: string }) => label).join()
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/admin/tables/${companies}?field=${rating}`)
    await panel(page).getByLabel('Option 1').fill('cool')
    await page.keyboard.press('Enter')
    await until('the new name', async () => (await labels()) === 'cool,hot')
    await panel(page).getByLabel('Option 1').press('Alt+ArrowDown')
    await until('the new order', async () => (await labels()) === 'hot,cool')
    await panel(page).getByLabel('New option').fill('lost')
    await page.keyboard.press('Enter')
    await until('the new option', async () => (await labels()) === 'hot,cool,lost')
    await panel(page).getByRole('button', { name: 'Take cool away' }).click()
    await until('one less', async () => (await labels()) === 'hot,lost')
    await panel(page).getByLabel('New records begin with').selectOption('hot')
    await until('the default', async () => (await field(rating)).default_value === 'hot')
    assert.equal(await page.locator('main img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are not there for anybody else', async () => {
    const group = await scene.make('group', { group_name: 'Readers' })
    await scene.make('user', { login: 'reader', fio: 'Reader', password, group_id: Number(group) })
    await scene.make('access', { table_id: Number(companies), group_id: Number(group), read: true })
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${companies}`, 'reader')
    await page.getByText('Stork').first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0)
    for (const path of ['/admin/tables', `/admin/tables/${companies}`]) {
      await page.goto(scene.address(path))
      await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    }
    await context.close()
  })

  it('have nothing serious for axe, in both themes, languages and sizes', async () => {
    for (const [locale, width, colorScheme] of [
      ['en-GB', 1440, 'light'],
      ['ru-RU', 390, 'dark'],
    ] as const) {
      const { page, context } = await scene.open({ locale, width })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, '/admin/tables')
      for (const [path, ready] of [
        ['/admin/tables', '.admin-tables'],
        [`/admin/tables/${companies}`, '.design-list'],
        [`/admin/tables/${companies}?field=${name}`, '.used-in p'],
        [`/admin/tables/${companies}?field=new`, '.types'],
      ] as const) {
        await page.goto(scene.address(path))
        await page.locator(ready).first().waitFor()
        await mustBeAccessible(page, `${path} ${locale}`)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(overflow, 0, `${path} ${locale}`)
      }
      await context.close()
    }
  })
})
