import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* More records than requests change at once: a job changes them. */

describe('all records of a long list', () => {
  let scene: PagesScene
  let goods: string
  let kind: string
  before(async () => {
    scene = await pagesScene()
    goods = await scene.make('table', { table_name: 'Goods' })
    for (const name of ['Name', 'Kind']) {
      const id = await scene.make('field', { table_id: Number(goods), field_name: name, field_type: 'text' })
      if (name === 'Kind') kind = `f${id}`
    }
    const lines = Array.from({ length: 10_020 }, (_, i) => `Thing ${i + 1},${i < 10_010 ? 'Food' : 'Tools'}`)
    await scene.fill('Goods', ['Name,Kind', ...lines].join('\n'))
  })
  after(() => scene?.close())

  const count = async (filter: string): Promise<number> =>
    (await scene.server.call(scene.token, 'GET', `data${goods}?page[limit]=1&filter=${encodeURIComponent(filter)}`)).body.meta.total

  it('get one value, and go to the trash, by a job that is undone as a whole', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(20_000)
    await scene.signIn(page, `/t/${goods}?filter=${encodeURIComponent(`eq(${kind},'Food')`)}`)
    await page.locator(`[data-row='0'] [data-col='1']`).click()
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('group', { name: /10,010/ })
    await bar.getByRole('button', { name: 'Change a field' }).click()
    const dialog = page.getByRole('dialog', { name: /10,010/ })
    await dialog.getByLabel('Field').selectOption({ label: 'Kind' })
    await dialog.getByRole('button', { name: 'Kind: Value' }).click()
    await page.keyboard.type('Drinks')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/jobs$/)
    const undo = page.getByRole('button', { name: /^Undo .*Goods/ })
    await undo.waitFor()
    // Those that the filter does not match stay as they are.
    assert.deepEqual([await count(`eq(${kind},'Drinks')`), await count(`eq(${kind},'Tools')`)], [10_010, 10])
    await undo.click()
    await page.getByText('10,010 records are as before.').waitFor()
    assert.equal(await count(`eq(${kind},'Food')`), 10_010)

    await page.goto(scene.address(`/t/${goods}`))
    await page.locator(`[data-row='0'] [data-col='1']`).click()
    await page.keyboard.press('Control+a')
    await page
      .getByRole('group', { name: /10,020/ })
      .getByRole('button', { name: 'To the trash' })
      .click()
    await page.waitForURL(/\/jobs$/)
    await until('none', async () => (await count('gte(id,1)')) === 0)
    // What was undone is not offered again.
    await undo.waitFor()
    await undo.click()
    await page.getByText('10,020 records are as before.').waitFor()
    assert.equal(await count('gte(id,1)'), 10_020)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
