import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorsOf, startService, type Answer, type Service } from '../../support/service.ts'
import { makeTable, person, RIGHTS, type Table } from '../../support/scene.ts'

/*
 * Rights (DECISIONS A23, A42): every set of create, read, update, delete and archive, each of the other seven alone,
 * all and none; every operation; inside and outside of a read filter and a write filter; hidden and read-only fields; an
 * administrator, an archived user, tokens that may only read or know other tables only. What is expected is worked out
 * below in plain code, from the sentences of the section.
 */

type Right = (typeof RIGHTS)[number]

/** The field `zone` of a record: 0 both filters hold, 1 the read filter alone, 2 the write filter alone, 3 neither. */
type Zone = 0 | 1 | 2 | 3
const ZONES: readonly Zone[] = [0, 1, 2, 3]

interface Who {
  readonly says: string
  readonly rights: ReadonlySet<Right>
  /** Read and write filter are set. */
  readonly filters: boolean
  /** `secret` is hidden and `locked` read-only. */
  readonly fields: boolean
  readonly token: 'write' | 'read' | 'other table' | 'archived' | 'administrator'
}

interface Operation {
  readonly says: string
  readonly needs: Right | 'any'
  /** Where the record lies that it is about. */
  readonly zone?: Zone
  /** Where it lies afterwards. */
  readonly to?: Zone
  /** What stands in its way when all else is in order; undefined: nothing. */
  readonly fault?: (held: ReadonlySet<Right>, who: Who) => string | undefined
  readonly success: 200 | 201
  send(scene: Scene, record: string, token: string): Promise<Answer>
  /** What must hold of a success. */
  holds?(scene: Scene, answer: Answer, held: ReadonlySet<Right>, who: Who): void
}

interface Scene {
  readonly service: Service
  readonly table: Table
  readonly linked: Table
  /** One record in each zone, by zone; `code` of each is its zone. */
  readonly there: readonly string[]
}

const WRITING: readonly Right[] = ['create', 'update', 'delete', 'archive', 'bed']
const mayRead = (zone: Zone, who: Who) => limitless(who) || zone === 0 || zone === 1
const mayWrite = (zone: Zone, who: Who) => limitless(who) || zone === 0 || zone === 2
const limitless = (who: Who) => who.token === 'administrator' || !who.filters
const hides = (who: Who) => who.fields && who.token !== 'administrator'

function heldBy({ token, rights }: Who): ReadonlySet<Right> {
  if (token === 'administrator') return new Set(RIGHTS)
  if (token === 'other table') return new Set()
  return token === 'read' ? new Set([...rights].filter((right) => !WRITING.includes(right))) : rights
}

/** The oracle: what an operation comes to, as `refused` puts it, or the status of its success. */
function expected({ needs, zone, to, fault, success }: Operation, who: Who): string {
  if (who.token === 'archived') return '401 auth.token_invalid X-Auth-Token'
  const held = heldBy(who)
  if (held.size === 0) return '404 table.not_found'
  if (needs !== 'any' && !held.has(needs)) return '403 access.denied'
  // The answer to a change shows the record.
  if (needs === 'update' && !held.has('read')) return '403 access.denied'
  if (zone !== undefined && !mayRead(zone, who)) return '404 record.not_found'
  const writes = needs === 'update' || needs === 'delete'
  if (writes && zone !== undefined && !mayWrite(zone, who)) return '403 access.denied'
  const wrong = fault?.(held, who)
  if (wrong) return wrong
  if (to !== undefined && !mayWrite(to, who)) return '403 access.denied'
  return String(success)
}

const at = ({ table }: Scene, name: string) => table.f[name]!
const named = ({ table }: Scene, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [table.f[name] ?? name, value]))
const create = (scene: Scene, values: Readonly<Record<string, unknown>>, token: string) =>
  scene.service.add(scene.table.type, named(scene, values), token)
const change = (scene: Scene, id: string, values: Readonly<Record<string, unknown>>, token: string) =>
  scene.service.change(scene.table.type, id, named(scene, values), token)
