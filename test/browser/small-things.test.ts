import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page, type Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Pictures in cells, files that are pasted, addresses that are checked while one types, the place of a fault in a filter. */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('small things', () => {
  let scene: PagesScene
  let people: string
  const f: Record<string, string> = {}
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    people = await scene.make('table', { table_name: 'People' })
    for (const [name, type] of Object.entries({ Name: 'text', Mail: 'email', Phone: 'phone', Site: 'url', Photos: 'image' }))
      f[name] = `f${await scene.make('field', { table_id: Number(people), field_name: name, field_type: type })}`
    for (const name of ['Anna', 'Boris']) await scene.make(`data${people}`, { [f['Name']!]: name })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const value = async (id: string, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${people}/${id}`)).body.data.attributes[f[name]!]
  const pasteFiles = (target: string, ...names: readonly string[]) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      const bytes = Uint8Array.from(atob('${PNG}'), (sign) => sign.charCodeAt(0))
      for (const name of ${JSON.stringify(names)}) clipboardData.items.add(new File([bytes], name, { type: 'image/png' }))
      document.querySelector('${target}').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })()`)

  it('who may, gets from a table to a new field of it and to its settings', async () => {
    await scene.signIn(page, `/t/${people}`)
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    // The last of the list, and a change of columns does not close it.
    await page.getByRole('menuitemcheckbox', { name: 'Site' }).press('Space')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/admin/tables/${people}\\?field=new`))
    await page.goBack()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Fields and settings' }).click()
    await page.waitForURL(new RegExp(`/admin/tables/${people}$`))
  })

  it('what does not look like an address is told while one types, and stops nobody', async () => {
    await scene.signIn(page, `/t/${people}/1`)
    for (const [name, wrong, told, right] of [
      ['Mail', 'anna@example', 'This does not look like an e-mail address yet.', 'anna@example.com'],
      ['Phone', 'call me', 'This does not look like a telephone number yet.', '+7 900 123-45-67'],
      ['Site', 'https:/example', 'This does not look like a web address yet.', 'www.example.com/a'],
    ] as const) {
      await page.getByRole('button', { name: `Change ${name}`, exact: true }).click()
      await page.getByLabel(name, { exact: true }).fill(wrong)
      await page.getByRole('status').filter({ hasText: told }).waitFor()
      await page.getByLabel(name, { exact: true }).fill(right)
      await page.getByText(told).waitFor({ state: 'detached' })
      await page.keyboard.press('Enter')
      await until(name, async () => (await value('1', name)) === right)
    }
    // The service decides.
    await page.getByRole('button', { name: 'Change Mail', exact: true }).click()
    await page.getByLabel('Mail', { exact: true }).fill('anna')
    await page.getByText('This does not look like an e-mail address yet.').waitFor()
    await mustBeAccessible(page, 'a doubt')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: /^Not saved\. / }).waitFor() // prettier-ignore
    await page.getByRole('button', { name: 'Put back' }).click()
  })

  it('pictures are pasted into a record, each by a name of its own, and shown small in the grid', async () => {
    await scene.signIn(page, `/t/${people}/2`)
    await page.locator('.files').waitFor()
    await pasteFiles('body', 'image.png', 'me.png')
    await until('both pictures', async () => (await value('2', 'Photos')).split('\r\n').length === 2)
    assert.match(await value('2', 'Photos'), /^\d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.png\r\nme\.png$/)
    // The page has heard of it.
    await until('both are shown', async () => (await page.locator('.files a.ref').count()) === 2)
    await page.keyboard.press('Control+z')
    await until('none', async () => (await value('2', 'Photos')) === '')
    await pasteFiles('.files button', 'me.png')
    await until('the picture', async () => (await value('2', 'Photos')) === 'me.png')
    // Where somebody types, a paste is theirs.
    await page.getByRole('button', { name: 'Change Name', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await pasteFiles('.field.edit input', 'other.png')
    await page.keyboard.press('Escape')
    await page.goto(scene.address(`/t/${people}`))
    const picture = page.locator(`[data-row='1'] [data-col='4'] img[alt='me.png']`)
    await until('it is drawn', () =>
      page.evaluate<boolean>('document.querySelector(\'[data-row="1"] [data-col="4"] img\')?.naturalWidth > 0'),
    )
    assert.equal(await picture.count(), 1)
    assert.equal(await value('2', 'Photos'), 'me.png')
    await mustBeAccessible(page, 'a grid with pictures')
  })

  it('what is wrong with a filter is shown at its place, also in the builder', async () => {
    await scene.signIn(page, `/t/${people}?filter=${encodeURIComponent(`and(eq(${f['Name']},'Anna'),nonsense(${f['Mail']}))`)}`)
    const alert = page.getByRole('alert').filter({ hasText: 'The filter is not understood' })
    await alert.waitFor()
    const marked = async () => (await page.locator('.caret u').allInnerTexts()).join()
    assert.equal(await marked(), 'n')
    assert.match(await alert.locator('.caret').innerText(), /'Anna'\),nonsense\(/)
    await alert.getByRole('button', { name: 'Change it' }).click()
    const builder = page.locator('.filter-builder')
    await builder.locator('.caret').waitFor()
    await mustBeAccessible(page, 'a filter that is not understood')
    await builder.getByLabel('Expression').fill(`eq(${f['Name']},'Anna')`)
    await builder.locator('.caret').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    // The words of the quick search are sent with it.
    await page.goto(scene.address(`/t/${people}?q=anna&filter=${encodeURIComponent(`nonsense(${f['Mail']})`)}`))
    await page.locator('.caret').waitFor()
    assert.equal(await marked(), 'n')
  })

  it('a narrow window has everything in its place', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(scene.address('/sign-in'))
    const middle = async (what: string) => {
      const { y, height } = (await page.locator(what).boundingBox())!
      return y + height / 2
    }
    await page.locator('.with-end .button').waitFor()
    const [eye, field] = [await middle('.with-end .button'), await middle('.with-end .input')]
    assert.ok(Math.abs(eye - field) < 1, `the eye of the password at ${eye}, its field at ${field}`)
    await scene.signIn(page, `/t/${people}?filter=${encodeURIComponent(`eq(${f['Name']},'Anna')`)}`)
    await page.locator('.tools .chip').waitFor()
    // What the filter says is whole, in a line of its own.
    const [chip, find] = [await page.locator('.tools .chip').boundingBox(), await page.locator('.tools .find').boundingBox()]
    assert.ok(find!.width > 130 && chip!.width > 300 && chip!.y + chip!.height <= find!.y, JSON.stringify([chip, find]))
    await page.goto(scene.address(`/t/${people}/1`))
    await page.locator('.page.record aside').waitFor()
    const [main, aside] = [
      await page.locator('.page.record > :first-child').boundingBox(),
      await page.locator('.page.record aside').boundingBox(),
    ]
    assert.ok(aside!.y - main!.y - main!.height < 40, 'the history follows the record')
  })

  it('fields that somebody has removed are noticed by the first write, and the next one is right at once', async () => {
    const field = { table_id: Number(people), field_name: 'Boss', field_type: 'reference', reference_table_id: Number(people) }
    const boss = await scene.make('field', field)
    await scene.signIn(page, `/t/${people}`)
    const head = page.getByRole('columnheader', { name: /^Boss/ })
    await head.waitFor()
    const sent: string[] = []
    page.on('request', (request) => void (request.method() === 'PATCH' && sent.push(request.url())))
    await scene.server.call(scene.token, 'DELETE', `field/${boss}`)
    const write = async (record: number, phone: string) => {
      await page.locator(`[data-row='${record - 1}'] [aria-colindex='4']`).click()
      await page.keyboard.type(phone)
      await page.keyboard.press('Enter')
      await until('the number', async () => (await value(String(record), 'Phone')) === phone)
    }
    await write(1, '11')
    await head.waitFor({ state: 'detached' })
    sent.length = 0
    await write(2, '22')
    assert.equal(sent.length, 1, sent.join())
  })

  it('an address that has no room in a line goes on where its parts meet', async () => {
    await window.context.close()
    window = await scene.open({ width: 390 })
    page = window.page
    const mail = 'person.1@some-company.example'
    const id = await scene.make(`data${people}`, { [f['Mail']!]: mail })
    await scene.signIn(page, `/t/${people}/${id}`)
    const link = page.getByRole('link', { name: mail })
    await link.waitFor()
    const lines = await page.evaluate<string[]>(`(() => {
      const lines = new Map()
      const texts = document.createTreeWalker(document.querySelector('a[href^="mailto:"]'), NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (let i = 0; i < node.length; i++) {
          const range = document.createRange()
          range.setStart(node, i)
          range.setEnd(node, i + 1)
          const { top } = range.getBoundingClientRect()
          lines.set(top, (lines.get(top) ?? '') + node.data[i])
        }
      return [...lines.values()]
    })()`)
    assert.deepEqual(lines, ['person.1@some-company', '.example'])
  })

  it('an address stays in the line of its cell, and goes on where the column wraps', async () => {
    await scene.make(`data${people}`, { [f['Name']!]: 'Far away', [f['Site']!]: 'https://www.some-company-49989.some-place.example' })
    const lines = async () =>
      (await page.evaluate<number[]>(
        `[...document.querySelector('.grid-rows a[href*="some-company"]').getClientRects()].map(({ top }) => Math.round(top))`,
      )).filter((top, i, all) => all.indexOf(top) === i).length // prettier-ignore
    await scene.signIn(page, `/t/${people}?columns=${f['Name']},${f['Site']}.190`)
    await page.locator('.grid-rows').getByText('some-company').waitFor()
    assert.equal(await lines(), 1)
    // What nearly all addresses begin with is not shown; the editor has all of it.
    const shown = page.locator('.grid-rows a[href="https://www.some-company-49989.some-place.example"]')
    assert.equal(await shown.innerText(), 'www.some-company-49989.some-place.example')
    await page.goto(scene.address(`/t/${people}?kind=cards`))
    await page.locator('.gallery').getByText('www.some-company').waitFor()
    assert.equal(await page.locator('.gallery').getByText('https').count(), 0)
    await page.goto(scene.address(`/t/${people}?columns=${f['Name']},${f['Site']}.190~`))
    await page.locator('.grid-rows').getByText('some-company').waitFor()
    assert.ok((await lines()) > 1)
  })

  it('the card of a record and its history tell all of an address', async () => {
    const site = f['Site']!
    const id = await scene.make(`data${people}`, { [f['Name']!]: 'Far away', [site]: 'https://company.example' })
    const attributes = { [site]: 'company.example/' }
    const { status } = await scene.server.call(scene.token, 'PATCH', `data${people}/${id}`, {
      data: { type: `data${people}`, id, attributes },
    })
    assert.equal(status, 200)
    await scene.signIn(page, `/t/${people}/${id}`)
    const move = page.locator('.history .move')
    await move.locator('del').getByText('https://company.example', { exact: true }).waitFor()
    assert.equal(await move.locator('ins').innerText(), 'company.example/')
    await page.locator('.field').getByText('company.example/', { exact: true }).waitFor()
  })

  it('one table leaves nothing of its tools in those of the next', async () => {
    await scene.make('table', { table_name: 'Firms' })
    await scene.signIn(page, `/t/${people}`)
    const tools = page.locator('.tools button, .tools input')
    await page.getByRole('link', { name: 'Anna', exact: true }).waitFor()
    for (const name of ['Firms', 'People', 'Firms']) {
      await page.getByRole('navigation').getByRole('link', { name }).click()
      await page.getByRole('heading', { name }).waitFor()
    }
    await page.getByText('No records yet').waitFor()
    assert.deepEqual([await tools.filter({ hasText: /^Filter$/ }).count(), await page.locator('.tools .find').count()], [1, 1])
  })
})
