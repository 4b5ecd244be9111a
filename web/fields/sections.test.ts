import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sameSection, sectionsOf } from './sections.ts'

describe('sections of a record', () => {
  const field = (id: number, section: string) => ({ id, section })
  const ids = (of: readonly { id: number; section: string }[]) =>
    sectionsOf(of).map(({ title, fields }) => [title, fields.map(({ id }) => id)])

  it('fields without a section come first, then sections in the order of their first fields', () => {
    assert.deepEqual(ids([field(1, 'Terms'), field(2, ''), field(3, 'Contacts'), field(4, 'Terms'), field(5, '')]), [
      ['', [2, 5]],
      ['Terms', [1, 4]],
      ['Contacts', [3]],
    ])
    assert.deepEqual(ids([field(1, 'Terms')]), [['Terms', [1]]])
    assert.deepEqual(ids([]), [])
  })

  it('names that differ in case alone are one section, which is called as in its first field', () => {
    assert.deepEqual(ids([field(1, 'Contacts'), field(2, 'Terms'), field(3, 'contacts '), field(4, ' ')]), [
      ['', [4]],
      ['Contacts', [1, 3]],
      ['Terms', [2]],
    ])
  })

  it('a name that is there in other letters is the one that is there', () => {
    assert.equal(sameSection('  contacts ', ['Terms', 'Contacts']), 'Contacts')
    assert.equal(sameSection('КОНТАКТЫ', ['Контакты']), 'Контакты')
    assert.equal(sameSection('terms', ['Terms', 'terms']), 'terms')
    assert.equal(sameSection(' ', ['Terms']), '')
    assert.equal(sameSection('Other', []), 'Other')
  })
})
