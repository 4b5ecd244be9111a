import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import { IdSet } from '../../sets/id-set.ts'
import { packedOrder } from '../../sets/order-parts.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import { ChangeLog } from './change-log.ts'
import { PresentRecords } from './present-records.ts'
import { PredicateSet } from './predicate-set.ts'
import { RecordOrder } from './record-order.ts'
import { setMemory } from './set-memory.ts'

const RECORDS = 2_000

it('many counts are told of few moves, and go before they are told of many: they are counted again when they are asked for', () => {
  const attribute: Attribute = { name: 'f1', column: 'f1', type: builtIn.integer, settings: plain }
  const values = new Map(Array.from({ length: RECORDS }, (_, i) => [i + 1, i]))
  const records = new PresentRecords(1, {
    dialect: sqlite,
    readNow: (query) => {
      const [asked] = render(query!, sqlite.placeholder).params
      const wanted = typeof asked === 'string' ? (JSON.parse(asked) as number[]) : [Number(asked)]
      return [wanted.map((id) => [id, String(values.get(id))])]
    },
  })
  records.follow([attribute])
  const log = new ChangeLog(['f1'])
  const order = new RecordOrder([{ attribute, descending: false }], packedOrder(Uint32Array.from(values.keys()))!, log.end, records)
  const memory = setMemory(Infinity)
  const terms = Array.from({ length: 100 }, (_, k) => {
    const set = new IdSet()
    for (let id = 1 + k; id <= RECORDS; id += 100) set.assign(id, true)
    return new PredicateSet(set, log.end, undefined, () => () => true)
  })
  const pages = () => terms.map((term) => order.ids.page(3, 4, term.set, term.countsIn(order, memory)))
  const sorted = () => [...values].sort(([a, one], [b, other]) => one - other || a - b).map(([id]) => id)
  const expected = () => terms.map((_, k) => sorted().filter((id) => (id - 1) % 100 === k).slice(3, 7)) // prettier-ignore
  const change = (count: number) => {
    for (let i = 0; i < count; i++) {
      const id = 1 + ((i * 7) % RECORDS)
      values.set(id, (values.get(id)! * 31 + 7) % 5_000)
      log.append(id, ['f1'])
      records.forget(id)
    }
    assert.equal(order.follow(log, records), true)
  }
  assert.deepEqual(pages(), expected())
  change(150)
  assert.equal(order.counts.size, 100)
  assert.deepEqual(pages(), expected())
  change(250)
  assert.equal(order.counts.size, 0)
  assert.deepEqual(pages(), expected())
  assert.equal(order.counts.size, 100)
})
