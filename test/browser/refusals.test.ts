import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

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
})
