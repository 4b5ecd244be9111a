import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { probes } from '../../../src/http/probes.ts'
import { ATOMIC_TYPE } from '../../../src/http/answers/jsonapi.ts'
import { routes } from '../../../src/http/routes.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { createSetting } from '../../../src/store/people/user-settings.ts'
import { issueToken, type TokenRequest } from '../../../src/store/people/tokens.ts'
import { JSON_API, errorsOf, startService, type Service } from '../../support/service.ts'

/*
 * Every route of routes.ts and probes.ts by every kind of token. A write is sent as its headers alone, with a body announced that is larger
 * than any limit: 413 says that the caller would be let in, and what refuses them does so without the body.
 */

const kinds = ['F', 'R', 'L', 'r', 'M', 'm', 'C', 'c', 'k'] as const
/**
 * F: administrator, R: one whose token may only read, L: limited to the near table, r: both. M, m: manager, the second limited
 * to the near table. C, c, k: client, limited to the near table, only reading. Managers and clients hold the same rights on the
 * near and the far table.
 */
type Kind = (typeof kinds)[number]
/** Logins do not tell capitals apart. */
const loginOf = (kind: Kind) => `person ${kinds.indexOf(kind)}`
const limited: readonly Kind[] = ['L', 'r', 'm', 'c']

/** What each kind is answered, in the order of `kinds`. `+`: let in, 3: 403, 4: 404. */
type Answers = string

interface Row {
  readonly near: Answers
  /** What is about the far table, or about another token. */
  readonly far?: Answers
}

//                        FRLrMmCck
const all: Row = { near: '+++++++++' }
const readTable: Row = { near: '+++++++++', far: '++44+4+4+' }
const writeTable: Row = { near: '+3+3++++3', far: '+344+4+43' }
const unlimited: Row = { near: '++33+3+3+' }
/** What exists for administrators alone. */
const readHidden: Row = { near: '++3343434' }
const administer: Row = { near: '+33333333' }
/** For administrators, also by a token that may only read. */
const administerMetrics: Row = { near: '++3333333' }
const administerHidden: Row = { near: '+33343434' }

