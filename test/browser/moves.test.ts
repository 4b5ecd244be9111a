import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { following, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Cards of a board and records of a calendar are moved as every other value is written: not over what somebody else has written, and later without a connection. */

describe('a record that is moved', () => {
  let scene: PagesScene
  let deals: string
  let window: Awaited<ReturnType<PagesScene['open']>>
  let page: Page
  const f: Record<string, string> = {}
  const month = new Date().toISOString().slice(0, 7)
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    for (const [name, type, more] of [
      ['Title', 'text', {}],
      ['Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }, { label: 'Lost' }] }],
      ['Closes', 'date', {}],
    ] as const)
      f[name] = `f${await scene.make('field', { table_id: Number(deals), field_name: name, field_type: type, ...more })}`
    for (let i = 1; i <= 8; i++)
      await scene.make(`data${deals}`, { [f['Title']!]: `Deal ${i}`, [f['Stage']!]: 'New', [f['Closes']!]: `${month}-1${i}` })
  })
  after(() => scene?.close())
  const open = async (kind: string) => {
    await following(page, () => scene.signIn(page, `/t/${deals}?kind=${kind}`))
    await page.getByText('Deal 1', { exact: true }).waitFor()
  }
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const lane = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string, id: number) => lane(name).locator('.card', { hasText: `Deal ${id}` })
  const day = (number: number) => page.locator('.day', { has: page.locator(`time[datetime="${month}-${number}"]`) })
  const item = (number: number, id: number) => day(number).locator('.day-item', { hasText: `Deal ${id}` })
  const value = async (id: number, name: string): Promise<string> =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[f[name]!]
  const holds = (id: number, name: string, wanted: string) => until(`${name} ${wanted}`, async () => (await value(id, name)) === wanted)
  const other = (id: number, name: string, to: string) =>
    scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, { data: { type: `data${deals}`, id: String(id), attributes: { [f[name]!]: to } } }) // prettier-ignore
  /** What was changed, the oldest first. */
  const changes = async (id: number) =>
    (await scene.server.call(scene.token, 'GET', `data${deals}/${id}/history?sort=id`)).body.data
      .filter((one: { attributes: { action: string } }) => one.attributes.action === 'update')
      .map((one: { attributes: { changes: Record<string, { to: unknown }> } }) => Object.values(one.attributes.changes).map(({ to }) => to).join()) as string[] // prettier-ignore
  /** Somebody else writes the same value while that of the page is under way. */
  const beforeIt = (id: number, name: string, to: string) => {
    let times = 0
    return page.route(`**/api/dev/data${deals}/${id}*`, async (route) => {
      if (route.request().method() === 'PATCH' && times++ === 0) await other(id, name, to)
      return route.continue()
    })
  }
  const moveByMenu = async (id: number, to: string) => {
    await page.getByRole('button', { name: `Move record ${id}` }).press('Enter')
    await page.getByRole('menuitem', { name: to }).press('Enter')
  }

  it('to a lane to which somebody else moves it elsewhere: both values are shown, and none is lost', async () => {
    await open('board')
    await beforeIt(1, 'Stage', 'Lost')
    await card('New', 1).dragTo(lane('Won'))
    const asking = card('Won', 1).getByRole('alert')
    await asking.getByText('Lost', { exact: true }).waitFor()
    assert.equal(await value(1, 'Stage'), 'Lost')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await mustBeAccessible(page, `a card that was moved by two people, ${colorScheme}`)
    }
    await asking.getByRole('button', { name: 'Keep mine' }).click()
    await holds(1, 'Stage', 'Won')
    await asking.waitFor({ state: 'detached' })
    await card('Won', 1).waitFor()
    await beforeIt(2, 'Stage', 'Lost')
    await moveByMenu(2, 'Won')
    await card('Won', 2).getByRole('alert').getByRole('button', { name: 'Take theirs' }).click()
    await card('Lost', 2).waitFor()
    assert.equal(await value(2, 'Stage'), 'Lost')
    assert.deepEqual(await changes(1), ['Lost', 'Won'])
    assert.deepEqual(await changes(2), ['Lost'])
  })

  it('without a connection stands where it goes, waits, and is sent once when the service is back', async () => {
    await open('board')
    await window.context.setOffline(true)
    await page.getByText('The service does not answer').waitFor()
    await moveByMenu(3, 'Won')
    await card('Won', 3).getByText('Waits for the connection').waitFor()
    assert.equal(await card('New', 3).count(), 0)
    await moveByMenu(3, 'Lost')
    await card('Lost', 3).getByText('Waits for the connection').waitFor()
    await moveByMenu(4, 'Won')
    await card('Won', 4).getByText('Waits for the connection').waitFor()
    // What waits is taken back unsent.
    await page.keyboard.press('Control+z')
    await card('New', 4).waitFor()
    assert.equal(await value(3, 'Stage'), 'New')
    await window.context.setOffline(false)
    await holds(3, 'Stage', 'Lost')
    await card('Lost', 3).getByText('Waits for the connection').waitFor({ state: 'detached' })
    await page.locator('.toast').filter({ hasText: 'Lost' }).getByRole('button', { name: 'Undo' }).click()
    await holds(3, 'Stage', 'New')
    await card('New', 3).waitFor()
    assert.deepEqual([await changes(3), await changes(4)], [['Lost', 'New'], []])
  })

  it('that is refused says why at the card, and goes back', async () => {
    await open('board')
    await page.route(`**/api/dev/data${deals}/5*`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { errors: [{ status: '403', code: 'access.denied', detail: 'You may not write this record.' }] } }) // prettier-ignore
        : route.continue(),
    )
    await moveByMenu(5, 'Won')
    await card('Won', 5).getByRole('alert').getByText('Not saved.').waitFor()
    await card('Won', 5).getByRole('button', { name: 'Put back' }).click()
    await card('New', 5).waitFor()
    assert.equal(await value(5, 'Stage'), 'New')
  })

  it('by the mouse to another day is there at once; one that somebody else moves shows both days', async () => {
    await open('calendar')
    let answer: (() => void) | undefined
    const held = new Promise<void>((go) => (answer = go))
    await page.route(`**/api/dev/data${deals}/6*`, async (route) => {
      if (route.request().method() === 'PATCH') await held
      return route.continue()
    })
    await item(16, 6).dragTo(day(20))
    await item(20, 6).waitFor()
    assert.equal(await value(6, 'Closes'), `${month}-16`)
    answer!()
    await holds(6, 'Closes', `${month}-20`)
    const moved = page.locator('.toast').filter({ hasText: 'Deal 6' })
    const day20 = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).formatToParts(Date.parse(`${month}-20T00:00Z`))
    for (const { type, value: part } of day20) if (type !== 'literal') await moved.getByText(part).waitFor()
    assert.doesNotMatch(await moved.innerText(), /\d-\d/, 'a day is said as people write it')
    await moved.getByRole('button', { name: 'Undo' }).click()
    await holds(6, 'Closes', `${month}-16`)
    await item(16, 6).waitFor()
    await beforeIt(7, 'Closes', `${month}-25`)
    await item(17, 7).dragTo(day(21))
    const asking = item(21, 7).getByRole('alert')
    await asking.getByText('25').waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await mustBeAccessible(page, `a record that was moved by two people, ${colorScheme}`)
    }
    await asking.getByRole('button', { name: 'Take theirs' }).click()
    await item(25, 7).waitFor()
    assert.deepEqual(await changes(7), [`${month}-25`])
    await window.context.setOffline(true)
    await page.getByText('The service does not answer').waitFor()
    await item(18, 8).dragTo(day(22))
    await item(22, 8).getByText('Waits for the connection').waitFor()
    await window.context.setOffline(false)
    await holds(8, 'Closes', `${month}-22`)
    assert.deepEqual(await changes(8), [`${month}-22`])
  })

  it('once more before its list has been read again has been moved by nobody else meanwhile', async () => {
    // Nobody tells the page what is written.
    await page.route('**/api/dev/events?*', (route) => route.abort())
    await scene.signIn(page, `/t/${deals}?kind=board`)
    await page.getByText('Deal 6', { exact: true }).waitFor()
    let read = () => {}
    const mayRead = new Promise<void>((resolve) => (read = resolve))
    await page.route(`**/api/dev/data${deals}?*`, async (route) => (await mayRead, route.continue()))
    await moveByMenu(6, 'Won')
    await page.locator('.toast').filter({ hasText: 'Won' }).waitFor()
    await moveByMenu(6, 'Lost')
    const asking = card('Lost', 6).getByRole('alert')
    await until('an answer', async () => (await value(6, 'Stage')) === 'Lost' || (await asking.count()) > 0)
    assert.equal(await asking.count(), 0)
    read()
    await page.locator('.toast').filter({ hasText: 'Lost' }).waitFor()
    await card('Lost', 6).waitFor()
    assert.deepEqual((await changes(6)).slice(-2), ['Won', 'Lost'])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('to another month, and not saved, is told above the page, and shown in that month', async () => {
    await open('calendar')
    await beforeIt(1, 'Closes', `${month}-26`)
    await page.getByRole('button', { name: 'Move record 1', exact: true }).click()
    const picker = page.locator('.day-picker')
    for (let i = 0; i < 2; i++) await picker.locator('[slot=next]').click()
    await picker.getByText('15', { exact: true }).click()
    const told = page.getByText('1 change was not saved.')
    await told.waitFor()
    assert.equal(await value(1, 'Closes'), `${month}-26`)
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Next month' }).click()
    const asking = page.locator('.day-item', { hasText: 'Deal 1' }).getByRole('alert')
    await asking.getByText('26').waitFor()
    await told.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await told.waitFor()
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Next month' }).click()
    await asking.getByRole('button', { name: 'Keep mine' }).click()
    await until('another month', async () => !(await value(1, 'Closes')).startsWith(month))
    await asking.waitFor({ state: 'detached' })
  })

  it('by keyboard keeps the focus, on a board and in a calendar', async () => {
    await open('board')
    const isFocused = (where: ReturnType<typeof card>) => until('the focus', async () => (await where.locator(':focus').count()) === 1)
    await moveByMenu(5, 'Lost')
    await isFocused(card('Lost', 5))
    await holds(5, 'Stage', 'Lost')
    // Its list has been read again.
    await card('Lost', 5).and(page.locator('[data-at]')).waitFor()
    await isFocused(card('Lost', 5))
    await page.goto(scene.address(`/t/${deals}?kind=calendar`))
    await item(15, 5).waitFor()
    await page.getByRole('button', { name: 'Move record 5', exact: true }).press('Enter')
    await page.locator('.day-picker').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await isFocused(item(16, 5))
    await holds(5, 'Closes', `${month}-16`)
    await page.waitForTimeout(1000)
    await isFocused(item(16, 5))
  })

  it('is one of this page: what is dragged in from another window or program moves nothing', async () => {
    const firms = await scene.make('table', { table_name: 'Firms' })
    const title = `f${await scene.make('field', { table_id: Number(firms), field_name: 'Title', field_type: 'text' })}`
    await scene.make('field', { table_id: Number(firms), field_name: 'Kind', field_type: 'list', options: [{ label: 'Big' }] })
    await scene.make(`data${firms}`, { [title]: 'Heron' })
    const window2 = await scene.open()
    await scene.signIn(window2.page, `/t/${firms}?kind=board`)
    await window2.page.getByText('Heron', { exact: true }).waitFor()
    const taken = await window2.page.evaluate<[string, string][]>(`(() => {
      const data = new DataTransfer()
      document.querySelector('.card').dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }))
      return data.types.map((type) => [type, data.getData(type)])
    })()`)
    await window2.context.close()
    const written: string[] = []
    page.on('request', (request) => void (request.method() === 'PATCH' && written.push(request.url())))
    /** Whether the place takes it. */
    const drop = (place: string, given: readonly (readonly [string, string])[]) =>
      page.evaluate<boolean>(`((place, given) => {
        const data = new DataTransfer()
        for (const [type, text] of given) data.setData(type, text)
        const tell = (type) => document.querySelector(place).dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
        const isTaken = !tell('dragover')
        tell('drop')
        return isTaken
      })(${JSON.stringify(place)}, ${JSON.stringify(given)})`)
    await open('board')
    const before = [await value(1, 'Stage'), await value(1, 'Closes')]
    await drop(before[0] === 'Lost' ? '[aria-label=Won]' : '[aria-label=Lost]', taken)
    const taken1 = await drop('[aria-label=New]', [['text/plain', '1'], ['application/json', '{']]) // prettier-ignore
    await page.goto(scene.address(`/t/${deals}?kind=calendar`))
    await page.getByText('Deal 8', { exact: true }).waitFor()
    const taken2 = await drop('.day:not(.other)', [['text/plain', '8']])
    await drop('.day:not(.other)', taken)
    await page.waitForTimeout(500)
    assert.deepEqual([written, [await value(1, 'Stage'), await value(1, 'Closes')]], [[], before])
    assert.deepEqual([taken1, taken2], [false, false], 'what is nobody’s card is not even offered a place')
  })
})
