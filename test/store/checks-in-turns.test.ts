import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Attribute, Option } from '../../src/fields/field-type.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { createFilter, updateFilter } from '../../src/store/people/saved-filters.ts'
import { createRule, updateRule } from '../../src/store/structure/access-rules.ts'
import { createField, deleteField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { turnsDuring } from '../support/turns.ts'

/** Fewer are those of the database, more those of folding so many labels. */
const LEAST = 40

describe('a filter that is going to be saved is checked while others have their turn', () => {
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  let tableId: number
  let list: string
  let filter: number
  let rule: number
  const expression = (label: string) => `eq(${list},'${label}')`

  before(async () => {
    scratch = await scratchStore()
    const { store } = scratch
    tableId = await createTable(store, operator, { title: 'Lists' })
    list = `f${await createField(store, operator, { tableId, title: 'List', typeName: 'list', options: [{ label: 'A' }] })}`
    filter = await createFilter(store, operator, { tableId, title: 'First', expression: expression('A') })
    rule = await createRule(store, operator, { groupId: 3, tableId, read: true, readFilter: expression('A') })
  })
  after(() => scratch.remove())

  /** Gives the list ten thousand options that nobody has folded yet. */
  function grow(): void {
    const attribute = scratch.store.catalogue().tables.get(tableId)!.attributes.get(list)! as { settings: Attribute['settings'] }
    const labelOf = (i: number) => (i === 0 ? 'A' : `${'Ё\u0323'.repeat(100)}${i}`)
    const options = Array.from({ length: 10_000 }, (_, i): Option => ({ id: i + 1, label: labelOf(i), removed: i >= 1_000 }))
    attribute.settings = { ...attribute.settings, options }
  }

  const label = `${'Ё\u0323'.repeat(100)}7`
  for (const [what, save] of [
    ['a saved filter', () => createFilter(scratch.store, operator, { tableId, title: 'Second', expression: expression(label) })],
    ['its change', () => updateFilter(scratch.store, operator, filter, { expression: expression(label) })],
    ['the rule of a group', () => createRule(scratch.store, operator, { groupId: 2, tableId, read: true, readFilter: expression(label) })],
    ['its change', () => updateRule(scratch.store, operator, rule, { writeFilter: expression(label) })],
  ] as const)
    it(what, async () => {
      grow()
      const turns = await turnsDuring(save)
      assert.ok(turns >= LEAST, `${turns} turns`)
    })

  it('the rules of all groups, when a field goes', async () => {
    const { store } = scratch
    const other = await createField(store, operator, { tableId, title: 'Other', typeName: 'text' })
    grow()
    const turns = await turnsDuring(() => deleteField(store, operator, other))
    assert.ok(turns >= LEAST, `${turns} turns`)
  })
})
