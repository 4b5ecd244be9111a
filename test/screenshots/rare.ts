import type { Page } from '../support/chromium.ts'
import type { Ids, Shot } from './states.ts'

/* States that are rarely met: errors, long work, acts on many records, what somebody may not see. */

const media = 'application/vnd.api+json'
/** Answers these requests with an error of the service. */
const fails = (page: Page, path: string | RegExp, status: number, code: string, detail: string) =>
  page.route(path, (route) =>
    route.fulfill({
      status,
      contentType: media,
      body: JSON.stringify({ errors: [{ status: String(status), code, title: code, detail }] }),
    }),
  )
/** Answers a resource as if it had these attributes. */
const as = (page: Page, path: string, attributes: object) =>
  page.route(path, async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = (await answer.json()) as { data: { attributes: object } }
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, attributes: { ...data.attributes, ...attributes } } } })
  })
/** As seen by somebody who administers nothing. */
const asOther = (page: Page) => as(page, '**/api/dev/me', { is_administrator: false, administers: [] })
const row = ".grid-rows [data-row='0'] .name-link, .cards .card"

export const rare = ({ companies, deals, people, field, draft, done, doubtful, views }: Ids): readonly Shot[] => {
  const into = `/import?job=${draft}`
  const chosen = async (page: Page) => {
    await page.locator(".grid-rows [data-row='1'] [role=gridcell]").nth(2).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+Space')
    await page.locator('.chosen').waitFor()
  }
  return [
    { name: 'bulk-chosen', path: `/t/${companies}`, ready: row, only: 'wide', act: chosen },
    {
      name: 'bulk-change',
      path: `/t/${deals}`,
      ready: row,
      only: 'wide',
      async act(page) {
        await chosen(page)
        await page.locator('.chosen button').first().click()
        await page.locator('.change-chosen select').selectOption({ label: 'Stage' })
      },
    },
    {
      name: 'jobs-bulk',
      path: '/jobs',
      ready: '.jobs',
      prepare: (page) =>
        page.route('**/api/dev/job?*', async (route) => {
          const answer = await route.fetch()
          const { data, ...rest } = (await answer.json()) as { data: { attributes: object }[] }
          const kinds = [
            { kind: 'bulk', table_id: deals, state: 'running', done: 12_400, total: 48_211, file_name: '' },
            {
              kind: 'bulk',
              table_id: deals,
              state: 'done',
              done: 10_020,
              total: 10_020,
              batch_id: 1,
              file_name: '',
              result: { refused: 17 },
            },
            { kind: 'convert', table_id: companies, state: 'interrupted', done: 100, total: 48_211, file_name: '' },
            { kind: 'export', table_id: companies, state: 'done', done: 48_211, total: 48_211, file_name: 'Companies.xlsx' },
          ]
          const shown = kinds.map((one, i) => ({
            ...data[i % data.length],
            id: String(i + 1),
            attributes: { ...data[0]!.attributes, ...one },
          }))
          await route.fulfill({ response: answer, json: { ...rest, data: shown } })
        }),
    },
    { name: 'import-wrong-file', path: '/import', ready: '.file-place', act: (page) => give(page, 'photo.png', 'nothing') },
    {
      name: 'import-no-lines',
      path: '/import',
      ready: '.file-place',
      async act(page) {
        await give(page, 'nothing.csv', '')
        await page.locator('[role=alert], .wizard-body table').first().waitFor()
      },
    },
    {
      name: 'import-sending',
      path: '/import',
      ready: '.file-place',
      prepare: (page) => page.route('**/api/dev/job/*/file*', () => {}),
      async act(page) {
        await give(page, 'customers of the northern regions, with all branches.csv', 'Name\nHeron\n')
        await page.locator('.progress').waitFor()
      },
    },
    {
      name: 'import-running',
      path: `/import?job=${done}`,
      ready: '.progress',
      prepare: (page) => as(page, `**/api/dev/job/${done}`, { state: 'running', done: 41_200, total: 120_000 }),
    },
    {
      name: 'import-failed',
      path: `/import?job=${done}`,
      ready: '.wizard-body h2',
      prepare: (page) =>
        as(page, `**/api/dev/job/${done}`, {
          state: 'failed',
          error: { code: 'import.bad_file', detail: 'Line 12041 is longer than 100000 characters; is a quote left open?' },
        }),
    },
    { name: 'import-doubtful', path: `/import?job=${doubtful}`, ready: '.wizard-body h2' },
    { name: 'import-gone', path: '/import?job=999999', ready: 'h2:visible' },
    {
      name: 'import-refused',
      path: into,
      ready: '.wizard-body table',
      prepare: (page) =>
        page
          .route('**/api/dev/job/*/run*', (route) => route.abort())
          .then(() => fails(page, `**/api/dev/job/${draft}/*run*`, 500, 'server', 'No')),
      act: (page, word) => page.getByRole('button', { name: word('importNow'), exact: true }).click(),
    },
    {
      name: 'forbidden-list',
      path: `/t/${companies}`,
      ready: '[role=alert], h2:visible',
      prepare: (page) => fails(page, `**/api/dev/data${companies}?*`, 403, 'access.denied', `You may not read table ${companies}.`),
    },
    {
      name: 'forbidden-record',
      path: `/t/${companies}/1`,
      ready: '[role=alert], h2:visible',
      prepare: (page) => fails(page, `**/api/dev/data${companies}/1*`, 403, 'access.denied', `You may not read table ${companies}.`),
    },
    { name: 'forbidden-admin', path: '/admin/rights', ready: 'h2:visible', prepare: asOther },
    { name: 'nowhere-page', path: '/admin/nothing', ready: 'h2:visible' },
    { name: 'nowhere-chapter', path: '/help/nothing', ready: 'h2:visible' },
    {
      name: 'busy-list',
      path: `/t/${companies}`,
      ready: '[role=alert], h2:visible',
      prepare: (page) => fails(page, `**/api/dev/data${companies}?*`, 503, 'server.busy', 'The service is busy.'),
    },
    ...['jobs', 'trash', 'admin/users', 'admin/storage', 'admin/audit', 'admin/settings', 'admin/webhooks'].map((page): Shot => {
      const own: Readonly<Record<string, string>> = {
        jobs: 'job',
        trash: 'trash',
        'admin/storage': 'installation',
        'admin/settings': 'installation',
      }
      const resource = own[page] ?? page.slice('admin/'.length).replace(/s$/, '')
      return {
        name: `failed-${page.replace('/', '-')}`,
        path: `/${page}`,
        ready: '[role=alert]',
        prepare: (shown) =>
          fails(
            shown,
            resource === 'installation' ? '**/installation' : new RegExp(`/api/dev/${resource}s?(\\?|/|$)`),
            500,
            'server.failed',
            'No',
          ),
      }
    }),
    {
      name: 'session-ended',
      path: `/t/${deals}/5`,
      ready: '.fields',
      async act(page) {
        await page.context().setOffline(true)
        await page.locator('.fields .change').nth(0).click()
        await page.keyboard.press('Control+a')
        await page.keyboard.type('What waits while the session ends')
        await page.keyboard.press('Enter')
        await page.locator('.bar').first().waitFor()
        await fails(page, '**/api/dev/**', 401, 'auth.required', 'Sign in.')
        await page.context().setOffline(false)
        await page.waitForURL(/sign-in/)
        await page.locator('form').waitFor()
      },
    },
    { name: 'board-scrolled', path: `/t/${deals}?view=${views.board}`, ready: '.lane', act: scrolled('.lane') },
    { name: 'record-sections', path: `/t/${people}/2`, ready: '.field-section' },
    { name: 'record-new-sections', path: `/t/${people}/new`, ready: '.field-section' },
    {
      name: 'record-new-wrong',
      path: `/t/${people}/new`,
      ready: '.fields',
      async act(page) {
        await page.keyboard.press('Control+s')
        await page.getByRole('alert').first().waitFor()
      },
    },
    { name: 'admin-sections', path: `/admin/tables/${people}`, ready: '.app' },
    {
      name: 'admin-conversion-lost',
      path: `/admin/tables/${companies}?field=${field('Name')}`,
      ready: '.design-panel select',
      async act(page) {
        await page.locator('.design-panel select').first().selectOption('date')
        await page.locator('.conversion .button').first().click()
        await page.locator('.conversion table, .design-panel [role=alert]').first().waitFor()
      },
    },
    {
      name: 'trash-fields',
      path: '/trash?kind=field',
      ready: 'table',
      async act(page) {
        await page.locator('tr', { hasText: 'Budget' }).locator('.button.bad').click()
        await page.locator('[role=dialog], [role=alertdialog]').first().waitFor()
      },
    },
    {
      name: 'table-end',
      path: `/t/${companies}`,
      ready: row,
      only: 'wide',
      async act(page) {
        await page.locator(".grid-rows [data-row='1'] [role=gridcell]").nth(2).click()
        await page.keyboard.press('Control+End')
      },
    },
  ]
}

const give = (page: Page, name: string, text: string) =>
  page.locator('.file-place input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const scrolled = (what: string) => (page: Page) =>
  page.evaluate(
    `(() => { const one = document.querySelector('${what}'); (one.querySelector('ol,ul') ?? one).scrollTop = 4000; one.scrollTop = 4000; scrollBy(0, 4000) })()`,
  )
