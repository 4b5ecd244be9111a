import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resourceRoutes } from '../../../src/http/resource-routes.ts'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { issueToken } from '../../../src/store/people/tokens.ts'
import { purgeExpired } from '../../../src/store/structure/trash.ts'
import { makeTable, person, refused } from '../../support/scene.ts'
import { openBrowser } from '../../support/browser.ts'
import { JSON_API, startService, type Answer, type Service } from '../../support/service.ts'

type Sides = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
interface Change {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>> & {
    readonly resource_type: string
    readonly action: string
    readonly changes: Sides
  }
}

describe('changes of structure, rights and users', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const list = async (query: string, token?: string): Promise<Change[]> => {
    const { status, text, json } = await service.get(`change?page[limit]=50&${query}`, token)
    assert.equal(status, 200, text)
    return json.data
  }
  const newest = async (): Promise<number> => Number((await list('sort=-id&filter=eq(table_id,0)'))[0]!.id)
  const since = (id: number, token?: string): Promise<Change[]> => list(`filter=and(eq(table_id,0),gt(id,${id}))`, token)
  const total = async (): Promise<number> => (await service.get('change?filter=eq(table_id,0)')).json.meta.total
  /** What became of the table 0 by this: `create table 7`. */
  const brief = ({ attributes }: Change) => `${attributes.action} ${attributes.resource_type} ${String(attributes['record_id'])}`
  const during = async (act: () => Promise<unknown>): Promise<Change[]> => {
    const [before, kept] = [await newest(), await total()]
    await act()
    const changes = await since(before)
    assert.equal(await total(), kept + changes.length, 'those before are kept')
    return changes
  }
  const ok = async (answer: Promise<Answer>): Promise<Answer> => {
    const got = await answer
    assert.ok(got.status < 300, `${got.status} ${got.text}`)
    return got
  }
  const eraseTable = async (item: string | number) => {
    const [entry] = (await service.get(`trash?filter=and(eq(item_id,${item}),eq(kind,'table'))`)).json.data
    return ok(service.remove(`trash/${entry.id}`))
  }

  it('have a change for each way to write a resource', async () => {
    const password = 'correct horse battery'
    const table = await service.make('table', { table_name: 'Deals' })
    const other = await service.make('table', { table_name: 'Gone' })
    const field = await service.make('field', { table_id: Number(table), field_name: 'Sum', field_type: 'integer' })
    const made: Record<string, string> = {}
    const secrets: string[] = []
    const make = (type: string, attributes: object) => async () => void (made[type] = await service.make(type, attributes))
    const change = (type: string, attributes: object) => () => ok(service.change(type, made[type]!, attributes))
    const remove = (type: string) => () => ok(service.remove(`${type}/${made[type]}`))
    const ofPage = { 'X-Requested-With': 'kartoteka', 'Sec-Fetch-Site': 'same-origin', 'Content-Type': JSON_API }
    const signIn = async (): Promise<string> => {
      const body = { data: { type: 'session', attributes: { login: 'berta', password } } }
      const answer = await service.send('POST', '/api/dev/session', { token: null, headers: ofPage, body })
      assert.equal(answer.status, 201, answer.text)
      return answer.headers.get('set-cookie')!.split(';')[0]!
    }
    /** Of each route that writes, an act, and what it must leave; ids are filled in afterwards. */
    const acts: Readonly<Record<string, readonly [act: () => Promise<unknown>, leaves: string]>> = {
      'POST /api/dev/category': [make('category', { category_name: 'Sales' }), 'create category'],
      'PATCH /api/dev/category/{id}': [change('category', { category_name: 'Sales and more' }), 'update category'],
      'DELETE /api/dev/category/{id}': [remove('category'), 'delete category'],
      'POST /api/dev/table': [make('table', { table_name: 'Plants' }), 'create table'],
      'POST /api/dev/table/{id}/copy': [
        () => ok(service.add('table', { table_name: 'Copy' }, undefined, `table/${made['table']}/copy`)),
        'create table',
      ],
      'PATCH /api/dev/table/{id}': [change('table', { table_name: 'Trees' }), 'update table'],
      'POST /api/dev/field': [make('field', { table_id: Number(table), field_name: 'Size', field_type: 'integer' }), 'create field'],
      'PATCH /api/dev/field/{id}': [change('field', { field_name: 'Height' }), 'update field'],
      'DELETE /api/dev/field/{id}': [remove('field'), 'delete field'],
      'POST /api/dev/filter': [
        make('filter', { table_id: Number(table), filter_name: 'Big', expression: `gt(f${field},5)` }),
        'create filter',
      ],
      'PATCH /api/dev/filter/{id}': [change('filter', { expression: `gt(f${field},50)` }), 'update filter'],
      'DELETE /api/dev/filter/{id}': [remove('filter'), 'delete filter'],
      'POST /api/dev/view': [make('view', { table_id: Number(table), view_name: 'All', kind: 'grid' }), 'create view'],
      'PATCH /api/dev/view/{id}': [change('view', { view_name: 'Every' }), 'update view'],
      'DELETE /api/dev/view/{id}': [remove('view'), 'delete view'],
      // Nobody else's business (DECISIONS A55).
      'POST /api/dev/setting': [make('setting', { key: 'theme', value: 'dark' }), ''],
      'PATCH /api/dev/setting/{id}': [change('setting', { value: 'light' }), ''],
      'DELETE /api/dev/setting/{id}': [remove('setting'), ''],
      'POST /api/dev/group': [make('group', { group_name: 'Sellers' }), 'create group'],
      'PATCH /api/dev/group/{id}': [change('group', { group_name: 'Buyers' }), 'update group'],
      'POST /api/dev/access': [
        () => make('access', { group_id: Number(made['group']), table_id: Number(table), read: true })(),
        'create access',
      ],
      'PATCH /api/dev/access/{id}': [change('access', { update: true }), 'update access'],
      'DELETE /api/dev/access/{id}': [remove('access'), 'delete access'],
      'DELETE /api/dev/group/{id}': [remove('group'), 'delete group'],
      'POST /api/dev/user': [make('user', { login: 'berta', password }), 'create user'],
      'PATCH /api/dev/user/{id}': [change('user', { fio: 'Berta' }), 'update user'],
      'POST /api/dev/token': [
        async () => void (made['token'] = (await ok(service.add('token', { login: 'berta', password }, null))).json.data.id),
        'create token',
      ],
      'POST /api/dev/invitation': [() => make('invitation', { user_id: Number(made['user']) })(), 'create invitation'],
      'DELETE /api/dev/invitation/{id}': [remove('invitation'), 'delete invitation'],
      'POST /api/dev/invitation/redeem': [
        async () => {
          const { code } = (await ok(service.add('invitation', { user_id: Number(made['user']) }))).json.data.attributes
          await ok(service.call('POST', 'invitation/redeem', { data: { type: 'invitation', attributes: { code, password } } }, null))
        },
        'create invitation, delete invitation, update user, delete token',
      ],
      'PATCH /api/dev/token/{id}': [
        async () => {
          const token = await service.signIn('berta', password)
          made['token'] = (await service.get('token?sort=-id', token)).json.data[0].id
          await ok(service.change('token', made['token']!, { name: 'Berta’s' }, token))
        },
        'create token, update token',
      ],
      'DELETE /api/dev/token/{id}': [
        async () => {
          const token = await service.signIn('berta', password)
          await ok(service.remove(`token/${(await service.get('token?sort=-id', token)).json.data[0].id}`, token))
        },
        'create token, delete token',
      ],
      'POST /api/dev/session': [() => signIn(), 'create token'],
      'DELETE /api/dev/session': [
        async () => {
          const cookie = await signIn()
          const answer = await service.send('DELETE', '/api/dev/session', { token: null, headers: { ...ofPage, Cookie: cookie } })
          assert.ok(answer.status < 300, answer.text)
        },
        'create token, delete token',
      ],
      // Nobody else's business either; the audit log has it.
      ...Object.fromEntries(
        (['POST', 'DELETE'] as const).map((method) => [
          `${method} /api/dev/session/view`,
          [
            async () => {
              const { login, password: its } = service.first
              const browser = await openBrowser(service, login, its)
              const body = { data: { type: 'session', attributes: { group_id: 3 } } }
              await ok(browser.send(method, 'session/view', method === 'POST' ? { body } : {}))
            },
            'create token',
          ] as const,
        ]),
      ),
      'DELETE /api/dev/user/{id}': [remove('user'), 'update user, delete token, delete token'],
      'POST /api/dev/index': [
        make('index', { table_id: Number(table), attribute: `f${field}`, kind: 'order', wish: 'forbidden' }),
        'create index',
      ],
      'PATCH /api/dev/index/{id}': [change('index', { wish: 'auto' }), 'update index'],
      // Changes of structure are not undone.
      'POST /api/dev/batch/{id}/undo': [async () => ok(service.call('POST', `batch/${await newest()}/undo`)), ''],
      'POST /api/dev/webhook': [make('webhook', { url: 'https://hooks.example.com/in' }), 'create webhook'],
      'PATCH /api/dev/webhook/{id}': [change('webhook', { actions: ['create'] }), 'update webhook'],
      'POST /api/dev/webhook/{id}/secret': [
        async () => secrets.push((await ok(service.call('POST', `webhook/${made['webhook']}/secret`))).json.data.attributes.secret),
        'update webhook',
      ],
      'POST /api/dev/webhook/{id}/test': [
        async () => void (made['webhook_delivery'] = (await ok(service.call('POST', `webhook/${made['webhook']}/test`))).json.data.id),
        '',
      ],
      'POST /api/dev/webhook_delivery/{id}/replay': [
        () => ok(service.call('POST', `webhook_delivery/${made['webhook_delivery']}/replay`)),
        '',
      ],
      // A job is no resource that others rely on; what it changes is logged by itself.
      'POST /api/dev/job': [
        async () => {
          const input = { action: 'delete', filter: 'eq(id,0)' }
          const data = { type: 'job', attributes: { kind: 'bulk', table_id: Number(table), input } }
          made['job'] = (await ok(service.call('POST', 'job', { data }))).json.data.id
        },
        '',
      ],
      'DELETE /api/dev/job/{id}': [remove('job'), ''],
      'PUT /api/dev/job/{id}/file': [
        async () => {
          const data = { type: 'job', attributes: { kind: 'import', table_id: Number(table) } }
          made['import'] = (await ok(service.call('POST', 'job', { data }))).json.data.id
          await ok(
            service.send('PUT', `/api/dev/job/${made['import']}/file`, { body: 'Sum\n1\n', headers: { 'Content-Type': 'text/csv' } }),
          )
        },
        '',
      ],
      'PATCH /api/dev/job/{id}': [() => ok(service.change('job', made['import']!, { input: { nothing: '-' } })), ''],
      'POST /api/dev/job/{id}/run': [() => ok(service.call('POST', `job/${made['import']}/run`)), ''],
      'DELETE /api/dev/webhook/{id}': [remove('webhook'), 'delete webhook'],
      'DELETE /api/dev/table/{id}': [() => ok(service.remove(`table/${other}`)), 'delete table'],
      'POST /api/dev/trash/{id}/restore': [
        async () => {
          const [entry] = (await service.get(`trash?filter=and(eq(item_id,${other}),eq(kind,'table'))`)).json.data
          await ok(service.call('POST', `trash/${entry.id}/restore`))
        },
        'restore table',
      ],
      'DELETE /api/dev/trash/{id}': [
        async () => {
          await ok(service.remove(`table/${other}`))
          await eraseTable(other)
        },
        'delete table, erase table',
      ],
    }
    const writing = resourceRoutes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(Object.keys(acts).toSorted(), writing.toSorted())
    for (const [route, [act, leaves]] of Object.entries(acts)) {
      const changes = await during(act)
      assert.deepEqual(changes.map(({ attributes }) => `${attributes.action} ${attributes.resource_type}`).join(', '), leaves, route)
      for (const { attributes } of changes) {
        const expected =
          attributes.action === 'erase' || leaves.includes('delete invitation, update user') ? {} : { via: 'api', table_id: 0 }
        assert.partialDeepStrictEqual(attributes, expected, route)
      }
    }
    const [rows] = await service.store.db.read(sql`SELECT content FROM changes`)
    assert.ok(rows!.every(([content]) => secrets.every((secret) => !String(content).includes(secret))))
    assert.match(secrets.join(), /^whsec_/)
  })

  it('have the attributes as the resource shows them, and only those that changed', async () => {
    const id = await service.make('table', { table_name: 'Kinds' })
    const [created] = await during(async () => {
      const field = await service.make('field', { table_id: Number(id), field_name: 'Kind', field_type: 'list', options: ['Oak', 'Elm'] })
      await ok(service.change('field', field, { options: ['Elm', 'Ash'], required: true }))
      await ok(service.remove(`field/${field}`))
    }).then((all) => {
      const ofField = all.filter(({ attributes }) => attributes.resource_type === 'field')
      assert.deepEqual(
        ofField.map(({ attributes }) => attributes.action),
        ['create', 'update', 'delete'],
      )
      return [ofField] as const
    })
    const [make, update, remove] = created.map(({ attributes }) => attributes.changes)
    const field = Number(created[0]!.attributes['record_id'])
    const option = (label: string) => ({ label })
    const labels = (value: unknown) => (value as { label: string }[]).map(({ label }) => option(label))
    assert.deepEqual(
      { ...make, options: labels(make!['options']!.to) },
      {
        table_id: { from: null, to: Number(id) },
        int_name: { from: null, to: `f${field}` },
        field_name: { from: null, to: 'Kind' },
        field_type: { from: null, to: 'list' },
        sequence_number: { from: null, to: 1 },
        options: [option('Oak'), option('Elm')],
      },
    )
    assert.deepEqual(Object.keys(update!), ['required', 'options'])
    assert.deepEqual(update!['required'], { from: false, to: true })
    assert.deepEqual(
      [labels(update!['options']!.from), labels(update!['options']!.to)],
      [
        [option('Oak'), option('Elm')],
        [option('Elm'), option('Ash')],
      ],
    )
    const { attributes } = (await service.get(`table/${id}`)).json.data
    assert.ok('table_name' in attributes)
    assert.deepEqual(remove!['required'], { from: true, to: null })
    assert.deepEqual(remove!['default_value'], { from: '', to: null })
  })

  it('tell of a table that it has another title field', async () => {
    const id = await service.make('table', { table_name: 'Titled' })
    const changes = await during(() => service.make('field', { table_id: Number(id), field_name: 'Name', field_type: 'text' }))
    assert.deepEqual(
      changes.map(brief).map((one) => one.replace(/ \d+$/, '')),
      ['update table', 'create field'],
    )
    const field = Number(changes[1]!.attributes['record_id'])
    assert.deepEqual(changes[0]!.attributes.changes, { title_field_id: { from: 0, to: field } })
    const gone = await during(() => service.remove(`field/${field}`))
    assert.deepEqual(gone[0]!.attributes.changes, { title_field_id: { from: field, to: 0 } })
    assert.equal(new Set(gone.map(({ attributes }) => attributes['batch_id'])).size, 1)
  })

  it('follow what a change of one resource does to others', async () => {
    const category = await service.make('category', { category_name: 'Old' })
    const table = await service.make('table', { table_name: 'In it', category_id: Number(category) })
    const changes = await during(() => service.remove(`category/${category}`))
    assert.deepEqual(changes.map(brief), [`delete category ${category}`, `update table ${table}`])
    assert.deepEqual(changes[1]!.attributes.changes, { category_id: { from: Number(category), to: 0 } })
    const group = await service.make('group', { group_name: 'Short-lived' })
    const rule = await service.make('access', { group_id: Number(group), table_id: Number(table), read: true, fields: {} })
    assert.deepEqual((await during(() => service.remove(`group/${group}`))).map(brief), [`delete group ${group}`, `delete access ${rule}`])
  })

  it('of a password have no value, and no change has a secret', async () => {
    const password = 'first password of carla'
    const { id, token } = await person(service, 3, 'carla')
    const before = await newest()
    const own = { password, old_password: 'carla carla carla' }
    const changes = await during(() => ok(service.change('user', id, own, token)))
    assert.deepEqual(changes.map(brief), [`update user ${id}`])
    assert.deepEqual([changes[0]!.attributes.changes, changes[0]!.attributes['user_id']], [{}, Number(id)])
    assert.ok(Number(changes[0]!.attributes['token_id']) > 0)
    const { code } = (await ok(service.add('invitation', { user_id: Number(id) }))).json.data.attributes
    const issued = await issueToken(service.store, operator, { login: 'carla' })
    const text = JSON.stringify(await list('filter=eq(table_id,0)'))
    for (const secret of [password, code, token, issued.token, 'carla carla carla', 'argon2'] as string[])
      assert.ok(!text.includes(secret), secret)
    assert.ok((await since(before)).length >= 3)
  })

  it('are none where nothing changes, and where a write is refused', async () => {
    const group = await service.make('group', { group_name: 'Same' })
    assert.deepEqual(await during(() => ok(service.change('group', group, { group_name: 'Same' }))), [])
    assert.deepEqual(await during(() => service.add('user', { login: '' })), [])
    assert.deepEqual(
      await during(() => service.add('field', { table_id: 1, field_name: 'Bad', field_type: 'list', options: ['', 'x'] })),
      [],
    )
    assert.deepEqual(await during(() => service.get('user')), [])
  })

  it('of a field that gets another type share a batch with those of its records, and a purge says what it erased', async () => {
    const { id, type, f } = await makeTable(service, 'Converted', { name: 'text', size: 'text' })
    const record = await service.make(type, { [f.name]: 'Oak', [f.size]: '12' })
    const ofBatch = (all: readonly Change[]) => all.map(({ attributes: { action, via, batch_id } }) => [action, via, batch_id])
    const before = Number((await list('sort=-id'))[0]!.id)
    await ok(service.change('field', f.size.slice(1), { field_type: 'integer' }))
    const converted = await list(`filter=gt(id,${before})`)
    const batch = Number(converted[0]!.id)
    assert.deepEqual(ofBatch(converted), [
      ['convert', 'conversion', batch],
      ['update', 'api', batch],
    ])
    assert.deepEqual(converted[0]!.attributes.changes[f.size], { from: '12', to: '12' })
    assert.deepEqual(converted[1]!.attributes.changes['field_type'], { from: 'text', to: 'integer' })

    service.clock.now += 400 * 86_400_000
    await purgeExpired(service.store)
    await ok(service.remove(`field/${f.size.slice(1)}`))
    service.clock.now += 400 * 86_400_000
    const then = Number((await list('sort=-id'))[0]!.id)
    assert.equal(await purgeExpired(service.store), 1)
    const purged = await list(`filter=gt(id,${then})`)
    assert.deepEqual(
      purged.map(({ attributes }) => [
        attributes.action,
        attributes['table_id'],
        attributes['record_id'],
        attributes['via'],
        attributes['user_id'],
        attributes.changes,
      ]),
      [
        ['convert', id, Number(record), 'service', 0, {}],
        ['erase', 0, Number(f.size.slice(1)), 'service', 0, {}],
      ],
    )
    assert.equal(new Set(purged.map(({ attributes }) => attributes['batch_id'])).size, 1)
    const history = (await service.get(`${type}/${record}/history`)).json.data as Change[]
    assert.deepEqual(
      history.map(({ attributes }) => attributes.action),
      ['create', 'convert', 'convert'],
    )

    await ok(service.remove(`table/${id}`))
    service.clock.now += 400 * 86_400_000
    const erased = await during(() => purgeExpired(service.store))
    assert.deepEqual(erased.map(brief), [`erase table ${id}`])
    assert.deepEqual(await list(`filter=eq(table_id,${id})`), [])
  })

  it('are seen by administrators alone, with a token that is not limited: in lists, by cursor, and by id', async () => {
    const table = await service.table('Seen')
    const group = await service.make('group', { group_name: 'Readers' })
    await service.make('access', { group_id: Number(group), table_id: table.id, read: true })
    const seller = await person(service, Number(group), 'reader')
    const manager = await person(service, 2, 'manager')
    const limited = (await issueToken(service.store, operator, { login: service.first.login, tables: [table.id] })).token
    const reading = (await issueToken(service.store, operator, { login: service.first.login, scope: 'read' })).token
    const id = String(await newest())
    const follow = async (token: string) => (await service.get('change?page[after]=&page[limit]=50', token)).json.data as Change[]
    for (const token of [seller.token, manager.token, limited]) {
      assert.deepEqual(await list('filter=eq(table_id,0)', token), [])
      assert.deepEqual(
        (await follow(token)).filter(({ attributes }) => attributes['table_id'] === 0),
        [],
      )
      refused(await service.get(`change/${id}`, token), '404 resource.not_found')
    }
    for (const token of [service.token, reading]) {
      assert.equal((await list(`filter=eq(id,${id})`, token)).length, 1)
      assert.ok((await follow(token)).some(({ attributes }) => attributes['table_id'] === 0))
      assert.equal((await service.get(`change/${id}`, token)).status, 200)
    }
  })

  it('are found by the type of the resource, and long ones are left out of lists', async () => {
    const table = await service.make('table', { table_name: 'Long' })
    const labels = Array.from({ length: 1_000 }, (_, i) => `${'x'.repeat(240)}${i}`)
    const field = await service.make('field', { table_id: Number(table), field_name: 'Many', field_type: 'list', options: labels })
    const found = await list(`filter=and(eq(resource_type,'field'),eq(record_id,${field}))&sort=resource_type,-id`)
    assert.equal(found.length, 1)
    assert.ok(JSON.stringify(labels).length > limits.changeInList.most)
    assert.equal(found[0]!.attributes.changes, null)
    const whole = (await service.get(`change/${found[0]!.id}`)).json.data as Change
    assert.equal((whole.attributes.changes['options']!.to as unknown[]).length, 1_000)
    const { id } = (await service.add(`data${table}`, {})).json.data
    const [record] = await list(`filter=and(eq(table_id,${table}),eq(record_id,${id}))`)
    assert.equal(record!.attributes.resource_type, '')
  })
})
