import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* A setting of the administration that the service refuses, in a way that says nothing of this setting, is sent once more. */

const DENIED = JSON.stringify({ errors: [{ status: '403', code: 'access.denied', title: 'Access denied', detail: 'Not now.' }] })

describe('a setting that is refused', () => {
  let scene: PagesScene
  let people: string
  let field: string
  let hook: string

  before(async () => {
    scene = await pagesScene()
    people = await scene.make('table', { table_name: 'People' })
    field = await scene.make('field', { table_id: Number(people), field_name: 'Name', field_type: 'text' })
    hook = await scene.make('webhook', {
      url: 'https://a.example/x',
      table_id: Number(people),
      actions: ['create'],
      filter: '',
      active: true,
    })
  })
  after(() => scene?.close())

  /** A page on which the first PATCH is refused, as late as `refuse` is called. */
  async function refusing(address: string) {
    const { page, context } = await scene.open()
    const asked: string[] = []
    let refuse = (): void => undefined
    const wait = new Promise<void>((resolve) => (refuse = resolve))
    await page.route('**/api/dev/**', async (route) => {
      const request = route.request()
      if (request.method() !== 'PATCH') return route.continue()
      if (asked.push(JSON.stringify(request.postDataJSON().data.attributes)) > 1) return route.continue()
      await wait
      await route.fulfill({ status: 403, contentType: 'application/vnd.api+json', body: DENIED })
    })
    await scene.signIn(page, address)
    return { page, context, asked, refuse }
  }
  const held = async (type: string, id: string) => (await scene.server.call(scene.token, 'GET', `${type}/${id}`)).body.data.attributes

  it('is saved with Enter the second time', async () => {
    const { page, context, asked, refuse } = await refusing(`/admin/webhooks?webhook=${hook}`)
    const box = page.getByLabel('Address of the receiver')
    await box.fill('https://b.example/y')
    await page.keyboard.press('Enter')
    await until('that it is sent', () => asked.length === 1)
    // What is on its way is sent once.
    await page.keyboard.press('Tab')
    await box.focus()
    refuse()
    await page.getByText('Not now.').waitFor()
    assert.equal(await box.inputValue(), 'https://b.example/y')
    assert.equal(asked.length, 1)
    await page.keyboard.press('Enter')
    await until('that it is saved', async () => (await held('webhook', hook)).url === 'https://b.example/y')
    assert.deepEqual(
      asked,
      Array.from({ length: 2 }, () => '{"url":"https://b.example/y"}'),
    )
    await context.close()
  })

  it('is saved when it is left, after another setting was saved', async () => {
    const { page, context, asked, refuse } = await refusing(`/admin/tables/${people}?field=${field}`)
    const box = page.getByLabel('Hint for those who fill it in')
    await box.fill('a hint')
    await page.keyboard.press('Enter')
    await until('that it is sent', () => asked.length === 1)
    await page.getByLabel('Section of the record').first().fill('Contacts')
    await page.keyboard.press('Enter')
    refuse()
    await until('the other one', async () => (await held('field', field)).section === 'Contacts')
    await page.getByText('Saved').waitFor()
    assert.equal(await box.inputValue(), 'a hint')
    await box.focus()
    await page.keyboard.press('Tab')
    await until('that it is saved', async () => (await held('field', field)).hint === 'a hint')
    assert.deepEqual(asked, ['{"hint":"a hint"}', '{"section":"Contacts"}', '{"hint":"a hint"}'])
    await context.close()
  })
})
