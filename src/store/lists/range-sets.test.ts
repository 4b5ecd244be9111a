import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { builtIn } from '../../fields/index.ts'
import { packedOrder } from '../../sets/order-parts.ts'
import { render } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import { ChangeLog } from './change-log.ts'
import { PresentRecords } from './present-records.ts'
import { likeness, rangeSet } from './range-sets.ts'
import { RecordOrder } from './record-order.ts'
import { setMemory } from './set-memory.ts'

const RECORDS = 10_000
const attribute = (name: string): Attribute => ({ name, column: name, type: builtIn.integer, settings: plain })
const [a, b] = [attribute('a'), attribute('b')]
const ids = Uint32Array.from({ length: RECORDS }, (_, i) => i + 1)

it('the counts of an anchor go with it', () => {
  const records = new PresentRecords(1, {
    dialect: sqlite,
    readNow: (query) => {
      const [asked] = render(query!, sqlite.placeholder).params
      const wanted = typeof asked === 'string' ? (JSON.parse(asked) as number[]) : [Number(asked)]
      const { text } = render(query!, sqlite.placeholder)
      return [wanted.map((id) => [id, ...[a, b].filter(({ name }) => text.includes(`"${name}"`)).map(() => String(id))])]
    },
  })
  records.follow([a, b])
  const log = new ChangeLog()
  const [one, other] = [a, b].map((by) => new RecordOrder([{ attribute: by, descending: false }], packedOrder(ids)!, log.end, records))
  const memory = setMemory(Infinity)
  const ask = (to: number) => {
    const range = { attribute: a, from: undefined, to: { key: [to], id: Infinity } }
    const ranged = rangeSet(one!, range, { log, records }, memory)
    assert.equal(ranged.set.size, to)
    assert.notEqual(likeness(ranged, other!, memory), undefined)
  }
  ask(6_000)
  assert.deepEqual([one!.anchors.length, other!.counts.size, memory.figures().kept.counts], [1, 1, 1])
  // So many changes that the anchor, which follows when it is used, is too far behind.
  for (let changes = 0; changes < 100_000; changes += 500) {
    for (let i = 0; i < 500; i++) {
      log.append(1 + ((changes + i) % RECORDS))
      records.forget(1 + ((changes + i) % RECORDS))
    }
    for (const order of [one!, other!]) assert.equal(order.follow(log, records), true)
  }
  ask(6_100)
  assert.deepEqual([one!.anchors.length, other!.counts.size, memory.figures().kept.counts], [1, 1, 1])
})
