import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { HOSTILE, password, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What connects other programs, and how the service runs, without the command line. */

describe('integration and operation', () => {
  let scene: PagesScene
  let companies: string
  before(async () => {
    scene = await pagesScene({ KARTOTEKA_WEBHOOK_HTTP: 'yes', KARTOTEKA_WEBHOOK_NETWORKS: '127.0.0.1' })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    companies = await scene.make('table', { table_name: 'Companies' })
    await scene.make('field', { table_id: Number(companies), field_name: 'Name', field_type: 'text' })
    await scene.make('table', { table_name: HOSTILE })
  })
  after(async () => {
    await scene?.close()
    receiver.closeAllConnections()
    await new Promise((done) => receiver.close(done))
  })

  /** What the receiver of webhooks got: the signatures. */
  const got: string[] = []
  const receiver = createServer((request, response) => {
    got.push(String(request.headers['webhook-signature']))
    request.resume().on('end', () => response.writeHead(request.url === '/broken' ? 500 : 204).end())
  })
  const receiving = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`

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
    await page.getByRole('radio', { name: 'Everybody' }).check({ force: true })
    await row.getByText('Administrator').waitFor()
    assert.match(page.url(), /of=all/)
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

  it('on the profile, one gives oneself another password: one stays, other browsers are signed out', async () => {
    await scene.make('user', { login: 'pavel', fio: 'Pavel Own', password, group_id: 3 })
    const other = await scene.open()
    await scene.signIn(other.page, '/profile', 'pavel')
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/profile', 'pavel')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.keyboard.type('not the right one')
    await page.getByLabel('New password').fill('seven green ladders')
    await page.keyboard.press('Enter')
    await page.getByText(/^This is not your password/).waitFor()
    await page.getByLabel('Your password of now').fill(password)
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('A password has 8 to 1,000 characters.', { exact: true }).waitFor()
    await page.getByLabel('New password').fill('seven green ladders')
    await page.keyboard.press('Enter')
    await page.getByText('Your password is changed.').waitFor()
    await page.locator('button:focus', { hasText: 'Change the password' }).waitFor()
    await page.reload()
    await page.getByText('this browser').waitFor()
    await other.page.reload()
    await other.page.locator('input[autocomplete=username]').waitFor()
    await scene.signIn(other.page, '/profile', 'pavel', 'seven green ladders')
    assert.deepEqual(faults, [])
    await other.context.close()
    await context.close()
  })

  it('a webhook is refused in words, made, shows its secret once and what came of each delivery, is switched off and deleted', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    const panel = page.getByRole('complementary')
    await panel.getByLabel('Address of the receiver').fill('https://10.0.0.1/hook')
    // Enter is as good as the button.
    await page.keyboard.press('Enter')
    await panel.getByRole('alert').getByText('This address is inside a private network').waitFor()
    await panel.getByLabel('Address of the receiver').fill(receiving('/hooks'))
    await panel.getByLabel('Changes of').selectOption({ label: 'Companies' })
    await panel.getByLabel('new records').check()
    await panel.getByRole('button', { name: 'Make the webhook' }).click()
    assert.match(await panel.getByRole('textbox', { name: /^Secret of 127/ }).inputValue(), /^whsec_/)
    await panel.getByRole('button', { name: 'I have kept it' }).click()
    const [hook] = (await call('GET', 'webhook')).body.data
    assert.deepEqual([hook.attributes.table_id, hook.attributes.actions], [Number(companies), ['create']])
    await scene.make(`data${companies}`, {})
    const log = page.getByRole('region', { name: 'Deliveries' })
    const delivery = log.getByRole('row', { name: /Companies, record 1/ })
    await panel.getByRole('button', { name: 'Send a test' }).click()
    await delivery.locator('.pill', { hasText: '204' }).waitFor()
    await log.getByRole('row', { name: /Test/ }).locator('.pill', { hasText: '204' }).waitFor()
    assert.equal(got.length, 2)
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await until('another delivery', () => got.length === 3)
    await panel.getByRole('button', { name: 'New secret' }).click()
    await panel.getByRole('textbox', { name: /^Secret of 127/ }).waitFor()
    await panel.getByRole('button', { name: 'Send a test' }).click()
    // Signed by the new and by the former secret.
    await until('a delivery with two signatures', () => got[3]?.split(' ').length === 2)
    await panel.getByLabel('Address of the receiver').fill(receiving('/broken'))
    await page.keyboard.press('Enter')
    await page.getByText(receiving('/broken')).waitFor()
    await panel.getByRole('button', { name: 'Send a test' }).click()
    await log.locator('.pill', { hasText: '500' }).waitFor()
    await page.getByRole('row', { name: /does not arrive/ }).waitFor()
    assert.equal(await page.getByRole('cell', { name: 'sends', exact: true }).count(), 0)
    await log.getByRole('radio', { name: 'Not arrived' }).check({ force: true })
    await log.locator('.pill', { hasText: '204' }).first().waitFor({ state: 'detached' })
    assert.match(page.url(), /show=failed/)
    await page.getByLabel(/^Send to 127/).click()
    await page.getByRole('cell', { name: 'off' }).waitFor()
    await panel.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    assert.deepEqual((await call('GET', 'webhook')).body.data, [])
    assert.deepEqual(
      faults.filter((fault) => !/status of 422/.test(fault)),
      [],
    )
    await context.close()
  })

  it('deliveries of all tables say what was changed: structure and rights by name', async () => {
    await scene.make('webhook', { url: receiving('/hooks') })
    const fields = await scene.make('table', { table_name: 'Herons' })
    const wing = await scene.make('field', { table_id: Number(fields), field_name: 'Wing', field_type: 'text' })
    await call('PATCH', `field/${wing}`, { data: { type: 'field', id: wing, attributes: { field_name: 'Beak' } } })
    await scene.make('access', { group_id: 3, table_id: Number(fields), read: true })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/webhooks')
    for (const what of ['table Herons: made', 'field Beak of Herons: made', 'field Beak of Herons: changed', 'rights on Herons: made'])
      await page.locator('.ledger th', { hasText: new RegExp(`^${what}\\s*127`) }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
    const [hook] = (await call('GET', 'webhook')).body.data
    await call('DELETE', `webhook/${hook.id}`)
    await call('DELETE', `table/${fields}`)
  })

  it('the audit log says each act in words; its filter and page are in the address', async () => {
    await scene.server.call('', 'POST', 'token', { data: { type: 'token', attributes: { login: 'mallory', password } } })
    for (let i = 0; i < 51; i++) await scene.make('category', { category_name: `Category ${i}` })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/audit')
    const last = page.locator('.audit-line', { hasText: 'made the category Category 50' })
    await last.waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('could not sign in as mallory').waitFor()
    assert.match(page.url(), /after=/)
    await page.reload()
    await page.getByText('could not sign in as mallory').waitFor()
    await page.getByRole('button', { name: 'Newer' }).click()
    await last.waitFor()
    await page.getByLabel('What', { exact: true }).selectOption('Sign-ins and tokens')
    await last.waitFor({ state: 'detached' })
    const line = page.getByRole('listitem').filter({ hasText: 'mallory' })
    await line.getByText('Details').click()
    await line.getByText('sign_in_failed').waitFor()
    await page.getByLabel('Who', { exact: true }).selectOption('Administrator')
    await line.waitFor({ state: 'detached' })
    await page.getByText('Administrator signed in').first().waitFor()
    // A day is typed as people write it, or chosen.
    const from = page.getByRole('textbox', { name: 'From' })
    await from.fill('31 foo')
    await page.keyboard.press('Enter')
    assert.equal(await from.getAttribute('aria-invalid'), 'true')
    await from.fill('31.12.2099')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2099-12-31/)
    assert.equal(await from.inputValue(), '31/12/2099')
    await page.keyboard.press('Alt+ArrowDown')
    await page.locator('.day-picker-day:focus').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2100-01-01/)
    await page.getByRole('heading', { name: 'Nothing like that in the log' }).waitFor()
    for (const part of ['who=1', 'act=signIns', 'from=2100-01-01']) assert.ok(page.url().includes(part), page.url())
    await page.getByRole('button', { name: 'Show all' }).click()
    await last.waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('indexes are kept or forbidden; settings say where they come from, and what the service is', async () => {
    const [field] = (await call('GET', `field?filter=eq(table_id,${companies})`)).body.data
    await scene.make('index', { table_id: Number(companies), attribute: `f${field.id}`, kind: 'order' })
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/admin/indexes')
    const row = page.getByRole('row', { name: /^Name Companies/ })
    await row.getByText('ready').waitFor()
    await row.getByLabel('Wish: Name, Companies').selectOption('never make')
    await row.getByText('not there').waitFor()
    const [index] = (await call('GET', 'index?filter=' + encodeURIComponent(`eq(attribute,'f${field.id}')`))).body.data
    assert.equal(index.attributes.wish, 'forbidden')
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').fill('Settings')
    await page.getByRole('option', { name: 'Settings', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/settings')
    await page.getByRole('row', { name: /^webhook-http.*environment KARTOTEKA_WEBHOOK_HTTP/ }).waitFor()
    await page.getByRole('row', { name: /^trash-days.* 30 default/ }).waitFor()
    await page.getByRole('radio', { name: 'Set here' }).check({ force: true })
    await page.getByRole('row', { name: /^trash-days/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Health and versions' }).click()
    await page.getByText('The service is well.').waitFor()
    await page.getByText(/^SQLite 3/).waitFor()
    await page.getByRole('link', { name: 'what takes room, and how much is left' }).click()
    await page.waitForURL('**/admin/storage')
    await mustTellRoom(page)
    await page.goBack()
    await page.getByRole('link', { name: 'of the packages that it is made of' }).click()
    const service = page.getByRole('region', { name: 'In the service' })
    const sqlite = service.getByRole('listitem').filter({ hasText: 'better-sqlite3' })
    await sqlite.locator('summary').click()
    await sqlite.getByText(/Permission is hereby granted/).waitFor()
    await page.getByRole('region', { name: 'In the pages' }).getByText('react-dom', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('an index says what it makes fast, also one of all fields, and when it was of use', async () => {
    const { page, context, faults } = await scene.open()
    const kinds = ['order', 'order_desc', 'value', 'text', 'words']
    const its = { table_id: Number(companies), wish: 'auto', state: 'ready', failure: '', last_used: '2026-07-25', uses: 3, size: 4096 }
    const data = kinds.map((kind, i) => ({
      type: 'index',
      id: String(i + 1),
      attributes: { ...its, kind, attribute: kind === 'words' ? '' : 'add_time' },
    }))
    await page.route('**/api/dev/index?*', (route) =>
      route.fulfill({ contentType: 'application/vnd.api+json', body: JSON.stringify({ data, meta: { total: data.length } }) }),
    )
    await scene.signIn(page, '/admin/indexes')
    await page.getByRole('row', { name: 'all fields Companies quick search ready' }).waitFor()
    const shown = await page.getByRole('row').locator('td:first-of-type').allInnerTexts()
    assert.deepEqual(shown, [
      'comparing and sorting',
      'sorting from the end',
      'choosing by an option',
      'finding within words',
      'quick search',
    ])
    await page
      .getByRole('row', { name: /25 Jul 2026/ })
      .first()
      .waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('warn while little of the disk is left, and say what can be done when it is full', async () => {
    await scene.make('index', { table_id: Number(companies), attribute: 'add_time', kind: 'order' })
    const { page, context } = await scene.open()
    let isFull = false
    await page.route('**/installation', async (route) => {
      const answer = await route.fetch()
      const files = { count: 10_000, bytes: 5_000_000, all: false }
      await route.fulfill({ json: { ...(await answer.json()), free_bytes: 900_000_000, database_log_bytes: null, files } })
    })
    await page.route('**/readyz', (route) =>
      isFull ? route.fulfill({ status: 503, json: { status: 'unavailable', reason: 'disk', detail: 'full' } }) : route.continue(),
    )
    await scene.signIn(page, '/admin/storage')
    await page.getByRole('status').getByText('Only 900 MB of the disk are left.').waitFor()
    await page.getByText('What the server of the database has left must be looked at there.').waitFor()
    await page.getByText('more than 5 MB: so much have 10,000 files').waitFor()
    const tables = page.getByRole('region', { name: 'Tables with the largest indexes' })
    await tables.getByRole('row', { name: /^Companies \d.* 1 index, / }).waitFor()
    isFull = true
    await page.reload()
    await page.getByRole('alert').getByText('changes are refused until there is room. Make room on the disk first').waitFor()
    assert.equal(await page.getByText('Only 900 MB').count(), 0)
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

  const pages: readonly (readonly [path: string, ready: string])[] = [
    ['/admin/tokens', '.ledger'],
    ['/admin/about', '.figures'],
    ['/admin/audit', '.audit-line'],
    ['/admin/indexes', '.ledger'],
    ['/admin/licences', '.licences'],
    ['/admin/settings', '.ledger'],
    ['/admin/storage', '.figures'],
    ['/admin/webhooks', '.ledger'],
    ['/admin/webhooks?webhook=new', '.ticks'],
  ]

  it('have nothing serious for axe, in both themes, languages and sizes, and take no name for something else', async () => {
    const made = { login: 'admin', password, name: HOSTILE, scope: 'read', lifetime: 3600 }
    assert.equal((await call('POST', 'token', { data: { type: 'token', attributes: made } })).status, 201)
    await scene.make('webhook', { url: `https://hooks.example.com/${'long'.repeat(50)}`, active: false })
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

/** The page of the storage, of a service whose disk has room, with an index of Companies. */
async function mustTellRoom(page: Page): Promise<void> {
  const disk = page.getByRole('region', { name: 'On the disk' })
  for (const what of ['Left on the disk', 'Database', 'Write-ahead log beside it', 'Indexes', 'Files', 'Trash'])
    await disk.getByRole('term').filter({ hasText: what }).first().waitFor()
  await disk.getByText(/^0 bytes in 0 files/).waitFor()
  await disk.getByText('goes by itself after 30 days').waitFor()
  await page
    .getByRole('region', { name: 'In memory' })
    .getByText(/ of at most /)
    .waitFor()
  await disk.getByRole('link', { name: 'to the trash' }).click()
  await page.waitForURL('**/trash')
  await page.goBack()
  await disk.waitFor()
}

async function mustBeText(page: Page, where: string): Promise<void> {
  assert.equal(await page.locator('main img').count(), 0, where)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, where)
}
