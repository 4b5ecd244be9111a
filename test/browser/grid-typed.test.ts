import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, signInByForm, type PagesScene } from './support/pages-scene.ts'

/* What is being typed in a cell of the grid while something else happens. */

describe('what is typed in a cell', () => {
  let scene: PagesScene
  let table: string
  let name: string
  let city: string
  let ids: string[]

  before(async () => {
    scene = await pagesScene()
  })
  after(() => scene?.close())
  beforeEach(async () => {
    table = await scene.make('table', { table_name: 'Companies' })
    const field = async (field_name: string) => `f${await scene.make('field', { table_id: Number(table), field_name, field_type: 'text' })}`
    name = await field('Name')
    city = await field('City')
    ids = []
    for (const company of ['A', 'B', 'C', 'D']) ids.push(await scene.make(`data${table}`, { [name]: company, [city]: 'Oslo' }))
  })

  const cityOf = async (i: number) =>
    (await scene.server.call(scene.token, 'GET', `data${table}/${ids[i]}`)).body.data.attributes[city] as string
  const holds = (i: number, expected: string) => until(`the city to be ${expected}`, async () => (await cityOf(i)) === expected)
  const remove = async (...which: readonly number[]) => {
    for (const i of which) assert.equal((await scene.server.call(scene.token, 'DELETE', `data${table}/${ids[i]}`)).status, 200)
  }
  const cell = (page: Page, row: number, column = 3) => page.locator(`[data-row='${row - 1}'] [aria-colindex='${column}']`)
  const editor = (page: Page) => page.getByRole('grid').getByRole('textbox')
  async function open(search = '', window = scene.open()) {
    const opened = await window
    opened.page.setDefaultTimeout(15_000)
    opened.page.on('dialog', (dialog) => void dialog.accept())
    await scene.signIn(opened.page, `/t/${table}${search}`)
    await opened.page.getByRole('link', { name: 'A', exact: true }).waitFor()
    return opened
  }
  async function type(page: Page, row: number, text: string): Promise<void> {
    await cell(page, row).click()
    await page.keyboard.type(text)
    await until('the text', async () => (await editor(page).inputValue()) === text)
  }
  /** The page is out of sight for long while others do something, and reads its list again when it is back. */
  async function away(page: Page, work: () => Promise<void>): Promise<void> {
    const turn = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' }); document.dispatchEvent(new Event('visibilitychange'))`) // prettier-ignore
    await turn('hidden')
    await work()
    await page.evaluate('{ const now = performance.now.bind(performance); performance.now = () => now() + 400_000 }')
    const read = page.waitForResponse((answer) => answer.url().includes(`/data${table}?page%5Boffset%5D=0`))
    await turn('visible')
    await read
  }

  it('goes with its record where the list gets shorter', async () => {
    const { page, context, faults } = await open()
    await type(page, 4, 'Ber')
    await away(page, () => remove(0, 1))
    await page.getByText('2 records', { exact: true }).waitFor()
    await cell(page, 2).getByRole('textbox').waitFor()
    assert.equal(await editor(page).inputValue(), 'Ber')
    await page.keyboard.type('gen')
    await page.keyboard.press('Enter')
    await holds(3, 'Bergen')
    assert.equal(await cityOf(2), 'Oslo')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('Turku')
    await page.keyboard.press('Enter')
    await holds(2, 'Turku')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('keeps the caret where its row moves up or down', async () => {
    const { page, context, faults } = await open(`?sort=${name}`)
    await type(page, 4, 'Bern')
    await page.keyboard.press('ArrowLeft')
    await away(page, () => remove(0, 1))
    await cell(page, 2).getByRole('textbox').waitFor()
    await page.keyboard.type('g')
    assert.equal(await editor(page).inputValue(), 'Bergn')
    await away(page, async () => {
      for (const company of ['1', '2', '3']) await scene.make(`data${table}`, { [name]: company, [city]: '' })
    })
    await cell(page, 5).getByRole('textbox').waitFor()
    await page.keyboard.type('e')
    assert.equal(await editor(page).inputValue(), 'Bergen')
    await page.keyboard.press('Enter')
    await holds(3, 'Bergen')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('keeps the words of a picker where its row moves', async () => {
    const field = { table_id: Number(table), field_name: 'Parent', field_type: 'reference', reference_table_id: Number(table) }
    await scene.make('field', field)
    const { page, context, faults } = await open(`?sort=${name}`)
    await cell(page, 4, 4).click()
    await page.keyboard.press('Enter')
    const words = page.getByRole('dialog', { name: 'Parent' }).getByRole('searchbox')
    await words.waitFor()
    await page.keyboard.type('C')
    await page.getByRole('option', { name: 'D' }).waitFor({ state: 'detached' })
    const lies = async () => {
      const under = (await cell(page, 2, 4).boundingBox())!
      const dialog = (await page.getByRole('dialog', { name: 'Parent' }).boundingBox())!
      return dialog.y >= under.y && dialog.y < under.y + 2 * under.height
    }
    await away(page, () => remove(0, 1))
    await cell(page, 2, 4).locator('.editor').waitFor()
    assert.equal(await words.inputValue(), 'C')
    await until('the choices to lie at the cell', lies)
    await page.keyboard.press('Enter')
    await cell(page, 2, 4).getByText('C', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is of its record though that is gone, and the keys go on', async () => {
    const { page, context } = await open()
    await type(page, 4, 'Ber')
    await away(page, () => remove(3))
    await page.getByText('3 records', { exact: true }).waitFor()
    await cell(page, 3).getByRole('textbox').waitFor()
    // The row of the editor says whose it is.
    await cell(page, 3, 2).getByText('D', { exact: true }).waitFor()
    await page.keyboard.type('gen')
    await page.keyboard.press('Escape')
    await cell(page, 3, 2).getByText('C', { exact: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('Turku')
    await page.keyboard.press('Enter')
    await holds(1, 'Turku')
    assert.equal(await cityOf(2), 'Oslo')
    await context.close()
  })

  it('is told as not saved where its record is gone', async () => {
    const { page, context } = await open()
    await type(page, 4, 'Bergen')
    await away(page, () => remove(3))
    await page.getByText('3 records', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 change was not saved.').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('dialog').getByText('City: Bergen').waitFor()
    await context.close()
  })

  it('is kept where no record is left', async () => {
    const { page, context } = await open()
    await type(page, 4, 'Bergen')
    await away(page, () => remove(0, 1, 2, 3))
    await page.getByText('What you typed is kept').waitFor()
    await page.getByText('No records yet').first().waitFor()
    await context.close()
  })

  it('is kept where another list is shown, and nothing of it gets into another record', async () => {
    const { page, context, faults } = await open()
    await page.getByRole('button', { name: 'City', exact: true }).waitFor()
    await page.evaluate(`document.querySelectorAll('.grid-head [data-col="0"] .col-name')[0].click()`)
    await page.waitForURL(/sort=/)
    await page.evaluate(`document.querySelectorAll('.grid-head [data-col="0"] .col-name')[0].click()`)
    await page.waitForURL(/sort=-/)
    await cell(page, 1, 2).getByText('D', { exact: true }).waitFor()
    await type(page, 1, 'Bergen')
    await page.goBack()
    await cell(page, 1, 2).getByText('A', { exact: true }).waitFor()
    await page.getByText('What you typed is kept').waitFor()
    assert.equal(await editor(page).count(), 0)
    await cell(page, 1).click()
    await page.keyboard.press('F2')
    assert.equal(await editor(page).inputValue(), 'Oslo')
    await page.keyboard.press('Escape')
    await cell(page, 4).click()
    await page.keyboard.press('F2')
    assert.equal(await editor(page).inputValue(), 'Bergen')
    await page.keyboard.press('Enter')
    await holds(3, 'Bergen')
    assert.equal(await cityOf(0), 'Oslo')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('stays in its field where a column comes before it', async () => {
    const { page, context, faults } = await open(`?columns=${name},${city}`)
    await page.evaluate(`history.pushState(history.state, '', '?columns=${city}')`)
    await page.getByRole('columnheader', { name: /^Name/ }).waitFor({ state: 'detached' })
    await cell(page, 2, 2).click()
    await page.keyboard.type('Ber')
    await page.goBack()
    await cell(page, 2, 3).getByRole('textbox').waitFor()
    assert.equal(await editor(page).count(), 1)
    await page.keyboard.type('gen')
    await page.keyboard.press('Enter')
    await holds(1, 'Bergen')
    await cell(page, 2, 2).getByText('B', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('never writes over what somebody else has written before it goes on', async () => {
    const { page, context } = await open()
    await type(page, 2, 'Ber')
    const change = { type: `data${table}`, id: ids[1], attributes: { [city]: 'Rome' } }
    await page.context().setOffline(true)
    assert.equal((await scene.server.call(scene.token, 'PATCH', `data${table}/${ids[1]}`, { data: change })).status, 200)
    await page.context().setOffline(false)
    await page.reload()
    await cell(page, 2).getByRole('textbox').waitFor()
    assert.equal(await editor(page).inputValue(), 'Ber')
    await page.keyboard.type('gen')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    assert.equal(await cityOf(1), 'Rome')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await holds(1, 'Bergen')
    await context.close()
  })

  it('is not saved by a look at another window', async () => {
    const { page, context } = await open('', scene.openWhole())
    await type(page, 2, 'Ber')
    // The browser would say that each of its pages has the focus.
    await (await context.newCDPSession(page)).send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await context.newPage()
    await other.bringToFront()
    await until('the focus is in the other window', () => page.evaluate<boolean>('!document.hasFocus()'))
    await page.bringToFront()
    await until('it is back', () => page.evaluate<boolean>('document.hasFocus()'))
    assert.equal(await cityOf(1), 'Oslo')
    await page.keyboard.type('gen')
    await page.keyboard.press('Enter')
    await holds(1, 'Bergen')
    await context.close()
  })

  it('goes on on the card where the record is further down the list, and beside it where that was open', async () => {
    for (let i = 0; i < 120; i++) await scene.make(`data${table}`, { [name]: `N${i}` })
    const { page: before, context } = await open()
    await cell(before, 1).click()
    await before.keyboard.press('Control+End')
    await before.getByRole('link', { name: 'N119', exact: true }).waitFor()
    await cell(before, 124).click()
    await before.keyboard.type('Ber')
    await until('the text', async () => (await editor(before).inputValue()) === 'Ber')
    // To close it is no click elsewhere.
    await before.close()
    // Another tab begins at the first row.
    const page = await context.newPage()
    await page.goto(scene.address(`/t/${table}`))
    const onCard = page.getByRole('complementary').getByRole('textbox', { name: 'City' })
    await onCard.waitFor()
    assert.equal(await onCard.inputValue(), 'Ber')
    // Once more, with the record open already.
    await page.reload()
    await onCard.waitFor()
    assert.equal(await onCard.inputValue(), 'Ber')
    await onCard.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('gen')
    await page.keyboard.press('Enter')
    const last = (await scene.server.call(scene.token, 'GET', `data${table}?sort=-id&page%5Blimit%5D=1`)).body.data[0]
    await until(
      'the city',
      async () => (await scene.server.call(scene.token, 'GET', `data${table}/${last.id}`)).body.data.attributes[city] === 'Bergen',
    )
    await context.close()
  })

  it('is forgotten where the field has become a tick since, which nobody ticks by that', async () => {
    const { page, context } = await open()
    await type(page, 2, 'x')
    const id = city.slice(1)
    const change = { type: 'field', id, attributes: { field_type: 'boolean' } }
    const isKept = () => page.evaluate<boolean>("Object.keys(localStorage).some((key) => key.includes('.typed.'))")
    assert.equal(await isKept(), true)
    assert.equal((await scene.server.call(scene.token, 'PATCH', `field/${id}?convertMode=lossy`, { data: change })).status, 200)
    await page.reload()
    await page.getByRole('link', { name: 'A', exact: true }).waitFor()
    await until('nothing kept', async () => !(await isKept()))
    assert.equal(await cityOf(1), await cityOf(2))
    await context.close()
  })

  it('goes on after the session has ended, over the next sign-in', async () => {
    const { page, context } = await open()
    await type(page, 2, 'Ber')
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'kartoteka_session')
    const who = await fetch(scene.address('/api/dev/me'), { headers: { Cookie: `kartoteka_session=${cookie!.value}` } })
    const session = ((await who.json()) as { data: { attributes: { token: { id: number } } } }).data.attributes.token.id
    assert.equal((await scene.server.call(scene.token, 'DELETE', `token/${session}`)).status, 200)
    await page.waitForURL(/\/sign-in\?/)
    await page.getByText('Your session has ended. Sign in again: you return to the same page. What was not saved is kept.').waitFor()
    await signInByForm(page)
    await cell(page, 2).getByRole('textbox').waitFor()
    assert.equal(await editor(page).inputValue(), 'Ber')
    await page.keyboard.type('gen')
    await page.keyboard.press('Enter')
    await holds(1, 'Bergen')
    await page.reload()
    await cell(page, 2).getByText('Bergen').waitFor()
    assert.equal(await editor(page).count(), 0)
    await context.close()
  })

  it('in the form of a new record stays there though the list is opened', async () => {
    const { page: before, context, faults } = await open()
    await before.goto(scene.address(`/t/${table}/new`))
    await before.getByRole('textbox', { name: 'Name' }).fill('A long note')
    // As it is typed, or as a value of the record.
    const isKept = (page: Page) => page.evaluate<boolean>("Object.values(localStorage).some((value) => value.includes('A long note'))")
    await until('the text', () => isKept(before))
    // A page that is closed may lose the focus, and do nothing more after that.
    assert.equal(
      await before.evaluate("document.activeElement.blur(); Object.values(localStorage).some((value) => value.includes('A long note'))"),
      true,
    )
    await before.close()
    const page = await context.newPage()
    await page.goto(scene.address(`/t/${table}`))
    await cell(page, 1).waitFor()
    await page.waitForTimeout(1000)
    assert.equal(await isKept(page), true)
    assert.equal(await page.getByRole('complementary').count(), 0)
    await page.goto(scene.address(`/t/${table}/new`))
    await until('the text', async () => (await page.getByRole('textbox', { name: 'Name' }).inputValue()) === 'A long note')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is told where its field is gone, and no card is opened for it', async () => {
    const { page, context } = await open()
    await type(page, 2, 'Bergen')
    assert.equal((await scene.server.call(scene.token, 'DELETE', `field/${city.slice(1)}`)).status, 200)
    await page.reload()
    await page.getByText('its field can no longer be written: Bergen').waitFor()
    assert.equal(await page.evaluate<boolean>("Object.keys(localStorage).some((key) => key.includes('.typed.'))"), false)
    assert.equal(await page.getByRole('complementary').count(), 0)
    await context.close()
  })
})
