import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Large pastes into the grid, and what is said of saving. */

const ROWS = 1000
const COLUMNS = 10

describe('a paste of 10,000 cells', () => {
  let scene: PagesScene
  let table: string
  const names: string[] = []
  let window: Window
  let page: Page

  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: 'Cells' })
    for (let i = 0; i < COLUMNS; i++)
      names.push(`f${await scene.make('field', { table_id: Number(table), field_name: `Column ${i + 1}`, field_type: 'text' })}`)
    const lines = Array.from({ length: ROWS }, (_, row) => names.map((_, col) => old(row, col)).join(','))
    await scene.fill('Cells', [names.map((_, i) => `Column ${i + 1}`).join(','), ...lines].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(20_000)
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await scene.signIn(page, `/t/${table}`)
    await page.getByRole('link', { name: old(0, 0), exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const old = (row: number, col: number) => `Old ${row}:${col}`
  const made = (row: number, col: number) => `New ${row}:${col}`
  const cell = (row: number, col: number) => page.locator(`[data-row='${row}'] [data-col='${col}']`)
  const state = (text: string) => page.locator('.foot [role=status]').filter({ hasText: text })
  const paste = async (text: string) => {
    await page.evaluate('((text) => navigator.clipboard.writeText(text))(' + JSON.stringify(text) + ')')
    await page.keyboard.press('Control+v')
  }
  /** Every value of the table, as the service holds it. */
  const values = async () => {
    const all: string[][] = []
    for (let offset = 0; offset < ROWS; offset += 50) {
      const { body } = await scene.server.call(scene.token, 'GET', `data${table}?page[offset]=${offset}&page[limit]=50&sort=id`)
      for (const { attributes } of body.data as { attributes: Record<string, string> }[]) all.push(names.map((name) => attributes[name]!))
    }
    return all
  }
  const table10k = (value: (row: number, col: number) => string) =>
    Array.from({ length: ROWS }, (_, row) => names.map((_, col) => value(row, col)))

  it('is saved whole, the foot says so, and one undo takes all of it back', async () => {
    await cell(0, 0).click({ position: { x: 120, y: 10 } })
    await paste(table10k(made).map((row) => row.join('\t')).join('\r\n')) // prettier-ignore
    await state('All changes saved').waitFor()
    assert.deepEqual(await values(), table10k(made))
    await page.keyboard.press('Control+z')
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.deepEqual(await values(), table10k(old))
    await page.getByRole('link', { name: old(0, 0), exact: true }).waitFor()
  })

  it('is not done where it is more than may be pasted, and it is said how much that is', async () => {
    const writes: string[] = []
    page.on('request', (request) => void (request.method() !== 'GET' && writes.push(request.url())))
    await cell(0, 0).click({ position: { x: 120, y: 10 } })
    await paste('x\n'.repeat(10_001))
    await page.getByText('At most 10,000 rows at once').waitFor()
    await paste(`${'x\t'.repeat(10)}x\n`.repeat(9_500))
    await page.getByText('At most 100,000 values at once').waitFor()
    assert.deepEqual(writes, [])
    assert.deepEqual(await values(), table10k(old))
  })

  it('goes to the clipboard as a table too, though most rows have to be read for it', async () => {
    await cell(0, 1).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await page.getByText('1,000 rows copied').waitFor()
    const html = await page.evaluate<string>(`(async () => {
      const [item] = await navigator.clipboard.read()
      return (await item.getType('text/html')).text()
    })()`)
    assert.equal(html.match(/<tr/g)?.length, ROWS)
    assert.ok(html.includes(old(ROWS - 1, COLUMNS - 1)))
  })

  it('is cut only once the browser has taken the copy, and it is said where it does not', async () => {
    const writes: string[] = []
    page.on('request', (request) => void (request.method() !== 'GET' && writes.push(request.url())))
    await page.evaluate(`(() => {
      const refuse = () => Promise.reject(new Error('denied'))
      window.allowed = { write: navigator.clipboard.write, writeText: navigator.clipboard.writeText, execCommand: document.execCommand }
      navigator.clipboard.write = navigator.clipboard.writeText = refuse
      document.execCommand = () => false
    })()`)
    await cell(0, 1).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+x')
    await page.getByText('so they stay as they are').waitFor()
    assert.deepEqual(writes, [])
    assert.deepEqual(await values(), table10k(old))
    await page.evaluate(`(() => {
      Object.assign(navigator.clipboard, { write: window.allowed.write, writeText: window.allowed.writeText })
      document.execCommand = window.allowed.execCommand
    })()`)
    await page.keyboard.press('Control+x')
    await state('All changes saved').waitFor()
    assert.deepEqual(await values(), table10k(() => '')) // prettier-ignore
    await page.keyboard.press('Control+z')
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.deepEqual(await values(), table10k(old))
  })

  it('that is refused as a whole is not told as saved', async () => {
    const refusal = { errors: [{ id: 'r', status: '403', code: 'access.denied', title: 'Access denied', detail: 'Not allowed.' }] }
    await page.route(`**/api/dev/data${table}`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, contentType: 'application/vnd.api+json', body: JSON.stringify(refusal) })
        : route.continue(),
    )
    await cell(4, 1).click()
    await paste('x\ty\nz\tu')
    await page.getByText(/^Nothing was saved/).waitFor()
    assert.equal(await state('All changes saved').count(), 0)
    ;(window.faults as string[]).length = 0
  })

  it('of one cell is told as saved until the next change', async () => {
    await cell(2, 1).click()
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await state('All changes saved').waitFor()
    await page.context().setOffline(true)
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await state('1 value waits for the connection').waitFor()
    assert.equal(await state('All changes saved').count(), 0)
    await page.context().setOffline(false)
    await state('All changes saved').waitFor()
    const faults = window.faults as string[]
    assert.ok(faults.every((fault) => /ERR_INTERNET_DISCONNECTED/.test(fault)), faults.join()) // prettier-ignore
    faults.length = 0
  })
})
