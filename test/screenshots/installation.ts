import assert from 'node:assert/strict'
import { password } from '../browser/support/pages-scene.ts'
import type { Chromium } from '../support/chromium.ts'
import type { ScratchProgram, Server } from '../support/scratch-program.ts'
import type { Ids } from './states.ts'

/* What the demonstration data lacks: views, people, rights, a webhook, imports, things in the trash. */

/** Makes it; the ids that addresses name, and the code of an invitation. */
export async function installation(chromium: Chromium, program: ScratchProgram, server: Server): Promise<{ ids: Ids; code: string }> {
  const token = await program.token()
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(token, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const make = async (type: string, attributes: object) => Number((await call('POST', type, { data: { type, attributes } })).data.id)
  const tables = (await call('GET', 'table')).data as readonly { id: string; attributes: { table_name: string } }[]
  const table = (name: string) => Number(tables.find(({ attributes }) => attributes.table_name === name)!.id)
  const companies = table('Companies')
  const deals = table('Deals')
  const fields = (await call('GET', 'field?page[size]=500')).data as readonly {
    id: string
    attributes: { field_name: string; table_id: number }
  }[]
  /** Of companies and deals, the name of whose fields differ. */
  const field = (name: string) =>
    Number(
      fields.find(({ attributes: { field_name, table_id } }) => field_name === name && table_id === (name === 'Name' ? companies : deals))!
        .id,
    )
  const f = (name: string) => `f${field(name)}`

  const today = new Date()
  for (let i = 1; i <= 30; i++) {
    const day = new Date(today.getFullYear(), today.getMonth(), 1 + ((i * 7) % 28), 12).toISOString().slice(0, 10)
    await call('PATCH', `data${deals}/${i}`, { data: { type: `data${deals}`, id: String(i), attributes: { [f('Closes')]: day } } })
  }
  const views = {
    cards: await make('view', { table_id: companies, view_name: 'Cards', kind: 'cards' }),
    board: await make('view', { table_id: deals, view_name: 'By stage', kind: 'board', group_by: f('Stage') }),
    calendar: await make('view', { table_id: deals, view_name: 'Closing', kind: 'calendar', group_by: `${f('Closes')}:month` }),
    chart: await make('view', { table_id: deals, view_name: 'Figures', kind: 'chart', group_by: f('Stage') }),
  }
  const group = await make('group', { group_name: 'Sales' })
  const other = await make('group', { group_name: 'Отдел сопровождения и технической поддержки' })
  await make('access', { group_id: group, table_id: companies, read: true, update: true, create: true })
  // Of the deals they may change only some.
  const all = { read: true, create: true, update: true, delete: true, bed: true }
  await make('access', { group_id: group, table_id: deals, ...all, write_filter: `eq(${f('Stage')},'New')` })
  await make('access', { group_id: other, table_id: deals, read: true, read_filter: `gt(${f('Amount')},1000)` })
  const user = await make('user', { login: 'anna', fio: 'Anna Orlova', group_id: group, password })
  const invited = await make('user', { login: 'boris', fio: 'Борис Константинопольский', group_id: other })
  const { code } = (await call('POST', 'invitation', { data: { type: 'invitation', attributes: { user_id: invited } } })).data.attributes
  const empty = await make('table', { table_name: 'Suppliers' })
  await make('field', { table_id: empty, field_name: 'Name', field_type: 'text' })
  await make('field', { table_id: empty, field_name: 'Rating', field_type: 'integer' })
  const webhook = await make('webhook', {
    url: 'https://receiver.example/hooks/kartoteka',
    table_id: companies,
    actions: ['create', 'update'],
  })
  await call('DELETE', `data${companies}/299`)
  await call('DELETE', `data${deals}/200`)
  await call('DELETE', `field/${await make('field', { table_id: empty, field_name: 'Old rating', field_type: 'integer' })}`)
  await call('DELETE', `table/${await make('table', { table_name: 'Old price list' })}`)
  const people = table('People')
  const ofPeople = (name: string) => fields.find(({ attributes: its }) => its.table_id === people && its.field_name === name)!.id
  for (const [section, names] of [
    ['How to reach them', ['E-mail', 'Mobile']],
    ['О человеке', ['Labels', 'Born']],
  ] as const)
    for (const name of names)
      await call('PATCH', `field/${ofPeople(name)}`, { data: { type: 'field', id: ofPeople(name), attributes: { section } } })
  // A field that takes values with it.
  const budget = await make('field', { table_id: deals, field_name: 'Budget of the year before last', field_type: 'decimal' })
  for (const i of [3, 4, 5])
    await call('PATCH', `data${deals}/${i}`, { data: { type: `data${deals}`, id: String(i), attributes: { [`f${budget}`]: `${i}00.50` } } })
  await call('DELETE', `field/${budget}`)
  await call('PATCH', `data${deals}?filter=in(id,43,44,45,46)`, { data: { type: `data${deals}`, attributes: { [f('Amount')]: '4100' } } })
  for (const Notes of ['Wants an offer.', 'Wants an offer by Friday.'])
    await call('PATCH', `data${companies}/1`, {
      data: {
        type: `data${companies}`,
        id: '1',
        attributes: { [`f${fields.find(({ attributes }) => attributes.field_name === 'Notes')!.id}`]: Notes },
      },
    })

  const change = (its: number, record: number, attributes: object) =>
    call('PATCH', `data${its}/${record}`, { data: { type: `data${its}`, id: String(record), attributes } })
  const changeAll = (its: number, records: readonly number[], attributes: object) =>
    call('PATCH', `data${its}?filter=in(id,${records.join()})`, { data: { type: `data${its}`, attributes } })
  const trashed = (its: number, record: number) => call('DELETE', `data${its}/${record}`)
  const restored = async (its: number, record: number) => {
    const [entry] = (await call('GET', `trash?filter=and(eq(kind,'record'),eq(table_id,${its}),eq(item_id,${record}))`)).data as readonly {
      id: string
    }[]
    await call('POST', `trash/${entry!.id}/restore`)
  }
  const { page, context } = await chromium.open()
  const bring = async (name: string, text: string, into = ''): Promise<number> => {
    await page.goto(`${server.url}/import${into}`)
    await page.locator('.file-place input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.waitForURL(/job=\d+/)
    await page.locator('.wizard-body table').first().waitFor()
    return Number(new URL(page.url()).searchParams.get('job'))
  }
  await page.goto(`${server.url}/sign-in?next=/import`)
  await page.locator('input[autocomplete=username]').fill('admin')
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('.app').waitFor()
  const lines = Array.from(
    { length: 70 },
    (_, i) => `Lagoa ${i};1${i % 9}.1${i % 3}.2024;${i + 1} 234,50;${i === 55 ? 'about 12' : i};person${i}@example.org`,
  )
  const text = `Firm;Since;Turnover;Staff;E-mail\n${lines.join('\n')}\n`
  const draft = await bring('new clients.csv', text)
  await bring('suppliers of last year.csv', 'Name,City\nHeron,Porto\nLagoa,Faro\n')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: /records are in/ }).waitFor()
  const done = Number(new URL(page.url()).searchParams.get('job'))
  const ratings = await make('table', { table_name: 'Ratings' })
  await make('field', { table_id: ratings, field_name: 'Name', field_type: 'text' })
  await make('field', { table_id: ratings, field_name: 'Rating', field_type: 'integer' })
  const doubtful = await bring('ratings.csv', `Name,Rating\n${'Cup,12\n'.repeat(40)}Bowl,about 12\nPot,never\n`, `?table=${ratings}`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: /records are in/ }).waitFor()
  await context.close()
  return {
    ids: {
      companies,
      deals,
      people,
      empty,
      views,
      field,
      webhook,
      user,
      group,
      draft,
      done,
      doubtful,
      budget,
      change,
      changeAll,
      trashed,
      restored,
    },
    code,
  }
}
