import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { deliver } from '../../support/delivering.ts'
import { startReceiver } from '../../support/receiver.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'
import { isGenuine } from '../../support/verify-webhook.ts'

const url = 'https://hooks.example.com/in'

describe('the resource webhook', () => {
  let service: Service
  let deals: Table
  before(async () => {
    service = await startService({ webhookHttp: 'no', webhookNetworks: [] })
    deals = await makeTable(service, 'Deals', { title: 'text', secret: 'text' })
  })
  after(() => service.close())
  afterEach(async () => {
    await service.store.db.write((tx) => tx.run(sql`DELETE FROM webhooks`))
  })

  it('is created with defaults, listed, changed and deleted', async () => {
    const { status, json, text } = await service.add('webhook', { url })
    assert.equal(status, 201, text)
    const { secret, ...attributes } = json.data.attributes
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(attributes, {
      url,
      table_id: 0,
      actions: [],
      filter: '',
      active: true,
      user_id: 1,
      made_at: '2024-05-01 09:30:15',
      fault: '',
    })
    const { id } = json.data
    const wish = { table_id: deals.id, actions: ['create', 'delete'], filter: `eq(${deals.f.title!},'x')`, active: false }
    assert.deepEqual((await service.change('webhook', id, wish)).json.data.attributes, { ...attributes, ...wish })
    assert.deepEqual((await service.get("webhook?filter=contains(url,'EXAMPLE')")).json.data[0].attributes, { ...attributes, ...wish })
    assert.equal((await service.remove(`webhook/${id}`)).status, 200)
    refused(await service.get(`webhook/${id}`), '404 resource.not_found')
  })

  it('shows a secret once, and nowhere else; a new one is shown once too', async () => {
    const { json } = await service.add('webhook', { url: `${url}?key=of-the-receiver` })
    const { id, attributes } = json.data
    const renewed = await service.call('POST', `webhook/${id}/secret`)
    assert.equal(renewed.status, 200)
    const secrets = [attributes.secret, renewed.json.data.attributes.secret]
    assert.equal(new Set(secrets).size, 2)
    const delivery = (await service.call('POST', `webhook/${id}/test`)).json.data.id
    const answers = [
      await service.get(`webhook/${id}`),
      await service.get('webhook'),
      await service.change('webhook', id, { active: false }),
      await service.get(`webhook_delivery/${delivery}`),
      await service.get('audit?sort=-id&page[limit]=50'),
      await service.get('change?page[limit]=50'),
    ]
    const told = [...answers.map(({ status, text }) => `${status} ${text}`), JSON.stringify(service.logged)].join('\n')
    assert.match(told, /webhook_created.*|webhook_secret_made/)
    for (const secret of secrets) assert.ok(!told.includes(secret.slice('whsec_'.length)), told)
    const audited = (await service.get('audit?sort=-id&page[limit]=50')).text
    assert.ok(audited.includes('https://hooks.example.com') && !audited.includes('of-the-receiver'), audited)
    refused(await service.get(`webhook?filter=starts_with(secret,'whsec')`), '400 filter.unknown_attribute filter')
    refused(await service.change('webhook', id, { secret: 'whsec_mine' }), '400 attribute.unknown /data/attributes/secret')
  })

  it('has an address that the server may reach', async () => {
    const wrong = [
      '',
      'example.com',
      'http://hooks.example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://a:b@example.com/',
      'https://example.com:25/',
    ]
    for (const one of wrong) {
      const answer = await service.add('webhook', { url: one })
      refused(answer, `422 field.${one === '' ? 'required' : 'invalid_value'} /data/attributes/url`)
    }
    refused(await service.add('webhook', {}), '422 field.required /data/attributes/url')
    const id = (await service.add('webhook', { url })).json.data.id
    refused(await service.change('webhook', id, { url: 'https://10.0.0.1/' }), '422 field.invalid_value /data/attributes/url')
  })

  it('can be switched off, though its address is not allowed any more, or its table is gone, and not on again', async () => {
    const made = await makeTable(service, 'Going', { name: 'text' })
    const filter = `eq(${made.f.name},'x')`
    const byTable = (await service.add('webhook', { url, table_id: made.id, filter })).json.data.id
    const byField = (await service.add('webhook', { url, table_id: deals.id, filter: `eq(${deals.f.title!},'x')` })).json.data.id
    const byAddress = (await service.add('webhook', { url })).json.data.id
    await service.store.db.write((tx) => tx.run(sql`UPDATE webhooks SET url = 'http://10.0.0.1/' WHERE id = ${Number(byAddress)}`))
    await service.store.db.write((tx) => tx.run(sql`UPDATE webhooks SET filter = 'eq(f9999,1)' WHERE id = ${Number(byField)}`))
    await service.remove(`table/${made.id}`)
    for (const [id, attribute] of [
      [byTable, 'table_id'],
      [byField, 'filter'],
      [byAddress, 'url'],
    ] as const) {
      const wrong = `422 field.invalid_value /data/attributes/${attribute}`
      refused(await service.change('webhook', id, { actions: ['create'] }), wrong)
      const off = await service.change('webhook', id, { active: false })
      assert.deepEqual([off.status, off.json.data.attributes.active], [200, false], off.text)
      refused(await service.change('webhook', id, { active: true }), wrong)
      assert.equal((await service.change('webhook', id, { actions: ['create'] })).status, 200)
      refused(await service.change('webhook', id, { url: 'https://10.0.0.1/' }), '422 field.invalid_value /data/attributes/url')
    }
    refused(await service.change('webhook', byTable, { filter: 'eq(f9999,1)' }), '422 field.invalid_value /data/attributes/table_id')
  })

  it('leaves of its address in the log of changes only what holds no secret of the receiver', async () => {
    const id = await service.make('webhook', { url: `${url}?key=first-of-the-receiver` })
    await service.change('webhook', id, { url: `${url}?key=second-of-the-receiver` })
    await service.change('webhook', id, { url: 'https://other.example.com:8443/third-of-the-receiver' })
    await service.change('webhook', id, { active: false })
    await service.remove(`webhook/${id}`)
    const { json, text } = await service.get(`change?filter=and(eq(resource_type,'webhook'),eq(record_id,${id}))`)
    assert.ok(!text.includes('of-the-receiver'), text)
    const [one, other] = ['https://hooks.example.com', 'https://other.example.com:8443']
    assert.deepEqual(
      json.data.map(({ attributes }: { attributes: { changes: { url?: object } } }) => attributes.changes.url),
      [{ from: null, to: one }, { from: one, to: one }, { from: one, to: other }, undefined, { from: other, to: null }],
    )
  })

  it('has actions, a table and a filter that there are', async () => {
    const title = deals.f.title!
    for (const [attributes, ...errors] of [
      [{ actions: ['create', 'explode'] }, '422 field.invalid_value /data/attributes/actions'],
      [{ actions: ['create', 'create'] }, '422 field.invalid_value /data/attributes/actions'],
      [{ table_id: 9_999 }, '422 field.invalid_value /data/attributes/table_id'],
      [{ filter: `eq(${title},'x')` }, '422 field.invalid_value /data/attributes/filter'],
      [{ table_id: deals.id, filter: 'eq(f99999,1)' }, '422 field.invalid_value /data/attributes/filter'],
      [{ table_id: deals.id, filter: 'eq(' }, '422 field.invalid_value /data/attributes/filter'],
      [{ user_id: 7 }, '400 attribute.read_only /data/attributes/user_id'],
      [{ fault: 'x' }, '400 attribute.read_only /data/attributes/fault'],
    ] as const)
      refused(await service.add('webhook', { url, ...attributes }), ...errors)
  })

  it('is for users with a token that may write and is not limited to tables; of tables that they may read', async () => {
    const group = Number(await service.make('group', { group_name: 'Readers' }))
    await service.make('access', { group_id: group, table_id: deals.id, read: true, fields: { [deals.f.secret!.slice(1)]: 'hidden' } })
    const closed = await makeTable(service, 'Closed', { name: 'text' })
    const { token } = await person(service, group, 'hook-reader')
    const other = await person(service, group, 'hook-other')
    const { json, status, text } = await service.add('webhook', { url, table_id: deals.id }, token)
    assert.equal(status, 201, text)
    const { id } = json.data
    for (const [attributes, error] of [
      [{ table_id: closed.id }, '422 field.invalid_value /data/attributes/table_id'],
      [{ table_id: deals.id, filter: `eq(${deals.f.secret!},'x')` }, '422 field.invalid_value /data/attributes/filter'],
    ] as const)
      refused(await service.add('webhook', { url, ...attributes }, token), error)
    // An administrator changes it, and it keeps the rights of its user.
    refused(await service.change('webhook', id, { table_id: closed.id }), '422 field.invalid_value /data/attributes/table_id')
    assert.equal((await service.change('webhook', id, { active: false })).status, 200)
    assert.deepEqual((await service.get('webhook', other.token)).json.data, [])
    const strange = [
      await service.get(`webhook/${id}`, other.token),
      await service.change('webhook', id, { active: true }, other.token),
      await service.remove(`webhook/${id}`, other.token),
      await service.call('POST', `webhook/${id}/secret`, undefined, other.token),
      await service.call('POST', `webhook/${id}/test`, undefined, other.token),
    ]
    for (const answer of strange) refused(answer, '404 resource.not_found')
    const delivery = (await service.call('POST', `webhook/${id}/test`, undefined, token)).json.data.id
    refused(await service.call('POST', `webhook_delivery/${delivery}/replay`, undefined, other.token), '404 resource.not_found')
    assert.deepEqual((await service.get('webhook_delivery', other.token)).json.data, [])
    const reading = await service.tokenOf(group, { scope: 'read' })
    const limited = await service.tokenOf(group, { tables: [deals.id] })
    for (const one of [reading, limited]) refused(await service.add('webhook', { url, table_id: deals.id }, one), '403 access.denied')
    refused(await service.get('webhook', limited), '403 access.denied')
  })

  it('is limited in number, for each user and in all', async () => {
    const rows = (count: number, user: number) => {
      const columns =
        'url urlk table_id actions actionsk filter filterk active user_id made_at fault faultk secret former_secret former_until_ms instance cursor revision'
      const row = [url, url, 0, '', '', '', '', 0, user, '2024-05-01 09:30:15', '', '', 'whsec_x', '', 0, 'x', 0, 0]
      return service.store.db.write((tx) =>
        tx.insert(
          'webhooks',
          columns.split(' '),
          Array.from({ length: count }, () => row),
        ),
      )
    }
    await rows(limits.webhooksPerUser.most - 1, 1)
    assert.equal((await service.add('webhook', { url })).status, 201)
    refused(await service.add('webhook', { url }), '409 quota.reached')
    const token = await service.tokenOf(1)
    await rows(limits.webhooks.most - limits.webhooksPerUser.most - 1, 99)
    assert.equal((await service.add('webhook', { url }, token)).status, 201)
    refused(await service.add('webhook', { url }, token), '409 quota.reached')
  })

  it('stays while its table is in the trash, and is erased with it', async () => {
    const made = await makeTable(service, 'Short-lived', { name: 'text' })
    const { id } = (await service.add('webhook', { url, table_id: made.id })).json.data
    await service.remove(`table/${made.id}`)
    assert.equal((await service.get(`webhook/${id}`)).status, 200)
    const [trash] = (await service.get(`trash?filter=and(eq(kind,'table'),eq(item_id,${made.id}))`)).json.data
    assert.equal((await service.remove(`trash/${trash.id}`)).status, 200)
    refused(await service.get(`webhook/${id}`), '404 resource.not_found')
  })

  it('of a restored copy sends nothing until someone activates it', async () => {
    const { id } = (await service.add('webhook', { url })).json.data
    await service.store.db.write((tx) => tx.run(sql`UPDATE webhooks SET instance = 'before'`))
    const delivering = deliver(service.store)
    await delivering.until('its end', async () => !(await service.get(`webhook/${id}`)).json.data.attributes.active)
    assert.equal((await service.get(`webhook/${id}`)).json.data.attributes.fault, 'restored')
    assert.ok(delivering.logged.some(({ message }) => /restored/.test(message)))
    await delivering.close()
    const [stopped] = (await service.get(`change?filter=and(eq(resource_type,'webhook'),eq(record_id,${id}))&sort=-id`)).json.data
    assert.deepEqual(
      [stopped.attributes.action, stopped.attributes.via, stopped.attributes.changes],
      ['update', 'service', { active: { from: true, to: false } }],
    )
    assert.equal((await service.change('webhook', id, { active: true })).json.data.attributes.fault, '')
    const again = deliver(service.store)
    await again.pause()
    await again.close()
    assert.equal((await service.get(`webhook/${id}`)).json.data.attributes.active, true)
  })
})

