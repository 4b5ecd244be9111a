/*
 * Kartoteka as the harness that compares servers sees it: its adapter, handed to the harness by its path (README.md beside).
 * Port and Node come from the harness; everything else as one would start it.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lists } from '../lists.ts'
import { pathOf } from '../requests.ts'
import { random } from '../seed.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'bin/kartoteka.mjs')
const port = 18150
/** The types of the columns; the others are texts. */
const TYPES = ['email=text', 'phone=text', 'balance=decimal', 'created=datetime', 'status=list', 'manager=integer', 'notes=longtext']
const COLUMNS = ['name', 'email', 'phone', 'balance', 'created', 'status', 'manager', 'notes']

const environment = (ctx) => ({ ...process.env, KARTOTEKA_DATA: join(ctx.dir, 'data'), KARTOTEKA_LOG_LEVEL: 'warn', PORT: String(port) })

async function command(ctx, ...args) {
  const child = spawn(process.execPath, [program, ...args], { env: environment(ctx), stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`)
  return said
}

function serve(ctx) {
  const log = openSync(ctx.log, 'a')
  const child = spawn(process.execPath, [program, 'serve'], { env: environment(ctx), stdio: ['ignore', log, log] })
  closeSync(log)
  return child
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** What the work returns that a running server is asked to do, from its first answer on. */
async function serving(ctx, work) {
  const child = serve(ctx)
  try {
    for (;;) {
      try {
        await fetch(`${ctx.baseUrl}/api/dev/table`)
        break
      } catch (error) {
        if (child.exitCode !== null) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    return await work(async (path) => (await fetch(ctx.baseUrl + path, { headers: { 'X-Auth-Token': ctx.state.token } })).json())
  } finally {
    await end(child)
  }
}

/** Wire names of the fields by what they are called. */
async function fieldsOf(ask) {
  const { data } = await ask('/api/dev/field')
  return Object.fromEntries(data.map(({ attributes }) => [attributes.field_name, attributes.int_name]))
}

/** Milliseconds under which a list counts as served from an index, and for which it is waited for, at most. */
const QUICK = 3
const PATIENCE = 30_000

/** Asks for all lists of our own benchmarks until they come from indexes, so that writes are measured with all of these. */
async function awaitIndexes(ask, fields, rows) {
  const next = random(1)
  for (const [kind, { values }] of Object.entries(lists)) {
    const until = performance.now() + PATIENCE
    for (let quick = 0; quick < 20 && performance.now() < until;) {
      const began = performance.now()
      await ask(pathOf(fields, kind, values(next, rows), 0))
      quick = performance.now() - began < QUICK ? quick + 1 : 0
    }
  }
}

const columnOf = (fields) => new Map(Object.entries(fields).map(([column, field]) => [field, column]))
/** Set when requests are made, for the answers, which know nothing of the run. */
let columns = new Map()
const plain = ({ attributes }) => Object.fromEntries(Object.entries(attributes).map(([name, value]) => [columns.get(name) ?? name, value]))

// oxlint-disable-next-line import/no-default-export -- the harness asks for one
export default {
  name: 'kartoteka',
  title: 'Kartoteka, SQLite',
  port,
  async describe() {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return {
      version: `${version}, Node ${process.versions.node}`,
      storage: 'SQLite, WAL, synchronous FULL; each write is on disk before its answer',
      notes: 'rights, folded texts, exact totals, trash; indexes as the server makes them: all that lists of its own benchmarks ask for',
    }
  },
  async prepare(ctx) {
    const file = join(ctx.dir, 'customers.csv')
    // The seed file has ids, which the table makes itself, and no header.
    writeFileSync(file, `id,${COLUMNS.join(',')}\n`)
    await once(spawn('sh', ['-c', 'cat "$1" >> "$2"', 'sh', ctx.csv, file], { stdio: 'inherit' }), 'close')
    const began = performance.now()
    await command(ctx, 'import', 'customers', file, '--create', '--map', 'id=', ...TYPES.flatMap((type) => ['--type', type]))
    const loadSeconds = (performance.now() - began) / 1000
    ctx.state.token = (await command(ctx, 'token', 'create', '--login', 'admin')).trim()
    await serving(ctx, async (ask) => {
      ctx.state.fields = await fieldsOf(ask)
      await awaitIndexes(ask, ctx.state.fields, ctx.rows)
    })
    return { loadSeconds, how: 'kartoteka import' }
  },
  async start(ctx) {
    const t0 = performance.now()
    const child = serve(ctx)
    return { t0, pids: [child.pid], stop: () => end(child) }
  },
  requests(ctx) {
    const { token, fields } = ctx.state
    columns = columnOf(fields)
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/vnd.api+json' }
    const attributes = (row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [fields[column], String(value)]))
    const filter = (name, [column, value]) => `&filter=${encodeURIComponent(`${name}(${fields[column]},'${value}')`)}`
    const at = '/api/dev/data1'
    return {
      get: (id) => ({ path: `${at}/${id}`, headers }),
      list: ({ limit, offset, eq, contains }) => ({
        headers,
        path: `${at}?page[offset]=${offset}&page[limit]=${limit}${eq ? filter('eq', eq) : ''}${contains ? filter('contains', contains) : ''}`,
      }),
      create: (row) => ({
        method: 'POST',
        path: at,
        headers,
        body: JSON.stringify({ data: { type: 'data1', attributes: attributes(row) } }),
      }),
      update: (id, part) => ({
        method: 'PATCH',
        path: `${at}/${id}`,
        headers,
        body: JSON.stringify({ data: { type: 'data1', id: String(id), attributes: attributes(part) } }),
      }),
    }
  },
  parse: {
    record: ({ data }) => plain(data),
    list: ({ data, meta }) => ({ items: data.map(plain), total: meta.total }),
  },
}