const list = (scene: Scene, query: string, token: string) =>
  scene.service.get(`${scene.table.type}?filter=in(id,${scene.there.join()})${query}`, token)

function showsTheVisible(scene: Scene, { json }: Answer, _: unknown, who: Who): void {
  const fields = Object.keys(scene.table.f).filter((name) => !(name === 'secret' && hides(who)))
  const names = ['user_id', 'add_time', 'status', ...fields.map((name) => at(scene, name))]
  assert.deepEqual(Object.keys(json.data.attributes), names)
}

function showsTheReadable(scene: Scene, { json }: Answer, _: unknown, who: Who): void {
  const ids = scene.there.filter((_id, zone) => mayRead(zone as Zone, who))
  assert.deepEqual([json.data.map(({ id }: { id: string }) => id), json.meta.total], [ids, ids.length])
}

/** A fault that lies in the names of the hidden field, which does not exist for them. */
const unlessHidden = (fault: string) => (_: unknown, who: Who) => (hides(who) ? fault : undefined)
const unlessAdministrator = (fault: string) => (_: unknown, who: Who) => (who.token === 'administrator' ? undefined : fault)
const unlessArchiving = (held: ReadonlySet<Right>) => (held.has('archive') ? undefined : '403 access.denied status')

const inZones = (of: (zone: Zone) => Operation): Operation[] => ZONES.map(of)

