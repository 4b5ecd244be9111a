import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, HOSTILE, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Filters as people build them, and the quick search. */

describe('the filter', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    const companies = await scene.make('table', { table_name: 'Companies' })
    const name = await scene.make('field', { table_id: Number(companies), field_name: 'Name', field_type: 'text' })
    for (const one of ['Northgate', 'Südwind']) await scene.make(`data${companies}`, { [`f${name}`]: one })
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }, { label: "Won't" }] })
    await field('Amount', 'decimal', { scale: 2 })
    await field('Closes', 'date')
    await field('Company', 'reference', { reference_table_id: Number(companies) })
    await field('Signed', 'boolean')
    for (let i = 1; i <= 30; i++)
      await scene.make(`data${deals}`, {
        [f['Title']!]: i === 30 ? HOSTILE : `Deal ${i}`,
        [f['Stage']!]: ['New', 'Won', "Won't"][i % 3],
        [f['Amount']!]: `${i * 100}`,
        [f['Closes']!]: i <= 4 ? '2020-01-01' : '2099-01-01',
        [f['Company']!]: String((i % 2) + 1),
        [f['Signed']!]: i % 5 === 0 ? '1' : '0',
      })
  })
  after(() => scene?.close())

  const opened = async (path = '') => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    await scene.signIn(window.page, `/t/${deals}${path}`)
    return window
  }
  const shown = (page: Page, count: string) => page.getByText(count, { exact: true }).waitFor()
  const rule = (page: Page, at: number) => page.locator('.filter-builder .rule').nth(at)
  const filterOf = (page: Page) => new URL(page.url()).searchParams.get('filter')

  it('is built of fields, comparisons and values, told in words, and kept in the address', async () => {
    const { page, context, faults } = await opened()
    await shown(page, '30 records')
    await page.keyboard.press('Control+Shift+F')
    // The first condition waits to be filled in.
    await rule(page, 0).getByLabel('Field').selectOption({ label: 'Stage' })
    await rule(page, 0).getByLabel('Comparison').selectOption({ label: 'is any of' })
    await rule(page, 0).getByRole('button', { name: 'Stage: Value' }).click()
    await page.getByRole('option', { name: 'New', exact: true }).click()
    await page.getByRole('option', { name: "Won't" }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    await rule(page, 1).getByLabel('Field').selectOption({ label: 'Amount' })
    await rule(page, 1).getByLabel('Comparison').selectOption({ label: 'above' })
    await rule(page, 1).getByRole('button', { name: 'Amount: Value' }).click()
    await page.keyboard.type('1,000')
    await page.keyboard.press('Enter')
    await page.getByText("Stage is any of New, Won't and Amount above 1,000.00").first().waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await mustBeAccessible(page, `filter builder, ${colorScheme}`)
    }
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(page, '14 records')
    assert.equal(filterOf(page), `and(in(${f['Stage']},'New','Won''t'),gt(${f['Amount']},'1000.00'))`)
    await page.reload()
    await shown(page, '14 records')
    await page.getByRole('button', { name: /^Filter: Stage is any of New/ }).click()
    // Whoever opens it goes on with its first row.
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.closest('.rule select') !== null"))
    await rule(page, 0).getByRole('button', { name: 'Take the condition away' }).click()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(page, '20 records')
    await page.getByRole('button', { name: 'Take the filter away' }).first().click()
    await shown(page, '30 records')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is shown by Ctrl+Enter, with the value that is being typed; one that does not fit stays', async () => {
    const { page, context, faults } = await opened()
    await shown(page, '30 records')
    await page.keyboard.press('Control+Shift+F')
    await rule(page, 0).getByLabel('Field').selectOption({ label: 'Amount' })
    await rule(page, 0).getByLabel('Comparison').selectOption({ label: 'above' })
    await rule(page, 0).getByRole('button', { name: 'Amount: Value' }).click()
    await page.keyboard.type('lots')
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^This is no number/).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1,000')
    await page.keyboard.press('Control+Enter')
    await shown(page, '20 records')
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('that the service refuses goes on in its field, which tells what is wrong with it', async () => {
    const { page, context, faults } = await opened()
    await shown(page, '30 records')
    const expression = page.getByRole('dialog').getByLabel('Expression')
    await page.keyboard.press('Control+Shift+F')
    await page.getByRole('button', { name: 'As an expression' }).click()
    await expression.fill(`nonsense(${f['Title']})`)
    await page.keyboard.press('Control+Enter')
    const isIn = () =>
      expression.evaluate((its) => {
        const said = its.ownerDocument.getElementById(its.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
        return its === its.ownerDocument.activeElement && said.startsWith('The filter is not understood')
      })
    await until('the focus, with what is wrong', isIn)
    assert.equal(await expression.inputValue(), `nonsense(${f['Title']})`)
    assert.equal(await expression.getAttribute('aria-invalid'), 'true')
    await mustBeAccessible(page, 'a filter that was refused')
    await expression.fill(`eq(${f['Stage']},'Won')`)
    await page.keyboard.press('Control+Enter')
    await shown(page, '10 records')
    assert.equal(await page.getByRole('dialog').count(), 0)
    // A filter that the address brings, and nobody has typed here, opens nothing.
    await page.goto(scene.address(`/t/${deals}?filter=${encodeURIComponent(`nonsense(${f['Title']})`)}`))
    await page.getByRole('alert').filter({ hasText: 'The filter is not understood' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('that was built and not applied is there, and seen, when the dialog is opened again', async () => {
    const { page, context, faults } = await opened(`?filter=${encodeURIComponent(`eq(${f['Stage']},'Won')`)}`)
    await shown(page, '10 records')
    await page.getByRole('button', { name: 'Filter: Stage is Won', exact: true }).click()
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    await rule(page, 1).getByLabel('Field').selectOption({ label: 'Signed' })
    const says = page.locator('.filter-builder .says')
    await says.getByText('Stage is Won and Signed is yes').waitFor()
    const leave = async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await says.waitFor({ state: 'detached' })
    }
    await leave()
    await shown(page, '10 records')
    await page.getByRole('button', { name: 'Filter: Stage is Won, changed, not shown yet' }).click()
    await says.getByText('Stage is Won and Signed is yes').waitFor()
    assert.equal(await page.locator('.filter-builder .rule').count(), 2)
    await page.getByRole('button', { name: 'Discard the changes' }).click()
    await says.getByText('Stage is Won', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await says.waitFor({ state: 'detached' })
    assert.equal(filterOf(page), `eq(${f['Stage']},'Won')`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has groups, relative dates and records of other tables by their titles', async () => {
    const { page, context, faults } = await opened(
      `?filter=${encodeURIComponent(`or(lt(${'FC'},today-30),and(eq(FK,'2'),eq(FS,'1')))`.replace('FC', f['Closes']!).replace('FK', f['Company']!).replace('FS', f['Signed']!))}`,
    )
    await page.getByRole('button', { name: 'Filter: Closes below 30 days ago or (Company is Südwind and Signed is yes)' }).click()
    await until('both groups', async () => (await page.getByLabel('Which of the conditions hold').count()) === 2)
    await page.getByLabel('Which of the conditions hold').first().selectOption({ label: 'None of these holds' })
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const wanted = `not(or(lt(${f['Closes']},today-30),and(eq(${f['Company']},'2'),eq(${f['Signed']},'1'))))`
    await until('the filter', async () => filterOf(page) === wanted)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has the last and the next days, as many as one types', async () => {
    const { page, context, faults } = await opened()
    await shown(page, '30 records')
    await page.keyboard.press('Control+Shift+F')
    await rule(page, 0).getByLabel('Field').selectOption({ label: 'Closes' })
    await rule(page, 0).getByLabel('Comparison').selectOption({ label: 'in the last' })
    const says = (words: string) => page.locator('.filter-builder .says').getByText(words, { exact: true }).waitFor()
    await says('Closes in the last 7 days')
    await rule(page, 0).getByLabel('Closes: days').fill('40000')
    await says('Closes in the last 40,000 days')
    await mustBeAccessible(page, 'the last days')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(page, '4 records')
    assert.equal(filterOf(page), `between(${f['Closes']},today-39999,today)`)
    await page.getByRole('button', { name: 'Filter: Closes in the last 40,000 days' }).click()
    await rule(page, 0).getByLabel('Comparison').selectOption({ label: 'in the next' })
    assert.equal(await rule(page, 0).getByLabel('Closes: days').inputValue(), '40000')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(page, '26 records')
    assert.equal(filterOf(page), `between(${f['Closes']},today,today+39999)`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('has weeks, months and years, with the weeks of where the person is', async () => {
    const { page, context, faults } = await opened()
    await shown(page, '30 records')
    await page.keyboard.press('Control+Shift+F')
    await rule(page, 0).getByLabel('Field').selectOption({ label: 'Closes' })
    await rule(page, 0).getByLabel('Comparison').selectOption({ label: 'falls within' })
    const says = (words: string) => page.locator('.filter-builder .says').getByText(words, { exact: true }).waitFor()
    await says('Closes falls within this week')
    const period = rule(page, 0).getByLabel('Closes: week, month or year')
    await period.selectOption({ label: 'next year' })
    await says('Closes falls within next year')
    await mustBeAccessible(page, 'a year')
    await period.selectOption({ label: 'this week' })
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'No record matches the filter' }).waitFor()
    assert.equal(filterOf(page), `and(gte(${f['Closes']},week),lt(${f['Closes']},week+1))`)
    const now = await scene.make(`data${deals}`, { [f['Title']!]: 'Now', [f['Closes']!]: new Date().toISOString().slice(0, 10) })
    await page.reload()
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Filter: Closes falls within this week' }).click()
    assert.equal(await period.inputValue(), 'week')
    await page.goto(
      scene.address(`/t/${deals}?filter=${encodeURIComponent(`and(gte(${f['Closes']},week_sunday-1),lt(${f['Closes']},week_sunday))`)}`),
    )
    await page.getByRole('button', { name: 'Filter: Closes falls within last week (from Sunday)' }).waitFor()
    await page.goto(
      scene.address(`/t/${deals}?filter=${encodeURIComponent(`and(gte(${f['Closes']},month),lt(${f['Closes']},week_sunday+3))`)}`),
    )
    await page.getByRole('button', { name: 'Filter: Closes from the start of this month and Closes below the start of the week in 3 weeks (from Sunday)' }).click() // prettier-ignore
    assert.equal(await rule(page, 1).getByLabel('Comparison').inputValue(), 'below')
    await rule(page, 0).getByLabel('Closes: words that stand for a value').selectOption({ label: 'the start of this year' })
    await says('Closes from the start of this year and Closes below the start of the week in 3 weeks (from Sunday)')
    await scene.server.call(scene.token, 'DELETE', `data${deals}/${now}`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is typed and pasted as an expression, and what cannot be drawn is kept', async () => {
    const { page, context } = await opened()
    await shown(page, '30 records')
    await page.keyboard.press('Control+Shift+F')
    await page.getByRole('button', { name: 'As an expression' }).click()
    const kept = `and(eq(${f['Company']}.f1,'Northgate'),eq(${f['Stage']},'Won'))`
    await page.getByLabel('Expression').fill(`${kept},`)
    await page.getByText('Not an expression yet').waitFor()
    await page.getByLabel('Expression').fill(kept)
    await page.getByRole('button', { name: 'As conditions' }).click()
    await page.locator('.filter-builder .rule code').getByText(`eq(${f['Company']}.f1,'Northgate')`).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(page, '5 records')
    assert.equal(filterOf(page), kept)
    await page.goto(scene.address(`/t/${deals}?filter=nonsense(`))
    assert.match(await page.getByRole('alert').innerText(), /^The filter is not understood: /)
    await context.close()
  })

  it('finds words as one types, and takes the value at hand', async () => {
    const { page, context, faults } = await opened()
    await shown(page, '30 records')
    await page.keyboard.press('/')
    await page.keyboard.type('deal 7')
    await shown(page, '1 record')
    assert.equal(new URL(page.url()).searchParams.get('q'), 'deal 7')
    await page.keyboard.press('Escape')
    await shown(page, '30 records')
    await page.locator("[data-row='1'] [aria-colindex='3']").click()
    await page.getByRole('columnheader', { name: 'Stage' }).hover()
    await page.getByRole('button', { name: 'Menu of the column Stage' }).click()
    await page.getByRole('menuitem', { name: 'Filter by the value at hand' }).click()
    await shown(page, '10 records')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('of 500 terms is shown, built further and applied', async () => {
    const terms = Array.from({ length: 450 }, (_, i) => `eq(${f['Title']},'Deal ${i}')`)
    const { page, context, faults } = await opened(`?filter=${encodeURIComponent(`or(${terms.join(',')})`)}`)
    await shown(page, '29 records')
    await page.getByRole('button', { name: /^Filter: Title is Deal 0 or/ }).click()
    await rule(page, 449).getByRole('button', { name: 'Take the condition away' }).click()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shown(page, '29 records')
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('is built with a thumb', async () => {
    const { page, context, faults } = await scene.open({ width: 390, height: 844, locale: 'ru-RU' })
    page.setDefaultTimeout(10_000)
    await scene.signIn(page, `/t/${deals}`)
    await page.getByRole('button', { name: 'Фильтр' }).click()
    await page.getByRole('button', { name: 'Условие', exact: true }).click()
    await rule(page, 0).getByRole('button', { name: 'Title: Значение' }).click()
    await page.keyboard.type('Deal 1')
    await page.keyboard.press('Enter')
    await mustBeAccessible(page, 'filter builder on a phone')
    assert.equal(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), true)
    await page.getByRole('button', { name: 'Показать' }).click()
    await page.getByText(/из 11 записей/).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })
})
