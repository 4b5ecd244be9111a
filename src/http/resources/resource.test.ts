import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failures, fail } from '../../errors.ts'
import { boolean, bound, flag, integer, optionalIds, optionalInteger, options, string, strings } from './forms.ts'
import { sourceOf } from '../routing/source.ts'
import { pointed, readAttributes, type Member } from './resource.ts'

const members: Readonly<Record<string, Member>> = {
  fio: { of: 'fullName', form: string, says: '' },
  login: { of: 'login', form: string, required: true, says: '' },
  group_id: { of: 'groupId', form: integer, says: '' },
  arc: { of: 'archived', form: flag, says: '' },
  made: { of: 'made', form: string, set: 'never', says: '' },
  table_id: { of: 'tableId', form: integer, set: 'once', says: '' },
  password: { of: 'password', form: string, secret: true, says: '' },
  added: { of: 'added', form: strings, set: 'later', secret: true, says: '' },
}
const now = { fio: 'Anna', login: 'anna', group_id: 3, arc: 0, made: '2024', table_id: 7 }
const read = (sent: Record<string, unknown>, present?: Record<string, unknown>) =>
  readAttributes(members, new Map(Object.entries(sent)), present)
const faults = (sent: Record<string, unknown>, present?: Record<string, unknown>): string[] => {
  try {
    read(sent, present)
    return []
  } catch (error) {
    assert.ok(error instanceof Failures)
    return error.failures.map((failure) => `${failure.status} ${sourceOf(failure.where)?.pointer?.replace('/data/attributes/', '')}`)
  }
}

describe('attributes of a resource', () => {
  it('become properties inside', () => {
    assert.deepEqual(read({ fio: 'Anna', login: 'anna', arc: 1, password: 'x' }), {
      fullName: 'Anna',
      login: 'anna',
      archived: true,
      password: 'x',
    })
  })
  it('may all come back as they were shown, and then nothing is changed', () => assert.deepEqual(read(now, now), {}))
  it('that are secret are a change always', () => assert.deepEqual(read({ password: 'x' }, { ...now, password: 'x' }), { password: 'x' }))
  it('are null for nothing', () =>
    assert.deepEqual(read({ fio: null, group_id: null, arc: null }, { ...now, arc: 1 }), { fullName: '', groupId: 0, archived: false }))
  it('are all told of at once, what is refused before what is unfit', () => {
    assert.deepEqual(faults({ group_id: '3', arc: 2, fio: 7, nonsense: 1, made: 'x', constructor: 1 }), [
      '400 nonsense',
      '400 made',
      '400 constructor',
      '422 group_id',
      '422 arc',
      '422 fio',
      '422 login',
    ])
  })
  it('that are required are never emptied', () => {
    for (const empty of ['', null]) assert.deepEqual(faults({ login: empty }, now), ['422 login'])
    assert.deepEqual(faults({}, now), [])
  })
  it('that are fixed at creation are set there and nowhere else', () => {
    assert.deepEqual(read({ login: 'a', table_id: 8 }), { login: 'a', tableId: 8 })
    assert.deepEqual(faults({ table_id: 8 }, now), ['400 table_id'])
  })
  it('that only a change can set are refused at creation', () => {
    assert.deepEqual(read({ added: ['a'] }, now), { added: ['a'] })
    assert.deepEqual(faults({ login: 'a', added: ['a'] }), ['400 added'])
  })
  it('with a name that JSON Pointer escapes are pointed at escaped', () => assert.deepEqual(faults({ 'a/b~c': 1 }, now), ['400 a~1b~0c']))
})

describe('a failure in the store', () => {
  it('points at the attribute as the wire calls it', async () => {
    const at = (attribute: string, ...path: number[]) =>
      fail('field.invalid_value', { why: 'No.' }, { attribute, ...(path.length > 0 && { path }), meta: { kept: 1 } })
    const rejected = async (error: Error) => pointed(members, () => Promise.reject(error)).catch((caught: unknown) => caught)
    assert.deepEqual((await rejected(at('fullName'))) as unknown, at('fio'))
    assert.deepEqual((await rejected(at('archived', 0))) as unknown, at('arc', 0))
    assert.deepEqual((await rejected(at('elsewhere'))) as unknown, at('elsewhere'))
    assert.deepEqual(sourceOf(at('archived', 0).where), { pointer: '/data/attributes/archived/0' })
    assert.deepEqual(((await rejected(new Failures([at('groupId')]))) as Failures).failures, [at('group_id')])
  })
})

describe('a form', () => {
  const rows: [string, { read(value: unknown): unknown }, unknown[], unknown[]][] = [
    ['string', string, ['', 'a'], [1, true, [], {}, 'a\0', '\ud800']],
    ['integer', integer, [0, -5, 9007199254740991], ['5', 1.5, NaN, 1e300, true]],
    ['optional integer', optionalInteger, [null, 0, 5], [-1, '5', 1.5]],
    ['boolean', boolean, [true, false], [0, 'true']],
    ['flag', flag, [0, 1], [2, true, '1']],
    ['bound', bound, ['', '1.5', 1.5], [true, {}]],
    ['strings', strings, [[], ['a']], ['a', [1], {}]],
    ['ids', optionalIds, [null, [], [1, 2]], [[0], ['1'], 1]],
    ['options', options, [[], ['A'], [{ label: 'A' }, { id: 1, label: 'B' }]], ['A', [1], [{ id: 1 }], [{ id: '1', label: 'A' }], [null]]],
  ]
  for (const [name, form, good, bad] of rows) {
    it(`${name} takes ${JSON.stringify(good)} and nothing like ${JSON.stringify(bad)}`, () => {
      for (const value of good) form.read(value)
      for (const value of bad) assert.throws(() => form.read(value), { code: 'field.invalid_value' }, JSON.stringify(value))
    })
  }
})
