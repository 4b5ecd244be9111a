import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createRule } from '../../../src/store/structure/access-rules.ts'
import { randomOf } from '../../support/random.ts'
import { seed } from '../../support/seed.ts'
import { errorsOf, startService, type Answer, type Service } from '../../support/service.ts'

/*
 * `include` of records against an oracle: what a caller must get follows from the plain lists that the same caller gets, by a few loops.
 */

interface Resource {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown; readonly links: Readonly<Record<string, string>> }>>
  readonly links: Readonly<Record<string, string>>
}

/** A relationship as the tables are made: which field, of which type, leads where. */
interface Way {
  readonly from: string
  readonly field: string
  readonly to: string
  readonly several: boolean
}

type World = ReadonlyMap<string, ReadonlyMap<string, Resource>>

const idsIn = (value: string): string[] => value.split('-').filter((id) => id !== '' && id !== '0')
const byId = (a: Pick<Resource, 'type' | 'id'>, b: Pick<Resource, 'type' | 'id'>): number =>
  Number(a.id) - Number(b.id) || (a.type < b.type ? -1 : 1)

let service: Service
let countries: string
let cities: string
let people: string
let secret: string
let ways: Way[]
const f: Record<string, string> = {}
const tokens: Record<string, string> = {}

const numberOf = (type: string): number => Number(type.slice('data'.length))
const relationship = (name: string): string => `r${f[name]!.slice(1)}`
const inverse = (name: string): string => `${ways.find(({ field }) => field === f[name])!.from}_${relationship(name)}`

before(async () => {
  service = await startService()
  const make = async (title: string, fields: Readonly<Record<string, string | object>>): Promise<string> => {
    const { id, fields: names } = await service.table(title, fields as never)
    for (const [name, field] of Object.entries(names)) f[name] = field
    return `data${id}`
  }
  countries = await make('Countries', { country: 'text' })
  const city = { typeName: 'reference', referenceTableId: numberOf(countries) }
  cities = await make('Cities', { city: 'text', of: city })
  const to = (typeName: string, table: string) => ({ typeName, referenceTableId: numberOf(table) })
  people = await make('People', { person: 'text', home: to('reference', cities), lived: to('references', cities) })
  secret = await make('Secret', { note: 'text', about: to('reference', people), place: to('reference', cities) })
  // Leads back into its own table.
  f['boss'] =
    `f${(await service.add('field', { table_id: numberOf(people), field_name: 'boss', field_type: 'reference', reference_table_id: numberOf(people) })).json.data.id}`
  ways = [
    { from: cities, field: f['of']!, to: countries, several: false },
    { from: people, field: f['home']!, to: cities, several: false },
    { from: people, field: f['lived']!, to: cities, several: true },
    { from: people, field: f['boss']!, to: people, several: false },
    { from: secret, field: f['about']!, to: people, several: false },
    { from: secret, field: f['place']!, to: cities, several: false },
  ]
  await fill()
  const group = Number(await service.make('group', { group_name: 'Some' }))
  const rule = (table: string, more: object) =>
    createRule(service.store, operator, { groupId: group, tableId: numberOf(table), ...more } as never)
  await rule(countries, { read: true, readFilter: `ne(${f['country']},'land 2')` })
  await rule(cities, { read: true, readFilter: `not(ends_with(${f['city']},'7'))` })
  // Two of those who live in the first town, where more than 50 others do.
  await rule(people, { read: true, readFilter: `not(ends_with(${f['person']},'14'))`, fields: { [f['lived']!.slice(1)]: 'hidden' } })
  tokens['administrator'] = service.token
  tokens['some'] = await service.tokenOf(group)
  tokens['limited'] = await service.tokenOf(1, { tables: [numberOf(people), numberOf(cities)] })
})
after(() => service.close())

