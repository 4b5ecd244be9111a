import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Answer, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused } from '../../support/scene.ts'

/* Rights on single attributes (DECISIONS A23, A47–A50): allow-lists, system attributes, users to assign, and what a rule comes to. */

describe('an allow-list', () => {
  let service: Service
  let table: Awaited<ReturnType<typeof makeTable<'name' | 'phase' | 'pay'>>>
  let guest: { id: string; token: string }
  let rule: string
  let record: string
  const f = () => table.f
  const rights = { create: true, read: true, update: true, delete: true, archive: true }
  const allow = (fields: object) => service.change('access', rule, { fields })

  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', { name: 'text', phase: 'text', pay: 'text' })
    const group = Number(await service.make('group', { group_name: 'Guests' }))
    guest = await person(service, group, 'guest')
    const fields = { allow: { [f().name]: 'writable', [f().phase]: 'read_only' } }
    rule = await service.make('access', { group_id: group, table_id: table.id, ...rights, fields })
    record = await service.make(table.type, { [f().name]: 'one', [f().phase]: 'open', [f().pay]: 'secret' })
  })
  after(() => service.close())

  const attributesOf = ({ json }: Answer) => Object.keys((Array.isArray(json.data) ? json.data[0] : json.data).attributes)

  it('shows what it names and nothing else: records, lists, fields', async () => {
    const named = [f().name, f().phase]
    assert.deepEqual(attributesOf(await service.get(`${table.type}/${record}`, guest.token)), named)
    assert.deepEqual(attributesOf(await service.get(table.type, guest.token)), named)
    const fields = await service.get(`field?filter=eq(table_id,${table.id})`, guest.token)
    assert.deepEqual(
      fields.json.data.map(({ id }: { id: string }) => `f${id}`),
      named,
    )
    const { json } = await service.get(`access/${rule}`)
    assert.deepEqual(json.data.attributes.fields, { allow: { [f().name]: 'writable', [f().phase]: 'read_only' } })
  })

  it('hides a field that is made later, from writes, filters and sorting too', async () => {
    const later = `f${await service.make('field', { table_id: table.id, field_name: 'Later', field_type: 'text' })}`
    const more = { table_id: table.id, field_name: 'Link', field_type: 'reference', reference_table_id: table.id }
    const link = `f${await service.make('field', more)}`
    await service.change(table.type, record, { [later]: 'new', [link]: record })
    for (const [asked, code] of [
      [`${table.type}?filter=eq(${later},'new')`, '400 filter.unknown_attribute filter'],
      [`${table.type}?sort=${later}`, '400 sort.unknown_attribute sort'],
      [`${table.type}?sort=add_time`, '400 sort.unknown_attribute sort'],
      [`${table.type}?filter=eq(user_id,1)`, '400 filter.unknown_attribute filter'],
      [`${table.type}?fields[${table.type}]=status`, `400 attribute.unknown fields[${table.type}]`],
      [`${table.type}?include=r${link.slice(1)}`, '400 parameter.invalid include'],
    ] as const)
      assert.deepEqual(errorsOf(await service.get(asked, guest.token)), [code], asked)
    const written = await service.change(table.type, record, { [later]: 'x', status: '1' }, guest.token)
    refused(written, `400 attribute.unknown /data/attributes/${later}`, '400 attribute.unknown /data/attributes/status')
    const fixed = await service.change(table.type, record, { [f().phase]: 'shut' }, guest.token)
    refused(fixed, `400 attribute.read_only /data/attributes/${f().phase}`)
    assert.equal((await service.change(table.type, record, { [f().name]: 'two' }, guest.token)).status, 200)
  })

  it('hides what the log tells, and the saved filters that name what is hidden, in the trash too', async () => {
    const gone = await service.make('field', { table_id: table.id, field_name: 'Gone', field_type: 'text' })
    const filters = []
    for (const expression of [`eq(${f().name},'one')`, `eq(${f().pay},'secret')`, 'eq(user_id,1)', `eq(f${gone},'x')`])
      filters.push(await service.make('filter', { table_id: table.id, filter_name: expression, expression }))
    await service.remove(`field/${gone}`)
    const seen = await service.get(`filter?filter=eq(table_id,${table.id})`, guest.token)
    assert.deepEqual(idsOf(seen), [filters[0]])
    const history = await service.get(`${table.type}/${record}/history`, guest.token)
    for (const { attributes } of history.json.data)
      for (const name of Object.keys(attributes.changes)) assert.ok([f().name, f().phase].includes(name), name)
    await service.change(table.type, record, { status: '1' })
    const now = await service.get(`${table.type}/${record}/history`, guest.token)
    assert.deepEqual(idsOf(now), idsOf(history), 'a change of a hidden system attribute is no change for them')
  })

  it('hides with user_id and add_time who created a record, and when, in the log too', async () => {
    await allow({ user_id: 'hidden', add_time: 'hidden' })
    const guess = `and(eq(table_id,${table.id}),or(eq(user_id,1),gt(made_at,'2000-01-01')),eq(action,'create'))`
    const lists = [`${table.type}/${record}/history`, `change?filter=eq(table_id,${table.id})`, `change?page[after]=&page[limit]=50`]
    for (const list of lists) {
      const created = (await service.get(list, guest.token)).json.data.filter(
        ({ attributes }: { attributes: { action: string; record_id: number } }) =>
          attributes.action === 'create' && String(attributes.record_id) === record,
      )
      assert.equal(created.length, 1, list)
      const { user_id, token_id, made_at } = created[0].attributes
      assert.deepEqual([user_id, token_id, made_at], [0, 0, '0000-00-00 00:00:00'], list)
      const one = (await service.get(`change/${created[0].id}`, guest.token)).json.data.attributes
      assert.deepEqual([one.user_id, one.made_at], [0, '0000-00-00 00:00:00'])
    }
    for (const way of ['', '&page[after]='])
      assert.deepEqual((await service.get(`change?filter=${guess}${way}`, guest.token)).json.data, [], way)
    assert.ok((await service.get(`change?filter=${guess}`)).json.data.length > 0)
  })

  it('may name system attributes: hidden, read-only; status also writable', async () => {
    assert.equal((await allow({ add_time: 'hidden', user_id: 'hidden', status: 'read_only' })).status, 200)
    const shown = attributesOf(await service.get(`${table.type}/${record}`, guest.token))
    assert.deepEqual(shown.slice(0, 2), ['status', f().name])
    refused(await service.change(table.type, record, { status: '0' }, guest.token), '400 attribute.read_only /data/attributes/status')
    const made = await service.add(table.type, { [f().name]: 'mine' }, guest.token)
    assert.equal(made.status, 201)
    assert.ok(!('user_id' in made.json.data.attributes))
    assert.equal((await allow({ allow: { [f().name]: 'writable', status: 'writable' } })).status, 200)
    assert.equal((await service.change(table.type, record, { status: '0' }, guest.token)).status, 200)
  })

  it('names a misspelled attribute where it stands', async () => {
    const at = (path: string) => `422 field.invalid_value /data/attributes/fields${path}`
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [{ f999: 'hidden' }, '/f999', /no field 'f999'/],
      [{ 999: 'hidden' }, '/999', /no field 'f999'/],
      [{ Name: 'hidden' }, '/Name', /no field 'Name'/],
      [{ id: 'hidden' }, '/id', /no field 'id'/],
      [{ [f().name]: 'invisible' }, `/${f().name}`, /'hidden' or 'read_only'/],
      [{ [f().name]: 'hidden', [f().name.slice(1)]: 'hidden' }, `/${f().name}`, /twice/],
      [{ allow: { f999: 'writable' } }, '/allow/f999', /no field 'f999'/],
      [{ allow: { [f().name]: 'hidden' } }, `/allow/${f().name}`, /left out it is hidden/],
      [{ allow: { user_id: 'writable' } }, '/allow/user_id', /set by the service/],
      [{ allow: { [f().name]: 'writable' }, [f().pay]: 'hidden' }, '', /allow/],
      [{ allow: [f().name] }, '', /allow/],
    ]
    for (const [fields, path, says] of cases) {
      const answer = await allow(fields)
      assert.deepEqual(errorsOf(answer), [at(path)], JSON.stringify(fields))
      assert.match(answer.json.errors[0].detail, says)
    }
  })

  it('gives records another tag when an attribute is hidden or comes back', async () => {
    const path = `/api/dev/${table.type}/${record}`
    const tag = async () => (await service.send('GET', path, { token: guest.token })).headers.get('ETag')
    await allow({ user_id: 'hidden' })
    const before = await tag()
    await allow({})
    assert.notEqual(await tag(), before)
  })
})

