import type { messages } from '../../web/i18n/messages.ts'
import type { Page } from '../support/chromium.ts'

/* What is photographed: each page, and the states of it that people meet. */

type Message = keyof typeof messages

export interface Shot {
  readonly name: string
  readonly path: string
  /** Something that is there once the page has what it shows. */
  readonly ready: string
  /** What is done before the page is opened, such as to a request. */
  prepare?(page: Page): Promise<unknown>
  /** What is done then; `word` gives a message in the language of the page. */
  act?(page: Page, word: (name: Message) => string): Promise<unknown>
  /** What takes back what was done, once the picture is taken. What waits to be saved goes anyway. */
  after?(page: Page, word: (name: Message) => string): Promise<unknown>
  /** Only where this width has it. */
  readonly only?: 'wide' | 'narrow'
}

/** Ids of what the installation has, which addresses name. */
export interface Ids {
  readonly companies: number
  readonly deals: number
  readonly people: number
  readonly empty: number
  readonly views: Readonly<Record<'cards' | 'board' | 'calendar' | 'chart', number>>
  readonly field: (name: string) => number
  readonly webhook: number
  readonly user: number
  readonly group: number
  readonly draft: number
  readonly done: number
  /** An import some of whose lines did not fit. */
  readonly doubtful: number
  /** A field of the deals that was deleted. */
  readonly budget: number
  /** What somebody else does meanwhile to a record. */
  change(table: number, record: number, attributes: object): Promise<unknown>
  /** One change of several records. */
  changeAll(table: number, records: readonly number[], attributes: object): Promise<unknown>
  trashed(table: number, record: number): Promise<unknown>
  restored(table: number, record: number): Promise<unknown>
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()
/** Of the palette; the page behind it has selects with options of their own. */
const options = (page: Page) => page.getByRole('dialog').getByRole('option')
const list = '**/api/dev/data*'
/** Answers a list of jobs as if some of them ran, waited and had failed. */
const busyJobs = async (page: Page) =>
  page.route('**/api/dev/job?*', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = (await answer.json()) as { data: { attributes: object }[] }
    const states = [
      { state: 'running', done: 41_200, total: 120_000 },
      { state: 'queued', done: 0, total: null },
      { state: 'failed', error: { code: 'job.failed', detail: 'Line 12041 is longer than 100000 characters; is a quote left open?' } },
    ]
    const shown = data.map((one, i) => ({ ...one, attributes: { ...one.attributes, ...states[i] } }))
    await route.fulfill({ response: answer, json: { ...rest, data: shown } })
  })
/** Refuses changes of records, with this for an attribute. */
const refused = (page: Page, attribute: string, detail: string) =>
  page.route(list + '/**', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 422,
          contentType: 'application/vnd.api+json',
          body: JSON.stringify({
            errors: [
              { status: '422', code: 'value.too_long', title: detail, detail, source: { pointer: `/data/attributes/${attribute}` } },
            ],
          }),
        })
      : route.fallback(),
  )
const rows = ".grid-rows [data-row='0'] .name-link, .cards .card"

