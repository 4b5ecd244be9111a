import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { sweepAnswers } from '../../../src/store/people/idempotency.ts'
import { issueToken } from '../../../src/store/people/tokens.ts'
import { sql, type Sql, name } from '../../../src/sql/sql.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const full = '409 quota.reached'

describe('what a user may keep', () => {
  let service: Service
  let table: Table
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Things', { name: 'text', secret: 'text' })
    await service.make('access', {
      group_id: 3,
      table_id: table.id,
      read: true,
      create: true,
      fields: { [table.f['secret']!.slice(1)]: 'hidden' },
    })
  })
  after(() => service.close())

  const filters = (owner: number, count: number) =>
    service.store.db.write(async (tx) => {
      for (let i = 0; i < count; i++)
        await tx.run(sql`INSERT INTO saved_filters (table_id, title, titlek, expression, expressionk, user_id)
          VALUES (${table.id}, 'made before', 'made before', 'gt(id,0)', 'gt(id,0)', ${owner})`)
    })
  const wish = (more = {}) => ({ table_id: table.id, filter_name: 'mine', expression: 'gt(id,1)', ...more })
  const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()

  it('saved filters are limited in number, also where many are saved at once', async () => {
    const { id, token } = await person(service, 3, 'anna')
    await filters(Number(id), limits.filtersPerUser.most - 3)
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.add('filter', wish(), token)))
    assert.deepEqual(statuses(answers), [...Array.from({ length: 3 }, () => 201), ...Array.from({ length: 7 }, () => 409)])
    refused(await service.add('filter', wish(), token), full)
    const own = (await service.get('filter?filter=eq(filter_name,%27mine%27)', token)).json.data[0].id
    assert.equal((await service.change('filter', own, { expression: 'gt(id,2)' }, token)).status, 200, 'those there are can be changed')
    const shared = await service.make('filter', wish())
    refused(await service.change('filter', shared, { user_id: Number(id) }), full)
    assert.equal((await service.remove(`filter/${own}`, token)).status, 200)
    assert.equal((await service.add('filter', wish(), token)).status, 201)
    assert.equal((await service.add('filter', wish())).status, 201, 'others have their own')
    const [[[there]]] = (await service.store.db.read(sql`SELECT count(*) FROM saved_filters WHERE user_id = 0`)) as [[[unknown]]]
    await filters(0, limits.sharedFilters.most - Number(there) - 1)
    assert.equal((await service.add('filter', wish())).status, 201, 'the last one')
    refused(await service.add('filter', wish()), full)
    await service.store.db.write((tx) => tx.run(sql`DELETE FROM saved_filters WHERE title = 'made before' AND user_id = 0`))
  })

  it('signing in again and again ends the tokens used the longest time ago, from the next request on', async () => {
    const { id, token } = await person(service, 3, 'mira')
    const later = () => void (service.clock.now += 61_000)
    const issued = (byPassword: number, count: number, expires = 0) =>
      service.store.db.write((tx) =>
        tx.run(sql`INSERT INTO tokens (user_id, hash, created, last_used, expires_ms, by_password)
          WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < CAST(${count} AS bigint))
          SELECT CAST(${id} AS bigint), ${`${byPassword} ${expires} `} || n, '2024-05-01 09:30:00', '0000-00-00 00:00:00', CAST(${expires} AS bigint), CAST(${byPassword} AS bigint) FROM counter`),
      )
    const old = await service.signIn('mira', 'mira mira mira')
    assert.equal((await service.get(table.type, old)).status, 200)
    later()
    await issued(1, limits.signInsPerUser.most - 2)
    await service.store.db.write((tx) => tx.run(sql`UPDATE tokens SET created = '2024-05-01 09:31:00' WHERE hash LIKE '1 %'`))
    assert.equal((await service.get(table.type, token)).status, 200)
    const used = sql`SELECT count(*) FROM tokens WHERE last_used > '2024-05-01 09:31:00' AND user_id = ${Number(id)}`
    await until('the last use', async () => Number((await service.store.db.read(used))[0]![0]![0]) > 0)
    const signedIn = await Promise.all(Array.from({ length: 5 }, () => service.signIn('mira', 'mira mira mira')))
    for (const one of [token, ...signedIn]) assert.equal((await service.get(table.type, one)).status, 200)
    assert.equal((await service.get(table.type, old)).status, 401)
    assert.ok((await service.get('token', token)).json.meta.total <= limits.signInsPerUser.most)
    await issued(0, limits.tokensPerUser.most - 1)
    await issued(0, 10, 1_000)
    await issueToken(service.store, operator, { login: 'mira' })
    await assert.rejects(issueToken(service.store, operator, { login: 'mira' }), { code: 'quota.reached' })
  })

  it('answers for Idempotency-Keys are limited in number and bytes, and requests without a key go on', async () => {
    const { answersPerUser, answerBytesPerUser, answers: ofAll, answerBytes: bytesOfAll } = limits
    const tooMany = '429 idempotency.too_many Idempotency-Key'
    for (const [hash, user, count, size, mostAnswers, mostBytes] of [
      ['many', 1, answersPerUser.most - 10, 1, answersPerUser.most, answerBytesPerUser.most],
      ['large', 1, 2, answerBytesPerUser.most / 2 - 4_000, answersPerUser.most, answerBytesPerUser.most],
      ['many of others', 1_000, ofAll.most - 10, 1, ofAll.most, bytesOfAll.most],
      ['large of others', 1_000, 2, bytesOfAll.most / 2 - 4_000, ofAll.most, bytesOfAll.most],
    ] as const) {
      // What room there is, a process remembers.
      const alone = await startService()
      try {
        const { type, path } = await makeTable(alone, 'Answered', { name: 'text' })
        const create = (key: string) =>
          alone.send('POST', path, { body: { data: { type, attributes: {} } }, headers: key ? { 'Idempotency-Key': key } : {} })
        await alone.store.db.write((tx) =>
          tx.run(sql`INSERT INTO idempotency (hash, created, user_id, size)
            WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < CAST(${count} AS bigint))
            SELECT ${hash} || n, CAST(${alone.clock.now} AS bigint), CAST(${user} AS bigint), CAST(${size} AS bigint) FROM counter`),
        )
        const answers = []
        for (let i = 0; i < 60; i++) answers.push(await create(`${hash} ${i}`))
        const made = answers.filter(({ status }) => status === 201).length
        assert.ok(made >= 5, `${hash} ${made}`)
        const [[sums]] = (await alone.store.db.read(sql`SELECT count(*), sum(size) FROM idempotency`)) as [[unknown[]]]
        const [number, bytes] = sums.map(Number) as [number, number]
        assert.ok(number <= mostAnswers && bytes <= mostBytes, `${hash} ${number} ${bytes}`)
        refused(answers.at(-1)!, tooMany)
        assert.equal(answers.at(-1)!.headers.get('retry-after'), '3600')
        assert.equal((await create(`${hash} 0`)).text, answers[0]!.text, 'what is kept is answered')
        assert.equal((await create('')).status, 201)
        alone.clock.now += 86_400_000
        await sweepAnswers(alone.store)
        assert.equal((await create('the day after')).status, 201)
      } finally {
        await alone.close()
      }
    }
  })

  it('a filter that is kept has as many characters as one in an address', async () => {
    const rule = await service.make('access', { group_id: 2, table_id: table.id, read: true })
    const { token } = await person(service, 3, 'boris')
    const most = limits.filter.most
    const blanks = (length: number) => 'gt(id,1)'.padEnd(length)
    const id = await service.make('filter', wish({ expression: blanks(most) }), token)
    refused(
      await service.add('filter', wish({ expression: blanks(most + 1) }), token),
      '422 field.invalid_value /data/attributes/expression',
    )
    refused(
      await service.change('filter', id, { expression: blanks(most + 1) }, token),
      '422 field.invalid_value /data/attributes/expression',
    )
    for (const name of ['read_filter', 'write_filter']) {
      assert.equal((await service.change('access', rule, { [name]: blanks(most) })).status, 200)
      refused(await service.change('access', rule, { [name]: blanks(most + 1) }), `422 field.invalid_value /data/attributes/${name}`)
    }
  })

  it('a longer one that an earlier version kept goes on working, and can be sent back as it is', async () => {
    const expression = 'gt(id,0)'.padEnd(100_000)
    await service.make(table.type, {})
    const { id: table_id } = await makeTable(service, 'Others', { name: 'text' })
    const filter = await service.make('filter', wish())
    const rule = await service.make('access', { group_id: 2, table_id, read: true })
    await service.store.restructure(async (tx) => {
      await tx.run(sql`UPDATE saved_filters SET expression = ${expression} WHERE id = ${Number(filter)}`)
      await tx.run(sql`UPDATE access SET read_filter = ${expression} WHERE id = ${Number(rule)}`)
    })
    assert.equal((await service.get(`${table.type}?filter=use_filter(${filter})`)).json.meta.total, 1)
    assert.equal((await service.change('filter', filter, { filter_name: 'renamed', expression })).status, 200)
    assert.equal((await service.change('access', rule, { print: true, read_filter: expression })).status, 200)
    refused(await service.change('filter', filter, { expression: `${expression} ` }), '422 field.invalid_value /data/attributes/expression')
  })

  it('a filter that names a hidden field does not exist for whoever it is hidden from, from the moment it names it', async () => {
    const { token } = await person(service, 3, 'clara')
    const filter = await service.make('filter', wish())
    const seen = async () => [
      (await service.get(`filter/${filter}`, token)).status,
      (await service.get(`${table.type}?filter=use_filter(${filter})`, token)).status,
    ]
    assert.deepEqual(await seen(), [200, 200])
    await service.change('filter', filter, { expression: `eq(${table.f['secret']},'x')` })
    assert.deepEqual(await seen(), [404, 400])
    await service.change('filter', filter, { expression: `not(eq(${table.f['name']},'x'))` })
    assert.deepEqual(await seen(), [200, 200])
  })
})

