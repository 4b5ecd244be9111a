import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { mustBeAccessible, type Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { following, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* Lanes of a board with thousands of cards, of which those near the window are drawn and read. */

const CARDS = 3000

describe('a lane of a board with thousands of cards', () => {
  let scene: PagesScene
  let deals: string
  let window: Awaited<ReturnType<PagesScene['open']>>
  let page: Page
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    for (const [name, type, more] of [
      ['Title', 'text', {}],
      ['Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }] }],
      ['Phone', 'phone', {}],
      ['Notes', 'text', {}],
    ] as const)
      f[name] = `f${await scene.make('field', { table_id: Number(deals), field_name: name, field_type: type, ...more })}`
    // Cards of three heights.
    const lines = Array.from({ length: CARDS }, (_, i) => `Deal ${i + 1},New,${i % 2 ? '+7 495 1234567' : ''},${i % 3 ? 'some words' : ''}`)
    await scene.fill('Deals', ['Title,Stage,Phone,Notes', ...lines, 'Deal 3001,Won,,'].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(10_000)
    await following(page, () => scene.signIn(page, `/t/${deals}?kind=board`))
    await lane('New').getByText('Deal 1', { exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const lane = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (id: number) => lane('New').getByText(`Deal ${id}`, { exact: true })
  const stage = async (id: number) => (await scene.server.call(scene.token, 'GET', `data${deals}/${id}`)).body.data.attributes[f['Stage']!]
  const change = (id: number, name: string, value: string) =>
    scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, { data: { type: `data${deals}`, id: String(id), attributes: { [f[name]!]: value } } }) // prettier-ignore
  const scrollTo = (share: number) =>
    page.evaluate(
      `(() => { const lane = document.querySelector('.lane'); lane.scrollTop = (lane.scrollHeight - lane.clientHeight) * ${share} })()`,
    )
  /** Cards that are drawn: how many, and whether one is over another. */
  const drawn = () =>
    page.evaluate<{ count: number; first: number; last: number; isOver: boolean; inSight: number }>(`(() => {
      const lane = document.querySelector('.lane').getBoundingClientRect()
      const cards = [...document.querySelectorAll('.lane:first-child .card')]
      const boxes = cards.map((one) => one.getBoundingClientRect())
      return {
        count: cards.length,
        first: Number(cards[0]?.ariaPosInSet), last: Number(cards.at(-1)?.ariaPosInSet),
        isOver: boxes.some((box, i) => i > 0 && box.top < boxes[i - 1].bottom),
        inSight: boxes.filter(({ top, bottom }) => bottom > lane.top && top < lane.bottom).length,
      }
    })()`)

  it('draws some of them, wherever one scrolls to, down to the last; none over another', async () => {
    const sizes = await lane('New').getByRole('listitem').first().getAttribute('aria-setsize')
    assert.equal(sizes, String(CARDS))
    // The heads of lanes come by a request of their own.
    await lane('New').locator('header').getByText('3,000', { exact: true }).waitFor()
    for (const share of [0.5, 0.25, 0.9]) {
      await scrollTo(share)
      await until(`cards at ${share}`, async () => {
        const { first, last, inSight } = await drawn()
        return inSight >= 4 && last > CARDS * (share - 0.1) && first < CARDS * (share + 0.1)
      })
      const { count, isOver } = await drawn()
      assert.ok(count <= 120, `${count} cards`)
      assert.equal(isOver, false)
    }
    await scrollTo(1)
    await card(CARDS).waitFor()
    const bottom = 'document.querySelector(\'.lane [aria-posinset="3000"]\').getBoundingClientRect().bottom'
    await until('the last card in sight', () => page.evaluate<boolean>(`${bottom} <= innerHeight`))
    assert.ok((await drawn()).count <= 120)
    await mustBeAccessible(page, 'the end of a lane')
    await lane('New').hover()
    await until('the cards before', async () => {
      await page.mouse.wheel(0, -300)
      return (await card(CARDS - 60).count()) === 1
    })
    assert.equal((await drawn()).isOver, false)
  })

  it('holds what is in sight while cards of other heights come above it', async () => {
    await scrollTo(0.5)
    await until('cards', async () => (await drawn()).inSight >= 4)
    const { first, last } = await drawn()
    const middle = Math.round((first + last) / 2)
    const one = `document.querySelector('.lane [aria-posinset="${middle}"]')`
    await page.evaluate(`${one}.scrollIntoView({ block: 'center' })`)
    await lane('New').hover()
    const top = () => page.evaluate<number>(`${one}.getBoundingClientRect().top`)
    let before = await top()
    for (let i = 0; i < 3; i++) {
      await page.mouse.wheel(0, -50)
      await until('a turn of the wheel', async () => Math.abs((await top()) - before - 50) < 2)
      before = await top()
    }
  })

  it('is gone through by keyboard: the next card, the last, the first', async () => {
    await card(1).focus()
    const at = (id: number) =>
      until(`the focus at ${id}`, () => page.evaluate<boolean>(`document.activeElement?.textContent === 'Deal ${id}'`))
    await page.keyboard.press('ArrowDown')
    await at(2)
    await page.keyboard.press('End')
    await at(CARDS)
    for (let i = 1; i <= 45; i++) {
      await page.keyboard.press('ArrowUp')
      await at(CARDS - i)
    }
    assert.ok((await drawn()).count <= 120)
    // The focus stays where it is, however far one scrolls.
    await scrollTo(0)
    await card(1).waitFor()
    await at(CARDS - 45)
    await page.keyboard.press('Home')
    await at(1)
  })

  it('a card from the depth is dragged to another lane, one comes into the depth, and changes of others arrive there', async () => {
    await scrollTo(0.5)
    await until('cards', async () => (await drawn()).inSight >= 4)
    const inSight = await page.evaluate<number[]>(`[...document.querySelectorAll('.lane:first-child .card')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return top > 150 && bottom < innerHeight - 50
    }).map((one) => Number(one.querySelector('a').dataset.record))`)
    const [one, other] = inSight as [number, number]
    await change(other, 'Title', 'Of somebody else')
    await lane('New').getByText('Of somebody else', { exact: true }).waitFor()
    await change(other, 'Title', `Deal ${other}`)
    await card(other).waitFor()
    await lane('New')
      .getByRole('listitem')
      .filter({ hasText: `Deal ${one}` })
      .first()
      .dragTo(lane('Won'))
    await until('the option', async () => (await stage(one)) === 'Won')
    await lane('Won').getByText(`Deal ${one}`, { exact: true }).waitFor()
    await lane('New').locator('header').getByText('2,999', { exact: true }).waitFor()
    await card(other).waitFor()
    await lane('Won')
      .getByRole('listitem')
      .filter({ hasText: `Deal ${one}` })
      .dragTo(lane('New'))
    await until('the option as before', async () => (await stage(one)) === 'New')
    await card(one).waitFor()
    await lane('New').locator('header').getByText('3,000', { exact: true }).waitFor()
  })
})
