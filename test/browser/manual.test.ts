import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chaptersOf, LANGUAGES, moduleOf } from '../../scripts/manual.ts'
import type { Block, Chapter, Span } from '../../web/manual/chapter.ts'
import { messages } from '../../web/i18n/messages.ts'
import { shots, type Ids } from '../screenshots/states.ts'
import { mustBeAccessible } from '../support/chromium.ts'
import { until } from '../support/until.ts'
import { pagesScene, type PagesScene } from './support/pages-scene.ts'

/* The manual for people, in both languages, and its pages. */

const folder = fileURLToPath(new URL('../../docs/manual/', import.meta.url))

/** What of a chapter is the same in each language. */
const shape = ({ name, blocks }: Chapter) => ({
  name,
  blocks: blocks.map((block) => {
    if ('picture' in block) return block.picture
    if ('list' in block) return `${block.isOrdered ? 'steps' : 'items'} ${block.list.length}`
    if ('rows' in block) return `rows ${block.rows.length}`
    return 'heading' in block ? 'heading' : 'text'
  }),
})

const spansOf = (block: Block): readonly Span[] =>
  'text' in block ? block.text : 'list' in block ? block.list.flat() : 'rows' in block ? [...block.head, ...block.rows.flat()].flat() : []

describe('the text of the manual', () => {
  it('has the same chapters, steps and pictures in each language', async () => {
    const [english, russian] = await Promise.all(LANGUAGES.map((language) => chaptersOf(language)))
    assert.ok(english!.length >= 10)
    assert.deepEqual(russian!.map(shape), english!.map(shape))
  })

  for (const [i, language] of LANGUAGES.entries())
    it(`calls what is on the pages by its words there: ${language}`, async () => {
      const words = new Set(Object.values(messages).map((texts) => texts[i]))
      const told = (await chaptersOf(language)).flatMap(({ name, blocks }) =>
        blocks.flatMap(spansOf).flatMap((span) => (typeof span === 'object' && 'strong' in span ? [{ name, word: span.strong }] : [])),
      )
      assert.ok(told.length > 60, String(told.length))
      assert.deepEqual(
        told.filter(({ word }) => !words.has(word as never)),
        [],
      )
    })

  it('has pictures that the script takes', async () => {
    const ids = { views: {}, field: () => 1 } as unknown as Ids
    const taken = new Set(shots(ids).map(({ name }) => name))
    const shown = (await chaptersOf('en')).flatMap(({ blocks }) => blocks.flatMap((block) => ('picture' in block ? [block.picture] : [])))
    assert.ok(shown.length >= 10)
    assert.deepEqual(
      shown.filter((name) => !taken.has(name)),
      [],
    )
  })

  it('comes with the pictures that were taken, and with the room they need; what pages do not show is refused', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'kartoteka-manual-'))
    cpSync(join(folder, 'en'), join(copy, 'en'), { recursive: true })
    rmSync(join(copy, 'en', 'pictures'), { recursive: true, force: true })
    assert.match(await moduleOf('en', copy), /^export const chapters = \[[^]*\nexport const pictures = { {2}}\n$/)
    mkdirSync(join(copy, 'en', 'pictures'))
    const head = Buffer.from('89504e470d0a1a0a0000000d494844520000053c0000021c', 'hex')
    writeFileSync(join(copy, 'en', 'pictures', 'board.png'), head)
    assert.match(await moduleOf('en', copy), /"board": { src: src0, width: 1340, height: 540 }/)
    writeFileSync(join(copy, 'en', '11-more.md'), '# More\n\nA line.\n\n<b>bold</b>\n')
    await assert.rejects(moduleOf('en', copy), /11-more\.md has what the pages do not show: html/)
    rmSync(copy, { recursive: true })
  })
})

describe('the pages of the manual', () => {
  let scene: PagesScene
  before(async () => {
    scene = await pagesScene()
  })
  after(() => scene?.close())

  it('lead from help through all chapters, in the language of the person', async () => {
    const { page, context, faults } = await scene.open()
    await scene.signIn(page, '/profile')
    await page.locator('.side-foot').getByRole('link', { name: 'Help' }).click()
    await page.getByRole('link', { name: /^First steps/ }).waitFor()
    await mustBeAccessible(page, 'help')
    await page.getByRole('link', { name: /^First steps/ }).click()
    await page.getByRole('heading', { name: 'What is where' }).waitFor()
    await mustBeAccessible(page, 'a chapter of the manual')
    const titles = (await chaptersOf('en')).map(({ title }) => title)
    const seen: string[] = [titles[0]!]
    for (const title of titles.slice(1)) {
      await page.locator('.manual-foot [rel=next]').click()
      await page.locator('h1 .only-wide').getByText(title).waitFor()
      seen.push((await page.locator('.manual nav [aria-current=page]').innerText()).trim())
    }
    assert.deepEqual(seen, titles)
    assert.equal(await page.locator('.manual-foot [rel=next]').count(), 0)
    // The keys, as this system has them, and all of them by one key.
    await page.goto(scene.address('/help/grid'))
    await page.locator('kbd', { hasText: 'Ctrl C' }).waitFor()
    await page.keyboard.press('?')
    await page.waitForURL(/\/help\/keys$/)
    await page.goto(scene.address('/help/nothing'))
    await page.getByRole('heading', { name: 'There is nothing here' }).first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  it('are in Russian, and fit a phone', async () => {
    const { page, context, faults } = await scene.open({ width: 390, locale: 'ru-RU' })
    await scene.signIn(page, '/help')
    for (const { name, title } of await chaptersOf('ru')) {
      await page.goto(scene.address(`/help/${name}`))
      await page.locator('.manual article').waitFor()
      assert.equal(await page.title(), `${title} · Картотека`)
      const width = await page.evaluate<number>(
        "Math.max(document.documentElement.scrollWidth, document.querySelector('.page').scrollWidth)",
      )
      assert.ok(width <= 390, `${name}: ${width} px`)
    }
    await mustBeAccessible(page, 'a chapter on a phone')
    await until('the way back to all chapters', async () => (await page.getByRole('link', { name: 'Все главы' }).count()) === 1)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
