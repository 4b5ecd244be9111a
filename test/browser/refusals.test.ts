import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pagesScene, password, type PagesScene } from './support/pages-scene.ts'

/* What the service refuses, in the language of the person. */

describe('what the service refuses', () => {
  let scene: PagesScene
  before(async () => (scene = await pagesScene()))
  after(() => scene?.close())

  it('is told in Russian at the field, in the list and in the filter', async () => {
    const table = await scene.make('table', { table_name: 'Люди' })
    const field = async (field_name: string, field_type: string, more: object = {}) =>
      `f${await scene.make('field', { table_id: Number(table), field_name, field_type, ...more })}`
    const name = await field('Имя', 'text', { unique: true })
    await field('Почта', 'email')
    for (const one of ['Анна', 'Борис']) await scene.make(`data${table}`, { [name]: one })
    const setting = { key: 'web', value: { language: 'ru' } }
    await scene.server.call(scene.token, 'POST', 'setting', { data: { type: 'setting', attributes: setting } })
    const { page, faults, context } = await scene.open()
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${table}/2`)
    const put = async (field: string, value: string) => {
      await page.getByRole('button', { name: `Изменить «${field}»`, exact: true }).click()
      await page.getByLabel(field, { exact: true }).fill(value)
      await page.keyboard.press('Enter')
    }
    await put('Имя', 'Анна')
    await page.getByText('Такое значение уже есть у другой записи.').waitFor()
    await page.goto(scene.address(`/t/${table}?filter=${encodeURIComponent(`foo(${name},'x')`)}`))
    await page.getByText('Функции «foo» нет. Есть: eq').first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('and what a proxy refuses in its place is told, with its status', async () => {
    const table = await scene.make('table', { table_name: 'Papers' })
    const [name, scans] = await Promise.all(
      [['Name', 'text'], ['Scans', 'file']].map(([field_name, field_type]) => scene.make('field', { table_id: Number(table), field_name, field_type })), // prettier-ignore
    )
    await scene.make(`data${table}`, { [`f${name}`]: 'Contract' })
    await scene.make('user', { login: 'clerk', group_id: 1, password })
    for (const [locale, tooMuch, other] of [
      ['en-GB', 'one.pdf: this is larger than the proxy in front of the service lets through.', 'such as a proxy (418).'],
      ['ru-RU', 'one.pdf: это больше, чем пропускает прокси перед сервисом.', 'например прокси (418).'],
    ] as const) {
      const { page, context } = await scene.open({ locale })
      page.setDefaultTimeout(10_000)
      let status = 413
      await page.route(`**/api/dev/file/${table}/f${scans}/**`, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status, contentType: 'text/html', body: `<h1>${status}</h1>` })
          : route.continue(),
      )
      await scene.signIn(page, `/t/${table}/1`, 'clerk')
      const send = () => page.locator('input[type=file]').setInputFiles({ name: 'one.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }) // prettier-ignore
      await send()
      await page.getByText(tooMuch).waitFor()
      status = 418
      await send()
      await page.getByText(other).waitFor()
      await context.close()
    }
  })
})