async function fill(): Promise<void> {
  const random = randomOf(seed)
  const many = async (type: string, count: number, attributes: (n: number) => object): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push(await service.make(type, attributes(n)))
    return ids
  }
  const lands = await many(countries, 5, (n) => ({ [f['country']!]: `land ${n}` }))
  const towns = await many(cities, 70, (n) => ({ [f['city']!]: `town ${n}`, [f['of']!]: random.percent(20) ? '0' : random.pick(lands) }))
  const some = (): string[] => [...new Set(Array.from({ length: random.int(6) }, () => random.pick(towns)))]
  const persons: string[] = []
  for (let n = 0; n < 120; n++) {
    // More than 50 live in the first town, and have lived there.
    const home = n % 2 === 0 ? towns[0]! : random.percent(10) ? '0' : random.pick(towns)
    const lived = n === 7 ? towns : [...new Set([...(n % 2 === 0 ? [towns[0]!] : []), ...some()])].toReversed()
    const boss = persons.length > 0 && random.percent(70) ? random.pick(persons) : '0'
    persons.push(
      await service.make(people, { [f['person']!]: `person ${n}`, [f['home']!]: home, [f['lived']!]: lived, [f['boss']!]: boss }),
    )
  }
  await many(secret, 10, () => ({ [f['about']!]: random.pick(persons), [f['place']!]: random.pick(towns) }))
  for (const [type, ids] of [
    [countries, [lands[4]!]],
    [cities, [towns[3]!, towns[20]!]],
    [people, [persons[5]!, persons[8]!]],
  ] as const)
    for (const id of ids) assert.equal((await service.remove(`${type}/${id}`)).status, 200)
}

/** All that a caller sees, from the plain lists; tables that do not exist for them are left out. */
async function worldOf(token: string): Promise<World> {
  const world = new Map<string, Map<string, Resource>>()
  for (const type of [countries, cities, people, secret]) {
    const all = new Map<string, Resource>()
    let offset = 0
    for (let total = 1; offset < total; offset += 50) {
      const { status, json } = await service.get(`${type}?page[limit]=50&page[offset]=${offset}`, token)
      if (status !== 200) break
      total = json.meta.total
      for (const one of json.data as Resource[]) all.set(one.id, one)
    }
    if (all.size > 0) world.set(type, all)
  }
  return world
}

/** The relationships of a type, by name: where they lead from a record. Undefined: no such relationship for this caller. */
function lead(world: World, type: string, name: string): { to: string; many: boolean; ids: (one: Resource) => string[] } | undefined {
  for (const { from, field, to, several } of ways) {
    const isSeen = world.has(from) && world.has(to) && [...world.get(from)!.values()].some(({ attributes }) => field in attributes)
    if (!isSeen) continue
    if (from === type && name === `r${field.slice(1)}`)
      return { to, many: several, ids: ({ attributes }) => idsIn(attributes[field]!).filter((id) => world.get(to)!.has(id)) }
    if (to === type && name === `${from}_r${field.slice(1)}`) {
      const others = [...world.get(from)!.values()].sort(byId)
      return {
        to: from,
        many: true,
        ids: ({ id }) => others.filter(({ attributes }) => idsIn(attributes[field]!).includes(id)).map((one) => one.id),
      }
    }
  }
  return undefined
}

/** The document that `include` must give for these records; undefined: a path does not exist. */
function expected(world: World, data: readonly Resource[], paths: readonly string[]) {
  const shown = new Map<string, { one: Resource; relationships: Record<string, object> }>()
  const meet = (one: Resource) => {
    const key = `${one.type}/${one.id}`
    if (!shown.has(key)) shown.set(key, { one, relationships: {} })
    return shown.get(key)!
  }
  data.forEach(meet)
  for (const path of paths) {
    let from = data
    let type = data[0]!.type
    for (const name of path.split('.')) {
      const way = lead(world, type, name)
      if (!way) return undefined
      const next = new Map<string, Resource>()
      for (const one of from) {
        const all = way.ids(one)
        const ids = all.slice(0, 50)
        const identifiers = ids.map((id) => ({ type: way.to, id }))
        const base = `/api/dev/${one.type}/${one.id}`
        const self = `${base}/relationships/${name}`
        const links = {
          self,
          related: `${base}/${name}`,
          ...(all.length > 50 && { next: `${self}?page%5Blimit%5D=50&page%5Boffset%5D=50` }),
        }
        meet(one).relationships[name] = { links, data: way.many ? identifiers : (identifiers[0] ?? null) }
        for (const id of ids) next.set(id, world.get(way.to)!.get(id)!)
      }
      from = [...next.values()]
      from.forEach(meet)
      type = way.to
    }
  }
  const made = ({ one, relationships }: { one: Resource; relationships: object }) =>
    Object.keys(relationships).length > 0 ? { ...one, relationships } : one
  const first = new Set(data.map(({ type, id }) => `${type}/${id}`))
  return {
    data: data.map((one) => made(meet(one))),
    included: [...shown]
      .filter(([key]) => !first.has(key))
      .map(([, one]) => made(one))
      .sort(byId),
  }
}

