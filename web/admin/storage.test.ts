import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byTable, isLittle } from './storage.ts'

describe('the page of the storage', () => {
  it('says that little room is left below 1 GiB, and nothing where the room is not told', () => {
    assert.deepEqual(
      [0, 2 ** 30 - 1, 2 ** 30, null].map((free) => isLittle(free)),
      [true, true, false, false],
    )
  })

  it('lists the tables with the largest indexes', () => {
    const made = [
      [1, 10],
      [2, 30],
      [1, 15],
      [3, 0],
      [9, 100],
    ].map(([table_id, size]) => ({ attributes: { table_id: table_id!, size: size! } }))
    const tables = ['1', '2', '3'].map((id) => ({ id }))
    assert.deepEqual(byTable(made, tables), [
      { table: { id: '2' }, count: 1, size: 30 },
      { table: { id: '1' }, count: 2, size: 25 },
    ])
    const many = Array.from({ length: 30 }, (_, i) => ({ id: String(i) }))
    const all = many.map(({ id }) => ({ attributes: { table_id: Number(id), size: 1 } }))
    assert.equal(byTable(all, many).length, 20)
  })
})
