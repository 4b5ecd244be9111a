import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTrash, settle, write, type Calm, type Storm } from './clients.ts'
import { newEntry, type Entry } from './ledger.ts'

/* Somebody who changes the structure of the table while the others write to it: fields come, go to the trash, and are erased. */

/** Milliseconds between two changes, at most. */
const REST = 100
/** Of all, with two columns each: PostgreSQL never gives the place of a column again, and a table has 1,600. */
const MOST = 700
/** Names are never used again. */
let made = 0

/** One field at a time; the entry's marker is its name, and 1 its only revision. */
export async function buildUntilKilled(storm: Storm, fields: Entry[]): Promise<void> {
  while (await buildOnce(storm, fields)) await sleep(storm.random.int(REST))
}

async function buildOnce(storm: Storm, fields: Entry[]): Promise<boolean> {
  const { server, token, shape } = storm
  const entry = fields.find(({ known }) => known !== 'nowhere')
  if (entry?.known === 1) return write(storm, entry, 'trash', 200, server.call(token, 'DELETE', `field/${entry.id}`))
  if (entry) {
    const path = await inTrash(storm, `and(eq(kind,'field'),eq(item_id,${entry.id}))`)
    return path !== undefined && write(storm, entry, 'nowhere', 200, server.call(token, 'DELETE', path))
  }
  if (made >= MOST) return !storm.killed
  const fresh = newEntry(`Extra ${++made}`)
  fields.push(fresh)
  const attributes = { table_id: shape.table, field_name: fresh.marker, field_type: 'text', default_value: 'new' }
  return write(storm, fresh, 1, 201, server.call(token, 'POST', 'field', { data: { type: 'field', attributes } }))
}

/** The table has the fields it was given, and no others. */
export async function verifyFields({ server, token, shape }: Calm, fields: readonly Entry[]): Promise<void> {
  const list = async (path: string) =>
    (await server.call(token, 'GET', path)).body.data as { id: string; attributes: Record<string, string> }[]
  const live = await list(
    `field?page[limit]=50&filter=${encodeURIComponent(`and(eq(table_id,${shape.table}),starts_with(field_name,'Extra'))`)}`,
  )
  const trash = await list(`trash?filter=${encodeURIComponent("eq(kind,'field')")}`)
  for (const entry of fields) {
    const there = live.find(({ attributes }) => attributes['field_name'] === entry.marker)
    const deleted = trash.find(({ attributes }) => attributes['title'] === entry.marker)
    assert.ok(!there || !deleted, `${entry.marker} is both a field and in the trash`)
    const state = there ? 1 : deleted ? 'trash' : 'nowhere'
    assert.ok(state === entry.known || state === entry.asked, `${entry.marker} is ${state}, not ${entry.known} or ${entry.asked}`)
    entry.id ??= there?.id
    settle(entry, state)
  }
  const known = fields.filter(({ known: state }) => state !== 'nowhere')
  assert.equal(live.length + trash.length, known.length, 'no field is there that nobody made')
}
