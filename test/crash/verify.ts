import assert from 'node:assert/strict'
import type { ScratchProgram } from '../support/scratch-program.ts'
import { sendCreate, settle, type Calm } from './clients.ts'
import { contentOf, fileNames, fixed, shown, type Entry, type State } from './ledger.ts'

/** What came of the writes that were not answered. */
export interface Unanswered {
  done: number
  undone: number
  /** Creations sent again with their Idempotency-Key. */
  repeated: number
}

interface Found {
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Records looked at one by one: by offset, by filter, with their files. */
const SAMPLES = 5
/** One of so many keys that were repeated already is repeated once more. */
const AGAIN = 4

/**
 * Everything that was answered is there, nothing else is half there. Afterwards the entries say how it is.
 * @throws where anything is not as it should be.
 */
export async function verify(storm: Calm, entries: readonly Entry[]): Promise<Unanswered> {
  const live = await listAll(storm, storm.shape.type)
  const trash = await listAll(storm, 'trash', `and(eq(kind,'record'),eq(table_id,${storm.shape.table}))`)
  const told = settleAll(storm, entries, live, new Set(trash.map(({ attributes }) => String(attributes['item_id']))))
  await positionsAreRight(storm, live)
  await samplesAreWhole(storm, live)
  await versionsAreThoseTold(storm, entries)
  told.repeated = await keysMakeNoDouble(storm, entries)
  return told
}

/** All pages, which must be those of one list. */
export async function listAll({ server, token }: Calm, type: string, filter = ''): Promise<Found[]> {
  const all: Found[] = []
  for (;;) {
    const { status, body } = await server.call(
      token,
      'GET',
      `${type}?page[limit]=50&page[offset]=${all.length}&filter=${encodeURIComponent(filter)}`,
    )
    assert.equal(status, 200)
    all.push(...body.data)
    if (body.links.next === undefined) {
      assert.equal(body.meta.total, all.length, 'the total is that of all pages')
      assert.deepEqual(
        all.map(({ id }) => Number(id)),
        [...new Set(all.map(({ id }) => Number(id)))].sort((one, other) => one - other),
        'pages are in order and without doubles',
      )
      return all
    }
  }
}

function settleAll({ shape }: Calm, entries: readonly Entry[], live: readonly Found[], trash: ReadonlySet<string>): Unanswered {
  const byMarker = new Map(live.map((found) => [found.attributes[shape.fields.marker]!, found]))
  assert.equal(byMarker.size, live.length, 'no record is there twice')
  const numbers = live.map(({ attributes }) => attributes[shape.fields.number])
  assert.equal(new Set(numbers).size, numbers.length, 'no number was given twice')
  const told = { done: 0, undone: 0, repeated: 0 }
  let inTrash = 0
  for (const entry of entries) {
    const found = byMarker.get(entry.marker)
    byMarker.delete(entry.marker)
    if (found && entry.id !== undefined) assert.equal(found.id, entry.id)
    const state = stateOf(entry, found && revisionOf(found.attributes[shape.fields.name]!), trash)
    assert.ok(state === entry.known || state === entry.asked, `${entry.marker} is ${state}, not ${entry.known} or ${entry.asked}`)
    if (found) {
      isWhole(found, shown(shape, entry.marker, state as number))
      entry.fixed ??= fixed(shape, found.attributes)
      isWhole(found, entry.fixed)
    }
    if (entry.asked !== undefined) told[state === entry.asked ? 'done' : 'undone']++
    if (state === 'trash') inTrash++
    if (state !== entry.known) entry.tag = undefined
    settle(entry, state)
    entry.id ??= found?.id
  }
  assert.deepEqual([...byMarker.keys()], [], 'nothing is there that nobody wrote')
  assert.equal(inTrash, trash.size, 'nothing is in the trash that nobody deleted')
  return told
}

function stateOf({ id }: Entry, revision: number | undefined, trash: ReadonlySet<string>): State {
  const deleted = id !== undefined && trash.has(id)
  assert.ok(!deleted || revision === undefined, `${id} is both live and in the trash`)
  return revision ?? (deleted ? 'trash' : 'nowhere')
}

const revisionOf = (name: string): number => Number(/ revision (\d+)$/.exec(name)?.[1])

/** All of one revision, none of another. */
function isWhole({ attributes }: Found, wanted: Readonly<Record<string, string>>): void {
  assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, attributes[name]])), wanted)
}

