import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { fieldsOf, following, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* A board by a list of a thousand options: what is read of it when it is opened, and after a value is saved. */

const LANES = 1000
/** Lanes that are in sight of a window, and beside it. */
const NEAR = 16

describe('a board of a thousand lanes', () => {
  let scene: PagesScene
  let deals: string
  let window: Awaited<ReturnType<PagesScene['open']>>
  let page: Page
  /** Filters of the lists that have been asked for. */
  let asked: string[]
  const f: Record<string, string> = {}
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Stage', 'list', { options: Array.from({ length: LANES }, (_, i) => `S${i + 1}`) })
    const lines = Array.from({ length: 40 }, (_, i) => `Deal ${i + 1},S${(i % 4) + 1}`)
    await scene.fill('Deals', ['Title,Stage', ...lines, `Far,S${LANES - 1}`].join('\n'))
  })
  after(() => scene?.close())
  beforeEach(async () => {
    window = await scene.open()
    page = window.page
    page.setDefaultTimeout(15_000)
    asked = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // Lists of cards; the request for the number of records has another limit.
      if (pathname === `/api/dev/data${deals}` && searchParams.get('page[limit]') === '20') asked.push(searchParams.get('filter') ?? '')
    })
    await following(page, () => scene.signIn(page, `/t/${deals}?kind=board`))
    await lane('S1').getByText('Deal 5', { exact: true }).waitFor()
    await lane('S4').getByText('Deal 8', { exact: true }).waitFor()
  })
  afterEach(async () => {
    assert.deepEqual(window.faults, [])
    await window.context.close()
  })

  const lane = (name: string) => page.getByRole('region', { name, exact: true })
  const head = (name: string, count: number) => lane(name).locator('header').getByText(String(count), { exact: true }).waitFor()
  /** Which of the lanes were read. */
  const lanesRead = () => [...new Set(asked.map((filter) => /'(S\d+)'/.exec(filter)?.[1] ?? filter))].sort()

  it('reads the lanes in sight, and others as they come into sight', async () => {
    await head('S1', 10)
    assert.ok(asked.length <= NEAR, `${asked.length} lists: ${lanesRead()}`)
    assert.ok(lanesRead().length >= 4)
    await page.evaluate("document.querySelector('.board').scrollLeft = 1e9")
    await lane(`S${LANES - 1}`)
      .getByText('Far', { exact: true })
      .waitFor()
    assert.ok(asked.length <= 2 * NEAR, `${asked.length} lists: ${lanesRead()}`)
    // Back again, the lanes are as they were, and are read again: nobody has followed them.
    asked = []
    await page.evaluate("document.querySelector('.board').scrollLeft = 0")
    await lane('S1').getByText('Deal 5', { exact: true }).waitFor()
    await until('the lanes are read', async () => lanesRead().includes('S1'))
    assert.ok(asked.length <= NEAR, `${asked.length} lists: ${lanesRead()}`)
  })

  it('reads after a move the lane that the card left and the one to which it came, and no other', async () => {
    await head('S1', 10)
    asked = []
    await lane('S1').locator('.card', { hasText: 'Deal 1' }).first().dragTo(lane('S2'))
    await page.getByText('“Deal 1” moved to S2').waitFor()
    await head('S1', 9)
    await head('S2', 11)
    await until('both lanes are read', async () => lanesRead().join() === 'S1,S2')
    // What others are told of it changes nothing.
    await new Promise((done) => setTimeout(done, 1500))
    assert.deepEqual(lanesRead(), ['S1', 'S2'])
    assert.equal(asked.length, 2)
    assert.equal(await page.getByRole('button', { name: 'Show changes' }).count(), 0)
    assert.equal(await lane('S1').getByText('Deal 1', { exact: true }).count(), 0)
  })

  it('reads after another value of a card its lane alone', async () => {
    await head('S3', 10)
    await lane('S3').getByText('Deal 3', { exact: true }).click()
    const panel = page.locator('.record-panel')
    await panel.getByRole('button', { name: 'Change Title' }).click()
    await page.keyboard.press('Control+a')
    // The panel has taken some of the room, so that the board may have been scrolled.
    asked = []
    await page.keyboard.type('Called otherwise')
    await page.keyboard.press('Enter')
    await lane('S3').getByText('Called otherwise', { exact: true }).waitFor()
    await until('its lane is read', async () => lanesRead().join() === 'S3')
    await new Promise((done) => setTimeout(done, 1500))
    assert.deepEqual(lanesRead(), ['S3'])
  })

  it('goes along with a card that is moved to a lane far away, and reads what is there', async () => {
    await head('S4', 10)
    asked = []
    await lane('S4').locator('.card', { hasText: 'Deal 4' }).first().getByRole('button').click()
    await page.getByRole('menuitem', { name: 'S700', exact: true }).click()
    await page.getByText('“Deal 4” moved to S700').waitFor()
    await head('S700', 1)
    // The focus goes along, and so does the board.
    await lane('S700').getByText('Deal 4', { exact: true }).waitFor()
    await until('the focus', () => page.evaluate<boolean>("document.activeElement?.textContent === 'Deal 4'"))
    assert.ok(lanesRead().length <= NEAR, `${lanesRead()}`)
  })
})
