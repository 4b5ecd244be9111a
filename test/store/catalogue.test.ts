import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Failure, Failures } from '../../src/errors.ts'
import { sql, type Sql } from '../../src/sql/sql.ts'
import { createRule, deleteRule, updateRule } from '../../src/store/structure/access-rules.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { createCategory, deleteCategory } from '../../src/store/structure/categories.ts'
import { createField, deleteField, updateField } from '../../src/store/structure/fields.ts'
import { createGroup, deleteGroup } from '../../src/store/people/groups.ts'
import { loadCatalogue } from '../../src/store/catalogue/load-catalogue.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable, deleteTable, updateTable } from '../../src/store/structure/tables.ts'
import { authenticate } from '../../src/store/people/authenticate.ts'
import { issueToken, renewToken } from '../../src/store/people/tokens.ts'
import { erase, restore } from '../../src/store/structure/trash.ts'
import { createUser } from '../../src/store/people/users.ts'
import { cluster } from '../support/scratch-database.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import * as fc from '../support/fast-check.ts'

let logins = 0
/** Of a store; `n` says which thing is changed, and how. */
type Act = (store: Store, n: number) => Promise<unknown>

const some = <T>(of: Iterable<T>, n: number): T | undefined => {
  const all = [...of]
  return all[n % all.length]
}
const tableOf = (store: Store, n: number) => some(store.catalogue().tables.values(), n)?.id ?? 0
const fieldOf = (store: Store, n: number) =>
  some(
    [...store.catalogue().tables.values()].flatMap(({ fields }) => fields),
    n,
  )?.id ?? 0
const ruleOf = (store: Store, n: number) =>
  some(
    [...store.catalogue().access.values()].flatMap((rules) => [...rules.values()]),
    n,
  )
const groupOf = (store: Store, n: number) => some(store.catalogue().groups, n) ?? 0
const idIn = async (store: Store, table: 'trash' | 'categories', n: number) =>
  Number(
    some(
      (await store.db.read(table === 'trash' ? sql`SELECT id FROM trash ORDER BY id` : sql`SELECT id FROM categories ORDER BY id`))[0]!,
      n,
    )?.[0] ?? 0,
  )
const options = (n: number) => Array.from({ length: n % 5 }, (_, i) => ({ label: `${n} ${i}` }))

const acts: Readonly<Record<string, Act>> = {
  createTable: async (store, n) =>
    createTable(store, operator, { title: `Table ${n}`, categoryId: n % 2 ? await idIn(store, 'categories', n) : 0 }),
  updateTable: (store, n) => updateTable(store, operator, tableOf(store, n), { title: `Renamed ${n}`, sequence: n }),
  deleteTable: (store, n) => deleteTable(store, operator, tableOf(store, n)),
  createText: (store, n) => createField(store, operator, { tableId: tableOf(store, n), title: `Text ${n}`, typeName: 'text' }),
  createList: (store, n) =>
    createField(store, operator, { tableId: tableOf(store, n), title: `List ${n}`, typeName: 'list', options: options(n) }),
  updateField: (store, n) =>
    updateField(store, operator, fieldOf(store, n), { title: `Renamed ${n}`, ...(n % 2 && { typeName: 'list', options: options(n) }) }),
  deleteField: (store, n) => deleteField(store, operator, fieldOf(store, n)),
  createRule: (store, n) =>
    createRule(store, operator, {
      groupId: groupOf(store, n),
      tableId: tableOf(store, n),
      read: n % 2 === 0,
      readFilter: n % 3 ? `gt(id,${n})` : '',
    }),
  updateRule: (store, n) => {
    const rule = ruleOf(store, n)
    const field = some(store.catalogue().tables.get(rule?.tableId ?? 0)?.fields ?? [], n)
    return updateRule(store, operator, rule?.id ?? 0, {
      read: n % 2 === 0,
      fields: field ? { [field.id]: n % 3 ? 'hidden' : 'read_only' } : {},
    })
  },
  deleteRule: (store, n) => deleteRule(store, operator, ruleOf(store, n)?.id ?? 0),
  createGroup: (store, n) => createGroup(store, operator, { title: `Group ${n}` }),
  deleteGroup: (store, n) => deleteGroup(store, operator, groupOf(store, n)),
  createCategory: (store, n) => createCategory(store, operator, { title: `Category ${n}` }),
  deleteCategory: async (store, n) => deleteCategory(store, operator, await idIn(store, 'categories', n)),
  restore: async (store, n) => restore(store, operator, await idIn(store, 'trash', n)),
  erase: async (store, n) => erase(store, operator, await idIn(store, 'trash', n)),
  createUser: (store, n) => createUser(store, operator, { login: `user ${n} ${logins++}` }),
  renewToken: async (store) => {
    const caller = (await authenticate(store, (await issueToken(store, operator, { login: 'anna' })).token, '192.0.2.1'))!
    return renewToken(store, caller, caller.tokenId, { lifetime: 60 })
  },
  ...(cluster !== undefined && {
    // Knows nothing of versions of rules, nor of kinds of changes.
    'a change of an older process': (store, n) =>
      store.db.write(
        async (tx) => {
          await tx.run(sql`UPDATE access SET may_update = 1 - may_update WHERE id = ${ruleOf(store, n)?.id ?? 0}`)
          await tx.run(sql`UPDATE catalogue_version SET version = version + 1`)
        },
        { alone: true },
      ),
  }),
}