export const shots = (ids: Ids): readonly Shot[] => {
  const { companies, deals, people, empty, views, field } = ids
  const table = `/t/${companies}`
  const cell = async (page: Page, row: number, column: number) =>
    page.locator(`.grid-rows [data-row='${row}'] [role=gridcell]`).nth(column).click()
  return [
    { name: 'table', path: table, ready: rows },
    {
      name: 'table-range',
      path: table,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 1, 5)
        for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowDown')
        await page.keyboard.press('Shift+ArrowRight')
      },
    },
    {
      name: 'table-edit',
      path: `/t/${deals}`,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 2, 5)
        await page.keyboard.press('F2')
        await page.locator('.cell.edit').waitFor()
      },
    },
    {
      name: 'table-edit-wrong',
      path: `/t/${deals}`,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 2, 5)
        await page.keyboard.type('about 12')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').first().waitFor()
      },
    },
    {
      name: 'table-refused',
      path: table,
      ready: rows,
      only: 'wide',
      prepare: (page) => refused(page, `f${field('Name')}`, 'The text is longer than 255 characters.'),
      async act(page) {
        await page.locator(".grid-rows [data-row='2'] [role=rowheader]").click({ position: { x: 200, y: 16 } })
        await page.keyboard.type('A name that the service refuses')
        await page.keyboard.press('Enter')
        await page.locator('.bubble').first().waitFor()
      },
    },
    {
      name: 'table-clash',
      path: `/t/${deals}`,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 3, 5)
        await page.keyboard.press('F2')
        await ids.change(deals, 4, { [`f${field('Amount')}`]: String(2000 + (Date.now() % 999)) })
        await page.keyboard.press('Control+a')
        await page.keyboard.type('4100')
        await page.keyboard.press('Enter')
        await page.locator('.bubble').first().waitFor()
      },
    },
    {
      name: 'table-paste',
      path: `/t/${deals}`,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 1, 5)
        await page.evaluate(`(() => {
          const data = new DataTransfer()
          data.setData('text/plain', '12,50\\nabout 12\\n14\\nnever')
          document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
        })()`)
        await page.locator('.paste-note, .cell.wrong').first().waitFor()
      },
    },
    {
      name: 'table-day',
      path: `/t/${deals}`,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 2, 6)
        await page.keyboard.press('F2')
        await page.keyboard.press('Alt+ArrowDown')
        await page.locator('.day-picker').waitFor()
      },
    },
    {
      name: 'table-grouped',
      path: `/t/${deals}?group=f${field('Stage')}`,
      ready: '.group-head',
      only: 'wide',
    },
    {
      name: 'table-toast',
      path: table,
      ready: rows,
      only: 'wide',
      async act(page) {
        await cell(page, 4, 1)
        await page.keyboard.press('Control+Backspace')
        await page.locator('.toast').waitFor()
      },
      after: async (page) => page.locator('.toast .button').first().click(),
    },
    {
      name: 'table-column-menu',
      path: table,
      ready: rows,
      only: 'wide',
      async act(page) {
        const head = page.getByRole('columnheader').nth(2)
        await head.hover()
        await head.locator('.open').click()
        await page.getByRole('menu').waitFor()
      },
    },
    {
      name: 'table-columns',
      path: table,
      ready: rows,
      only: 'wide',
      act: async (page, word) => button(page, word('columns')).click(),
    },
    {
      name: 'table-more',
      path: table,
      ready: rows,
      act: async (page, word) => button(page, word('moreActions')).click(),
    },
    { name: 'table-empty', path: `/t/${empty}`, ready: '.empty' },
    { name: 'table-nothing-matches', path: `${table}?filter=eq(f${field('Name')},'nobody')`, ready: '.empty' },
    { name: 'table-wrong-filter', path: `${table}?filter=nonsense(`, ready: '[role=alert]' },
    {
      name: 'table-loading',
      path: table,
      ready: '.app',
      prepare: (page) => page.route(list, () => {}),
      act: async (page) => page.locator('.skeleton, .grid, [aria-busy]').first().waitFor({ state: 'attached' }),
    },
    { name: 'table-error', path: table, ready: '[role=alert], .bar', prepare: (page) => page.route(list, (route) => route.abort()) },
    {
      name: 'table-offline',
      path: table,
      ready: rows,
      async act(page) {
        await page.context().setOffline(true)
        await page.locator('.app > .bar, .bar').first().waitFor()
      },
    },
    {
      name: 'away',
      path: table,
      ready: 'h1, h2',
      prepare: (page) => page.route('**/api/**', (route) => route.abort()),
      act: async (page) => page.locator('h2:visible, .bar').first().waitFor(),
    },
    { name: 'nowhere', path: '/t/999', ready: 'h2:visible' },
    { name: 'record-nowhere', path: `/t/${deals}/999999`, ready: 'h2:visible' },
    {
      name: 'record-loading',
      path: `/t/${deals}/1`,
      ready: '.app',
      prepare: (page) => page.route(`**/api/dev/data${deals}/1*`, () => {}),
      act: async (page) => page.locator('.skeleton').first().waitFor({ state: 'attached' }),
    },
    {
      name: 'palette',
      path: table,
      ready: rows,
      async act(page) {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').waitFor()
        await page.keyboard.type('co')
        await options(page).nth(1).waitFor()
      },
    },
    {
      name: 'filter',
      path: `/t/${deals}?filter=and(gt(f${field('Amount')},1000),or(eq(f${field('Stage')},'Won'),eq(f${field('Stage')},'New')))`,
      ready: '.tools .chip',
      async act(page) {
        await page.keyboard.press('Control+Shift+F')
        await page.locator('.filter-builder .rule').first().waitFor()
      },
    },
    {
      name: 'filter-expression',
      path: `/t/${deals}?filter=gt(f${field('Amount')},1000)`,
      ready: '.tools .chip',
      async act(page, word) {
        await page.keyboard.press('Control+Shift+F')
        await button(page, word('filterAsText')).click()
        await page.locator('.filter-builder textarea').fill(`gt(f${field('Amount')},1000`)
      },
    },
    {
      name: 'quick-search',
      path: `${table}?q=heron`,
      ready: rows,
    },
    { name: 'quick-search-nothing', path: `${table}?q=zzzz`, ready: '.empty' },
    {
      name: 'filter-list',
      path: `/t/${deals}?filter=in(f${field('Stage')},'Won','New')`,
      ready: '.tools .chip',
      async act(page) {
        await page.keyboard.press('Control+Shift+F')
        await page.locator('.filter-builder .value-open').first().click()
        await page.locator('.picker [role=option]').nth(1).waitFor()
      },
    },
    {
      name: 'palette-all',
      path: table,
      ready: rows,
      async act(page) {
        await page.keyboard.press('Control+k')
        await options(page).nth(1).waitFor()
      },
    },
    {
      name: 'api-panel',
      only: 'wide',
      path: table,
      ready: rows,
      act: async (page, word) => button(page, word('apiTitle')).click(),
    },
    {
      name: 'view-kinds',
      path: table,
      ready: rows,
      act: async (page, word) => button(page, word('viewAdd')).click(),
    },
    { name: 'cards', path: `/t/${companies}?view=${views.cards}`, ready: '.card' },
    { name: 'board', path: `/t/${deals}?view=${views.board}`, ready: '.lane' },
    { name: 'calendar', path: `/t/${deals}?view=${views.calendar}`, ready: '.day-item:visible' },
    { name: 'chart', path: `/t/${deals}?view=${views.chart}`, ready: '.mini' },
    { name: 'record', path: `/t/${companies}/1`, ready: '.fields' },
    { name: 'record-beside', path: `/t/${deals}?record=4`, ready: '.record-panel .fields' },
    {
      name: 'record-beside-board',
      path: `/t/${deals}?view=${views.board}&record=1`,
      ready: '.record-panel .fields',
      act: (page, word) => page.getByRole('tab', { name: word('history') }).click(),
    },
    {
      name: 'record-edit',
      path: `/t/${deals}/1`,
      ready: '.fields',
      async act(page) {
        await page.locator('.fields .field').nth(3).hover()
        await page.locator('.fields .change').nth(3).click()
      },
    },
    {
      name: 'record-wrong',
      path: `/t/${deals}/1`,
      ready: '.fields',
      prepare: (page) => refused(page, `f${field('Subject')}`, 'The text is longer than 255 characters.'),
      async act(page) {
        await page.locator('.fields .field').first().hover()
        await page.locator('.fields .change').first().click()
        await page.keyboard.press('Control+a')
        await page.keyboard.type('A title that is too long '.repeat(12))
        await page.keyboard.press('Enter')
        await page.getByRole('alert').first().waitFor()
      },
    },
    {
      name: 'record-clash',
      path: `/t/${deals}/2`,
      ready: '.fields',
      async act(page) {
        await page.locator('.fields .change').nth(0).click()
        await ids.change(deals, 2, { [`f${field('Subject')}`]: `Training for ${Date.now() % 99} people` })
        await page.keyboard.press('Control+a')
        await page.keyboard.type('Training for eleven')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').first().waitFor()
      },
    },
    {
      name: 'record-waits',
      path: `/t/${deals}/3`,
      ready: '.fields',
      async act(page) {
        await page.context().setOffline(true)
        await page.locator('.fields .change').nth(0).click()
        await page.keyboard.press('Control+a')
        await page.keyboard.type(`Accounting software for ${Date.now() % 999} companies of a group, with a year of support by telephone`)
        await page.keyboard.press('Enter')
        await page.locator('.bar').first().waitFor()
      },
    },
    { name: 'record-new', path: `/t/${deals}/new`, ready: '.fields' },
    { name: 'record-person', path: `/t/${people}/1`, ready: '.fields' },
    { name: 'search-empty', path: '/search', ready: '.app' },
    { name: 'search', path: '/search?q=an', ready: '.app' },
    { name: 'search-nothing', path: '/search?q=zzzzzz', ready: '.app' },
    { name: 'import', path: '/import', ready: '.file-place' },
    { name: 'import-draft', path: `/import?job=${ids.draft}`, ready: '.wizard-body table' },
    { name: 'import-fields', path: `/import?job=${ids.draft}&step=fields`, ready: '.wizard-body table' },
    {
      name: 'import-check',
      only: 'wide',
      path: `/import?job=${ids.draft}&step=fields`,
      ready: '.wizard-body table',
      async act(page, word) {
        await page.locator('.mapping tr:has(.cut:text-is("Staff")) select').first().selectOption('integer')
        await button(page, word('importCheck')).click()
        await page.waitForURL(/step=check/)
        await page.locator('.counts, [role=alert]').first().waitFor()
      },
    },
    { name: 'import-done', path: `/import?job=${ids.done}`, ready: '.wizard-body h2' },
    { name: 'jobs', path: '/jobs', ready: '.jobs' },
    { name: 'jobs-busy', path: '/jobs', ready: '.jobs', prepare: busyJobs },
    { name: 'changes', path: '/changes?who=all', ready: '.changes' },
    { name: 'trash', path: '/trash', ready: 'table' },
    {
      name: 'trash-question',
      path: '/trash',
      ready: 'table',
      async act(page) {
        await page.locator('table .button.bad').first().click()
        await page.locator('[role=dialog], [role=alertdialog]').first().waitFor()
      },
    },
    { name: 'profile', path: '/profile', ready: '.page' },
    { name: 'help', path: '/help', ready: '.page' },
    { name: 'help-keys', path: '/help/keys', ready: '.page' },
    { name: 'help-chapter', path: '/help/grid', ready: '.page' },
    { name: 'reference', path: '/reference', ready: 'details' },
    { name: 'admin-tables', path: '/admin/tables', ready: '.app' },
    { name: 'admin-designer', path: `/admin/tables/${deals}`, ready: '.app' },
    { name: 'admin-field', path: `/admin/tables/${deals}?field=${field('Stage')}`, ready: '.app' },
    { name: 'admin-field-new', path: `/admin/tables/${deals}?field=new`, ready: '.app' },
    { name: 'admin-users', path: '/admin/users', ready: '.app' },
    { name: 'admin-user', path: `/admin/users?user=${ids.user}`, ready: '.app' },
    { name: 'admin-user-new', path: '/admin/users?user=new', ready: '.app' },
    { name: 'admin-groups', path: '/admin/groups', ready: '.app' },
    { name: 'admin-rights', path: '/admin/rights', ready: '.app' },
    { name: 'admin-rule', path: `/admin/rights?group=${ids.group}&table=${companies}`, ready: '.app' },
    {
      name: 'admin-explain',
      path: '/admin/rights?ask=true',
      ready: '.design-panel select',
      async act(page) {
        await page.locator('.design-panel .button.primary').click()
        await page.locator('.explained').waitFor()
      },
    },
    {
      name: 'view-as',
      path: `/admin/users?user=${ids.user}`,
      ready: '.design-panel .button.line',
      async act(page) {
        await page.locator('.design-panel .button.line').first().click()
        await page.locator('.viewing').waitFor()
        await page.locator(rows).first().waitFor()
      },
      async after(page) {
        await page.locator('.viewing .button').click()
        await page.locator('.viewing').waitFor({ state: 'detached' })
      },
    },
    { name: 'admin-tokens', path: '/admin/tokens', ready: '.app' },
    {
      name: 'admin-token-new',
      path: '/admin/tokens',
      ready: '.head .button',
      async act(page) {
        await page.locator('.head .button.primary').click()
        await page.locator('.ledger-form').waitFor()
      },
    },
    {
      name: 'admin-conversion',
      path: `/admin/tables/${deals}?field=${field('Stage')}`,
      ready: '.design-panel select',
      async act(page) {
        await page.locator('.design-panel select').first().selectOption('integer')
        await page.locator('.conversion').waitFor()
      },
    },
    { name: 'admin-webhooks', path: '/admin/webhooks', ready: '.app' },
    { name: 'admin-webhook', path: `/admin/webhooks?webhook=${ids.webhook}`, ready: '.app' },
    { name: 'admin-webhook-new', path: '/admin/webhooks?webhook=new', ready: '.app' },
    { name: 'admin-audit', path: '/admin/audit', ready: '.app' },
    { name: 'admin-indexes', path: '/admin/indexes', ready: '.app' },
    { name: 'admin-storage', path: '/admin/storage', ready: '.app' },
    { name: 'admin-settings', path: '/admin/settings', ready: '.app' },
    { name: 'admin-about', path: '/admin/about', ready: '.app' },
    { name: 'admin-licences', path: '/admin/licences', ready: '.app' },
    {
      name: 'tables-side',
      path: table,
      ready: rows,
      only: 'narrow',
      act: async (page) => page.locator('.bottom button').first().click(),
    },
  ]
}
