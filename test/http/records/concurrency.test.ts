import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createField } from '../../../src/store/structure/fields.ts'
import { sweepAnswers } from '../../../src/store/people/idempotency.ts'
import { makeTable, person } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('two clients at once', () => {
  let service: Service
  let path: string
  let type: string
  let table: number
  let f: Record<string, string>

  before(async () => {
    service = await startService()
    const made = await service.table('Things', { name: 'text', other: 'text' })
    ;({ id: table, fields: f } = made)
    type = `data${table}`
    path = `/api/dev/${type}`
  })
  after(() => service.close())

  const create = (attributes: Record<string, unknown>, headers: Record<string, string> = {}, token = service.token) =>
    service.send('POST', path, { body: { data: { type, attributes } }, headers, token })
  const patch = (id: string, attributes: Record<string, unknown>, headers: Record<string, string> = {}) =>
    service.send('PATCH', `${path}/${id}`, { body: { data: { type, id, attributes } }, headers })
  const total = async () => (await service.send('GET', path)).json.meta.total

  it('both succeed when they change different attributes', async () => {
    const { id } = (await create({})).json.data
    const answers = await Promise.all([patch(id, { [f.name!]: 'one' }), patch(id, { [f.other!]: 'two' })])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const { attributes } = (await service.send('GET', `${path}/${id}`)).json.data
    assert.deepEqual([attributes[f.name!], attributes[f.other!]], ['one', 'two'])
  })

  it('a record has a strong ETag that goes with its content, and If-None-Match gives 304', async () => {
    const made = await create({ [f.name!]: 'x' })
    const self = made.json.data.links.self
    const tag = made.headers.get('etag')!
    assert.match(tag, /^"[^"]+"$/)
    assert.equal((await service.send('GET', self)).headers.get('etag'), tag)
    for (const known of [tag, `W/${tag}`, '*', `"other", ${tag}`]) {
      const answer = await service.send('GET', self, { headers: { 'If-None-Match': known } })
      assert.equal(answer.status, 304, known)
      assert.equal(answer.headers.get('etag'), tag)
      assert.equal(answer.headers.get('vary'), 'Accept')
      assert.equal(answer.headers.get('content-type'), null)
      assert.equal(answer.text, '')
    }
    const narrow = await service.send('GET', `${self}?fields[${type}]=${f.name}`, { headers: { 'If-None-Match': tag } })
    assert.equal(narrow.status, 200)
    assert.notEqual(narrow.headers.get('etag'), tag)
    const changed = await patch(made.json.data.id, { [f.name!]: 'y' })
    assert.notEqual(changed.headers.get('etag'), tag)
    assert.equal((await service.send('GET', self, { headers: { 'If-None-Match': tag } })).status, 200)
  })

  it('a list has an ETag of all that it shows to the caller, and If-None-Match gives 304', async () => {
    const targets = await makeTable(service, 'Towns', { name: 'text' })
    const homes = await makeTable(service, 'Homes', {
      name: 'text',
      hidden: 'text',
      town: { field_type: 'reference', reference_table_id: targets.id },
    })
    const { name, hidden, town } = homes.f as Record<string, string>
    const place = await service.make(targets.type, { [targets.f.name!]: 'Porto' })
    const home = await service.make(homes.type, { [name!]: 'a', [hidden!]: 'b', [town!]: place })
    const group = Number(await service.make('group', { group_name: 'Readers' }))
    await service.make('access', { group_id: group, table_id: targets.id, read: true })
    await service.make('access', { group_id: group, table_id: homes.id, read: true, fields: { [hidden!]: 'hidden' } })
    const { token } = await person(service, group, 'reader')
    const paths = [
      `/api/dev/${homes.type}?include=r${town!.slice(1)}`,
      `/api/dev/${homes.type}?filter=${encodeURIComponent(`eq(${name},'a')`)}&page[size]=5`,
      `/api/dev/${targets.type}/${place}/${homes.type}_r${town!.slice(1)}`,
    ]
    for (const path of paths) {
      const ask = (known?: string, method = 'GET') =>
        service.send(method, path, { token, headers: known === undefined ? {} : { 'If-None-Match': known } })
      const tag = (await ask()).headers.get('etag')!
      assert.match(tag, /^"[\w-]{43}"$/)
      assert.equal((await ask(undefined, 'HEAD')).headers.get('etag'), tag)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const answer = await ask(known)
        assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', tag])
      }
      assert.notEqual((await service.send('GET', path)).headers.get('etag'), tag, 'the administrator sees more')
      await service.change(homes.type, home, { [hidden!]: `b ${path}` })
      assert.equal((await ask(tag)).status, 304, 'what is hidden is not felt')
      await service.change(homes.type, home, { [name!]: 'z' })
      assert.equal((await ask(tag)).status, 200)
      await service.change(homes.type, home, { [name!]: 'a' })
    }
    const included = (await service.send('GET', paths[0]!, { token })).headers.get('etag')!
    await service.change(targets.type, place, { [targets.f.name!]: 'Braga' })
    assert.equal((await service.send('GET', paths[0]!, { token, headers: { 'If-None-Match': included } })).status, 200)
  })

  it('a change of structure is no "not modified", and yet no reason to refuse a write', async () => {
    const made = await create({ [f.name!]: 'x' })
    const tag = made.headers.get('etag')!
    await createField(service.store, operator, { tableId: table, title: 'later', typeName: 'text' } as never)
    assert.equal((await service.send('GET', made.json.data.links.self, { headers: { 'If-None-Match': tag } })).status, 200)
    assert.equal((await patch(made.json.data.id, { [f.name!]: 'y' }, { 'If-Match': tag })).status, 200)
  })

  it('a stale If-Match is 412 and changes nothing; weak tags never match', async () => {
    const made = await create({ [f.name!]: 'x' })
    const { id, links } = made.json.data
    const first = made.headers.get('etag')!
    const second = (await patch(id, { [f.name!]: 'y' }, { 'If-Match': first })).headers.get('etag')!
    for (const stale of [first, `W/${second}`, '"nonsense"', 'nonsense', '']) {
      const refused = await patch(id, { [f.name!]: 'z' }, { 'If-Match': stale })
      assert.deepEqual(
        [refused.status, refused.json.errors[0].code, refused.json.errors[0].source.header],
        [412, 'record.stale', 'If-Match'],
        stale,
      )
      assert.equal((await service.send('DELETE', links.self, { headers: { 'If-Match': stale } })).status, 412)
    }
    assert.equal((await patch(id, { [f.name!]: 'z' }, { 'If-Match': '*' })).status, 200)
    const third = (await service.send('GET', links.self)).headers.get('etag')!
    assert.equal((await service.send('DELETE', links.self, { headers: { 'If-Match': `"1-x", ${third}` } })).status, 200)
    assert.equal((await patch(id, {}, { 'If-Match': '*' })).status, 404)
  })

  it('a tag of another installation is stale, though it counts the same version', async () => {
    const { json, headers } = await create({})
    const id = json.data.id as string
    const tag = headers.get('etag')!
    const foreign = tag.replace(/-[A-Za-z0-9]+-/, '-restored1-')
    assert.notEqual(foreign, tag)
    assert.equal((await patch(id, { [f.name!]: 'x' }, { 'If-Match': foreign })).status, 412)
    assert.equal((await service.send('GET', `${path}/${id}`, { headers: { 'If-None-Match': foreign } })).status, 200)
    assert.equal((await patch(id, { [f.name!]: 'x' }, { 'If-Match': `${foreign}, ${tag}` })).status, 200)
  })

  it('an Idempotency-Key makes one record of many requests, and the answers are equal byte by byte', async () => {
    const before = await total()
    const first = await create({ [f.name!]: 'once' }, { 'Idempotency-Key': 'k1' })
    assert.equal(first.status, 201)
    await patch(first.json.data.id, { [f.name!]: 'changed since' })
    const again = await create({ [f.name!]: 'once' }, { 'Idempotency-Key': 'k1' })
    assert.deepEqual([again.status, again.text], [201, first.text])
    for (const header of ['etag', 'location', 'content-type', 'content-length', 'vary'])
      assert.equal(again.headers.get(header), first.headers.get(header))
    assert.equal(await total(), before + 1)
  })

  it('a key belongs to one body, one user and one path, for a day', async () => {
    const key = { 'Idempotency-Key': '"k2"' }
    const first = await create({ [f.name!]: 'mine' }, key)
    const refused = await create({ [f.name!]: 'other' }, key)
    assert.deepEqual([refused.status, refused.json.errors[0].code], [422, 'idempotency.other_body'])
    const other = await create({ [f.name!]: 'mine' }, key, await service.tokenOf(1))
    assert.equal(other.status, 201)
    assert.notEqual(other.json.data.id, first.json.data.id)
    service.clock.now += 86_400_000
    assert.equal(await sweepAnswers(service.store), 3)
    assert.notEqual((await create({ [f.name!]: 'mine' }, key)).json.data.id, first.json.data.id)
  })

  it('the second of two at once is 409 while the first runs, or has its answer', async () => {
    const before = await total()
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ [f.name!]: 'race' }, { 'Idempotency-Key': 'k3' })))
    assert.equal(await total(), before + 1)
    const statuses = new Set(answers.map(({ status }) => status))
    assert.ok(statuses.has(201) && [...statuses].every((status) => status === 201 || status === 409), [...statuses].join())
    for (const { status, json } of answers) if (status === 409) assert.equal(json.errors[0].code, 'idempotency.running')
  })

  it('a request that failed keeps no key', async () => {
    const key = { 'Idempotency-Key': 'k4' }
    assert.equal((await create({ f999: '' }, key)).status, 400)
    assert.equal((await create({ [f.name!]: 'right' }, key)).status, 201)
    for (const bad of ['', 'x'.repeat(256)]) {
      const refused = await create({}, { 'Idempotency-Key': bad })
      assert.deepEqual(
        [refused.status, refused.json.errors[0].code, refused.json.errors[0].source.header],
        [400, 'header.invalid', 'Idempotency-Key'],
      )
    }
  })

  it('requests under way survive changes of structure', async () => {
    const { id } = (await create({})).json.data
    const changes = Array.from(
      { length: 5 },
      (_, i) => () => createField(service.store, operator, { tableId: table, title: `new ${i}`, typeName: 'integer' } as never),
    )
    const requests = changes.flatMap((change, i) => [
      change(),
      create({ [f.name!]: `at once ${i}` }),
      patch(id, { [f.other!]: String(i) }),
      service.send('GET', `${path}/${id}`),
      service.send('GET', `${path}?filter=eq(${f.name},'x')`),
    ])
    for (const answer of await Promise.all(requests)) if (typeof answer === 'object') assert.ok(answer.status < 300, answer.text)
  })

  it('writes go through while tables are made one change after the other', async () => {
    const made = (async () => {
      for (let i = 0; i < 30; i++)
        await createField(service.store, operator, { tableId: table, title: `more ${i}`, typeName: 'integer' } as never)
    })()
    let going = true
    const stopped = made.finally(() => (going = false))
    const answers: Awaited<ReturnType<typeof create>>[] = []
    do answers.push(...(await Promise.all([create({ [f.name!]: 'meanwhile' }), create({ [f.name!]: 'meanwhile' })])))
    while (going)
    await stopped
    for (const { status, text } of answers) assert.equal(status, 201, text)
  })
})
