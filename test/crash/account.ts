import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScratchProgram } from '../support/scratch-program.ts'
import { settle, write, type Calm, type Storm } from './clients.ts'
import { newEntry, type Entry } from './ledger.ts'

/*
 * A user who signs in, signs out and saves filters while the others write: what is kept in system tables, and rights that
 * must not come back.
 */

/** Of each kind at once, at most. */
const MOST = 5
/** Milliseconds between two writes, at most. */
const REST = 60
const LOGIN = 'keeper'
const PASSWORD = 'a password for the crash test'

export interface Account {
  /** The token that lasts, and with which the others are looked at. */
  readonly token: string
  /** Their marker is their name; 1 is the only revision. */
  readonly tokens: Entry[]
  /** Their marker is the beginning of their name. */
  readonly filters: Entry[]
  made: number
}

export async function openAccount(program: ScratchProgram): Promise<Account> {
  await program.ok('user', 'create', LOGIN, '--group', '1', '--password', PASSWORD)
  return { token: await program.token(LOGIN), tokens: [], filters: [], made: 0 }
}

export async function useUntilKilled(storm: Storm, account: Account): Promise<void> {
  while (await useOnce(storm, account)) await sleep(storm.random.int(REST))
}

function useOnce(storm: Storm, account: Account): Promise<boolean> {
  const { random, server, shape } = storm
  const { token } = account
  if (random.int(3) === 0) {
    const live = account.tokens.filter(({ known }) => known === 1)
    if (live.length >= MOST) {
      const entry = random.pick(live)
      return write(storm, entry, 'nowhere', 200, server.call(token, 'DELETE', `token/${entry.id}`))
    }
    const entry = added(account, account.tokens, 'Token')
    const attributes = { login: LOGIN, password: PASSWORD, name: entry.marker }
    return write(storm, entry, 1, 201, server.call('', 'POST', 'token', { data: { type: 'token', attributes } }))
  }
  const live = account.filters.filter(({ known }) => known !== 'nowhere')
  if (live.length < MOST) {
    const entry = added(account, account.filters, 'Filter')
    const attributes = { table_id: shape.table, filter_name: nameOf(entry, 1), expression: expressionOf(shape.fields.name, 1) }
    return write(storm, entry, 1, 201, server.call(token, 'POST', 'filter', { data: { type: 'filter', attributes } }))
  }
  const entry = random.pick(live)
  if (random.int(3) === 0) return write(storm, entry, 'nowhere', 200, server.call(token, 'DELETE', `filter/${entry.id}`))
  const next = entry.revision + 1
  const attributes = { filter_name: nameOf(entry, next), expression: expressionOf(shape.fields.name, next) }
  const body = { data: { type: 'filter', id: entry.id, attributes } }
  return write(storm, entry, next, 200, server.call(token, 'PATCH', `filter/${entry.id}`, body))
}

function added(account: Account, entries: Entry[], kind: string): Entry {
  const entry = newEntry(`${kind} ${++account.made}`)
  entries.push(entry)
  return entry
}

const nameOf = ({ marker }: Entry, revision: number) => `${marker} revision ${revision}`
const expressionOf = (field: string, revision: number) => `eq(${field},'revision ${revision}')`

/** Tokens open the door exactly while they were not revoked; filters are there in one revision, and no others. */
export async function verifyAccount(calm: Calm, account: Account): Promise<void> {
  const { server, shape } = calm
  const list = async (path: string) =>
    (await server.call(account.token, 'GET', path)).body.data as { id: string; attributes: Record<string, string> }[]
  const tokens = await list(`token?page[limit]=50&filter=${encodeURIComponent("starts_with(name,'Token')")}`)
  for (const entry of account.tokens) {
    const there = tokens.find(({ attributes }) => attributes['name'] === entry.marker)
    becomes(entry, there ? 1 : 'nowhere')
    entry.id ??= there?.id
    if (entry.answer === undefined) continue
    const text = JSON.parse(entry.answer).data.attributes.token as string
    const { status } = await server.call(text, 'GET', 'token?page[limit]=1')
    assert.equal(status, there ? 200 : 401, `${entry.marker}, which is ${there ? 'valid' : 'revoked'}`)
  }
  assert.equal(tokens.length, account.tokens.filter(({ known }) => known === 1).length, 'no token is there that nobody asked for')
  const filters = await list(`filter?page[limit]=50&filter=${encodeURIComponent(`eq(table_id,${shape.table})`)}`)
  for (const entry of account.filters) {
    const there = filters.find(({ attributes }) => attributes['filter_name']!.startsWith(`${entry.marker} `))
    const revision = there && Number(/ revision (\d+)$/.exec(there.attributes['filter_name']!)?.[1])
    becomes(entry, revision ?? 'nowhere')
    if (there) assert.equal(there.attributes['expression'], expressionOf(shape.fields.name, revision!))
    entry.id ??= there?.id
  }
  assert.equal(filters.length, account.filters.filter(({ known }) => known !== 'nowhere').length, 'no filter is there that nobody saved')
}

function becomes(entry: Entry, state: Entry['known']): void {
  assert.ok(state === entry.known || state === entry.asked, `${entry.marker} is ${state}, not ${entry.known} or ${entry.asked}`)
  settle(entry, state)
}
