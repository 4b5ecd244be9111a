import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import { packedOrder } from '../../sets/order-parts.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import { ChangeLog } from './change-log.ts'
import { PresentRecords } from './present-records.ts'
import { RecordOrder } from './record-order.ts'

it('an order keeps the keys of records that it looked at until these change', () => {
  const titles = new Map(['a', 'b', 'c', 'd', 'e'].map((title, i) => [i + 1, title]))
  let reads = 0
  const records = new PresentRecords(1, {
    dialect: sqlite,
    readNow: (query) => {
      reads++
      const [asked] = render(query!, sqlite.placeholder).params
      const ids = typeof asked === 'string' ? (JSON.parse(asked) as number[]) : [Number(asked)]
      return [ids.flatMap((id) => (titles.has(id) ? [[id, titles.get(id)!]] : []))]
    },
  })
  const attribute: Attribute = { name: 'title', column: 'title', type: builtIn.text, settings: plain }
  const log = new ChangeLog()
  records.follow([attribute])
  const order = new RecordOrder([{ attribute, descending: false }], packedOrder(Uint32Array.from(titles.keys()))!, log.end, records)
  const { bytes } = order
  const rankOf = (title: string) => order.ids.rank(order.ids.seek({ key: [title], id: -1 }))
  assert.deepEqual([rankOf('c'), rankOf('bb'), rankOf('cc')], [2, 2, 3])
  assert.ok(order.bytes > bytes)
  const before = reads
  assert.deepEqual([rankOf('c'), rankOf('bb'), rankOf('cc')], [2, 2, 3])
  assert.equal(reads, before)
  const change = (id: number, title: string | undefined) => {
    if (title === undefined) titles.delete(id)
    else titles.set(id, title)
    log.append(id)
    records.forget(id)
    assert.ok(order.follow(log, records))
  }
  change(3, 'z')
  assert.deepEqual([rankOf('c'), rankOf('d'), rankOf('f'), rankOf('zz')], [2, 2, 4, 5])
  change(2, undefined)
  assert.deepEqual([rankOf('b'), rankOf('c'), rankOf('zz')], [1, 1, 4])
  assert.ok(reads > before)
})
