import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page, Window } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Records and people that are pasted by what they are called. */

describe('a paste into fields that refer', () => {
  let scene: PagesScene
  let companies: string
  let deals: string
  let owner: string
  let window: Window
  let page: Page
  let asked: string[]
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    companies = await scene.make('table', { table_name: 'Companies' })
    await fieldsOf(scene, companies, f)('Called', 'text')
    for (const name of ['Acme', 'Beta, Inc.', 'Twin', 'TWIN', 'Ёлка', 'Secret']) await scene.make(`data${companies}`, { [f['Called']!]: name }) // prettier-ignore
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Name', 'text')
    await field('Company', 'reference', { reference_table_id: Number(companies) })
    await field('Others', 'references', { reference_table_id: Number(companies) })
    await field('Owner', 'user')
    await field('Team', 'users')
    for (let i = 1; i <= 6; i++) await scene.make(`data${deals}`, { [f['Name']!]: `Deal ${i}` })
    const group = await scene.make('group', { group_name: 'Sellers' })
    owner = await scene.make('user', { login: 'anna', fio: 'Anna Porto', e_mail: 'anna@example.com', password, group_id: Number(group) })
    await scene.make('access', { table_id: Number(companies), group_id: Number(group), read: true, read_filter: `ne(${f['Called']},'Secret')` }) // prettier-ignore
    await scene.make('access', { table_id: Number(deals), group_id: Number(group), read: true, update: true, bed: true })
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(15_000)
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    asked = []
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  async function open(login?: string): Promise<void> {
    await scene.signIn(page, `/t/${deals}`, login)
    await page.getByRole('link', { name: 'Deal 1', exact: true }).waitFor()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/(search|user)$/.test(pathname)) asked.push(pathname)
    })
  }
  const cell = (row: number, col: number) => page.locator(`[data-row='${row}'] [data-col='${col}']`)
  const paste = async (rows: readonly (readonly string[])[]) => {
    const text = rows.map((row) => row.join('\t')).join('\n')
    await page.evaluate('((text) => navigator.clipboard.writeText(text))(' + JSON.stringify(text) + ')')
    await page.keyboard.press('Control+v')
  }
  const held = async (id: number) => {
    const { body } = await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)
    return ['Company', 'Others', 'Owner', 'Team'].map((name) => body.data.attributes[f[name]!] as string)
  }

  it('takes titles, names and addresses as well as numbers, by one request for each table', async () => {
    await open()
    await cell(0, 1).click()
    await paste([
      ['acme', 'Beta, Inc.', 'Anna Porto', 'ANNA@example.com, Administrator'],
      ['елка', 'Acme; Beta, Inc.', 'anna', '#1'],
      ['#2', '1, 2', '1', 'Anna Porto'],
    ])
    await until('what was pasted', async () => (await held(3))[0] === '2')
    assert.deepEqual(await held(1), ['1', '-2-', owner, `-${owner}-1-`])
    assert.deepEqual(await held(2), ['5', '-1-2-', owner, '-1-'])
    assert.deepEqual(await held(3), ['2', '-1-2-', '1', `-${owner}-`])
    assert.deepEqual(asked.toSorted(), [`/api/dev/data${companies}/search`, '/api/dev/user'])
    await page.keyboard.press('Control+z')
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.deepEqual(await held(3), ['0', '', '0', ''])
  })

  it('tells by its cell what is not found or means several, and guesses nothing', async () => {
    await open()
    await cell(3, 1).click()
    await paste([['Twin'], ['Nobody'], ['Acme']])
    const note = page.locator('.paste-note')
    await note.getByText('2 values do not fit:').waitFor()
    const told = await note.innerText()
    assert.match(told, /row 4, Company: several are called “Twin”/)
    assert.match(told, /row 5, Company: there is no “Nobody” that you see\./)
    assert.deepEqual(await held(6), ['0', '', '0', ''])
    await note.getByRole('button', { name: 'Write the others' }).click()
    await until('the other one', async () => (await held(6))[0] === '1')
    assert.deepEqual([await held(4), await held(5)].map(([company]) => company), ['0', '0']) // prettier-ignore
  })

  it('finds nothing by a name that the person may not read', async () => {
    await open('anna')
    await cell(3, 1).click()
    await paste([['Secret'], ['Acme']])
    await page.locator('.paste-note').getByText('row 4, Company: there is no “Secret” that you see.').waitFor()
    await page.getByRole('button', { name: 'Write nothing' }).click()
    assert.deepEqual(await held(4), ['0', '', '0', ''])
  })
})