const included = ({ json }: Answer): Resource[] => [...(json.included as Resource[])].sort(byId)

/** Paths of one step and of two, all that exist for an administrator. */
function allPaths(type: string, world: World): string[] {
  const names = ways.flatMap(({ from, field }) => [`r${field.slice(1)}`, `${from}_r${field.slice(1)}`])
  return names.flatMap((name) => {
    const way = lead(world, type, name)
    return way ? [name, ...names.filter((next) => lead(world, way.to, next)).map((next) => `${name}.${next}`)] : []
  })
}

describe('include', () => {
  for (const who of ['administrator', 'some', 'limited'])
    it(`gives ${who} what the plain lists say, for every path of one and two steps`, async () => {
      const token = tokens[who]!
      const [all, world] = [await worldOf(service.token), await worldOf(token)]
      let found = 0
      for (const type of [countries, cities, people].filter((one) => world.has(one)))
        for (const path of allPaths(type, all)) {
          const answer = await service.get(`${type}?page[limit]=50&include=${path}`, token)
          const wanted = expected(world, [...world.get(type)!.values()].sort(byId).slice(0, 50), [path])
          if (!wanted) {
            assert.deepEqual(errorsOf(answer), ['400 parameter.invalid include'], `${type} ${path}`)
            continue
          }
          assert.equal(answer.status, 200, answer.text)
          assert.deepEqual(answer.json.data, wanted.data, `${type} ${path}`)
          assert.deepEqual(included(answer), wanted.included, `${type} ${path}`)
          found += wanted.included.length
        }
      assert.ok(found > 100)
    })

  it('several paths together, of one record and of a search, with each resource once', async () => {
    const world = await worldOf(service.token)
    const paths = [
      relationship('home'),
      `${relationship('home')}.${relationship('of')}`,
      inverse('boss'),
      `${inverse('boss')}.${relationship('boss')}`,
    ]
    for (const one of [...world.get(people)!.values()].slice(0, 12)) {
      const answer = await service.get(`${people}/${one.id}?include=${paths.join(',')}`)
      const wanted = expected(world, [one], paths)!
      assert.deepEqual([answer.json.data, included(answer)], [wanted.data[0], wanted.included])
    }
    const posted = await service.call('POST', `${people}/search?include=${paths.join(',')}`, { meta: { filter: `eq(${f['home']},1)` } })
    const living = [...world.get(people)!.values()].filter(({ attributes }) => attributes[f['home']!] === '1').sort(byId)
    const wanted = expected(world, living.slice(0, 20), paths)!
    assert.deepEqual([posted.json.data, included(posted)], [wanted.data, wanted.included])
  })

  it('shows a reference to a hidden record like one to a deleted record, and both like the empty one', async () => {
    const world = await worldOf(service.token)
    const home = relationship('home')
    for (const [token, isHidden] of [
      [tokens['some']!, (town: string) => world.get(cities)!.get(town)?.attributes[f['city']!]!.endsWith('7')],
      [service.token, (town: string) => town !== '0' && !world.get(cities)!.has(town)],
      [service.token, (town: string) => town === '0'],
    ] as const) {
      const seen = [...(await worldOf(token)).get(people)!.values()]
      const one = seen.find(({ attributes }) => isHidden(attributes[f['home']!]!))
      if (!one) continue
      const { json } = await service.get(`${people}/${one.id}?include=${home}`, token)
      assert.equal(json.data.relationships[home].data, null)
      assert.equal(json.data.attributes[f['home']!], one.attributes[f['home']!])
      assert.deepEqual(json.included, [])
    }
  })

  it('sends at most three statements for each relationship, for a page of 50 as for one of 2', async () => {
    const { forLists } = service.store.db
    const real = { ...forLists }
    let sent = 0
    const counted = forLists as unknown as Record<string, unknown>
    for (const name of ['read', 'readLittle', 'readAside'] as const)
      counted[name] = (...args: unknown[]) => {
        sent++
        return (real[name] as (...all: unknown[]) => unknown)(...args)
      }
    try {
      for (const limit of [2, 50]) {
        sent = 0
        const paths = [`${relationship('home')}.${relationship('of')}`, `${relationship('lived')}.${inverse('home')}`, inverse('boss')]
        assert.equal((await service.get(`${people}?page[limit]=${limit}&include=${paths.join(',')}`)).status, 200)
        // Five relationships, and the page. A step that finds nothing new needs fewer.
        assert.ok(sent > 2 && sent <= 5 * 3 + 1, `${sent} statements for ${limit} records`)
      }
    } finally {
      Object.assign(forLists, real)
    }
  })

  it('finds the records that refer here by an index as well', async () => {
    // A list that was asked for before may have requested it already.
    await service.add('index', { table_id: numberOf(people), attribute: f['home'], kind: 'order', wish: 'pinned' })
    await service.store.indexes.idle()
    assert.ok(service.store.indexes.has(numberOf(people), f['home']!, 'order'))
    for (const who of ['administrator', 'some']) {
      const world = await worldOf(tokens[who]!)
      const answer = await service.get(`${cities}?page[limit]=50&include=${inverse('home')}`, tokens[who])
      const wanted = expected(world, [...world.get(cities)!.values()].sort(byId).slice(0, 50), [inverse('home')])!
      assert.deepEqual([answer.json.data, included(answer)], [wanted.data, wanted.included])
    }
  })

  it('gives another entity tag when an included record changes', async () => {
    const person = await service.make(people, { [f['home']!]: '2' })
    const path = `${people}/${person}?include=${relationship('home')}`
    const tag = (await service.get(path)).headers.get('etag')!
    const again = (headers: Record<string, string>) => service.send('GET', `/api/dev/${path}`, { headers })
    assert.equal((await again({ 'If-None-Match': tag })).status, 304)
    await service.change(cities, '2', { [f['city']!]: 'renamed' })
    const changed = await again({ 'If-None-Match': tag })
    assert.equal(changed.status, 200)
    assert.equal(changed.json.included[0].attributes[f['city']!], 'renamed')
    // The version of the record itself is the same.
    assert.equal(
      (
        await service.send('PATCH', `/api/dev/${people}/${person}`, {
          headers: { 'If-Match': tag },
          body: { data: { type: people, id: person } },
        })
      ).status,
      200,
    )
  })

  it('has a limit for records, for ids and for bytes', async () => {
    const { most } = limits.included
    const set = (name: 'included' | 'includedReferences' | 'includedBytes', value: number) => Object.assign(limits[name], { most: value })
    const was = [limits.includedReferences.most, limits.includedBytes.most] as const
    const all = `${people}?page[limit]=50&include=${relationship('lived')}`
    try {
      set('included', 10)
      assert.deepEqual(errorsOf(await service.get(all)), ['400 include.too_many include'])
      set('included', most)
      set('includedReferences', 10)
      assert.deepEqual(errorsOf(await service.get(all)), ['400 include.too_many include'])
      // An id that several records have is looked up once, but read in each of them.
      set('includedReferences', 4)
      const two = [await service.make(people, { [f['lived']!]: '-1-2-3-' }), await service.make(people, { [f['lived']!]: '-1-2-3-' })]
      const both = `${people}?filter=in(id,${two.join(',')})&include=${relationship('lived')}`
      assert.deepEqual(errorsOf(await service.get(both)), ['400 include.too_many include'])
      set('includedReferences', was[0])
      set('includedBytes', 1_000)
      assert.deepEqual(errorsOf(await service.get(all)), ['400 include.too_large include'])
      set('includedBytes', was[1])
      assert.equal((await service.get(all)).status, 200)
    } finally {
      set('included', most)
      set('includedReferences', was[0])
      set('includedBytes', was[1])
    }
  })

  it('brings long values whole, and counts only the attributes that are asked for', async () => {
    const { id, fields } = await service.table('Long', { title: 'text', long: 'longtext' })
    const { id: other, fields: there } = await service.table('Other', { long: { typeName: 'reference', referenceTableId: id } })
    const records: string[] = []
    for (let n = 0; n < 10; n++)
      records.push(await service.make(`data${id}`, { [fields['title']!]: `t${n}`, [fields['long']!]: `${n}`.repeat(900_000) }))
    for (const one of records) await service.make(`data${other}`, { [there['long']!]: one })
    const path = `data${other}?include=r${there['long']!.slice(1)}`
    const few = await service.get(`${path}&page[limit]=3`)
    assert.deepEqual(
      few.json.included.map((one: Resource) => one.attributes[fields['long']!]),
      [0, 1, 2].map((n) => `${n}`.repeat(900_000)),
    )
    assert.deepEqual(errorsOf(await service.get(path)), ['400 include.too_large include'])
    const short = await service.get(`${path}&fields[data${id}]=${fields['title']}`)
    assert.deepEqual(
      short.json.included.map((one: Resource) => one.attributes),
      records.map((_, n) => ({ [fields['title']!]: `t${n}` })),
    )
  })
})

