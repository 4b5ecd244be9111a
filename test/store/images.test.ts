import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fail, Failure, Failures } from '../../src/errors.ts'
import { isEmpty } from '../../src/fields/value.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { attributesWithTrashed } from '../../src/store/catalogue/load-catalogue.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import { recordsOf, trashOf, type Field } from '../../src/store/model/catalogue.ts'
import type { Right } from '../../src/store/model/rights.ts'
import type { Sent } from '../../src/store/model/sent.ts'
import { heldIn } from '../../src/store/records/images.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import {
  createRecord,
  deleteRecord,
  prepareCreate,
  prepareDelete,
  prepareUpdate,
  updateRecord,
  writeTogether,
} from '../../src/store/records/write-records.ts'
import { createField, deleteField, updateField } from '../../src/store/structure/fields.ts'
import { createTable, deleteTable } from '../../src/store/structure/tables.ts'
import { erase, restore } from '../../src/store/structure/trash.ts'
import { randomOf } from '../support/random.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { allTold, makeTold, toldLedger, type Told } from '../support/told-ledger.ts'

/* Rebuilds tables from what a ledger was told alone, after a random sequence of everything that changes records. */

const ACTS = 220
const SEED = Number(process.env['KARTOTEKA_TEST_SEED'] ?? 20261122)

/** A record as it was told: where it is, what it holds in attributes that are not empty, and its files. */
interface Rebuilt {
  inTrash: boolean
  readonly values: Map<string, string>
  readonly files: Map<string, readonly string[]>
}

/** Applies what was told, and looks whether each image fits what came before it. */
function rebuild(told: readonly Told[]): Map<string, Rebuilt> {
  const records = new Map<string, Rebuilt>()
  for (const [i, { tableId, recordId, act, before, after }] of told.entries()) {
    const key = `${tableId}/${recordId}`
    const context = `${i}: ${act} ${key}`
    const now = records.get(key) ?? { inTrash: false, values: new Map<string, string>(), files: new Map<string, readonly string[]>() }
    assert.equal(records.has(key), act !== 'create', context)
    // What was told before must be what this one says was there.
    const stood = act === 'restore' ? after : before
    for (const name of stood?.names ?? []) {
      if (act === 'create') continue
      assert.equal(stood!.values[name] ?? '', now.values.get(name) ?? '', `${context}, ${name}`)
      assert.deepEqual(stood!.files[name] ?? [], now.files.get(name) ?? [], `${context}, ${name}`)
    }
    if (act === 'erase' && !after) records.delete(key)
    else records.set(key, now)
    if (act === 'delete' || act === 'restore') {
      assert.equal(now.inTrash, act === 'restore', context)
      now.inTrash = act === 'delete'
      assert.equal(act === 'delete' ? after : before, undefined, context)
      continue
    }
    for (const name of before?.names ?? []) {
      now.values.delete(name)
      now.files.delete(name)
    }
    for (const [name, value] of Object.entries(after?.values ?? {})) now.values.set(name, value)
    for (const [name, files] of Object.entries(after?.files ?? {})) if (files.length > 0) now.files.set(name, files)
  }
  return records
}

/** The records of a table and of its trash, as they are; values that are empty, and no files, are left out. */
async function actual(store: Store, tableId: number): Promise<[string, Rebuilt][]> {
  const all = async (query: ReturnType<typeof sql>) => (await store.db.read(query))[0]!
  const attributes = await attributesWithTrashed({ all }, tableId)
  const found: [string, Rebuilt][] = []
  for (const twin of [recordsOf(tableId), trashOf(tableId)]) {
    for (const [id, { values, files }] of await heldIn({ all }, store.db.dialect, { tableId, twin, which: sql`1 = 1` }, attributes)) {
      const filled = [...values].filter(([name, value]) => !isEmpty(attributes.get(name)!.type, value))
      found.push([
        `${tableId}/${id}`,
        {
          inTrash: twin === trashOf(tableId),
          values: new Map(filled.map(([name, value]) => [name, String(value)])),
          files: new Map([...files].map(([name, some]) => [name, some.map((one) => `${one.name} ${one.hash} ${one.size}`)])),
        },
      ])
    }
  }
  return found.sort(([a], [b]) => a.localeCompare(b))
}

/** The same of what was told. */
const expected = (tableId: number, rebuilt: ReadonlyMap<string, Rebuilt>): [string, Rebuilt][] =>
  [...rebuilt].filter(([key]) => key.startsWith(`${tableId}/`)).sort(([a], [b]) => a.localeCompare(b))

const kinds = [
  'text',
  'longtext',
  'integer',
  'decimal',
  'boolean',
  'date',
  'list',
  'file',
  'reference',
  'references',
  'autonumber',
] as const

describe('images of changes', () => {
  it(`are enough to rebuild every table, seed ${SEED}`, { timeout: 600_000 }, async () => {
    const installation = await scratchInstallation({}, { ledgers: [toldLedger('host', true)] })
    const store = await installation.open()
    try {
      await makeTold(store.db)
      const tables = [await createTable(store, operator, { title: 'One' }), await createTable(store, operator, { title: 'Two' })]
      const done = await perform(store, tables, randomOf(SEED).int)
      const told = await allTold(store.db)
      for (const act of ['create', 'update', 'delete', 'restore', 'convert', 'erase'])
        assert.ok(told.filter((one) => one.act === act).length > 3, `${act} was told: ${done}`)
      const rebuilt = rebuild(told)
      assert.deepEqual(expected(tables[0]!, rebuilt), await actual(store, tables[0]!))
      // Nothing is told of records that go with their table.
      assert.ok(expected(tables[1]!, rebuilt).length > 0)
    } finally {
      await store.close()
      await installation.remove()
    }
  })
})

