import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filterOf } from './people.ts'

it('people are found by each of some words, wherever it stands', () => {
  assert.equal(filterOf({ words: ' ', group: undefined, isArchived: false }), 'eq(arc,0)')
  assert.equal(
    filterOf({ words: "o'hara  north", group: 4, isArchived: true }),
    'and(eq(arc,1),eq(group_id,4)' +
      ",or(contains(fio,'o''hara'),contains(login,'o''hara'),contains(e_mail,'o''hara'))" +
      ",or(contains(fio,'north'),contains(login,'north'),contains(e_mail,'north')))",
  )
})