describe('relationship endpoints', () => {
  const identifiers = (to: string, ids: readonly string[]) => ids.map((id) => ({ type: to, id }))

  for (const who of ['administrator', 'some', 'limited'])
    it(`give ${who} what the plain lists say, a page at a time`, async () => {
      const token = tokens[who]!
      const [all, world] = [await worldOf(service.token), await worldOf(token)]
      let found = 0
      for (const type of [countries, cities, people].filter((one) => world.has(one)))
        for (const name of allPaths(type, all).filter((path) => !path.includes('.'))) {
          const way = lead(world, type, name)
          for (const one of [...world.get(type)!.values()].sort(byId).slice(0, 9)) {
            const path = `${type}/${one.id}`
            const [linkage, related] = [
              await service.get(`${path}/relationships/${name}`, token),
              await service.get(`${path}/${name}`, token),
            ]
            if (!way) {
              assert.deepEqual([errorsOf(linkage), errorsOf(related)], [['404 request.no_such_path'], ['404 request.no_such_path']])
              continue
            }
            const ids = way.ids(one)
            const to = (id: string) => world.get(way.to)!.get(id)!
            const base = `${service.url}/api/dev/${path}`
            if (!way.many) {
              assert.deepEqual(linkage.json.data, identifiers(way.to, ids)[0] ?? null)
              assert.deepEqual(linkage.json.links, { self: `${base}/relationships/${name}`, related: `${base}/${name}` })
              assert.deepEqual(related.json, {
                data: ids[0] ? to(ids[0]) : null,
                links: { self: `${base}/${name}` },
                jsonapi: { version: '1.1' },
              })
              continue
            }
            found += ids.length
            assert.deepEqual(linkage.json.data, identifiers(way.to, ids.slice(0, 20)), `${path} ${name}`)
            assert.deepEqual(related.json.data, ids.slice(0, 20).map(to))
            assert.deepEqual([linkage.json.meta.total, related.json.meta.total], [ids.length, ids.length])
            const last = await service.get(`${path}/relationships/${name}?page[offset]=3&page[limit]=50`, token)
            assert.deepEqual(last.json.data, identifiers(way.to, ids.slice(3, 53)))
          }
        }
      assert.ok(found > 50)
    })

  it('lead to the rest of an included relationship by links.next', async () => {
    const one = (await service.get(`${cities}/1?include=${inverse('home')}`)).json.data as Resource
    const { data, links } = one.relationships![inverse('home')]!
    const rest = (await service.send('GET', links['next']!)).json.data
    const all = lead(await worldOf(service.token), cities, inverse('home'))!.ids(one)
    assert.ok(all.length > 50)
    assert.deepEqual([...(data as object[]), ...rest], identifiers(people, all))
  })

  it('bring what they include, and only the fields that are asked for', async () => {
    const path = `${cities}/2/${inverse('home')}?include=${relationship('home')}&fields[${people}]=${f['person']},${relationship('home')}`
    const { json } = await service.get(path)
    assert.ok(json.data.length > 0)
    for (const one of json.data) {
      assert.deepEqual(Object.keys(one.attributes), [f['person']])
      assert.deepEqual(one.relationships[relationship('home')].data, { type: cities, id: '2' })
    }
    assert.deepEqual(
      json.included.map(({ id }: Resource) => id),
      ['2'],
    )
  })

  it('refuse records that are hidden, and parameters that they do not have', async () => {
    const world = await worldOf(service.token)
    const hidden = [...world.get(cities)!.values()].find(({ attributes }) => attributes[f['city']!]!.endsWith('7'))!
    const home = relationship('home')
    for (const path of [`relationships/${inverse('home')}`, inverse('home')]) {
      assert.deepEqual(errorsOf(await service.get(`${cities}/${hidden.id}/${path}`, tokens['some'])), ['404 record.not_found'])
      assert.deepEqual(errorsOf(await service.get(`${cities}/999999/${path}`)), ['404 record.not_found'])
      assert.deepEqual(errorsOf(await service.get(`${cities}/1/${path}?page[limit]=0`)), ['400 parameter.invalid page[limit]'])
    }
    for (const path of [`relationships/${home}`, home])
      assert.deepEqual(errorsOf(await service.get(`${people}/1/${path}?page[limit]=2`)), ['400 parameter.unknown page[limit]'])
    assert.deepEqual(errorsOf(await service.get(`${people}/1/relationships/${home}?include=${home}`)), ['400 parameter.unknown include'])
  })

  it('change one reference and several, like a change of the field', async () => {
    const id = await service.make(people, { [f['home']!]: '1', [f['lived']!]: '-1-2-' })
    const of = async (name: string) => (await service.get(`${people}/${id}`)).json.data.attributes[f[name]!]
    const patch = (name: string, data: unknown, token?: string) =>
      service.call('PATCH', `${people}/${id}/relationships/${relationship(name)}`, { data }, token)
    const changed = await patch('home', { type: cities, id: '2' })
    assert.deepEqual([changed.status, changed.text], [204, ''])
    assert.equal(await of('home'), '2')
    assert.equal((await patch('home', null)).status, 204)
    assert.equal(await of('home'), '0')
    assert.equal((await patch('lived', identifiers(cities, ['5', '2', '5']))).status, 204)
    assert.equal(await of('lived'), '-5-2-')
    assert.equal((await patch('lived', [])).status, 204)
    assert.equal(await of('lived'), '')
    const [last] = (await service.get(`${people}/${id}/history?sort=-id`)).json.data
    assert.deepEqual(last.attributes.changes, { [f['lived']!]: { from: '-5-2-', to: '' } })

    const refused = async (name: string, data: unknown, ...errors: string[]) => assert.deepEqual(errorsOf(await patch(name, data)), errors)
    await refused('home', undefined, '400 document.missing_member /data')
    await refused('home', [], '400 document.invalid_member /data')
    await refused('home', { type: people, id: '1' }, '409 document.wrong_type /data/type')
    await refused('home', { type: cities, id: 'x' }, '400 document.invalid_member /data/id')
    await refused('home', { type: cities, id: '999999' }, '422 field.invalid_value /data')
    await refused('lived', null, '400 document.invalid_member /data')
    await refused('lived', [{ type: cities, id: '1' }, { type: cities }], '400 document.invalid_member /data/1')
    await refused('lived', identifiers(cities, ['1', '999999']), '422 field.invalid_value /data')
    assert.deepEqual(errorsOf(await patch('home', null, tokens['some'])), ['403 access.denied'])
    const tag = (await service.get(`${people}/${id}`)).headers.get('etag')!
    await service.change(people, id, { [f['person']!]: 'changed' })
    const path = `/api/dev/${people}/${id}/relationships/${relationship('home')}`
    const stale = await service.send('PATCH', path, { headers: { 'If-Match': tag }, body: { data: null } })
    assert.deepEqual(errorsOf(stale), ['412 record.stale If-Match'])
    const inverted = await service.call('PATCH', `${cities}/1/relationships/${inverse('home')}`, { data: [] })
    assert.deepEqual([inverted.status, inverted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  })

  it('do not change a field that the group may only read', async () => {
    const group = Number(await service.make('group', { group_name: 'Readers of a field' }))
    const rule = { groupId: group, tableId: numberOf(people), read: true, update: true, fields: { [f['home']!.slice(1)]: 'read_only' } }
    await createRule(service.store, operator, rule as never)
    await createRule(service.store, operator, { groupId: group, tableId: numberOf(cities), read: true } as never)
    const token = await service.tokenOf(group)
    const path = `${people}/1/relationships/`
    assert.deepEqual(errorsOf(await service.call('PATCH', path + relationship('home'), { data: null }, token)), ['403 access.denied'])
    assert.equal((await service.call('PATCH', path + relationship('lived'), { data: [] }, token)).status, 204)
  })
})
