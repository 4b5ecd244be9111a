import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from '../support/chromium.ts'
import { fieldsOf, pagesScene, type PagesScene } from './support/pages-scene.ts'

/* What others change after a page has read something and before its stream of changes has begun (DECISIONS A60, V40). */

describe('changes between what is read and the beginning of the stream', () => {
  let scene: PagesScene
  let deals: string
  const f: Record<string, string> = {}
  const month = new Date().toISOString().slice(0, 7)
  before(async () => {
    scene = await pagesScene()
    deals = await scene.make('table', { table_name: 'Deals' })
    const field = fieldsOf(scene, deals, f)
    await field('Title', 'text')
    await field('Note', 'text')
    await field('Stage', 'list', { options: [{ label: 'New' }, { label: 'Won' }] })
    await field('Closes', 'date')
    for (let i = 1; i <= 3; i++)
      await scene.make(`data${deals}`, { [f['Title']!]: `Deal ${i}`, [f['Stage']!]: 'New', [f['Closes']!]: `${month}-1${i}` })
  })
  after(() => scene?.close())

  /** By somebody else: not through the page. */
  const rename = async (id: number, title: string) => {
    const body = { data: { type: `data${deals}`, id: String(id), attributes: { [f['Title']!]: title } } }
    const { status } = await scene.server.call(scene.token, 'PATCH', `data${deals}/${id}`, body)
    assert.equal(status, 200)
  }
  /** A page whose stream does not begin before `go`. */
  const held = async (path: string) => {
    const window = await scene.open()
    window.page.setDefaultTimeout(10_000)
    const gate = Promise.withResolvers<void>()
    const asked: string[] = []
    await window.page.route('**/api/dev/events?*', async (route) => {
      asked.push(route.request().url())
      await gate.promise
      await route.continue()
    })
    await scene.signIn(window.page, path)
    return { ...window, asked, go: () => gate.resolve() }
  }
  const shows = (page: Page, title: string) => page.getByText(title, { exact: true }).filter({ visible: true }).first().waitFor()

  const kinds = ['grid', 'cards', 'board', 'calendar', 'record'] as const
  for (const kind of kinds)
    it(`are shown by the ${kind}, and the list is read once`, async () => {
      const ofView = { table_id: Number(deals), view_name: kind, kind, user_id: 0, ...(kind === 'board' && { group_by: f['Stage'] }) }
      const way = {
        grid: '',
        cards: '?kind=cards',
        board: `?view=${kind === 'board' ? await scene.make('view', ofView) : ''}`,
        calendar: `?view=${kind === 'calendar' ? await scene.make('view', ofView) : ''}`,
        record: '/1',
      }[kind]
      await rename(1, 'Deal 1')
      const { page, context, faults, go, asked } = await held(`/t/${deals}${way}`)
      await shows(page, 'Deal 1')
      while (asked.length === 0) await page.waitForTimeout(20)
      await rename(1, `By others, ${kind}`)
      await page.waitForTimeout(300)
      assert.equal(await page.getByText(`By others, ${kind}`).count(), 0)
      go()
      await shows(page, `By others, ${kind}`)
      assert.equal(asked.length, 1)
      assert.match(asked[0]!, /&after=\d+$/)
      assert.deepEqual(faults, [])
      await context.close()
    })

  it('are not shown where the person has written over them, not for a moment', async () => {
    const { page, context, faults, go } = await held(`/t/${deals}?columns=${f['Title']},${f['Note']}`)
    await shows(page, 'Deal 2')
    for (const note of ['First', 'Second']) {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await page.locator("[data-row='1'] [aria-colindex]").nth(-1).click()
      await page.keyboard.type(note)
      await page.keyboard.press('Enter')
      await saved
      await shows(page, note)
    }
    await rename(3, 'Last')
    await page.evaluate(
      "window.seen = []; new MutationObserver(() => window.seen.push(document.querySelector('[role=grid]').innerText)).observe(document.body, { subtree: true, childList: true, characterData: true })",
    )
    go()
    await shows(page, 'Last')
    await shows(page, 'Second')
    const seen = await page.evaluate<string[]>('window.seen')
    assert.deepEqual(
      seen.filter((text) => text.includes('First')),
      [],
    )
    assert.deepEqual(faults, [])
    await context.close()
  })
})
