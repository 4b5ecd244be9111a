import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What of a table is in sight: searched, chosen, exported. */

const ROWS = 400

describe('the grid shows a part of a table', () => {
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
    await field('Kind', 'list', { options: [{ label: 'Food' }, { label: 'Tools' }] })
    await field('Count', 'integer')
    await field('Phone', 'phone')
    await field('Mail', 'email')
    await field('Notes', 'longtext')
    const lines = Array.from({ length: ROWS }, (_, i) => `Thing ${i + 1},${i % 2 ? 'Tools' : 'Food'},${i + 1},+7 (495) 123-45-${String(i).padStart(3, '0')},tom${i}@example.com`) // prettier-ignore
    await scene.fill('Goods', ['Name,Kind,Count,Phone,Mail', ...lines].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${goods}`)
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const marked = () => page.evaluate<string[]>("[...new Set([...(CSS.highlights.get('sought') ?? [])].map(String))].sort()")
  const marks = (...expected: string[]) => until(`marked: ${expected}`, async () => `${await marked()}` === `${expected}`)
  const downloaded = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()])
    return readFileSync(await download.path(), 'utf8')
  }

  it('what the quick search found is marked, in the grid and in cards, also after scrolling', async () => {
    const quick = page.getByRole('searchbox', { name: 'Quick search' })
    await quick.fill('thing tool')
    await page.getByText('200 records', { exact: true }).waitFor()
    await marks('Thing', 'Tool')
    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, 1500)
    await page.getByRole('link', { name: 'Thing 110', exact: true }).waitFor()
    await marks('Thing', 'Tool')
    await quick.fill('7495 tom')
    await page.getByText(`${ROWS} records`, { exact: true }).waitFor()
    await marks('tom')
    await quick.fill('749512345005')
    await page.getByText('1 record', { exact: true }).waitFor()
    await marks('7 (495) 123-45-005')
    await page.goto(scene.address(`/t/${goods}?kind=cards&q=thing`))
    await page.getByRole('heading', { name: 'Thing 1', exact: true }).waitFor()
    await marks('Thing')
    // Lanes of a board come one by one, with the title and the fields of their cards.
    await page.goto(scene.address(`/t/${goods}?kind=board&q=thing%20tom`))
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Thing 2', exact: true }).waitFor()
    await marks('Thing', 'tom')
    // The titles in a calendar, also of another month.
    const visits = await scene.make('table', { table_name: 'Visits' })
    const v: Record<string, string> = {}
    const ofVisits = fieldsOf(scene, visits, v)
    await ofVisits('Whom', 'text')
    await ofVisits('Day', 'date')
    for (const [whom, on] of [
      ['Heron', '2026-03-10'],
      ['Herring', '2026-04-12'],
    ] as const)
      await scene.make(`data${visits}`, { [v['Whom']!]: whom, [v['Day']!]: on })
    await page.goto(scene.address(`/t/${visits}?kind=calendar&day=2026-03-01&q=hero`))
    await page.getByRole('link', { name: 'Heron', exact: true }).waitFor()
    await marks('Hero')
    await page.goto(scene.address(`/t/${visits}?kind=calendar&day=2026-03-01&q=her`))
    await page.getByRole('link', { name: 'Heron', exact: true }).waitFor()
    await marks('Her')
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('link', { name: 'Herring', exact: true }).waitFor()
    await marks('Her')
    await page.getByRole('searchbox', { name: 'Quick search' }).fill('')
    await marks()
  })

  it('the view in sight is exported: its filter, quick search and columns', async () => {
    await page.goto(scene.address(`/t/${goods}?filter=lte(${f['Count']},20)&q=tools&columns=${f['Name']},${f['Count']}`))
    await page.getByText('10 records', { exact: true }).waitFor()
    const csv = (await downloaded('Export as CSV')).replace('\ufeff', '').trimEnd().split('\n')
    assert.deepEqual([csv[0], csv[1], csv.length], ['id,Name,Count', '2,Thing 2,2', 11])
    const lines = (await downloaded('Export as JSON Lines')).trimEnd().split('\n')
    assert.deepEqual([JSON.parse(lines[0]!), lines.length], [{ id: '2', [f['Name']!]: 'Thing 2', [f['Count']!]: '2' }, 10])
    assert.match(await downloaded('Excel'), /^PK/)
    // All columns, in another order.
    const order = ['Name', 'Mail', 'Phone', 'Notes', 'Count', 'Kind']
    await page.goto(scene.address(`/t/${goods}?filter=lte(${f['Count']},20)&q=tools&columns=${order.map((name) => f[name]).join()}`))
    await page.getByText('10 records', { exact: true }).waitFor()
    const [head] = (await downloaded('Export as CSV')).replace('\ufeff', '').split('\n')
    assert.equal(head, ['id', ...order].join())
  })

  it('the request of the panel has the order of the groups and the columns; cards with columns export these', async () => {
    const columns = `columns=${f['Name']},${f['Count']}`
    await page.goto(scene.address(`/t/${goods}?filter=lte(${f['Count']},20)&group=${f['Kind']}&sort=-${f['Count']}&${columns}`))
    await page.getByText('20 records', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'API', exact: true }).click()
    await page.getByRole('radio', { name: 'curl', exact: true }).check()
    const curl = await page.getByRole('region', { name: 'The request in curl' }).innerText()
    assert.ok(curl.includes(`sort=${f['Kind']},-${f['Count']}`), curl)
    assert.ok(curl.includes(`fields[data${goods}]=${f['Name']},${f['Count']}`), curl)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.goto(scene.address(`/t/${goods}?filter=lte(${f['Count']},3)&kind=cards&${columns}`))
    await page.getByText('3 records').waitFor()
    const csv = (await downloaded('Export as CSV')).trimEnd().split('\n')
    assert.deepEqual([csv[0], csv.length], ['\ufeffid,Name,Count', 4])
  })

  it('a saved view offers its export', async () => {
    await page.goto(scene.address(`/t/${goods}?filter=lte(${f['Count']},3)&kind=cards`))
    await page.getByText('3 records').waitFor()
    await page.getByRole('button', { name: 'Add a view' }).click()
    await page.getByRole('menuitem', { name: 'Cards', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Few')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Menu of the view Few' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export as CSV' }).click()])
    const csv = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
    assert.deepEqual([csv[0], csv.length], ['\ufeffid,Name,Kind,Count,Phone,Mail,Notes', 4])
  })

  it('figures of a whole column come from the service; of rows that have come, from here', async () => {
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('/aggregate') && asked.push(request.url())))
    await page.locator("[data-row='0'] [data-col='2']").click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 values · sum 3 · average 1.50 · 1 to 2', { exact: true }).waitFor()
    assert.deepEqual(asked, [])
    await page.keyboard.press('Control+Space')
    await page.getByText('400 rows · sum 80,200 · average 200.50 · 1 to 400', { exact: true }).waitFor()
    assert.equal(asked.length, 1)
    await page.goto(scene.address(`/t/${goods}?q=tools`))
    await page.getByText('200 records', { exact: true }).waitFor()
    await page.locator("[data-row='0'] [data-col='2']").click()
    await page.keyboard.press('Control+Space')
    await page.getByText(/ · sum 40,200 · average 201.00 · 2 to 400$/).waitFor()
  })

  it('below a column of any type is how many values are filled, empty or different; a view keeps that', async () => {
    const menu = async (column: string, item: string) => {
      await page.getByRole('columnheader', { name: column }).hover()
      await page.getByRole('button', { name: `Menu of the column ${column}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    const sum = (text: string) => page.locator('.grid-sum .sum').getByText(text, { exact: true })
    await menu('Kind', 'Count different')
    await sum('2').waitFor()
    await menu('Mail', 'Count filled')
    await sum(String(ROWS)).waitFor()
    await menu('Notes', 'Count empty')
    await until('both counts', async () => (await sum(String(ROWS)).count()) === 2)
    await page.getByRole('button', { name: 'Add a view' }).click()
    await page.getByRole('menuitem', { name: 'Grid', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Counted')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Counted', exact: true }).waitFor()
    await page.waitForURL(/[?&]view=\d/)
    const id = new URL(page.url()).searchParams.get('view')
    // Somebody else's browser has none of it.
    const other = await scene.open()
    await scene.signIn(other.page, `/t/${goods}?view=${id}&filter=lte(${f['Count']},9)&kind=grid&columns=${new URL(page.url()).searchParams.get('columns')}`) // prettier-ignore
    await until('those of the filter', async () => (await other.page.locator('.grid-sum .sum b').allInnerTexts()).filter((one) => one === '9').length === 2) // prettier-ignore
    await other.page.goto(scene.address(`/t/${goods}?view=${id}`))
    await until('those of the view', async () => (await other.page.locator('.grid-sum .sum b').allInnerTexts()).join() === `2,${ROWS},${ROWS}`) // prettier-ignore
    await menu('Notes', 'Count empty')
    await until('one fewer', async () => (await sum(String(ROWS)).count()) === 1)
    await other.context.close()
  })

  it('frozen columns stay where they are sideways, and are layers of the browser only while the grid moves that way', async () => {
    await page.setViewportSize({ width: 800, height: 700 })
    const name = 'document.querySelector(\'[data-row="3"] [data-col="0"]\')'
    const left = () => page.evaluate<number>(`${name}.getBoundingClientRect().left`)
    const position = () => page.evaluate<string>(`getComputedStyle(${name}).position`)
    const before = await left()
    assert.equal(await position(), 'static')
    const scroll = (to: number) =>
      page.evaluate<string>(
        `new Promise((done) => (document.querySelector('.grid-sheet').scrollLeft = ${to}, requestAnimationFrame(() => done(getComputedStyle(${name}).position + ${name}.getBoundingClientRect().left))))`,
      )
    assert.equal(await scroll(150), `sticky${before}`)
    await until('the grid is at rest', async () => (await position()) === 'relative')
    assert.equal(await left(), before)
    assert.equal(await page.evaluate("document.querySelector('.grid-sheet').scrollLeft"), 150)
    assert.equal(await scroll(0), `sticky${before}`)
    await until('the grid is at rest', async () => (await position()) === 'static')
    assert.equal(await left(), before)
  })

  it('long values are wrapped by choice; a view keeps that, and which columns are frozen', async () => {
    await page.getByRole('columnheader', { name: 'Mail' }).hover()
    const menu = async (column: string, item: string) => {
      await page.getByRole('columnheader', { name: column }).hover()
      await page.getByRole('button', { name: `Menu of the column ${column}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    const height = () => page.evaluate<number>('document.querySelector(\'[data-row="1"]\').getBoundingClientRect().height')
    const before = await height()
    await menu('Name', 'Wrap long values')
    await until('higher rows', async () => (await height()) > before + 20)
    const wrappedHeight = await height()
    await page.locator("[data-row='1'] [data-col='5']").dblclick()
    await page.locator("[data-row='1'] textarea").waitFor()
    const cell = await page.evaluate<number>('document.querySelector(\'[data-row="1"] [data-col="0"]\').getBoundingClientRect().height')
    assert.equal(Math.round(cell) <= Math.round(wrappedHeight), true, `the editor makes the row ${cell} high`)
    await page.keyboard.press('Escape')
    await menu('Kind', 'Freeze up to here')
    await until('the address', async () => new URL(page.url()).searchParams.get('columns')?.includes('~') === true)
    await page.getByRole('button', { name: 'Add a view' }).click()
    await page.getByRole('menuitem', { name: 'Grid', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Wrapped')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Wrapped', exact: true }).waitFor()
    await page.waitForURL(/[?&]view=\d/)
    const id = new URL(page.url()).searchParams.get('view')
    const { columns } = (await scene.server.call(scene.token, 'GET', `view/${id}`)).body.data.attributes
    assert.deepEqual(columns, [{ attribute: '*' }, { attribute: f['Name'], wrap: true }, { attribute: f['Kind'], frozen: true }])
    await page.goto(scene.address(`/t/${goods}?view=${id}`))
    await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
    await until('higher rows', async () => (await height()) > before + 20)
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Go to row' }).fill('400')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Thing 400', exact: true }).waitFor()
    await menu('Name', 'Values in one line')
    await until('rows as before', async () => (await page.evaluate<number>("document.querySelector('[data-row=\"398\"]').getBoundingClientRect().height")) === before) // prettier-ignore
  })

  it('a field that is made later is a column too, whatever was changed about others; a hidden one stays hidden', async () => {
    const later = await scene.make('table', { table_name: 'Later' })
    const own: Record<string, string> = {}
    const field = fieldsOf(scene, later, own)
    for (const name of ['Name', 'Count', 'Secret']) await field(name, name === 'Count' ? 'integer' : 'text')
    await scene.fill('Later', 'Name,Count,Secret\nOne,1,x\nTwo,2,y')
    await page.goto(scene.address(`/t/${later}`))
    const menu = async (column: string, item: string) => {
      await page.getByRole('columnheader', { name: column }).hover()
      await page.getByRole('button', { name: `Menu of the column ${column}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    const heads = async () => (await page.getByRole('columnheader').allInnerTexts()).map((one) => one.trim()).slice(1).join() // prettier-ignore
    await menu('Count', 'Sum')
    await page.locator('.grid-sum').getByText('3', { exact: true }).waitFor()
    await menu('Secret', 'Hide the column')
    await until('one column fewer', async () => (await heads()) === 'Name,Count')
    await page.getByRole('button', { name: 'Add a view' }).click()
    await page.getByRole('menuitem', { name: 'Grid', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Summed')
    await page.keyboard.press('Enter')
    await page.waitForURL(/[?&]view=\d/)
    const id = new URL(page.url()).searchParams.get('view')
    await field('Made later', 'text')
    // As the person has left it in this browser, and as the view has it.
    for (const search of ['', `?view=${id}`]) {
      await page.goto(scene.address(`/t/${later}${search}`))
      await page.locator('.grid-sum').getByText('3', { exact: true }).waitFor()
      await until(`the columns of ${search}`, async () => (await heads()) === 'Name,Count,Made later')
    }
    // Where an earlier version has written all columns, these are all.
    await page.goto(scene.address(`/t/${later}?columns=${own['Name']},${own['Secret']}`))
    await until('the columns of an old address', async () => (await heads()) === 'Name,Secret')
  })

  it('further cards of a lane are whole, and are moved as the first ones', async () => {
    await page.goto(scene.address(`/t/${goods}?kind=board`))
    const food = page.getByRole('region', { name: 'Food', exact: true })
    await food.getByText('Thing 1', { exact: true }).waitFor()
    await food.hover()
    await until('the card', async () => {
      await page.mouse.wheel(0, 400)
      return (await food.getByText('Thing 119', { exact: true }).count()) === 1
    })
    await food.getByText('tom118@example.com').waitFor()
    await food
      .getByRole('listitem')
      .filter({ hasText: 'Thing 119' })
      .dragTo(page.getByRole('region', { name: 'Tools', exact: true }))
    const kind = async () => (await scene.server.call(scene.token, 'GET', `data${goods}/119`)).body.data.attributes[f['Kind']!]
    await until('the option', async () => (await kind()) === 'Tools')
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('the option as before', async () => (await kind()) === 'Food')
  })
})