/** Does so many random things; what is refused is left. Returns how many of each were done and refused. */
async function perform(store: Store, tables: readonly number[], below: (n: number) => number): Promise<string> {
  const one = <T>(of: readonly T[]): T => {
    if (of.length === 0) throw fail('resource.not_found', { type: 'thing', id: 0 })
    return of[below(of.length)]!
  }
  const may = <R extends Right>(right: R, id: number) => grant(right, id, operator, store.catalogue())
  const ids = async (query: ReturnType<typeof sql>) => (await store.db.read(query))[0]!.map(([value]) => Number(value))
  const recordsIn = (id: number) => ids(sql`SELECT id FROM ${name(recordsOf(id))} ORDER BY id`)
  const trashed = (kind: string) => ids(sql`SELECT id FROM trash WHERE kind = ${kind} ORDER BY id`)
  const text = (): string => `${one(['Anna', 'Борис', 'Ёлка', '12', '2024-05-06', '1.5', 'red'])} ${below(40)}`

  function valueOf({ type }: Field, known: readonly number[]): Sent {
    if (type.files)
      return Array.from({ length: below(3) }, (_, i) => ({ fileName: `${'abc'[i]}.txt`, content: `bytes ${below(3)}`, binary: false }))
    if (type.target) return known.length === 0 ? '' : type.kind === 'set' ? [String(one(known)), String(one(known))] : String(one(known))
    const examples: Readonly<Record<string, () => string>> = {
      longtext: () => (below(4) === 0 ? text().repeat(8_000) : text()),
      integer: () => String(below(50)),
      decimal: () => `${below(50)}.${below(90) + 10}`,
      boolean: () => String(below(2)),
      date: () => `2024-05-${below(18) + 10}`,
      list: () => one(['red', 'blue', '']),
      text,
    }
    return examples[type.name]?.() ?? ''
  }

  async function sentTo(id: number): Promise<Map<string, Sent>> {
    const known = await recordsIn(id)
    const open = store
      .catalogue()
      .tables.get(id)!
      .fields.filter(({ type }) => !type.assigned && below(3) > 0)
    return new Map([
      ...open.map((field) => [field.name, valueOf(field, known)] as const),
      ...(below(5) === 0 ? [['status', '1'] as const] : []),
    ])
  }

  function newField(tableId: number): Promise<number> {
    const typeName = one(kinds)
    const more = {
      ...(typeName === 'list' && { options: [{ label: 'red' }, { label: 'blue' }] }),
      ...(typeName.startsWith('reference') && { referenceTableId: tableId }),
      ...(typeName === 'text' && { defaultValue: 'preset' }),
    }
    return createField(store, operator, { tableId, title: typeName, typeName, ...more })
  }

  const acts: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    create: async (id) => createRecord(store, may('create', id), await sentTo(id)),
    update: async (id) => updateRecord(store, may('update', id), one(await recordsIn(id)), await sentTo(id)),
    more: async (id) => {
      const some = new Set(Array.from({ length: 4 }, () => below(1_000)))
      const [known, sent] = [await recordsIn(id), await sentTo(id)]
      const chosen = [...new Set([...some].map((n) => known[n % known.length]!))]
      const [first, ...rest] = chosen.map((record, i) =>
        i === 0 ? deleteRecord(store, may('delete', id), record) : updateRecord(store, may('update', id), record, sent),
      )
      await Promise.allSettled([first, ...rest, createRecord(store, may('create', id), sent)])
    },
    delete: async (id) => deleteRecord(store, may('delete', id), one(await recordsIn(id))),
    restore: async () => restore(store, operator, one(await trashed('record'))),
    erase: async () => erase(store, operator, one(await trashed('record'))),
    import: async (id) => {
      const rows = [await sentTo(id), new Map([['status', 'neither']]), await sentTo(id)]
      await insertRecords(store, grant(['create', 'bulk'], id, operator, store.catalogue()), rows)
    },
    together: async (id) => {
      const [known, isRefused] = [await recordsIn(id), below(2) === 0]
      const writes = [
        await prepareCreate(store, may('create', id), await sentTo(id)),
        await prepareUpdate(store, may('update', id), one(known), await sentTo(id)),
        prepareDelete(store, may('delete', id), isRefused ? 0 : one(known)),
      ] as const
      await writeTogether(store, writes)
    },
    'new field': newField,
    'convert field': async (id) => {
      const typeName = one(kinds)
      const field = one(store.catalogue().tables.get(id)!.fields)
      await updateField(
        store,
        operator,
        field.id,
        { typeName, ...(typeName.startsWith('reference') && { referenceTableId: id }) },
        { lossy: true },
      )
    },
    'delete field': async (id) => deleteField(store, operator, one(store.catalogue().tables.get(id)!.fields).id),
    'restore field': async () => restore(store, operator, one(await trashed('field'))),
    'erase field': async () => erase(store, operator, one(await trashed('field'))),
  }
  const often = ['create', 'create', 'create', 'update', 'update', 'update', 'more', 'delete', 'import', 'together', 'restore', 'new field']
  const counts = new Map<string, number>()
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  for (const id of tables) for (let i = 0; i < 6; i++) await newField(id)
  for (let i = 0; i < ACTS; i++) {
    if (i === ACTS - 40) {
      await deleteTable(store, operator, tables[1]!)
      await erase(store, operator, (await trashed('table'))[0]!)
    }
    const act = one([...often, ...Object.keys(acts)])
    try {
      await acts[act]!(one(tables.filter((id) => store.catalogue().tables.has(id))))
      note(act)
    } catch (error) {
      if (!(error instanceof Failure || error instanceof Failures)) throw error
      note(`${act} refused`)
    }
  }
  return JSON.stringify(Object.fromEntries([...counts].sort()))
}
