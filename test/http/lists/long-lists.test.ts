import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Failure } from '../../../src/errors.ts'
import { sql } from '../../../src/sql/sql.ts'
import { grant } from '../../../src/store/model/access.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { insertRecords } from '../../../src/store/records/insert-records.ts'
import { cluster } from '../../support/scratch-database.ts'
import { startService, type Service } from '../../support/service.ts'

const RECORDS = 20_000

/** A filter that looks at every record some hundred times and finds none. */
const tedious = (field: string, times = 250, round = 0) =>
  `or(${Array.from({ length: times }, (_, i) => `contains(${field},'no such ${round} ${String.fromCodePoint(0x4e00 + i)}')`).join(',')})`

async function filled(settings: Parameters<typeof startService>[0]): Promise<{ server: Service; path: string; name: string }> {
  const server = await startService(settings)
  const table = await server.make('table', { table_name: 'Many' })
  const field = await server.make('field', { table_id: Number(table), field_name: 'Name', field_type: 'text' })
  const granted = grant(['create', 'bulk'], Number(table), operator, server.store.catalogue())
  for (let i = 0; i < RECORDS; i += 1000) {
    const rows = Array.from({ length: 1000 }, (_, k) => new Map([[`f${field}`, `name ${(i + k) % 100}`]]))
    await insertRecords(server.store, granted, rows)
  }
  return { server, path: `data${table}`, name: `f${field}` }
}

const search = (path: string, filter: string) => [`${path}/search`, { meta: { filter } }] as const

describe('lists that take long', () => {
  let server: Service
  let path: string
  let name: string

  before(async () => {
    ;({ server, path, name } = await filled({ workers: 1 }))
  })
  after(() => server?.close())

  it('hold up nobody: short requests are answered while a long one runs', async () => {
    const SHORT = 20
    let asking = true
    let ended = 0
    // Another one each time: what was asked before is known. It is as long as a filter may be, so that few end meanwhile on a machine under load, too.
    let round = 0
    const long = async () => {
      while (asking) {
        const { status, json } = await server.call('POST', ...search(path, tedious(name, 490, ++round)))
        assert.deepEqual([status, json.meta.total], [200, 0])
        ended++
      }
    }
    const both = Promise.all([long(), long()])
    try {
      for (let i = 0; i < SHORT; i++) {
        assert.equal((await server.get(`${path}/1`)).status, 200)
        assert.equal((await server.get(`${path}?filter=eq(${name},'name ${i}')&page[limit]=1`)).json.meta.total, RECORDS / 100)
      }
    } finally {
      asking = false
    }
    // Had they waited for long ones, each would have seen one end.
    assert.ok(ended < SHORT, `${ended} long ones ended before ${SHORT} short ones were answered`)
    await both
  })

  it('show a page and a total of one state of the table, whatever is written meanwhile', async () => {
    const wrong: unknown[] = []
    let writing = true
    const writer = (async () => {
      for (let i = 0; i < 60; i++) {
        const id = await server.make(path, { [name]: 'here today' })
        await server.remove(`${path}/${id}`)
      }
      writing = false
    })()
    while (writing) {
      const { json } = await server.get(`${path}?filter=eq(${name},'here today')`)
      if (json.data.length !== json.meta.total) wrong.push(json.meta)
    }
    await writer
    assert.deepEqual(wrong, [])
  })

  it('are right after each write, also where the total was remembered', async () => {
    const total = async () => (await server.get(`${path}?filter=eq(${name},'counted')&sort=-${name}`)).json.meta.total
    for (let i = 1; i <= 5; i++) {
      await server.make(path, { [name]: 'counted' })
      assert.equal(await total(), i)
      assert.equal(await total(), i)
    }
  })
})

describe('the time limit of lists', () => {
  it('answers 503 with a code, and the next request is answered', async () => {
    const { server, path, name } = await filled({ queryTimeout: cluster === undefined ? 10 : 60 })
    try {
      const { status, json } = await server.call('POST', ...search(path, tedious(name, 490)))
      assert.equal(status, 503)
      assert.equal(json.errors[0].code, 'server.query_timeout')
      assert.equal((await server.get(`${path}?filter=eq(${name},'name 7')`)).json.meta.total, RECORDS / 100)

      const endless = sql`WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE ${server.store.db.dialect.patience.record?.(1_024, []) ?? sql`1 = 1`}) SELECT max(id) FROM n`
      const code = (userId = 7) => server.store.db.readAside({ userId }, endless).catch((error: Failure) => error.code)
      assert.equal(await code(), 'server.query_timeout')
      // All in one turn, so that none ends while the others are still being asked.
      const codes = await Promise.all(Array.from({ length: 260 }, (_, i) => code(i)))
      assert.deepEqual([...new Set(codes)].sort(), ['server.busy', 'server.query_timeout'])
    } finally {
      await server.close()
    }
  })
})