const rows: Readonly<Record<string, Row>> = {
  'GET /api/dev/data{table}': readTable,
  'GET /api/dev/data{table}/{record}': readTable,
  'POST /api/dev/data{table}': writeTable,
  'PATCH /api/dev/data{table}/{record}': writeTable,
  'DELETE /api/dev/data{table}/{record}': writeTable,
  'POST /api/dev/data{table}/search': readTable,
  'GET /api/dev/schema/data{table}': readTable,
  'GET /api/dev/openapi.json': all,
  'GET /api/dev/data{table}/{record}/r{field}': readTable,
  'GET /api/dev/data{table}/{record}/data{other}_r{field}': readTable,
  'GET /api/dev/data{table}/{record}/relationships/r{field}': readTable,
  'GET /api/dev/data{table}/{record}/relationships/data{other}_r{field}': readTable,
  'PATCH /api/dev/data{table}/{record}/relationships/r{field}': writeTable,
  'POST /api/dev/data{table}/{record}/relationships/r{field}': writeTable,
  'DELETE /api/dev/data{table}/{record}/relationships/r{field}': writeTable,
  'GET /api/dev/data{table}/aggregate': readTable,
  'GET /api/dev/data{table}/export': readTable,
  'PATCH /api/dev/data{table}': writeTable,
  // Managers and clients hold no bed.
  'DELETE /api/dev/data{table}': { near: '+3+333333', far: '+34434343' },
  'POST /api/dev/operations': { near: '+3+3++++3' },
  'GET /api/dev/search': all,
  'GET /api/dev/file/{table}/{field:text}/{record}': readTable,
  'GET /api/dev/file/{table}/{field:text}/{record}/{name:text}': readTable,

  'GET /api/dev/category': all,
  'GET /api/dev/category/{id}': readTable,
  'POST /api/dev/category': administer,
  'PATCH /api/dev/category/{id}': administer,
  'DELETE /api/dev/category/{id}': administer,
  'GET /api/dev/table': all,
  'GET /api/dev/table/{id}': readTable,
  'POST /api/dev/table': administer,
  'PATCH /api/dev/table/{id}': administer,
  'DELETE /api/dev/table/{id}': administer,
  'POST /api/dev/table/{id}/copy': administer,
  'GET /api/dev/field': all,
  'GET /api/dev/field/{id}': readTable,
  'POST /api/dev/field': administer,
  'PATCH /api/dev/field/{id}': administer,
  'DELETE /api/dev/field/{id}': administer,
  'GET /api/dev/filter': all,
  'GET /api/dev/filter/{id}': readTable,
  'POST /api/dev/filter': { near: '+3+3++++3' },
  // Shared ones are the administrators'.
  'PATCH /api/dev/filter/{id}': { near: '+33333333', far: '+34434343' },
  'DELETE /api/dev/filter/{id}': { near: '+33333333', far: '+34434343' },
  'GET /api/dev/view': all,
  'GET /api/dev/view/{id}': readTable,
  'POST /api/dev/view': { near: '+3+3++++3' },
  'PATCH /api/dev/view/{id}': { near: '+33333333', far: '+34434343' },
  'DELETE /api/dev/view/{id}': { near: '+33333333', far: '+34434343' },

  'GET /api/dev/group': unlimited,
  'GET /api/dev/group/{id}': unlimited,
  'POST /api/dev/group': administer,
  'PATCH /api/dev/group/{id}': administer,
  'DELETE /api/dev/group/{id}': administer,
  'GET /api/dev/access': unlimited,
  'GET /api/dev/access/explain': { near: '++3333333' },
  'GET /api/dev/access/{id}': readHidden,
  'POST /api/dev/access': administer,
  'PATCH /api/dev/access/{id}': administerHidden,
  'DELETE /api/dev/access/{id}': administerHidden,
  'GET /api/dev/user': unlimited,
  // The manager m: managers see everybody, clients themselves.
  'GET /api/dev/user/{id}': { near: '++33+3434' },
  'POST /api/dev/user': administer,
  'PATCH /api/dev/user/{id}': { near: '+33333434' },
  'DELETE /api/dev/user/{id}': { near: '+33333434' },
  'GET /api/dev/token': all,
  // Near: the very token of the request; far: another of the same user.
  'GET /api/dev/token/{id}': { near: '+++++++++', far: '++44+4+4+' },
  'PATCH /api/dev/token/{id}': { near: '+++++++++', far: '+344+4+43' },
  'DELETE /api/dev/token/{id}': { near: '+++++++++', far: '+344+4+43' },
  'POST /api/dev/token': all,
  'POST /api/dev/session': all,
  // A token is no session.
  'DELETE /api/dev/session': { near: '444444444' },
  'POST /api/dev/session/view': { near: '444444444' },
  'DELETE /api/dev/session/view': { near: '444444444' },
  'GET /api/dev/me': unlimited,
  'GET /api/dev/setting': unlimited,
  'GET /api/dev/setting/{id}': { near: '++33+3+3+' },
  'POST /api/dev/setting': { near: '+333+3+33' },
  'PATCH /api/dev/setting/{id}': { near: '+333+3+33' },
  'DELETE /api/dev/setting/{id}': { near: '+333+3+33' },
  'GET /api/dev/invitation': unlimited,
  'GET /api/dev/invitation/{id}': readHidden,
  'POST /api/dev/invitation': administer,
  'DELETE /api/dev/invitation/{id}': administerHidden,
  'POST /api/dev/invitation/redeem': all,
  'GET /api/dev/trash': all,
  // Deleted by the administrator: others see what they deleted themselves.
  'GET /api/dev/trash/{id}': { near: '++++44444', far: '++4444444' },
  'DELETE /api/dev/trash/{id}': { near: '+33343434', far: '+33343434' },
  'POST /api/dev/trash/{id}/restore': { near: '+3+344444', far: '+34444444' },
  'GET /api/dev/index': unlimited,
  'GET /api/dev/index/{id}': readHidden,
  'POST /api/dev/index': administer,
  'PATCH /api/dev/index/{id}': administerHidden,
  'PUT /api/dev/file/{table}/{field:text}/{record}/{name:text}': writeTable,
  'POST /api/dev/file/{table}/{field:text}/{record}/{name:text}/link': readTable,
  'GET /api/dev/change': all,
  'GET /api/dev/events': all,
  'GET /api/dev/change/{id}': readTable,
  'GET /api/dev/change/{id}/file/{field:text}/{side:text}/{name:text}': readTable,
  'GET /api/dev/data{table}/{record}/history': readTable,
  'GET /api/dev/webhook': unlimited,
  'GET /api/dev/webhook/{id}': readHidden,
  'POST /api/dev/webhook': { near: '+333+3+33' },
  'PATCH /api/dev/webhook/{id}': administerHidden,
  'DELETE /api/dev/webhook/{id}': administerHidden,
  'POST /api/dev/webhook/{id}/secret': administerHidden,
  'POST /api/dev/webhook/{id}/test': administerHidden,
  'GET /api/dev/webhook_delivery': unlimited,
  'GET /api/dev/webhook_delivery/{id}': readHidden,
  'POST /api/dev/webhook_delivery/{id}/replay': administerHidden,
  'POST /api/dev/data{table}/{record}/restore': writeTable,
  'GET /api/dev/job': all,
  'POST /api/dev/job': all,
  'GET /api/dev/job/{id}': { near: '++4444444', far: '++4444444' },
  'GET /api/dev/job/{id}/result': { near: '444444444' },
  'DELETE /api/dev/job/{id}': { near: '+34444444', far: '+34444444' },
  // The job is none of these users': a draft belongs to its user alone.
  'PUT /api/dev/job/{id}/file': { near: '444444444', far: '444444444' },
  'GET /api/dev/job/{id}/preview': { near: '444444444', far: '444444444' },
  'PATCH /api/dev/job/{id}': { near: '444444444', far: '444444444' },
  'POST /api/dev/job/{id}/run': { near: '444444444', far: '444444444' },
  'GET /api/dev/job/{id}/errors': { near: '++4444444', far: '++4444444' },
  'GET /api/dev/batch': all,
  // Made by an administrator: others see their own.
  'GET /api/dev/batch/{id}': { near: '++4444444', far: '++4444444' },
  'POST /api/dev/batch/{id}/undo': administerHidden,
  'GET /api/dev/audit': unlimited,
  'GET /api/dev/audit/{id}': readHidden,
  'GET /api/dev': all,
  'GET /api/dev/hello/{text:text}': all,

  'GET /healthz': all,
  'GET /readyz': all,
  'GET /metrics': administerMetrics,
  'GET /installation': administerMetrics,
}

