import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { Condition } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { askedLists } from './asked-lists.ts'

const attribute = (type: string): Attribute => ({ name: 'f1', column: 'f1', type: fieldType(type)!, settings: plain })
const by = (type: string): Condition => ({ is: 'among', attribute: attribute(type), ids: [1] })

/** Whether a list with such a condition is one of those that are read ahead after a start. */
function isRemembered(condition: Condition): boolean {
  const asked = askedLists()
  for (let i = 0; i < 3; i++) asked.note(1, parse("eq(f1,'1')"), condition, [])
  return asked.most(10).length === 1
}

it('remembers filters by lists, people, references and switches, and nothing that people look for in texts, also in other tables', () => {
  for (const type of ['list', 'reference', 'user', 'boolean']) {
    assert.ok(isRemembered(by(type)))
    assert.ok(isRemembered({ is: 'and', terms: [by(type), { is: 'not', term: by(type) }] }))
    assert.ok(!isRemembered({ is: 'or', terms: [by(type), by('text')] }))
  }
  for (const type of ['text', 'integer', 'date']) assert.ok(!isRemembered(by(type)))
  const across = { is: 'across', attribute: attribute('reference') } as Condition
  assert.ok(!isRemembered(across))
  assert.ok(!isRemembered({ is: 'search', attributes: [attribute('list')], words: [], digits: '' }))
})
