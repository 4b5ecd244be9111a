import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Records whose title is as long as a text may be, where others refer to them. */

describe('a title of 255 characters', () => {
  let scene: PagesScene
  let deals: string
  let stage: string
  const title = `Long title ${'ж'.repeat(300)}`.slice(0, 255)
  before(async () => {
    scene = await pagesScene()
    const companies = await scene.make('table', { table_name: 'Companies' })
    const name = `f${await scene.make('field', { table_id: Number(companies), field_name: 'Name', field_type: 'text' })}`
    const id = await scene.make(`data${companies}`, { [name]: title })
    deals = await scene.make('table', { table_name: 'Deals' })
    const subject = `f${await scene.make('field', { table_id: Number(deals), field_name: 'Subject', field_type: 'text' })}`
    stage = `f${await scene.make('field', { table_id: Number(deals), field_name: 'Stage', field_type: 'list', options: [{ label: 'New' }] })}`
    const company = `f${await scene.make('field', { table_id: Number(deals), field_name: 'Company', field_type: 'reference', reference_table_id: Number(companies) })}`
    const several = `f${await scene.make('field', { table_id: Number(deals), field_name: 'Several', field_type: 'references', reference_table_id: Number(companies) })}`
    const above = `f${await scene.make('field', { table_id: Number(deals), field_name: 'Above', field_type: 'reference', reference_table_id: Number(deals) })}`
    const first = await scene.make(`data${deals}`, { [subject]: title, [stage]: 'New', [company]: id, [several]: `-${id}-` })
    await scene.make(`data${deals}`, { [subject]: 'Two', [stage]: 'New', [above]: first })
  })
  after(() => scene?.close())

  it('is shown, cut, in the grid, in cards and on a board', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${deals}`)
    await page.locator('.grid .cell .ref').nth(2).waitFor()
    // The last refers to a record of the same list, which does not come a second time.
    assert.deepEqual(await page.locator('.grid .cell .ref').allInnerTexts(), [title, title, title])
    assert.ok((await page.locator('.grid .cell .ref').last().boundingBox())!.width > 100, 'the title is in its cell')
    for (const kind of ['cards', `board&group=${stage}`]) {
      await page.goto(scene.address(`/t/${deals}?kind=${kind}`))
      await page.locator('.card').getByText(title).nth(3).waitFor()
    }
    assert.deepEqual(faults, [])
    await context.close()
  })
})
