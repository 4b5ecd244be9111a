import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isChanged, stateOf, valuesOf } from './state.ts'

describe('a view and the address', () => {
  const view = {
    attributes: {
      kind: 'board',
      filter: "eq(f1,'x')",
      sort: '-f2',
      columns: [
        { attribute: 'f1', width: 240, wrap: true, frozen: true },
        { attribute: 'f2', frozen: true, figure: 'sum' },
        { attribute: 'f3', figure: 'filled' },
      ],
      group_by: 'f3',
      figure: 'sum:f2',
      span: 'week',
    },
  }

  it('say the same', () => {
    assert.deepEqual(stateOf(view), {
      kind: 'board',
      filter: "eq(f1,'x')",
      sort: '-f2',
      columns: 'f1.240~,f2:sum!,f3:filled',
      group: 'f3',
      figure: 'sum:f2',
      span: 'week',
    })
    assert.deepEqual(valuesOf(stateOf(view)), view.attributes)
    assert.deepEqual(stateOf({ attributes: {} }), {
      kind: 'grid',
      filter: undefined,
      sort: undefined,
      columns: undefined,
      group: undefined,
      figure: undefined,
      span: undefined,
    })
  })

  it('say the same of what was changed in columns alone', () => {
    const columns = [
      { attribute: '*', frozen: false },
      { attribute: 'f4', after: 'f1' },
      { attribute: 'f2', width: 300, figure: 'sum', after: '' },
      { attribute: 'f3', hidden: true },
    ]
    const text = '*!,f4>f1,f2>.300:sum,-f3'
    assert.equal(stateOf({ attributes: { columns } }).columns, text)
    assert.deepEqual(valuesOf({ columns: text }).columns, columns)
    const frozen = [{ attribute: '*' }, { attribute: 'f4', frozen: true }]
    assert.equal(stateOf({ attributes: { columns: frozen } }).columns, '*,f4!')
    assert.deepEqual(valuesOf({ columns: '*,f4!' }).columns, frozen)
  })

  it('differ where anything was changed', () => {
    assert.equal(isChanged(view, stateOf(view)), false)
    assert.equal(isChanged(view, { ...stateOf(view), columns: 'f1.240~!,f2:sum,f3:filled' }), true)
    assert.equal(isChanged(view, { ...stateOf(view), columns: 'f1.240,f2:sum!,f3:filled' }), true)
    assert.equal(isChanged(view, { ...stateOf(view), columns: 'f1.240~,f2:avg!,f3:filled' }), true)
    assert.equal(isChanged(view, { ...stateOf(view), filter: undefined }), true)
    assert.equal(isChanged(view, { ...stateOf(view), figure: 'avg:f2' }), true)
    assert.equal(isChanged(view, { ...stateOf(view), span: undefined }), true)
    // What is said is what counts without it.
    assert.equal(isChanged({ attributes: { figure: 'count', span: 'month' } }, {}), false)
    assert.equal(isChanged({ attributes: { kind: 'board', figure: 'count' } }, { kind: 'board' }), true)
    assert.equal(isChanged({ attributes: { kind: 'board', figure: 'count' } }, { kind: 'board', figure: 'count' }), false)
    assert.equal(isChanged(view, { ...stateOf(view), columns: 'f3:filled,f1.240~,f2:sum!' }), true)
  })
})
