import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What an administrator does with people and their rights, without the command line. */

describe('people and rights', () => {
  let scene: PagesScene
  let sales: string
  let anna: string
  before(async () => {
    scene = await pagesScene()
    sales = await scene.make('group', { group_name: 'Sales' })
    anna = await scene.make('user', { login: 'anna', fio: 'Anna Berg', e_mail: 'anna@example.com', password, group_id: Number(sales) })
    await scene.make('user', { login: 'boris', fio: 'Boris Lang', password, group_id: 3 })
    await scene.make('user', { login: 'strange', fio: HOSTILE, password, group_id: Number(sales) })
  })
  after(() => scene?.close())

  const call = async (method: string, path: string, body?: unknown, token = scene.token) =>
    (await scene.server.call(token, method, path, body)).body
  const user = async (id: string) => (await call('GET', `user/${id}`)).data.attributes
  const panel = (page: Page) => page.getByRole('complementary')
  async function menu(page: Page, of: string, item: string): Promise<void> {
    await page.getByRole('button', { name: `More about ${of}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  it('somebody is invited by a link, which lets them choose a password; the link of later works too', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/tables')
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    await panel(page).getByLabel('Full name').fill('Clara Holm')
    await panel(page).getByLabel('E-mail').fill('anna@example.com')
    await panel(page).getByLabel('Group').selectOption('Sales')
    await panel(page).getByRole('button', { name: 'Make the link' }).click()
    await panel(page).getByText('Somebody has this login already.').waitFor()
    await panel(page).getByLabel('E-mail').fill('Clara.Holm@example.com')
    await panel(page).getByRole('button', { name: 'Make the link' }).click()
    const link = await panel(page).getByLabel('Link for Clara Holm').first().getByRole('textbox').inputValue()
    assert.match(link, /^http:.*\/invite\/[A-Za-z0-9]{48}$/)
    const guest = await scene.open()
    await guest.page.goto(link)
    await guest.page.getByLabel('New password').fill('nine yellow tricycles')
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('heading', { name: 'No tables yet' }).first().waitFor()
    await panel(page).getByRole('button', { name: 'I have kept it' }).click()
    await panel(page).getByRole('button', { name: 'New link for a password' }).click()
    const next = await panel(page).getByLabel('Link for Clara Holm').first().getByRole('textbox').inputValue()
    assert.notEqual(next, link)
    await panel(page).getByRole('button', { name: 'I have kept it' }).click()
    await panel(page).getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText('The link of Clara Holm no longer works.').waitFor()
    await page.reload()
    // Where they are signed in is seen, and ended: the next thing that they do leads to the page to sign in.
    await panel(page).getByRole('button', { name: /^End / }).click()
    await panel(page).getByText('Nowhere').waitFor()
    await guest.page.goto(scene.address('/profile'))
    await guest.page.locator('input[autocomplete=username]').waitFor()
    assert.deepEqual(faults, [])
    await guest.context.close()
    await context.close()
  })

  it('people are found, moved to another group, archived and taken back', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/users')
    await page.getByRole('searchbox').fill('berg ANNA')
    await page.getByText('1 person').waitFor()
    await page.getByRole('link', { name: /Anna Berg/ }).click()
    await panel(page).getByLabel('Group').selectOption('Managers')
    await page.getByText('Anna Berg is now in Managers.').waitFor()
    assert.equal((await user(anna)).group_id, 2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('the group of before', async () => (await user(anna)).group_id === Number(sales))
    await panel(page).getByLabel('Login').fill('boris')
    await page.keyboard.press('Enter')
    await panel(page).getByText('Somebody has this login already.').waitFor()
    await page.keyboard.press('Escape')
    await panel(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Anna Berg is archived and signed out everywhere.').waitFor()
    await page.getByText('Nobody matches').waitFor()
    await page.getByRole('radio', { name: 'Archived' }).check()
    await page.getByRole('link', { name: /Anna Berg/ }).waitFor()
    await panel(page).getByRole('button', { name: 'Take back' }).click()
    await until('their return', async () => (await user(anna)).arc === 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('groups are made, named, copied with their rights, and deleted when nobody is in them', async () => {
    const things = await scene.make('table', { table_name: 'Things' })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/groups')
    await page.getByRole('button', { name: 'New group' }).click()
    await page.keyboard.type('Partners')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^Partners/ }).waitFor()
    const [partners] = (await call('GET', "group?filter=eq(group_name,'Partners')")).data
    const rule = { table_id: Number(things), read: true, create: true, read_filter: 'eq(user_id,current_user)', fields: { allow: {} } }
    await scene.make('access', { ...rule, group_id: Number(partners.id) })
    await page.reload()
    await page.getByRole('link', { name: /^Partners.*Reaches: 1 table/ }).waitFor()
    await menu(page, 'Partners', 'Copy with its rights')
    await page.getByLabel('Name of the group').press('Enter')
    await page.getByRole('link', { name: /^Partners, copy.*Reaches: 1 table/ }).waitFor()
    const [copy] = (await call('GET', "group?filter=eq(group_name,'Partners, copy')")).data
    const [copied] = (await call('GET', `access?filter=eq(group_id,${copy.id})`)).data
    for (const [name, value] of Object.entries(rule)) assert.deepEqual(copied.attributes[name], value, name)
    await menu(page, 'Partners, copy', 'Rename')
    await page.getByLabel('Name of Partners, copy').fill('Friends')
    await page.keyboard.press('Enter')
    await menu(page, 'Friends', 'Delete')
    await page.getByText('Its rights on 1 table go with it. This cannot be undone.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The group Friends is gone.').waitFor()
    await menu(page, 'Sales', 'Delete')
    await page.getByText(/people are in Sales/).waitFor()
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByRole('link', { name: /Anna Berg/ }).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are not there for anybody else', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, '/profile', 'boris')
    for (const path of ['/admin/users', '/admin/groups']) {
      await page.goto(scene.address(path))
      await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    }
    await context.close()
  })

  it('have nothing serious for axe, in both themes, languages and sizes', async () => {
    for (const [locale, width, colorScheme] of [
      ['en-GB', 1440, 'light'],
      ['ru-RU', 390, 'dark'],
    ] as const) {
      const { page, context } = await scene.open({ locale, width })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, '/admin/users')
      for (const [path, ready] of [
        ['/admin/users', '.people'],
        [`/admin/users?user=${anna}`, '.design-panel h3'],
        ['/admin/users?user=new', '.admin-form'],
        ['/admin/groups', '.people'],
      ] as const) {
        await page.goto(scene.address(path))
        await page.locator(ready).first().waitFor()
        await mustBeAccessible(page, `${path} ${locale}`)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(overflow, 0, `${path} ${locale}`)
        const shots = process.env['SHOTS']
        if (shots) await page.screenshot({ path: `${shots}/${path.replaceAll(/[^a-z]+/g, '-')}${locale}.png` })
      }
      await context.close()
    }
  })
})
