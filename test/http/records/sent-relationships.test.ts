import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createRule } from '../../../src/store/structure/access-rules.ts'
import { errorsOf, startService, type Answer, type Service } from '../../support/service.ts'

/* `relationships` in documents of records, and `include` in requests that write them. */

let service: Service
let token: string
let cities: string
let people: string
const f: Record<string, string> = {}
const [HIDDEN, DELETED] = ['4', '5']

const r = (name: string): string => `r${f[name]!.slice(1)}`
const inverse = (name: string): string => `${people}_${r(name)}`
const all = (): string => `include=${r('home')},${r('lived')},${r('boss')},${inverse('boss')}`
const to = (id: string) => ({ type: cities, id })
const make = (attributes: object) => service.make(people, attributes, token)
const patch = (id: string, data: object, query = '', by = token): Promise<Answer> =>
  service.call('PATCH', `${people}/${id}${query}`, { data: { type: people, id, ...data } }, by)
const relate = (id: string, name: string, data: unknown, more: object = {}) =>
  patch(id, { relationships: { [r(name)]: { data } }, ...more })
const valueOf = async (id: string, name: string): Promise<string> =>
  (await service.get(`${people}/${id}`, token)).json.data.attributes[f[name]!]

before(async () => {
  service = await startService()
  const city = await service.table('Cities', { city: 'text' })
  cities = `data${city.id}`
  const person = await service.table('People', {
    name: { typeName: 'text', unique: true },
    home: { typeName: 'reference', referenceTableId: city.id },
    lived: { typeName: 'references', referenceTableId: city.id },
  })
  people = `data${person.id}`
  Object.assign(f, city.fields, person.fields)
  for (const field_name of ['boss', 'fixed'])
    f[field_name] =
      `f${await service.make('field', { table_id: person.id, field_name, field_type: 'reference', reference_table_id: person.id })}`
  for (let n = 0; n < 60; n++) await service.make(cities, { [f['city']!]: n === 3 ? 'hidden' : `town ${n}` })
  const group = Number(await service.make('group', { group_name: 'Some' }))
  const rights = { groupId: group, read: true, create: true, update: true }
  await createRule(service.store, operator, { ...rights, tableId: city.id, readFilter: `ne(${f['city']},'hidden')` } as never)
  await createRule(service.store, operator, { ...rights, tableId: person.id, fields: { [f['fixed']!.slice(1)]: 'read_only' } } as never)
  token = await service.tokenOf(group)
})
after(() => service.close())

