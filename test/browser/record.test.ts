import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { following, HOSTILE, pagesScene, password, tryAgain, type PagesScene } from './support/pages-scene.ts'

/* A record as people work with it: change it, link it, attach to it, take back, throw away. */

/** One page with one word. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 43>>stream
BT /F1 24 Tf 40 100 Td (Contract) Tj ET   \nendstream endobj
trailer<</Size 5/Root 1 0 R>>
%%EOF`

describe('the card of a record', () => {
  let scene: PagesScene
  let companies: string
  let deals: string
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    const { make } = scene
    companies = await make('table', { table_name: 'Companies' })
    deals = await make('table', { table_name: 'Deals' })
    const field = async (table: string, key: string, field_type: string, more: object = {}) => {
      f[key] = `f${await make('field', { table_id: Number(table), field_name: key, field_type, ...more })}`
    }
    await field(companies, 'Name', 'text', { required: true })
    await field(companies, 'Phone', 'phone')
    await field(companies, 'Turnover', 'decimal', { scale: 2 })
    await field(companies, 'Since', 'date')
    await field(companies, 'Trade', 'list', { options: ['Retail', 'Food'] })
    await field(companies, 'Labels', 'multilist', { options: ['late', 'big', 'old'] })
    await field(companies, 'Active', 'boolean')
    await field(companies, 'Notes', 'longtext')
    await field(companies, 'Owner', 'user')
    await field(companies, 'Contracts', 'file')
    await field(deals, 'Title', 'text')
    await field(deals, 'Company', 'reference', { reference_table_id: Number(companies) })
    await field(deals, 'Amount', 'integer')
    for (const name of ['North Wind', 'South Wind', HOSTILE]) await make(`data${companies}`, { [f['Name']!]: name, [f['Phone']!]: '+7 900 1234567', [f['Turnover']!]: '1234.5' }) // prettier-ignore
    await make(`data${deals}`, { [f['Title']!]: 'Bicycles', [f['Company']!]: '1', [f['Amount']!]: '12' })
    const user = { login: 'boris', fio: 'Boris Petrov', group_id: 3, password }
    await make('user', user)
    await make('access', { group_id: 3, table_id: Number(companies), read: true, update: true, fields: { [f['Turnover']!]: 'read_only' } })
  })
  after(() => scene?.close())

  const valueOf = async (table: string, id: string, key: string) =>
    (await scene.server.call(scene.token, 'GET', `data${table}/${id}`)).body.data.attributes[f[key]!] as string
  const shows = (page: Page, key: string) => page.locator('.field', { has: page.locator('dt', { hasText: key }) })
  const edit = (page: Page, key: string) => page.getByRole('button', { name: `Change ${key}`, exact: true }).click()

  it('is changed field by field: numbers, dates, lists, ticks and long texts as people write them', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}/1`)
    await edit(page, 'Phone')
    await page.getByLabel('Phone', { exact: true }).fill('+7 900 765-43-21')
    await page.keyboard.press('Enter')
    await shows(page, 'Phone').getByText('Saved').waitFor()
    assert.equal(await valueOf(companies, '1', 'Phone'), '+7 900 765-43-21')
    // The focus is where it was: the keyboard goes on.
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.getAttribute('aria-label') === 'Change Phone'"))

    await edit(page, 'Turnover')
    await page.getByLabel('Turnover', { exact: true }).fill('lots')
    await page.keyboard.press('Enter')
    assert.match(await page.getByRole('alert').innerText(), /^This is no number\. Write it as 1,234\.50/)
    await page.getByLabel('Turnover', { exact: true }).fill('=2*19,90')
    await page.keyboard.press('Enter')
    await shows(page, 'Turnover').getByText('39.80').waitFor()
    await until('the number', async () => (await valueOf(companies, '1', 'Turnover')) === '39.80')

    await edit(page, 'Since')
    await page.getByLabel('Since', { exact: true }).fill('31.12.2024')
    await page.keyboard.press('Enter')
    await shows(page, 'Since').getByText('31 Dec 2024').waitFor()

    await edit(page, 'Trade')
    await page.keyboard.type('foo')
    await until('one option', async () => (await page.getByRole('option').count()) === 1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await until('the option', async () => (await valueOf(companies, '1', 'Trade')) === 'Food')

    await edit(page, 'Labels')
    await page.getByRole('option', { name: 'old' }).click()
    await page.getByRole('option', { name: 'late' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await until('both labels', async () => (await valueOf(companies, '1', 'Labels')) === 'late\r\nold')

    await edit(page, 'Active')
    await page.getByLabel('Active', { exact: true }).click()
    await until('the tick', async () => (await valueOf(companies, '1', 'Active')) === '1')

    await edit(page, 'Notes')
    await page.getByLabel('Notes', { exact: true }).fill('First line\nsecond')
    await page.keyboard.press('Control+Enter')
    await until('the text', async () => /^First line\r?\nsecond$/.test(await valueOf(companies, '1', 'Notes')))

    await edit(page, 'Owner')
    await page.keyboard.type('boris')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shows(page, 'Owner').getByText('Boris Petrov').waitFor()

    await edit(page, 'Phone')
    await page.getByLabel('Phone', { exact: true }).fill('nonsense')
    await page.keyboard.press('Escape')
    await shows(page, 'Phone').getByText('+7 900 765-43-21').waitFor()
    assert.equal(await valueOf(companies, '1', 'Phone'), '+7 900 765-43-21')
    await mustBeAccessible(page, 'the card')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('takes back a mistake from its history', async () => {
    const { page, context } = await scene.open()
    await scene.server.call(scene.token, 'PATCH', `data${companies}/2`, { data: { type: `data${companies}`, id: '2', attributes: { [f['Name']!]: 'Wrong' } } }) // prettier-ignore
    await scene.signIn(page, `/t/${companies}/2`)
    const history = page.getByRole('list', { name: 'History' })
    assert.match(await history.getByRole('listitem').first().innerText(), /changed[\s\S]*Name\s*before\s*South Wind\s*Wrong/)
    await history.getByRole('button', { name: 'Go back to this' }).click()
    await page.getByRole('heading', { name: 'South Wind' }).first().waitFor()
    assert.equal(await valueOf(companies, '2', 'Name'), 'South Wind')
    await context.close()
  })

  it('never writes over what somebody else has written, but for other fields', async () => {
    const { page, context, faults } = await scene.open()
    // Nobody tells the page what others do.
    await page.route('**/api/dev/events?*', (route) => route.abort())
    await scene.signIn(page, `/t/${companies}/2`)
    await page.locator('.fields').waitFor()
    const other = (attributes: object) => scene.server.call(scene.token, 'PATCH', `data${companies}/2`, { data: { type: `data${companies}`, id: '2', attributes } }) // prettier-ignore
    await other({ [f['Notes']!]: 'theirs' })
    await edit(page, 'Phone')
    await page.getByLabel('Phone', { exact: true }).fill('111')
    await page.keyboard.press('Enter')
    await shows(page, 'Phone').getByText('Saved').waitFor()
    await shows(page, 'Notes').getByText('theirs').waitFor()
    await other({ [f['Phone']!]: '222' })
    await edit(page, 'Phone')
    await page.getByLabel('Phone', { exact: true }).fill('333')
    await page.keyboard.press('Enter')
    assert.match(await page.getByRole('alert').innerText(), /somebody has changed it meanwhile to\s+222/)
    assert.equal(await valueOf(companies, '2', 'Phone'), '222')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await shows(page, 'Phone').getByText('Saved').waitFor()
    assert.equal(await valueOf(companies, '2', 'Phone'), '333')
    await other({ [f['Phone']!]: '444' })
    await edit(page, 'Phone')
    await page.getByLabel('Phone', { exact: true }).fill('555')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await shows(page, 'Phone').getByText('444').waitFor()
    assert.equal(await valueOf(companies, '2', 'Phone'), '444')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('says why something is not saved, and tries again', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${companies}/2`)
    await edit(page, 'Name')
    await page.getByLabel('Name', { exact: true }).fill('')
    await page.keyboard.press('Enter')
    assert.match(await page.getByRole('alert').innerText(), /^Not saved\. /)
    await page.getByRole('button', { name: 'Put back' }).click()
    await shows(page, 'Name').getByText('South Wind').waitFor()
    await page.route('**/api/dev/data*/*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await edit(page, 'Notes')
    await page.getByLabel('Notes', { exact: true }).fill('not lost')
    await page.keyboard.press('Control+Enter')
    await shows(page, 'Notes').getByText('Waits for the connection').waitFor()
    await page.getByText('1 change is kept here, and sent when it is back.').waitFor()
    await page.unroute('**/api/dev/data*/*')
    await tryAgain(page.getByRole('button', { name: 'Try now' }), shows(page, 'Notes').getByText('Saved').waitFor())
    assert.equal(await valueOf(companies, '2', 'Notes'), 'not lost')
    await context.close()
  })

  it('links a deal: finds the record by words, and shows it from the other side', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${deals}/1`)
    await edit(page, 'Company')
    await page.keyboard.type('south')
    await page.getByRole('option', { name: /South Wind/ }).click()
    await shows(page, 'Company').getByRole('link', { name: 'South Wind' }).click()
    await page.waitForURL(new RegExp(`/t/${companies}/2$`))
    await page.getByRole('link', { name: 'Bicycles' }).waitFor()
    // Another deal of the same company, made from here.
    await page.getByRole('link', { name: 'Add', exact: true }).click()
    await page.getByLabel('Title', { exact: true }).fill('Lamps')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(new RegExp(`/t/${deals}/2$`))
    await shows(page, 'Company').getByRole('link', { name: 'South Wind' }).waitFor()
    assert.equal(await valueOf(deals, '2', 'Company'), '2')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has files: attached, shown, taken away; a name that is there is not written over', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}/1`)
    const pdf = { name: 'offer <b>1.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 an offer') }
    const input = page.locator('input[type=file]')
    await input.setInputFiles(pdf)
    await page.getByRole('link', { name: pdf.name }).first().waitFor()
    assert.equal(await valueOf(companies, '1', 'Contracts'), pdf.name)
    await input.setInputFiles(pdf)
    assert.match(await page.getByRole('alert').innerText(), /a file of this name is there already/)
    await page.getByRole('button', { name: `Remove ${pdf.name}` }).click()
    await until('no file', async () => (await valueOf(companies, '1', 'Contracts')) === '')
    // The only field with files takes what is dropped anywhere on the record.
    const drag = (type: string) =>
      page.evaluate<boolean>(`(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['dropped'], 'dropped.txt'))
        return document.querySelector('main h2').dispatchEvent(new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true }))
      })()`)
    assert.equal(await drag('dragover'), false)
    await drag('drop')
    await until('the dropped file', async () => (await valueOf(companies, '1', 'Contracts')) === 'dropped.txt')
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click()
    await until('no file', async () => (await valueOf(companies, '1', 'Contracts')) === '')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('gets an option that was missing from who may change the field, and from nobody else', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}/2`)
    await edit(page, 'Trade')
    await page.keyboard.type('Wholesale')
    await page.getByRole('button', { name: 'Add “Wholesale”' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until('the option', async () => (await valueOf(companies, '2', 'Trade')) === 'Wholesale')
    await edit(page, 'Labels')
    await page.keyboard.type('new one')
    await page.getByRole('button', { name: 'Add “new one”' }).click()
    await page.getByRole('option', { name: 'late' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await until('the labels', async () => (await valueOf(companies, '2', 'Labels')) === 'late\r\nnew one')
    const { body } = await scene.server.call(scene.token, 'GET', `field/${f['Trade']!.slice(1)}`)
    assert.deepEqual(body.data.attributes.options.map(({ label }: { label: string }) => label), ['Retail', 'Food', 'Wholesale']) // prettier-ignore
    assert.deepEqual(faults, [])
    await context.close()

    const other = await scene.open()
    await scene.signIn(other.page, `/t/${companies}/2`, 'boris')
    await edit(other.page, 'Trade')
    await other.page.keyboard.type('Nowhere')
    await other.page.getByText('Nothing matches').waitFor()
    assert.equal(await other.page.getByRole('button', { name: /^Add “/ }).count(), 0)
    await other.context.close()
  })

  it('shows its files: in their order, texts as text, on their way with a way to stop', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}/2`)
    const input = page.locator('input[type=file]')
    const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    await input.setInputFiles([text('a.txt', 'Plain <b>text</b>'), text('b.txt', 'second'), text('c.txt', 'third')])
    await page.getByRole('link', { name: 'c.txt' }).waitFor()
    const names = () => page.locator('.filelist a.ref').allInnerTexts()
    await page.getByRole('link', { name: 'c.txt' }).focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await until('the order', async () => (await valueOf(companies, '2', 'Contracts')) === 'a.txt\r\nc.txt\r\nb.txt')
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.textContent === 'c.txt'"))
    await page.locator('.file', { hasText: 'b.txt' }).dragTo(page.locator('.file', { hasText: 'a.txt' }))
    await until('the order', async () => (await valueOf(companies, '2', 'Contracts')) === 'b.txt\r\na.txt\r\nc.txt')
    const isOrder = (order: readonly string[]) => until(`${order}`, async () => (await names()).join() === order.join())
    await isOrder(['b.txt', 'a.txt', 'c.txt'])
    // The order is taken back, and a file that was taken away.
    await page.keyboard.press('Control+z')
    await isOrder(['a.txt', 'c.txt', 'b.txt'])
    await page.keyboard.press('Control+Shift+z')
    await isOrder(['b.txt', 'a.txt', 'c.txt'])
    await page.getByRole('button', { name: 'Remove b.txt' }).click()
    await isOrder(['a.txt', 'c.txt'])
    await page.keyboard.press('Control+z')
    await isOrder(['b.txt', 'a.txt', 'c.txt'])
    // A small button took it away at once: the way back is told.
    await page.getByRole('button', { name: 'Remove a.txt' }).click()
    const told = page.locator('.toast', { hasText: 'a.txt is removed' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await isOrder(['b.txt', 'a.txt', 'c.txt'])
    await page.getByRole('button', { name: 'Show a.txt' }).click()
    await page.getByRole('dialog').getByText('Plain <b>text</b>', { exact: true }).waitFor()
    await mustBeAccessible(page, 'a text')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // Files that came together go together, and come back in their order.
    await input.setInputFiles([text('d.txt', 'fourth'), text('e.txt', 'fifth')])
    await isOrder(['b.txt', 'a.txt', 'c.txt', 'd.txt', 'e.txt'])
    await until('both have come', async () => (await page.locator('.filelist [role=progressbar]').count()) === 0)
    await page.getByRole('link', { name: 'e.txt' }).focus()
    await page.keyboard.press('Control+z')
    await isOrder(['b.txt', 'a.txt', 'c.txt'])
    assert.equal(await valueOf(companies, '2', 'Contracts'), 'b.txt\r\na.txt\r\nc.txt')
    await page.keyboard.press('Control+Shift+z')
    await isOrder(['b.txt', 'a.txt', 'c.txt', 'd.txt', 'e.txt'])
    assert.equal(await (await page.request.get(scene.address(`/api/dev/file/${companies}/${f['Contracts']}/2/e.txt`))).text(), 'fifth')
    await page.keyboard.press('Control+z')
    await isOrder(['b.txt', 'a.txt', 'c.txt'])
    // One that never arrives is stopped; the one behind it goes on.
    await page.route('**/never.txt', () => undefined)
    await input.setInputFiles([text('never.txt', 'x'), text('last.txt', 'y')])
    await page.getByRole('progressbar', { name: 'never.txt' }).waitFor()
    await page.getByRole('button', { name: 'Stop sending never.txt' }).click()
    await page.getByRole('link', { name: 'last.txt' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(await valueOf(companies, '2', 'Contracts'), 'b.txt\r\na.txt\r\nc.txt\r\nlast.txt')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('puts files in order beside somebody else who adds, moves and replaces some', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}/3`)
    const files = `/api/dev/file/${companies}/${f['Contracts']}/3`
    const theirs = async (name: string, content: string) => {
      const headers = { Authorization: `Bearer ${scene.token}`, 'Content-Type': 'application/octet-stream' }
      assert.ok((await fetch(scene.address(`${files}/${name}`), { method: 'PUT', headers, body: content })).ok)
    }
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await theirs(name, name)
    await page.reload()
    const isOrder = (order: readonly string[]) =>
      until(`${order}`, async () => (await page.locator('.filelist a.ref').allInnerTexts()).join() === order.join())
    await isOrder(['a.txt', 'b.txt', 'c.txt'])
    // The other one is faster: each time just before the change of this page arrives.
    let first: (() => Promise<void>) | undefined
    await page.route(`**/api/dev/data${companies}/3*`, async (route) => {
      const theirTurn = route.request().method() === 'PATCH' ? first : undefined
      if (theirTurn) first = undefined
      await theirTurn?.()
      await route.continue()
    })
    first = () => theirs('d.txt', 'theirs')
    await page.getByRole('link', { name: 'c.txt' }).focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await until('both', async () => (await valueOf(companies, '3', 'Contracts')) === 'a.txt\r\nc.txt\r\nb.txt\r\nd.txt')
    await isOrder(['a.txt', 'c.txt', 'b.txt', 'd.txt'])
    first = () => theirs('a.txt', 'replaced')
    await page.getByRole('button', { name: 'Remove a.txt' }).click()
    await page.getByRole('alert').getByText('Somebody else has replaced a.txt or taken it away').waitFor()
    await isOrder(['a.txt', 'c.txt', 'b.txt', 'd.txt'])
    assert.equal(await (await page.request.get(scene.address(`${files}/a.txt`))).text(), 'replaced')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('shows a PDF in the viewer of the browser, and runs nothing that is in a file', async () => {
    const { page, context, faults } = await scene.openWhole()
    await scene.signIn(page, `/t/${companies}/1`)
    const script = `<script>top.document.title = 'run'; document.title = 'run'</script>`
    const file = (name: string, mimeType: string, content: string) => ({ name, mimeType, buffer: Buffer.from(content) })
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('contract.pdf', 'application/pdf', PDF),
        file('false.pdf', 'application/pdf', `<html>${script}`),
        file('page.html', 'text/html', script),
        file('drawing.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
      ])
    await page.getByRole('link', { name: 'drawing.svg' }).waitFor()
    const viewers = () => page.frames().filter((frame) => frame.url().startsWith('chrome-extension:')).length
    const title = await page.title()
    for (const name of ['contract.pdf', 'false.pdf']) {
      await page.getByRole('button', { name: `Show ${name}` }).click()
      await until('the viewer', () => viewers() === 1)
      assert.equal(await page.getByRole('dialog').locator('iframe').getAttribute('title'), name)
      await mustBeAccessible(page, 'a PDF')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await until('no viewer', () => viewers() === 0)
    }
    await page.getByRole('button', { name: 'Show contract.pdf' }).click()
    const opened = page.waitForEvent('popup')
    await page.getByRole('dialog').getByRole('link', { name: 'Open in a new tab' }).click()
    const tab = await opened
    await until('the viewer in the tab', () => tab.frames().some((frame) => frame.url().startsWith('chrome-extension:')))
    await tab.close()
    await page.keyboard.press('Escape')
    for (const name of ['page.html', 'drawing.svg']) {
      assert.equal(await page.getByRole('button', { name: `Show ${name}` }).count(), 0)
      const saved = page.waitForEvent('download')
      const address = JSON.stringify(await page.getByRole('link', { name }).getAttribute('href'))
      await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: ${address} }))`)
      await (await saved).cancel()
    }
    assert.equal(await page.title(), title)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is saved by Ctrl+S, unlinked from the other side, and gone back to in one field', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}/2`)
    await page.getByRole('link', { name: 'Bicycles' }).waitFor()
    await edit(page, 'Phone')
    await page.getByLabel('Phone', { exact: true }).fill('+7 900 000-00-01')
    await page.keyboard.press('Control+s')
    await page.getByText('Everything is saved').waitFor()
    assert.equal(await valueOf(companies, '2', 'Phone'), '+7 900 000-00-01')
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.getAttribute('aria-label') === 'Change Phone'"))
    await page.getByRole('row', { name: /Bicycles/ }).hover()
    await page.getByRole('button', { name: 'Unlink Bicycles' }).click()
    await page.getByRole('link', { name: 'Bicycles' }).waitFor({ state: 'detached' })
    await until('no link', async () => /^0?$/.test(await valueOf(deals, '1', 'Company')))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Bicycles' }).waitFor()
    await until('the link', async () => (await valueOf(deals, '1', 'Company')) === '2')

    // Another one is found by its words, and linked from here.
    const saddles = await scene.make(`data${deals}`, { [f['Title']!]: 'Saddles', [f['Company']!]: '1' })
    await page.getByRole('button', { name: 'Link a record of Deals' }).click()
    await page.keyboard.type('saddles')
    await page.getByRole('option', { name: /^Saddles/ }).click()
    await page.getByRole('link', { name: 'Saddles' }).waitFor()
    // It belonged to another company.
    await page.locator('.toast').getByText('Linked. Before, it was linked to “North Wind”').waitFor()
    await until('the link', async () => (await valueOf(deals, saddles, 'Company')) === '2')

    const other = (phone: string, notes: string) => scene.server.call(scene.token, 'PATCH', `data${companies}/2`, { data: { type: `data${companies}`, id: '2', attributes: { [f['Phone']!]: phone, [f['Notes']!]: notes } } }) // prettier-ignore
    await other('111', 'first')
    await other('222', 'second')
    await page.reload()
    await page.getByRole('button', { name: 'Go back to this in Notes alone' }).first().click()
    await until('one field', async () => (await valueOf(companies, '2', 'Notes')) === 'first')
    assert.equal(await valueOf(companies, '2', 'Phone'), '222')
    // The words that were typed are no step of their own.
    await edit(page, 'Trade')
    await page.keyboard.type('foo')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()

    const fresh = await scene.open()
    await scene.signIn(fresh.page, `/t/${deals}/new`)
    await fresh.page.getByLabel('Title', { exact: true }).fill('Saved by keys')
    await fresh.page.keyboard.press('Control+s')
    await fresh.page.getByRole('heading', { name: 'Saved by keys' }).first().waitFor()
    await fresh.context.close()
  })

  it('has all of its history, however long, and a look for paper', async () => {
    for (let i = 0; i < 60; i++) await scene.server.call(scene.token, 'PATCH', `data${deals}/1`, { data: { type: `data${deals}`, id: '1', attributes: { [f['Amount']!]: String(1000 + i) } } }) // prettier-ignore
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${deals}/1`)
    const entries = page
      .getByRole('list', { name: 'History' })
      .getByRole('listitem')
      .filter({ has: page.locator('time') })
    for (const count of [20, 40, 60]) {
      await until(`${count} changes`, async () => (await entries.count()) === count)
      await page.getByRole('button', { name: 'Show more' }).click()
    }
    await page.getByText('made the record').waitFor()
    assert.equal((await entries.count()) > 60, true)
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.side', '.head', '.tools', '.history'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
    await page.getByRole('heading', { name: 'Bicycles' }).last().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is made, with errors at their fields, copied, thrown away and taken back', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${companies}`)
    await page.getByRole('link', { name: 'New record' }).click()
    await page.waitForURL(/\/new$/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    assert.match(await page.getByRole('alert').innerText(), /^Not saved\. /)
    await edit(page, 'Name')
    await page.getByLabel('Name', { exact: true }).fill('East Wind')
    await page.keyboard.press('Enter')
    await page.keyboard.type('12 34')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(new RegExp(`/t/${companies}/4$`))
    await page.getByRole('heading', { name: 'East Wind' }).first().waitFor()
    assert.equal(await valueOf(companies, '4', 'Phone'), '12 34')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.keyboard.press('Escape')
    await shows(page, 'Phone').getByText('12 34').waitFor()
    await page.goto(scene.address(`/t/${companies}/4`))
    await page.getByRole('button', { name: 'To the trash' }).click()
    await page.waitForURL(new RegExp(`/t/${companies}$`))
    // The page goes on before the answer has come.
    await until('in the trash', async () => (await scene.server.call(scene.token, 'GET', `data${companies}/4`)).status === 404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'East Wind' }).waitFor()
    assert.equal(await valueOf(companies, '4', 'Name'), 'East Wind')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('makes what it refers to in place, and offers first what was chosen last', async () => {
    const { page, context, faults } = await scene.open()
    const second = await scene.make(`data${deals}`, { [f['Title']!]: 'Wheels' })
    await scene.signIn(page, `/t/${deals}/1`)
    await edit(page, 'Company')
    await page.keyboard.type('West Wind')
    await page.getByRole('button', { name: 'Add “West Wind”' }).click()
    await shows(page, 'Company').getByRole('link', { name: 'West Wind' }).waitFor()
    await until('the reference', async () => Number(await valueOf(deals, '1', 'Company')) > 3)
    assert.equal(await valueOf(companies, await valueOf(deals, '1', 'Company'), 'Name'), 'West Wind')
    // What was made is a step of its own, before that of the link.
    const made = await valueOf(deals, '1', 'Company')
    const there = async () => (await scene.server.call(scene.token, 'GET', `data${companies}/${made}`)).status
    await page.keyboard.press('Control+z')
    await until('no link', async () => (await valueOf(deals, '1', 'Company')) !== made)
    assert.equal(await there(), 200)
    await page.keyboard.press('Control+z')
    await until('no record', async () => (await there()) === 404)
    await page.keyboard.press('Control+Shift+z')
    await until('the record', async () => (await there()) === 200)
    await page.keyboard.press('Control+Shift+z')
    await until('the link', async () => (await valueOf(deals, '1', 'Company')) === made)
    await shows(page, 'Company').getByRole('link', { name: 'West Wind' }).waitFor()
    await edit(page, 'Company')
    await page.keyboard.type('north')
    await page.getByRole('option', { name: /^North Wind/ }).click()
    await until('the other', async () => (await valueOf(deals, '1', 'Company')) === '1')
    await page.goto(scene.address(`/t/${deals}/${second}`))
    // Nothing is offered before those that come first are there.
    await page.route(`**/data${companies}?*in(id*`, (route) => setTimeout(() => void route.continue(), 500))
    await edit(page, 'Company')
    await page.getByRole('option', { name: /^North Wind/ }).waitFor()
    const offered = await page.getByRole('option').allInnerTexts()
    assert.match(offered.join(' | '), /^North Wind[^|]* \| West Wind/)
    // What its name alone cannot make has a form.
    await scene.server.call(scene.token, 'PATCH', `field/${f['Name']!.slice(1)}`, { data: { type: 'field', id: f['Name']!.slice(1), attributes: { max_length: 12 } } }) // prettier-ignore
    await page.keyboard.type('A name that is too long')
    await page.getByRole('button', { name: /^Add “/ }).click()
    await page
      .getByRole('alert')
      .getByText(/^Not added/)
      .waitFor()
    // The list forgets a moment later which of its items was pointed at.
    await until('no item', () => page.evaluate<boolean>("[...document.querySelectorAll('[aria-activedescendant], [aria-controls]')].every((one) => [one.getAttribute('aria-activedescendant'), one.getAttribute('aria-controls')].every((id) => !id || document.getElementById(id)))")) // prettier-ignore
    await mustBeAccessible(page, 'what was not added')
    assert.match((await page.getByRole('link', { name: 'Fill in the form' }).getAttribute('href'))!, new RegExp(`^/t/${companies}/new\\?`))
    await scene.server.call(scene.token, 'PATCH', `field/${f['Name']!.slice(1)}`, { data: { type: 'field', id: f['Name']!.slice(1), attributes: { max_length: null } } }) // prettier-ignore
    assert.deepEqual(faults, [])
    await context.close()

    await scene.make('access', { group_id: 3, table_id: Number(deals), read: true, update: true })
    const other = await scene.open()
    await scene.signIn(other.page, `/t/${deals}/1`, 'boris')
    await edit(other.page, 'Company')
    await other.page.keyboard.type('Nowhere at all')
    await other.page.getByText('Nothing matches').waitFor()
    assert.equal(await other.page.getByRole('button', { name: /^Add “/ }).count(), 0)
    await other.context.close()
  })

  it('shows what others do as it happens, never over what is being typed, and says when the record is gone', async () => {
    const { page, context, faults } = await scene.open()
    const id = await scene.make(`data${companies}`, { [f['Name']!]: 'Followed', [f['Notes']!]: 'before' })
    await scene.signIn(page, `/t/${companies}/${id}`)
    const other = (attributes: object) => scene.server.call(scene.token, 'PATCH', `data${companies}/${id}`, { data: { type: `data${companies}`, id, attributes } }) // prettier-ignore
    await page.getByRole('heading', { name: 'Followed' }).first().waitFor()
    await following(page, () => page.reload())
    await edit(page, 'Notes')
    const notes = page.getByLabel('Notes', { exact: true })
    await notes.fill('mine')
    await other({ [f['Notes']!]: 'theirs', [f['Phone']!]: '100' })
    await shows(page, 'Phone').getByText('100').waitFor()
    assert.equal(await notes.inputValue(), 'mine')
    await page.keyboard.press('Control+Enter')
    assert.match(await page.getByRole('alert').innerText(), /somebody has changed it meanwhile to\s+theirs/)
    assert.equal(await valueOf(companies, id, 'Notes'), 'theirs')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await shows(page, 'Notes').getByText('Saved').waitFor()
    assert.equal(await valueOf(companies, id, 'Notes'), 'mine')

    // An editor that was only looked into writes nothing back.
    await edit(page, 'Notes')
    await other({ [f['Notes']!]: 'theirs again', [f['Phone']!]: '200' })
    await shows(page, 'Phone').getByText('200').waitFor()
    await page.keyboard.press('Control+Enter')
    await shows(page, 'Notes').getByText('theirs again').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(await valueOf(companies, id, 'Notes'), 'theirs again')

    const deal = await scene.make(`data${deals}`, { [f['Title']!]: 'Made elsewhere', [f['Company']!]: id })
    await page.getByRole('link', { name: 'Made elsewhere' }).waitFor()
    await scene.server.call(scene.token, 'DELETE', `data${deals}/${deal}`)
    await page.getByRole('link', { name: 'Made elsewhere' }).waitFor({ state: 'detached' })

    await scene.server.call(scene.token, 'DELETE', `data${companies}/${id}`)
    await page.getByText('The record has been moved to the trash.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Change Phone' }).count(), 0)
    // Nothing can refer to it now.
    assert.equal(await page.getByRole('button', { name: 'Link a record of Deals' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Add', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('button', { name: 'Link a record of Deals' }).first().waitFor()
    await page.getByRole('button', { name: 'Change Phone' }).waitFor()
    assert.equal(await page.getByText('The record has been moved to the trash.').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('shows files as they were put in order, though an older list of them is on its way', async () => {
    const { page, context, faults } = await scene.open()
    const id = await scene.make(`data${companies}`, { [f['Name']!]: 'Of many files' })
    const files = `/api/dev/file/${companies}/${f['Contracts']}/${id}`
    const headers = { Authorization: `Bearer ${scene.token}`, 'Content-Type': 'application/octet-stream' }
    for (const name of ['a.txt', 'b.txt', 'c.txt'])
      assert.ok((await fetch(scene.address(`${files}/${name}`), { method: 'PUT', headers, body: name })).ok)
    await scene.signIn(page, `/t/${companies}/${id}`)
    const names = async () => (await page.locator('.filelist a.ref').allInnerTexts()).join()
    await until('the files', async () => (await names()) === 'a.txt,b.txt,c.txt')
    // What is read after the first move comes during the second one.
    let come = () => {}
    const mayCome = new Promise<void>((resolve) => (come = resolve))
    let isAsked = false
    await page.route(`**${files}`, async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: readonly { attributes: { file_name: string } }[] }
      if (data.map(({ attributes }) => attributes.file_name).join() === 'a.txt,c.txt,b.txt') {
        isAsked = true
        await mayCome
      }
      // It may have been given up meanwhile.
      await route.fulfill({ response }).catch(() => undefined)
    })
    await page.getByRole('link', { name: 'c.txt' }).focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await until('the first order, which is being read', async () => isAsked && (await names()) === 'a.txt,c.txt,b.txt')
    let save = () => {}
    const maySave = new Promise<void>((resolve) => (save = resolve))
    await page.route(`**/api/dev/data${companies}/${id}*`, async (route) => {
      if (route.request().method() === 'PATCH') await maySave
      return route.continue()
    })
    await page.getByRole('link', { name: 'b.txt' }).focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await until('the second order', async () => (await names()) === 'a.txt,b.txt,c.txt')
    come()
    await page.evaluate("fetch('/api/dev/me').then(() => new Promise((done) => setTimeout(done, 100)))")
    assert.equal(await names(), 'a.txt,b.txt,c.txt')
    save()
    await until('the order is kept', async () => (await valueOf(companies, id, 'Contracts')) === 'a.txt\r\nb.txt\r\nc.txt')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('offers nothing that the person may not do', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${companies}/1`, 'boris')
    await page.getByRole('button', { name: 'Change Phone' }).waitFor()
    for (const name of ['Change Turnover', 'To the trash', 'Duplicate'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    await page.goto(scene.address(`/t/${companies}`))
    await page.getByRole('link', { name: 'North Wind' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New record' }).count(), 0)
    await page.goto(scene.address(`/t/${companies}/new`))
    await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    await context.close()
  })

  for (const width of [1440, 390])
    for (const [colorScheme, locale] of [
      ['light', 'ru-RU'],
      ['dark', 'en-GB'],
    ] as const)
      // prettier-ignore
      it(`has nothing that axe calls serious, and nothing too wide: ${width} px, ${colorScheme}, ${locale}`, async () => {
        const { page, context, faults } = await scene.open({ width, height: 844, locale })
        await page.emulateMedia({ colorScheme })
        await scene.signIn(page, `/t/${companies}/3`)
        await page.locator('.history li').first().waitFor()
        const look = async (what: string) => {
          await mustBeAccessible(page, what)
          assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, `${what} is too wide`)
        }
        await look('a hostile record')
        assert.equal(await page.locator('.value img').count(), 0)
        await page.locator('.field .change').nth(4).click()
        await page.getByRole('dialog').waitFor()
        await look('a picker')
        await page.keyboard.press('Escape')
        await page.goto(scene.address(`/t/${companies}/new`))
        await page.locator('.fields input:not([type=file])').waitFor()
        await look('a new record')
        assert.deepEqual(faults, [])
        await context.close()
      })
})
