import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What is typed in the forms of the administration is not lost without a question. */

describe('forms of the administration', () => {
  let scene: PagesScene
  let table: string
  let field: string
  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: 'Deals' })
    field = await scene.make('field', { table_id: Number(table), field_name: 'Title', field_type: 'text' })
    await scene.make('access', { group_id: 3, table_id: Number(table), read: true })
  })
  after(() => scene?.close())

  /** Answers the questions of a page; what was asked. */
  function answering(page: Page): { readonly asked: string[]; stay: boolean } {
    const questions = { asked: [] as string[], stay: true }
    page.on('dialog', (dialog) => {
      questions.asked.push(dialog.message())
      void (questions.stay ? dialog.dismiss() : dialog.accept())
    })
    return questions
  }
  const ONCE = 'This is shown only once, and you have not copied it. Leave the page?'
  const UNSAVED = 'What you have typed is not saved. Leave the page?'
  const forms: readonly { readonly what: string; readonly path: () => string; type(page: Page): Promise<unknown> }[] = [
    {
      what: 'a new field',
      path: () => `/admin/tables/${table}?field=new`,
      type: (page) => page.getByRole('complementary').getByRole('textbox', { name: 'Name', exact: true }).fill('Typed'),
    },
    {
      what: 'a new table',
      path: () => '/admin/tables',
      async type(page) {
        await page.getByRole('button', { name: 'New table' }).click()
        await page.locator('input:focus').fill('Typed')
      },
    },
    {
      what: 'a new user',
      path: () => '/admin/users?user=new',
      type: (page) => page.getByRole('textbox', { name: 'Full name' }).fill('Typed'),
    },
    {
      what: 'a new webhook',
      path: () => '/admin/webhooks?webhook=new',
      type: (page) => page.getByRole('complementary').getByRole('textbox').first().fill('https://example.com'),
    },
    {
      what: 'a new token',
      path: () => '/admin/tokens',
      async type(page) {
        await page.getByRole('button', { name: 'New token' }).click()
        await page.getByRole('textbox', { name: 'What it is for' }).fill('Typed')
      },
    },
    {
      what: 'a filter of a rule',
      path: () => `/admin/rights?group=3&table=${table}`,
      async type(page) {
        const which = page.getByRole('group', { name: 'Sees', exact: true })
        await which.getByRole('combobox').first().selectOption({ label: 'only what a filter selects' })
        await which.getByRole('button', { name: 'As an expression' }).click()
        await which.getByLabel('Expression').fill(`eq(f${field},'Typed')`)
      },
    },
    {
      what: 'a setting of a field that the service refuses',
      path: () => `/admin/tables/${table}?field=${field}`,
      async type(page) {
        const box = page.getByRole('complementary').getByRole('textbox', { name: 'Name', exact: true })
        await box.fill('')
        await box.press('Enter')
        await page.getByRole('complementary').getByRole('alert').first().waitFor()
      },
    },
  ]
  for (const { what, path, type } of forms)
    it(`${what}: who leaves is asked, and stays or goes`, async () => {
      const { page, context } = await scene.open()
      page.setDefaultTimeout(10_000)
      const questions = answering(page)
      await scene.signIn(page, path())
      await type(page)
      await page.getByRole('link', { name: 'Groups' }).first().click()
      await page.waitForTimeout(200)
      assert.deepEqual(questions.asked, [UNSAVED])
      assert.ok(page.url().endsWith(path()), page.url())
      questions.stay = false
      await page.getByRole('link', { name: 'Groups' }).first().click()
      await page.waitForURL('**/admin/groups')
      await context.close()
    })

  it('what else the address of the page says may change: nobody is asked, and what was typed stays', async () => {
    const { page, context, faults } = await scene.open()
    page.setDefaultTimeout(10_000)
    const questions = answering(page)
    await scene.signIn(page, '/admin/users?user=new')
    const name = page.getByRole('textbox', { name: 'Full name' })
    await name.fill('Typed')
    await page.getByRole('searchbox', { name: 'Name, login or e-mail' }).fill('adm')
    await page.waitForURL(/[?&]q=adm/)
    await page.getByRole('radio', { name: 'Archived' }).check({ force: true })
    await page.waitForURL(/archived=true/)
    assert.equal(await name.inputValue(), 'Typed')
    assert.deepEqual(questions.asked, [])
    // To close it, or to open another one, is to leave it.
    await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click()
    await until('a question', () => questions.asked.length === 1)
    assert.equal(await name.inputValue(), 'Typed')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('a text that is shown once: who leaves is asked until it is copied or said to be kept', async () => {
    const { page, context } = await scene.open()
    page.setDefaultTimeout(10_000)
    const questions = answering(page)
    await scene.signIn(page, '/admin/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'What it is for' }).fill('Shop')
    await page.locator('input[autocomplete=current-password]').fill(password)
    await page.getByRole('button', { name: 'Make the token' }).click()
    await page.getByRole('textbox', { name: /Shop/ }).waitFor()
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await until('a question', () => questions.asked.length === 1)
    assert.deepEqual(questions.asked, [ONCE])
    assert.ok(page.url().endsWith('/admin/tokens'), page.url())
    // It stays while another list is chosen beside it.
    await page.getByRole('radio', { name: 'Everybody' }).check({ force: true })
    await page.waitForURL('**/admin/tokens?of=all')
    assert.equal(questions.asked.length, 1)
    // By the keys, as by the button.
    await page.getByRole('textbox', { name: /Shop/ }).press('Control+c')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await page.waitForURL('**/admin/groups')
    await page.goto(scene.address('/admin/webhooks?webhook=new'))
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Address of the receiver').fill('https://example.com')
    await panel.getByLabel('new records').check()
    await panel.getByRole('button', { name: 'Make the webhook' }).click()
    await panel.getByRole('textbox', { name: /^Secret of/ }).waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await until('another question', () => questions.asked.length === 2)
    assert.equal(questions.asked[1], ONCE)
    // Closed at once: who says that they have kept it is not asked.
    await panel.getByRole('button', { name: 'I have kept it' }).click()
    await panel.getByRole('button', { name: 'New secret' }).waitFor()
    assert.equal(questions.asked.length, 2)
    await context.close()
  })

  it('what was saved, or is on its way, lets everybody go', async () => {
    const { page, context } = await scene.open()
    page.setDefaultTimeout(10_000)
    const questions = answering(page)
    await scene.signIn(page, `/admin/tables/${table}?field=${field}`)
    await page.getByRole('complementary').getByRole('textbox', { name: 'Hint' }).fill('What it is called')
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await page.getByRole('heading', { name: 'Groups' }).waitFor()
    await page.goto(scene.address(`/admin/tables/${table}?field=new`))
    await page.getByRole('complementary').getByRole('textbox', { name: 'Name', exact: true }).fill('Count')
    await page.getByRole('complementary').getByRole('button', { name: 'Make' }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'Count' }).waitFor()
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await page.waitForURL('**/admin/groups')
    assert.deepEqual(questions.asked, [])
    await context.close()
  })
})
