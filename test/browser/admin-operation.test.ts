import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { HOSTILE, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What connects other programs, and how the service runs, without the command line. */

describe('integration and operation', () => {
  let scene: PagesScene
  let companies: string
  before(async () => {
    scene = await pagesScene()
    companies = await scene.make('table', { table_name: 'Companies' })
    await scene.make('field', { table_id: Number(companies), field_name: 'Name', field_type: 'text' })
    await scene.make('table', { table_name: HOSTILE })
  })
  after(() => scene?.close())

  const call = async (method: string, path: string, body?: unknown) => scene.server.call(scene.token, method, path, body)

  it('a token is made with the password, shown once, works as it was limited, and is ended after a question', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    const form = page.getByRole('form', { name: 'New token' })
    await form.getByLabel('What it is for').fill('Report')
    await form.getByRole('radio', { name: 'some tables' }).check({ force: true })
    await form.getByLabel('Companies').check()
    await form.getByLabel('Ends after, days').fill('4000')
    await form.getByLabel('Your password, to make sure that it is you').fill(password)
    await form.getByRole('button', { name: 'Make the token' }).click()
    await form.getByRole('alert').getByText('Fewer days, please.').waitFor()
    await form.getByLabel('Ends after, days').fill('7')
    await form.getByLabel('Your password, to make sure that it is you').fill(password)
    await form.getByRole('button', { name: 'Make the token' }).click()
    const text = await page.getByRole('textbox', { name: 'Token for Report' }).inputValue()
    assert.match(text, /^\w{48}$/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const row = page.getByRole('row', { name: /^Report/ })
    await row.getByText('Companies').waitFor()
    assert.equal(await page.getByText(text).count(), 0)
    assert.equal((await scene.server.call(text, 'GET', `data${companies}`)).status, 200)
    assert.equal((await scene.server.call(text, 'PATCH', `data${companies}/1`, {})).status, 403)
    await row.getByRole('button', { name: 'End Report' }).click()
    await page.getByRole('button', { name: 'End it' }).click()
    await page.getByText('Report has ended.').waitFor()
    await row.waitFor({ state: 'detached' })
    assert.equal((await scene.server.call(text, 'GET', `data${companies}`)).status, 401)
    assert.deepEqual(
      faults.filter((fault) => !/status of 422/.test(fault)),
      [],
    )
    await context.close()
  })

  it('on the profile, other sessions are seen and ended; this one is not offered', async () => {
    const other = await scene.open()
    await scene.signIn(other.page, '/profile')
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/profile')
    await page.getByText('this browser').waitFor()
    const own = page.getByRole('listitem').filter({ hasText: 'this browser' })
    assert.equal(await own.getByRole('button').count(), 0)
    // The newest first: this one, then the other.
    await page.getByRole('button', { name: 'End Chrome, Linux' }).first().click()
    await page.getByText('Chrome, Linux is signed out.').waitFor()
    await other.page.getByRole('link', { name: 'Jobs' }).click()
    await other.page.locator('input[autocomplete=current-password]').waitFor()
    assert.deepEqual(faults, [])
    await other.context.close()
    await context.close()
  })

  it('are not there for anybody else', async () => {
    const group = await scene.make('group', { group_name: 'Readers' })
    await scene.make('user', { login: 'reader', fio: 'Reader', password, group_id: Number(group) })
    const { page, context } = await scene.open()
    await scene.signIn(page, '/profile', 'reader')
    for (const [path] of pages) {
      await page.goto(scene.address(path))
      await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    }
    await context.close()
  })

  const pages: readonly (readonly [path: string, ready: string])[] = [['/admin/tokens', '.ledger']]

  it('have nothing serious for axe, in both themes, languages and sizes, and take no name for something else', async () => {
    const made = { login: 'admin', password, name: HOSTILE, scope: 'read', lifetime: 3600 }
    assert.equal((await call('POST', 'token', { data: { type: 'token', attributes: made } })).status, 201)
    for (const [locale, width, colorScheme] of [
      ['en-GB', 1440, 'light'],
      ['ru-RU', 390, 'dark'],
    ] as const) {
      const { page, context } = await scene.open({ locale, width })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, '/profile')
      for (const [path, ready] of [['/profile', '.ledger'] as const, ...pages]) {
        await page.goto(scene.address(path))
        await page.locator(ready).first().waitFor()
        await mustBeAccessible(page, `${path} ${locale}`)
        await mustBeText(page, `${path} ${locale}`)
      }
      await context.close()
    }
  })
})

async function mustBeText(page: Page, where: string): Promise<void> {
  assert.equal(await page.locator('main img').count(), 0, where)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, where)
}
