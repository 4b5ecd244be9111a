/*
 * What is measured against: node:http, prepared statements and answers of the same form, with nothing else: no rights, no
 * checks, no index, one commit for each write. Like everybody, it counts and scans.
 *
 *   node bench/floor.ts <file.sqlite>      says its port on the first line
 */
import Database from 'better-sqlite3'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lists } from './lists.ts'
import { COLUMNS, type Customer } from './seed.ts'

const db = new Database(process.argv[2])
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('cache_size = -65536')
db.pragma('mmap_size = 1073741824')

const one = db.prepare('SELECT * FROM customers WHERE id = ?')
const pages = Object.fromEntries(
  Object.entries(lists).map(([kind, { where, order, groups }]) => {
    const from = `FROM customers${where ? ` WHERE ${where}` : ''}`
    const sums = `SELECT ${groups} AS value, count(*) AS count, sum(CAST(round(balance * 100) AS INTEGER)) AS hundredths ${from} GROUP BY 1 ORDER BY 1`
    if (groups !== undefined) return [kind, { rows: db.prepare(sums), count: undefined }]
    const rows = db.prepare(`SELECT * ${from} ORDER BY ${order ? `${order}, id` : 'id'} LIMIT 20 OFFSET ?`)
    return [kind, { rows, count: db.prepare(`SELECT count(*) AS n ${from}`) }]
  }),
)
const insert = db.prepare(`INSERT INTO customers (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`)
const update = db.prepare(
  `UPDATE customers SET phone = coalesce(?, phone), status = coalesce(?, status), balance = coalesce(?, balance) WHERE id = ?`,
)
/** For the list whose total is known beforehand: what a server can do that does not count. */
const known = (db.prepare('SELECT count(*) AS n FROM customers').get() as { n: number }).n

interface Row extends Record<string, unknown> {
  readonly id: number
}

const PATH = '/api/dev/data1'
// A scan of a very large table holds up all that came meanwhile, which is not to be taken for slow clients.
const server = createServer({ headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
  if (request.headers['x-auth-token'] !== 'floor') return void response.writeHead(401).end()
  if (request.method === 'GET') get(request, response)
  else write(request, response)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

function get(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url!
  const mark = url.indexOf('?')
  if (mark === -1) return answer(response, 200, { data: resource(one.get(Number(url.slice(PATH.length + 1))) as Row), jsonapi })
  const parameters = new URLSearchParams(url.slice(mark + 1))
  const kind = parameters.get('list')!
  const offset = Number(parameters.get('offset'))
  const values = parameters.getAll('value')
  const { rows, count } = pages[kind]!
  if (count === undefined) return answer(response, 200, aggregate(rows.all(...values) as Sum[]))
  const data = (rows.all(...values, offset) as Row[]).map(resource)
  const total = kind === 'known' ? known : (count.get(...values) as { n: number }).n
  answer(response, 200, { data, links: { self: url, last: url }, meta: { offset, limit: '20', total }, jsonapi })
}

function write(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { attributes } = (JSON.parse(Buffer.concat(parts).toString()) as { data: { attributes: Partial<Customer> } }).data
    if (request.method === 'POST') {
      const { lastInsertRowid } = insert.run(COLUMNS.map((column) => attributes[column]))
      answer(response, 201, { data: resource(one.get(lastInsertRowid) as Row), jsonapi })
    } else {
      const id = Number(request.url!.slice(PATH.length + 1))
      update.run(attributes.phone ?? null, attributes.status ?? null, attributes.balance ?? null, id)
      answer(response, 200, { data: resource(one.get(id) as Row), jsonapi })
    }
  })
}

const jsonapi = { version: '1.1' }

interface Sum {
  readonly value: string
  readonly count: number
  readonly hundredths: number
}

function aggregate(rows: readonly Sum[]): unknown {
  const shown = (count: number, hundredths: number) => ({ count, sum: { balance: (hundredths / 100).toFixed(2) } })
  const of = (pick: (row: Sum) => number) => rows.reduce((sum, row) => sum + pick(row), 0)
  const all = shown(
    of((row) => row.count),
    of((row) => row.hundredths),
  )
  return {
    meta: { all, groups: rows.map(({ value, count, hundredths }) => ({ value, label: value, ...shown(count, hundredths) })) },
    jsonapi,
  }
}

function resource({ id, ...row }: Row): unknown {
  const attributes = {
    user_id: '1',
    add_time: '2026-01-01 00:00:00',
    ...row,
    balance: (row['balance'] as number).toFixed(2),
    manager: String(row['manager']),
  }
  return { type: 'data1', id: String(id), attributes, links: { self: `${PATH}/${id}` } }
}

function answer(response: ServerResponse, status: number, document: unknown): void {
  const body = JSON.stringify(document)
  response.writeHead(status, { 'content-type': 'application/vnd.api+json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