describe('relationships in a document', () => {
  it('change nothing if they are sent as they were read', async () => {
    const boss = await make({ [f['name']!]: 'boss' })
    const some = Array.from({ length: 55 }, (_, n) => String(n + 1))
    const homes = ['0', '1', HIDDEN, DELETED]
    const lives = ['', '-2-1-', `-1-${HIDDEN}-2-`, `-${some.filter((one) => one !== DELETED).join('-')}-`]
    const ids: string[] = []
    for (const [n, home] of homes.entries())
      ids.push(await service.make(people, { [f['home']!]: home, [f['lived']!]: lives[n]!, [f['boss']!]: boss }))
    await service.remove(`${cities}/${DELETED}`)
    for (const id of [boss, ...ids])
      for (const query of [`?${all()}`, `?${all()}&fields[${people}]=${r('home')},${r('lived')}`, `?fields[${people}]=${r('home')}`]) {
        const read = await service.get(`${people}/${id}${query}`, token)
        assert.equal(read.status, 200, read.text)
        const { attributes, relationships, links } = read.json.data
        assert.ok(Object.keys(relationships).length > 0)
        const sent = await patch(id, { attributes, relationships, links }, query)
        assert.deepEqual([sent.status, sent.json], [200, read.json], sent.text)
        assert.equal(sent.headers.get('etag'), read.headers.get('etag'))
      }
  })

  it('set the field, when a record is created and when it is changed', async () => {
    const created = await service.call(
      'POST',
      people,
      {
        data: { type: people, relationships: { [r('home')]: { data: to('1') }, [r('lived')]: { data: [to('2'), to('1')] } } },
      },
      token,
    )
    const { id, attributes } = created.json.data
    assert.deepEqual([created.status, attributes[f['home']!], attributes[f['lived']!]], [201, '1', '-2-1-'])
    assert.equal((await relate(id, 'home', to('2'))).json.data.attributes[f['home']!], '2')
    assert.equal((await relate(id, 'home', null)).json.data.attributes[f['home']!], '0')
    assert.equal((await relate(id, 'lived', [to('3')])).json.data.attributes[f['lived']!], '-3-')
    assert.equal((await relate(id, 'lived', [])).json.data.attributes[f['lived']!], '')
  })

  it('and its attribute: the one that differs from what is stored counts', async () => {
    const id = await make({ [f['home']!]: '1', [f['lived']!]: '-1-2-' })
    const both = (home: string, other: string) => relate(id, 'home', to(other), { attributes: { [f['home']!]: home } })
    assert.equal((await both('2', '1')).json.data.attributes[f['home']!], '2')
    assert.equal((await both('2', '3')).json.data.attributes[f['home']!], '3')
    assert.equal((await both('1', '1')).json.data.attributes[f['home']!], '1')
    assert.deepEqual(errorsOf(await both('2', '3')), [`400 relationship.contradicts /data/relationships/${r('home')}`])
    assert.deepEqual(errorsOf(await both('x', '3')), [`422 field.invalid_value /data/attributes/${f['home']}`])
    const several = { attributes: { [f['lived']!]: '-2-' } }
    assert.equal((await relate(id, 'lived', [to('1'), to('2')], several)).json.data.attributes[f['lived']!], '-2-')
    assert.equal(await valueOf(id, 'home'), '1')
  })

  it('are refused where they cannot be set', async () => {
    const id = await make({ [f['home']!]: '1' })
    const at = (name: string) => `/data/relationships/${r(name)}`
    const refused = async (answer: Promise<Answer>, error: string) => assert.deepEqual(errorsOf(await answer), [error])
    await refused(relate(id, 'home', to('999')), `422 field.invalid_value ${at('home')}/data`)
    await refused(relate(id, 'home', to(HIDDEN)), `422 field.invalid_value ${at('home')}/data`)
    await refused(relate(id, 'home', { type: people, id: '1' }), `409 document.wrong_type ${at('home')}/data/type`)
    await refused(relate(id, 'lived', [to('1'), 7]), `400 document.invalid_member ${at('lived')}/data/1`)
    await refused(relate(id, 'lived', null), `400 document.invalid_member ${at('lived')}/data`)
    await refused(relate(id, 'fixed', { type: people, id }), `400 attribute.read_only ${at('fixed')}/data`)
    const raw = (relationships: unknown) => patch(id, { relationships })
    await refused(raw({ [r('home')]: {} }), `400 document.missing_member ${at('home')}/data`)
    await refused(raw({ [r('home')]: 7 }), `400 document.invalid_member ${at('home')}`)
    await refused(raw(7), '400 document.invalid_member /data/relationships')
    await refused(raw({ r999: { data: null } }), '400 relationship.unknown /data/relationships/r999')
    // Who names the attribute of a field is told its relationship.
    const { detail } = (await raw({ [f['home']!]: { data: null } })).json.errors[0]
    assert.equal(detail, `There is no relationship '${f['home']!}' that can be written. That of the field is '${r('home')}'.`)
    const included = (await service.get(`${people}?include=${f['home']!}`)).json.errors[0]
    assert.equal(included.detail, `'${f['home']!}' cannot be included. The relationship of the field is '${r('home')}'.`)
    await refused(
      raw({ [inverse('boss')]: { data: [{ type: people, id }] } }),
      `403 relationship.read_only /data/relationships/${inverse('boss')}`,
    )
    assert.equal((await raw({ [inverse('boss')]: { data: [] } })).status, 200)
    const many = await service.make(people, {
      [f['lived']!]: `-${Array.from({ length: 52 }, (_, n) => n + 7)
        .filter((n) => n < 59)
        .join('-')}-`,
    })
    await refused(relate(many, 'lived', [to('7')]), `403 relationship.partial ${at('lived')}`)
    assert.equal((await relate(many, 'lived', [to('7')], { attributes: { [f['lived']!]: '-8-' } })).status, 403)
    await refused(relate('999', 'home', null), '404 record.not_found')
  })

  it('of a table are accepted as they are shown, and not otherwise', async () => {
    const path = `table/${people.slice(4)}`
    const { id, type, relationships } = (await service.get(`${path}?include=fields`)).json.data
    assert.ok(relationships.fields.data.length > 3)
    const send = (sent: object) => service.call('PATCH', path, { data: { type, id, relationships: sent } })
    assert.equal((await send(relationships)).status, 200)
    assert.deepEqual(errorsOf(await send({ fields: { data: [] } })), ['403 relationship.read_only /data/relationships/fields'])
    assert.deepEqual(errorsOf(await send({ records: {} })), ['400 relationship.unknown /data/relationships/records'])
  })
})

describe('include in requests that write', () => {
  it('shows the record after the change, as GET does', async () => {
    const { status, json } = await service.add(people, { [f['home']!]: '1' }, token, `${people}?${all()}`)
    const { id } = json.data
    assert.deepEqual([status, json], [201, (await service.get(`${people}/${id}?${all()}`, token)).json])
    const changed = await patch(id, { attributes: { [f['home']!]: '2' } }, `?${all()}`)
    const read = await service.get(`${people}/${id}?${all()}`, token)
    assert.deepEqual([changed.status, changed.json], [200, read.json])
    assert.deepEqual(
      read.json.included.map((one: { id: string }) => one.id),
      ['2'],
    )
    assert.equal(changed.headers.get('etag'), read.headers.get('etag'))
  })

  it('is read before anything is written', async () => {
    const before = (await service.get(people)).json.meta.total
    const refused = await service.add(people, {}, token, `${people}?include=r999`)
    assert.deepEqual(errorsOf(refused), ['400 parameter.invalid include'])
    assert.equal((await service.get(people)).json.meta.total, before)
  })

  it('is answered again with an Idempotency-Key', async () => {
    const body = { data: { type: people, relationships: { [r('home')]: { data: to('1') } } } }
    const sending = { body, token, headers: { 'Idempotency-Key': 'one' } }
    const path = `/api/dev/${people}?include=${r('home')}`
    const first = await service.send('POST', path, sending)
    const again = await service.send('POST', path, sending)
    assert.equal(first.status, 201, first.text)
    assert.deepEqual([again.json, again.headers.get('location')], [first.json, first.headers.get('location')])
    assert.equal(again.json.included[0].id, '1')
  })

  it('says in meta what it could not include: the change is done', async () => {
    const group = Number(await service.make('group', { group_name: 'Own' }))
    const rule = { groupId: group, tableId: Number(people.slice(4)), read: true, create: true, readFilter: `eq(${f['name']},'own')` }
    await createRule(service.store, operator, rule as never)
    const by = await service.tokenOf(group)
    const { status, json } = await service.add(people, { [f['name']!]: 'not seen' }, by, `${people}?include=${r('boss')}`)
    assert.deepEqual([status, json.data.attributes[f['name']!], json.meta.notIncluded.code], [201, 'not seen', 'record.not_found'])
  })
})
