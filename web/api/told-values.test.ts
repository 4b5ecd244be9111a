import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clock, noteTold, withTold } from './told-values.ts'

const record = (id: string, attributes: Record<string, unknown>, type = 'data1') => ({ type, id, attributes })

describe('what the stream has told', () => {
  it('is newer than an answer that was asked for before, and older than one that was asked for later', async () => {
    const before = clock()
    noteTold(1, '7', { f1: 'told', f2: 'first' }, 1)
    noteTold(1, '7', { f2: 'second' }, 2)
    const list = {
      data: [record('7', { f1: 'old', f3: 'x' }), record('8', { f1: 'old' })],
      included: [record('7', { f2: 'old' })],
      meta: { total: 2 },
    }
    const { data, included, meta } = withTold({ ...list, askedAt: before - 1 })
    assert.deepEqual(data, [record('7', { f1: 'told', f3: 'x' }), record('8', { f1: 'old' })])
    assert.deepEqual(included, [record('7', { f2: 'second' })])
    assert.deepEqual(meta, { total: 2 })
    await new Promise((go) => setTimeout(go, 2))
    assert.deepEqual(withTold({ ...list, askedAt: clock() }).data, list.data)
  })

  it('is told of one record too, and leaves other answers as they are', () => {
    const askedAt = clock() - 1
    noteTold(2, '1', { f1: 'told' }, 3)
    assert.deepEqual(withTold({ data: record('1', { f1: 'old' }, 'data2'), askedAt }).data, record('1', { f1: 'told' }, 'data2'))
    assert.deepEqual(withTold({ data: record('1', { f1: 'old' }, 'data3'), askedAt }).data, record('1', { f1: 'old' }, 'data3'))
    for (const data of [undefined, null, [{ key: 'a', figure: 3 }]]) assert.deepEqual(withTold({ data, askedAt }).data, data)
  })

  it('is as new as its position in the log, where an answer says up to where it has all changes', () => {
    noteTold(4, '1', { f1: 'told' }, 20)
    const shown = (cursor: number) => withTold({ data: record('1', { f1: 'read' }, 'data4'), askedAt: 0, cursor }).data.attributes['f1']
    assert.deepEqual([shown(19), shown(20), shown(21)], ['told', 'read', 'read'])
  })

  it('is forgotten beyond so many records', () => {
    const askedAt = clock() - 1
    for (let i = 1; i <= 6000; i++) noteTold(3, String(i), { f1: 'told' }, i)
    const shown = (id: string) => withTold({ data: record(id, { f1: 'old' }, 'data3'), askedAt }).data.attributes['f1']
    assert.deepEqual([shown('1'), shown('6000')], ['old', 'told'])
  })
})
