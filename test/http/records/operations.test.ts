import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

const EXT = 'https://jsonapi.org/ext/atomic'
const ATOMIC = `application/vnd.api+json;ext="${EXT}"`
const AT = '/atomic:operations'

type Values = Readonly<Record<string, unknown>>

describe('POST /api/dev/operations', () => {
  let service: Service
  let people: Table
  let things: Table
  let p: Readonly<Record<'name' | 'note', string>>
  let t: Readonly<Record<'code' | 'owner' | 'helpers' | 'count', string>>

  before(async () => {
    service = await startService()
    const made = await makeTable(service, 'People', { name: { field_type: 'text', required: true }, note: 'longtext' })
    people = made
    p = made.f
    const others = await makeTable(service, 'Things', {
      code: { field_type: 'text', unique: true },
      owner: { field_type: 'reference', reference_table_id: people.id },
      helpers: { field_type: 'references', reference_table_id: people.id },
      count: 'integer',
    })
    things = others
    t = others.f
  })
  after(() => service.close())

  const run = (operations: unknown, token?: string, headers: Readonly<Record<string, string>> = {}) =>
    service.send('POST', '/api/dev/operations', {
      headers: { 'Content-Type': ATOMIC, ...headers },
      body: { 'atomic:operations': operations },
      ...(token !== undefined && { token }),
    })
  const results = (answer: Answer) => {
    assert.equal(answer.status, 200, answer.text)
    return answer.json['atomic:results']
  }
  const add = (of: Table, attributes: Values, more: Values = {}) => ({ op: 'add', data: { type: of.type, attributes, ...more } })
  const record = async (of: Table, id: string) => (await service.get(`${of.type}/${id}`)).json.data?.attributes
  const count = async (of: Table) => (await service.get(of.type)).json.meta.total
  const r = (field: string) => `r${field.slice(1)}`

  it('adds, updates and removes, and answers with a result for each operation', async () => {
    const { id } = (await service.add(people.type, { [p.name]: 'Ada' })).json.data
    const gone = (await service.add(people.type, { [p.name]: 'Bob' })).json.data.id
    const answer = await run([
      add(people, { [p.name]: 'Cem' }),
      { op: 'update', data: { type: people.type, id, attributes: { [p.name]: 'Ada L.' } } },
      { op: 'remove', ref: { type: people.type, id: gone } },
    ])
    const [added, updated, removed] = results(answer)
    assert.equal(answer.headers.get('content-type'), ATOMIC)
    assert.deepEqual(Object.keys(answer.json), ['atomic:results', 'meta', 'jsonapi'])
    assert.deepEqual(
      [added.data.type, added.data.attributes[p.name], added.data.links.self],
      [people.type, 'Cem', `${people.path}/${added.data.id}`],
    )
    assert.deepEqual([updated.data.id, updated.data.attributes[p.name]], [id, 'Ada L.'])
    assert.deepEqual(removed, {})
    assert.deepEqual(
      [await record(people, id), await record(people, gone)].map((one) => one?.[p.name]),
      ['Ada L.', undefined],
    )
  })

  it('is one batch, which is undone as one', async () => {
    const answer = await run([add(things, { [t.count]: 1 }), add(people, { [p.name]: 'Batch' }), add(things, { [t.count]: 2 })])
    const [{ data: first }] = results(answer)
    const { json } = await service.get(`${things.type}/${first.id}/history`)
    const batch = answer.json.meta.batch_id
    assert.equal(batch, json.data[0].attributes.batch_id)
    const undone = await service.call('POST', `batch/${batch}/undo`)
    assert.deepEqual([undone.json.meta.records, undone.json.meta.conflicts], [3, 0], undone.text)
    assert.equal(await record(things, first.id), undefined)
  })

  it('tells the batch of each of several requests that are committed together, and none where nothing was changed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        run(
          [add(people, { [p.name]: `T${i}` }), add(people, { [p.name]: `U${i}` })],
          undefined,
          i % 2 ? { 'Idempotency-Key': `t${i}` } : {},
        ),
      ),
    )
    for (const [i, answer] of answers.entries()) {
      const { id } = results(answer)[1].data
      const { json } = await service.get(`${people.type}/${id}/history`)
      assert.equal(answer.json.meta.batch_id, json.data[0].attributes.batch_id, String(i))
    }
    assert.equal(new Set(answers.map(({ json }) => json.meta.batch_id)).size, answers.length)
    const same = { type: people.type, id: results(answers[0]!)[0].data.id, attributes: { [p.name]: 'T0' } }
    assert.equal((await run([{ op: 'update', data: same }])).json.meta.batch_id, null)
  })

  it('knows records by the lid of the operation that creates them, in every place', async () => {
    const answer = results(
      await run([
        add(people, { [p.name]: 'Dora' }, { lid: 'd' }),
        add(people, { [p.name]: 'Eve' }, { lid: 'e' }),
        add(things, { [t.code]: 'L-1' }, { lid: 'd', relationships: { [r(t.owner)]: { data: { type: people.type, lid: 'd' } } } }),
        { op: 'update', ref: { type: people.type, lid: 'd' }, data: { type: people.type, lid: 'd', attributes: { [p.note]: 'n' } } },
        { op: 'update', data: { type: things.type, lid: 'd', attributes: { [t.count]: 7 } } },
        {
          op: 'add',
          ref: { type: things.type, lid: 'd', relationship: r(t.helpers) },
          data: [
            { type: people.type, lid: 'e' },
            { type: people.type, lid: 'd' },
          ],
        },
        { op: 'remove', ref: { type: people.type, lid: 'e' } },
      ]),
    )
    const [dora, eve, thing] = answer.map((one: Answer['json']) => one.data?.id)
    assert.deepEqual(await record(things, thing), {
      ...(await record(things, thing)), [t.code]: 'L-1', [t.owner]: dora, [t.count]: '7', [t.helpers]: `-${eve}-${dora}-` }) // prettier-ignore
    assert.equal((await record(people, dora))[p.note], 'n')
    assert.equal(await record(people, eve), undefined)
  })

  it('changes relationships by ref and by href: update, add and remove', async () => {
    const [one, two, thing] = results(
      await run([add(people, { [p.name]: '1' }), add(people, { [p.name]: '2' }), add(things, { [t.code]: 'R-1' })]),
    ).map((result: Answer['json']) => result.data.id)
    const [a, b] = [one, two].map((id) => ({ type: people.type, id }))
    const ref = { type: things.type, id: thing, relationship: r(t.helpers) }
    const href = `${things.path}/${thing}/relationships/${r(t.helpers)}`
    const held = async () => (await record(things, thing))[t.helpers]
    assert.deepEqual(
      results(
        await run([
          { op: 'add', ref, data: [a] },
          { op: 'add', href, data: [b, a] },
        ]),
      ),
      [{}, {}],
    )
    assert.equal(await held(), `-${one}-${two}-`)
    results(await run([{ op: 'remove', ref, data: [a] }]))
    assert.equal(await held(), `-${two}-`)
    results(await run([{ op: 'update', href, data: [a] }, { op: 'update', ref: { ...ref, relationship: r(t.owner) }, data: b }])) // prettier-ignore
    assert.deepEqual([await held(), (await record(things, thing))[t.owner]], [`-${one}-`, two])
    results(await run([{ op: 'update', href, data: [] }, { op: 'update', ref: { ...ref, relationship: r(t.owner) }, data: null }])) // prettier-ignore
    assert.deepEqual([await held(), (await record(things, thing))[t.owner]], ['', '0'])
    refused(await run([{ op: 'add', ref: { ...ref, relationship: r(t.owner) }, data: [a] }]), `400 document.invalid_member ${AT}/0/data`)
    refused(await run([{ op: 'update', ref: { ...ref, relationship: 'r9999' }, data: a }]), `400 relationship.unknown ${AT}/0`)
    refused(await run([{ op: 'update', href, data: [{ type: things.type, id: '1' }] }]), `409 document.wrong_type ${AT}/0/data/0/type`)
    refused(await run([{ op: 'update', href, data: [{ type: people.type, id: '99999' }] }]), `422 field.invalid_value ${AT}/0/data`)
  })

  it('upserts by the address, and takes relative and absolute addresses', async () => {
    const upsert = (code: string, by: string) => ({ ...add(things, { [t.code]: code, [t.count]: code.length }), href: by })
    const by = `${things.path}?upsertBy=${t.code}`
    const [first, second] = results(await run([upsert('U-1', by), upsert('u-1', service.url + by)]))
    assert.deepEqual([first.meta, second.meta, second.data.id], [{ created: true }, { created: false }, first.data.id])
    const [third] = results(await run([{ op: 'update', href: `${things.type}/${first.data.id}`, data: { type: things.type, id: first.data.id, attributes: { [t.count]: 9 } } }])) // prettier-ignore
    assert.equal(third.data.attributes[t.count], '9')
    refused(await run([upsert('U-1', `${things.path}?upsertBy=${t.count}`)]), `400 parameter.invalid ${AT}/0/href`)
    refused(await run([upsert('', by)]), `422 field.required ${AT}/0/data/attributes/${t.code}`)
    refused(await run([upsert('U', `${things.path}?upsertBy=${t.code}&x=1`)]), `400 parameter.unknown ${AT}/0/href`)
    refused(await run([{ op: 'remove', href: `${things.path}/1?upsertBy=${t.code}` }]), `400 parameter.unknown ${AT}/0/href`)
    for (const href of [
      'http://other.example/api/dev/data1',
      '/api/dev/user',
      '//x',
      `${things.path}/0`,
      7,
      `${things.path}/1/${r(t.owner)}`,
    ])
      refused(await run([{ ...add(things, {}), href }]), `400 document.invalid_member ${AT}/0/href`)
  })

  it('does all or nothing, and names the operation that failed', async () => {
    const before = [await count(people), await count(things)]
    const good = add(people, { [p.name]: 'Good' })
    const failing = [
      [add(things, { [t.count]: 'x', [t.code]: 'y'.repeat(300) }), `422 field.invalid_value ${AT}/1/data/attributes/${t.count}`, `422 field.invalid_value ${AT}/1/data/attributes/${t.code}`],
      [add(people, {}), `422 field.required ${AT}/1/data/attributes/${p.name}`],
      [add(people, { f9999: '' }), `400 attribute.unknown ${AT}/1/data/attributes/f9999`],
      [add(people, {}, { id: '7' }), `403 document.client_id ${AT}/1/data/id`],
      [{ op: 'remove', ref: { type: people.type, id: '99999' } }, `404 record.not_found ${AT}/1`],
      [{ op: 'update', data: { type: people.type, id: '99999', attributes: {} } }, `404 record.not_found ${AT}/1`],
      [add({ ...people, type: 'data99999' }, {}), `404 table.not_found ${AT}/1`],
      [add(things, {}, { relationships: { [r(t.owner)]: { data: { type: people.type, id: '99999' } } } }), `422 field.invalid_value ${AT}/1/data/relationships/${r(t.owner)}/data`],
      [add(things, {}, { relationships: { r9999: { data: null } } }), `400 relationship.unknown ${AT}/1/data/relationships/r9999`],
      [add(things, { [t.owner]: '7' }, { relationships: { [r(t.owner)]: { data: null } } }), `400 relationship.contradicts ${AT}/1/data/relationships/${r(t.owner)}`],
    ] as const // prettier-ignore
    for (const [operation, ...errors] of failing) refused(await run([good, operation]), ...errors)
    assert.deepEqual([await count(people), await count(things)], before)
  })

  it('refuses what the extension does not allow', async () => {
    const data = { type: people.type, attributes: { [p.name]: 'x' } }
    const ref = { type: people.type, id: '1' }
    const wrong = [
      [{ op: 'copy', data }, 'op'],
      [{ op: 'add', ref, href: people.path, data }, 'href'],
      [{ op: 'add', ref, data }, 'ref'],
      [{ op: 'remove' }, ''],
      [{ op: 'remove', href: people.path }, 'href'],
      [{ op: 'remove', ref: { type: 'user', id: '1' } }, 'ref/type'],
      [{ op: 'remove', ref: { type: people.type, id: '1', lid: 'a' } }, 'ref/lid'],
      [{ op: 'remove', ref: { type: people.type, lid: 'a' } }, 'ref/lid'],
      [{ op: 'add', data: { ...data, lid: 7 } }, 'data/lid'],
      [{ op: 'update', href: people.path, data: { ...data, id: '1' } }, 'href'],
      [{ op: 'add', data: [] }, 'data'],
      [7, ''],
    ] as const // prettier-ignore
    for (const [operation, place] of wrong)
      refused(await run([operation]), `400 document.invalid_member ${AT}/0${place === '' ? '' : `/${place}`}`)
    refused(await run([{ data }]), `400 document.missing_member ${AT}/0/op`)
    refused(await run([{ op: 'add' }]), `400 document.missing_member ${AT}/0/data`)
    refused(await run([{ op: 'update', ref, data: { ...data, id: '2' } }]), `409 document.wrong_id ${AT}/0/data/id`)
    refused(await run([{ op: 'update', ref, data: { type: things.type, id: '1' } }]), `409 document.wrong_type ${AT}/0/data/type`)
    refused(await run([{ op: 'add', href: people.path, data: { type: things.type } }]), `409 document.wrong_type ${AT}/0/data/type`)
    refused(await run([add(people, { [p.name]: '1' }, { lid: 'a' }), add(people, { [p.name]: '2' }, { lid: 'a' })]), `400 document.invalid_member ${AT}/1/data/lid`) // prettier-ignore
    refused(await run([{ op: 'remove', ref: { type: people.type, lid: 'a' } }, add(people, {}, { lid: 'a' })]), `400 document.invalid_member ${AT}/0/ref/lid`) // prettier-ignore
    for (const operations of [[], {}, 'x']) refused(await run(operations), `400 document.invalid_member ${AT}`)
    const body = { 'atomic:operations': [add(people, {})], data: [] }
    refused(
      await service.send('POST', '/api/dev/operations', { headers: { 'Content-Type': ATOMIC }, body }),
      '400 document.invalid_member /data',
    )
    refused(
      await service.send('POST', '/api/dev/operations', { headers: { 'Content-Type': ATOMIC }, body: {} }),
      `400 document.missing_member ${AT}`,
    )
  })

  it('needs the extension in Content-Type, here and nowhere else, and takes it in Accept', async () => {
    const good = [add(people, { [p.name]: 'x' })]
    const plain = 'application/vnd.api+json'
    for (const type of [
      plain,
      `${plain};ext="https://example.com/other"`,
      `${plain};ext="${EXT} https://example.com/other"`,
      `${ATOMIC};charset=utf-8`,
      'application/json',
    ])
      refused(await run(good, undefined, { 'Content-Type': type }), '415 request.wrong_media_type Content-Type')
    for (const type of [`${plain};ext=${EXT.replaceAll(/[:/]/g, '_')}`])
      refused(await run(good, undefined, { 'Content-Type': type }), '415 request.wrong_media_type Content-Type')
    refused(await run(good, undefined, { Accept: `${plain};ext="https://example.com/other"` }), '406 request.not_acceptable Accept')
    for (const accept of [ATOMIC, plain, '*/*', `${plain};ext="https://example.com/other", ${ATOMIC};q=0.5`]) {
      const answer = await run(good, undefined, { Accept: accept })
      assert.deepEqual([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')], [200, ATOMIC, 'Accept'])
    }
    const elsewhere = { body: { data: { type: people.type, attributes: { [p.name]: 'x' } } } }
    refused(
      await service.send('POST', people.path, { headers: { 'Content-Type': ATOMIC }, ...elsewhere }),
      '415 request.wrong_media_type Content-Type',
    )
    refused(await service.send('GET', people.path, { headers: { Accept: ATOMIC } }), '406 request.not_acceptable Accept')
    const failed = await run([{ op: 'copy' }])
    assert.equal(failed.headers.get('content-type'), plain)
  })

  it('needs the right of each operation, and bed for more than one record of a table', async () => {
    const token = async (rights: Values, other: Values = rights) => {
      const group = Number(await service.make('group', { group_name: JSON.stringify([rights, other]) }))
      await service.make('access', { group_id: group, table_id: people.id, ...rights })
      await service.make('access', { group_id: group, table_id: things.id, ...other })
      return service.tokenOf(group)
    }
    const each = await token({ create: true, read: true, update: true, delete: true })
    const one = add(people, { [p.name]: 'x' }, { lid: 'x' })
    const same = { op: 'update', data: { type: people.type, lid: 'x', attributes: { [p.name]: 'y' } } }
    assert.equal((await run([one, same, add(things, {})], each)).status, 200)
    refused(await run([one, same, add(people, { [p.name]: 'z' })], each), `403 access.denied ${AT}/2`)
    const bulk = await token({ create: true, read: true, update: true, bed: true })
    assert.equal((await run([one, same, add(people, { [p.name]: 'z' })], bulk)).status, 200)
    refused(await run([one, { op: 'remove', ref: { type: people.type, lid: 'x' } }], bulk), `403 access.denied ${AT}/1`)
    const reader = await token({ read: true })
    refused(await run([one], reader), '403 access.denied')
    const near = await token({ create: true, read: true }, { read: true })
    refused(await run([one, add(things, {})], near), `403 access.denied ${AT}/1`)
    // What the caller may not see does not exist: records, attributes, relationships.
    const { id } = (await service.add(people.type, { [p.name]: 'hidden', [p.note]: 'h' })).json.data
    const filtered = await token({ read: true, update: true, delete: true, read_filter: `ne(${p.name},'hidden')`, fields: { [p.note.slice(1)]: 'hidden' } }, { create: true, read: true, update: true, fields: { [t.owner.slice(1)]: 'hidden' } }) // prettier-ignore
    const thing = (await service.add(things.type, { [t.helpers]: `-${id}-` })).json.data.id
    const told = async (operation: unknown) => (await run([operation], filtered)).text.replaceAll(/"id":"[^"]{36}"/g, '').replaceAll(/\b(99999|9999)\b/g, 'N') // prettier-ignore
    const without = (text: string, real: string) => text.replaceAll(new RegExp(`\\b${real}\\b`, 'g'), 'N')
    for (const make of [
      (some: string) => ({ op: 'remove', ref: { type: people.type, id: some } }),
      (some: string) => ({ op: 'update', data: { type: people.type, id: some, attributes: { [p.name]: 'x' } } }),
      (some: string) => add(things, {}, { relationships: { [r(t.helpers)]: { data: [{ type: people.type, id: some }] } } }),
    ]) assert.equal(without(await told(make(id)), id), without(await told(make('99999')), id)) // prettier-ignore
    const hidden = await told({ op: 'update', data: { type: things.type, id: thing, relationships: { [r(t.owner)]: { data: null } } } })
    assert.equal(without(hidden, r(t.owner)), without((await told({ op: 'update', data: { type: things.type, id: thing, relationships: { r9999: { data: null } } } })).replaceAll('r9999', 'N'), r(t.owner))) // prettier-ignore
  })

  it('does the same once for an Idempotency-Key', async () => {
    const before = await count(people)
    const send = (name: string) => run([add(people, { [p.name]: name })], undefined, { 'Idempotency-Key': 'once' })
    const [first, again] = [await send('Once'), await send('Once')]
    assert.equal(typeof first.json.meta.batch_id, 'number')
    assert.deepEqual([first.status, again.text, again.headers.get('content-type')], [200, first.text, ATOMIC])
    refused(await send('Other'), '422 idempotency.other_body Idempotency-Key')
    assert.equal(await count(people), before + 1)
  })

  it('does a thousand in one request, and others are answered meanwhile', async () => {
    const before = await count(things)
    const most = Array.from({ length: limits.operations.most }, (_, i) => add(things, { [t.code]: `M-${i}`, [t.count]: i }))
    let done = false
    const running = run(most).finally(() => (done = true))
    let meanwhile = 0
    for (; !done; meanwhile++) assert.equal((await service.get(`${things.type}?page[limit]=1`)).status, 200)
    assert.equal(results(await running).length, 1000)
    assert.ok(meanwhile > 1, `${meanwhile} answers meanwhile`)
    assert.equal(await count(things), before + 1000)
    const clash = [...most.slice(0, 500).map((_, i) => add(things, { [t.code]: `N-${i}` })), add(things, { [t.code]: 'm-7' })]
    refused(await run(clash), `409 field.not_unique ${AT}/500/data/attributes/${t.code}`)
    assert.equal(await count(things), before + 1000)
  })

  it('leaves long values out of the results, and all values beyond some bytes', async () => {
    const { id } = (await service.add(people.type, { [p.name]: 'Long', [p.note]: 'x'.repeat(200_000) })).json.data
    const [{ data }] = results(await run([{ op: 'update', data: { type: people.type, id, attributes: { [p.name]: 'Longer' } } }]))
    assert.deepEqual([data.attributes[p.name], data.attributes[p.note]], ['Longer', undefined])
    const note = 'y'.repeat(27_000)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      const some = Array.from({ length: 70 }, () => add(people, { [p.name]: 'Some', [p.note]: note }))
      ids.push(...results(await run(some)).map((one: Answer['json']) => one.data.id))
    }
    const answer = await run(ids.map((one) => ({ op: 'update', data: { type: people.type, id: one, attributes: { [p.name]: 'S' } } })))
    const shown = results(answer).filter((one: Answer['json']) => one.data.attributes?.[p.note] === note).length
    const each = 27_000 + 'S'.length + '12024-05-01 09:30:150'.length
    assert.equal(shown, Math.floor(limits.operationResults.most / each))
    assert.ok(answer.text.length < limits.operationResults.most * 1.1)
  })

  describe('PATCH of many', () => {
    const patch = (data: unknown, token?: string) => service.call('PATCH', things.type, { data }, token)
    const resource = (id: string, attributes: Values) => ({ type: things.type, id, attributes })

    it('changes all of them or none, as one batch, and shows them', async () => {
      const made = results(await run([1, 2, 3].map((n) => add(things, { [t.count]: n })))).map((one: Answer['json']) => one.data.id)
      const answer = await patch(made.map((id: string, i: number) => resource(id, { [t.count]: 10 + i })))
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('content-type'), 'application/vnd.api+json')
      assert.deepEqual(answer.json.data.map((one: Answer['json']) => [one.id, one.attributes[t.count]]), made.map((id: string, i: number) => [id, String(10 + i)])) // prettier-ignore
      const batches = made.map(
        async (id: string) => (await service.get(`${things.type}/${id}/history`)).json.data.at(-1).attributes.batch_id,
      )
      assert.deepEqual([...new Set(await Promise.all(batches))], [answer.json.meta.batch_id])
      refused(
        await patch([resource(made[0], { [t.count]: 0 }), resource(made[1], { [t.count]: 'x' })]),
        `422 field.invalid_value /data/1/attributes/${t.count}`,
      )
      refused(await patch([resource(made[0], { [t.count]: 0 }), resource('99999', {})]), '404 record.not_found /data/1')
      assert.equal((await record(things, made[0]))[t.count], '10')
    })

    it('refuses other documents', async () => {
      refused(await patch([]), '400 document.invalid_member /data')
      refused(await patch([7]), '400 document.invalid_member /data/0')
      refused(await patch([{ type: people.type, id: '1' }]), '409 document.wrong_type /data/0/type')
      refused(await patch([{ type: things.type }]), '400 document.missing_member /data/0/id')
      refused(await patch([{ type: things.type, lid: 'a' }]), '400 document.invalid_member /data/0/lid')
      refused(await patch(Array.from({ length: 1001 }, () => resource('1', {}))), '400 document.invalid_member /data')
    })

    it('needs bed for more than one', async () => {
      const [a, b] = results(await run([add(things, {}), add(things, {})])).map((one: Answer['json']) => one.data.id)
      const group = Number(await service.make('group', { group_name: 'Each' }))
      await service.make('access', { group_id: group, table_id: things.id, read: true, update: true })
      const token = await service.tokenOf(group)
      const twice = await patch([resource(a, { [t.count]: 1 }), resource(a, { [t.count]: 2 })], token)
      assert.equal(twice.status, 200)
      // Once, as it is afterwards.
      assert.deepEqual(
        twice.json.data.map((one: Answer['json']) => one.attributes[t.count]),
        ['2'],
      )
      refused(await patch([resource(a, { [t.count]: 1 }), resource(b, { [t.count]: 2 })], token), '403 access.denied /data/1')
    })
  })
})
