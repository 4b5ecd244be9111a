import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Names and values that nobody means well with, and tables that are larger than people make them. */

/** Text that turns round what stands behind it, where it is not isolated. */
const TURNED = '\u202egnp.exe \u05d0\u05d1\u05d2 \u2067tail'
const MARKS = `e${'\u0301'.repeat(25)} \u200b\u200d\ufeff \u{1f469}\u200d\u{1f4bb} \u{e0041}`
const FIELDS = 200
const OPTIONS = 1_000

describe('the pages', () => {
  let scene: PagesScene
  let odd: string
  let wide: string
  let listed: string
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    const category = await scene.make('category', { category_name: HOSTILE })
    odd = await scene.make('table', { table_name: HOSTILE, category_id: Number(category) })
    const field = async (key: string, field_type: string, field_name: string, more: object = {}) => {
      f[key] = `f${await scene.make('field', { table_id: Number(odd), field_name, field_type, ...more })}`
    }
    await field('name', 'text', HOSTILE)
    await field('turned', 'text', TURNED)
    await field('notes', 'longtext', `${MARKS} notes`)
    await field('kind', 'list', `{kind, select, other {}} kind`, { options: [{ label: HOSTILE }, { label: TURNED }] })
    await field('day', 'date', `<b>day</b>`)
    await field('other', 'reference', `' other`, { reference_table_id: Number(odd) })
    const record = (attributes: object) => scene.make(`data${odd}`, attributes)
    await record({ [f['name']!]: HOSTILE, [f['turned']!]: TURNED, [f['notes']!]: HOSTILE.repeat(20), [f['kind']!]: HOSTILE, [f['day']!]: '2026-11-03' }) // prettier-ignore
    await record({ [f['name']!]: TURNED, [f['turned']!]: MARKS, [f['notes']!]: `${TURNED}\n${MARKS}`, [f['kind']!]: TURNED, [f['other']!]: '1' }) // prettier-ignore
    const group = await scene.make('group', { group_name: HOSTILE })
    await scene.make('user', { login: 'odd', fio: HOSTILE, group_id: Number(group) })
    await scene.make('user', { login: 'odd2', fio: TURNED, group_id: Number(group) })
    await scene.make('view', { table_id: Number(odd), view_name: HOSTILE, kind: 'grid' })
    const gone = await record({ [f['name']!]: HOSTILE })
    await scene.server.call(scene.token, 'DELETE', `data${odd}/${gone}`)
    wide = await scene.make('table', { table_name: 'Wide' })
    const values: Record<string, string> = {}
    for (let i = 1; i <= FIELDS; i++)
      values[`f${await scene.make('field', { table_id: Number(wide), field_name: `Field ${i}`, field_type: 'text' })}`] = `value ${i}`
    await scene.make(`data${wide}`, values)
    listed = await scene.make('table', { table_name: 'Listed' })
    const options = Array.from({ length: OPTIONS }, (_, i) => ({ label: `Option ${i + 1}` }))
    await scene.make('field', { table_id: Number(listed), field_name: 'Name', field_type: 'text' })
    f['long'] = `f${await scene.make('field', { table_id: Number(listed), field_name: 'Long', field_type: 'list', options })}`
    await scene.make(`data${listed}`, {})
  })
  after(() => scene?.close())

  /** Nothing has run, nothing stands over the edge, and no text was taken for a message with holes in it. */
  const isCalm = async (page: Page): Promise<string> => {
    const [ran, pictures, over] = await page.evaluate<[boolean, number, string]>(
      "[document.title === 'run', document.querySelectorAll('img[src=x]').length, document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((one) => one.outerHTML.slice(0, 120)).join(' | ') || 'wide' : '']",
    )
    return [ran && 'it ran', pictures > 0 && 'it was taken for markup', over].filter(Boolean).join('; ')
  }
  const mustBeCalm = async (page: Page, what: string) => assert.equal(await isCalm(page), '', what)

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    it(`show hostile names and values as text, and stay in their bounds, ${width} px wide`, async () => {
      const { page, context, faults } = await scene.open({ width, height })
      page.setDefaultTimeout(15_000)
      page.on('dialog', (dialog) => void dialog.dismiss().then(() => assert.fail(`a dialog: ${dialog.message()}`)))
      await scene.signIn(page, `/t/${odd}`)
      const shown = HOSTILE.slice(0, 30)
      const pages: readonly (readonly [path: string, text: string])[] = [
        [`/t/${odd}`, shown],
        [`/t/${odd}/1`, shown],
        [`/t/${odd}/2`, 'gnp.exe'],
        [`/t/${odd}/new`, shown],
        [`/t/${odd}?kind=cards`, shown],
        [`/t/${odd}?kind=board`, shown],
        [`/t/${odd}?kind=calendar`, shown],
        [`/t/${odd}?kind=chart`, shown],
        [`/t/${odd}?filter=${encodeURIComponent(`contains(${f['name']!},'${HOSTILE.slice(0, 40).replaceAll("'", "''")}')`)}`, shown],
        ['/search?q=onerror', shown],
        ['/trash', shown],
        ['/jobs', ''],
        ['/changes?who=all', ''],
        ['/import', ''],
        ['/admin/tables', shown],
        [`/admin/tables/${odd}`, shown],
        ['/admin/users', shown],
        ['/admin/groups', shown],
        ['/admin/rights', shown],
        ['/admin/audit', shown],
        ['/admin/indexes', ''],
      ]
      const wrong: string[] = []
      for (const [path, text] of pages) {
        await page.goto(scene.address(path))
        await page.locator('.app').waitFor()
        if (text !== '') await page.locator('.main, main').getByText(text).first().waitFor({ state: 'attached' })
        const found = await isCalm(page)
        if (found !== '') wrong.push(`${path}: ${found}`)
      }
      assert.deepEqual([wrong, faults], [[], []])
      await context.close()
    })

  it('keep the direction of what stands beside text that turns it', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/users')
    await page.getByText('gnp.exe').first().waitFor()
    // A sentence with the name in it reads on behind it.
    const isIsolated = await page.evaluate<boolean>(
      String.raw`[...document.querySelectorAll('[aria-label], [title]')].every((one) => [one.ariaLabel, one.title].every((text) => !/\u202e/.test(text ?? '') || text.trim().startsWith('\u202e') || /\u2068[^\u2069]*\u202e[^\u2069]*\u2069/.test(text)))`,
    )
    assert.equal(isIsolated, true)
    await page.goto(scene.address(`/t/${odd}`))
    // The cell beside stands where its column is, and its text begins at its left edge.
    await page.locator("[data-row='1'] [data-col='2']").waitFor()
    const place = await page.evaluate<boolean>(
      '(([head, cell]) => Math.abs(head.getBoundingClientRect().left - cell.getBoundingClientRect().left) < 2)([document.querySelector(\'[data-row="-1"] [data-col="2"]\'), document.querySelector(\'[data-row="1"] [data-col="2"]\')])',
    )
    assert.equal(place, true)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are used with 200 fields: by keys to the last one, which is edited', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(15_000)
    await scene.signIn(page, `/t/${wide}`)
    await page.locator("[data-row='0'] [data-col='0']").click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('End')
    const last = page.locator(`[data-row='0'] [data-col='${FIELDS - 1}']`)
    await last.getByText(`value ${FIELDS}`).waitFor()
    // Only columns in sight are drawn.
    assert.ok((await page.locator("[data-row='0'] [data-col]").count()) < 40)
    await page.keyboard.type('changed')
    await page.keyboard.press('Enter')
    await last.getByText('changed').waitFor()
    await mustBeCalm(page, 'the grid')
    await page.goto(scene.address(`/t/${wide}/1`))
    await page.locator('dl').getByText('changed', { exact: true }).waitFor()
    await mustBeCalm(page, 'the card')
    await page.goto(scene.address(`/admin/tables/${wide}`))
    await page.getByText(`Field ${FIELDS}`, { exact: true }).first().waitFor()
    await mustBeCalm(page, 'the designer')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('choose among 1,000 options by typing', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(15_000)
    await scene.signIn(page, `/t/${listed}`)
    await page.locator("[data-row='0'] [data-col='1']").click()
    await page.keyboard.press('F2')
    await page.locator('input[aria-autocomplete=list]').waitFor()
    await page.keyboard.type('Option 987')
    await page.getByRole('option', { name: 'Option 987' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator("[data-row='0'] [data-col='1']").getByText('Option 987').waitFor()
    const chosen = async () => (await scene.server.call(scene.token, 'GET', `data${listed}/1`)).body.data.attributes[f['long']!] as string
    await until('the option', async () => (await chosen()) === 'Option 987')
    await page.goto(scene.address(`/t/${listed}?kind=board`))
    await page.getByText('Option 987').first().waitFor()
    await mustBeCalm(page, 'the board')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are used with a filter of 500 functions: opened by its address, and drawn in the builder', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(15_000)
    const terms = Array.from({ length: 499 }, (_, i) => `eq(id,${i + 1})`)
    await scene.signIn(page, `/t/${listed}`)
    const began = performance.now()
    await page.goto(scene.address(`/t/${listed}?filter=or(${terms.join()})`))
    await page.locator("[data-row='0'] [data-col='1']").waitFor()
    await mustBeCalm(page, 'the list')
    await page.keyboard.press('Control+Shift+F')
    await page.locator('.filter-builder .rule').nth(498).waitFor({ state: 'attached' })
    assert.ok(performance.now() - began < 10_000, `it took ${performance.now() - began} ms`)
    await mustBeCalm(page, 'the builder')
    await page.keyboard.press('Escape')
    await page.locator('.filter-builder').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })
})
