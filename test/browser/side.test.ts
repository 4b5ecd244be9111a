import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The list of tables at the left: one's own order, folded categories, its width, the name of the office. */

describe('the list of tables', () => {
  let scene: PagesScene

  before(async () => {
    scene = await pagesScene({ KARTOTEKA_OFFICE_NAME: 'Søn & <b>Co</b>' })
    const category_id = Number(await scene.make('category', { category_name: 'Customers' }))
    for (const table_name of ['Companies', 'People', 'Deals']) await scene.make('table', { table_name, category_id })
    await scene.make('table', { table_name: 'Notes' })
  })
  after(() => scene?.close())

  it('does not offer an import to who may import nowhere', async () => {
    await scene.make('user', { fio: 'Reader', login: 'reader', password, group_id: 2 })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/', 'reader')
    await page.getByRole('link', { name: 'Trash' }).waitFor()
    // What is offered is known when what one may do is.
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByRole('link', { name: 'Import a file' }).count(), 0)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('file')
    await until(
      'other commands',
      async () => (await page.getByRole('option').count()) !== 0 || (await page.getByText(/Nothing/).count()) > 0,
    )
    assert.equal(await page.getByRole('option', { name: /Import/ }).count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has one’s own order, by dragging and by keys, and folded categories, also after a reload', async () => {
    const { page, faults } = await scene.open()
    await scene.signIn(page)
    const names = () => page.locator('.side-list .side-item .cut').allInnerTexts()
    const shows = async (...wanted: string[]) => {
      await until(`the list is ${wanted.join()}`, async () => String(await names()) === String(wanted))
      assert.deepEqual(await names(), wanted)
    }
    const table = (name: string) => page.locator('.side-list .side-item', { hasText: name })
    await shows('Companies', 'People', 'Deals', 'Notes')
    await table('Deals').dragTo(table('Companies'))
    await shows('Deals', 'Companies', 'People', 'Notes')
    // Not to another category: that is for administrators to say.
    await table('Notes').dragTo(table('Companies'))
    await table('Companies').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await shows('Deals', 'People', 'Companies', 'Notes')
    assert.equal(await page.locator('.side-list [role=status]').innerText(), 'Companies is at place 3 of 3')
    await page.getByRole('button', { name: 'Other tables' }).click()
    await shows('Deals', 'People', 'Companies')
    // Writes go one after the other: the last one has the order too.
    const kept = async () => (await scene.server.call(scene.token, 'GET', "setting?filter=eq(key,'side')")).body.data[0]?.attributes.value
    await until('all of it is kept', async () => (await kept())?.closed.length === 1)
    await page.reload()
    await shows('Deals', 'People', 'Companies')
    await page.getByRole('button', { name: 'Other tables' }).click()
    await shows('Deals', 'People', 'Companies', 'Notes')
    assert.deepEqual(faults, [])
  })

  it('is made wider by its edge, and stays so; it has the name of the office as text', async () => {
    const { page, faults } = await scene.open()
    await scene.signIn(page)
    const edge = page.getByRole('separator', { name: 'Width of the list of tables' })
    const width = async () => (await page.locator('.side').boundingBox())!.width
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await width(), 232)
    const box = (await edge.boundingBox())!
    await page.mouse.move(box.x + 3, 400)
    await page.mouse.down()
    await page.mouse.move(300, 400)
    await page.mouse.up()
    assert.equal(await width(), 300)
    await page.reload()
    await page.locator('.side-item').first().waitFor()
    assert.equal(await width(), 300)
    await edge.dblclick()
    assert.equal(await width(), 216)
    assert.equal(await page.locator('.side-head .cut').innerText(), 'Søn & <b>Co</b>')
    assert.match(await page.title(), / · Søn & <b>Co<\/b>$/)
    await mustBeAccessible(page, 'the list of tables')
    assert.deepEqual(faults, [])
  })
})
