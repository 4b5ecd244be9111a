import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The pages while the service cannot be reached at all: the browser shows the build that it has kept. */

describe('pages that the browser keeps', () => {
  let scene: PagesScene
  let table: string
  let name: string
  let id: string

  before(async () => {
    scene = await pagesScene()
    table = await scene.make('table', { table_name: 'Companies' })
    name = `f${await scene.make('field', { table_id: Number(table), field_name: 'Name', field_type: 'text' })}`
    id = await scene.make(`data${table}`, { [name]: 'North Wind' })
  })
  after(() => scene?.close())

  it('are shown without the service, with what waits; the edits are done once when it is back; nothing old is shown then', async () => {
    const { page, context, faults } = await scene.open({ serviceWorkers: 'allow' })
    page.on('dialog', (dialog) => void dialog.accept())
    await scene.signIn(page, `/t/${table}`)
    await page.getByRole('link', { name: 'North Wind' }).waitFor()
    await until('the worker', () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
    const held = await page.evaluate<string[]>(
      '(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())()',
    )
    assert.deepEqual(held.filter((path) => path !== '/' && !/^\/assets\/.+-[\w-]{8}\.\w+$/.test(path)), []) // prettier-ignore
    assert.ok(held.includes('/') && held.length > 10)

    const start = await scene.kill()
    const cell = page.locator("[data-row='0'] [aria-colindex='2']")
    await cell.click({ position: { x: 180, y: 10 } })
    await page.keyboard.type('South Wind')
    await page.keyboard.press('Enter')
    await cell.getByText('Waits for the connection').waitFor()
    await page.reload()
    await page.getByText('1 change is kept here').waitFor()
    await page.getByText('South Wind').waitFor()
    await mustBeAccessible(page, 'the pages without the service')
    await start()
    await page.getByRole('link', { name: 'South Wind' }).waitFor()
    const { body } = await scene.server.call(scene.token, 'GET', `data${table}/${id}/history`)
    assert.deepEqual(body.data.map((one: { attributes: { action: string } }) => one.attributes.action), ['create', 'update']) // prettier-ignore

    // What is kept is not asked while the service answers.
    await page.evaluate(
      `(async () => { for (const name of await caches.keys()) await (await caches.open(name)).put('/', new Response('old', { headers: { 'Content-Type': 'text/html' } })) })()`,
    )
    await page.goto(scene.address(`/t/${table}/${id}`))
    await page.locator('.fields').waitFor()
    await until('the new page to be kept', () =>
      page.evaluate<boolean>("(async () => (await (await caches.match('/')).text()) !== 'old')()"),
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are taken away when the service has no pages any more', async () => {
    const { page, context } = await scene.open({ serviceWorkers: 'allow' })
    await scene.signIn(page, '/profile')
    await until('the worker', () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
    const start = await scene.kill()
    await start({ KARTOTEKA_PAGES: 'no' })
    await page.goto(scene.address('/'))
    await page.getByText('This installation serves no web pages').waitFor()
    await until('the worker to be gone', () => page.evaluate<boolean>('(async () => (await navigator.serviceWorker.getRegistrations()).length + (await caches.keys()).length === 0)()')) // prettier-ignore
    await context.close()
  })
})
