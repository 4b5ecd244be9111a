import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { HOSTILE, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* An administrator sees what a user or a group sees. */

describe('the view of others', () => {
  let scene: PagesScene
  let sales: string
  let anna: string
  let deals: string
  before(async () => {
    scene = await pagesScene()
    sales = await scene.make('group', { group_name: 'Sales' })
    anna = await scene.make('user', { login: 'anna', fio: 'Anna Berg', password, group_id: Number(sales) })
    deals = await scene.make('table', { table_name: 'Deals' })
    await scene.make('table', { table_name: 'Salaries' })
    const field = (field_name: string, field_type: string) => scene.make('field', { table_id: Number(deals), field_name, field_type })
    const [title, secret, owner] = [await field('Title', 'text'), await field('Margin', 'text'), await field('Owner', 'user')]
    await scene.make('access', {
      group_id: Number(sales),
      table_id: Number(deals),
      read: true,
      create: true,
      update: true,
      delete: true,
      read_filter: `eq(f${owner},current_user)`,
      fields: { [`f${secret}`]: 'hidden' },
    })
    await scene.make(`data${deals}`, { [`f${title}`]: 'Boat', [`f${secret}`]: 'tulip', [`f${owner}`]: anna })
    await scene.make(`data${deals}`, { [`f${title}`]: 'Ship', [`f${secret}`]: 'tulip' })
  })
  after(() => scene?.close())

  const bar = (page: Page) => page.getByRole('region', { name: 'Somebody else’s view' })

  it('shows their tables, records and fields, offers no change, stays after a reload, and leads back', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${deals}`)
    await page.getByText('Ship').first().waitFor()
    await page
      .getByRole('columnheader', { name: /Margin/ })
      .first()
      .waitFor()
    const other = await context.newPage()
    await other.goto(scene.address('/admin/users'))
    await other.getByRole('link', { name: /Anna Berg/ }).waitFor()
    await page.goto(scene.address(`/admin/users?user=${anna}`))
    await page.getByRole('button', { name: 'See what Anna Berg sees' }).click()
    await bar(page).getByText('You see what Anna Berg sees. Nothing can be changed.').waitFor()
    await page.getByText('Boat').first().waitFor()
    // Windows that were open follow.
    await bar(other).waitFor()
    await other.close()
    const nav = page.getByRole('navigation', { name: 'Tables' }).first()
    await nav.getByRole('link', { name: /^Deals/ }).waitFor()
    for (const absent of ['Salaries', 'Administration', 'Bring a file']) assert.equal(await nav.getByText(absent).count(), 0, absent)
    assert.equal(await page.getByText('Ship').count(), 0)
    assert.equal(await page.getByRole('columnheader', { name: /Margin/ }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'New record' }).count(), 0)
    await page.getByText('Boat').first().click()
    await page.keyboard.type('x')
    assert.equal(await page.locator('main [role=grid] input:not([type=checkbox])').count(), 0)
    await page.reload()
    await bar(page).waitFor()
    await page.goto(scene.address('/profile'))
    await page.getByText('anna', { exact: true }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Tokens' }).count(), 0)
    await page.goto(scene.address('/admin/users'))
    await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    await page.goto(scene.address(`/t/${deals}/1`))
    await page.locator('main').getByText('Boat').filter({ visible: true }).first().waitFor()
    assert.equal(await page.getByText('tulip').count(), 0)
    assert.equal(await page.locator('main input, main textarea').count(), 0)
    await bar(page).getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'Anna Berg' }).waitFor()
    assert.equal(await bar(page).count(), 0)
    await page.goto(scene.address(`/t/${deals}`))
    await page.getByText('Ship').first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('of a group begins in the matrix of rights, and by a command; of an administrator there is none', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/rights')
    await page.getByRole('button', { name: 'See what Sales sees' }).click()
    await bar(page).getByText('You see what the group Sales sees. Nothing can be changed.').waitFor()
    assert.equal(await page.locator('.side-foot .avatar').innerText(), 'S')
    await page.keyboard.press('Control+K')
    await page.keyboard.type('leave the view')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'See what Sales sees' }).waitFor()
    await page.goto(scene.address('/admin/users?user=1'))
    await page.getByRole('complementary').getByLabel('Login').waitFor()
    assert.equal(await page.getByRole('button', { name: /^See what/ }).count(), 0)
    await page.goto(scene.address(`/admin/users?user=${anna}`))
    await page.getByRole('button', { name: 'See what Anna Berg sees' }).waitFor()
    await page.keyboard.press('Control+K')
    await page.keyboard.type('see what they')
    await page.keyboard.press('Enter')
    await bar(page).waitFor()
    await page.goto(scene.address('/profile'))
    await page.locator('main').getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[autocomplete=username]').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has nothing serious for axe, in both themes, languages and sizes', async () => {
    const strange = await scene.make('user', { login: 'strange', fio: HOSTILE, password, group_id: Number(sales) })
    for (const [locale, width, colorScheme] of [
      ['en-GB', 1440, 'light'],
      ['ru-RU', 390, 'dark'],
    ] as const) {
      const { page, context } = await scene.open({ locale, width })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, `/admin/users?user=${width === 390 ? strange : anna}`)
      const shots = process.env['SHOTS']
      const begin = page.getByRole('button', { name: /^See what|^Посмотреть как/ })
      await begin.waitFor()
      if (shots) await page.screenshot({ path: `${shots}/user-${locale}.png` })
      await begin.click()
      await page.locator('.viewing').waitFor()
      await page.goto(scene.address(`/t/${deals}`))
      await page.locator('.viewing').waitFor()
      await page.locator('main h1').first().waitFor()
      await mustBeAccessible(page, locale)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, locale)
      assert.notEqual(await page.title(), 'run')
      if (shots) await page.screenshot({ path: `${shots}/viewing-${locale}.png` })
      await context.close()
    }
  })
})