describe('assignable', () => {
  let service: Service
  let sales: { id: string; token: string }
  let mate: { id: string; token: string }
  let rule: string
  let table: Awaited<ReturnType<typeof makeTable<'name' | 'owner' | 'team' | 'since' | 'at'>>>

  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Leads', {
      name: 'text',
      owner: { field_type: 'user', default_value: 'current_user' },
      team: { field_type: 'users', default_value: 'current_user' },
      since: { field_type: 'date', default_value: 'today' },
      at: { field_type: 'datetime', default_value: 'today' },
    })
    const group = Number(await service.make('group', { group_name: 'Sales' }))
    sales = await person(service, group, 'sales')
    mate = await person(service, group, 'mate')
    await service.remove(`user/${await service.make('user', { login: 'former', fio: 'Former', group_id: group })}`)
    const own = `eq(${table.f.owner},current_user)`
    const rights = { create: true, read: true, update: true }
    rule = await service.make('access', { group_id: group, table_id: table.id, ...rights, read_filter: own, write_filter: own })
  })
  after(() => service.close())

  it('lets a group see id and name of the users who are not archived, and nothing else of them', async () => {
    const users = async (query = '') => (await service.get(`user${query}`, sales.token)).json
    assert.deepEqual((await users()).meta.total, 1)
    refused(
      await service.add(table.type, { [table.f.team]: `-${mate.id}-` }, sales.token),
      `422 field.invalid_value /data/attributes/${table.f.team}`,
    )
    assert.equal((await service.change('access', rule, { assignable: true })).json.data.attributes.assignable, true)
    const { data } = await users('?sort=id')
    const nothing = { e_mail: '', login: '', group_id: 0, arc: 0 }
    const named = (data as { id: string; attributes: object }[]).map(({ id, attributes }) => ({ id, attributes }))
    const self = named.find(({ id }) => id === sales.id)!
    assert.equal((self.attributes as { login: string }).login, 'sales')
    assert.deepEqual(
      named.filter(({ id }) => id !== sales.id && id !== '1'),
      [{ id: mate.id, attributes: { fio: 'mate', ...nothing } }],
    )
    assert.equal(named.length, 3, 'the first administrator, sales and mate; not who is archived')
    for (const filter of ["eq(login,'mate')", 'eq(group_id,1)', "starts_with(e_mail,'a')"])
      assert.equal((await users(`?filter=and(ne(id,${sales.id}),${filter})`)).meta.total, 0, filter)
    assert.equal((await service.get(`user/${mate.id}`, sales.token)).json.data.attributes.login, '')
    refused(await service.change('user', mate.id, { fio: 'x' }, sales.token), '403 access.denied')
    const team = await service.add(table.type, { [table.f.team]: `-${mate.id}-` }, sales.token)
    assert.equal(team.json.data?.attributes[table.f.team], `-${mate.id}-`, team.text)
  })

  it('current_user and today are defaults, so that a group creates what its filters ask for', async () => {
    const made = await service.add(table.type, { [table.f.name]: 'first' }, sales.token)
    assert.equal(made.status, 201, made.text)
    const { attributes } = made.json.data
    const today = attributes.add_time.slice(0, 10)
    const { owner, team, since, at } = table.f
    assert.deepEqual(
      [owner, team, since, at].map((name) => attributes[name!]),
      [sales.id, `-${sales.id}-`, today, `${today} 00:00:00`],
    )
    assert.deepEqual(idsOf(await service.get(`${table.type}?filter=eq(${table.f.name},'first')`, sales.token)), [made.json.data.id])
    assert.equal((await service.get(`${table.type}/${made.json.data.id}`, mate.token)).status, 404)
    const field = (await service.get(`field/${owner.slice(1)}`)).json.data
    assert.equal(field.attributes.default_value, 'current_user')
    const wrong = await service.add('field', { table_id: table.id, field_name: 'x', field_type: 'integer', default_value: 'today' })
    refused(wrong, '422 field.invalid_value /data/attributes/default_value')
  })

  it('explains what a user may do with a table, and why a record does not exist for them', async () => {
    const lost = await service.make(table.type, { [table.f.name]: 'of the administrator' })
    const gone = await service.make(table.type, { [table.f.owner]: sales.id })
    const own = await service.make(table.type, { [table.f.owner]: sales.id })
    await service.remove(`${table.type}/${gone}`)
    await service.change('access', rule, { fields: { [table.f.at]: 'read_only', [table.f.team]: 'hidden', add_time: 'hidden' } })
    const explain = async (user: string, record: string) =>
      (await service.get(`access/explain?user=${user}&table=${table.id}&record=${record}`)).json.meta
    const { rights, attributes, record, access_id, group_id } = await explain(sales.id, own)
    assert.deepEqual([access_id, rights.read, rights.delete], [rule, true, false])
    assert.equal(typeof group_id, 'number')
    assert.deepEqual(attributes, {
      id: 'read_only',
      user_id: 'read_only',
      add_time: 'hidden',
      status: 'read_only',
      [table.f.name]: 'writable',
      [table.f.owner]: 'writable',
      [table.f.team]: 'hidden',
      [table.f.since]: 'writable',
      [table.f.at]: 'read_only',
      update_time: 'hidden',
    })
    assert.deepEqual(record, { id: own, exists: true, missing: null, writable: true })
    const missing = async (user: string, id: string) => (await explain(user, id)).record.missing
    assert.deepEqual(
      [await missing(sales.id, lost), await missing(sales.id, gone), await missing(sales.id, '999')],
      ['read_filter', 'in_trash', 'not_found'],
    )
    const stranger = await person(service, 3, 'stranger')
    assert.equal(await missing(stranger.id, lost), 'no_right')
    const strangers = await explain(stranger.id, lost)
    assert.deepEqual([strangers.access_id, new Set(Object.values(strangers.attributes))], [null, new Set(['hidden'])])
    assert.equal(await missing('1', lost), null)
    refused(await service.get(`access/explain?user=1&table=${table.id}`, sales.token), '403 access.denied')
    refused(await service.get('access/explain?user=1'), '400 parameter.missing table')
    refused(await service.get(`access/explain?user=999&table=${table.id}`), '404 resource.not_found')
  })
})
