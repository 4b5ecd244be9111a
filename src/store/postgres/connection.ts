import { setLast } from '../../memory/lru.ts'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Dialect } from '../../sql/dialect.ts'
import { render, type Param, type Sql } from '../../sql/sql.ts'
import { postgres } from '../../sql/postgres.ts'
import type { Row } from '../ground/db.ts'
import { isLost, isUnprepared } from './faults.ts'
import { connectionName } from './other-connections.ts'
import { endWhenUnresponsive, streamOf, within } from './liveness.ts'

/** The most prepared statements of a connection. */
const PREPARED = 400
/** The most characters of a statement that is prepared. Longer ones are seldom repeated. */
const LONGEST_PREPARED = 5_000
/** Milliseconds to connect. */
const CONNECTING = 5_000
const ENDING = 1_000

export interface Result {
  readonly rows: Row[]
  /** Rows changed. */
  readonly count: number
}

/** One connection. Statements are pipelined: several cost one round trip. */
export interface Connection {
  query(query: Sql): Promise<Result>
  /** As `query`, of a transaction whose end is sent already. A statement that `isUnprepared` is not sent again: it would run after the transaction. */
  part(query: Sql): Promise<Result>
  /** As `query`, but the statement is not prepared: for one that is seldom repeated, such as a change of structure. */
  once(query: Sql): Promise<Result>
  /** Runs statements without parameters, separated by `;`. Returns the rows of each. */
  script(text: string): Promise<Row[][]>
  /** @throws if the transaction had failed before. COMMIT itself does not report that. */
  commit(): Promise<void>
  /** The number of statements that were sent and are not answered yet. */
  waiting(): number
  isOpen(): boolean
  /** Cancels the running statement; not behind a pooler. Resolves when the request was sent. */
  cancel(): Promise<void>
  /** Whether the server accepted writes when the connection began. A standby does not. */
  readonly takesWrites: boolean
  readonly dialect: Dialect
  /** Whether it leads to the database itself and not to a pooler. Then settings and prepared statements stay. */
  readonly isDirect: boolean
  close(): Promise<void>
}

/** Numbers as in SQLite, everything else as text. Queries select numbers that may exceed 2^53 as text. */
const types = { getTypeParser: (type: number) => (numbers.has(type) ? Number : String) } as unknown as pg.CustomTypesConfig
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700])

/** @throws what the driver throws, see faults.ts */
export async function connect(url: string): Promise<Connection> {
  const { client, isDirect, takesWrites } = await begun(url)
  let open = true
  let waiting = 0
  client.on('error', () => (open = false))
  client.on('end', () => (open = false))
  const { asks, idle } = endWhenUnresponsive(client, url, () => isAtWork(url, isDirect ? processOf(client) : undefined))
  const gather = gathering(streamOf(client))
  const names = isDirect ? statementNames(client) : nameless

  function send(query: Statement): Promise<pg.QueryArrayResult[]> {
    waiting++
    asks()
    gather()
    return new Promise((resolve, reject) => {
      const config = { ...query, rowMode: 'array', types } as unknown as pg.QueryArrayConfig
      client.query(config, (error: unknown, result: pg.QueryArrayResult | pg.QueryArrayResult[]) => {
        if (--waiting === 0) idle()
        // Also where the server refuses writes: another one leads by now.
        if (isLost(error)) open = false
        if (error) reject(error)
        else resolve(Array.isArray(result) ? result : [result])
      })
    })
  }

  return {
    ...sending(send, names),
    async script(text) {
      return (await send({ text })).map(({ rows }) => rows as Row[])
    },
    async commit() {
      const [result] = await send({ text: 'COMMIT' })
      if (result!.command !== 'COMMIT') throw new Error('A statement of the transaction had failed.')
    },
    waiting: () => waiting,
    isOpen: () => open,
    cancel: async () => (isDirect ? cancelled(url, processOf(client)) : undefined),
    takesWrites,
    dialect: postgres,
    isDirect,
    async close() {
      open = false
      await end(client)
    },
  }
}

interface Statement {
  readonly text: string
  readonly values?: Param[]
  readonly name?: string
}

