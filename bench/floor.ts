/*
 * What is measured against: node:http and one prepared statement, in the same form of answer, with nothing else: no rights,
 * no token, no checks. Started as `node bench/floor.ts <file.sqlite> <number of records>`; says its port on the first line.
 */
import Database from 'better-sqlite3'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { COLUMNS, customer } from './customers.ts'

const [file, count] = [process.argv[2]!, Number(process.argv[3])]
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, user_id INTEGER, add_time TEXT, status INTEGER, ${COLUMNS.join(' TEXT, ')} TEXT)`)
const insert = db.prepare(`INSERT INTO customers VALUES (?, 1, '2026-01-01 00:00:00', 0, ${COLUMNS.map(() => '?').join(', ')})`)
db.transaction(() => {
  for (let i = 1; i <= count; i++) insert.run(i, ...Object.values(customer(i)))
})()

const one = db.prepare('SELECT * FROM customers WHERE id = ?')
const page = db.prepare('SELECT * FROM customers ORDER BY id LIMIT 20 OFFSET ?')

const server = createServer((request, response) => {
  const url = request.url!
  const [, id] = /^\/api\/dev\/data1\/(\d+)$/.exec(url) ?? []
  const offset = Number(/offset%5D=(\d+)/.exec(url)?.[1] ?? 0)
  const document = id
    ? { data: resource(one.get(id) as Row), jsonapi: { version: '1.1' } }
    : {
        data: (page.all(offset) as Row[]).map(resource),
        links: { self: url },
        meta: { offset, limit: '20', total: count },
        jsonapi: { version: '1.1' },
      }
  const body = Buffer.from(JSON.stringify(document))
  response.writeHead(200, { 'content-type': 'application/vnd.api+json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

interface Row extends Record<string, unknown> {
  id: number
}

function resource({ id, ...attributes }: Row): unknown {
  return {
    type: 'data1',
    id: String(id),
    attributes: { ...attributes, user_id: '1', status: '0' },
    links: { self: `/api/dev/data1/${id}` },
  }
}