/** What a browser and a page of the service send: needed to sign one in. */
const OWN_PAGE = 'Sec-Fetch-Site: same-origin\r\nX-Requested-With: kartoteka\r\n'

const open = new Set([
  'POST /api/dev/token',
  'POST /api/dev/session',
  'POST /api/dev/invitation/redeem',
  'GET /api/dev/hello/{text:text}',
  'GET /healthz',
  'GET /readyz',
])

describe('every route, by every kind of token', () => {
  let service: Service
  const tokens = {} as Record<Kind, string>
  const own = {} as Record<Kind, { readonly id: number; readonly other: number; readonly setting: number }>
  let near: Readonly<Record<string, string>>
  let far: Readonly<Record<string, string>>
  let dead: Readonly<Record<string, string>>

  /** A table with one of everything that belongs to it; all that has a name has this one. */
  async function world(name: string): Promise<Record<string, string>> {
    const category = await service.make('category', { category_name: name })
    const table = await service.make('table', { table_name: name, category_id: Number(category) })
    const ids: Record<string, string> = { category, table }
    const field = async (field_type: string, more: object = {}) =>
      service.make('field', { table_id: Number(table), field_name: `${name} ${field_type}`, field_type, ...more })
    ids['field'] = await field('text')
    ids['files'] = await field('file')
    ids['reference'] = await field('references', { reference_table_id: Number(table) })
    for (const group_id of [2, 3])
      ids['access'] = await service.make('access', {
        group_id,
        table_id: Number(table),
        create: true,
        read: true,
        update: true,
        delete: true,
        print: true,
      })
    ids['filter'] = await service.make('filter', {
      table_id: Number(table),
      filter_name: name,
      expression: `eq(f${ids['field']},'${name}')`,
    })
    ids['view'] = await service.make('view', { table_id: Number(table), view_name: name })
    const file = { file_name: `${name}.txt`, content: name, binary: false }
    const record = () => service.make(`data${table}`, { [`f${ids['field']}`]: name, [`f${ids['files']}`]: [file] })
    ids['record'] = await record()
    assert.equal((await service.remove(`data${table}/${await record()}`)).status, 200)
    ids['trash'] = (await service.get(`trash?filter=eq(table_id,${table})`)).json.data[0].id
    const [change] = (await service.get(`change?filter=eq(table_id,${table})`)).json.data
    ids['change'] = change.id
    ids['batch'] = String(change.attributes.batch_id)
    ids['index'] = await service.make('index', { table_id: Number(table), attribute: `f${ids['field']}`, kind: 'text' })
    return { ...ids, file: `${name}.txt` }
  }

  before(async () => {
    service = await startService()
    near = await world('near')
    far = await world('farsecret')
    for (const kind of kinds) {
      const group_id = 'FRLr'.includes(kind) ? 1 : 'Mm'.includes(kind) ? 2 : 3
      await service.make('user', { login: loginOf(kind), fio: 'farsecret', e_mail: `farsecret${kind}@example.com`, group_id })
      const issue = (wish: TokenRequest) => issueToken(service.store, operator, { login: loginOf(kind), ...wish })
      const { id, token } = await issue({
        scope: 'Rrk'.includes(kind) ? 'read' : 'write',
        tables: limited.includes(kind) ? [Number(near['table'])] : null,
      })
      tokens[kind] = token
      const userId = Number((await service.get(`user?filter=eq(login,'${loginOf(kind)}')`)).json.data[0].id)
      const setting = await createSetting(service.store, { ...operator, userId }, { name: 'x' })
      own[kind] = { id, other: (await issue({ title: 'farsecret' })).id, setting }
    }
    const issue = (wish: TokenRequest) => issueToken(service.store, operator, { login: loginOf('F'), ...wish })
    const [expired, revoked] = [await issue({ lifetime: 1 }), await issue({})]
    await service.remove(`token/${revoked.id}`, tokens.F)
    service.clock.now += 2_000
    dead = { expired: expired.token, revoked: revoked.token, unknown: 'x'.repeat(48) }
    far = { ...far, user: (await service.get(`user?filter=eq(login,'${loginOf('m')}')`)).json.data[0].id, audit: '1' }
    const webhook = await service.make('webhook', { url: 'https://farsecret.example.com/' })
    far = { ...far, webhook, webhook_delivery: (await service.call('POST', `webhook/${webhook}/test`)).json.data.id }
    const input = { action: 'delete', filter: 'eq(id,0)' }
    far = { ...far, job: (await service.add('job', { kind: 'bulk', table_id: Number(far['table']), input })).json.data.id }
    far = { ...far, invitation: await service.make('invitation', { user_id: Number(far['user']) }) }
  })
  after(() => service.close())

  /** The path of a route about things of the near or the far world. */
  function filled(path: string, kind: Kind, place: keyof Row): string {
    const [, type = ''] = /^\/api\/dev\/([a-z_]+)/.exec(path) ?? []
    const ids = place === 'near' ? { ...far, ...near } : far
    if (path.endsWith('/explain')) return `${path}?user=1&table=${ids['table']}`
    return path.replace(/\{([a-z]+)(:text)?\}/g, (_, name: string) => {
      if (name === 'field') return ids[path.includes('r{field}') ? 'reference' : 'files']!
      if (name === 'other') return ids['table']!
      if (name === 'name') return ids['file']!
      if (name === 'text') return 'you'
      if (name === 'side') return 'to'
      if (name !== 'id') return ids[name]!
      if (type === 'group') return kind === 'C' || kind === 'k' ? '3' : '2'
      if (type === 'setting') return String(own[kind].setting)
      if (type === 'token') return String(place === 'near' ? own[kind].id : own[kind].other)
      return ids[type]!
    })
  }

  async function asked(method: string, path: string, token: string | undefined): Promise<{ status: number; text: string }> {
    const announced =
      method === 'GET'
        ? ''
        : `Content-Type: ${path === '/api/dev/operations' ? ATOMIC_TYPE : JSON_API}\r\nContent-Length: 1000000000\r\n${OWN_PAGE}`
    const query = path === '/api/dev/search' ? '?text=far' : ''
    const identity = token === undefined ? '' : `X-Auth-Token: ${token}\r\n`
    const text = await service.raw(
      // An answer without an end: what HEAD is answered is decided in the same way.
      `${path === '/api/dev/events' ? 'HEAD' : method} ${path}${query} HTTP/1.1\r\nHost: a\r\n${identity}${announced}${method === 'GET' ? 'Connection: close\r\n' : ''}\r\n`,
    )
    return { status: Number(text.slice(9, 12)), text }
  }

  it('has a row', () => {
    const all = [...routes, ...probes.filter(({ forBrowsers }) => !forBrowsers)]
    const known = all.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual([...new Set(known)].sort(), Object.keys(rows).sort())
    for (const route of all) assert.equal(route.token === 'none', open.has(`${route.method} ${route.path}`), route.path)
  })

  for (const [name, row] of Object.entries(rows))
    it(name, async () => {
      const [method = '', path = ''] = name.split(' ')
      for (const place of ['near', 'far'] as const) {
        const answers: string[] = []
        for (const kind of kinds) {
          if (row[place] === undefined) continue
          const { status, text } = await asked(method, filled(path, kind, place), tokens[kind])
          const letIn = method === 'GET' ? 200 : 413
          answers.push(status === letIn ? '+' : ({ 403: '3', 404: '4' }[status] ?? String(status)))
          if (limited.includes(kind)) assert.doesNotMatch(text, /farsecret/i, `${kind} ${text}`)
        }
        assert.equal(answers.join(''), row[place] ?? '', place)
      }
      for (const [which, token] of [...Object.entries(dead), ['none', undefined] as const]) {
        const { status } = await asked(method, filled(path, 'F', 'near'), token)
        assert.equal(status, open.has(name) ? (method === 'GET' ? 200 : 413) : 401, which)
      }
    })

  it('links from the entry point to what a limited token reaches', async () => {
    for (const kind of limited)
      assert.deepEqual(
        Object.keys((await service.get('', tokens[kind])).json.links),
        ['describedby', 'category', 'table', 'field', 'filter', 'view', 'token', 'trash', 'change', 'batch', 'job', `data${near['table']}`],
        kind,
      )
  })

  it('lists with a limited token hold what is near, and totals count nothing else', async () => {
    const changes = (await service.get(`change?filter=eq(table_id,${near['table']})`)).json.meta.total
    for (const kind of limited) assert.equal((await service.get('change', tokens[kind])).json.meta.total, changes)
    for (const kind of limited)
      for (const type of ['category', 'table', 'filter', 'view', 'token'])
        assert.equal((await service.get(type, tokens[kind])).json.meta.total, 1, `${kind} ${type}`)
  })
})