const operations: readonly Operation[] = [
  {
    says: 'list records',
    needs: 'read',
    success: 200,
    send: (scene, _, token) => list(scene, '', token),
    holds: showsTheReadable,
  },
  {
    says: 'list records by POST',
    needs: 'read',
    success: 200,
    send: (scene, _, token) =>
      scene.service.call('POST', `${scene.table.type}/search`, { meta: { filter: `in(id,${scene.there.join()})` } }, token),
    holds: showsTheReadable,
  },
  {
    says: 'sort by the hidden field',
    needs: 'read',
    success: 200,
    fault: unlessHidden('400 sort.unknown_attribute sort'),
    send: (scene, _, token) => list(scene, `&sort=${at(scene, 'secret')}`, token),
  },
  {
    says: 'filter by the hidden field',
    needs: 'read',
    success: 200,
    fault: unlessHidden('400 filter.unknown_attribute filter'),
    send: ({ service, table }, _, token) => service.get(`${table.type}?filter=eq(${table.f['secret']},'x')`, token),
  },
  {
    says: 'ask for the hidden field alone',
    needs: 'read',
    success: 200,
    fault: unlessHidden('400 attribute.unknown fields'),
    send: (scene, _, token) => list(scene, `&fields[${scene.table.type}]=${at(scene, 'secret')}`, token),
  },
  ...inZones((zone) => ({
    says: `read a record in zone ${zone}`,
    needs: 'read',
    zone,
    success: 200,
    send: ({ service, table }, record, token) => service.get(`${table.type}/${record}`, token),
    holds: showsTheVisible,
  })),
  ...inZones((zone) => ({
    says: `read a file of a record in zone ${zone}`,
    needs: 'read',
    zone,
    success: 200,
    send: ({ service, table }, record, token) => service.get(`file/${table.id}/${table.f['paper']}/${record}/a.txt`, token),
  })),
  ...inZones((zone) => ({
    says: `create a record in zone ${zone}`,
    needs: 'create',
    to: zone,
    success: 201,
    send: (scene, _, token) => create(scene, { zone }, token),
    holds: showsTheVisible,
  })),
  {
    says: 'create with a value in the hidden field',
    needs: 'create',
    success: 201,
    fault: unlessHidden('400 attribute.unknown secret'),
    send: (scene, _, token) => create(scene, { zone: 0, secret: 'x' }, token),
  },
  {
    says: 'create with a value in the read-only field',
    needs: 'create',
    success: 201,
    fault: unlessHidden('400 attribute.read_only locked'),
    send: (scene, _, token) => create(scene, { zone: 0, locked: 'x' }, token),
  },
  {
    says: 'create an archived record',
    needs: 'create',
    success: 201,
    fault: unlessArchiving,
    send: (scene, _, token) => create(scene, { zone: 0, status: '1' }, token),
  },
  {
    says: 'create in the name of another user',
    needs: 'create',
    success: 201,
    fault: unlessAdministrator('400 attribute.read_only user_id'),
    send: (scene, _, token) => create(scene, { zone: 0, user_id: '1' }, token),
  },
  ...inZones((zone) => ({
    says: `create with a value that a record in zone ${zone} has already`,
    needs: 'create',
    success: 201,
    fault: () => '409 field.not_unique code',
    send: (scene, _, token) => create(scene, { zone: 0, code: `code ${zone}` }, token),
  })),
  ...inZones((zone) => ({
    says: `change a record in zone ${zone}`,
    needs: 'update',
    zone,
    to: zone,
    success: 200,
    send: (scene, record, token) => change(scene, record, { name: 'changed' }, token),
    holds: showsTheVisible,
  })),
  ...inZones((zone) => ({
    says: `move a record from zone 0 to ${zone}`,
    needs: 'update',
    zone: 0,
    to: zone,
    success: 200,
    send: (scene, record, token) => change(scene, record, { zone: String(zone) }, token),
  })),
  {
    says: 'change the hidden field',
    needs: 'update',
    zone: 0,
    success: 200,
    fault: unlessHidden('400 attribute.unknown secret'),
    send: (scene, record, token) => change(scene, record, { secret: '' }, token),
  },
  {
    says: 'change the read-only field',
    needs: 'update',
    zone: 0,
    success: 200,
    fault: unlessHidden('400 attribute.read_only locked'),
    send: (scene, record, token) => change(scene, record, { locked: 'other' }, token),
  },
  {
    says: 'send back the read-only field, owner and time as they are',
    needs: 'update',
    zone: 0,
    success: 200,
    send: (scene, record, token) =>
      change(scene, record, { locked: 'kept', user_id: '1', add_time: '2024-05-01 09:30:15', status: '0' }, token),
  },
  {
    says: 'archive a record',
    needs: 'update',
    zone: 0,
    success: 200,
    fault: unlessArchiving,
    send: (scene, record, token) => change(scene, record, { status: '1' }, token),
  },
  {
    says: 'give a record to another user',
    needs: 'update',
    zone: 0,
    success: 200,
    fault: unlessAdministrator('400 attribute.read_only user_id'),
    send: (scene, record, token) => change(scene, record, { user_id: '2' }, token),
  },
  {
    says: 'change when a record was made',
    needs: 'update',
    zone: 0,
    success: 200,
    fault: () => '400 attribute.read_only add_time',
    send: (scene, record, token) => change(scene, record, { add_time: '2020-01-01 00:00:00' }, token),
  },
  ...inZones((zone) => ({
    says: `delete a record in zone ${zone}`,
    needs: 'delete',
    zone,
    success: 200,
    send: ({ service, table }, record, token) => service.remove(`${table.type}/${record}`, token),
  })),
  {
    says: 'see the table',
    needs: 'any',
    success: 200,
    send: ({ service, table }, _, token) => service.get(`table/${table.id}?include=fields`, token),
    holds(scene, { json }, held, who) {
      assert.deepEqual(json.data.meta.access, Object.fromEntries(RIGHTS.map((right) => [right, held.has(right)])))
      const names = json.included.map(({ attributes }: { attributes: { field_name: string } }) => attributes.field_name)
      assert.deepEqual(
        names,
        Object.keys(scene.table.f).filter((name) => !(name === 'secret' && hides(who))),
      )
    },
  },
]