async function positionsAreRight({ server, token, shape, random }: Calm, live: readonly Found[]): Promise<void> {
  for (let i = 0; i < SAMPLES && live.length > 0; i++) {
    const offset = random.int(live.length)
    const { body } = await server.call(token, 'GET', `${shape.type}?page[limit]=1&page[offset]=${offset}`)
    assert.deepEqual([body.data[0].id, body.meta.total], [live[offset]!.id, live.length])
  }
}

/** Found by a field that has an index of its own, and with the bytes of its files. */
async function samplesAreWhole({ server, token, shape, random }: Calm, live: readonly Found[]): Promise<void> {
  const { type, table, fields } = shape
  for (let i = 0; i < SAMPLES && live.length > 0; i++) {
    const { id, attributes } = random.pick(live)
    const { body } = await server.call(
      token,
      'GET',
      `${type}?filter=${encodeURIComponent(`eq(${fields.code},'${attributes[fields.code]}')`)}`,
    )
    assert.deepEqual(
      body.data.map((found: Found) => found.id),
      [id],
    )
    for (const name of fileNames(attributes[fields.marker]!, revisionOf(attributes[fields.name]!))) {
      const bytes = await fetch(`${server.url}/api/dev/file/${table}/${fields.file.slice(1)}/${id}/${name}`, {
        headers: { 'X-Auth-Token': token },
      })
      assert.equal(await bytes.text(), contentOf(name))
    }
  }
}

/** The number at the beginning of an ETag; what follows depends on the fields of the table. */
const versionOf = (tag: string | null): string | undefined => /^"(\d+)-/.exec(tag ?? '')?.[1]

/** A client that saw an ETag before the kill may use it in If-Match after it. */
async function versionsAreThoseTold({ server, token, shape, random }: Calm, entries: readonly Entry[]): Promise<void> {
  const told = entries.filter(({ known, tag }) => typeof known === 'number' && tag !== undefined)
  for (let i = 0; i < SAMPLES && told.length > 0; i++) {
    const { id, tag } = random.pick(told)
    const { headers } = await server.call(token, 'GET', `${shape.type}/${id}`)
    assert.equal(versionOf(headers.get('etag')), versionOf(tag!))
  }
}

/** An answer without the fields that come and go: a kept answer shows those that there are today. */
function lasting({ shape }: Calm, answer: string): unknown {
  const { data } = JSON.parse(answer) as { data: Found }
  const own = new Set<string>(['user_id', 'add_time', 'status', ...Object.values(shape.fields)])
  return { ...data, attributes: Object.fromEntries(Object.entries(data.attributes).filter(([key]) => own.has(key))) }
}

/** Creations with a key are sent again, whether they were answered or not: each after the next kill, some after later ones too. */
async function keysMakeNoDouble(storm: Calm, entries: readonly Entry[]): Promise<number> {
  const keyed = entries.filter(({ key, repeated }) => key !== undefined && (!repeated || storm.random.int(AGAIN) === 0))
  for (const entry of keyed) {
    const { status, body } = await sendCreate(storm, entry)
    assert.equal(status, 201, JSON.stringify(body))
    const first = entry.answer
    entry.answer = JSON.stringify(body)
    if (first !== undefined) assert.deepEqual(lasting(storm, entry.answer), lasting(storm, first), 'the first answer comes again')
    if (entry.id !== undefined) assert.equal(body.data.id, entry.id, `${entry.marker} was made a second time`)
    else settle(entry, 1)
    entry.id = body.data.id
    entry.repeated = true
  }
  return keyed.length
}

/** The program's own look for damage, in a process of its own. */
export async function checkIsContent(program: ScratchProgram): Promise<void> {
  const { code, out, err } = await program.run('check')
  assert.deepEqual([code, out, err], [0, 'Everything is in order.\n', ''])
}
