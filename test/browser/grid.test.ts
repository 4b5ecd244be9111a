import assert from 'node:assert/strict'
import { after, before, beforeEach, afterEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page, type Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, following, HOSTILE, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The grid as people use it. */

const ROWS = 400

describe('the grid', () => {
  let scene: PagesScene
  let goods: string
  const f: Record<string, string> = {}
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    goods = await scene.make('table', { table_name: 'Goods' })
    const field = fieldsOf(scene, goods, f)
    await field('Name', 'text')
    await field('Count', 'integer')
    await field('Price', 'decimal', { scale: 2 })
    await field('Made', 'date')
    await field('Kind', 'list', { options: [{ label: 'Food' }, { label: 'Tools' }] })
    await field('Sold out', 'boolean')
    await field('Notes', 'longtext')
    const lines = Array.from({ length: ROWS }, (_, i) => `Thing ${i + 1},${i + 1},${i}.50,2024-01-${String((i % 28) + 1).padStart(2, '0')},${i % 2 ? 'Tools' : 'Food'}`) // prettier-ignore
    await scene.fill('Goods', ['Name,Count,Price,Made,Kind', ...lines].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await following(page, () => scene.signIn(page, `/t/${goods}`))
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  /** By the number of the row as it is shown, and the name of the column. */
  const cell = (row: number, name: string) => page.locator(`[data-row='${row - 1}'] [aria-colindex='${column(name)}']`)
  const goTo = async (row: number) => {
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill(String(row))
    await page.keyboard.press('Enter')
    await cell(row, 'Name').locator('a').waitFor()
  }
  const column = (name: string) => Object.keys(f).indexOf(name) + 2
  const focused = () =>
    page.evaluate<string>(
      "(([row, col]) => `${Number(row?.dataset.row) + 1}:${col?.getAttribute('aria-colindex')}`)([document.activeElement?.closest('[data-row]'), document.activeElement?.closest('[aria-colindex]')])",
    )
  const value = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${goods}/${id}`)).body.data.attributes[f[name]!]
  const holds = (id: number, name: string, expected: string) =>
    until(`${name} of ${id} to be ${expected}`, async () => (await value(id, name)) === expected)
  const patch = (id: number, attributes: object) =>
    scene.server.call(scene.token, 'PATCH', `data${goods}/${id}`, { data: { type: `data${goods}`, id: String(id), attributes } })
  const pasteText = async (text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await page.keyboard.press('Control+v')
  }

  it('moves by every key, over rows that have to come first', async () => {
    await cell(3, 'Count').click()
    for (const [keys, place] of [
      ['ArrowDown', `4:${column('Count')}`],
      ['ArrowRight', `4:${column('Price')}`],
      ['Control+ArrowRight', `4:${column('Notes')}`],
      ['Home', '4:2'],
      ['End', `4:${column('Notes')}`],
      ['Control+End', `${ROWS}:${column('Notes')}`],
      ['Control+ArrowLeft', `${ROWS}:2`],
      ['ArrowUp', `${ROWS - 1}:2`],
      ['Control+Home', '1:2'],
      ['Control+ArrowDown', `${ROWS}:2`],
      ['Control+ArrowUp', '1:2'],
    ] as const) {
      await page.keyboard.press(keys)
      await until(`${keys}: ${place}`, async () => (await focused()) === place)
    }
    await page.keyboard.press('PageDown')
    await until('the next rows', async () => Number((await focused()).split(':')[0]) > 15)
    await page.keyboard.press('PageUp')
    await until('the first row', async () => (await focused()) === '1:2')
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill('250')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Thing 250', exact: true }).waitFor()
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), String(ROWS + 1))
  })

  it('is edited by typing, Enter, Tab and Escape, and each edit is on disk', async () => {
    await cell(2, 'Name').click({ position: { x: 180, y: 10 } })
    await page.keyboard.press('F2')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Better thing')
    await page.keyboard.press('Tab')
    await page.keyboard.type('77')
    await page.keyboard.press('Enter')
    await holds(2, 'Name', 'Better thing')
    await holds(2, 'Count', '77')
    await until('the next row', async () => (await focused()) === `3:${column('Count')}`)
    await page.keyboard.type('5000')
    await page.keyboard.press('Escape')
    await until('the cell', async () => (await focused()) === `3:${column('Count')}`)
    assert.equal(await value(3, 'Count'), '3')
    await cell(4, 'Price').dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('=2*19.90')
    await page.keyboard.press('Enter')
    await holds(4, 'Price', '39.80')
    await cell(5, 'Kind').dblclick()
    await page.getByRole('dialog').getByRole('option', { name: 'Tools' }).click()
    await holds(5, 'Kind', 'Tools')
    // Upwards, backwards, and in the editors of lists and long texts.
    await cell(9, 'Count').dblclick()
    await page.keyboard.type('0')
    await page.keyboard.press('Shift+Enter')
    await until('the row above', async () => (await focused()) === `8:${column('Count')}`)
    await holds(9, 'Count', '90')
    await page.keyboard.type('88')
    await page.keyboard.press('Shift+Tab')
    await until('the cell before', async () => (await focused()) === `8:${column('Name')}`)
    await holds(8, 'Count', '88')
    await cell(7, 'Kind').click()
    await page.keyboard.type('too')
    await page.getByRole('dialog').getByRole('option', { name: 'Tools' }).waitFor()
    await page.keyboard.press('Tab')
    await until('the cell behind the list', async () => (await focused()) === `7:${column('Sold out')}`)
    await holds(7, 'Kind', 'Tools')
    await page.keyboard.press('Tab')
    await cell(7, 'Notes').click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('two')
    await page.keyboard.press('Control+Enter')
    await holds(7, 'Notes', 'One\ntwo')
    await until('the cell below', async () => (await focused()) === `8:${column('Notes')}`)
    const asked: string[] = []
    const record = await cell(6, 'Name').locator('a').getAttribute('data-record')
    page.on('request', (one) => new URL(one.url()).pathname === `/api/dev/data${goods}/${record}` && asked.push(one.method()))
    await cell(6, 'Sold out').locator('[data-tick]').click()
    await holds(6, 'Sold out', '1')
    await page.keyboard.press('Enter')
    await holds(6, 'Sold out', '0')
    // Of two values the other one is the one to be written, so nothing is read before.
    assert.deepEqual(asked, ['PATCH', 'PATCH'])
  })

  it('takes back and does again whatever was done', async () => {
    await cell(10, 'Count').click()
    await page.keyboard.type('1000')
    await page.keyboard.press('Enter')
    await holds(10, 'Count', '1000')
    await page.keyboard.press('Control+z')
    await holds(10, 'Count', '10')
    await page.keyboard.press('Control+Shift+z')
    await holds(10, 'Count', '1000')
    await cell(10, 'Count').click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Delete')
    await holds(12, 'Count', '0')
    await page.keyboard.press('Control+z')
    await holds(12, 'Count', '12')
    await holds(10, 'Count', '1000')
  })

  it('takes back several edits of one cell, one after the other, and does them again', async () => {
    await cell(14, 'Count').click()
    // The last value is one that was there before.
    for (const value of ['1001', '1002', '1001']) {
      await page.keyboard.type(value)
      await page.keyboard.press('Enter')
      await holds(14, 'Count', value)
      await cell(14, 'Count').click()
    }
    for (const _ of [1, 2]) {
      for (const value of ['1002', '1001', '14']) {
        await page.keyboard.press('Control+z')
        await holds(14, 'Count', value)
      }
      for (const value of ['1001', '1002', '1001']) {
        await page.keyboard.press('Control+Shift+z')
        await holds(14, 'Count', value)
      }
    }
  })

  it('copies to spreadsheets and pastes from them, with one request and one undo', async () => {
    await cell(20, 'Count').click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+c')
    await until(
      'the text',
      async () => (await page.evaluate<string>('navigator.clipboard.readText()')).replaceAll('\r', '') === '20\t19.50\n21\t20.50',
    )
    const writes: string[] = []
    page.on('request', (request) => void (request.method() === 'PATCH' && writes.push(request.url())))
    await goTo(30)
    await cell(30, 'Count').click()
    await pasteText('1,000\t5.25\r\n2000\t6,75\r\n')
    await holds(31, 'Count', '2000')
    await holds(30, 'Price', '5.25')
    assert.equal(writes.length, 1)
    await page.keyboard.press('Control+z')
    await holds(30, 'Count', '30')
    await holds(31, 'Price', '30.50')
  })

  it('marks what does not fit of a paste, and writes none of it until that is decided', async () => {
    await goTo(40)
    await cell(40, 'Count').click()
    await pasteText('7\tmany\n8\t9')
    const note = page.getByRole('alert').filter({ hasText: '1 value does not fit' })
    await note.waitFor()
    assert.match(await note.getByRole('listitem').innerText(), /^row 40, Price: this is no number/)
    assert.equal(await value(40, 'Count'), '40')
    assert.equal(await cell(40, 'Price').getAttribute('aria-invalid'), 'true')
    await note.getByRole('button', { name: 'Write the others' }).press('Enter')
    await until('the focus to be in the grid again', async () => (await focused()) === `40:${column('Count')}`)
    await holds(40, 'Count', '7')
    await holds(41, 'Price', '9.00')
    assert.equal(await value(40, 'Price'), '39.50')
  })

  it('offers to write the others also where the service alone refuses a value', async () => {
    await goTo(60)
    await cell(60, 'Name').click()
    const long = 'x'.repeat(300)
    await pasteText(`${long}\t7001\nShort\t7002\n${long}\t7003\n${long}\t7004`)
    const note = page.getByRole('alert').filter({ hasText: '1 value does not fit' })
    await note.waitFor()
    assert.match(await note.getByRole('listitem').innerText(), /^row 60, Name: the /)
    assert.equal(await value(60, 'Count'), '60')
    assert.equal(await cell(60, 'Name').getAttribute('aria-invalid'), 'true')
    await note.getByRole('button', { name: 'Write the others' }).click()
    await holds(60, 'Count', '7001')
    await holds(61, 'Name', 'Short')
    // Those that the service refuses then are told, and the others are written all the same.
    await holds(63, 'Count', '7004')
    await page.getByText('2 values were not saved, such as row 62, Name: The ').waitFor()
    assert.equal(await cell(63, 'Name').getAttribute('aria-invalid'), 'true')
    assert.equal(await value(60, 'Name'), 'Thing 60')
    const faults = window.faults as string[]
    assert.ok(
      faults.every((fault) => /status of 422/.test(fault)),
      faults.join(),
    )
    faults.length = 0
  })

  it('asks about one of several values that do not fit, where one looks', async () => {
    await goTo(44)
    await cell(44, 'Count').click()
    await pasteText('few\nmany\nmore\nmost')
    const note = page.getByRole('alert').filter({ hasText: '4 values do not fit' })
    await note.waitFor()
    const named = (await note.getByRole('listitem').allInnerTexts()).map((text) => text.split(':')[0])
    assert.deepEqual(named, ['row 44, Count', 'row 45, Count', 'row 46, Count', 'and 1 more'])
    const shown = page.locator('.bubble').filter({ visible: true })
    await cell(46, 'Count').hover()
    await until('one question', async () => (await page.locator('.bubble').count()) === 4 && (await shown.count()) <= 2)
    assert.equal(await page.locator('.is-asking:not(:hover, :focus-within) .bubble').filter({ visible: true }).count(), 0)
    await note.getByRole('button', { name: 'Write nothing' }).click()
    await note.waitFor({ state: 'detached' })
    assert.equal(await value(44, 'Count'), '44')
  })

  it('makes records of what is pasted beyond the end, after saying how many', async () => {
    await page.keyboard.press('Tab')
    await cell(1, 'Count').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Home')
    await until('the end', async () => (await focused()) === `${ROWS}:2`)
    await pasteText(`Last thing\nNew thing\n${HOSTILE.slice(0, 60).replaceAll(/["\t]/g, '')}`)
    const note = page.getByRole('alert').filter({ hasText: '2 new records' })
    await note.getByRole('button', { name: 'Paste', exact: true }).press('Enter')
    await until('the focus to be in the grid again', async () => (await focused()) === `${ROWS}:2`)
    await page.getByText(`${ROWS + 2} records`, { exact: true }).waitFor()
    await holds(ROWS, 'Name', 'Last thing')
    await page.keyboard.press('Control+z')
    await page.getByText(`${ROWS} records`, { exact: true }).waitFor()
    await holds(ROWS, 'Name', `Thing ${ROWS}`)
  })

  it('fills down and goes on with series by the handle', async () => {
    await goTo(50)
    await cell(50, 'Kind').click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+d')
    const kind = await value(50, 'Kind')
    await holds(51, 'Kind', kind)
    await holds(52, 'Kind', kind)
    await patch(60, { [f['Made']!]: '2024-05-01' })
    await patch(61, { [f['Made']!]: '2024-05-03' })
    await goTo(60)
    await until('the dates', async () => (await cell(61, 'Made').innerText()) === '3 May 2024')
    await cell(60, 'Made').click()
    await page.keyboard.press('Shift+ArrowDown')
    // That of the whole range, not of its first cell.
    const handle = (await cell(61, 'Made').locator('.handle').boundingBox())!
    const to = (await cell(64, 'Made').boundingBox())!
    await page.mouse.move(handle.x + 4, handle.y + 4)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 4 })
    await page.mouse.up()
    await holds(64, 'Made', '2024-05-09')
  })

  it('goes on with series upwards by the handle, and by Ctrl+E', async () => {
    await patch(64, { [f['Count']!]: 10 })
    await patch(65, { [f['Count']!]: 20 })
    await goTo(64)
    await until('the values', async () => (await cell(65, 'Count').innerText()) === '20')
    await cell(64, 'Count').click()
    await page.keyboard.press('Shift+ArrowDown')
    const handle = (await cell(65, 'Count').locator('.handle').boundingBox())!
    const to = (await cell(62, 'Count').boundingBox())!
    // Other tests have written there.
    const before = await value(62, 'Count')
    await page.mouse.move(handle.x + 4, handle.y + 4)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 4 })
    await page.mouse.up()
    await holds(62, 'Count', '-10')
    await holds(63, 'Count', '0')
    await page.keyboard.press('Control+z')
    await holds(62, 'Count', before)
    await cell(64, 'Count').click()
    await page.keyboard.press('Control+e')
    await page.getByText('Choose at least three rows or columns').waitFor()
    for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowDown')
    await cell(67, 'Count').locator('.handle').waitFor()
    await page.keyboard.press('Control+e')
    await holds(67, 'Count', '40')
    assert.equal(await value(66, 'Count'), '30')
  })

  it('moves records to the trash and back', async () => {
    await goTo(70)
    await cell(70, 'Count').click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+Backspace')
    await page.getByText('2 records are in the trash').waitFor()
    await page.getByText(`${ROWS - 2} records`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${ROWS} records`, { exact: true }).waitFor()
  })

  it('saves a cell by one request, since the version of the record was read while one typed', async () => {
    const asked: string[] = []
    await goTo(80)
    const record = await cell(80, 'Name').locator('a').getAttribute('data-record')
    const path = `/api/dev/data${goods}/${record}`
    const isIts = (one: { url(): string }) => new URL(one.url()).pathname === path
    await cell(80, 'Count').click()
    const read = page.waitForResponse(isIts)
    await page.keyboard.press('F2')
    await (await read).finished()
    page.on('request', (one) => isIts(one) && asked.push(one.method()))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('8080')
    const written = page.waitForResponse(isIts)
    await page.keyboard.press('Enter')
    assert.equal((await written).status(), 200)
    await until('it is saved', async () => (await cell(80, 'Count').innerText()) === '8,080')
    assert.deepEqual(asked, ['PATCH'])
    // The version is not that of what the person saw: others have changed another field.
    await cell(80, 'Count').click()
    const again = page.waitForResponse(isIts)
    await page.keyboard.press('F2')
    await (await again).finished()
    await patch(80, { [f['Name']!]: 'Thing 80 too' })
    await page.keyboard.press('Control+a')
    await page.keyboard.type('81')
    await page.keyboard.press('Enter')
    await holds(80, 'Count', '81')
    await patch(80, { [f['Name']!]: 'Thing 80', [f['Count']!]: 80 })
    await until('what others have written', async () => (await cell(80, 'Count').innerText()) === '80')
  })

  it('shows the newest where the answer to a write comes after the stream has told what was written since', async () => {
    await goTo(90)
    const later = Promise.withResolvers<void>()
    const own = `**/api/dev/data${goods}/90*`
    await page.route(own, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const response = await route.fetch()
      await later.promise
      await route.fulfill({ response })
    })
    await cell(90, 'Count').click()
    await page.keyboard.type('9001')
    await page.keyboard.press('Enter')
    await holds(90, 'Count', '9001')
    await patch(90, { [f['Count']!]: 9002 })
    await patch(91, { [f['Count']!]: 9191 })
    await until('the stream', async () => (await cell(91, 'Count').innerText()) === '9,191')
    assert.equal(await cell(90, 'Count').innerText(), '9,001')
    later.resolve()
    await until('the newest', async () => (await cell(90, 'Count').innerText()) === '9,002')
    await page.unroute(own)
    await patch(90, { [f['Count']!]: 90 })
    await patch(91, { [f['Count']!]: 91 })
    await until('as before', async () => (await cell(90, 'Count').innerText()) === '90')
  })

  it('takes its own last write, whose answer came while one typed, for nobody else’s, and writes a value of before again', async () => {
    // Nobody tells the page what is written.
    await page.route('**/api/dev/events?*', (route) => route.abort())
    await page.reload()
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    await goTo(90)
    const record = await cell(90, 'Name').locator('a').getAttribute('data-record')
    let gate = Promise.withResolvers<void>()
    await page.route(`**/api/dev/data${goods}/${record}*`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const response = await route.fetch()
      await gate.promise
      return route.fulfill({ response })
    })
    await cell(90, 'Count').click()
    await page.keyboard.type('9001')
    await page.keyboard.press('Enter')
    await holds(90, 'Count', '9001')
    for (const next of ['9002', '9001']) {
      await cell(90, 'Count').click()
      await page.keyboard.press('F2')
      await page.locator('.cell.edit input:focus').waitFor()
      gate.resolve()
      gate = Promise.withResolvers()
      await page.locator('.foot').getByText('All changes saved').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(next)
      await page.keyboard.press('Enter')
      await until('an answer', async () => (await value(90, 'Count')) === next || (await page.getByRole('alert').count()) > 0)
      assert.equal(await page.getByRole('alert').count(), 0)
    }
    gate.resolve()
    await page.locator('.foot').getByText('All changes saved').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('shows what others change as it happens, and both values where two change the same', async () => {
    await goTo(80)
    await cell(80, 'Count').click()
    await page.keyboard.type('123')
    await patch(81, { [f['Name']!]: 'Changed by others' })
    await page.getByRole('link', { name: 'Changed by others' }).waitFor()
    await patch(80, { [f['Count']!]: 456 })
    // A cell under edit is never written over.
    assert.equal(await page.locator('.cell.edit input').inputValue(), '123')
    await page.keyboard.press('Enter')
    const bubble = page.getByRole('alert').filter({ hasText: '456' })
    await bubble.waitFor()
    // It lies over the next row, which has the focus now.
    const isOnTop = await page.evaluate<boolean>(
      "(() => { const one = document.querySelector('.bubble'), { left, top, width } = one.getBoundingClientRect(); return one.contains(document.elementFromPoint(left + width / 2, top + 12)) })()",
    )
    assert.ok(isOnTop)
    assert.equal(await value(80, 'Count'), '456')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Keep mine')
    await page.keyboard.press('Enter')
    await holds(80, 'Count', '123')
    await until('the focus to be in the cell again', async () => (await focused()) === `80:${column('Count')}`)
    // An editor that was only looked into writes nothing back.
    await cell(80, 'Count').click()
    await page.keyboard.press('F2')
    await page.locator('.cell.edit input').waitFor()
    await patch(80, { [f['Count']!]: 789, [f['Name']!]: 'Changed once more' })
    await page.getByRole('link', { name: 'Changed once more' }).waitFor()
    await page.keyboard.press('Enter')
    // What is written next of the same record is saved after it would have been.
    await cell(80, 'Price').click()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await holds(80, 'Price', '5.00')
    await cell(80, 'Count').getByText('789').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(await value(80, 'Count'), '789')
  })

  it('keeps in its cell what it cannot read, with the reason below', async () => {
    await goTo(82)
    await cell(82, 'Count').click()
    await page.keyboard.type('about 12')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'This is no number' }).waitFor()
    const [cellEnd, lineEnd] = await page.evaluate<[number, number]>(
      "['.cell.edit', '.cell.edit input'].map((one) => document.querySelector(one).getBoundingClientRect().right)",
    )
    assert.ok(lineEnd <= cellEnd + 1, `${lineEnd} ${cellEnd}`)
    await page.keyboard.press('Escape')
    assert.equal(await value(82, 'Count'), '82')
  })

  it('leaves records that do not match any more where they are, in grey, until the list is read again', async () => {
    await following(page, () => page.goto(scene.address(`/t/${goods}?filter=and(gte(id,101),lte(id,109),gte(${f['Count']},0))`)))
    await page.getByText('9 records', { exact: true }).waitFor()
    await patch(105, { [f['Count']!]: -5 })
    await page.getByText('left the filter').waitFor()
    await page.getByText('8 records', { exact: true }).waitFor()
    assert.equal(await page.locator('.grid-rows [role=row]').count(), 9)
    await page.getByRole('button', { name: /The list has changed/ }).click()
    await until('eight rows', async () => (await page.locator('.grid-rows [role=row]').count()) === 8)
    await patch(105, { [f['Count']!]: 105 })
  })

  it('leaves a record that the order would put elsewhere where it is, in grey', async () => {
    await following(page, () => page.goto(scene.address(`/t/${goods}?filter=and(gte(id,111),lte(id,119))&sort=-${f['Count']}`)))
    await page.getByText('9 records', { exact: true }).waitFor()
    const names = () => page.locator('.grid-rows .name-link').allInnerTexts()
    const before = await names()
    const grey = page.locator('.grid-rows [role=row].gone')
    // What is changed together has its place by what has not changed.
    await patch(112, { [f['Count']!]: 500 })
    await patch(113, { [f['Count']!]: 112 })
    await grey.filter({ hasText: 'Thing 112' }).getByText('elsewhere by the order').waitFor()
    await page.getByRole('button', { name: /The list has changed/ }).waitFor()
    await until('one grey row', async () => (await grey.count()) === 1)
    assert.deepEqual(await names(), before)
    await patch(112, { [f['Count']!]: 112 })
    await patch(113, { [f['Count']!]: 113 })
    await until('no grey row', async () => (await grey.count()) === 0)
    // One's own change, too.
    await cell(2, 'Count').click()
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await grey.filter({ hasText: 'Thing 118' }).waitFor()
    await page.keyboard.press('Control+z')
    await until('none again', async () => (await grey.count()) === 0)
  })

  it('keeps order, widths, hidden and frozen columns in the address, and shows figures of all records', async () => {
    const menu = async (name: string, item: string) => {
      await page.getByRole('columnheader', { name }).hover()
      await page.getByRole('button', { name: `Menu of the column ${name}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Count', 'Sort descending')
    await page.waitForURL(new RegExp(`sort=-${f['Count']}`))
    await page.getByRole('link', { name: `Thing ${ROWS}`, exact: true }).waitFor()
    await menu('Notes', 'Hide the column')
    await menu('Kind', 'Move left')
    const names = async () =>
      (await page.getByRole('columnheader').allInnerTexts())
        .map((one) => one.trim())
        .slice(1)
        .join()
    await until('the columns', async () => (await names()) === 'Name,Count,Price,Kind,Made,Sold out')
    await page.waitForURL(/columns=/)
    const link = page.url()
    await menu('Count', 'Sum')
    const { meta } = (await scene.server.call(scene.token, 'GET', `data${goods}/aggregate?function=sum:${f['Count']}`)).body
    const sum = Number(meta.all.sum[f['Count']!]).toLocaleString('en-GB')
    await page.locator('.grid-sum').getByText(sum, { exact: true }).waitFor()
    await page.goto(link)
    await page.getByRole('columnheader', { name: 'Kind' }).waitFor()
    assert.equal(await names(), 'Name,Count,Price,Kind,Made,Sold out')
    await page.getByRole('button', { name: '1 column hidden' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Notes' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Notes' }).waitFor()
  })

  it('offers nothing that a reader may not do', async () => {
    const group = await scene.make('group', { group_name: 'Readers' })
    await scene.make('access', { group_id: Number(group), table_id: Number(goods), read: true })
    await scene.make('user', { login: 'rita', fio: 'Rita', group_id: Number(group), password: 'reader reader' })
    const { page: other, context, faults } = await scene.open()
    await scene.signIn(other, `/t/${goods}`, 'rita', 'reader reader')
    await other.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    const first = other.locator(`[data-row='0'] [aria-colindex='3']`)
    await first.click()
    assert.equal(await first.getAttribute('aria-readonly'), 'true')
    assert.equal(await other.locator('.handle').count(), 0)
    await other.keyboard.type('9')
    await other.getByText('You may not change this').waitFor()
    assert.equal(await value(1, 'Count'), '1')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is accessible, with one cell that Tab reaches, and told apart for screen readers', async () => {
    await mustBeAccessible(page, 'grid')
    assert.equal(await page.locator('.grid-sheet [tabindex="0"]').count(), 1)
    await cell(2, 'Count').click()
    await page.keyboard.press('F2')
    await mustBeAccessible(page, 'grid with an editor')
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
  })
})
