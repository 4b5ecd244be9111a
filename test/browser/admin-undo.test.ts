import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What an administrator changes of the structure is taken back, and done again (DECISIONS V48). */

describe('undo of changes of the structure', () => {
  let scene: PagesScene
  let table: string
  let title: string
  let stage: string
  before(async () => {
    scene = await pagesScene()
    const sales = await scene.make('category', { category_name: 'Sales', sequence_number: 1 })
    table = await scene.make('table', { table_name: 'Deals', category_id: Number(sales), category_sequence_number: 1 })
    await scene.make('table', { table_name: 'Offers', category_id: Number(sales), category_sequence_number: 2 })
    title = await scene.make('field', { table_id: Number(table), field_name: 'Title', field_type: 'text' })
    const options = ['new', 'won', 'lost']
    stage = await scene.make('field', {
      table_id: Number(table),
      field_name: 'Stage',
      field_type: 'list',
      options,
      default_value: 'won',
    })
    await scene.make(`data${table}`, { [`f${title}`]: 'Heron', [`f${stage}`]: 'won' })
  })
  after(() => scene?.close())

  const call = async (path: string, method = 'GET', body?: object) => (await scene.server.call(scene.token, method, path, body)).body
  const field = async (id: string) => (await call(`field/${id}`)).data.attributes
  const panel = (page: Page) => page.getByRole('complementary')
  const undo = (page: Page, what: string) =>
    page.locator('.toasts > *', { hasText: what }).last().getByRole('button', { name: 'Undo' }).click()
  const open = async (path: string) => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, path)
    return window
  }
  /** By a key, where nothing is typed. */
  const press = async (page: Page, key: string) => {
    await page.evaluate('document.activeElement?.blur()')
    await page.keyboard.press(key)
  }

  it('settings of a field: by the toast, and by the key, again and again', async () => {
    const { page, context, faults } = await open(`/admin/tables/${table}?field=${title}`)
    const hint = panel(page).getByRole('textbox', { name: 'Hint' })
    await hint.fill('What it is called')
    await hint.press('Enter')
    await undo(page, 'Title: saved')
    await until('the hint of before', async () => (await field(title)).hint === '')
    await page.getByText('Undone', { exact: true }).waitFor()
    await panel(page).getByLabel('Required').click()
    await until('required', async () => (await field(title)).required === true)
    for (const [key, value] of [
      ['Control+z', false],
      ['Control+Shift+z', true],
      ['Control+z', false],
    ] as const) {
      await press(page, key)
      await until(key, async () => (await field(title)).required === value)
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('an option that was taken away comes back with the records that have it, and as the default', async () => {
    const { page, context, faults } = await open(`/admin/tables/${table}?field=${stage}`)
    const before = await field(stage)
    await panel(page).getByRole('button', { name: 'Take won away' }).click()
    await until('it is gone', async () => (await field(stage)).options.length === 2)
    assert.equal((await field(stage)).default_value, '')
    await undo(page, 'Stage: saved')
    await until('it is back', async () => (await field(stage)).options.length === 3)
    const { options, default_value } = await field(stage)
    assert.deepEqual({ options, default_value }, { options: before.options, default_value: before.default_value })
    assert.equal((await call(`data${table}/1`)).data.attributes[`f${stage}`], 'won')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('after a reload leads to the trash, where fields and tables come back', async () => {
    const gone = await scene.make('field', { table_id: Number(table), field_name: 'Gone', field_type: 'text' })
    await call(`field/${gone}`, 'DELETE')
    const { page, context, faults } = await open(`/admin/tables/${table}`)
    await page
      .getByRole('link', { name: 'Title', exact: true })
      .or(page.getByText('Title', { exact: true }))
      .first()
      .waitFor()
    await press(page, 'Control+z')
    const told = page
      .locator('.toast')
      .filter({ hasText: 'Nothing to undo since this page was opened. Deleted fields and tables are in the trash.' })
    await told.getByRole('button', { name: 'Trash', exact: true }).click()
    await page.waitForURL(/\/trash$/)
    await page.getByText('Gone', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('an option that somebody else has added meanwhile stays when another one is taken away', async () => {
    const tags = await scene.make('field', { table_id: Number(table), field_name: 'Tag', field_type: 'list', options: ['one', 'two'] })
    const labels = async () => (await field(tags)).options.map(({ label }: { label: string }) => label)
    const { page, context, faults } = await open(`/admin/tables/${table}?field=${tags}`)
    await panel(page).getByRole('button', { name: 'Take one away', disabled: false }).waitFor()
    await call(`field/${tags}`, 'PATCH', { data: { type: 'field', id: tags, attributes: { add_options: ['three'] } } })
    await panel(page).getByRole('button', { name: 'Take one away' }).click()
    await until('one is gone', async () => !(await labels()).includes('one'))
    assert.deepEqual(await labels(), ['two', 'three'])
    assert.deepEqual(faults, [])
    await context.close()
    await call(`field/${tags}`, 'DELETE')
  })

  it('an option whose uses cannot be told: it is said, and it goes all the same', async () => {
    const options = async () => (await field(stage)).options
    const { page, context, faults } = await open(`/admin/tables/${table}`)
    await page.route(
      (url) => url.pathname.endsWith(`/field/${stage}`) && url.searchParams.has('dryRun'),
      (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
    )
    await page.goto(`${page.url()}?field=${stage}`)
    const take = panel(page).getByRole('button', { name: 'Take new away' })
    const said = panel(page).getByRole('alert').filter({ hasText: 'It could not be told yet what compares “new”' })
    await take.click()
    await said.getByRole('button', { name: 'Keep it' }).click()
    await said.waitFor({ state: 'detached' })
    assert.equal((await options()).length, 3)
    await take.click()
    await said.getByRole('button', { name: 'Take it away' }).click()
    await until('it is gone', async () => (await options()).length === 2)
    await undo(page, 'Stage: saved')
    await until('it is back', async () => (await options()).length === 3)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('an option whose uses are told once it is asked about: nothing compares it', async () => {
    const { page, context, faults } = await open(`/admin/tables/${table}`)
    let tell = (): void => undefined
    const isToBeTold = new Promise<void>((resolve) => (tell = resolve))
    await page.route(
      (url) => url.pathname.endsWith(`/field/${stage}`) && url.searchParams.has('dryRun'),
      async (route) => {
        await isToBeTold
        await route.continue()
      },
    )
    await page.goto(`${page.url()}?field=${stage}`)
    const said = (words: string) => panel(page).getByRole('alert').filter({ hasText: words })
    await panel(page).getByRole('button', { name: 'Take new away' }).click()
    await said('It could not be told yet what compares “new”').waitFor()
    tell()
    await said('Nothing compares “new”.').getByRole('button', { name: 'Keep it' }).click()
    await said('Nothing compares “new”.').waitFor({ state: 'detached' })
    assert.equal((await field(stage)).options.length, 3)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('an option that a rule of access or a view compares: these are named before it goes', async () => {
    const options = async () => (await field(stage)).options
    const rule = { table_id: Number(table), group_id: 2, read: true, update: true, read_filter: `ne(f${stage},'LOST')` }
    await scene.make('access', rule)
    await scene.make('view', { table_id: Number(table), view_name: 'Open ones', filter: `nin(f${stage},'won','lost')` })
    const { page, context, faults } = await open(`/admin/tables/${table}?field=${stage}`)
    const take = panel(page).getByRole('button', { name: 'Take lost away' })
    const named = panel(page).getByRole('alert').filter({ hasText: '“lost” is compared by what follows.' })
    await take.click()
    await named.getByText('rule of Managers (which records it sees)').waitFor()
    await named.getByText('view Open ones').waitFor()
    assert.equal((await options()).length, 3)
    await named.getByRole('button', { name: 'Keep it' }).press('Enter')
    await named.waitFor({ state: 'detached' })
    assert.equal(await take.evaluate((its) => its.ownerDocument.activeElement === its), true)
    await take.click()
    await named.getByRole('button', { name: 'Take it away' }).click()
    await until('it is gone', async () => (await options()).length === 2)
    await undo(page, 'Stage: saved')
    await until('it is back', async () => (await options()).length === 3)
    await take.waitFor()
    // Nothing compares this one.
    await panel(page).getByRole('button', { name: 'Take new away' }).click()
    await until('it is gone', async () => (await options()).length === 2)
    assert.equal(await named.count(), 0)
    await undo(page, 'Stage: saved')
    await until('it is back', async () => (await options()).length === 3)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('another type for a field, where every value comes back as it was', async () => {
    const sums = await scene.make('table', { table_name: 'Sums' })
    const sum = await scene.make('field', {
      table_id: Number(sums),
      field_name: 'Sum',
      field_type: 'decimal',
      scale: 3,
      unique: true,
      min: '1',
    })
    const id = await scene.make(`data${sums}`, { [`f${sum}`]: '1250.5' })
    // Without a number: as a text it is 0, which is below the least one.
    await scene.make(`data${sums}`, {})
    const held = async () => (await call(`data${sums}/${id}`)).data.attributes[`f${sum}`]
    const before = await field(sum)
    const { page, context, faults } = await open(`/admin/tables/${sums}?field=${sum}`)
    const to = async (type: string, title: string) => {
      await panel(page).getByLabel('Type now').selectOption(type)
      await panel(page)
        .getByRole('button', { name: `Change to ${title}`, exact: true })
        .click()
    }
    await to('longtext', 'Long text')
    await undo(page, 'Sum is of the type Long text now.')
    await until('the type of before', async () => (await field(sum)).min === before.min)
    const { field_type, scale, unique, min } = await field(sum)
    assert.deepEqual({ field_type, scale, unique, min }, { field_type: 'decimal', scale: before.scale, unique: true, min: before.min })
    assert.equal(await held(), '1250.500')
    await press(page, 'Control+Shift+z')
    await until('the other type again', async () => (await field(sum)).field_type === 'longtext')
    // Somebody has written what no number is: the type stays, and it is said why.
    const body = { data: { type: `data${sums}`, id, attributes: { [`f${sum}`]: 'much' } } }
    await call(`data${sums}/${id}`, 'PATCH', body)
    await press(page, 'Control+z')
    await page.getByText('The type stays: a value that a record holds by now would be lost').waitFor()
    assert.equal((await field(sum)).field_type, 'longtext')
    assert.equal(await held(), 'much')
    // A list of options would not come back with its options: nothing is offered.
    await page.goto(scene.address(`/admin/tables/${table}?field=${stage}`))
    await to('text', 'Text')
    const told = page.locator('.toasts > *', { hasText: 'Stage is of the type Text now.' })
    await told.waitFor()
    assert.equal(await told.getByRole('button', { name: 'Undo' }).count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('that names of fields differ; where they do not, these are named', async () => {
    const twins = await scene.make('table', { table_name: 'Twins' })
    const [, other] = [
      await scene.make('field', { table_id: Number(twins), field_name: 'Name', field_type: 'text' }),
      await scene.make('field', { table_id: Number(twins), field_name: 'NAME', field_type: 'text' }),
    ]
    const differ = async () => (await call(`table/${twins}?fields[table]=unique_field_names`)).data.attributes.unique_field_names
    const { page, context, faults } = await open(`/admin/tables/${twins}`)
    const tick = page.getByRole('checkbox', { name: 'No two fields with the same name' })
    await tick.click()
    await page.getByRole('alert').getByText(`'Name' (f`).waitFor()
    assert.equal(await differ(), false)
    await call(`field/${other}`, 'PATCH', { data: { type: 'field', id: other, attributes: { field_name: 'Other' } } })
    await tick.click()
    await until('it is set', async () => (await differ()) === true)
    await until('it is shown', () => tick.isChecked())
    await undo(page, 'Twins: saved')
    await until('as before', async () => (await differ()) === false)
    await until('it is shown', async () => !(await tick.isChecked()))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('not what somebody else has changed since: that stays, and it is said', async () => {
    const { page, context, faults } = await open(`/admin/tables/${table}?field=${title}`)
    const hint = panel(page).getByRole('textbox', { name: 'Hint' })
    await hint.fill('Mine')
    await hint.press('Enter')
    await page.getByText('Title: saved').waitFor()
    await call(`field/${title}`, 'PATCH', { data: { type: 'field', id: title, attributes: { hint: 'Theirs' } } })
    await undo(page, 'Title: saved')
    await page.getByText('Undone, but 1 value stays: somebody has changed it since').waitFor()
    assert.equal((await field(title)).hint, 'Theirs')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a category that was taken away comes back with its tables in their order; so do names and places', async () => {
    const { page, context, faults } = await open('/admin/tables')
    const menu = async (of: string, item: string | RegExp) => {
      await page.getByRole('button', { name: `More about ${of}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const inSales = () => page.getByRole('region', { name: 'Sales' }).locator('[data-table]').allInnerTexts()
    const has = (what: string, ...names: readonly string[]) =>
      until(what, async () => {
        const shown = await inSales()
        return shown.length === names.length && names.every((name, i) => shown[i]!.includes(name))
      })
    await has('both', 'Deals', 'Offers')
    await menu('Offers', 'Move up')
    await has('the other order', 'Offers', 'Deals')
    await undo(page, 'Offers: moved')
    await has('the order of before', 'Deals', 'Offers')
    await menu('Sales', /^Take the category away/)
    await page.getByRole('region', { name: 'Sales' }).waitFor({ state: 'detached' })
    await undo(page, 'The category Sales is gone')
    await has('it is back', 'Deals', 'Offers')
    await press(page, 'Control+Shift+z')
    await page.getByRole('region', { name: 'Sales' }).waitFor({ state: 'detached' })
    await press(page, 'Control+z')
    await has('it is back again', 'Deals', 'Offers')
    await menu('Deals', 'Rename')
    await page.locator('input:focus').fill('Orders')
    await page.keyboard.press('Enter')
    await has('the name', 'Orders', 'Offers')
    await undo(page, 'Orders: saved')
    await has('the name of before', 'Deals', 'Offers')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('the order of fields', async () => {
    const { page, context, faults } = await open(`/admin/tables/${table}`)
    const order = async () =>
      (await call(`field?filter=eq(table_id,${table})&sort=sequence_number`)).data.map(({ id }: { id: string }) => id)
    await page.getByRole('row', { name: /^Stage/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await until('a place to drop', async () => (await page.locator('[data-drop-target]').count()) > 0)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await until('the order', async () => (await order()).join() === `${stage},${title}`)
    await undo(page, 'Deals: moved')
    await until('the order of before', async () => (await order()).join() === `${title},${stage}`)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
