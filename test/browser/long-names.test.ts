import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Names as long as they may be, in the lists of administrators and in what is chosen from. */

const NAME = 'A name that nobody has thought to end '.repeat(8).slice(0, 255)
const HEBREW = 'חברת הספנות של נהר הדנובה '.repeat(8).slice(0, 200).trim()

describe('a name of 255 characters', () => {
  let scene: PagesScene
  let table: string
  let kind: string
  let group: string
  let user: string
  before(async () => {
    scene = await pagesScene()
    const { make } = scene
    const category = Number(await make('category', { category_name: NAME }))
    table = await make('table', { table_name: NAME, category_id: category })
    const of = { table_id: Number(table) }
    const name = `f${await make('field', { ...of, field_name: NAME, field_type: 'text' })}`
    kind = `f${await make('field', { ...of, field_name: `${NAME.slice(0, 250)} list`, field_type: 'list', options: [{ label: NAME }, { label: HEBREW }] })}`
    await make('field', { ...of, field_name: 'Above', field_type: 'reference', reference_table_id: Number(table) })
    await make(`data${table}`, { [name]: NAME, [kind]: NAME })
    await make(`data${table}`, { [name]: 'Two', [kind]: HEBREW })
    await scene.server.call(scene.token, 'DELETE', `data${table}/${await make(`data${table}`, { [name]: NAME })}`)
    group = await make('group', { group_name: NAME })
    user = await make('user', { login: 'long', fio: NAME, group_id: Number(group) })
    await make('access', { group_id: Number(group), table_id: Number(table), read: true })
    await make('webhook', { url: `https://receiver.example/${'long'.repeat(80)}`, table_id: Number(table) })
    await make(`data${table}`, { [name]: 'Told of' })
  })
  after(() => scene?.close())

  /** Of the tallest. */
  const height = async (page: Page, what: string) => {
    await page.locator(what).first().waitFor()
    return page.evaluate<number>(`Math.max(...[...document.querySelectorAll(${JSON.stringify(what)})].map((one) => one.offsetHeight))`)
  }
  const width = async (page: Page, what: string) => {
    const one = page.locator(what).first()
    await one.waitFor()
    return (await one.boundingBox())!.width
  }

  it('takes two lines of a list at most', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/trash')
    for (const [address, line] of [
      ['/trash', '.trash-list tbody tr'],
      [`/admin/tables/${table}`, '.design-list [role=row]'],
      ['/admin/webhooks', '.ledger tbody tr'],
      ['/admin/rights', '.matrix tr'],
    ] as const) {
      await page.goto(scene.address(address))
      const tall = await height(page, line)
      assert.ok(tall < 100, `${address}: ${tall}`)
    }
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('leaves room for what stands beside it', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}?kind=chart&group=${kind}`)
    assert.ok((await width(page, '.chart .view-bar .one-of:nth-of-type(2)')) > 80, 'the figure of the chart')
    // What is read from right to left begins at its own end, and is cut at the other.
    await page.locator('.chart td .cut', { hasText: 'חברת' }).waitFor()
    assert.equal(await page.evaluate<string>("getComputedStyle(document.querySelector('.chart td .cut')).unicodeBidi"), 'plaintext')
    await page.goto(scene.address('/admin/users'))
    const [find, groups] = [page.locator('.people-search .input').first(), page.locator('.people-search .one-of').first()]
    await groups.waitFor()
    assert.equal(Math.round((await find.boundingBox())!.y), Math.round((await groups.boundingBox())!.y), 'groups stand beside the search')
    await page.goto(scene.address('/admin/audit'))
    assert.ok((await width(page, '.audit-tools .one-of')) < 300, 'people of the audit log')
    await page.goto(scene.address(`/admin/rights?group=${group}&table=${table}`))
    await page.locator('.matrix thead b').first().waitFor()
    assert.deepEqual(
      await page.evaluate<string[]>(
        "[...document.querySelectorAll('.matrix thead b')].filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight).map((one) => one.textContent)",
      ),
      [NAME],
      'names of groups that are cut',
    )
    await page.goto(scene.address(`/t/${table}?filter=${encodeURIComponent(`eq(${kind},'${NAME}')`)}`))
    await page.locator('.tools .chip').waitFor()
    assert.ok((await width(page, '.tools .find')) > 140, 'the search beside a filter')
    await page.goto(scene.address('/admin/tables'))
    assert.equal(await width(page, '.admin-tables .grip'), 24, 'the handle of a table')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('hides nothing of what the bar over somebody else’s view says', async () => {
    const { page, context, faults } = await scene.open({ width: 390, height: 844 })
    await scene.signIn(page, `/admin/users?user=${user}`)
    await page.getByRole('button', { name: /^See what/ }).click()
    const words = page.locator('.viewing [role=status]')
    await words.waitFor()
    assert.match(await words.innerText(), /… sees\. Nothing can be changed\.$/u)
    const [outer, inner] = [(await page.locator('.viewing').boundingBox())!, (await words.boundingBox())!]
    assert.ok(inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height, 'the words are within the bar')
    assert.ok(outer.height < 130, `${outer.height}`)
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.locator('.viewing').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('of files stays within the form of a new record, on a phone too', async () => {
    const files = await scene.make('table', { table_name: 'Files' })
    await scene.make('field', { table_id: Number(files), field_name: NAME, field_type: 'file' })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${files}/new`)
    for (const size of [390, 1280]) {
      await page.setViewportSize({ width: size, height: 800 })
      const add = page.locator('.files .button.line').first()
      await add.waitFor()
      const [form, button, text] = await Promise.all([
        page.locator('.files').boundingBox(),
        add.boundingBox(),
        add.locator('span').boundingBox(),
      ])
      const end = (box: typeof form) => box!.x + box!.width
      assert.ok(end(button) <= end(form) && end(text) <= end(button), `${size}: ${[form, button, text].map(end).join()}`)
    }
    assert.deepEqual(faults, [])
    await context.close()
  })
})