interface Step {
  readonly act: string
  readonly n: number
  readonly where: number
  readonly follows: boolean
}

/** Each act once, in an order in which none is refused: each finds what it changes. */
const everyAct: readonly (readonly [act: string, n: number])[] = [
  ...([
    ['createCategory', 0],
    ['createTable', 0],
    ['createText', 0],
    ['createList', 3],
    ['updateTable', 0],
    ['updateField', 0],
  ] as const),
  // The groups that were there first may not be changed.
  ...([
    ['createGroup', 0],
    ['createRule', 3],
    ['updateRule', 0],
  ] as const),
  ...(cluster === undefined ? [] : ([['a change of an older process', 0]] as const)),
  ...([
    ['deleteRule', 0],
    ['deleteGroup', 3],
    ['deleteField', 0],
    ['restore', 0],
    ['deleteTable', 0],
    ['erase', 0],
  ] as const),
  ...([
    ['deleteCategory', 0],
    ['createUser', 0],
    ['renewToken', 0],
  ] as const),
]

describe('the catalogue in memory', () => {
  let stores: Store[]
  let close: () => Promise<void>
  before(async () => {
    const { open, remove } = await scratchInstallation()
    stores = cluster === undefined ? [await open()] : [await open(), await open()]
    await createUser(stores[0]!, operator, { login: 'anna' })
    close = async () => {
      for (const store of stores) await store.close()
      await remove()
    }
  })
  after(() => close())

  const fresh = async ({ db }: Store) => ({ ...(await loadCatalogue(db.read, db.dialect)), version: 0 })

  /** Takes each step and compares the catalogue with the database after it. Returns the acts that were not refused. */
  const take = async (steps: readonly Step[]): Promise<Set<string>> => {
    const done = new Set<string>()
    for (const { act, n, where, follows } of steps) {
      const store = stores[where % stores.length]!
      await acts[act]!(store, n).then(
        () => done.add(act),
        // What is not there, or may not be, is not changed.
        (error: unknown) => assert.ok(error instanceof Failure || error instanceof Failures, String(error)),
      )
      // A request follows before it begins; the other process may have seen none for long.
      if (follows) for (const one of stores) await one.catchUp?.()
      else await store.catchUp?.()
      assert.deepEqual({ ...store.catalogue(), version: 0 }, await fresh(store))
    }
    for (const store of stores) {
      await store.catchUp?.()
      assert.deepEqual({ ...store.catalogue(), version: 0 }, await fresh(store))
    }
    return done
  }

  it('is what would be read anew after each kind of change', async () => {
    const done = await take(everyAct.map(([act, n], i) => ({ act, n, where: i, follows: true })))
    assert.deepEqual([...done].sort(), Object.keys(acts).sort())
  })

  it('is what would be read anew, on every process, whatever was changed on whichever', async () => {
    const step = fc.record({
      act: fc.constantFrom(...Object.keys(acts), 'createTable', 'createList', 'createRule', 'createRule', 'updateRule'),
      n: fc.nat(1_000),
      where: fc.nat(1),
      follows: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => void (await take(steps))),
      { numRuns: process.env['KARTOTEKA_TEST_QUICK'] ? 3 : 6 },
    )
  })

  it('is read anew only where something has changed', async () => {
    const [store] = stores as [Store]
    const tables: number[] = []
    for (let i = 0; i < 12; i++) {
      tables.push(await createTable(store, operator, { title: `Many ${i}` }))
      await createField(store, operator, { tableId: tables[i]!, title: 'List', typeName: 'list', options: options(4) })
      await createRule(store, operator, { groupId: 3, tableId: tables[i]!, read: true })
    }
    const known = store.catalogue()
    /** Of tables, fields, options, columns and rules: all but versions. */
    const readBy = async (change: () => Promise<unknown>): Promise<number> => {
      await change()
      let rows = 0
      const counting = async (...queries: Sql[]) => {
        const answers = await store.db.read(...queries)
        for (const answer of answers.slice(3)) rows += answer.length
        return answers
      }
      const now = await loadCatalogue(counting, store.db.dialect, known)
      assert.deepEqual({ ...now, version: 0 }, await fresh(store))
      return rows
    }
    assert.equal(await readBy(async () => undefined), 0)
    // One table, its field, four options, one column.
    assert.equal(await readBy(() => updateTable(store, operator, tables[5]!, { title: 'Another' })), 7)
  })

  if (cluster !== undefined)
    it('takes no structure anew on the other processes after a change of people or tokens', async () => {
      const [here, there] = stores as [Store, Store]
      for (const act of ['createUser', 'renewToken']) {
        await there.catchUp!()
        const before = there.catalogue()
        await acts[act]!(here, 1)
        await there.catchUp!()
        const now = there.catalogue()
        assert.ok(now.version > before.version, 'what is remembered of callers must not stand')
        assert.ok(now.tables === before.tables && now.access === before.access)
      }
    })
})