/** What is refused or not by looking elsewhere: lists of structure, the entry point, references from another table. */
const surroundings: readonly { says: string; of(scene: Scene, token: string): Promise<unknown>; is(who: Who): unknown }[] = [
  {
    says: 'the table is listed to those who have any right',
    of: async ({ service, table }, token) => (await service.get(`table?filter=eq(id,${table.id})`, token)).json.meta.total,
    is: (who) => Number(heldBy(who).size > 0),
  },
  {
    says: 'its fields are listed but for the hidden one',
    of: async ({ service, table }, token) => (await service.get(`field?filter=eq(table_id,${table.id})`, token)).json.meta.total,
    is: (who) => (heldBy(who).size === 0 ? 0 : hides(who) ? 5 : 6),
  },
  {
    says: 'the entry point links to its records for those who may read them',
    of: async ({ service, table }, token) => (await service.get('', token)).json.links[table.type] !== undefined,
    is: (who) => heldBy(who).has('read'),
  },
  ...ZONES.map((zone) => ({
    says: `a new reference may name the record in zone ${zone} if they may read it`,
    of: async ({ service, linked, there }: Scene, token: string) =>
      (await service.add(linked.type, { [linked.f['thing']!]: there[zone] }, token)).status,
    is: (who: Who) => {
      if (who.token === 'read') return 403
      return heldBy(who).has('read') && mayRead(zone, who) ? 201 : 422
    },
  })),
]

/** `422 field.required /data/attributes/f7` with the field's own name in place of its place. */
function inShort(scene: Scene, answer: Answer): string {
  if (answer.status < 300) return String(answer.status)
  const short = errorsOf(answer).join(' + ')
  const names = Object.entries(scene.table.f).map(([name, f]) => [`/data/attributes/${f}`, name] as const)
  return names
    .reduce((text, [pointer, name]) => text.replaceAll(pointer, name), short)
    .replaceAll('/data/attributes/', '')
    .replace(/fields\[.*/, 'fields')
}

const subsets = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]])
const who = (rights: readonly Right[], more: Partial<Who> = {}): Who => {
  const made = { rights: new Set(rights), filters: true, fields: true, token: 'write' as const, ...more }
  const limits = [made.filters ? 'filters' : '', made.fields ? 'field rights' : ''].filter(Boolean).join(' and ') || 'no limits'
  return { ...made, says: `${rights.length === 12 ? 'all' : rights.join(', ') || 'no'} rights, ${limits}, token: ${made.token}` }
}
const five: readonly Right[] = ['create', 'read', 'update', 'delete', 'archive']
const everybody: readonly Who[] = [
  ...subsets(five).map((rights) => who(rights)),
  ...RIGHTS.filter((right) => !five.includes(right)).map((right) => who([right])),
  who(RIGHTS),
  who(RIGHTS, { filters: false }),
  who(RIGHTS, { fields: false }),
  who(RIGHTS, { filters: false, fields: false }),
  ...five.map((right) => who([right], { filters: false, fields: false })),
  who(RIGHTS, { token: 'read' }),
  who(RIGHTS, { token: 'read', filters: false, fields: false }),
  who(RIGHTS, { token: 'other table' }),
  who(RIGHTS, { token: 'administrator' }),
  who([], { token: 'administrator' }),
  who(RIGHTS, { token: 'archived' }),
]

