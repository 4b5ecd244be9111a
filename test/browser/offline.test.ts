import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, password, tryAgain, signInByForm, type PagesScene } from './support/pages-scene.ts'

/* Bad networks: nothing typed is lost, nothing is saved twice, nobody is unsure. */

describe('a bad connection', () => {
  let scene: PagesScene
  let table: string
  const f: Record<string, string> = {}

  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: 'Companies' })
    for (const name of ['Name', 'Notes', 'City']) f[name] = `f${await scene.make('field', { table_id: Number(table), field_name: name, field_type: 'text' })}` // prettier-ignore
    f['Amount'] = `f${await scene.make('field', { table_id: Number(table), field_name: 'Amount', field_type: 'integer' })}`
    await scene.make('user', { login: 'boris', fio: 'Boris Petrov', group_id: 3, password })
    await scene.make('access', { group_id: 3, table_id: Number(table), read: true, update: true, create: true })
  })
  after(() => scene?.close())

  const company = () => scene.make(`data${table}`, { [f['Name']!]: 'North Wind' })
  const valueOf = async (id: string, key: string) =>
    (await scene.server.call(scene.token, 'GET', `data${table}/${id}`)).body.data.attributes[f[key]!] as string
  const changes = async (id: string) =>
    (await scene.server.call(scene.token, 'GET', `data${table}/${id}/history`)).body.data.filter(
      (one: { attributes: { action: string } }) => one.attributes.action === 'update',
    ).length as number
  const total = async () => (await scene.server.call(scene.token, 'GET', `data${table}`)).body.meta.total as number
  const shows = (page: Page, key: string) => page.locator('.field', { has: page.locator('dt', { hasText: key }) })
  const edit = (page: Page, key: string) => page.getByRole('button', { name: `Change ${key}`, exact: true }).click()
  async function put(page: Page, key: string, text: string): Promise<void> {
    await edit(page, key)
    await page.getByLabel(key, { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  async function open() {
    const opened = await scene.open()
    // The browser asks before a page with something unsaved is loaded again.
    const asked: string[] = []
    opened.page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    return { ...opened, asked }
  }

  it('is said quietly; edits wait, the last one of a field counts, and they are saved when it is back', async () => {
    const id = await company()
    const { page, context, faults } = await open()
    await scene.signIn(page, `/t/${table}/${id}`)
    await page.locator('.fields').waitFor()
    await context.setOffline(true)
    await page.getByText('The service does not answer. What you change is kept').waitFor()
    await put(page, 'Notes', 'first')
    await put(page, 'City', 'Porto')
    await put(page, 'Notes', 'second')
    await shows(page, 'Notes').getByText('Waits for the connection').waitFor()
    await page.getByText('2 changes are kept here').waitFor()
    await mustBeAccessible(page, 'the card without a connection')
    assert.equal(await page.getByRole('alert').count(), 0)
    await context.setOffline(false)
    await shows(page, 'Notes').getByText('Saved').waitFor()
    await shows(page, 'City').getByText('Saved').waitFor()
    await page.getByText('The service does not answer').waitFor({ state: 'detached' })
    assert.deepEqual([await valueOf(id, 'Notes'), await valueOf(id, 'City'), await changes(id)], ['second', 'Porto', 2])
    assert.deepEqual(faults, [])
    await context.close()
  })

  for (const width of [1440, 390])
    it(`is told by a bar that is as high as its words, beside a table too: ${width} px`, async () => {
      const { page, context } = await scene.open({ width, height: 844 })
      await scene.signIn(page, `/t/${table}`)
      await page.locator('.tools').waitFor()
      await context.setOffline(true)
      const told = page.getByText('The service does not answer. What you change is kept')
      await told.waitFor()
      const fits = await told.evaluate((words) => {
        const [bar, inner] = [words.parentElement!.getBoundingClientRect(), words.getBoundingClientRect()]
        return bar.top <= inner.top && bar.bottom >= inner.bottom
      })
      assert.equal(fits, true)
      await context.close()
    })

  it('is told again where an answer to what was asked before comes late', async () => {
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${table}`)
    await page.locator('.tools').waitFor()
    const body = JSON.stringify((await scene.server.call(scene.token, 'GET', 'me')).body)
    let answerLate: (() => Promise<void>) | undefined
    await page.route('**/api/dev/me', (route) => {
      if (answerLate) return route.abort('internetdisconnected')
      answerLate = () => route.fulfill({ contentType: 'application/vnd.api+json', body })
      return undefined
    })
    await page.evaluate("void dispatchEvent(new Event('online'))")
    await until('the question', () => Promise.resolve(answerLate !== undefined))
    await context.setOffline(true)
    const words = 'The service does not answer. What you change is kept'
    await page.getByText(words).waitFor()
    // It may be told again at once: what looks now and then would miss that it was gone.
    await page.evaluate(`void (globalThis.gone = new Promise((gone) =>
      new MutationObserver(() => document.body.textContent.includes('${words}') || gone()).observe(document.body, { childList: true, subtree: true })))`)
    await answerLate!()
    await page.evaluate('gone')
    await page.getByText(words).waitFor()
    await context.close()
  })

  it('is there, but the disk is full: that is told, and the edit is saved when there is room', async () => {
    const id = await company()
    const { page, context } = await scene.open()
    await scene.signIn(page, `/t/${table}/${id}`)
    const full = { id: '1', status: '503', code: 'server.disk_full', title: 'Disk full', detail: 'The disk is full.' }
    await page.route('**/api/dev/data*/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 503, contentType: 'application/vnd.api+json', body: JSON.stringify({ errors: [full] }) })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Change City', exact: true }).click()
    await page.getByLabel('City', { exact: true }).fill('Porto')
    await page.keyboard.press('Enter')
    await page.getByText('The disk of the service is full. 1 change is kept here').waitFor()
    await shows(page, 'City').getByText('Waits for room on the disk').waitFor()
    await mustBeAccessible(page, 'a full disk')
    await page.unroute('**/api/dev/data*/*')
    const isOver = page.getByText('The disk of the service is full').waitFor({ state: 'detached' })
    await tryAgain(page.getByRole('button', { name: 'Try now' }), isOver)
    await until('it is saved', async () => JSON.stringify((await scene.server.call(scene.token, 'GET', `data${table}/${id}`)).body).includes('Porto')) // prettier-ignore
    await context.close()
  })

  it('that loses the answer after the service has saved: it is saved once', async () => {
    const id = await company()
    const { page, context } = await open()
    await scene.signIn(page, `/t/${table}/${id}`)
    await page.locator('.fields').waitFor()
    let lost = 0
    await page.route(`**/api/dev/data${table}/${id}*`, async (route) => {
      if (route.request().method() !== 'PATCH' || lost++ > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await put(page, 'Notes', 'once')
    await shows(page, 'Notes').getByText('Saved').waitFor()
    assert.ok(lost > 1)
    assert.deepEqual([await valueOf(id, 'Notes'), await changes(id)], ['once', 1])
    assert.equal(await page.getByRole('alert').count(), 0)
    await context.close()
  })

  it('loses nothing by a reload: what waits is sent, what was being typed is there, and the browser asks before', async () => {
    const id = await company()
    const { page, context, asked, faults } = await open()
    await scene.signIn(page, `/t/${table}/${id}`)
    await page.locator('.fields').waitFor()
    await context.setOffline(true)
    await put(page, 'Notes', 'kept')
    await shows(page, 'Notes').getByText('Waits for the connection').waitFor()
    // Nothing is read into this: it stays in its editor.
    await edit(page, 'Amount')
    await page.getByLabel('Amount', { exact: true }).fill('twelve or so')
    await page.reload().catch(() => undefined)
    assert.deepEqual(asked, ['beforeunload'])
    await context.setOffline(false)
    await page.goto(scene.address(`/t/${table}/${id}`))
    await until('the note', async () => (await valueOf(id, 'Notes')) === 'kept')
    await page.getByLabel('Amount', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Amount', { exact: true }).inputValue(), 'twelve or so')
    await page.getByLabel('Amount', { exact: true }).fill('12')
    await page.keyboard.press('Enter')
    await shows(page, 'Amount').getByText('Saved').waitFor()
    assert.equal(await changes(id), 2)
    assert.deepEqual(await page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('kartoteka.kept'))"), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('shows what somebody else has written meanwhile, and asks', async () => {
    const id = await company()
    const { page, context } = await open()
    await scene.signIn(page, `/t/${table}/${id}`)
    await page.locator('.fields').waitFor()
    await context.setOffline(true)
    await put(page, 'Notes', 'mine')
    await shows(page, 'Notes').getByText('Waits for the connection').waitFor()
    const attributes = { [f['Notes']!]: 'theirs', [f['City']!]: 'Lisbon' }
    await scene.server.call(scene.token, 'PATCH', `data${table}/${id}`, { data: { type: `data${table}`, id, attributes } })
    await context.setOffline(false)
    assert.match(await page.getByRole('alert').innerText(), /somebody has changed it meanwhile to\s+theirs/)
    assert.equal(await valueOf(id, 'Notes'), 'theirs')
    await shows(page, 'City').getByText('Lisbon').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await shows(page, 'Notes').getByText('Saved').waitFor()
    assert.equal(await valueOf(id, 'Notes'), 'mine')
    await context.close()
  })

  it('keeps what waits for the person when the session ends, and for nobody else', async () => {
    const id = await company()
    const { page, context } = await open()
    await scene.signIn(page, `/t/${table}/${id}`, 'boris')
    await page.locator('.fields').waitFor()
    // The session ends right before the edit is sent: nothing else tells the page before.
    await page.route(`**/api/dev/data${table}/${id}*`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const { cookie: _, ...headers } = await route.request().allHeaders()
      await context.clearCookies()
      const response = await route.fetch({ headers })
      assert.equal(response.status(), 401)
      return route.fulfill({ response })
    })
    await put(page, 'Notes', 'from Boris')
    await page.waitForURL(/\/sign-in/)
    await page.unrouteAll({ behavior: 'wait' })
    await scene.signIn(page, '/profile')
    assert.equal(await valueOf(id, 'Notes'), '')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in/)
    await scene.signIn(page, '/profile', 'boris')
    await until('the note', async () => (await valueOf(id, 'Notes')) === 'from Boris')
    assert.equal(await changes(id), 1)
    await context.close()
  })

  it('keeps a new record when the session ends, without a question, and it goes on after the sign-in', async () => {
    const { page, context, asked } = await open()
    await scene.signIn(page, `/t/${table}/new`)
    await page.getByLabel('Name', { exact: true }).fill('South Wind')
    await page.keyboard.press('Enter')
    await page.keyboard.type('half a n')
    await context.clearCookies()
    // What is looked for is refused.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('wind')
    await page.waitForURL(/\/sign-in\?/)
    assert.deepEqual(asked, [])
    await signInByForm(page)
    await page.waitForURL(new RegExp(`/t/${table}/new`))
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'South Wind')
    await shows(page, 'Notes').getByText('half a n').waitFor()
    await context.close()
  })

  it('asks before the person signs out with something unsaved, which is gone then', async () => {
    const id = await company()
    const { page, context, asked } = await open()
    await scene.signIn(page, `/t/${table}/${id}`)
    await page.locator('.fields').waitFor()
    await page.route(`**/api/dev/data${table}/${id}*`, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await put(page, 'Notes', 'secret')
    await shows(page, 'Notes').getByText('Waits for the connection').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in/)
    assert.deepEqual(asked, ['confirm'])
    assert.equal(await page.evaluate<boolean>("JSON.stringify(localStorage).includes('secret')"), false)
    await page.unroute(`**/api/dev/data${table}/${id}*`)
    await scene.signIn(page, `/t/${table}/${id}`)
    await page.locator('.fields').waitFor()
    assert.equal(await valueOf(id, 'Notes'), '')
    await context.close()
  })

  it('asks once before the person signs out with a record that is not made yet, and who stays has both', async () => {
    const { page, context } = await scene.open()
    const asked: string[] = []
    let isStaying = true
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void (isStaying ? dialog.dismiss() : dialog.accept())
    })
    await scene.signIn(page, `/t/${table}?filter=${encodeURIComponent(`ne(${f['Notes']},'secret')`)}`)
    await page.getByRole('grid').locator('[data-row]').first().waitFor()
    await page.goto(scene.address(`/t/${table}/new`))
    await page.getByLabel('Name', { exact: true }).fill('South Wind')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const signOut = async () => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('sign out')
      await page.keyboard.press('Enter')
    }
    await signOut()
    await until('the question', () => asked.length === 1)
    assert.equal(await page.evaluate<number>("fetch('/api/dev/me').then(({ status }) => status)"), 200)
    await shows(page, 'Name').getByText('South Wind').waitFor()
    isStaying = false
    await signOut()
    await page.waitForURL(/\/sign-in/)
    assert.deepEqual(asked, ['confirm', 'confirm'])
    assert.equal(await page.evaluate<string | null>("sessionStorage.getItem('places in lists') ?? '[]'"), '[]')
    assert.equal(await page.evaluate<boolean>("JSON.stringify(localStorage).includes('South Wind')"), false)
    await context.close()
  })

  it('makes a new record once, though the answer was lost and the page was loaded again', async () => {
    const before = await total()
    const { page, context, faults } = await open()
    await scene.signIn(page, `/t/${table}/new`)
    await page.getByLabel('Name', { exact: true }).fill('East Wind')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    // Not sent yet: a reload keeps it.
    await page.reload()
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    assert.equal(await name.inputValue(), 'East Wind')
    await page.route(`**/api/dev/data${table}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The record is kept here, and made when it is back.').waitFor()
    await page.unroute(`**/api/dev/data${table}`)
    await page.reload()
    await page.waitForURL(new RegExp(`/t/${table}/\\d+$`))
    await page.getByRole('heading', { name: 'East Wind' }).first().waitFor()
    assert.equal(await total(), before + 1)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