/** The ways in which a statement with parameters is sent. */
const sending = (
  send: (statement: Statement) => Promise<pg.QueryArrayResult[]>,
  { nameOf, forget }: StatementNames,
): Pick<Connection, 'query' | 'part' | 'once'> => ({
  async query(query) {
    const { text, params } = render(query, postgres.placeholder)
    const name = nameOf(text)
    if (name === undefined) return resultOf(await send({ text, values: params }))
    try {
      return resultOf(await send({ text, values: params, name }))
    } catch (error) {
      if (!isUnprepared(error)) throw error
      forget(text)
      // In a transaction that is still open this fails as well; then the whole of it is run again.
      return resultOf(await send({ text, values: params }))
    }
  },
  async part(query) {
    const { text, params } = render(query, postgres.placeholder)
    const name = nameOf(text)
    return resultOf(
      await send({ text, values: params, ...(name !== undefined && { name }) }).catch((error: unknown) => {
        if (isUnprepared(error)) forget(text)
        throw error
      }),
    )
  },
  async once(query) {
    const { text, params } = render(query, postgres.placeholder)
    return resultOf(await send({ text, values: params }))
  },
})

/** Opens a connection and reads what is needed to know about its server. */
async function begun(url: string): Promise<Introduced & { client: pg.Client }> {
  const client = new pg.Client({
    connectionString: url,
    pipeline: true,
    keepAlive: true,
    application_name: 'kartoteka',
  } as pg.ClientConfig)
  client.on('error', () => undefined)
  try {
    return {
      client,
      ...(await within(
        CONNECTING,
        client.connect().then(() => introduced(client)),
      )),
    }
  } catch (error) {
    streamOf(client).destroy()
    throw error
  }
}

/** Closes a connection, at once if the server does not answer. */
async function end(client: pg.Client): Promise<void> {
  await within(ENDING, client.end()).catch(() => streamOf(client).destroy())
}

/** Whether the server answers and, if its process is known, whether that process runs a statement. */
async function isAtWork(url: string, process: number | undefined): Promise<boolean> {
  const { client } = await begun(url)
  try {
    if (process === undefined) return true
    const busy = client.query("SELECT FROM pg_stat_activity WHERE pid = $1 AND coalesce(state, '') NOT LIKE 'idle%'", [process])
    return (await within(CONNECTING, busy)).rowCount === 1
  } finally {
    void end(client)
  }
}

/** Cancels the statement that a process of the server runs. */
async function cancelled(url: string, process: number): Promise<void> {
  const { client } = await begun(url)
  try {
    await within(CONNECTING, client.query('SELECT pg_cancel_backend($1)', [process]))
  } finally {
    void end(client)
  }
}

/** Joins the writes of one turn of the event loop into one write to the socket. */
function gathering(stream: Duplex): () => void {
  let isGathering = false
  return () => {
    if (isGathering) return
    isGathering = true
    stream.cork()
    setImmediate(() => {
      isGathering = false
      stream.uncork()
    })
  }
}

/** The names of prepared statements; undefined for a statement that is not prepared. */
interface StatementNames {
  nameOf(text: string): string | undefined
  forget(text: string): void
}

const nameless: StatementNames = { nameOf: () => undefined, forget: () => undefined }

/** Names for prepared statements; the least recently used one is dropped first. */
function statementNames(client: pg.Client): StatementNames {
  const names = new Map<string, string>()
  let last = 0
  function forget(text: string): void {
    const name = names.get(text)
    if (name === undefined) return
    names.delete(text)
    release(name)
  }
  function release(name: string): void {
    delete (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection.parsedStatements[name]
    // The server forgets it after what is under way.
    void client.query(`DEALLOCATE ${name}`).catch(() => undefined)
  }
  return {
    forget,
    nameOf(text) {
      if (text.length > LONGEST_PREPARED) return undefined
      let name = names.get(text)
      if (name === undefined) {
        name = `k${++last}`
        const gone = setLast(names, text, name, PREPARED)
        if (gone) release(gone[1])
      } else if (names.size > PREPARED / 2) setLast(names, text, name, PREPARED)
      return name
    },
  }
}

const resultOf = ([result]: readonly pg.QueryArrayResult[]): Result => ({ rows: result!.rows as Row[], count: result!.rowCount ?? 0 })

interface Introduced {
  /**
   * Whether the connection leads to the database itself. A pooler gives out a process id of its own; behind it, the next transaction may
   * run in another server process, which does not have the prepared statements.
   */
  readonly isDirect: boolean
  readonly takesWrites: boolean
}

async function introduced(client: pg.Client): Promise<Introduced> {
  const { rows } = await client.query({
    // The name of the connection, which pg_stat_activity shows (other-connections.ts); behind a pooler nothing is set.
    text: `SELECT pg_backend_pid(), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
      CASE WHEN pg_backend_pid() = $1 THEN set_config('application_name', $2, false) END`,
    values: [processOf(client), connectionName],
    rowMode: 'array',
  })
  const [[id, readOnly]] = rows as [[number, boolean]]
  return { isDirect: id === processOf(client), takesWrites: !readOnly }
}

/** The process id that the handshake told. */
const processOf = (client: pg.Client): number => (client as unknown as { processID: number }).processID
