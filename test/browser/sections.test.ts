import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* The headings under which a record shows its fields: given by an administrator, seen by everybody who sees a field of them. */

describe('sections of a record', () => {
  let scene: PagesScene
  let people: string
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    const { make } = scene
    people = await make('table', { table_name: 'People' })
    for (const [key, section] of [
      ['Salary', 'Terms'],
      ['Name', ''],
      ['Phone', 'How to reach'],
      ['Since', 'Terms'],
      ['Remark', HOSTILE],
    ])
      f[key!] = await make('field', { table_id: Number(people), field_name: key, field_type: 'text', section })
    await make(`data${people}`, { [`f${f['Name']}`]: 'Ann' })
    await make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
    const hidden = ['Salary', 'Since'].map((key) => [`f${f[key]}`, 'hidden'])
    await make('access', { group_id: 3, table_id: Number(people), read: true, update: true, fields: Object.fromEntries(hidden) })
  })
  after(() => scene?.close())

  const headings = (page: Page) => page.locator('.field-section > h3').allTextContents()
  const fields = (page: Page) => page.locator('.fields .field dt .cut').allTextContents()

  it('stand in the record and in the form of a new one, and Enter leads through them as they stand', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${people}/1`)
    await page.getByRole('region', { name: 'Terms' }).getByText('Since').waitFor()
    assert.deepEqual(await headings(page), ['Terms', 'How to reach', HOSTILE])
    assert.deepEqual(await fields(page), ['Name', 'Salary', 'Since', 'Phone', 'Remark'])
    await page.goto(scene.address(`/t/${people}/new`))
    await page.getByLabel('Name', { exact: true }).waitFor()
    for (const name of ['Name', 'Salary', 'Since', 'Phone']) {
      await until(`the focus in ${name}`, () => page.evaluate<boolean>(`document.activeElement?.getAttribute('aria-label') === '${name}'`))
      await page.keyboard.type(`the ${name}`)
      await page.keyboard.press('Enter')
    }
    assert.deepEqual(await headings(page), ['Terms', 'How to reach', HOSTILE])
    await page.keyboard.press('Control+s')
    await page.getByText('the Since').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are not there for who sees no field of them', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${people}/1`, 'boris')
    await page.getByRole('region', { name: 'How to reach' }).waitFor()
    assert.deepEqual(await headings(page), ['How to reach', HOSTILE])
    await context.close()
  })

  it('are given to a field, named and put in order by the administrator, by keyboard too', async () => {
    const { page, context, faults } = await scene.open()
    const asked: string[] = []
    let refuses = false
    const refused = { errors: [{ status: '403', code: 'access.denied', title: 'Access denied', detail: 'Not now.' }] }
    await page.route('**/api/dev/**', async (route) => {
      const request = route.request()
      const isRefused = refuses && request.method() === 'PATCH'
      if (request.method() === 'PATCH') asked.push(`PATCH ${new URL(request.url()).pathname}${isRefused ? ' refused' : ''}`)
      if (!isRefused) return route.continue()
      await route.fulfill({ status: 403, contentType: 'application/vnd.api+json', body: JSON.stringify(refused) })
    })
    await scene.signIn(page, `/admin/tables/${people}?field=${f['Since']}`)
    const box = page.getByRole('combobox', { name: 'Section of the record' })
    await box.waitFor()
    assert.deepEqual(await page.evaluate('[...document.querySelectorAll("datalist option")].map((one) => one.value)'), [
      'Terms',
      'How to reach',
      HOSTILE,
    ])
    // Other letters make no other section.
    await box.fill(' how to REACH ')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    const held = async (key: string) => (await scene.server.call(scene.token, 'GET', `field/${f[key]}`)).body.data.attributes.section
    await until('the section', async () => (await held('Since')) === 'How to reach')
    // What is saved is shown, and not what was typed.
    await until('the name that there was', async () => (await box.inputValue()) === 'How to reach')
    const sections = page.getByRole('region', { name: 'Sections of the record' })
    const menu = async (of: string, item: string) => {
      await sections.getByRole('button', { name: `More about ${of}` }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: item }).focus()
      await page.keyboard.press('Enter')
    }
    asked.length = 0
    await menu('How to reach', 'Rename')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Contacts')
    // What is refused is not lost: it is sent once more.
    refuses = true
    await page.keyboard.press('Enter')
    await page.getByText('Not now.').waitFor()
    assert.equal(await page.locator('input:focus').inputValue(), 'Contacts')
    assert.deepEqual(asked, [`PATCH /api/dev/table/${people} refused`])
    refuses = false
    asked.length = 0
    await page.keyboard.press('Enter')
    await sections.getByText('Contacts').waitFor()
    await sections.getByText('2 fields').waitFor()
    assert.deepEqual([await held('Phone'), await held('Since'), await held('Salary')], ['Contacts', 'Contacts', 'Terms'])
    assert.deepEqual(asked, [`PATCH /api/dev/table/${people}`])
    await menu('Contacts', 'Move up')
    await until(
      'the order',
      async () => (await sections.locator('li .grow').allTextContents()).join() === ['Contacts', 'Terms', HOSTILE].join(),
    )
    await page.goto(scene.address(`/t/${people}/1`))
    await page.getByRole('region', { name: 'Contacts' }).waitFor()
    assert.deepEqual(await headings(page), ['Contacts', 'Terms', HOSTILE])
    assert.deepEqual(faults, [])
    await context.close()
  })

  for (const [width, locale, colorScheme] of [
    [1440, 'ru-RU', 'dark'],
    [390, 'en-GB', 'light'],
  ] as const)
    it(`have nothing serious for axe, and are not too wide: ${width} px, ${locale}`, async () => {
      const { page, context } = await scene.open({ locale, width, height: 844 })
      await page.emulateMedia({ colorScheme })
      await scene.signIn(page, `/t/${people}/1`)
      for (const [path, ready] of [
        [`/t/${people}/1`, '.field-section'],
        [`/t/${people}/new`, '.field-section'],
        [`/admin/tables/${people}`, '.design-sections'],
        [`/admin/tables/${people}?field=${f['Phone']}`, 'datalist'],
      ] as const) {
        await page.goto(scene.address(path))
        await page.locator(ready).first().waitFor({ state: 'attached' })
        await mustBeAccessible(page, path)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path)
      }
      await context.close()
    })
})