describe('who may do what', () => {
  let scene: Scene
  let rule: string
  let tokens: Record<Who['token'], string>

  before(async () => {
    const service = await startService()
    const table = await makeTable(service, 'Things', {
      name: 'text',
      zone: 'integer',
      secret: 'text',
      locked: 'text',
      code: { field_type: 'text', unique: true },
      paper: 'file',
    })
    const linked = await makeTable(service, 'Linked', { thing: { field_type: 'reference', reference_table_id: table.id } })
    const there = []
    for (const zone of ZONES) there.push(await make(service, table, zone, { [table.f['code']!]: `code ${zone}` }))
    scene = { service, table, linked, there }
    const { token } = await person(service, 3, 'clem')
    rule = await service.make('access', { group_id: 3, table_id: table.id })
    await service.make('access', { group_id: 3, table_id: linked.id, create: true, read: true })
    const ofClem = async (wish: object) =>
      (await service.add('token', { login: 'clem', password: 'clem clem clem', ...wish }, null)).json.data.attributes.token
    const gone = await person(service, 3, 'gone')
    await service.remove(`user/${gone.id}`)
    tokens = {
      write: token,
      read: await ofClem({ scope: 'read' }),
      'other table': await ofClem({ tables: [linked.id] }),
      archived: gone.token,
      administrator: service.token,
    }
  })
  after(() => scene.service.close())

  const make = (service: Service, table: Table, zone: Zone, more: object = {}) =>
    service.make(table.type, {
      [table.f['zone']!]: String(zone),
      [table.f['locked']!]: 'kept',
      [table.f['paper']!]: [{ file_name: 'a.txt', content: 'x' }],
      ...more,
    })

  async function setRights(one: Who): Promise<void> {
    const { service, table } = scene
    const { f } = table
    const answer = await service.change('access', rule, {
      ...Object.fromEntries(RIGHTS.map((right) => [right, one.rights.has(right)])),
      read_filter: one.filters ? `in(${f['zone']},0,1)` : '',
      write_filter: one.filters ? `in(${f['zone']},0,2)` : '',
      fields: one.fields ? { [f['secret']!.slice(1)]: 'hidden', [f['locked']!.slice(1)]: 'read_only' } : {},
    })
    assert.equal(answer.status, 200, answer.text)
  }

  for (const one of everybody) {
    it(one.says, async () => {
      await setRights(one)
      const token = tokens[one.token]
      for (const operation of operations) {
        const record = operation.zone === undefined ? '0' : await make(scene.service, scene.table, operation.zone)
        const answer = await operation.send(scene, record, token)
        assert.equal(inShort(scene, answer), expected(operation, one), operation.says)
        if (answer.status < 300) operation.holds?.(scene, answer, heldBy(one), one)
        else if (operation.zone !== undefined)
          assert.equal((await scene.service.get(`${scene.table.type}/${record}`)).headers.get('etag')?.split('-')[0], '"1')
      }
      if (one.token === 'archived') return
      for (const { says, of, is } of surroundings) assert.deepEqual(await of(scene, token), is(one), says)
    })
  }

  it('a conflict names the other record only to those who may read it', async () => {
    const meta = async (zone: Zone) => (await create(scene, { zone: 0, code: `CODE ${zone}` }, tokens.write)).json.errors[0].meta?.record_id
    await setRights(who(['create', 'read']))
    assert.deepEqual(await Promise.all(ZONES.map(meta)), [scene.there[0], scene.there[1], undefined, undefined])
    await setRights(who(['create']))
    assert.deepEqual(await Promise.all(ZONES.map(meta)), [undefined, undefined, undefined, undefined])
  })

  it('a group without a rule has no right', async () => {
    const { token } = await person(scene.service, 2, 'mara')
    for (const operation of operations) {
      const answer = await operation.send(scene, scene.there[0]!, token)
      assert.equal(inShort(scene, answer), '404 table.not_found', operation.says)
    }
  })

  it('structure, users and rights are changed by administrators alone, whatever rights a group has', async () => {
    await setRights(who(RIGHTS, { filters: false, fields: false }))
    const { service, table } = scene
    const field = table.f['name']!.slice(1)
    for (const answer of [
      await service.add('table', { table_name: 'X' }, tokens.write),
      await service.change('table', String(table.id), { table_name: 'X' }, tokens.write),
      await service.remove(`table/${table.id}`, tokens.write),
      await service.add('field', { table_id: table.id, field_name: 'X', field_type: 'text' }, tokens.write),
      await service.change('field', field, { field_name: 'X' }, tokens.write),
      await service.remove(`field/${field}`, tokens.write),
      await service.add('category', { category_name: 'X' }, tokens.write),
      await service.add('group', { group_name: 'X' }, tokens.write),
      await service.add('user', { login: 'x' }, tokens.write),
      await service.add('access', { group_id: 2, table_id: table.id }, tokens.write),
    ])
      assert.equal(inShort(scene, answer), '403 access.denied')
    assert.equal((await service.change('access', rule, { print: false }, tokens.write)).status, 404)
  })
})
