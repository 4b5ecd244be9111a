import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { HOSTILE, pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* What a page shows, as a request of a program: what is copied is run. */

const run = promisify(execFile)
const TITLE = `$(exit 9)'"; exit 9 #\n`

describe('the panel of the interface', () => {
  let scene: PagesScene
  let table: string
  let field: string

  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: HOSTILE })
    field = `f${await scene.make('field', { table_id: Number(table), field_name: TITLE.trim(), field_type: 'text' })}`
    for (const name of [`it's "$HOME" \`id\``, 'another']) await scene.make(`data${table}`, { [field]: name })
  })
  after(() => scene?.close())

  const filter = () => `eq(${field},'it''s "$HOME" \`id\`')`
  const open = async (page: Page) => {
    await page.getByRole('button', { name: 'API', exact: true }).click()
    await page.getByRole('dialog', { name: 'API' }).waitFor()
  }
  const program = async (page: Page, language: string) => {
    await page.getByRole('radio', { name: language, exact: true }).check()
    return page.getByRole('region', { name: `The request in ${language}` }).innerText()
  }
  const environment = () => ({ ...process.env, KARTOTEKA_TOKEN: scene.token, no_proxy: '*', NO_PROXY: '*' })

  it('gives the filter and the order of the page to curl and to JavaScript, which get the same records', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, `/t/${table}?filter=${encodeURIComponent(filter())}&sort=-${field}&q=home`)
    await page.locator('.foot').getByText('1 record', { exact: true }).waitFor()
    await open(page)
    await page.getByText('This is how a program asks for the records that you see here, with the same filter and order.').waitFor()
    await mustBeAccessible(page, 'the panel')
    const curl = await program(page, 'curl')
    assert.ok(!curl.includes(scene.token))
    const { stdout } = await run('sh', ['-c', curl.replace('curl ', 'curl --silent --fail ')], { env: environment() })
    const { data, meta, links } = JSON.parse(stdout) as { data: { id: string }[]; meta: { total: number }; links: { self: string } }
    assert.deepEqual([data.map(({ id }) => id), meta.total], [['1'], 1])
    for (const asked of [`sort=-${field}`, 'eq(', "search('home')"]) assert.ok(decodeURIComponent(links.self).includes(asked), links.self)
    const script = await program(page, 'JavaScript')
    const shown = await run(process.execPath, ['--input-type=module', '--eval', script], { env: environment() })
    assert.match(shown.stdout, /^1 \{/)
    for (const language of ['Python', 'PHP']) assert.match(await program(page, language), /KARTOTEKA_TOKEN/)
    await page.getByRole('radio', { name: 'Add a record' }).check()
    await page.getByText('The values are examples').waitFor()
    await page.getByText('With a header Idempotency-Key').waitFor()
    await mustBeAccessible(page, 'the panel with a request that writes')
    const adds = await program(page, 'curl')
    await run('sh', ['-c', adds.replace('curl ', 'curl --silent --fail ')], { env: environment() })
    await page.locator('.foot').getByText('1 record', { exact: true }).waitFor()
    const made = await fetch(scene.address(`/api/dev/data${table}/3`), { headers: { 'X-Auth-Token': scene.token } })
    assert.equal(((await made.json()) as { data: { attributes: Record<string, unknown> } }).data.attributes[field], 'Text')
    await page.getByRole('link', { name: 'Reference of your tables' }).click()
    await page.waitForURL(/\/reference$/)
    await page.locator('summary').first().waitFor()
    // The sign of a method and the address do not touch.
    const least = await page.evaluate<number>(
      "Math.min(...[...document.querySelectorAll('summary .method')].filter((one) => one.checkVisibility()).map((method) => { const range = document.createRange(); range.selectNodeContents(method); return method.nextElementSibling.getBoundingClientRect().left - range.getBoundingClientRect().right }))",
    )
    assert.ok(least >= 8, `${least} px between a method and its path`)
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true, 'the reference is too wide')
    await mustBeAccessible(page, 'the reference')
    await page.getByRole('link', { name: 'To the pages' }).click()
    await page.locator('.app').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('asks for one record on its card, and copies what it shows; the keyboard opens and closes it', async () => {
    const { page, context, faults } = await scene.open({ width: 390, height: 844 })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await scene.signIn(page, `/t/${table}/2`)
    await page.locator('.fields').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('api')
    await page.getByRole('option', { name: 'API' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'API' }).waitFor()
    await page.getByText('This is how a program asks for this record.').waitFor()
    await mustBeAccessible(page, 'the panel on a phone')
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
    const shown = await program(page, 'JavaScript')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied').waitFor()
    assert.equal((await page.evaluate<string>('navigator.clipboard.readText()')).trim(), shown.trim())
    assert.match((await run(process.execPath, ['--input-type=module', '--eval', shown], { env: environment() })).stdout, /^2 \{[^]*another/)
    await page.getByRole('radio', { name: 'Change' }).check()
    const changes = (await program(page, 'JavaScript')).replace('"another"', '"another one"')
    assert.match(
      (await run(process.execPath, ['--input-type=module', '--eval', changes], { env: environment() })).stdout,
      /^2 \{[^]*another one/,
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('leads to the tokens: administrators to all, others to their own', async () => {
    const group = Number(await scene.make('group', { group_name: 'Programs' }))
    await scene.make('access', { group_id: group, table_id: Number(table), read: true })
    await scene.make('user', { login: 'robot', group_id: group, password })
    for (const [login, place] of [
      [undefined, '/admin/tokens'],
      ['robot', '/profile'],
    ] as const) {
      const { page, context, faults } = await scene.open()
      await scene.signIn(page, `/t/${table}`, login)
      await open(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Tokens' }).click()
      await page.waitForURL((url) => url.pathname === place)
      await page.getByRole('button', { name: 'New token' }).waitFor()
      assert.deepEqual(faults, [])
      await context.close()
    }
  })

  it('and links are copied where the browser gives no clipboard to scripts, as over plain http', async () => {
    const { page, context, faults } = await scene.open()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await scene.signIn(page, '/profile')
    const reader = await context.newPage()
    await reader.goto(scene.address('/profile'))
    const copied = async () => {
      await reader.bringToFront()
      const text = await reader.evaluate<string>('navigator.clipboard.readText()')
      await page.bringToFront()
      return text.replaceAll('\r', '').trim()
    }
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    await page.goto(scene.address(`/t/${table}/2`))
    await page.locator('.fields').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('copy the link')
    await page.keyboard.press('Enter')
    await page.getByText('The link is copied').waitFor()
    assert.equal(await copied(), scene.address(`/t/${table}/2`))
    await open(page)
    const shown = await program(page, 'curl')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    assert.equal(await copied(), shown.trim())
    assert.equal(await page.getByRole('dialog', { name: 'API' }).count(), 1)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
