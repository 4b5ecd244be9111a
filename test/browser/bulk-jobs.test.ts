import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, password, type PagesScene } from './support/pages-scene.ts'

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
    // Ten thousand records take their time where the machine has other things to do.
    page.setDefaultTimeout(60_000)
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
    await undo.press('Enter')
    await page.getByText('10,010 records are as before.').waitFor()
    assert.equal(await count(`eq(${kind},'Food')`), 10_010)
    await until('a place of the focus', () => page.evaluate<boolean>("document.activeElement?.closest('.job') !== null"))
    // To undo it by a button is an act too.
    await page.keyboard.press('Control+z')
    await page.getByText('Goods: Undone').waitFor()
    assert.equal(await count(`eq(${kind},'Drinks')`), 10_010)
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Goods: Done again').waitFor()
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
    // The keyboard takes back what the job has done, and does it again.
    await page.keyboard.press('Control+z')
    await page.getByText('What the job has done is being undone…').waitFor()
    await until('all again', async () => (await count('gte(id,1)')) === 10_020)
    await page.getByText('Goods: Undone').waitFor()
    await undo.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Goods: Done again').waitFor()
    assert.equal(await count('gte(id,1)'), 0)
    await page.keyboard.press('Control+z')
    await until('all again', async () => (await count('gte(id,1)')) === 10_020)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('tells why a job has refused some of them', async () => {
    const access = { group_id: 3, table_id: Number(goods), read: true, update: true, bed: true, write_filter: 'eq(id,1)' }
    await scene.make('access', access)
    await scene.make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(20_000)
    await scene.signIn(page, '/jobs', 'boris')
    const input = { action: 'update', filter: 'lte(id,5)', attributes: { [kind]: 'Drinks' } }
    const sent = {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json', 'X-Requested-With': 'kartoteka' },
      body: JSON.stringify({ data: { type: 'job', attributes: { kind: 'bulk', table_id: Number(goods), input } } }),
    }
    assert.equal(await page.evaluate<number>(`fetch('/api/dev/job', ${JSON.stringify(sent)}).then(({ status }) => status)`), 202)
    await page.reload()
    const job = page.locator('.job').filter({ hasText: '4 were refused' })
    const reasons = job.locator('.job-why li')
    await reasons.first().waitFor()
    assert.equal(await reasons.count(), 1)
    assert.match(await reasons.innerText(), /^You may not .*\. 4 records$/)
    await mustBeAccessible(page, 'a job with reasons')
    assert.deepEqual(faults, [])
    await context.close()
  })
})
