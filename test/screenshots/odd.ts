import assert from 'node:assert/strict'
import type { ScratchProgram, Server } from '../support/scratch-program.ts'
import type { Shot } from './states.ts'

/* Names and values that are as long as they may be, or read from right to left. */

const LONG = 'A name that nobody has thought to end '.repeat(8).slice(0, 255)
const UNBROKEN = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(8).slice(0, 255)
const HEBREW = 'חברת הספנות של נהר הדנובה'
const ARABIC = 'شركة الملاحة في نهر الدانوب'

/** Makes an installation of them; its pages. */
export async function odd(program: ScratchProgram, server: Server): Promise<readonly Shot[]> {
  const token = await program.token()
  const make = async (type: string, attributes: object): Promise<string> => {
    const { status, body } = await server.call(token, 'POST', type, { data: { type, attributes } })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id as string
  }
  const category = await make('category', { category_name: LONG })
  const table = await make('table', { table_name: LONG, category_id: Number(category) })
  await make('table', { table_name: UNBROKEN, category_id: Number(category) })
  await make('table', { table_name: HEBREW })
  const field = async (field_name: string, field_type: string, more: object = {}) =>
    `f${await make('field', { table_id: Number(table), field_name, field_type, ...more })}`
  const name = await field(LONG, 'text')
  const note = await field(HEBREW, 'longtext')
  const kind = await field(UNBROKEN, 'list', { options: [{ label: LONG }, { label: HEBREW }, { label: UNBROKEN }] })
  const day = await field('Day', 'date')
  const other = await field(ARABIC, 'reference', { reference_table_id: Number(table) })
  const today = new Date().toISOString().slice(0, 10)
  await make(`data${table}`, { [name]: LONG, [note]: `${LONG}\n`.repeat(6), [kind]: LONG, [day]: today })
  await make(`data${table}`, { [name]: UNBROKEN, [note]: UNBROKEN, [kind]: UNBROKEN, [day]: today, [other]: '1' })
  await make(`data${table}`, { [name]: HEBREW, [note]: `${HEBREW} ABC 123 ${ARABIC}`, [kind]: HEBREW, [day]: today, [other]: '1' })
  await make(`data${table}`, { [name]: ARABIC, [note]: ARABIC, [kind]: HEBREW, [other]: '2' })
  const group = await make('group', { group_name: LONG })
  await make('group', { group_name: HEBREW })
  const user = await make('user', { login: 'long', fio: LONG, group_id: Number(group) })
  await make('user', { login: 'unbroken', fio: UNBROKEN, group_id: Number(group) })
  await make('user', { login: 'hebrew', fio: HEBREW, group_id: Number(group) })
  await make('access', { group_id: Number(group), table_id: Number(table), read: true })
  await make('view', { table_id: Number(table), view_name: LONG, kind: 'board', group_by: kind })
  await make('webhook', { url: `https://receiver.example/${'long'.repeat(80)}`, table_id: Number(table) })
  await server.call(token, 'DELETE', `data${table}/${await make(`data${table}`, { [name]: LONG })}`)
  const at = `/t/${table}`
  const first = ".grid-rows [data-row='0'] .name-link, .cards .card"
  return [
    { name: 'odd-table', path: at, ready: first },
    { name: 'odd-board', path: `${at}?kind=board&group=${kind}`, ready: '.lane' },
    { name: 'odd-calendar', path: `${at}?kind=calendar&group=${day}`, ready: '.day-item:visible' },
    { name: 'odd-chart', path: `${at}?kind=chart&group=${kind}`, ready: '.mini' },
    { name: 'odd-record', path: `${at}/1`, ready: '.fields' },
    { name: 'odd-record-unbroken', path: `${at}/2`, ready: '.fields' },
    { name: 'odd-record-right-to-left', path: `${at}?record=3`, ready: '.record-panel .fields' },
    { name: 'odd-new', path: `${at}/new`, ready: '.fields' },
    {
      name: 'odd-filter',
      path: `${at}?filter=${encodeURIComponent(`and(eq(${kind},'${LONG}'),eq(${name},'${HEBREW}'))`)}`,
      ready: '.tools .chip',
      async act(page) {
        await page.keyboard.press('Control+Shift+F')
        await page.locator('.filter-builder .rule').first().waitFor()
      },
    },
    {
      name: 'odd-palette',
      path: at,
      ready: first,
      async act(page) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type('name')
        await page.getByRole('dialog').getByRole('option').nth(1).waitFor()
      },
    },
    { name: 'odd-search', path: '/search?q=name', ready: '.app' },
    { name: 'odd-side', path: at, ready: first, only: 'narrow', act: async (page) => page.locator('.bottom button').first().click() },
    { name: 'odd-trash', path: '/trash', ready: 'table' },
    { name: 'odd-admin-tables', path: '/admin/tables', ready: '.app' },
    { name: 'odd-admin-designer', path: `/admin/tables/${table}?field=${kind.slice(1)}`, ready: '.app' },
    { name: 'odd-admin-users', path: '/admin/users', ready: '.app' },
    { name: 'odd-admin-user', path: `/admin/users?user=${user}`, ready: '.app' },
    { name: 'odd-admin-groups', path: '/admin/groups', ready: '.app' },
    { name: 'odd-admin-rights', path: `/admin/rights?group=${group}&table=${table}`, ready: '.app' },
    { name: 'odd-admin-webhooks', path: '/admin/webhooks', ready: '.app' },
    { name: 'odd-admin-audit', path: '/admin/audit', ready: '.audit-line' },
    {
      name: 'odd-view-as',
      path: `/admin/users?user=${user}`,
      ready: '.design-panel .button.line',
      async act(page) {
        await page.locator('.design-panel .button.line').first().click()
        await page.locator('.viewing').waitFor()
        await page.locator(first).first().waitFor()
      },
      async after(page) {
        await page.locator('.viewing .button').click()
        await page.locator('.viewing').waitFor({ state: 'detached' })
      },
    },
  ]
}
