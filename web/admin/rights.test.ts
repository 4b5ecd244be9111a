import assert from 'node:assert/strict'
import { it } from 'node:test'
import { levelOf, ownBy, readFields, RIGHTS, rightsOf, stateOf, strengthOf, withNeeded, withOthers, withStates } from './rights.ts'

it('a rule is the preset whose rights it has, and otherwise a mix', () => {
  assert.equal(levelOf(undefined), 'none')
  assert.equal(levelOf({ read: false }), 'none')
  for (const preset of ['read', 'work', 'all'] as const) {
    assert.equal(Object.keys(rightsOf(preset)).length, RIGHTS.length)
    assert.equal(levelOf(rightsOf(preset)), preset)
  }
  assert.equal(levelOf({ read: true, create: true }), 'mix')
  assert.deepEqual(
    [undefined, rightsOf('read'), { read: true, sms: true }, { read: true, create: true }, rightsOf('work'), rightsOf('all')].map(
      strengthOf,
    ),
    [0, 1, 1, 2, 2, 3],
  )
})

it('to change what one cannot read makes no sense: reading comes with it, and does not go with it', () => {
  assert.deepEqual(withNeeded('update', true), { update: true, read: true })
  assert.deepEqual(withNeeded('update', false), { update: false })
  assert.deepEqual(withNeeded('create', true), { create: true })
})

const all = ['f1', 'f2', 'f3', 'user_id', 'add_time', 'update_time', 'status'].map((name) => ({
  name,
  isFixed: /^(user_id|.*_time)$/.test(name),
}))
const one = (name: string, isFixed = false) => ({ name, isFixed })

it('fields keep their states when it changes what later ones become', () => {
  const written = { f1: 'hidden', f2: 'read_only', add_time: 'hidden' } as const
  const states = (fields: Parameters<typeof readFields>[0]) => all.map((some) => stateOf(readFields(fields), some))
  assert.deepEqual(states(written), ['hidden', 'read_only', 'writable', 'read_only', 'hidden', 'hidden', 'writable'])
  const allowed = withOthers(readFields(written), all, 'hidden')
  assert.deepEqual(states(allowed), states(written))
  assert.equal(stateOf(readFields(allowed), one('f4')), 'hidden')
  const back = withOthers(readFields(allowed), all, 'writable')
  assert.deepEqual(states(back), states(written))
  assert.equal(stateOf(readFields(back), one('f4')), 'writable')
})

it('a state that is that of the rest is not written; what the service sets is never writable', () => {
  assert.deepEqual(withStates(readFields({ f1: 'hidden' }), [one('f1')], 'writable'), {})
  assert.deepEqual(withStates(readFields({ allow: { f1: 'writable' } }), [one('f1'), one('f2')], 'read_only'), {
    allow: { f1: 'read_only', f2: 'read_only' },
  })
  assert.deepEqual(withStates(readFields({ allow: {} }), [one('add_time', true)], 'writable'), { allow: { add_time: 'read_only' } })
  assert.deepEqual(withStates(readFields({ user_id: 'hidden' }), [one('user_id', true)], 'read_only'), {})
  const both = withStates(readFields({ add_time: 'hidden' }), [one('update_time', true)], 'writable')
  assert.equal(stateOf(readFields(both), one('update_time', true)), 'read_only')
  assert.equal(ownBy('f5'), 'eq(f5,current_user)')
})
