import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What a setting of the administration sends, and when: the service refuses it, is slow, or saves it in another form. */

const DENIED = JSON.stringify({ errors: [{ status: '403', code: 'access.denied', title: 'Access denied', detail: 'Not now.' }] })

describe('a setting', () => {
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

  /** A page on which the first PATCH waits for `go`, and is then refused or not. */
  async function waiting(address: string, isRefused: boolean) {
    const { page, context } = await scene.open()
    const asked: string[] = []
    let go = (): void => undefined
    const wait = new Promise<void>((resolve) => (go = resolve))
    await page.route('**/api/dev/**', async (route) => {
      const request = route.request()
      if (request.method() !== 'PATCH') return route.continue()
      if (asked.push(JSON.stringify(request.postDataJSON().data.attributes)) > 1) return route.continue()
      await wait
      if (!isRefused) return route.continue()
      await route.fulfill({ status: 403, contentType: 'application/vnd.api+json', body: DENIED })
    })
    await scene.signIn(page, address)
    return { page, context, asked, go }
  }
  const held = async (type: string, id: string) => (await scene.server.call(scene.token, 'GET', `${type}/${id}`)).body.data.attributes

  it('that is refused is saved with Enter the second time', async () => {
    const { page, context, asked, go } = await waiting(`/admin/webhooks?webhook=${hook}`, true)
    const box = page.getByLabel('Address of the receiver')
    await box.fill('https://b.example/y')
    await page.keyboard.press('Enter')
    await until('that it is sent', () => asked.length === 1)
    // What is on its way is sent once.
    await page.keyboard.press('Tab')
    await box.focus()
    go()
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

  it('that is refused is saved when it is left, after another setting was saved', async () => {
    const { page, context, asked, go } = await waiting(`/admin/tables/${people}?field=${field}`, true)
    const box = page.getByLabel('Hint for those who fill it in')
    await box.fill('a hint')
    await page.keyboard.press('Enter')
    await until('that it is sent', () => asked.length === 1)
    await page.getByLabel('Section of the record').first().fill('Contacts')
    await page.keyboard.press('Enter')
    go()
    await until('the other one', async () => (await held('field', field)).section === 'Contacts')
    await page.getByText('Saved').waitFor()
    assert.equal(await box.inputValue(), 'a hint')
    await box.focus()
    await page.keyboard.press('Tab')
    await until('that it is saved', async () => (await held('field', field)).hint === 'a hint')
    assert.deepEqual(asked, ['{"hint":"a hint"}', '{"section":"Contacts"}', '{"hint":"a hint"}'])
    await context.close()
  })

  it('that was taken back is not saved again when it is left', async () => {
    const other = await scene.make('field', { table_id: Number(people), field_name: 'Place', field_type: 'text' })
    const { page, context, asked, go } = await waiting(`/admin/tables/${people}?field=${other}`, false)
    go()
    const box = page.getByLabel('Hint for those who fill it in')
    await box.fill('first')
    await page.keyboard.press('Tab')
    await until('that it is saved', async () => (await held('field', other)).hint === 'first')
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('that it is as before', async () => (await held('field', other)).hint === '')
    await until('that this is shown', async () => (await box.inputValue()) === '')
    await box.focus()
    await page.keyboard.press('Tab')
    await page.getByLabel('Section of the record').first().fill('Where')
    await page.keyboard.press('Enter')
    await until('what is sent afterwards', async () => (await held('field', other)).section === 'Where')
    assert.deepEqual(asked, ['{"hint":"first"}', '{"hint":""}', '{"section":"Where"}'])
    await context.close()
  })

  it('that is saved in another form is sent once, and what is saved is shown', async () => {
    const { page, context, asked, go } = await waiting(`/admin/webhooks?webhook=${hook}`, false)
    go()
    const box = page.getByLabel('Address of the receiver')
    await box.fill('https://c.example/z ')
    await page.keyboard.press('Enter')
    await until('that it is shown', async () => (await box.inputValue()) === 'https://c.example/z')
    await page.keyboard.press('Tab')
    await box.focus()
    await page.keyboard.press('Tab')
    await page.getByRole('checkbox', { name: 'changes', exact: true }).click()
    await until('what is sent afterwards', () => asked.length > 1)
    assert.deepEqual(asked, ['{"url":"https://c.example/z"}', '{"actions":["create","update"]}'])
    await context.close()
  })

  it('that is changed back while it is on its way is what it was', async () => {
    const { page, context, asked, go } = await waiting(`/admin/tables/${people}?field=${field}`, false)
    const box = page.getByLabel('Hint for those who fill it in')
    await until('the hint', async () => (await box.inputValue()) === 'a hint')
    await box.fill('another one')
    await page.keyboard.press('Enter')
    await until('that it is sent', () => asked.length === 1)
    await box.fill('a hint')
    await page.keyboard.press('Enter')
    go()
    await until('that both are sent', () => asked.length === 2)
    await until('that it is as before', async () => (await held('field', field)).hint === 'a hint')
    assert.deepEqual(asked, ['{"hint":"another one"}', '{"hint":"a hint"}'])
    await context.close()
  })
})