describe('a token limited to one table', () => {
  it('names records of its table alone, and users whom its holder sees', async () => {
    const service = await startService()
    const other = await service.table('Other', { code: { typeName: 'text', unique: true } })
    const main = await service.table('Main', {
      link: { typeName: 'reference', referenceTableId: other.id },
      who: 'user',
      code: { typeName: 'text', unique: true },
    } as never)
    const type = `data${main.id}`
    const linked = await service.make(`data${other.id}`, {})
    const record = await service.make(type, { [main.fields['link']!]: linked, [main.fields['code']!]: 'taken' })
    const token = await service.tokenOf(1, { tables: [main.id] })
    // The id of the other record is a value of this one; what is behind it stays unknown.
    assert.equal((await service.get(`${type}/${record}`, token)).json.data.attributes[main.fields['link']!], linked)
    const refused = async (attributes: object) => errorsOf(await service.add(type, attributes, token))
    assert.deepEqual(await refused({ [main.fields['link']!]: linked }), [`422 field.invalid_value /data/attributes/${main.fields['link']}`])
    assert.deepEqual(await refused({ [main.fields['link']!]: '4711' }), [`422 field.invalid_value /data/attributes/${main.fields['link']}`])
    const conflict = await service.add(type, { [main.fields['code']!]: 'TAKEN' }, token)
    assert.equal(conflict.json.errors[0].meta.record_id, record)
    assert.equal((await service.add(type, { [main.fields['who']!]: '1' }, token)).status, 201)
    assert.equal((await service.change(type, record, { [main.fields['link']!]: linked, [main.fields['who']!]: '1' }, token)).status, 200)
    await service.close()
  })

  it('of an administrator saves filters of its own, and leaves those of others alone', async () => {
    const service = await startService()
    const { id, fields } = await service.table('One', { name: 'text' })
    const token = await service.tokenOf(1, { tables: [id] })
    const client = await service.tokenOf(3)
    await service.make('access', { group_id: 3, table_id: id, read: true })
    const wish = { table_id: id, filter_name: 'x', expression: `eq(${fields['name']},'x')` }
    const theirs = await service.make('filter', wish, client)
    assert.equal((await service.get(`filter/${theirs}`, token)).status, 404)
    assert.deepEqual(errorsOf(await service.add('filter', { ...wish, user_id: 0 }, token)), ['403 access.denied /data/attributes/user_id'])
    const mine = await service.make('filter', wish, token)
    assert.notEqual((await service.get(`filter/${mine}`, token)).json.data.attributes.user_id, 0)
    assert.equal((await service.change('filter', mine, { filter_name: 'y' }, token)).status, 200)
    assert.equal((await service.remove(`filter/${mine}`, token)).status, 200)
    await service.close()
  })

  it('is revoked and prolonged by itself, and revokes and prolongs no other', async () => {
    const service = await startService()
    const { id } = await service.table('One')
    const { login } = service.first
    const issue = (wish: TokenRequest) => issueToken(service.store, operator, { login, ...wish })
    const [full, own] = [await issue({}), await issue({ tables: [id] })]
    for (const answer of [
      await service.change('token', String(full.id), { lifetime: 60 }, own.token),
      await service.remove(`token/${full.id}`, own.token),
    ])
      assert.deepEqual(errorsOf(answer), ['404 resource.not_found'])
    assert.equal((await service.change('token', String(own.id), { lifetime: 60 }, own.token)).status, 200)
    assert.equal((await service.remove(`token/${own.id}`, own.token)).status, 200)
    assert.equal((await service.get('token', full.token)).status, 200)
    await service.close()
  })
})
