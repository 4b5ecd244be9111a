import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Files of a record that is not there yet. */

describe('files of a new record', () => {
  let scene: PagesScene
  let deals: string
  let contracts: string

  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    await scene.make('field', { table_id: Number(deals), field_name: 'Title', field_type: 'text' })
    contracts = `f${await scene.make('field', { table_id: Number(deals), field_name: 'Contracts', field_type: 'file' })}`
  })
  after(() => scene?.close())

  const opened = async () => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, `/t/${deals}/new`)
    await window.page.getByRole('textbox', { name: 'Title' }).waitFor()
    return window
  }
  const file = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 ${name}`) })
  const attached = async (id: string) =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[contracts] as string
  const total = async () => (await scene.server.call(scene.token, 'GET', `data${deals}?page[limit]=1`)).body.meta.total as number
  const idOf = (page: Page) => /\/(\d+)$/.exec(new URL(page.url()).pathname)![1]!

  it('are sent when it has been made', async () => {
    const { page, context, faults } = await opened()
    await page.getByRole('textbox', { name: 'Title' }).fill('With files')
    await page.locator('input[type=file]').setInputFiles([file('one.pdf'), file('two.pdf'), file('not wanted.pdf')])
    await page.getByRole('button', { name: 'Remove not wanted.pdf' }).click()
    await mustBeAccessible(page, 'a form with files')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.deepEqual((await attached(idOf(page))).split('\r\n'), ['one.pdf', 'two.pdf'])
    await page.getByRole('link', { name: 'two.pdf' }).first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('that have not come are told, and sent again to the same record', async () => {
    const { page, context, faults } = await opened()
    const before = await total()
    await page.getByRole('textbox', { name: 'Title' }).fill('On a bad line')
    await page.locator('input[type=file]').setInputFiles([file('first.pdf'), file('second.pdf'), file('third.pdf')])
    await page.route(/second\.pdf/, (route) => route.abort())
    // The service gets it, and its answer is lost.
    await page.route(/third\.pdf/, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('not all of its files have come').waitFor()
    await page.getByRole('alert').filter({ hasText: 'second.pdf' }).waitFor()
    assert.equal(await page.getByText('first.pdf', { exact: true }).count(), 0)
    assert.equal(await total(), before + 1)
    await page.unroute(/second\.pdf/)
    await page.unroute(/third\.pdf/)
    await page.getByRole('button', { name: 'Send the files again' }).click()
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.equal(await total(), before + 1)
    await until('all three', async () => (await attached(idOf(page))).split('\r\n').toSorted().join() === 'first.pdf,second.pdf,third.pdf')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are not left without a question', async () => {
    const { page, context } = await opened()
    await page.locator('input[type=file]').setInputFiles([file('one.pdf')])
    await page.getByText('one.pdf', { exact: true }).waitFor()
    const asked = page.waitForEvent('dialog')
    const left = page.getByRole('link', { name: 'Deals' }).first().click()
    const dialog = await asked
    await dialog.dismiss()
    await left
    await page.getByText('one.pdf', { exact: true }).waitFor()
    await context.close()
  })

  it('are not left while they are on their way without a question, and who leaves is not called back', async () => {
    const { page, context } = await opened()
    const before = await total()
    await page.getByRole('textbox', { name: 'Title' }).fill('Slow')
    await page.locator('input[type=file]').setInputFiles([file('slow.pdf'), file('next.pdf')])
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let isNextSent = false
    await page.route(/slow\.pdf/, (route) => held.then(() => route.continue()).catch(() => undefined))
    await page.route(/next\.pdf/, (route) => {
      isNextSent = true
      return route.continue()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await until('the record', async () => (await total()) === before + 1)
    await page.getByRole('progressbar').waitFor()
    const leave = async (answer: 'accept' | 'dismiss') => {
      const asked = page.waitForEvent('dialog')
      const left = page.getByRole('link', { name: 'Deals' }).first().click()
      const dialog = await asked
      assert.match(dialog.message(), /Files are not sent yet/)
      await dialog[answer]()
      await left
    }
    await leave('dismiss')
    assert.match(page.url(), /\/new$/)
    await leave('accept')
    await page.waitForURL(new RegExp(`/t/${deals}$`))
    await page.getByRole('link', { name: 'Slow', exact: true }).waitFor()
    release()
    await page.waitForTimeout(500)
    assert.match(page.url(), new RegExp(`/t/${deals}$`))
    assert.equal(isNextSent, false)
    await context.close()
  })

  it('are asked for again where the page was loaded again before they were sent', async () => {
    const { page, context } = await opened()
    const before = await total()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('textbox', { name: 'Title' }).fill('Away')
    await page.locator('input[type=file]').setInputFiles([file('one.pdf'), file('two.pdf')])
    const records = `**/api/dev/data${deals}`
    await page.route(records, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('as long as this page stays open').waitFor()
    await page.unroute(records)
    await page.reload()
    await until('the record', async () => (await total()) === before + 1)
    await page.getByText('not all of its files have come').waitFor()
    await page.getByText('Choose them again: one.pdf, two.pdf').waitFor()
    // Once more, with the record made: nothing makes another.
    await page.reload()
    await page.getByText('Choose them again: one.pdf, two.pdf').waitFor()
    await page.locator('input[type=file]').setInputFiles([file('one.pdf')])
    await page.getByText(/Choose them again: two\.pdf$/).waitFor()
    await page.getByRole('button', { name: 'Without them' }).click()
    await page.getByRole('button', { name: 'Send the files again' }).click()
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.equal(await attached(idOf(page)), 'one.pdf')
    assert.equal(await total(), before + 1)
    await context.close()
  })

  it('can be taken away while others are on their way, and stopped on theirs', async () => {
    const { page, context, faults } = await opened()
    await page.getByRole('textbox', { name: 'Title' }).fill('Second thoughts')
    await page.locator('input[type=file]').setInputFiles(['held.pdf', 'second.pdf', 'third.pdf'].map(file))
    await page.route(/held\.pdf/, () => undefined)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Stop sending held.pdf' }).waitFor()
    await page.getByRole('button', { name: 'Remove third.pdf' }).click()
    await page.getByRole('button', { name: 'Stop sending held.pdf' }).click()
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.equal(await attached(idOf(page)), 'second.pdf')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('come within the record where it cannot be made without, and are chosen again after a reload', async () => {
    const table = await scene.make('table', { table_name: 'Receipts' })
    await scene.make('field', { table_id: Number(table), field_name: 'Title', field_type: 'text' })
    const scans = `f${await scene.make('field', { table_id: Number(table), field_name: 'Scans', field_type: 'file', required: true })}`
    const { page, context, faults } = await opened()
    page.on('dialog', (dialog) => void dialog.accept())
    const scansOf = async (id: string) =>
      (await scene.server.call(scene.token, 'GET', `data${table}/${id}`)).body.data.attributes[scans] as string
    await page.goto(scene.address(`/t/${table}/new`))
    await page.getByRole('textbox', { name: 'Title' }).fill('Taxi')
    await page.locator('input[type=file]').setInputFiles([file('one.pdf'), file('two.pdf')])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.deepEqual((await scansOf(idOf(page))).split('\r\n'), ['one.pdf', 'two.pdf'])

    // The service makes it, its answer is lost, and then the file.
    await page.goto(scene.address(`/t/${table}/new`))
    await page.getByRole('textbox', { name: 'Title' }).fill('Bus')
    await page.locator('input[type=file]').setInputFiles([file('bus.pdf')])
    const records = `**/api/dev/data${table}`
    await page.route(records, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('as long as this page stays open').waitFor()
    await page.unroute(records)
    await page.reload()
    await page.getByText('Choose them again: bus.pdf').waitFor()
    await page.locator('input[type=file]').setInputFiles([file('bus.pdf')])
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.equal(await scansOf(idOf(page)), 'bus.pdf')
    assert.equal((await scene.server.call(scene.token, 'GET', `data${table}?page[limit]=1`)).body.meta.total, 2)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('another of which was chosen after the answer was lost comes to the record that was made, and makes no second one', async () => {
    const table = await scene.make('table', { table_name: 'Bills' })
    await scene.make('field', { table_id: Number(table), field_name: 'Title', field_type: 'text' })
    const scans = `f${await scene.make('field', { table_id: Number(table), field_name: 'Scans', field_type: 'file', required: true })}`
    const { page, context, faults } = await opened()
    page.on('dialog', (dialog) => void dialog.accept())
    const listed = async () => (await scene.server.call(scene.token, 'GET', `data${table}?sort=id`)).body.data
    await page.goto(scene.address(`/t/${table}/new`))
    await page.getByRole('textbox', { name: 'Title' }).fill('Taxi')
    await page.locator('input[type=file]').setInputFiles([file('one.pdf')])
    const records = `**/api/dev/data${table}`
    await page.route(records, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('as long as this page stays open').waitFor()
    await page.unroute(records)
    await page.reload()
    await page.getByText('Choose them again: one.pdf').waitFor()
    // The same name, and not what was sent.
    await page.locator('input[type=file]').setInputFiles([{ ...file('one.pdf'), buffer: Buffer.from('%PDF-1.4 other') }])
    await page.getByText('was made already with what was sent first').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await listed()).length, 1)
    await mustBeAccessible(page, 'made already')
    // The other one is sent to it by a click, or left out.
    await page
      .getByRole('button', { name: 'Take one.pdf out' })
      .or(page.getByRole('button', { name: 'Remove one.pdf' }))
      .click()
    await page.locator('input[type=file]').setInputFiles([file('two.pdf')])
    await page.getByRole('button', { name: 'Send the files again' }).click()
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    const [only, ...others] = await listed()
    assert.deepEqual([only.id, only.attributes[scans].split('\r\n'), others], [idOf(page), ['one.pdf', 'two.pdf'], []])

    // A first request that still runs is no refusal.
    await page.goto(scene.address(`/t/${table}/new`))
    await page.getByRole('textbox', { name: 'Title' }).fill('Bus')
    await page.locator('input[type=file]').setInputFiles([file('bus.pdf')])
    let asked = 0
    await page.route(records, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      asked++
      if (asked > 1) return route.continue()
      await route.fetch()
      return route.fulfill({ status: 409, json: { errors: [{ status: '409', code: 'idempotency.running', detail: 'The first request with this Idempotency-Key is still running.' }] } }) // prettier-ignore
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/t\/\d+\/\d+$/)
    assert.deepEqual([asked, (await listed()).length], [2, 2])
    assert.deepEqual(faults, [])
    await context.close()
  })
})