describe('the secrets of a webhook', () => {
  it('sign together for a day after a new one was made', async (context) => {
    const service = await startService()
    const receiver = await startReceiver((response) => void response.writeHead(204).end())
    const delivering = deliver(service.store)
    context.after(async () => {
      await delivering.close()
      await receiver.close()
      await service.close()
    })
    // Of one table: that of all tables is sent its own changes too.
    const { id: table_id } = await service.table('Quiet')
    const { id, attributes } = (await service.add('webhook', { url: `http://127.0.0.1:${receiver.port}/`, table_id })).json.data
    const sent = async () => {
      const before = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
      await service.call('POST', `webhook/${id}/test`)
      // The one before may come again: a delivery whose answer was not read is sent once more.
      const found = () => receiver.received.find(({ headers }) => !before.has(headers['webhook-id']))
      await delivering.until('a test', () => found() !== undefined)
      return found()!
    }
    const { secret } = (await service.call('POST', `webhook/${id}/secret`)).json.data.attributes
    const both = await sent()
    for (const one of [secret, attributes.secret]) assert.ok(isGenuine(one, both.headers, both.body, service.clock.now))
    service.clock.now += 86_400_001
    await service.change('webhook', id, { actions: ['create'] })
    const later = await sent()
    assert.deepEqual(
      [secret, attributes.secret].map((one) => isGenuine(one, later.headers, later.body, service.clock.now)),
      [true, false],
    )
  })
})
