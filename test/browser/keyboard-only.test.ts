import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* The work of an office by keyboard alone. Only page.keyboard is used here; a pointer that touches the page fails the story. */

/** What has the focus: its accessible name as far as the page gives it, and whether one sees that it has the focus. */
const FOCUSED = `(() => {
  const one = document.activeElement
  if (!one || one === document.body) return { name: '', isSeen: true }
  const by = one.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  const name = one.getAttribute('aria-label') || by || one.labels?.[0]?.innerText || one.innerText || one.title || one.placeholder || ''
  const draws = (element) => {
    if (!element) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  }
  return { name: name.trim(), isSeen: draws(one) || draws(one.closest('.input, .cell, .find, [data-focus-visible], label')) || draws(one.parentElement) || (one.role === 'separator' && getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)') }
})()`

interface Focused {
  readonly name: string
  readonly isSeen: boolean
}

describe('by keyboard alone', () => {
  let scene: PagesScene
  let companies: string
  let deals: string
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    companies = await scene.make('table', { table_name: 'Companies' })
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = async (table: string, field_name: string, field_type: string, more: object = {}) => {
      f[field_name] = `f${await scene.make('field', { table_id: Number(table), field_name, field_type, ...more })}`
    }
    await field(companies, 'Name', 'text')
    await field(companies, 'Phone', 'phone')
    await field(companies, 'Contracts', 'file')
    await field(deals, 'Title', 'text')
    await field(deals, 'Company', 'reference', { reference_table_id: Number(companies) })
    for (const [name, phone] of [
      ['Heron', '111'],
      ['Lagoa', '222'],
    ])
      await scene.make(`data${companies}`, { [f['Name']!]: name, [f['Phone']!]: phone })
    await scene.make(`data${deals}`, { [f['Title']!]: 'Bicycles' })
  })
  after(() => scene?.close())

  const focused = (page: Page) => page.evaluate<Focused>(FOCUSED)
  const unseen: string[] = []
  /** Goes on by Tab until what has this name has the focus; each stop on the way must be seen. */
  const tabTo = async (page: Page, name: string | RegExp) => {
    const stops: string[] = []
    for (let i = 0; i < 90; i++) {
      const at = await focused(page)
      if (typeof name === 'string' ? at.name === name : name.test(at.name)) return
      await page.keyboard.press('Tab')
      const next = await focused(page)
      stops.push(next.name.slice(0, 40))
      if (!next.isSeen) unseen.push(next.name.slice(0, 60))
    }
    assert.fail(`Tab does not come to ${name}: ${stops.join(' | ')}`)
  }
  const inGrid = (page: Page) => page.evaluate<boolean>("Boolean(document.activeElement?.closest('[data-row]'))")
  const valueOf = async (table: string, id: string, name: string) =>
    (await scene.server.call(scene.token, 'GET', `data${table}/${id}`)).body.data.attributes[f[name]!] as string
  const holds = (table: string, id: string, name: string, expected: string) =>
    until(`${name} of ${id} to be ${expected}`, async () => (await valueOf(table, id, name)) === expected)

  const story = async (work: (page: Page) => Promise<void>) => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(10_000)
    // Playwright takes dialogs for files over some time after somebody listens: from the start, so that no Enter is too early.
    page.on('filechooser', () => {})
    const pointers: string[] = []
    await page.exposeFunction('pointerUsed', (what: string) => void pointers.push(what))
    await page.addInitScript("for (const type of ['pointerdown', 'mousedown', 'touchstart']) addEventListener(type, ({ isTrusted }) => isTrusted && pointerUsed(type), true)") // prettier-ignore
    await page.goto(scene.address('/'))
    await page.locator('input[autocomplete=username]').waitFor()
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.autocomplete === 'username'"))
    await page.keyboard.type('admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.locator('.app').waitFor()
    await work(page)
    assert.deepEqual([faults, pointers, [...new Set(unseen)]], [[], [], []])
    await context.close()
  }

  it('a file is brought, and its table opened', () =>
    story(async (page) => {
      await page.goto(scene.address('/import'))
      await page.getByRole('link', { name: 'Companies' }).waitFor()
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      await tabTo(page, 'Choose a file')
      const chooser = page.waitForEvent('filechooser')
      await page.keyboard.press('Enter')
      await (
        await chooser
      ).setFiles({ name: 'new_clients.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Phone\nEgret,333\nIbis,444\n') })
      await page.getByRole('heading', { name: 'The first 2 lines' }).waitFor()
      await tabTo(page, 'Import')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '2 records are in' }).waitFor()
      await tabTo(page, 'Open the table')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Egret' }).waitFor()
    }))

  it('a customer is found, their phone changed in the grid, and the mistake taken back', () =>
    story(async (page) => {
      await page.goto(scene.address('/search'))
      const box = page.getByRole('searchbox', { name: 'Search all tables' })
      await box.waitFor()
      await tabTo(page, 'Search all tables')
      await page.keyboard.type('lago')
      await page.locator('.hit').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Lagoa' }).first().waitFor()
      await page.goto(scene.address(`/t/${companies}`))
      await page.getByRole('link', { name: 'Heron', exact: true }).waitFor()
      for (let i = 0; i < 90 && !(await inGrid(page)); i++) await page.keyboard.press('Tab')
      assert.equal(await inGrid(page), true)
      for (const key of ['Control+Home', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
      await page.keyboard.type('999')
      await page.keyboard.press('Enter')
      await holds(companies, '2', 'Phone', '999')
      await page.keyboard.press('Control+z')
      await holds(companies, '2', 'Phone', '222')
    }))

  it('a PDF is attached, and a deal linked', () =>
    story(async (page) => {
      await page.goto(scene.address(`/t/${companies}/1`))
      await page.getByRole('button', { name: 'Change Phone' }).waitFor()
      await tabTo(page, 'Add to Contracts')
      const chooser = page.waitForEvent('filechooser')
      await page.keyboard.press('Enter')
      await (await chooser).setFiles({ name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 an offer') })
      await holds(companies, '1', 'Contracts', 'offer.pdf')
      await page.goto(scene.address(`/t/${deals}/1`))
      await page.getByRole('button', { name: 'Change Company' }).waitFor()
      await tabTo(page, 'Change Company')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('lago')
      await page.getByRole('option', { name: /Lagoa/ }).waitFor()
      await page.getByRole('option', { name: /Heron/ }).waitFor({ state: 'detached' })
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await holds(deals, '1', 'Company', '2')
    }))

  it('a deal is linked from its company, and the focus stays where it was', () =>
    story(async (page) => {
      await scene.make(`data${deals}`, { [f['Title']!]: 'Lamps' })
      await page.goto(scene.address(`/t/${companies}/1`))
      await page.getByRole('button', { name: 'Link a record of Deals' }).waitFor()
      await tabTo(page, 'Link a record of Deals')
      for (const key of ['Escape', 'Enter']) {
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        await page.keyboard.type('lamps')
        await page.getByRole('option', { name: /Lamps/ }).waitFor()
        await page.keyboard.press(key)
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await until('the button', async () => (await focused(page)).name === 'Link a record of Deals')
      }
      await page.getByRole('link', { name: 'Lamps' }).waitFor()
      await page.keyboard.press('Control+z')
      await page.getByRole('link', { name: 'Lamps' }).waitFor({ state: 'detached' })
    }))

  it('a list is filtered, saved as a view and shared, and the link to it is copied', () =>
    story(async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(scene.address(`/t/${deals}`))
      const more = await scene.make(`data${deals}`, { [f['Title']!]: 'Saddles' })
      await page.reload()
      await page.getByRole('link', { name: 'Saddles', exact: true }).waitFor()
      // A first condition waits, and each choice leaves the focus with it.
      await page.keyboard.press('Control+Shift+F')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, 'Field')
      await page.keyboard.press('Tab')
      await page.keyboard.type('is')
      await page.keyboard.press('Tab')
      await until('the value', async () => (await focused(page)).name === 'Title: Value')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Title: value' }).waitFor()
      await page.keyboard.type('Saddles')
      await page.keyboard.press('Enter')
      await until('the value again', async () => (await focused(page)).name === 'Title: Saddles')
      await tabTo(page, 'Condition')
      await page.keyboard.press('Enter')
      await until('the field of the second one', async () => (await focused(page)).name === 'Field')
      await tabTo(page, 'Take the condition away')
      await page.keyboard.press('Enter')
      await until('the field of the first one', async () => (await focused(page)).name === 'Field')
      await tabTo(page, 'Show')
      await page.keyboard.press('Enter')
      await page.getByText('1 record', { exact: true }).waitFor()
      await until('the focus on the filter', async () => (await focused(page)).name.startsWith('Filter: Title is Saddles'))
      for (let i = 0; i < 9 && (await focused(page)).name !== 'Save as a view'; i++) await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Name of the view' }).waitFor()
      await page.keyboard.type('Saddles alone')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Saddles alone' }).waitFor()
      const view = async () => (await scene.server.call(scene.token, 'GET', `view?filter=eq(table_id,${deals})`)).body.data[0]?.attributes
      await until('the view', async () => (await view())?.view_name === 'Saddles alone')
      const choose = async (item: string) => {
        for (let i = 0; i < 40 && (await focused(page)).name !== 'Menu of the view Saddles alone'; i++) await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.getByRole('menuitem', { name: item }).waitFor()
        for (let i = 0; i < 12 && (await focused(page)).name !== item; i++) await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
      await choose('Share with everybody')
      await until('the shared view', async () => (await view()).user_id === 0)
      await choose('Stop sharing: for me alone')
      await until('the view for one alone', async () => (await view()).user_id !== 0)
      await choose('Copy the link to the view')
      // That it is copied is told; what was told of the view before may come later, and take its place.
      const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
      await until('the link', async () => (await copied()).includes('view='))
      const link = await copied()
      await page.goto(link)
      await page.getByText('1 record', { exact: true }).waitFor()
      assert.equal(await page.locator('.tabs [aria-current=page]').innerText(), 'Saddles alone')
      await scene.server.call(scene.token, 'DELETE', `data${deals}/${more}`)
    }))

  it('menus and dialogs give the focus back where it was', () =>
    story(async (page) => {
      await page.goto(scene.address(`/t/${companies}`))
      await page.getByRole('link', { name: 'Heron', exact: true }).waitFor()
      for (const name of ['Add a view', 'Filter', 'More']) {
        await tabTo(page, name)
        await page.keyboard.press('Enter')
        await page.locator('[role=menu], [role=dialog]').first().waitFor()
        await page.keyboard.press('Escape')
        await until(`the focus on ${name}`, async () => (await focused(page)).name === name)
        assert.equal(await page.locator('[role=menu], [role=dialog]').count(), 0)
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await until('the focus', async () => (await focused(page)).name === 'More')
      // Where nothing had it, it is in the page that was opened.
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('Deals')
      await page
        .getByRole('option', { name: /^Deals/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      await until('the focus on the page', () => page.evaluate<boolean>("document.activeElement?.id === 'work'"))
    }))

  it('a group gets its rights, and the panel gives the focus back to its cell', () =>
    story(async (page) => {
      const group = await scene.make('group', { group_name: 'Sales' })
      await page.goto(scene.address('/admin/rights'))
      await page.getByRole('button', { name: /^Sales in Deals/ }).waitFor()
      await tabTo(page, / in (Companies|Deals)/)
      const at = async (name: RegExp) => name.test((await focused(page)).name)
      for (let i = 0; i < 9 && !(await at(/^Sales in/)); i++) await page.keyboard.press('ArrowRight')
      for (let i = 0; i < 9 && !(await at(/^Sales in Deals/)); i++) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('radio', { name: 'Reads', exact: true }).waitFor()
      await tabTo(page, /^(Everything|Works|Reads|Nothing)/)
      for (let i = 0; i < 4 && !(await page.getByRole('radio', { name: 'Reads', exact: true }).isChecked()); i++)
        await page.keyboard.press('ArrowLeft')
      const rule = async () =>
        (await scene.server.call(scene.token, 'GET', `access?filter=and(eq(group_id,${group}),eq(table_id,${deals}))`)).body.data[0]
      await until('the right', async () => (await rule())?.attributes.read === true && !(await rule()).attributes.create)
      await page.keyboard.press('Escape')
      await page.getByRole('radio', { name: 'Reads', exact: true }).waitFor({ state: 'detached' })
      assert.match((await focused(page)).name, /^Sales in Deals/)
    }))

  it('a screen reader gets what docs/accessibility.md says', () =>
    story(async (page) => {
      await page.goto(scene.address(`/t/${companies}`))
      await page.getByRole('link', { name: 'Heron', exact: true }).waitFor()
      const read = (selector: string) => page.evaluate<string>(`[...document.querySelector(${JSON.stringify(selector)}).attributes].filter(({ name }) => /^(role|aria-(row|col)(count|index)|aria-multiselectable)$/.test(name)).map(({ name, value }) => name + '=' + value).sort().join(' ')`) // prettier-ignore
      const told = [
        await read('[role=grid]'),
        await read("[data-row='1']"),
        await read("[data-row='1'] [aria-colindex='3']"),
        await page.locator("[data-row='-1']").first().ariaSnapshot(),
        await page.locator("[data-row='1']").first().ariaSnapshot(),
      ].join('\n')
      const doc = readFileSync(new URL('../../docs/accessibility.md', import.meta.url), 'utf8')
      assert.equal(/```text\n([\s\S]*?)\n```/.exec(doc)?.[1], told)
    }))
})
