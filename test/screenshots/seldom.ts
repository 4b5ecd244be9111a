import type { Page } from '../support/chromium.ts'
import type { Ids, Shot } from './states.ts'

/* States that nobody meets in their first week: what was deleted meanwhile, records of others, files to be chosen again, acts that were undone in part. */

const row = ".grid-rows [data-row='0'] .name-link, .cards .card"
const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 ${name}`) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()

/** Of somebody who may not change all records that they see. */
export const barred = ({ deals, views }: Ids): readonly Shot[] => [
  { name: 'barred-grid', path: `/t/${deals}`, ready: row },
  {
    name: 'barred-cell',
    path: `/t/${deals}`,
    ready: row,
    only: 'wide',
    async act(page) {
      await page.locator('.grid-rows [aria-readonly=true][data-col="5"]').first().click()
      await page.keyboard.press('F2')
    },
  },
  {
    name: 'barred-chosen',
    path: `/t/${deals}`,
    ready: row,
    only: 'wide',
    async act(page) {
      await page.locator(".grid-rows [data-row='0'] [role=gridcell]").nth(2).click()
      for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('Shift+Space')
      await page.locator('.chosen').waitFor()
      await page.locator('.chosen button').last().click()
      await page.locator('.toast').waitFor()
    },
    after: async (page) => page.locator('.toast .button').first().click(),
  },
  { name: 'barred-record', path: `/t/${deals}/2`, ready: '.fields' },
  { name: 'barred-beside', path: `/t/${deals}?record=2`, ready: '.record-panel .fields' },
  { name: 'barred-board', path: `/t/${deals}?view=${views.board}`, ready: '.lane' },
  { name: 'barred-calendar', path: `/t/${deals}?view=${views.calendar}`, ready: '.day-item:visible' },
  { name: 'changes-barred', path: '/changes', ready: '.changes-body h2, .changes' },
]

export const seldom = ({ deals, field, budget, change, changeAll, restored, trashed }: Ids): readonly Shot[] => [
  {
    name: 'new-choose-again',
    path: `/t/${deals}/new`,
    ready: '.fields',
    async act(page) {
      await page.getByRole('textbox', { name: 'Subject' }).fill('New lights for the hall')
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([pdf('offer of the spring.pdf'), pdf('plan of the hall, second floor.pdf')])
      await page.locator('.file').nth(1).waitFor()
      await page.reload()
      await page.locator('.note.warn').first().waitFor()
    },
  },
  {
    name: 'new-files-refused',
    path: `/t/${deals}/new`,
    ready: '.fields',
    async act(page, word) {
      await page.getByRole('textbox', { name: 'Subject' }).fill('Lights for the hall')
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([pdf('offer.pdf'), pdf('plan of the hall, second floor.pdf')])
      await page.route(/plan/, (route) => route.abort())
      await button(page, word('save')).click()
      await page.locator('.note.bad').first().waitFor()
    },
  },
  {
    name: 'record-trashed',
    path: `/t/${deals}/41`,
    ready: '.fields',
    async act(page) {
      // What is changed before the page follows is not told.
      await page.waitForTimeout(1000)
      await trashed(deals, 41)
      await page.locator('.note.warn').first().waitFor()
    },
    after: () => restored(deals, 41),
  },
  {
    name: 'record-beside-trashed',
    path: `/t/${deals}?record=42`,
    ready: '.record-panel .fields',
    async act(page) {
      await page.waitForTimeout(1000)
      await trashed(deals, 42)
      await page.locator('.record-panel .note.warn').first().waitFor()
    },
    after: () => restored(deals, 42),
  },
  {
    name: 'figures',
    path: `/t/${deals}?columns=f${field('Subject')}:filled!,f${field('Amount')}:sum,f${field('Closes')}:max,f${field('Stage')}:distinct,f${field('Company')}:distinct`,
    ready: '.grid-sum .num',
    only: 'wide',
  },
  {
    name: 'figures-not-computed',
    path: `/t/${deals}?columns=f${field('Subject')}!,f${field('Amount')}:sum,f${field('Company')}:distinct`,
    ready: '.grid-sum .num',
    only: 'wide',
    prepare: (page) =>
      page.route('**/aggregate?*groupBy*', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/vnd.api+json',
          body: JSON.stringify({ errors: [{ status: '400', code: 'aggregate.too_many', title: 'Too many', detail: 'Too many groups.' }] }),
        }),
      ),
  },
  { name: 'gone-filter', path: `/t/${deals}?filter=gt(f${budget},10)`, ready: '[role=alert]' },
  { name: 'gone-order', path: `/t/${deals}?sort=f${budget}`, ready: '[role=alert], .grid' },
  { name: 'gone-group', path: `/t/${deals}?kind=board&group=f${budget}`, ready: '.app' },
  { name: 'gone-chart', path: `/t/${deals}?kind=chart&group=f${budget}`, ready: '.app' },
  {
    name: 'gone-history',
    path: `/t/${deals}/3`,
    ready: '.fields',
    act: (page) => page.locator('.history li').first().waitFor(),
  },
  {
    name: 'changes-undone',
    path: '/changes',
    ready: '.change-line',
    // Made here, since those of other pictures would have it on a later page of the list.
    async prepare() {
      await changeAll(deals, [43, 44, 45, 46], { [`f${field('Amount')}`]: String(4000 + (Date.now() % 999)) })
      await change(deals, 44, { [`f${field('Subject')}`]: `Lights ${Date.now() % 99}` })
    },
    async act(page) {
      await page
        .locator('.change-line', { hasText: /4 records|4 записи/ })
        .locator('.button')
        .first()
        .click()
      await page.locator('.change-left, .toast').first().waitFor()
    },
    async after(page) {
      await page.locator('.change-line[data-undone] .button').first().click()
      await page.locator('.change-line[data-undone]').first().waitFor({ state: 'detached' })
    },
  },
  { name: 'changes-nobody', path: '/changes?who=2', ready: '.changes-body h2, .changes' },
  {
    name: 'changes-failed',
    path: '/changes',
    ready: '[role=alert]',
    prepare: (page) => page.route('**/api/dev/batch?*', (route) => route.abort()),
  },
  {
    name: 'search-failed',
    path: '/search?q=an',
    ready: '.app',
    prepare: (page) => page.route('**/api/dev/search?*', (route) => route.abort()),
  },
]
