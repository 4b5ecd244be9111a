import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRule, updateRule } from '../../src/store/structure/access-rules.ts'
import { grant, type Caller } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { createCategory, deleteCategory } from '../../src/store/structure/categories.ts'
import { createField, deleteField, updateField } from '../../src/store/structure/fields.ts'
import { createGroup } from '../../src/store/people/groups.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { createFilter } from '../../src/store/people/saved-filters.ts'
import { Stale } from '../../src/store/model/stale.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable, deleteTable, updateTable } from '../../src/store/structure/tables.ts'
import { authenticate } from '../../src/store/people/authenticate.ts'
import { issueToken, revokeToken } from '../../src/store/people/tokens.ts'
import { createUser, updateUser } from '../../src/store/people/users.ts'
import { scratchStore } from '../support/scratch-store.ts'

describe('a write whose request began before a change of structure, rights or people', () => {
  let store: Store
  let remove: () => Promise<void>
  let group: number
  let user: number
  let rule: number
  let people: number
  let firms: number
  let others: number
  let field: number
  let firmField: number
  let caller: Caller
  let recordId: number
  let category: number

  const right = { create: true, read: true, update: true, delete: true, bulk: true } as const
  const issue = async (login: string) => {
    const { token } = await issueToken(store, operator, { login })
    return (await authenticate(store, token, ''))!
  }

  before(async () => {
    ;({ store, remove } = await scratchStore())
    group = await createGroup(store, operator, { title: 'Sales' })
    user = await createUser(store, operator, { login: 'anna', groupId: group })
    const table = (title: string) => createTable(store, operator, { title })
    ;[people, firms, others] = [await table('People'), await table('Firms'), await table('Others')]
    category = await createCategory(store, operator, { title: 'Heading' })
    await updateTable(store, operator, people, { categoryId: category })
    const text = (tableId: number) => createField(store, operator, { tableId, title: 'Name', typeName: 'text' })
    field = await text(people)
    firmField = await text(firms)
    await createField(store, operator, { tableId: people, title: 'Firm', typeName: 'reference', referenceTableId: firms })
    rule = await createRule(store, operator, { ...right, groupId: group, tableId: people })
    await createRule(store, operator, { ...right, groupId: group, tableId: firms })
    caller = await issue('anna')
    const granted = grant('create', people, caller, store.catalogue())
    recordId = (await createRecord(store, granted, new Map())).id
  })
  after(() => remove())

  /** No two values are the same, so that each write changes something. */
  let values = 0
  /** Each kind of write, with what was granted before the change. */
  const writesAcross = async (change: () => Promise<unknown>, by = caller): Promise<string[]> => {
    const catalogue = store.catalogue()
    const sent = new Map([[`f${field}`, String(++values)]])
    const id = (await createRecord(store, grant('create', people, operator, catalogue), new Map())).id
    const [create, update, removal, bulk] = [
      grant('create', people, by, catalogue),
      grant('update', people, by, catalogue),
      grant('delete', people, by, catalogue),
      grant(['create', 'bulk'], people, by, catalogue),
    ]
    await change()
    const done = await Promise.allSettled([
      createRecord(store, create, sent),
      updateRecord(store, update, recordId, sent),
      deleteRecord(store, removal, id),
      insertRecords(store, bulk, [sent]),
    ])
    return [
      ...new Set(done.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason instanceof Stale ? 'stale' : String(one.reason)))),
    ]
  }

  const unrelated: [string, () => Promise<unknown>][] = [
    ['a token of somebody is revoked', async () => revokeToken(store, await issue('anna'), (await issue('anna')).tokenId)],
    [
      'somebody saves a filter of their own',
      () => createFilter(store, caller, { tableId: people, title: 'Mine', expression: 'eq(status,0)' }),
    ],
    ['a table is made', () => createTable(store, operator, { title: 'New' })],
    ['another table gets a field', () => createField(store, operator, { tableId: others, title: 'New', typeName: 'text' })],
    ['another group gets rights', () => createRule(store, operator, { ...right, groupId: 3, tableId: people })],
    ['a user is made', () => createUser(store, operator, { login: 'bert' })],
    ['their name changes', () => updateUser(store, operator, user, { fullName: 'Anna' })],
  ]
  for (const [what, change] of unrelated) it(`goes on when ${what}`, async () => assert.deepEqual(await writesAcross(change), ['done']))

  const related: [string, () => Promise<unknown>][] = [
    ['its table gets a field', () => createField(store, operator, { tableId: people, title: 'New', typeName: 'text' })],
    ['its table gets another name', () => updateTable(store, operator, people, { title: 'Persons' })],
    ['a field gets another length', () => updateField(store, operator, field, { maxLength: 100 })],
    ['the heading of its table goes', () => deleteCategory(store, operator, category)],
    ['the rights of its group change', () => updateRule(store, operator, rule, { readFilter: 'eq(status,0)' })],
    ['the rights of its group are the same again', () => updateRule(store, operator, rule, { readFilter: '' })],
    ['a table it refers to changes', () => deleteField(store, operator, firmField)],
    ['a table it refers to goes', () => deleteTable(store, operator, firms)],
  ]
  for (const [what, change] of related) it(`starts over when ${what}`, async () => assert.deepEqual(await writesAcross(change), ['stale']))

  it('starts over when its token is revoked, or its user moved or archived', async () => {
    const mine = await issue('anna')
    assert.deepEqual(await writesAcross(() => revokeToken(store, mine, mine.tokenId), mine), ['stale'])
    const another = await createGroup(store, operator, { title: 'Another' })
    await createRule(store, operator, { ...right, groupId: another, tableId: people })
    assert.deepEqual(await writesAcross(() => updateUser(store, operator, user, { groupId: another })), ['stale'])
    const moved = await issue('anna')
    assert.deepEqual(await writesAcross(() => updateUser(store, operator, user, { archived: true }), moved), ['stale'])
  })
})
