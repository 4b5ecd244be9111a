import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The last changes of records, which can be undone long after the page on which they were made. */

describe('the last changes', () => {
  let scene: PagesScene
  let table: string
  let name: string
  let city: string
  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: 'Companies' })
    const field = async (field_name: string) => `f${await scene.make('field', { table_id: Number(table), field_name, field_type: 'text' })}`
    name = await field('Name')
    city = await field('City')
    await scene.fill('Companies', 'Name,City\nHeron,Lund\nWren,Lund\nRook,Umea\n')
  })
  after(() => scene?.close())

  const call = async (method: string, path: string, body?: unknown) => (await scene.server.call(scene.token, method, path, body)).body
  const put = (attributes: object, filter: string) =>
    call('PATCH', `data${table}?filter=${filter}`, { data: { type: `data${table}`, attributes } })
  const cities = async () =>
    ((await call('GET', `data${table}?sort=id`)).data as readonly { attributes: Record<string, string> }[]).map(
      ({ attributes }) => attributes[city],
    )
  const line = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })

  it('are found by the palette; each is undone and done again by the keyboard, also after the page was left', async () => {
    await put({ [city]: 'Malmo' }, `eq(${city},'Lund')`)
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Last changes')
    await page.getByRole('option', { name: 'Last changes', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/changes$/)
    const undo = page.getByRole('button', { name: 'Undo: 2 records changed, Companies' })
    await undo.waitFor()
    // What the command line has filled in is not the person's.
    assert.equal(await page.getByRole('list', { name: 'Last changes' }).getByRole('listitem').count(), 1)
    await undo.focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 records are as before.').waitFor()
    assert.deepEqual(await cities(), ['Lund', 'Lund', 'Umea'])
    await page.reload()
    const redo = page.getByRole('button', { name: 'Redo: 2 records changed, Companies' })
    await redo.waitFor()
    await line(page, '2 records changed').getByText('undone', { exact: true }).waitFor()
    await redo.focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 records are changed again.').waitFor()
    assert.deepEqual(await cities(), ['Malmo', 'Malmo', 'Umea'])
    await undo.waitFor()
    // What the button has done is the last act of the page.
    await page.keyboard.press('Control+z')
    await redo.waitFor()
    assert.deepEqual(await cities(), ['Lund', 'Lund', 'Umea'])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('say what stays since somebody has changed it, and lead there', async () => {
    await put({ [city]: 'Visby' }, `eq(${city},'Lund')`)
    await call('PATCH', `data${table}/2`, { data: { type: `data${table}`, id: '2', attributes: { [city]: 'Kiruna' } } })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/changes')
    await page.getByRole('button', { name: 'Undo: 2 records changed, Companies' }).first().click()
    await page.getByText('1 record is as before; the list tells what stays.').waitFor()
    const one = line(page, '1 stays as it is:').last()
    await one.getByText('City').waitFor()
    assert.match(await one.innerText(), /Record 2 · City It was changed since\./)
    assert.deepEqual(await cities(), ['Lund', 'Kiruna', 'Umea'])
    await one.getByRole('link', { name: 'Record 2' }).click()
    await page.waitForURL(new RegExp(`/t/${table}/2$`))
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are single edits too: each says which record, what was there before, and is undone', async () => {
    await put({ [city]: 'Ystad' }, `eq(id,3)`)
    await call('PATCH', `data${table}/3`, { data: { type: `data${table}`, id: '3', attributes: { [city]: 'Abisko' } } })
    await call('PATCH', `data${table}/3`, { data: { type: `data${table}`, id: '3', attributes: { [name]: 'Rook 2' } } })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/changes')
    const edit = line(page, 'Abisko').first()
    await edit.getByRole('link', { name: 'Rook 2' }).waitFor()
    assert.match(await edit.innerText(), /City[^]*Ystad[^]*Abisko/)
    await edit.getByRole('button', { name: 'Undo: 1 record changed, Companies, Rook 2' }).click()
    await page.getByText('1 record is as before.').waitFor()
    await edit.getByText('undone', { exact: true }).waitFor()
    const { attributes } = (await call('GET', `data${table}/3`)).data as { attributes: Record<string, string> }
    assert.deepEqual([attributes[city], attributes[name]], ['Ystad', 'Rook 2'])
    await put({ [city]: 'Umea', [name]: 'Rook' }, `eq(id,3)`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are those of others for administrators alone, a page at a time', async () => {
    const group = await scene.make('group', { group_name: 'Sellers' })
    await scene.make('user', { login: 'seller', fio: 'Seller', password, group_id: Number(group) })
    await scene.make('access', { table_id: Number(table), group_id: Number(group), read: true, update: true })
    for (let i = 0; i < 21; i++) await put({ [name]: `Bird ${i}` }, 'gte(id,1)')
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/changes')
    await page.getByRole('button', { name: 'Older' }).click()
    await page.waitForURL(/after=/)
    await until('the second page', async () => (await line(page, /records? changed/).count()) < 20)
    await page.getByRole('button', { name: 'Newer' }).click()
    await until('the first page', async () => (await line(page, '3 records changed').count()) === 20)
    assert.match(page.url(), /before=/)
    await page.getByLabel('Whose changes').selectOption({ label: 'Command line and service' })
    await line(page, /3 records added[^]*Command line[^]*Import/).waitFor()
    await page.getByLabel('Whose changes').selectOption({ label: 'Seller' })
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor()
    assert.equal(await page.getByText('What you change').count(), 0)
    await context.close()
    const other = await scene.open()
    await scene.signIn(other.page, '/changes?who=all', 'seller')
    await other.page.getByRole('heading', { name: 'No changes yet' }).waitFor()
    await other.page.getByText('What you change').waitFor()
    assert.equal(await other.page.getByLabel('Whose changes').count(), 0)
    assert.deepEqual([...faults, ...other.faults], [])
    await other.context.close()
  })

  it('have no Undo where the rights allow none, and say so where they allow it for nothing', async () => {
    const group = await scene.make('group', { group_name: 'Clerks' })
    await scene.make('user', { login: 'clerk', fio: 'Clerk', password, group_id: Number(group) })
    const rights = { table_id: Number(table), group_id: Number(group), read: true, update: true, bed: true }
    const rule = await scene.make('access', rights)
    const may = (attributes: object) => call('PATCH', `access/${rule}`, { data: { type: 'access', id: rule, attributes } })
    const { page, context, faults } = await scene.open()
    await page.setViewportSize({ width: 1440, height: 900 })
    await scene.signIn(page, `/t/${table}`, 'clerk')
    await page.locator("[data-row='0'] [data-col='1']").click()
    for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+ArrowDown')
    const before = await cities()
    assert.equal(new Set(before).size, 3)
    await page.keyboard.press('Control+d')
    await until('filled down', async () => new Set(await cities()).size === 1)
    const after = await cities()
    await may({ write_filter: 'in(id,1)' })
    await page.goto(scene.address('/changes'))
    await page.getByRole('button', { name: /^Undo: 2 records changed/ }).click()
    await page.getByText('Nothing is undone; the list tells why.').waitFor()
    await line(page, '2 stay as they are:').waitFor()
    await may({ update: false })
    await page.reload()
    await line(page, '2 records changed').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0)
    assert.deepEqual([await cities(), faults], [after, []])
    await context.close()
  })

  it('are on a phone, in Russian and in the dark, with nothing serious for axe', async () => {
    const { page, context } = await scene.open({ locale: 'ru-RU', width: 390 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await scene.signIn(page, `/t/${table}`)
    await page.getByRole('navigation', { name: 'Таблицы' }).getByRole('button', { name: 'Таблицы' }).last().click()
    await page.getByRole('link', { name: 'Изменения' }).click()
    const undo = page.getByRole('button', { name: 'Отменить: Изменены 3 записи, Companies' }).first()
    await undo.waitFor()
    await mustBeAccessible(page, 'dark 390')
    await undo.click()
    await page.getByRole('button', { name: 'Повторить: Изменены 3 записи, Companies' }).first().waitFor()
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await mustBeAccessible(page, 'light 1440')
    await context.close()
  })
})
