import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/sql/sql.ts'
import { createJob } from '../../../src/store/jobs/jobs.ts'
import { callersNow } from '../../../src/store/people/authenticate.ts'
import { selfOf } from '../../../src/store/model/access.ts'
import { openBrowser, type Browser } from '../../support/browser.ts'
import { openEvents } from '../../support/event-stream.ts'
import { jobWhen, stepsKind } from '../../support/jobs.ts'
import { runJobs } from '../../../src/jobs/run-jobs.ts'
import { idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* An administrator sees what a user, or a member of a group, sees (DECISIONS A58). */

const viewing = '403 session.viewing'

describe('an administrator who sees what others see', () => {
  let service: Service
  let browser: Browser
  let deals: Table & { readonly f: Readonly<Record<'title' | 'secret' | 'owner' | 'scan' | 'hiddenScan', string>> }
  let salaries: Table
  let group: number
  let anna: { id: string; token: string }
  let boris: { id: string; token: string }
  let own: string
  let other: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', secret: 'text', owner: 'user', scan: 'file', hiddenScan: 'file' })
    salaries = await makeTable(service, 'Salaries', { name: 'text' })
    group = Number(await service.make('group', { group_name: 'Sales' }))
    anna = await person(service, group, 'anna')
    boris = await person(service, group, 'boris')
    const { f } = deals
    await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      create: true,
      update: true,
      delete: true,
      print: true,
      read_filter: `or(eq(${f.owner},current_user),eq(${f.owner},0))`,
      fields: { [f.secret]: 'hidden', [f.hiddenScan]: 'hidden' },
    })
    const file = [{ file_name: 'a.txt', content: 'content', binary: false }]
    own = await service.make(deals.type, {
      [f.title]: 'Boat',
      [f.secret]: 'tulip',
      [f.owner]: anna.id,
      [f.scan]: file,
      [f.hiddenScan]: file,
    })
    other = await service.make(deals.type, { [f.title]: 'Ship', [f.secret]: 'tulip', [f.owner]: boris.id })
    await service.make(deals.type, { [f.title]: 'Raft', [f.secret]: 'tulip' })
    await service.make(salaries.type, {})
    browser = await openBrowser(service, service.first.login, service.first.password)
  })
  after(() => service.close())
  beforeEach(async () => assert.equal((await browser.send('DELETE', 'session/view')).status, 200))

  const begin = (attributes: object, by = browser) => by.send('POST', 'session/view', { body: { data: { type: 'session', attributes } } })
  const view = async (attributes: object) => {
    const answer = await begin(attributes)
    assert.equal(answer.status, 200, answer.text)
  }
  const me = async () => (await browser.send('GET', 'me')).json.data
  const titles = async (query = '') =>
    (await browser.send('GET', `${deals.type}${query}`)).json.data.map(
      (one: { attributes: Record<string, string> }) => one.attributes[deals.f.title],
    )

  it('has the answers that the user has: records, totals, fields, search, files, tables', async () => {
    const { f } = deals
    await view({ user_id: Number(anna.id) })
    for (const path of [
      deals.type,
      `${deals.type}/${own}`,
      `${deals.type}/${other}`,
      `${deals.type}?filter=eq(${f.secret},'tulip')`,
      `${deals.type}?sort=${f.secret}`,
      `${deals.type}?filter=search('tulip')`,
      `${deals.type}/aggregate?calculate=count(id)`,
      `search?text=tulip`,
      `search?text=Boat`,
      `file/${deals.id}/${f.scan}/${own}/a.txt`,
      `file/${deals.id}/${f.hiddenScan}/${own}/a.txt`,
      salaries.type,
      'table',
      'field',
      'user',
      'group',
      'access',
      'audit',
      'webhook',
      'batch',
      'trash',
      'job',
    ]) {
      const seen = await browser.send('GET', path)
      const right = await service.send('GET', `/api/dev/${path}`, { token: anna.token })
      const plain = (text: string) => text.replaceAll(/"id":"[0-9a-f-]{20,}"|"(?:update|delete|create|bed|archive)":(?:true|false)/g, '')
      assert.equal(`${seen.status} ${plain(seen.text)}`, `${right.status} ${plain(right.text)}`, path)
      assert.ok(!seen.text.includes('"tulip"'), path)
    }
    assert.deepEqual(await titles('?sort=id'), ['Boat', 'Raft'])
    const found = await browser.send('POST', `${deals.type}/search`, { body: { meta: { filter: `contains(${f.title},'a')` } } })
    assert.deepEqual([found.status, found.json.meta.total], [200, 2])
    const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!
    const [seen, right] = [await browser.send('GET', `${deals.type}/${own}`), await service.get(`${deals.type}/${own}`, anna.token)]
    assert.notEqual(tagOf(seen), tagOf(right), 'a browser keeps neither for the other')
    const { access } = (await browser.send('GET', `table/${deals.id}`)).json.data.meta
    assert.deepEqual([access.read, access.print, access.create, access.update, access.delete], [true, true, false, false, false])
    const { id, attributes } = await me()
    assert.deepEqual(
      [id, attributes.fio, attributes.viewed_by.name, attributes.administers],
      [anna.id, 'anna', (await service.get('me')).json.data.attributes.fio, []],
    )
  })

  it('has those of a member of a group to whom nothing belongs', async () => {
    await service.make('webhook', { url: 'https://hooks.example.com/in' })
    await view({ group_id: group })
    assert.deepEqual(await titles(), ['Raft'])
    assert.equal((await browser.send('GET', `${deals.type}/${own}`)).status, 404)
    for (const type of ['trash', 'batch', 'job', 'webhook', 'audit', 'token'])
      assert.equal((await browser.send('GET', type)).json.meta.total, 0, type)
    const { id, attributes } = await me()
    assert.deepEqual([id, attributes.group_id, attributes.groups[0].group_name, attributes.login], ['0', group, 'Sales', ''])
    assert.equal(attributes.viewed_by.id, 1)
    assert.deepEqual((await service.get('me')).json.data.attributes.viewed_by, null)
  })

  it('changes nothing: whatever is not a GET is refused, before its body is read', async () => {
    await view({ user_id: Number(anna.id) })
    const before = (await service.get('change?sort=-id&page[limit]=1')).json.data[0].id
    const document = (type: string, attributes: object) => ({ body: { data: { type, attributes } } })
    for (const [method, path, sending] of [
      ['POST', deals.type, document(deals.type, {})],
      ['PATCH', `${deals.type}/${own}`, document(deals.type, { [deals.f.title]: 'x' })],
      ['DELETE', `${deals.type}/${own}`, {}],
      ['POST', 'operations', {}],
      ['PUT', `file/${deals.id}/${deals.f.scan}/${own}/b.txt`, {}],
      ['POST', `file/${deals.id}/${deals.f.scan}/${own}/a.txt/link`, {}],
      ['POST', 'setting', document('setting', { key: 'x', value: 1 })],
      ['PATCH', `user/${anna.id}`, document('user', { fio: 'x' })],
      ['POST', 'job', document('job', { kind: 'export', table_id: deals.id })],
      ['POST', 'session/view', document('session', { group_id: 3 })],
    ] as const)
      refused(await browser.send(method, path, sending), viewing)
    assert.equal((await service.get('change?sort=-id&page[limit]=1')).json.data[0].id, before)
    const head = await browser.send('HEAD', deals.type)
    assert.equal(head.status, 200)
    // Another session, and a token, of the same administrator are as before.
    assert.equal((await service.get('me')).json.data.attributes.viewed_by, null)
    assert.equal((await (await openBrowser(service, service.first.login, service.first.password)).send('GET', 'me')).json.data.id, '1')
  })

  it('leaves, or signs out, and both are in the audit log', async () => {
    const noted = async () =>
      (await service.get("audit?sort=-id&page[limit]=2&filter=in(action,'viewing_begun','viewing_ended')")).json.data.map(
        ({ attributes: { action, subject, user_id } }: { attributes: Record<string, unknown> }) =>
          `${String(user_id)} ${String(action)} ${String(subject)}`,
      )
    await view({ user_id: Number(anna.id) })
    for (let i = 0; i < 2; i++) assert.equal((await browser.send('DELETE', 'session/view')).status, 200)
    assert.deepEqual(await noted(), [`1 viewing_ended user ${anna.id}`, `1 viewing_begun user ${anna.id}`])
    assert.equal((await me()).attributes.administers.length > 0, true)
    await view({ group_id: 3 })
    assert.equal((await noted())[0], '1 viewing_begun group 3')
    assert.equal((await browser.send('DELETE', 'session')).status, 200)
    refused(await browser.send('GET', 'me'), '401 auth.token_invalid Cookie')
    const [out] = (await service.get("audit?sort=-id&page[limit]=1&filter=eq(action,'token_revoked')")).json.data
    assert.equal(out.attributes.user_id, 1)
    browser = await openBrowser(service, service.first.login, service.first.password)
  })

  it('is refused where there is nothing to see, and who is none is refused', async () => {
    const archived = await service.make('user', { login: 'gone', arc: 1 })
    for (const [attributes, place] of [
      [{}, 'user_id'],
      [{ user_id: Number(anna.id), group_id: group }, 'user_id'],
      [{ user_id: 1 }, 'user_id'],
      [{ user_id: 4711 }, 'user_id'],
      [{ user_id: Number(archived) }, 'user_id'],
      [{ group_id: 1 }, 'group_id'],
      [{ group_id: 4711 }, 'group_id'],
    ] as const)
      refused(await begin(attributes), `422 field.invalid_value /data/attributes/${place}`)
    const hers = await openBrowser(service, 'anna', 'anna anna anna')
    refused(await begin({ user_id: Number(boris.id) }, hers), '403 access.denied')
    refused(await hers.send('DELETE', 'session/view'), '403 access.denied')
    const body = { data: { type: 'session', attributes: { user_id: Number(anna.id) } } }
    refused(await service.send('POST', '/api/dev/session/view', { body }), '404 resource.not_found')
  })

  it('sees nothing of one who is archived or administers meanwhile, and is an ordinary user after losing their own group', async () => {
    const { id } = await person(service, group, 'clara')
    await view({ user_id: Number(id) })
    assert.deepEqual(await titles(), ['Raft'])
    for (const change of [{ arc: 1 }, { arc: 0, group_id: 1 }]) {
      assert.equal((await service.change('user', id, change)).status, 200)
      assert.equal((await browser.send('GET', deals.type)).status, 404)
      assert.equal((await browser.send('GET', 'table')).json.meta.total, 0)
      assert.deepEqual((await me()).attributes.administers, [])
      refused(await browser.send('POST', deals.type, {}), viewing)
    }
    const second = await service.make('user', { login: 'second', password: 'second second second', group_id: 1 })
    const theirs = await openBrowser(service, 'second', 'second second second')
    assert.equal((await begin({ user_id: Number(anna.id) }, theirs)).status, 200)
    await service.change('user', second, { group_id: group })
    const now = (await theirs.send('GET', 'me')).json.data
    assert.deepEqual([now.id, now.attributes.viewed_by], [second, null])
  })

  it('keeps settings of their own, and the job that they have begun', async () => {
    await browser.send('POST', 'setting', { body: { data: { type: 'setting', attributes: { key: 'theme', value: 'dark' } } } })
    await service.call('POST', 'setting', { data: { type: 'setting', attributes: { key: 'hers', value: 1 } } }, anna.token)
    const tokenId = Number((await me()).attributes.token.id)
    const caller = selfOf((await callersNow(service.store, [tokenId])).get(tokenId)!)
    const steps = stepsKind()
    const job = await createJob(service.store, caller, { kind: 'steps', tableId: 0, input: { steps: 2 } })
    await view({ user_id: Number(anna.id) })
    assert.deepEqual(
      (await browser.send('GET', 'setting')).json.data.map((one: { attributes: { key: string } }) => one.attributes.key),
      ['theme'],
    )
    assert.equal((await browser.send('GET', `job/${job}`)).status, 404)
    const runner = runJobs(service.store, steps.kinds)
    try {
      for (let i = 0; i < 2; i++) {
        await jobWhen(service, String(job), () => steps.waiting.has(job))
        steps.waiting.get(job)!()
        steps.waiting.delete(job)
      }
      assert.equal((await jobWhen(service, String(job))).state, 'done')
    } finally {
      await runner.close()
    }
  })

  it('follows the events that the user is told', async () => {
    const stream = await openEvents(service, `?tables=${deals.id}`, { token: null, headers: { Cookie: browser.cookie } })
    await stream.until(() => stream.comments > 0)
    await view({ user_id: Number(anna.id) })
    const hidden = await service.make(deals.type, { [deals.f.owner]: boris.id })
    const shown = await service.make(deals.type, { [deals.f.owner]: anna.id, [deals.f.secret]: 'tulip' })
    await stream.until(() => stream.events.length > 0)
    const [event] = stream.events
    assert.deepEqual([event!.data.attributes.record_id, JSON.stringify(event).includes('tulip')], [Number(shown), false], hidden)
    stream.close()
    assert.equal((await browser.send('GET', 'events?tables=0')).status, 403)
  })

  it('is known to other processes by the stored session', async () => {
    await view({ group_id: group })
    const rows = async () =>
      (await service.store.db.read(sql`SELECT count(*) FROM tokens WHERE view_group = ${group} AND view_user = 0`))[0]![0]![0]
    assert.equal(Number(await rows()), 1)
    assert.deepEqual(idsOf(await browser.send('GET', salaries.type).then(() => browser.send('GET', deals.type))).length, 1)
  })
})
