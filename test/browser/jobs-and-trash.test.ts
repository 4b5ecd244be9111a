import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Work that goes on by itself, files of records, and what was deleted. */

describe('exports, jobs and the trash', () => {
  let scene: PagesScene
  let small: string
  let name: string
  before(async () => {
    scene = await pagesScene()
    small = await scene.make('table', { table_name: 'Companies' })
    name = await scene.make('field', { table_id: Number(small), field_name: 'Name', field_type: 'text' })
    for (const text of ['Heron', '=1+1', HOSTILE]) await scene.make(`data${small}`, { [`f${name}`]: text })
    const large = await scene.make('table', { table_name: 'Lines' })
    await scene.make('field', { table_id: Number(large), field_name: 'Line', field_type: 'text' })
    await scene.fill('Lines', `Line\n${Array.from({ length: 50_001 }, (_, i) => `line ${i}`).join('\n')}\n`)
  })
  after(() => scene?.close())

  async function command(page: Page, text: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(text)
    await until('the command in the palette', async () => (await page.getByRole('option').first().innerText()).includes(text))
    await page.keyboard.press('Enter')
  }
  async function downloaded(page: Page, begin: () => Promise<void>): Promise<string> {
    const [download] = await Promise.all([page.waitForEvent('download'), begin()])
    return readFileSync(await download.path(), 'utf8')
  }
  const call = async (method: string, path: string, body?: unknown) => (await scene.server.call(scene.token, method, path, body)).body

  it('a table is exported as it is filtered; nothing in the file runs as a formula', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${small}?filter=starts_with(f${name},'=')`)
    await page.getByText('=1+1').first().waitFor()
    const csv = await downloaded(page, () => command(page, 'as CSV'))
    assert.match(csv, /'=1\+1/)
    assert.doesNotMatch(csv, /Heron/)
    assert.match(await downloaded(page, () => command(page, 'JSON')), /^\{"id":"2".*\}\n$/)
    assert.match(await downloaded(page, () => command(page, 'Excel')), /^PK/)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    assert.match(await downloaded(page, () => page.getByRole('menuitem', { name: 'Export as CSV' }).click()), /'=1\+1/)
    await page.goto(scene.address(`/t/${small}?sort=-f${name}`))
    await page.getByText('Heron').first().waitFor()
    const sorted = (await downloaded(page, () => command(page, 'JSON'))).trimEnd().split('\n')
    const { data } = await call('GET', `data${small}?sort=-f${name}`)
    assert.deepEqual(
      sorted.map((line) => JSON.parse(line).id),
      (data as readonly { id: string }[]).map(({ id }) => id),
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a large export is a job: it is followed, downloaded, and taken out of the list', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/t/2')
    await page.getByText('line 1', { exact: true }).first().waitFor()
    await command(page, 'as CSV')
    await page.waitForURL(/\/jobs$/)
    const line = page.getByRole('listitem').filter({ hasText: 'Export of Lines' })
    await line.getByRole('link', { name: 'Download' }).waitFor()
    await line.getByText('Lines.csv', { exact: true }).waitFor()
    const csv = await downloaded(page, () => line.getByRole('link', { name: 'Download' }).click())
    assert.equal(csv.trimEnd().split('\n').length, 50_002)
    await line.getByRole('button', { name: 'Take Export of Lines out of the list' }).click()
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('what was deleted is restored, or erased after a question that names what is lost', async () => {
    const { page, context, faults } = await scene.open()
    const calls = await scene.make('table', { table_name: 'Calls' })
    const whom = await scene.make('field', {
      table_id: Number(calls),
      field_name: 'Whom',
      field_type: 'reference',
      reference_table_id: Number(small),
    })
    const note = await scene.make('field', { table_id: Number(calls), field_name: 'Note', field_type: 'text' })
    for (const _ of [1, 2]) await scene.make(`data${calls}`, { [`f${whom}`]: '1', [`f${note}`]: 'soon' })
    await call('DELETE', `field/${note}`)
    await call('DELETE', `data${small}/1`)
    await call('DELETE', `data${small}/3`)
    await call('DELETE', 'table/2')
    await scene.signIn(page, '/trash')
    await page.getByRole('row', { name: /Lines.*the table with its fields and records.*50,001 records · 1 field/ }).waitFor()
    await page.getByRole('row', { name: /Note.*values in 2 records/ }).waitFor()
    await page.getByLabel('Records', { exact: true }).check()
    await page.getByRole('row', { name: /Lines/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Heron.*2 records refer to it/ }).waitFor()
    await page.getByRole('button', { name: 'Restore Heron' }).click()
    await page.getByText('Heron is back.').waitFor()
    assert.equal((await call('GET', `data${small}/1`)).data.id, '1')
    await page.getByRole('button', { name: /^Erase <img/ }).click()
    assert.match(await page.getByRole('alertdialog').innerText(), /The record is lost with its values, files and links/)
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    assert.equal((await call('GET', 'trash')).meta.total, 3)
    await page.getByRole('radio', { name: 'Tables' }).check()
    await page.getByRole('button', { name: 'Erase Lines for ever' }).click()
    await page.getByRole('button', { name: 'Erase for ever', exact: true }).click()
    await page.getByText('Lines is erased.').waitFor()
    assert.equal((await call('GET', 'trash')).meta.total, 2)
    // A field whose table was deleted after it: what to do is said where it cannot be restored.
    await call('DELETE', `table/${calls}`)
    await page.goto(scene.address('/trash'))
    const waits = page.getByRole('row', { name: /Note a table in the trash: restore it first/ })
    await waits.waitFor()
    assert.equal(await waits.getByRole('button', { name: 'Restore Note' }).count(), 0)
    assert.equal(await page.locator('img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('offer a person only what they may do', async () => {
    const group = await scene.make('group', { group_name: 'Readers' })
    await scene.make('user', { login: 'reader', fio: 'Reader', password, group_id: Number(group) })
    await scene.make('access', { table_id: Number(small), group_id: Number(group), read: true, delete: true })
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${small}`, 'reader')
    await page.getByText('Heron').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('export')
    await page.getByRole('option', { name: 'Search all tables for “export”' }).waitFor()
    assert.equal(await page.getByRole('option').count(), 1)
    await page.goto(scene.address('/import'))
    await page.getByText('You may not bring files into any table.', { exact: false }).waitFor()
    await page.goto(scene.address('/trash'))
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await context.close()
  })

  it('have nothing serious for axe, in both themes, languages and sizes', async () => {
    const { page, context } = await scene.open({ locale: 'ru-RU', width: 390 })
    await call('POST', 'job', { data: { type: 'job', attributes: { kind: 'export', table_id: Number(small), input: {} } } })
    await page.emulateMedia({ colorScheme: 'dark' })
    await scene.signIn(page, '/jobs')
    for (const [address, ready] of [
      ['/jobs', '.job'],
      ['/trash', '.trash-list'],
    ] as const) {
      await page.goto(scene.address(address))
      await page.locator(ready).first().waitFor()
      for (const [colorScheme, width] of [
        ['dark', 390],
        ['light', 1440],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        await mustBeAccessible(page, `${address} ${colorScheme} ${width}`)
        assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, `${address} ${width}`)
      }
    }
    await context.close()
  })
})
