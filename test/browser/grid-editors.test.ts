import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What editors of single types do in a cell of the grid. */

describe('in a cell of the grid', () => {
  let scene: PagesScene
  let calls: string
  let window: Window
  let page: Page
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    calls = await scene.make('table', { table_name: 'Calls' })
    for (const [name, type] of Object.entries({ Whom: 'text', Number: 'autonumber', Day: 'date', Again: 'datetime', Said: 'longtext' }))
      f[name] = `f${await scene.make('field', { table_id: Number(calls), field_name: name, field_type: type })}`
    const options = ['New', 'Waiting', 'Closed'].map((label) => ({ label }))
    f['Stage'] = `f${await scene.make('field', { table_id: Number(calls), field_name: 'Stage', field_type: 'list', options })}`
    f['Minutes'] = `f${await scene.make('field', { table_id: Number(calls), field_name: 'Minutes', field_type: 'integer' })}`
    f['Hours'] = `f${await scene.make('field', { table_id: Number(calls), field_name: 'Hours', field_type: 'decimal' })}`
    f['Days'] = `f${await scene.make('field', { table_id: Number(calls), field_name: 'Days', field_type: 'integer' })}`
    for (const whom of ['Anna', 'Boris', 'Clara']) await scene.make(`data${calls}`, { [f['Whom']!]: whom })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${calls}`)
    await page.getByRole('link', { name: 'Anna', exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const cell = (row: number, col: number) => page.locator(`[data-row='${row}'] [data-col='${col}']`)
  const becomes = (id: string, name: string, value: string) =>
    until(
      `${name} of ${id} is ${value}`,
      async () => (await scene.server.call(scene.token, 'GET', `data${calls}/${id}`)).body.data.attributes[f[name]!] === value,
    )
  /** The day after today, where the browser is. */
  const tomorrow = () =>
    page.evaluate<string>(`(() => {
      const day = new Date()
      day.setDate(day.getDate() + 1)
      return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
    })()`)

  it('a day is typed as a word', async () => {
    const day = await tomorrow()
    await cell(0, 2).click()
    await page.keyboard.type('tomorrow')
    await page.keyboard.press('Enter')
    await becomes('1', 'Day', day)
    await cell(0, 3).click()
    await page.keyboard.type('tomorrow 18:30')
    await page.keyboard.press('Enter')
    await becomes('1', 'Again', `${day} 18:30:00`)
    // What is no day is told beside it, and stays to be mended.
    await cell(1, 2).click()
    await page.keyboard.type('tomorow')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.equal(await cell(1, 2).getByRole('textbox').inputValue(), 'tomorow')
    await page.keyboard.press('Escape')
    await becomes('2', 'Day', '0000-00-00')
    await cell(1, 3).click()
    await page.keyboard.type('9.10')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .filter({ hasText: /may be a day or a time.* 9:10/ })
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('an option is found by its first letters and taken by Enter, also where it is the one already', async () => {
    const marked = page.getByRole('dialog', { name: 'Stage' }).locator('[data-focused]')
    for (const letters of ['cl', 'c', 'closed']) {
      await cell(0, 5).click()
      // Pressed one by one: the second letter finds what the first one has found.
      for (const letter of letters) {
        await page.keyboard.press(letter)
        await marked.getByText('Closed').waitFor()
      }
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await becomes('1', 'Stage', 'Closed')
    }
  })

  it('a click on the option that is chosen already only closes the editor; the value is taken away by a button of its own', async () => {
    const dialog = page.getByRole('dialog', { name: 'Stage' })
    const choose = async (label: string) => {
      await dialog.getByRole('option', { name: label }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await cell(2, 5).dblclick()
    assert.equal(await dialog.getByRole('button', { name: 'Take the value away' }).count(), 0)
    await choose('Waiting')
    await becomes('3', 'Stage', 'Waiting')
    await cell(2, 5).dblclick()
    await choose('Waiting')
    await cell(2, 5).getByText('Waiting').waitFor()
    // By keyboard too.
    await page.keyboard.press('F2')
    await dialog.getByRole('searchbox').press('ArrowDown')
    for (let i = 0; i < 3 && !(await dialog.locator('[data-focused]').getByText('Waiting').isVisible()); i++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await becomes('3', 'Stage', 'Waiting')
    // On the card.
    await page.goto(scene.address(`/t/${calls}/3`))
    await page.getByRole('button', { name: 'Change Stage', exact: true }).click()
    await choose('Waiting')
    await becomes('3', 'Stage', 'Waiting')
    await page.getByRole('button', { name: 'Change Stage', exact: true }).click()
    await dialog.getByRole('button', { name: 'Take the value away' }).click()
    await dialog.waitFor({ state: 'detached' })
    await becomes('3', 'Stage', '')
  })

  it('a number with a fraction is refused where only whole ones fit, and stays to be mended', async () => {
    await cell(0, 6).click()
    await page.keyboard.type('1,5')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Only whole numbers fit here. Write it as 1,234.' }).waitFor()
    assert.equal(await cell(0, 6).getByRole('textbox').inputValue(), '1,5')
    await becomes('1', 'Minutes', '0')
    await cell(0, 6).getByRole('textbox').fill('5.0')
    await page.keyboard.press('Enter')
    await becomes('1', 'Minutes', '5')
    await page.goto(scene.address(`/t/${calls}/2`))
    await page.getByRole('button', { name: 'Change Minutes', exact: true }).click()
    await page.getByLabel('Minutes', { exact: true }).fill('2.7')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Only whole numbers fit here.' }).waitFor()
    await page.keyboard.press('Escape')
    await becomes('2', 'Minutes', '0')
  })

  it('a number with a fraction is marked among what is pasted', async () => {
    await cell(1, 6).click()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '1.5\\n7')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })()`)
    await page.getByText('1 value does not fit').waitFor()
    await becomes('2', 'Minutes', '0')
    await becomes('3', 'Minutes', '0')
  })

  it('values that do not fit are told where cells are filled from another type too, and columns that cannot be changed', async () => {
    for (const [id, hours] of [
      ['1', '1.5'],
      ['2', '2'],
      ['3', '2.25'],
    ] as const)
      // prettier-ignore
      assert.equal((await scene.server.call(scene.token, 'PATCH', `data${calls}/${id}`, { data: { type: `data${calls}`, id, attributes: { [f['Hours']!]: hours } } })).status, 200) // prettier-ignore
    await cell(2, 7).getByText('2.25').waitFor()
    const note = page.getByRole('alert').filter({ hasText: '2 values do not fit:' })
    await cell(0, 7).click()
    await cell(2, 8).click({ modifiers: ['Shift'] })
    await page.keyboard.press('Control+r')
    await note.filter({ hasText: 'row 1, Days: only whole numbers fit here.' }).filter({ hasText: 'row 3, Days: ' }).waitFor()
    await note.getByRole('button', { name: 'Write nothing' }).click()
    await becomes('2', 'Days', '0')
    await page.keyboard.press('Control+r')
    await note.getByRole('button', { name: 'Write the others' }).click()
    await becomes('2', 'Days', '2')
    for (const id of ['1', '3']) await becomes(id, 'Days', '0')
    // Of three columns, the number of its own cannot be changed.
    await cell(0, 0).click({ position: { x: 2, y: 10 } })
    await cell(0, 1).click({ modifiers: ['Shift'] })
    await page.keyboard.press('Control+r')
    await page.getByText('You may not change this').waitFor()
    await cell(0, 2).click({ modifiers: ['Shift'] })
    await page.keyboard.press('Control+r')
    await page.getByText('Not filled, since it cannot be changed here: Number').waitFor()
    await note.or(page.getByText('1 value does not fit:')).getByText('row 1, Day: this is no date.').waitFor()
  })

  it('a number of its own is shown, and no key changes it', async () => {
    for (const row of [0, 1, 2]) assert.equal(await cell(row, 1).innerText(), String(row + 1))
    await cell(1, 1).click()
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await cell(1, 1).dblclick()
    assert.equal(await cell(1, 1).getByRole('textbox').count(), 0)
    assert.equal(await cell(1, 1).innerText(), '2')
    await becomes('2', 'Number', '2')
  })

  it('a long text is typed from its first letter on, and goes on at its end', async () => {
    await cell(1, 4).click()
    await page.keyboard.type('Calls back')
    await page.keyboard.press('Control+Enter')
    await becomes('2', 'Said', 'Calls back')
    await cell(1, 4).click()
    await page.keyboard.press('F2')
    await page.keyboard.type(' soon')
    await page.keyboard.press('Control+Enter')
    await becomes('2', 'Said', 'Calls back soon')
  })

  it('a long text has as much room as it needs, as far as the window has it; Ctrl+Enter saves it', async () => {
    await cell(2, 4).dblclick()
    const area = cell(2, 4).locator('textarea')
    const height = async () => (await area.boundingBox())!.height
    const begins = await height()
    const lines = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\n')
    await area.fill(lines)
    assert.ok((await height()) > begins + 50, `${begins} px, with twelve lines ${await height()} px`)
    assert.equal(await area.evaluate((its) => its.scrollHeight <= its.clientHeight + 1), true, 'all lines are seen')
    await area.fill('line\n'.repeat(200))
    assert.ok((await height()) <= 450, `with 200 lines ${await height()} px`)
    await area.fill(lines)
    await page.keyboard.press('Enter')
    assert.equal(await area.inputValue(), `${lines}\n`)
    await page.keyboard.press('Control+Enter')
    await becomes('3', 'Said', `${lines}\n`)
  })
})
