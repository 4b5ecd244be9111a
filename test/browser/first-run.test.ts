import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { HOSTILE, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The first page of an administrator who has no tables yet. */

describe('the first run', () => {
  let scene: PagesScene
  before(async () => (scene = await pagesScene()))
  after(() => scene?.close())
  const call = async (method: string, path: string, body?: unknown) => (await scene.server.call(scene.token, method, path, body)).body
  const list = async (type: string): Promise<readonly { id: string; attributes: Record<string, unknown> }[]> =>
    (await call('GET', type)).data
  afterEach(async () => {
    for (const { id } of await list('table')) await call('DELETE', `table/${id}`)
    for (const { id } of await list('category')) await call('DELETE', `category/${id}`)
    for (const { id } of await list("setting?filter=eq(key,'samples')")) await call('DELETE', `setting/${id}`)
  })
  const tables = async () => (await list('table')).map(({ attributes }) => attributes['table_name'])
  const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('a template is four linked tables with samples, which go away with one click', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page)
    await page.getByRole('heading', { name: 'Administrator, what will your office keep here?' }).waitFor()
    await named(page, 'Use this template').click()
    await page.getByText('Blue Heron Café').first().waitFor()
    assert.deepEqual(await tables(), ['Companies', 'People', 'Deals', 'Tasks'])
    const [deal] = await list(`data${(await list('table'))[2]!.id}`)
    const fields = await list(`field?filter=eq(table_id,${(await list('table'))[2]!.id})`)
    const value = (name: string) => deal!.attributes[`f${fields.find((one) => one.attributes['field_name'] === name)!.id}`]
    assert.deepEqual([value('Title'), value('Company'), value('Person'), value('Stage'), value('Sum')], ['Coffee for the summer', '1', '1', 'Talks', '12450.00']) // prettier-ignore
    await named(page, 'Take the samples away').click()
    await page.locator('.sample-bar').waitFor({ state: 'detached' })
    for (const { id } of await list('table')) assert.equal((await call('GET', `data${id}`)).meta.total, 0)
    await page.getByText('No records yet').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a template without samples, in Russian', async () => {
    const { page, context, faults } = await scene.open({ locale: 'ru-RU' })
    await scene.signIn(page)
    await page.getByLabel('Без примеров').check()
    await named(page, 'Взять этот шаблон').click()
    await page.waitForURL(/\/t\/\d+$/)
    assert.deepEqual(await tables(), ['Компании', 'Люди', 'Сделки', 'Задачи'])
    assert.deepEqual(await list("setting?filter=eq(key,'samples')"), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('what is refused in the middle leaves nothing behind', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page)
    const inTrash = async () => (await call('GET', 'trash')).meta.total as number
    const before = await inTrash()
    let asked = 0
    await page.route('**/api/dev/field', (route) => (++asked === 9 ? route.abort() : route.fallback()))
    await named(page, 'Use this template').click()
    await page.getByRole('alert').filter({ hasText: 'Nothing was made.' }).waitFor()
    assert.deepEqual([await tables(), await list('category'), await inTrash()], [[], [], before])
    await page.unroute('**/api/dev/field')
    await named(page, 'Use this template').click()
    await page.getByText('Blue Heron Café').first().waitFor()
    assert.equal((await tables()).length, 4)
    await context.close()
  })

  it('a table is made by its name and first fields, whatever the names are', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page)
    await page.getByLabel('Name of the table').fill(HOSTILE.slice(0, 200))
    await page.getByLabel('Field 2', { exact: true }).fill('Price')
    await page.getByLabel('Type of field 2').selectOption('decimal')
    await named(page, 'Make').click()
    await page.waitForURL(/\/t\/\d+$/)
    await page.getByText('No records yet').waitFor()
    const [table] = await list('table')
    assert.equal(table!.attributes['table_name'], HOSTILE.slice(0, 200).trim())
    const fields = (await list(`field?filter=eq(table_id,${table!.id})`)).map(({ attributes }) => [
      attributes['field_name'],
      attributes['field_type'],
    ])
    assert.deepEqual(fields, [['Name', 'text'], ['Price', 'decimal']]) // prettier-ignore
    assert.equal(await page.locator('img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a file is brought from there', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page)
    await page
      .locator('.file-place input[type=file]')
      .setInputFiles({ name: 'trees.csv', mimeType: 'text/csv', buffer: Buffer.from('Tree\nFir\n') })
    await named(page, 'Import').click()
    await page.getByRole('heading', { name: '1 record is in' }).waitFor()
    assert.deepEqual(await tables(), ['Trees'])
    await context.close()
  })

  it('has nothing serious for axe, in both themes, languages and sizes', async () => {
    for (const [locale, colorScheme, width] of [
      ['ru-RU', 'dark', 390],
      ['en-GB', 'light', 1440],
    ] as const) {
      const { page, context } = await scene.open({ locale, width })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page)
      await page.locator('.make-table').waitFor()
      await mustBeAccessible(page, `${locale} ${colorScheme} ${width}`)
      assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
      await context.close()
    }
  })
})