describe('what administrators may make', () => {
  it('is limited in number', async (t) => {
    const service = await startService()
    t.after(service.close)
    const { id: table_id } = await makeTable(service, 'Things', { name: 'text' })
    /** So many rows are in the table then. */
    const fill = async (table: string, insert: Sql, wanted: number, which = sql`1 = 1`) => {
      const [[[there]]] = (await service.store.db.read(sql`SELECT count(*) FROM ${name(table)} WHERE ${which}`)) as [[[unknown]]]
      await service.store.db.write((tx) =>
        tx.run(sql`${insert} FROM (WITH RECURSIVE counter (n) AS (
          SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < CAST(${wanted - Number(there)} AS bigint)) SELECT n FROM counter) AS numbers`),
      )
    }
    const list = await service.make('field', { table_id, field_name: 'list', field_type: 'list', options: ['a'] })
    const other = await service.make('field', { table_id, field_name: 'other', field_type: 'list', options: ['a'] })
    for (const [table, insert, { most }, type, wish, another] of [
      ['categories', sql`INSERT INTO categories (title) SELECT 'c'`, limits.categories, 'category', { category_name: 'x' }, {}],
      ['groups', sql`INSERT INTO groups (title) SELECT 'g'`, limits.groups, 'group', { group_name: 'x' }, {}],
      ['users', sql`INSERT INTO users (logink) SELECT 'u' || n`, limits.users, 'user', { login: 'x', group_id: 3 }, { login: 'y' }],
      [
        'tables',
        sql`INSERT INTO tables (deleted) SELECT '2024-05-01 09:30:15'`,
        limits.tables,
        'table',
        { table_name: 'x' },
        { table_name: 'y' },
      ],
      [
        'access',
        sql`INSERT INTO access (group_id, table_id) SELECT 10000, 10000 + n`,
        limits.accessRules,
        'access',
        { group_id: 3, table_id },
        { group_id: 2 },
      ],
      [
        'fields',
        sql`INSERT INTO fields (table_id, type, deleted) SELECT 10000 + n, 'text', '2024-05-01 09:30:15'`,
        limits.fields,
        'field',
        { table_id, field_name: 'x', field_type: 'text' },
        { field_name: 'y' },
      ],
    ] as const) {
      await fill(table, insert, most - 1)
      assert.equal((await service.add(type, wish)).status, 201, type)
      refused(await service.add(type, { ...wish, ...another }), full)
    }
    const removed = (field: number) => sql`INSERT INTO options (field_id, label, removed) SELECT ${field}, 'old' || n, 1`
    await fill('options', removed(Number(list)), limits.optionsPerField.most - 1, sql`field_id = ${Number(list)}`)
    assert.equal((await service.change('field', list, { options: ['a', 'b'] })).status, 200, 'removed ones are no options')
    refused(await service.change('field', list, { options: ['a', 'b', 'c'] }), full)
    await fill('options', removed(10_000), limits.options.most - 1)
    assert.equal((await service.change('field', other, { options: ['a', 'b'] })).status, 200)
    refused(await service.change('field', other, { options: ['a', 'b', 'c'] }), full)
  })
})
